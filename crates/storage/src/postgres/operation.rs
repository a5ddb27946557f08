//! Operations as PostgreSQL transactions.
//!
//! Statements wait until the operation reads rows or ends. Then one pipeline sends them, with `begin` and
//! `commit` if needed. A guard is a statement that must change a row. If it changes none, it raises an error,
//! which ends the transaction.

use std::time::Duration;

use futures_util::future::BoxFuture;
use ports::storage::StorageError;
use tokio::sync::MutexGuard;
use tokio::time::Instant;

use super::chain::{CHAIN_TRIES, Chain};
use super::connections::{Connections, Executed, TRIES, limited};
use super::fault::Fault;
use super::hosts::Connection;
use super::waiting::Waiting;
use crate::audit::{Entry, Link};
use crate::counted_event::CountedEvent;
use crate::fields::{RowFields, Value, values};
use crate::operation::{EachRow, Guard, Operation, OperationFn, Statement, Stop, sql};

/// Operation that runs as a transaction on PostgreSQL.
struct Pipeline<'c> {
    connections: &'c Connections,
    /// Deadline of the operation.
    end: Instant,
    /// Longest time for each round trip of a long operation. Such an operation has no deadline as a whole.
    patience: Option<Duration>,
    connection: Option<Connection>,
    waiting: Vec<Waiting>,
    last: Vec<Waiting>,
    is_undone: bool,
    counted: Vec<CountedEvent>,
    /// Whether the failed operation surely had no effect, so that it may be tried again.
    may_be_repeated: bool,
    entry: Option<&'c Entry>,
    /// Slot of the audit trail that gets the operation's entry, with the last entry that its chain will have.
    continues: Option<(MutexGuard<'c, Chain>, Link)>,
}

impl Pipeline<'_> {
    /// Sends the waiting statements. `ends`: also sends the commit.
    async fn send(&mut self, ends: bool) -> Result<Vec<Executed>, Stop> {
        let waiting = std::mem::take(&mut self.waiting);
        let is_begun = self.connection.is_some();
        if waiting.is_empty() && !(is_begun && ends) {
            return Ok(Vec::new());
        }
        let sent = self.send_all(&waiting, is_begun, ends).await;
        if ends {
            // Whether or not this succeeded, the connection has no open transaction now.
            drop(self.connection.take());
            if let Some((mut chain, end)) = self.continues.take() {
                chain.went_on(end, sent.as_ref().err());
            }
            if sent.is_ok() {
                self.counted.iter().for_each(CountedEvent::count);
            }
        }
        sent.map_err(|fault| {
            self.may_be_repeated = fault.may_be_repeated();
            fault.into()
        })
    }

    async fn send_all(
        &mut self,
        waiting: &[Waiting],
        is_begun: bool,
        ends: bool,
    ) -> Result<Vec<Executed>, Fault> {
        if let Some(patience) = self.patience {
            self.end = Instant::now() + patience;
        }
        let taken = match self.connection.take() {
            Some(connection) => connection,
            None => self.connections.take_until(self.end).await?,
        };
        // The connection stays in `self`. If the operation is cancelled, dropping `self` closes the
        // connection, which ends the transaction.
        let connection = self.connection.insert(taken);
        // A single statement commits by itself.
        let is_alone = !is_begun && ends && waiting.len() == 1 && self.patience.is_none();
        let begin =
            || self.patience.map_or_else(|| self.connections.begin(), |patience| limited(patience).into());
        let begin = (!is_begun && !is_alone).then(begin);
        let commit = (ends && !is_alone).then_some("commit");
        let within = self.patience.unwrap_or(self.connections.patience);
        let sent = self.connections.send((self.end, within), connection, (begin, commit), waiting).await;
        if matches!(&sent, Err(fault) if fault.ends_connection()) {
            self.close();
        }
        sent
    }

    /// Appends the statement that writes the operation's audit entry to the waiting statements.
    async fn add_entry(&mut self) -> Result<(), Stop> {
        let Some(entry) = self.entry.take() else { return Ok(()) };
        if entry.is_rehearsal() {
            self.send(false).await?;
            return Ok(entry.end_rehearsal()?);
        }
        let mut chain = self.connections.chains.take().await;
        let end = match chain.end.take() {
            Some(end) => end,
            None => {
                let slot = chain.slot;
                let act: &mut (dyn Operation + '_) = self;
                act.first(sql!("audit/end"), values![slot], Link::columns).await?.unwrap_or_default()
            }
        };
        for companion in entry.companions() {
            let (statement, values) = (companion.statement, companion.values());
            self.waiting.push(Waiting::of(statement, &values, Some(Guard::Companion)));
        }
        let row = entry.row(chain.slot, &end)?;
        let values = [&row.values()[..], values![end.hash]].concat();
        self.waiting.push(Waiting::of(sql!(by engine "audit/add"), &values, Some(Guard::Chain)));
        self.continues = Some((chain, Link { number: row.number, hash: row.hash }));
        Ok(())
    }

    /// Closes the connection, which ends any open transaction.
    fn close(&mut self) {
        drop(self.connection.take().map(Connection::take));
    }

    /// Rolls the transaction back.
    async fn roll_back(&mut self) -> Result<(), Fault> {
        self.waiting.clear();
        let Some(connection) = &self.connection else { return Ok(()) };
        let (rollback, limit) = ((Some("rollback".into()), None), (self.end, self.connections.patience));
        let done = self.connections.send(limit, connection, rollback, &[]).await;
        match &done {
            Ok(_) => drop(self.connection.take()),
            Err(_) => self.close(),
        }
        done.map(|_| ())
    }
}

