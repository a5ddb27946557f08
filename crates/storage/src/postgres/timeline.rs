//! Which of several servers that take writes is the primary: the one on the newest timeline.
//!
//! A standby that is promoted begins a new timeline with a higher number. The server that it replaces may
//! only have been frozen. When the replaced server wakes up, it acts as the primary until it is stopped, and
//! lacks everything written since. So a process that has seen a timeline uses no server on an older timeline.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio_postgres::{Client, Error, SimpleQueryMessage};

/// Query for a server's system id and the name of its log file, which begins with the timeline.
const TIMELINE: &str = include_str!("../../sql/settings/timeline.postgres.sql");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Timeline {
    /// Id that PostgreSQL gave the database system at its creation. A copy of the system has the same id. A
    /// new system has another id.
    system: i64,
    pub(crate) number: u32,
}

impl Timeline {
    /// Timeline of a server that takes writes. `None` if the server does not report its timeline.
    ///
    /// # Errors
    /// If the server does not answer, or no longer takes writes.
    pub(crate) async fn of(client: &Client) -> Result<Option<Self>, Error> {
        match client.simple_query(TIMELINE).await {
            Ok(messages) => Ok(messages.iter().find_map(Self::read)),
            Err(fault) if fault.code().is_some_and(|code| is_kept_back(code.code())) => {
                tracing::debug!("the server does not report its timeline: {fault}");
                Ok(None)
            }
            Err(fault) => Err(fault),
        }
    }

    fn read(message: &SimpleQueryMessage) -> Option<Self> {
        let SimpleQueryMessage::Row(row) = message else { return None };
        let number = row.get(1)?.get(..8)?;
        Some(Timeline { system: row.get(0)?.parse().ok()?, number: u32::from_str_radix(number, 16).ok()? })
    }
}

/// Whether a fault means that the query's functions are missing or not allowed for this role, as on hosted
/// PostgreSQL.
fn is_kept_back(code: &str) -> bool {
    ["42", "0A", "XX"].iter().any(|class| code.starts_with(class))
}

/// Newest timeline that was seen on any server of a database.
#[derive(Default)]
pub(crate) struct Newest {
    system: Mutex<Option<i64>>,
    number: AtomicU32,
}

impl Newest {
    /// Notes a server's timeline. If the server belongs to another database system, the newest timeline
    /// starts again with its number.
    ///
    /// # Errors
    /// The newest number, if the server is on an older timeline.
    pub(crate) fn note(&self, found: Timeline) -> Result<(), u32> {
        let mut system = self.system.lock().unwrap_or_else(PoisonError::into_inner);
        let newest = self.number.load(Ordering::Relaxed);
        if *system == Some(found.system) && found.number < newest {
            return Err(newest);
        }
        *system = Some(found.system);
        self.number.store(found.number, Ordering::Relaxed);
        Ok(())
    }

    /// Whether a timeline newer than that of a connection's server was seen.
    pub(crate) fn is_newer_than(&self, timeline: Option<Timeline>) -> bool {
        timeline.is_some_and(|of| of.number < self.number.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeline_query_that_is_not_allowed_differs_from_a_server_in_recovery() {
        assert!(is_kept_back("42501") && is_kept_back("42883") && is_kept_back("0A000"));
        assert!(!is_kept_back("55000") && !is_kept_back("57P01"), "recovery is in progress; it is stopped");
    }

    #[test]
    fn a_server_on_an_older_timeline_is_refused_and_its_connections_are_recognized() {
        let newest = Newest::default();
        let on = |system, number| Timeline { system, number };
        assert!(!newest.is_newer_than(Some(on(7, 1))), "nothing was seen");
        assert_eq!(newest.note(on(7, 1)), Ok(()));
        assert_eq!(newest.note(on(7, 3)), Ok(()));
        assert_eq!(newest.note(on(7, 3)), Ok(()));
        assert_eq!(newest.note(on(7, 2)), Err(3));
        assert!(newest.is_newer_than(Some(on(7, 2))) && !newest.is_newer_than(Some(on(7, 3))));
        assert!(!newest.is_newer_than(None), "one that does not say is used");
        assert_eq!(newest.note(on(8, 1)), Ok(()), "another system, such as an upgraded one");
        assert!(!newest.is_newer_than(Some(on(8, 1))));
    }
}
