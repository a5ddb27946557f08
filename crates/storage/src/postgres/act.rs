//! Operations as transactions: their statements are sent in one pipeline, from the begin to the commit, once a row is asked
//! for or the operation ends. A guard whose statement changes nothing raises an error, which ends the transaction.

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
use crate::act::{Act, EachRow, Guard, Operation, Statement, Stop, sql};
use crate::audit::{Entry, Link};
use crate::counted_event::CountedEvent;
use crate::fields::{Fields, Value, values};

/// An operation under way.
struct Pipeline<'c> {
    connections: &'c Connections,
    /// Until when it has to be done.
    end: Instant,
    /// How long each of its steps may take instead, if it is a long one.
    patience: Option<Duration>,
    connection: Option<Connection>,
    waiting: Vec<Waiting>,
    last: Vec<Waiting>,
    is_undone: bool,
    counted: Vec<CountedEvent>,
    /// Whether it was surely not done, and may be tried anew.
    may_be_repeated: bool,
    entry: Option<&'c Entry>,
    /// The slot of the audit trail that it continues, with the new end.
    continues: Option<(MutexGuard<'c, Chain>, Link)>,
}

impl Pipeline<'_> {
    /// Sends what waits. `ends`: the commit follows.
    async fn send(&mut self, ends: bool) -> Result<Vec<Executed>, Stop> {
        let waiting = std::mem::take(&mut self.waiting);
        let is_begun = self.connection.is_some();
        if waiting.is_empty() && !(is_begun && ends) {
            return Ok(Vec::new());
        }
        let sent = self.send_all(&waiting, is_begun, ends).await;
        if ends {
            // Whatever came of it, nothing is open on the connection.
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
        // It stays here while this waits: if the operation is given up, what is open on the connection ends with it.
        let connection = self.connection.insert(taken);
        // One statement commits by itself.
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

    /// Adds the operation's entry in the audit trail to what waits: as the last before the commit.
    async fn add_entry(&mut self) -> Result<(), Stop> {
        let Some(entry) = self.entry.take() else { return Ok(()) };
        let mut chain = self.connections.chains.take().await;
        let end = match chain.end.take() {
            Some(end) => end,
            None => {
                let slot = chain.slot;
                let act: &mut (dyn Act + '_) = self;
                act.first(sql!("audit/end"), values![slot], Link::columns).await?.unwrap_or_default()
            }
        };
        let row = entry.row(chain.slot, &end)?;
        let values = [&row.values()[..], values![end.hash]].concat();
        self.waiting.push(Waiting::of(sql!(by engine "audit/add"), &values, Some(Guard::Chain)));
        self.continues = Some((chain, Link { number: row.number, hash: row.hash }));
        Ok(())
    }

    /// Closes the connection, with whatever is open on it.
    fn close(&mut self) {
        drop(self.connection.take().map(Connection::take));
    }

    /// Ends it without a trace.
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
    /// What was not committed ends with its connection.
    fn drop(&mut self) {
        self.close();
    }
}

/// Gives the rows of a statement, then how many it gave or changed.
fn give(executed: Executed, each: &mut EachRow<'_>) -> Result<u64, Stop> {
    executed.rows.iter().try_for_each(|row| each(Fields::of(row)))?;
    Ok(executed.changed)
}

impl Act for Pipeline<'_> {
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
    /// Does an operation, of which each step may take so long if that is said. It is repeated only where it was surely not done.
    pub(crate) async fn act<G, T>(
        &self,
        patience: Option<Duration>,
        entry: Option<&Entry>,
        given: &G,
        operation: Operation<G, T>,
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
                    // That it failed says more than that it could not be undone: its connection is given up then.
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
                    let why = "other processes continue the audit trail all the time";
                    return Err(StorageError::Away(why.into()).into());
                }
                done => return done,
            }
        }
    }
}
