//! Faults of statements or connections, by what they mean for the caller.

use std::time::Duration;

use deadpool::managed::{PoolError, TimeoutType};
use ports::storage::StorageError;

use super::waiting::GUARDED;
use crate::operation::{Guard, Stop};

/// Longest time to connect to one server, if the address does not set it.
pub(crate) const CONNECTING: Duration = Duration::from_secs(1);

/// Fault of a statement.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) text: String,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// The server is away or the connection is lost. Whether the statement had an effect is unknown.
    Lost,
    /// The server did not answer in time. Whether the statement had an effect is unknown.
    Slow,
    /// The server or this connection cannot execute the statement now. The statement had no effect.
    NotDone,
    /// The server has no disk space or memory left. The statement had no effect, and the connection still
    /// works.
    NoRoom,
    /// The database role lacks the permission for the statement.
    Forbidden,
    /// Another transaction conflicted with this one. The statement had no effect.
    Conflict,
    /// The statement breaks a rule of the schema, such as a unique index.
    Refused,
    /// A guard, which is a statement that must change a row, changed none.
    Guarded(Guard),
    /// The statement does not fit the schema.
    Damaged,
}

impl Fault {
    pub(crate) fn lost(text: impl Into<String>) -> Self {
        Fault { kind: FaultKind::Lost, text: text.into() }
    }

    /// The server did not answer within the time `waited`.
    pub(crate) fn slow(waited: Duration) -> Self {
        let text = format!("the database did not answer within {} s", waited.as_secs());
        Fault { kind: FaultKind::Slow, text }
    }

    /// Whether the database role lacks the permission for the statement.
    pub(crate) fn is_forbidden(&self) -> bool {
        self.kind == FaultKind::Forbidden
    }

    /// Whether the statement caused the fault, not the server, the connection or another transaction. Other
    /// statements may still succeed.
    pub(crate) fn is_of_statement(&self) -> bool {
        match self.kind {
            FaultKind::Refused | FaultKind::Guarded(_) | FaultKind::Forbidden | FaultKind::Damaged => true,
            FaultKind::Lost
            | FaultKind::Slow
            | FaultKind::NotDone
            | FaultKind::NoRoom
            | FaultKind::Conflict => false,
        }
    }

    /// Whether the connection must be closed. After a timeout the connection stays busy until the statement
    /// ends. After an unexpected fault, such as a statement that cannot be prepared, a transaction may still
    /// be open.
    pub(crate) fn ends_connection(&self) -> bool {
        matches!(self.kind, FaultKind::Lost | FaultKind::NotDone | FaultKind::Slow | FaultKind::Damaged)
    }

    /// Fault of a failed attempt to connect. Nothing was executed yet.
    pub(crate) fn at_connecting(fault: tokio_postgres::Error) -> Self {
        Fault { kind: FaultKind::Lost, ..Fault::from(fault) }
    }

    /// Whether the statement may be repeated, because it surely had no effect.
    pub(crate) fn may_be_repeated(&self) -> bool {
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
            FaultKind::Refused | FaultKind::Guarded(_) => StorageError::Refused(fault.text),
            FaultKind::Damaged | FaultKind::Forbidden => StorageError::Damaged(fault.text),
        }
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Self {
        match fault.kind {
            FaultKind::Guarded(guard) => Stop::Guard(guard),
            _ => Stop::Fault(fault.into()),
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
            let advice =
                "a connection pooler seems to be before the database: set database_pooler to transaction";
            return Fault { kind: FaultKind::NotDone, text: format!("{text}; {advice}") };
        }
        Fault { kind: kind_of(code, message), text }
    }
}

/// Meaning of a server's SQLSTATE and message for the caller.
fn kind_of(code: &str, message: &str) -> FaultKind {
    let says = |words: &[&str]| words.iter().any(|said| message.contains(said));
    if let Some((_, guard)) = message.split_once(GUARDED) {
        return Guard::named(guard.trim_end_matches('"')).map_or(FaultKind::Damaged, FaultKind::Guarded);
    }
    match code {
        // A node of Citus reported this. The coordinator passes it on as an internal error.
        "XX000" if says(&["violates unique constraint", "violates check constraint"]) => FaultKind::Refused,
        // A node of Citus failed, perhaps while it committed.
        "XX000" if says(&["could not commit", "closed the connection", "failure on connection"]) => {
            FaultKind::Lost
        }
        // The server ended the statement and says so, or never began it: a primary that became a standby; too
        // many connections; a plan from before a migration; a server that is starting or stopping.
        "25006" | "53300" | "0A000" | "57P03" => FaultKind::NotDone,
        "53100" | "53200" => FaultKind::NoRoom,
        "42501" => FaultKind::Forbidden,
        "40001" | "40P01" | "55P03" => FaultKind::Conflict,
        // The server's `statement_timeout` ended the statement.
        "57014" => FaultKind::Slow,
        _ => match &code[..2] {
            "23" => FaultKind::Refused,
            // Connection, authorisation, no such database, resources, an operator's intervention, the system.
            "08" | "28" | "3D" | "53" | "57" | "58" => FaultKind::Lost,
            _ => FaultKind::Damaged,
        },
    }
}

/// Text of a fault with its causes, because the outer text alone says little.
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
                let text = "every database connection is in use; the setting database_connections limits their number";
                Fault { kind: FaultKind::Slow, text: text.into() }
            }
            PoolError::Closed => Fault::lost("the store is closed"),
            // Only waiting for a connection has a time limit, and there are no hooks.
            PoolError::Timeout(_) | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => {
                Fault::lost("the connection pool could not provide a connection")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FaultKind, kind_of};
    use crate::operation::Guard;

    #[test]
    fn each_error_of_a_postgresql_server_is_mapped_to_its_kind_of_fault() {
        let cases = [
            ("23505", r#"duplicate key value violates unique constraint "a""#, FaultKind::Refused),
            ("XX000", r#"duplicate key value violates unique constraint "a_102052""#, FaultKind::Refused),
            ("23514", r#"new row violates check constraint "b""#, FaultKind::Refused),
            (
                "22P02",
                r#"invalid input syntax for type integer: "covernote: not as expected: renewed policy""#,
                FaultKind::Guarded(Guard::Renewed),
            ),
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
            assert_eq!(kind_of(code, message), kind, "{code} {message}");
        }
    }
}
