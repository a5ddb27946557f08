//! Operations as transactions: their statements are sent in one pipeline, from the begin to the commit, once a row is asked
//! for or the operation ends. A guard whose statement changes nothing raises an error, which ends the transaction.

use std::time::Duration;

use futures_util::future::BoxFuture;
use service::storage::StorageError;
use tokio::time::Instant;

use super::connections::{Connections, Executed, TRIES, limited};
use super::fault::Fault;
use super::hosts::Connection;
use super::waiting::Waiting;
use crate::act::{Act, EachRow, Guard, Operation, Statement, Stop};
use crate::fields::{Fields, Value};

/// An operation under way.
struct Transaction<'c> {
    connections: &'c Connections,
    /// Until when it has to be done.
    end: Instant,
    /// How long each of its steps may take instead, if it is a long one.
    patience: Option<Duration>,
    connection: Option<Connection>,
    waiting: Vec<Waiting>,
    last: Vec<Waiting>,
    is_undone: bool,
    /// Whether it was surely not done, and may be tried anew.
    may_be_repeated: bool,
}

impl Transaction<'_> {
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
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.connections.take_until(self.end).await?,
        };
        // One statement commits by itself.
        let is_alone = !is_begun && ends && waiting.len() == 1 && self.patience.is_none();
        let begin =
            || self.patience.map_or_else(|| self.connections.begin(), |patience| limited(patience).into());
        let begin = (!is_begun && !is_alone).then(begin);
        let commit = (ends && !is_alone).then_some("commit");
        let sent = self.connections.send(self.end, &connection, (begin, commit), waiting).await;
        match &sent {
            Err(fault) if fault.ends_connection() => drop(Connection::take(connection)),
            _ => self.connection = Some(connection),
        }
        sent
    }

    /// Ends it without a trace.
    async fn roll_back(&mut self) -> Result<(), Fault> {
        self.waiting.clear();
        let Some(connection) = self.connection.take() else { return Ok(()) };
        let done = self.connections.send(self.end, &connection, (Some("rollback".into()), None), &[]).await;
        if done.is_err() {
            drop(Connection::take(connection));
        }
        done.map(|_| ())
    }
}

impl Drop for Transaction<'_> {
    /// What was not committed ends with its connection.
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            drop(Connection::take(connection));
        }
    }
}

/// Gives the rows of a statement, then how many it gave or changed.
fn give(executed: Executed, each: &mut EachRow<'_>) -> Result<u64, Stop> {
    executed.rows.iter().try_for_each(|row| each(Fields::of(row)))?;
    Ok(executed.changed)
}

/// The same of the last one.
fn give_last(executed: Vec<Executed>, each: &mut EachRow<'_>) -> Result<u64, Stop> {
    executed.into_iter().next_back().map_or(Ok(0), |last| give(last, each))
}

impl Act for Transaction<'_> {
    fn execute(&mut self, statement: Statement<'_>, values: &[Value<'_>]) {
        self.waiting.push(Waiting::of(statement, values, None));
    }

    fn require(&mut self, statement: Statement<'_>, values: &[Value<'_>], guard: Guard) {
        self.waiting.push(Waiting::of(statement, values, Some(guard)));
    }

    fn execute_last(&mut self, statement: Statement<'_>, values: &[Value<'_>], guard: Option<Guard>) {
        self.last.push(Waiting::of(statement, values, guard));
    }

    fn query<'a>(
        &'a mut self,
        statement: Statement<'a>,
        values: &'a [Value<'a>],
        each: &'a mut EachRow<'a>,
    ) -> BoxFuture<'a, Result<u64, Stop>> {
        self.waiting.push(Waiting::of(statement, values, None));
        Box::pin(async { give_last(self.send(false).await?, each) })
    }

    fn query_each<'a>(
        &'a mut self,
        statement: Statement<'a>,
        sets: &'a [Vec<Value<'a>>],
        each: &'a mut EachRow<'a>,
    ) -> BoxFuture<'a, Result<Vec<u64>, Stop>> {
        let before = self.waiting.len();
        self.waiting.extend(sets.iter().map(|values| Waiting::of(statement, values, None)));
        Box::pin(async move {
            let executed = self.send(false).await?;
            executed.into_iter().skip(before).map(|executed| give(executed, each)).collect()
        })
    }

    fn finish<'a>(
        &'a mut self,
        statement: Statement<'a>,
        values: &'a [Value<'a>],
        each: &'a mut EachRow<'a>,
    ) -> BoxFuture<'a, Result<u64, Stop>> {
        self.waiting.append(&mut self.last);
        self.waiting.push(Waiting::of(statement, values, None));
        Box::pin(async { give_last(self.send(true).await?, each) })
    }

    fn undo(&mut self) {
        self.is_undone = true;
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
        given: &G,
        operation: Operation<G, T>,
    ) -> Result<T, Stop> {
        let end = self.end();
        let mut tries = 1;
        loop {
            let mut within = Transaction {
                connections: self,
                end,
                patience,
                connection: None,
                waiting: Vec::new(),
                last: Vec::new(),
                is_undone: false,
                may_be_repeated: false,
            };
            let done = match operation(given, &mut within).await {
                Ok(value) if within.is_undone => within.roll_back().await.map(|()| value).map_err(Stop::from),
                Ok(value) => {
                    let mut last = std::mem::take(&mut within.last);
                    within.waiting.append(&mut last);
                    within.send(true).await.map(|_| value)
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
                done => return done,
            }
        }
    }
}
