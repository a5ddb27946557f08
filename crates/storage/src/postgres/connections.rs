//! Connections: a pool with time limits, which drops a connection that went bad and repeats what may be repeated.
//!
//! A statement is one whole act: it commits by itself, and nothing rests on what a session remembers. So the server may
//! be restarted, replaced by its standby, or stand behind a pooler that gives every statement to another session.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use deadpool::Runtime;
use deadpool::managed::{self, PoolError, TimeoutType, Timeouts};
use futures_util::TryStreamExt;
use service::storage::StorageError;
use tokio::time::Instant;
use tokio_postgres::types::Type;
use tokio_postgres::{Row, RowStream};

use super::column::Value;
use super::hosts::{Connection, Hosts, Maker};

/// Longest wait for a connection to come free and a statement to be done, both together. Whoever asked hears 503 after that.
///
/// The server itself ends a statement after that time, by its `statement_timeout`. It is never asked to cancel one: a commit
/// that waits for a synchronous standby would be cut short, seen by others as done, and be lost with the server. The timeout
/// does not strike there, since the server turns it off before it commits.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Longest wait for one server to take a new connection, where the address does not say.
pub(super) const CONNECTING: Duration = Duration::from_secs(1);

/// How often something that was surely not done is tried anew.
const TRIES: u32 = 3;

/// The pool.
pub(super) struct Connections {
    pool: managed::Pool<Maker>,
    /// Whether statements may be prepared under a name. A pooler that gives statements to other sessions forbids it.
    named: bool,
    /// Longest wait for a connection to come free and a statement to be done, both together.
    patience: Duration,
    /// Whether the tables are spread over the nodes of a distributed engine.
    pub(super) is_spread: bool,
}

/// What a statement gave.
pub(super) struct Executed {
    pub(super) rows: Vec<Row>,
    /// How many rows it changed, where it changes some.
    pub(super) changed: u64,
}

/// Everything that a statement gives.
pub(super) async fn collect(rows: RowStream) -> Result<Executed, tokio_postgres::Error> {
    let mut rows = pin!(rows);
    let mut outcome = Executed { rows: Vec::new(), changed: 0 };
    while let Some(row) = rows.as_mut().try_next().await? {
        outcome.rows.push(row);
    }
    outcome.changed = rows.rows_affected().unwrap_or_default();
    Ok(outcome)
}

/// What a statement failed of.
#[derive(Debug)]
pub(super) struct Fault {
    kind: FaultKind,
    pub(super) text: String,
}

#[derive(Debug, PartialEq, Eq)]
enum FaultKind {
    /// The server is away, or the connection is gone. Whether the statement was done is not known.
    Lost,
    /// The server did not answer in time. Whether the statement was done is not known.
    Slow,
    /// The server, or this connection to it, cannot do it now, and did not.
    NotDone,
    /// The server has no room for it, and did not do it. Nothing is wrong with the connection.
    NoRoom,
    /// The role may not do it.
    Forbidden,
    /// Another transaction was in the way, and it was not done.
    Conflict,
    /// There is such a record already: the name of the unique index that says so.
    Taken(String),
    /// It breaks a rule that the schema checks: its name.
    Broken(String),
    /// It breaks another rule of the schema.
    Refused,
    /// The statement and the schema do not fit.
    Damaged,
}

impl Fault {
    pub(super) fn lost(text: impl Into<String>) -> Self {
        Fault { kind: FaultKind::Lost, text: text.into() }
    }

    /// The server did not answer within this time.
    pub(super) fn slow(waited: Duration) -> Self {
        let text = format!("the database did not answer within {} s", waited.as_secs());
        Fault { kind: FaultKind::Slow, text }
    }

    /// Whether a unique index refused it.
    pub(super) fn is_taken(&self, index: &str) -> bool {
        matches!(&self.kind, FaultKind::Taken(name) if name == index)
    }

    /// Whether it breaks a rule of the schema.
    pub(super) fn breaks(&self, rule: &str) -> bool {
        matches!(&self.kind, FaultKind::Broken(name) if name == rule)
    }

