//! Servers that follow the one that takes writes: what may be a moment old is read from them, where the operator says so.
//!
//! One that is away, slow, or has replayed nothing for a while is left out, and the one that takes writes answers instead. Where that
//! one answers nothing either, whatever a standby has is better than no answer.

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

/// Longest wait for a standby. The one that takes writes is asked after that.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long a standby is left out that did not answer.
const LEFT_OUT: Duration = Duration::from_secs(5);

/// How often it is asked how far it is.
const ASKED: Duration = Duration::from_secs(1);

/// Whether a server follows, and has replayed a change in the last five seconds. Where nothing is written it has not, and is not needed.
const FOLLOWS: &str = include_str!("../../sql/settings/follows.postgres.sql");

/// The standbys of an address.
pub(crate) struct Standbys {
    servers: Vec<Standby>,
    /// Counts reads, so that each server has its turn.
    turn: AtomicUsize,
}

struct Standby {
    connections: Connections,
    judged: Mutex<Judged>,
}

/// What was last found of a standby.
#[derive(Clone, Copy)]
struct Judged {
    is_fresh: bool,
    /// Until when that holds.
    until: Instant,
}

impl Standbys {
    /// None: everything is read where it is written.
    pub(crate) fn none() -> Self {
        Standbys { servers: Vec::new(), turn: AtomicUsize::new(0) }
    }

    pub(crate) fn are_none(&self) -> bool {
        self.servers.is_empty()
    }

    /// Every host of an address, with so many connections at most to each.
    pub(crate) fn of(config: &Config, tls: &Tls, most: usize, named: bool) -> Self {
        let server = |mut one: Config| Standby {
            connections: {
                // Whether it takes writes or follows.
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

    /// What the first one that is fresh has. `None`: none is.
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

    /// What the first one that answers has, however old that is. `None`: none answers.
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
    /// Whether it follows and is not far behind. Whoever finds that this was asked a while ago asks; others go by what was found.
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

    /// What it has. `None`: it did not answer, and is left out for a while.
    async fn read(&self, reads: &[Waiting]) -> Option<Vec<Vec<Row>>> {
        match self.connections.read_together(reads).await {
            Ok(rows) => Some(rows),
            Err(fault) => {
                tracing::debug!("a standby was left out: {fault:?}");
                *self.judged.lock().unwrap_or_else(PoisonError::into_inner) =
                    Judged { is_fresh: false, until: Instant::now() + LEFT_OUT };
                None
            }
        }
    }
}

impl Postgres {
    /// What may be a moment old: from a standby where one is fresh, else from the server that takes writes, else from whichever
    /// standby answers. The rows of each statement.
    ///
    /// # Errors
    /// Why the server that takes writes did not answer, where no other did.
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
