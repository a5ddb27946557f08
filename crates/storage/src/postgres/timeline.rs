//! Which of several servers that take writes is the primary: the one on the newest timeline.
//!
//! A standby that is promoted begins a new timeline of its database, with a higher number. The server whose place it takes may only
//! have been frozen: it wakes up, takes itself for the primary until somebody stops it, and knows nothing of what was written since.
//! So whoever has seen a timeline uses no server on an older one.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use tokio_postgres::{Client, Error, SimpleQueryMessage};

/// A server's database system and the file it writes its log to, whose name begins with the timeline.
const TIMELINE: &str = include_str!("../../sql/settings/timeline.postgres.sql");

/// A timeline of a database system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Timeline {
    /// What the system was called when it was made. A copy has the same name, a new system another one.
    system: i64,
    pub(crate) number: u32,
}

impl Timeline {
    /// That of a server which takes writes. `None`: it does not say.
    ///
    /// # Errors
    /// The server does not answer, or takes no writes any more.
    pub(crate) async fn of(client: &Client) -> Result<Option<Self>, Error> {
        match client.simple_query(TIMELINE).await {
            Ok(messages) => Ok(messages.iter().find_map(Self::read)),
            Err(fault) if fault.code().is_some_and(|code| is_kept_back(code.code())) => {
                tracing::debug!("the server does not tell its timeline: {fault}");
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

/// Whether a fault means that functions are not there, or not for this role, as where PostgreSQL is hosted.
fn is_kept_back(code: &str) -> bool {
    ["42", "0A", "XX"].iter().any(|class| code.starts_with(class))
}

/// The newest timeline that was seen of a database.
#[derive(Default)]
pub(crate) struct Newest {
    system: Mutex<Option<i64>>,
    number: AtomicU32,
}

impl Newest {
    /// Notes what a server says. A database that was made anew begins anew.
    ///
    /// # Errors
    /// The newest number, where the server is on an older timeline.
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

    /// Whether a newer one was seen than that of a connection.
    pub(crate) fn is_newer_than(&self, timeline: Option<Timeline>) -> bool {
        timeline.is_some_and(|of| of.number < self.number.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_keeps_back_is_told_from_a_server_that_follows() {
        assert!(is_kept_back("42501") && is_kept_back("42883") && is_kept_back("0A000"));
        assert!(!is_kept_back("55000") && !is_kept_back("57P01"), "recovery is in progress; it is stopped");
    }

    #[test]
    fn a_server_on_an_older_timeline_is_refused_and_its_connections_are_known() {
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
