//! Connection pool with time limits.
//!
//! The pool drops broken connections, and repeats failed statements that surely had no effect. A statement,
//! or a transaction in one pipeline, is complete in itself and needs no session state. So the server may be
//! restarted, be replaced by its standby, or be behind a pooler that gives each transaction to another
//! session.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use deadpool::Runtime;
use deadpool::managed::{self, Timeouts};
use futures_util::TryStreamExt;
use futures_util::future::{MaybeDone, maybe_done, try_join_all};
use ports::storage::Result;
use tokio::time::Instant;
use tokio_postgres::{Row, RowStream, Statement};

use super::chain::Chains;
use super::column::Parameter;
use super::fault::{Fault, FaultKind};
use super::hosts::{Connection, Hosts, Maker};
use super::waiting::Waiting;
use crate::fields::{Owned, Value};

/// Longest time to get a connection and execute a statement. After that the client gets 503.
///
/// The server itself ends a statement after this time, by its `statement_timeout`. The service never asks the
/// server to cancel a statement. A cancelled commit that waits for a synchronous standby would look done to
/// others, and could be lost with the server. The timeout cannot cause this, because the server turns the
/// timeout off before it commits.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// Most tries of a statement that surely had no effect.
pub(crate) const TRIES: u32 = 3;

pub(crate) struct Connections {
    pool: managed::Pool<Maker>,
    /// Whether statements are prepared. `false` behind a pooler that gives each transaction to another
    /// session.
    named: bool,
    /// Longest time to get a connection and execute a statement.
    pub(crate) patience: Duration,
    /// Whether the tables are spread over the nodes of Citus.
    pub(crate) is_spread: bool,
    /// Slot (row) of this process in the counts of records, for records that are not written in groups (D33).
    pub(crate) slot: i16,
    /// Slots of the audit trail to which this process adds entries.
    pub(crate) chains: Chains,
}

/// Result of a statement.
#[derive(Default)]
pub(crate) struct Executed {
    pub(crate) rows: Vec<Row>,
    /// Number of rows that the statement returned or changed.
    pub(crate) changed: u64,
}

/// Collects all rows of a statement.
pub(crate) async fn collect(rows: RowStream) -> Result<Executed, tokio_postgres::Error> {
    let mut rows = pin!(rows);
    let mut outcome = Executed { rows: Vec::new(), changed: 0 };
    while let Some(row) = rows.as_mut().try_next().await? {
        outcome.rows.push(row);
    }
    outcome.changed = rows.rows_affected().unwrap_or_default();
    Ok(outcome)
}

/// Future that sends a statement when it is first polled.
type Sending<'a> = Pin<Box<dyn Future<Output = Result<Executed, tokio_postgres::Error>> + Send + 'a>>;

/// Sends all statements in order, then waits for the results. If several fail, returns the first error. If a
/// statement cannot be sent, for example because a number does not fit its column, no later statement is
/// sent, so there is no commit.
async fn in_order(sending: Vec<Sending<'_>>) -> Result<Vec<Executed>, tokio_postgres::Error> {
    let mut sent: Vec<MaybeDone<Sending<'_>>> = sending.into_iter().map(maybe_done).collect();
    std::future::poll_fn(|context| {
        for one in &mut sent {
            let mut one = Pin::new(one);
            // An error from the server means that the statement was sent. The server also refuses the
            // statements after it, and an earlier error may say why.
            if one.as_mut().poll(context).is_ready()
                && let Some(Err(fault)) = one.as_mut().output_mut()
                && fault.as_db_error().is_none()
            {
                return Poll::Ready(one.take_output().map_or(Ok(()), |failed| failed.map(|_| ())));
            }
        }
        Poll::Ready(Ok(()))
    })
    .await?;
    let mut executed = Vec::with_capacity(sent.len());
    for mut one in sent {
        Pin::new(&mut one).await;
        if let Some(outcome) = Pin::new(&mut one).take_output() {
            executed.push(outcome);
        }
    }
    executed.into_iter().collect()
}

/// Executes a statement, as a prepared one if `prepared` is given.
async fn run<P: Parameter>(
    connection: &Connection,
    statement: &str,
    prepared: Option<&Statement>,
    values: &[P],
) -> Result<Executed, tokio_postgres::Error> {
    let rows = match prepared {
        Some(prepared) => connection.query_raw(prepared, values.iter().map(Parameter::as_sql)).await?,
        None => {
            let typed = values.iter().map(|value| (value.as_sql(), value.kind()));
            connection.query_typed_raw(statement, typed).await?
        }
    };
    collect(rows).await
}