    /// Whether the role may not do it.
    pub(super) fn is_forbidden(&self) -> bool {
        self.kind == FaultKind::Forbidden
    }

    /// Whether it lies in the statement, not in the server's state: others are not concerned.
    pub(super) fn is_its_own(&self) -> bool {
        match self.kind {
            FaultKind::Taken(_)
            | FaultKind::Broken(_)
            | FaultKind::Refused
            | FaultKind::Forbidden
            | FaultKind::Damaged => true,
            FaultKind::Lost
            | FaultKind::Slow
            | FaultKind::NotDone
            | FaultKind::NoRoom
            | FaultKind::Conflict => false,
        }
    }

    /// Whether its connection is of no more use. One that was too slow is not free before the statement has come to its end.
    fn ends_connection(&self) -> bool {
        matches!(self.kind, FaultKind::Lost | FaultKind::NotDone | FaultKind::Slow)
    }

    /// A connection that did not come to be. Whatever it was, nothing was executed yet.
    pub(super) fn at_connecting(fault: tokio_postgres::Error) -> Self {
        Fault { kind: FaultKind::Lost, ..Fault::from(fault) }
    }

    /// Doubts where the primary is, after a fault that tells of it; and closes what waits in the pool of a connection, where all of it
    /// leads to a server that is gone, or takes no writes.
    pub(super) fn doubts_server_of(&self, connection: &Connection) {
        let Some(pool) = Connection::pool(connection) else { return };
        match self.kind {
            FaultKind::Lost | FaultKind::NotDone => {
                pool.retain(|_, _| false);
                pool.manager().0.doubt();
            }
            FaultKind::Slow => pool.manager().0.doubt_in_silence(),
            _ => {}
        }
    }

    /// Whether the statement may be repeated: it was surely not executed.
    fn may_be_repeated(&self) -> bool {
        matches!(self.kind, FaultKind::NotDone | FaultKind::Conflict)
    }
}

impl From<Fault> for StorageError {
    fn from(fault: Fault) -> Self {
        match fault.kind {
            FaultKind::Lost
            | FaultKind::Slow
            | FaultKind::NotDone
            | FaultKind::NoRoom
            | FaultKind::Conflict => StorageError::Away(fault.text),
            FaultKind::Taken(_) | FaultKind::Broken(_) | FaultKind::Refused => {
                StorageError::Refused(fault.text)
            }
            FaultKind::Damaged | FaultKind::Forbidden => StorageError::Damaged(fault.text),
        }
    }
}

impl From<tokio_postgres::Error> for Fault {
    fn from(fault: tokio_postgres::Error) -> Self {
        let Some(reported) = fault.as_db_error() else {
            return Fault::lost(whole(&fault));
        };
        let (code, message) = (reported.code().code(), reported.message());
        let text = format!("{message} (SQLSTATE {code})");
        // A pooler gave the statement to a session that does not know it.
        if ["26000", "42P05"].contains(&code) {
            let advice = "a pooler seems to stand between: set database_pooler to transaction";
            return Fault { kind: FaultKind::NotDone, text: format!("{text}; {advice}") };
        }
        let kind = kind_of(code, message, reported.constraint());
        Fault { kind, text }
    }
}

/// What a server's SQLSTATE and message mean for whoever asked.
fn kind_of(code: &str, message: &str, constraint: Option<&str>) -> FaultKind {
    let rule = || rule_of(constraint, message).to_owned();
    let says = |words: &[&str]| words.iter().any(|said| message.contains(said));
    match code {
        "23505" => FaultKind::Taken(rule()),
        "23514" => FaultKind::Broken(rule()),
        // A node of a distributed engine said so, and its coordinator gives it as a fault of its own.
        "XX000" if says(&["violates unique constraint"]) => FaultKind::Taken(rule()),
        "XX000" if says(&["violates check constraint"]) => FaultKind::Broken(rule()),
        // A node went, perhaps while it committed.
        "XX000" if says(&["could not commit", "closed the connection", "failure on connection"]) => {
            FaultKind::Lost
        }
        // Ended by the server, which says so, or never begun: a primary that became a standby; too many connections;
        // a plan from before a migration; a server that is starting or stopping.
        "25006" | "53300" | "0A000" | "57P03" => FaultKind::NotDone,
        "53100" | "53200" => FaultKind::NoRoom,
        "42501" => FaultKind::Forbidden,
        "40001" | "40P01" | "55P03" => FaultKind::Conflict,
        // It took as long as the server lets it.
        "57014" => FaultKind::Slow,
        _ => match &code[..2] {
            "23" => FaultKind::Refused,
            // Connection, authorisation, no such database, resources, an operator's intervention, the system.
            "08" | "28" | "3D" | "53" | "57" | "58" => FaultKind::Lost,
            _ => FaultKind::Damaged,
        },
    }
}

