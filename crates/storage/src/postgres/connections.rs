//! Connections: a pool with time limits, which drops a connection that went bad and repeats what may be repeated.
//!
//! A statement, or a transaction in one pipeline, is one whole act, and nothing rests on what a session remembers. So the server
//! may be restarted, replaced by its standby, or stand behind a pooler that gives every transaction to another session.

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

/// Longest wait for a connection to come free and a statement to be done, both together. Whoever asked hears 503 after that.
///
/// The server itself ends a statement after that time, by its `statement_timeout`. It is never asked to cancel one: a commit
/// that waits for a synchronous standby would be cut short, seen by others as done, and be lost with the server. The timeout
/// does not strike there, since the server turns it off before it commits.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// How often something that was surely not done is tried anew.
pub(crate) const TRIES: u32 = 3;

/// The pool.
pub(crate) struct Connections {
    pool: managed::Pool<Maker>,
    /// Whether statements may be prepared under a name. A pooler that gives transactions to other sessions forbids it.
    named: bool,
    /// Longest wait for a connection to come free and a statement to be done, both together.
    pub(crate) patience: Duration,
    /// Whether the tables are spread over the nodes of a distributed engine.
    pub(crate) is_spread: bool,
    /// Where this process counts what does not come in groups (D33).
    pub(crate) slot: i16,
    /// The slots of the audit trail that this process continues.
    pub(crate) chains: Chains,
}

/// What a statement gave.
#[derive(Default)]
pub(crate) struct Executed {
    pub(crate) rows: Vec<Row>,
    /// How many rows it changed, where it changes some.
    pub(crate) changed: u64,
}

/// Everything that a statement gives.
pub(crate) async fn collect(rows: RowStream) -> Result<Executed, tokio_postgres::Error> {
    let mut rows = pin!(rows);
    let mut outcome = Executed { rows: Vec::new(), changed: 0 };
    while let Some(row) = rows.as_mut().try_next().await? {
        outcome.rows.push(row);
    }
    outcome.changed = rows.rows_affected().unwrap_or_default();
    Ok(outcome)
}

/// What becomes of a statement that is sent when this is first polled.
type Sending<'a> = Pin<Box<dyn Future<Output = Result<Executed, tokio_postgres::Error>> + Send + 'a>>;

/// Sends all in their order, then waits for each. If several fail, the error is that of the first. If one cannot be sent, for example a
/// number that its column cannot hold, nothing after it is sent, and so no commit.
async fn in_order(sending: Vec<Sending<'_>>) -> Result<Vec<Executed>, tokio_postgres::Error> {
    let mut sent: Vec<MaybeDone<Sending<'_>>> = sending.into_iter().map(maybe_done).collect();
    std::future::poll_fn(|context| {
        for one in &mut sent {
            let mut one = Pin::new(one);
            // What the server refuses was sent: it refuses what follows, too, and an earlier one may say why.
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

/// Executes a statement, under a name if it is prepared.
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

/// How a transaction begins whose statements may take so long. The last is for one that is cut off in the middle of it: the server
/// must not hold its locks for hours.
pub(crate) fn limited(patience: Duration) -> String {
    let limit = patience.as_millis();
    format!(
        "begin; set local statement_timeout = {limit}; set local idle_in_transaction_session_timeout = {limit}"
    )
}

/// Reads once more where the connection broke under it.
async fn again_where_lost<T, F: Future<Output = Result<T, Fault>>>(read: impl Fn() -> F) -> Result<T, Fault> {
    let first = read().await;
    if !matches!(&first, Err(fault) if fault.kind == FaultKind::Lost) {
        return first;
    }
    match read().await {
        // That time was over then says less than what took it.
        Err(fault) if fault.kind == FaultKind::Slow => first,
        again => again,
    }
}

impl Connections {
    /// A pool of at most so many connections, for who has as much patience as its hosts. None is made yet.
    pub(crate) fn new(hosts: Arc<Hosts>, most: usize, named: bool) -> Self {
        let patience = hosts.patience;
        // How long a connection may take is for its hosts to say.
        let timeouts = Timeouts { wait: Some(patience), create: None, recycle: None };
        let pool =
            managed::Pool::builder(Maker(hosts)).max_size(most).timeouts(timeouts).runtime(Runtime::Tokio1);
        Connections {
            pool: pool.build().expect("time limits have their runtime: set above"),
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

    /// Executes statements that only read, at one moment and in one round trip: the rows of each.
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

    /// How a transaction begins. Behind a pooler a session is not covernote's: there each transaction says how long it may take.
    pub(crate) fn begin(&self) -> Cow<'static, str> {
        match self.named {
            true => "begin".into(),
            false => limited(self.patience).into(),
        }
    }

    /// Sends statements, each without waiting for the one before: what each gave. `around`: what is sent before and after them. The
    /// answers must come before `end`; if they do not, the fault says that they took longer than `within`. If a statement of a
    /// transaction fails, the server refuses the others, and takes the commit for a rollback.
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

    /// Prepares statements under a name, where that may be.
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

    /// The one row of a statement that only reads, where there is one.
    pub(crate) async fn read_one(&self, statement: &str, values: &[Value<'_>]) -> Result<Option<Row>> {
        Ok(self.read(statement, values).await?.into_iter().next())
    }

    /// Executes a statement that changes something. It is repeated only where it was surely not executed.
    pub(crate) async fn write<P: Parameter>(&self, statement: &str, values: &[P]) -> Result<Executed, Fault> {
        self.write_until(self.end(), statement, values).await
    }

    /// Until when whoever asks now is to have an answer, however often something is tried.
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

    /// Tries something anew that was surely not done.
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

    /// A connection for an act of several statements.
    pub(crate) async fn take(&self) -> Result<Connection, Fault> {
        self.take_until(self.end()).await
    }

    pub(crate) async fn take_until(&self, end: Instant) -> Result<Connection, Fault> {
        match tokio::time::timeout_at(end, self.pool.get()).await {
            Ok(taken) => Ok(taken?),
            Err(_) => Err(Fault::slow(self.patience)),
        }
    }

    /// Closes every connection; those in use once they are given back.
    pub(crate) fn close(&self) {
        self.pool.close();
    }
}