impl Drop for Pipeline<'_> {
    /// Closes the connection, which rolls back an uncommitted transaction.
    fn drop(&mut self) {
        self.close();
    }
}

/// Gives the rows of a statement to `each`. Returns how many rows the statement returned or changed.
fn give(executed: Executed, each: &mut EachRow<'_>) -> Result<u64, Stop> {
    executed.rows.iter().try_for_each(|row| each(RowFields::of(row)))?;
    Ok(executed.changed)
}

impl Operation for Pipeline<'_> {
    fn execute(&mut self, statement: Statement<'_>, values: &[Value<'_>]) {
        self.waiting.push(Waiting::of(statement, values, None));
    }

    fn require(&mut self, statement: Statement<'_>, values: &[Value<'_>], guard: Guard) {
        self.waiting.push(Waiting::of(statement, values, Some(guard)));
    }

    fn execute_last(&mut self, statement: Statement<'_>, values: &[Value<'_>], guard: Option<Guard>) {
        self.last.push(Waiting::of(statement, values, guard));
    }

    fn ask<'a>(
        &'a mut self,
        statement: Statement<'a>,
        sets: &'a [Vec<Value<'a>>],
        each: &'a mut EachRow<'a>,
        ends: bool,
    ) -> BoxFuture<'a, Result<Vec<u64>, Stop>> {
        let ends = ends && !self.entry.is_some_and(Entry::is_rehearsal);
        Box::pin(async move {
            if ends {
                self.waiting.append(&mut self.last);
                self.add_entry().await?;
            }
            let before = self.waiting.len();
            self.waiting.extend(sets.iter().map(|values| Waiting::of(statement, values, None)));
            let executed = self.send(ends).await?;
            executed.into_iter().skip(before).map(|executed| give(executed, each)).collect()
        })
    }

    fn undo(&mut self) {
        self.is_undone = true;
    }

    fn counted(&mut self) -> &mut Vec<CountedEvent> {
        &mut self.counted
    }

    fn slot(&self) -> i16 {
        self.connections.slot
    }
}

impl Connections {
    /// Runs an operation. `patience`: longest time for each round trip, if the operation may take long. A
    /// failed operation is repeated only if it surely had no effect.
    pub(crate) async fn act<G, T>(
        &self,
        patience: Option<Duration>,
        entry: Option<&Entry>,
        given: &G,
        operation: OperationFn<G, T>,
    ) -> Result<T, Stop> {
        let end = self.end();
        let (mut tries, mut chain_tries) = (1, 1);
        loop {
            let mut within = Pipeline {
                connections: self,
                end,
                patience,
                connection: None,
                waiting: Vec::new(),
                last: Vec::new(),
                counted: Vec::new(),
                is_undone: false,
                may_be_repeated: false,
                entry,
                continues: None,
            };
            let done = match operation(given, &mut within).await {
                Ok(value) if within.is_undone => within.roll_back().await.map(|()| value).map_err(Stop::from),
                Ok(value) => {
                    let mut last = std::mem::take(&mut within.last);
                    within.waiting.append(&mut last);
                    match within.add_entry().await {
                        Ok(()) => within.send(true).await.map(|_| value),
                        Err(stop) => Err(stop),
                    }
                }
                Err(stop) => {
                    // The first error says more than a failed rollback. In that case the connection is
                    // closed.
                    let _ = within.roll_back().await;
                    Err(stop)
                }
            };
            match done {
                Err(Stop::Fault(StorageError::Away(_))) if within.may_be_repeated && tries < TRIES => {
                    tries += 1
                }
                Err(Stop::Guard(Guard::Chain)) if chain_tries < CHAIN_TRIES => chain_tries += 1,
                Err(Stop::Guard(Guard::Chain)) => {
                    let why =
                        "no audit entry could be added, because other processes add entries all the time";
                    return Err(StorageError::Away(why.into()).into());
                }
                done => return done,
            }
        }
    }
}