/// The rule of the schema that a statement breaks. A distributed engine leaves its name to the message, and adds the number of a
/// shard to it: `one_response_for_a_key_102052`.
fn rule_of<'a>(constraint: Option<&'a str>, message: &'a str) -> &'a str {
    let told = || message.split('"').rfind(|part| !part.is_empty());
    let name = constraint.or_else(told).unwrap_or_default();
    match name.rsplit_once('_') {
        Some((rule, shard)) if shard.len() >= 6 && shard.bytes().all(|byte| byte.is_ascii_digit()) => rule,
        _ => name,
    }
}

/// A fault with its causes: alone it says little.
fn whole(fault: &dyn std::error::Error) -> String {
    let mut text = fault.to_string();
    let mut cause = fault.source();
    while let Some(deeper) = cause {
        let text_of_cause = deeper.to_string();
        if !text.contains(&text_of_cause) {
            text = format!("{text}: {text_of_cause}");
        }
        cause = deeper.source();
    }
    text
}

impl From<PoolError<Fault>> for Fault {
    fn from(fault: PoolError<Fault>) -> Self {
        match fault {
            PoolError::Backend(fault) => fault,
            PoolError::Timeout(TimeoutType::Wait) => {
                let text = "every connection is in use; database_connections says how many there may be";
                Fault { kind: FaultKind::Slow, text: text.into() }
            }
            PoolError::Closed => Fault::lost("the store is closed"),
            // Nothing else has a limit or a hook.
            PoolError::Timeout(_) | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => {
                Fault::lost("the pool gave no connection")
            }
        }
    }
}