/// SQL that begins a transaction whose statements may take `patience`. The idle timeout ends the transaction
/// if the client is cut off, so that the server does not hold its locks for hours.
pub(crate) fn limited(patience: Duration) -> String {
    let limit = patience.as_millis();
    format!(
        "begin; set local statement_timeout = {limit}; set local idle_in_transaction_session_timeout = {limit}"
    )
}

/// Runs a read, and repeats it once if the connection broke.
async fn again_where_lost<T, F: Future<Output = Result<T, Fault>>>(read: impl Fn() -> F) -> Result<T, Fault> {
    let first = read().await;
    if !matches!(&first, Err(fault) if fault.kind == FaultKind::Lost) {
        return first;
    }
    match read().await {
        // The first error says more than a timeout of the second try.
        Err(fault) if fault.kind == FaultKind::Slow => first,
        again => again,
    }
}

impl Connections {
    /// Pool of at most `most` connections, with the time limit of `hosts`. This does not connect yet.
    pub(crate) fn new(hosts: Arc<Hosts>, most: usize, named: bool) -> Self {
        let patience = hosts.patience;
        // `hosts` limits the time to connect.
        let timeouts = Timeouts { wait: Some(patience), create: None, recycle: None };
        let pool =
            managed::Pool::builder(Maker(hosts)).max_size(most).timeouts(timeouts).runtime(Runtime::Tokio1);
        Connections {
            pool: pool.build().expect("a runtime is set above, as time limits require"),
            named,
            patience,
            is_spread: false,
            slot: 0,
            chains: Chains::none(),
        }
    }

    /// Executes a statement that only reads.
    pub(crate) async fn read(&self, statement: &str, values: &[Value<'_>]) -> Result<Vec<Row>> {
        let end = self.end();
        Ok(again_where_lost(|| self.write_until(end, statement, values)).await?.rows)
    }

    /// Executes statements that only read, on one snapshot and in one round trip. Returns the rows of each
    /// statement.
    pub(crate) async fn read_together(&self, waiting: &[Waiting]) -> Result<Vec<Vec<Row>>> {
        let end = self.end();
        let moment = "begin isolation level repeatable read, read only";
        let attempt = async || {
            let connection = self.take_until(end).await?;
            let around = (Some(moment.into()), Some("commit"));
            let sent = self.send((end, self.patience), &connection, around, waiting).await;
            if matches!(&sent, Err(fault) if fault.ends_connection()) {
                drop(Connection::take(connection));
            }
            sent
        };
        let executed = again_where_lost(|| self.again(&attempt)).await?;
        Ok(executed.into_iter().map(|executed| executed.rows).collect())
    }

    /// SQL that begins a transaction. Behind a pooler each transaction sets its own time limits, because the
    /// session is shared.
    pub(crate) fn begin(&self) -> Cow<'static, str> {
        match self.named {
            true => "begin".into(),
            false => limited(self.patience).into(),
        }
    }

