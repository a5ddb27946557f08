//! Standbys: servers that answer reads that may be a moment old, if the operator allows it.
//!
//! A standby is skipped if it is away, slow, or has replayed nothing for a while. The primary then answers
//! instead. If the primary does not answer either, any standby that answers is used, because old data is
//! better than no answer.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ports::storage::{Result, StorageError};
use tokio::time::Instant;
use tokio_postgres::config::TargetSessionAttrs;
use tokio_postgres::{Config, Row};

use super::column::get;
use super::connections::Connections;
use super::hosts::Hosts;
use super::tls::Tls;
use super::waiting::Waiting;
use super::{Postgres, address};

/// Longest wait for a standby. After that, the primary is queried.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long a standby is skipped after it did not answer.
const LEFT_OUT: Duration = Duration::from_secs(5);

/// Time between two checks of how far a standby has replayed.
const ASKED: Duration = Duration::from_secs(1);

/// Query whether a server is a standby that has replayed a change in the last five seconds. If nothing is
/// written, the answer is no, but then the primary is idle and can answer.
const FOLLOWS: &str = include_str!("../../sql/settings/follows.postgres.sql");

/// Hosts of an address that may be standbys, to read from.
pub(crate) struct Standbys {
    servers: Vec<Standby>,
    /// Counts reads, so that the standbys take turns.
    turn: AtomicUsize,
}

struct Standby {
    connections: Connections,
    judged: Mutex<Judged>,
}

/// Result of the last check of a standby.
#[derive(Clone, Copy)]
struct Judged {
    is_fresh: bool,
    /// Time until which the result is valid.
    until: Instant,
}

impl Standbys {
    /// No standbys: the primary answers all reads.
    pub(crate) fn none() -> Self {
        Standbys { servers: Vec::new(), turn: AtomicUsize::new(0) }
    }

    pub(crate) fn are_none(&self) -> bool {
        self.servers.is_empty()
    }

    /// Every host of an address, each with a pool of at most `most` connections.
    pub(crate) fn of(config: &Config, tls: &Tls, most: usize, named: bool) -> Self {
        let server = |mut one: Config| Standby {
            connections: {
                // The host may take writes or be a standby.
                one.target_session_attrs(TargetSessionAttrs::Any);
                Connections::new(Arc::new(Hosts::of(&one, tls.clone(), PATIENCE, named)), most, named)
            },
            judged: Mutex::new(Judged { is_fresh: false, until: Instant::now() }),
        };
        Standbys {
            servers: address::each_host(config).into_iter().map(server).collect(),
            turn: AtomicUsize::new(0),
        }
    }

    /// Rows from a standby that is not far behind the primary. `None` if there is no such standby.
    async fn read_fresh(&self, reads: &[Waiting]) -> Option<Vec<Vec<Row>>> {
        for server in self.in_turn() {
            if server.is_fresh().await
                && let Some(rows) = server.read(reads).await
            {
                return Some(rows);
            }
        }
        None
    }

    /// Rows from the first standby that answers, even if the rows are old. `None` if no standby answers.
    async fn read_any(&self, reads: &[Waiting]) -> Option<Vec<Vec<Row>>> {
        for server in self.in_turn() {
            if let Some(rows) = server.read(reads).await {
                return Some(rows);
            }
        }
        None
    }

    fn in_turn(&self) -> impl Iterator<Item = &Standby> {
        let first = self.turn.fetch_add(1, Ordering::Relaxed);
        let count = self.servers.len();
        (0..count).map(move |place| &self.servers[(first + place) % count])
    }

    pub(crate) fn close(&self) {
        self.servers.iter().for_each(|server| server.connections.close());
    }
}

impl Standby {
    /// Whether this server is a standby and not far behind the primary. When the last result has expired, the
    /// next caller asks the server again. Meanwhile, other callers use the last result.
    async fn is_fresh(&self) -> bool {
        {
            let mut judged = self.judged.lock().unwrap_or_else(PoisonError::into_inner);
            let now = Instant::now();
            if judged.until > now {
                return judged.is_fresh;
            }
            judged.until = now + ASKED;
        }
        let found = self.read(&[Waiting::reading(FOLLOWS, &[])]).await;
        let follows = |rows: Vec<Vec<Row>>| {
            rows.iter().flatten().next().is_some_and(|row| get(row, 0).unwrap_or(false))
        };
        let Some(is_fresh) = found.map(follows) else { return false };
        self.judged.lock().unwrap_or_else(PoisonError::into_inner).is_fresh = is_fresh;
        is_fresh
    }

    /// Rows from this standby. `None` if this standby did not answer. It is then skipped for a while.
    async fn read(&self, reads: &[Waiting]) -> Option<Vec<Vec<Row>>> {
        match self.connections.read_together(reads).await {
            Ok(rows) => Some(rows),
            Err(fault) => {
                tracing::debug!("a standby server failed to answer and is skipped for a while: {fault:?}");
                *self.judged.lock().unwrap_or_else(PoisonError::into_inner) =
                    Judged { is_fresh: false, until: Instant::now() + LEFT_OUT };
                None
            }
        }
    }
}

impl Postgres {
    /// Rows of each statement, which may be a moment old. The rows come from a standby that is not far
    /// behind, else from the primary, else from any standby that answers.
    ///
    /// # Errors
    /// Why the primary did not answer, if no standby answered either.
    pub(crate) async fn rows_of_late(&self, reads: &[Waiting]) -> Result<Vec<Vec<Row>>> {
        if let Some(rows) = self.standbys.read_fresh(reads).await {
            return Ok(rows);
        }
        match self.connections.read_together(reads).await {
            Err(fault @ StorageError::Away(_)) => self.standbys.read_any(reads).await.ok_or(fault),
            outcome => outcome,
        }
    }
}