impl Connections {
    /// A pool of at most so many connections, for who has as much patience as its hosts. None is made yet.
    pub(super) fn new(hosts: Arc<Hosts>, most: usize, named: bool) -> Self {
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
        }
    }

    /// The statement for one server, or that for tables which are spread over several, where one text does not do for both.
    pub(super) fn choose(&self, whole: &'static str, spread: &'static str) -> &'static str {
        if self.is_spread { spread } else { whole }
    }

    /// Executes a statement that only reads. It is repeated once where the connection broke under it.
    pub(super) async fn read(&self, statement: &str, values: &[Value<'_>]) -> Result<Vec<Row>, StorageError> {
        let end = self.end();
        let mut outcome = self.write_until(end, statement, values).await;
        if let Err(first) = &outcome
            && first.kind == FaultKind::Lost
        {
            let again = self.write_until(end, statement, values).await;
            // That time was over then says less than what took it.
            if !matches!(&again, Err(fault) if fault.kind == FaultKind::Slow) {
                outcome = again;
            }
        }
        Ok(outcome?.rows)
    }

    /// The one row of a statement that only reads, where there is one.
    pub(super) async fn read_one(
        &self,
        statement: &str,
        values: &[Value<'_>],
    ) -> Result<Option<Row>, StorageError> {
        Ok(self.read(statement, values).await?.into_iter().next())
    }

    /// Executes a statement that changes something. It is repeated only where it was surely not executed.
    pub(super) async fn write(&self, statement: &str, values: &[Value<'_>]) -> Result<Executed, Fault> {
        self.write_until(self.end(), statement, values).await
    }

    /// Until when whoever asks now is to have an answer, however often something is tried.
    fn end(&self) -> Instant {
        Instant::now() + self.patience
    }

    async fn write_until(
        &self,
        end: Instant,
        statement: &str,
        values: &[Value<'_>],
    ) -> Result<Executed, Fault> {
        self.again(|| self.execute(end, statement, values)).await
    }

    /// Tries something anew that was surely not done.
    pub(super) async fn again<T, F>(&self, attempt: impl Fn() -> F) -> Result<T, Fault>
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

    async fn execute(&self, end: Instant, statement: &str, values: &[Value<'_>]) -> Result<Executed, Fault> {
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

    async fn execute_on(
        &self,
        connection: &Connection,
        statement: &str,
        values: &[Value<'_>],
    ) -> Result<Executed, tokio_postgres::Error> {
        let rows = if self.named {
            let types: Vec<Type> = values.iter().map(|value| value.kind.clone()).collect();
            let statement = connection.prepare_typed_cached(statement, &types).await?;
            connection.query_raw(&statement, values.iter().map(Value::get)).await?
        } else {
            connection.query_typed_raw(statement, values.iter().map(Value::typed)).await?
        };
        collect(rows).await
    }

    /// A connection for an act of several statements.
    pub(super) async fn take(&self) -> Result<Connection, Fault> {
        self.take_until(self.end()).await
    }

    async fn take_until(&self, end: Instant) -> Result<Connection, Fault> {
        match tokio::time::timeout_at(end, self.pool.get()).await {
            Ok(taken) => Ok(taken?),
            Err(_) => Err(Fault::slow(self.patience)),
        }
    }

    /// Closes every connection; those in use once they are given back.
    pub(super) fn close(&self) {
        self.pool.close();
    }
}

#[cfg(test)]
mod tests {
    use super::{FaultKind, kind_of, rule_of};

    #[test]
    fn what_a_server_says_is_known_by_what_it_means_for_who_asked() {
        let rule = |name: &str| name.to_owned();
        let cases = [
            ("23505", r#"duplicate key value violates unique constraint "a""#, FaultKind::Taken(rule("a"))),
            (
                "XX000",
                r#"duplicate key value violates unique constraint "a_102052""#,
                FaultKind::Taken(rule("a")),
            ),
            ("23514", r#"new row violates check constraint "b""#, FaultKind::Broken(rule("b"))),
            ("XX000", r#"new row violates check constraint "b_102052""#, FaultKind::Broken(rule("b"))),
            ("23503", "violates foreign key constraint", FaultKind::Refused),
            ("XX000", "failure on connection marked as essential: 10.0.0.2:5432", FaultKind::Lost),
            ("XX000", "could not commit transaction on any active node", FaultKind::Lost),
            ("XX000", "unexpected chunk number 0", FaultKind::Damaged),
            ("57P01", "terminating connection due to administrator command", FaultKind::Lost),
            ("25006", "cannot execute INSERT in a read-only transaction", FaultKind::NotDone),
            ("53100", "could not extend file: No space left on device", FaultKind::NoRoom),
            ("42501", "permission denied to create temporary tables", FaultKind::Forbidden),
            ("40P01", "deadlock detected", FaultKind::Conflict),
            ("57014", "canceling statement due to statement timeout", FaultKind::Slow),
            ("42703", "column does not exist", FaultKind::Damaged),
        ];
        for (code, message, kind) in cases {
            assert_eq!(kind_of(code, message, None), kind, "{code} {message}");
        }
    }

    #[test]
    fn a_broken_rule_is_known_by_the_name_that_the_schema_gives_it() {
        let duplicate = r#"duplicate key value violates unique constraint "one_response_for_a_key_102052""#;
        let check = r#"new row for relation "deposits_103211" violates check constraint "deposit_never_below_nought""#;
        let cases = [
            (Some("claims_once"), duplicate, "claims_once"),
            (Some("claims_once_102052"), duplicate, "claims_once"),
            (None, duplicate, "one_response_for_a_key"),
            (None, check, "deposit_never_below_nought"),
            (Some("embedded_quotes_202611_pkey"), duplicate, "embedded_quotes_202611_pkey"),
            (None, "no name", "no name"),
        ];
        for (constraint, message, rule) in cases {
            assert_eq!(rule_of(constraint, message), rule, "{constraint:?} {message}");
        }
    }
}