    /// Sends statements without waiting between them. Returns the result of each statement. `around`: SQL
    /// that is sent before and after the statements.
    ///
    /// If the answers do not come before `end`, the fault says that they took longer than `within`. If a
    /// statement of a transaction fails, the server refuses the others, and treats the commit as a rollback.
    pub(crate) async fn send(
        &self,
        (end, within): (Instant, Duration),
        connection: &Connection,
        around: (Option<Cow<'_, str>>, Option<&str>),
        waiting: &[Waiting],
    ) -> Result<Vec<Executed>, Fault> {
        let sent = async {
            let prepared = self.prepare(connection, waiting).await?;
            let (begin, commit) = (around.0.as_deref(), around.1);
            let plain = |text| -> Sending<'_> {
                Box::pin(async move { connection.batch_execute(text).await.map(|()| Executed::default()) })
            };
            let sending = waiting.iter().zip(&prepared).map(|(waiting, prepared)| -> Sending<'_> {
                Box::pin(async move {
                    let values: Vec<Value<'_>> = waiting.values.iter().map(Owned::value).collect();
                    run(connection, &waiting.text, prepared.as_ref(), &values).await
                })
            });
            let all = begin.map(plain).into_iter().chain(sending).chain(commit.map(plain));
            let mut executed = in_order(all.collect()).await?;
            executed.drain(..usize::from(begin.is_some()));
            executed.truncate(waiting.len());
            Ok(executed)
        };
        let sent = match tokio::time::timeout_at(end, sent).await {
            Ok(sent) => sent.map_err(|fault: tokio_postgres::Error| Fault::from(fault)),
            Err(_) => Err(Fault::slow(within)),
        };
        sent.inspect_err(|fault| fault.doubts_server_of(connection))
    }

    /// Prepares statements. `None` for each statement if this connection cannot prepare statements.
    async fn prepare(
        &self,
        connection: &Connection,
        waiting: &[Waiting],
    ) -> Result<Vec<Option<Statement>>, tokio_postgres::Error> {
        if !self.named {
            return Ok(vec![None; waiting.len()]);
        }
        let texts: HashSet<&str> = waiting.iter().map(|waiting| waiting.text.as_str()).collect();
        let prepare = async |text| connection.prepare_cached(text).await.map(|statement| (text, statement));
        let prepared: HashMap<&str, Statement> =
            try_join_all(texts.into_iter().map(prepare)).await?.into_iter().collect();
        Ok(waiting.iter().map(|waiting| prepared.get(waiting.text.as_str()).cloned()).collect())
    }

    /// First row of a statement that only reads, if any.
    pub(crate) async fn read_one(&self, statement: &str, values: &[Value<'_>]) -> Result<Option<Row>> {
        Ok(self.read(statement, values).await?.into_iter().next())
    }

    /// Executes a statement that writes. The statement is repeated only if it surely had no effect.
    pub(crate) async fn write<P: Parameter>(&self, statement: &str, values: &[P]) -> Result<Executed, Fault> {
        self.write_until(self.end(), statement, values).await
    }

    /// Deadline for a caller that starts now, including all tries.
    pub(crate) fn end(&self) -> Instant {
        Instant::now() + self.patience
    }

    async fn write_until<P: Parameter>(
        &self,
        end: Instant,
        statement: &str,
        values: &[P],
    ) -> Result<Executed, Fault> {
        self.again(|| self.execute(end, statement, values)).await
    }

    /// Runs an attempt, and repeats it if it failed and surely had no effect.
    pub(crate) async fn again<T, F>(&self, attempt: impl Fn() -> F) -> Result<T, Fault>
    where
        F: Future<Output = Result<T, Fault>>,
    {
        let mut tries = 1;
        loop {
            match attempt().await {
                Err(fault) if fault.may_be_repeated() && tries < TRIES => tries += 1,
                outcome => return outcome,
            }
        }
    }

    async fn execute<P: Parameter>(
        &self,
        end: Instant,
        statement: &str,
        values: &[P],
    ) -> Result<Executed, Fault> {
        let connection = self.take_until(end).await?;
        let outcome =
            match tokio::time::timeout_at(end, self.execute_on(&connection, statement, values)).await {
                Ok(outcome) => outcome.map_err(Fault::from),
                Err(_) => Err(Fault::slow(self.patience)),
            };
        if let Err(fault) = &outcome {
            fault.doubts_server_of(&connection);
            if fault.ends_connection() {
                drop(Connection::take(connection));
            }
        }
        outcome
    }

    async fn execute_on<P: Parameter>(
        &self,
        connection: &Connection,
        statement: &str,
        values: &[P],
    ) -> Result<Executed, tokio_postgres::Error> {
        let prepared = match self.named {
            true => Some(connection.prepare_cached(statement).await?),
            false => None,
        };
        run(connection, statement, prepared.as_ref(), values).await
    }

    /// Takes a connection from the pool, for several statements.
    pub(crate) async fn take(&self) -> Result<Connection, Fault> {
        self.take_until(self.end()).await
    }

    pub(crate) async fn take_until(&self, end: Instant) -> Result<Connection, Fault> {
        match tokio::time::timeout_at(end, self.pool.get()).await {
            Ok(taken) => Ok(taken?),
            Err(_) => Err(Fault::slow(self.patience)),
        }
    }

    /// Closes idle connections now, and those in use once they are returned.
    pub(crate) fn close(&self) {
        self.pool.close();
    }
}
