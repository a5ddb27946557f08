//! What statements and connections fail of, by what it means for whoever asked.

use std::time::Duration;

use deadpool::managed::{PoolError, TimeoutType};
use ports::storage::StorageError;

use super::waiting::GUARDED;
use crate::act::{Guard, Stop};

/// Longest wait for one server to take a new connection, where the address does not say.
pub(crate) const CONNECTING: Duration = Duration::from_secs(1);

/// What a statement failed of.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) text: String,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
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
    /// It breaks a rule of the schema, such as a unique index.
    Refused,
    /// A statement changed nothing that must change something.
    Guarded(Guard),
    /// The statement and the schema do not fit.
    Damaged,
}

impl Fault {
    pub(crate) fn lost(text: impl Into<String>) -> Self {
        Fault { kind: FaultKind::Lost, text: text.into() }
    }

    /// The server did not answer within this time.
    pub(crate) fn slow(waited: Duration) -> Self {
        let text = format!("the database did not answer within {} s", waited.as_secs());
        Fault { kind: FaultKind::Slow, text }
    }

    /// Whether the role may not do it.
    pub(crate) fn is_forbidden(&self) -> bool {
        self.kind == FaultKind::Forbidden
    }

    /// Whether it lies in the statement, not in the server's state: others are not concerned.
    pub(crate) fn is_its_own(&self) -> bool {
        match self.kind {
            FaultKind::Refused | FaultKind::Guarded(_) | FaultKind::Forbidden | FaultKind::Damaged => true,
            FaultKind::Lost
            | FaultKind::Slow
            | FaultKind::NotDone
            | FaultKind::NoRoom
            | FaultKind::Conflict => false,
        }
    }

    /// Whether its connection is of no more use. One that was too slow is not free before the statement has come to its end. After a
    /// fault that nobody expects, such as a statement that cannot be prepared, a transaction may still be open.
    pub(crate) fn ends_connection(&self) -> bool {
        matches!(self.kind, FaultKind::Lost | FaultKind::NotDone | FaultKind::Slow | FaultKind::Damaged)
    }

    /// A connection that did not come to be. Whatever it was, nothing was executed yet.
    pub(crate) fn at_connecting(fault: tokio_postgres::Error) -> Self {
        Fault { kind: FaultKind::Lost, ..Fault::from(fault) }
    }

    /// Whether the statement may be repeated: it was surely not executed.
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
            let advice = "a pooler seems to stand between: set database_pooler to transaction";
            return Fault { kind: FaultKind::NotDone, text: format!("{text}; {advice}") };
        }
        Fault { kind: kind_of(code, message), text }
    }
}

/// What a server's SQLSTATE and message mean for whoever asked.
fn kind_of(code: &str, message: &str) -> FaultKind {
    let says = |words: &[&str]| words.iter().any(|said| message.contains(said));
    if let Some((_, guard)) = message.split_once(GUARDED) {
        return Guard::named(guard.trim_end_matches('"')).map_or(FaultKind::Damaged, FaultKind::Guarded);
    }
    match code {
        // A node of a distributed engine said so, and its coordinator gives it as a fault of its own.
        "XX000" if says(&["violates unique constraint", "violates check constraint"]) => FaultKind::Refused,
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

#[cfg(test)]
mod tests {
    use super::{FaultKind, kind_of};
    use crate::act::Guard;

    #[test]
    fn what_a_server_says_is_known_by_what_it_means_for_who_asked() {
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
