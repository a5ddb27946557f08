//! PostgreSQL: the engine for many processes on one database, or for one that speaks its protocol.
//!
//! Uses `act`, `audit`, `counted_event`, `fields`, `migrations`.
//!
//! An operation is a transaction, which takes one round trip if it reads nothing, and leaves nothing half done whatever fails.
//! Unique indexes and conditions on rows decide between those who come at once; nothing rests on an isolation level above READ
//! COMMITTED, on a replica, or on what a session remembers. Where tables are spread over the nodes of Citus, the same statements
//! run (D106).

mod act;
mod address;
pub(crate) mod batch;
pub(crate) mod chain;
pub(crate) mod column;
pub(crate) mod connections;
pub(crate) mod fault;
pub(crate) mod hosts;
pub(crate) mod migration;
pub(crate) mod month;
pub(crate) mod quotes;
mod readiness;
pub(crate) mod spread;
mod standby;
mod timeline;
mod tls;
pub(crate) mod transaction;
mod waiting;

use std::sync::Arc;
use std::time::Duration;

use batch::{AT_ONCE, Batcher};
use connections::{Connections, PATIENCE};
use domain::date::Timestamp;
use hosts::Hosts;
use ports::storage::Result;
use quotes::{NewHealthQuote, NewQuote};
use readiness::Readiness;
use standby::Standbys;
use waiting::Waiting;

use crate::OpenError;
use crate::act::{EachRow, Months, Operation, Read, Stop};
use crate::audit::Entry;
use crate::fields::{Fields, Value};

pub use address::is_postgres;
pub use spread::Spread;

/// Longest that a migration may take, and so the longest wait for another process's.
pub(crate) const MIGRATING: Duration = Duration::from_secs(600);

/// What the operator says about the database. It does not print: a password may stand in its address.
#[derive(Clone)]
pub struct Database {
    /// Its address, such as `postgres://user:password@host:5432/database`.
    pub address: String,
    /// Connections of this process at most, beside the two that quotes are kept on.
    pub connections: usize,
    /// Whether a pooler stands between that gives each transaction to another session.
    pub pooler: bool,
    /// Whether what may be a moment old is read from the hosts that follow.
    pub reads_standbys: bool,
    /// Whether a server is taken that does not keep what it acknowledged.
    pub unsafe_is_fine: bool,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Database(…)")
    }
}

/// The engine for a PostgreSQL server, by its store in a database.
pub struct Postgres {
    connections: Arc<Connections>,
    /// The connections on which quotes are kept.
    writers: Arc<Connections>,
    readiness: Readiness,
    standbys: Standbys,
    embedded_quotes: Batcher<NewQuote>,
    health_quotes: Batcher<NewHealthQuote>,
}

impl Postgres {
    /// Begins to write and read a database by its pool. `hosts` are those of the pool.
    pub(crate) fn start(
        database: &Database,
        hosts: Arc<Hosts>,
        connections: Connections,
        slots: [i16; AT_ONCE],
    ) -> Result<Self, OpenError> {
        let writers = Arc::new(Connections::new(hosts, AT_ONCE, !database.pooler));
        Ok(Postgres {
            connections: Arc::new(connections),
            standbys: standbys(database)?,
            embedded_quotes: Batcher::start(writers.clone(), slots),
            health_quotes: Batcher::start(writers.clone(), slots),
            writers,
            readiness: Readiness::default(),
        })
    }

    pub(crate) async fn read(
        &self,
        statement: &str,
        values: &[Value<'_>],
        each: &mut EachRow<'_>,
    ) -> Result<()> {
        self.connections.read(statement, values).await?.iter().try_for_each(|row| each(Fields::of(row)))
    }

    /// Reads at one moment, in one round trip.
    pub(crate) async fn read_together(
        &self,
        reads: &[Read<'_>],
        is_late: bool,
        each: &mut (dyn FnMut(usize, Fields<'_>) -> Result<()> + Send),
    ) -> Result<()> {
        if reads.is_empty() {
            return Ok(());
        }
        let waiting = reads.iter().map(|(statement, values)| Waiting::reading(statement.postgres, values));
        let waiting: Vec<Waiting> = waiting.collect();
        let rows = match is_late && !self.standbys.are_none() {
            true => self.rows_of_late(&waiting).await?,
            false => self.connections.read_together(&waiting).await?,
        };
        for (place, rows) in rows.iter().enumerate() {
            rows.iter().try_for_each(|row| each(place, Fields::of(row)))?;
        }
        Ok(())
    }

    pub(crate) async fn write(&self, statement: &str, values: &[Value<'_>]) -> Result<u64> {
        Ok(self.connections.write(statement, values).await?.changed)
    }

    pub(crate) async fn act<G, T>(
        &self,
        patience: Option<Duration>,
        entry: Option<&Entry>,
        given: &G,
        operation: Operation<G, T>,
    ) -> Result<T, Stop> {
        self.connections.act(patience, entry, given, operation).await
    }

    /// Removes a month that is over, or at most so many records that no month took. Whether there may be more.
    pub(crate) async fn forget_months(&self, what: Months, before: Timestamp, most: usize) -> Result<bool> {
        let divided = match what {
            Months::Quotes => month::QUOTES,
            Months::Events => month::EVENTS,
        };
        divided.forget(&self.connections, before, most).await
    }

    /// Makes room for the months to come.
    pub(crate) async fn make_months(&self, at: Timestamp) -> Result<()> {
        month::make_ahead(&self.connections, at).await
    }

    /// Whether each pool could write now.
    pub(crate) async fn ready(&self) -> Result<()> {
        self.readiness.of([&self.connections, &self.writers]).await
    }

    /// Closes every connection; those in use once they are given back.
    pub(crate) fn close(&self) {
        self.connections.close();
        self.standbys.close();
    }
}

/// The hosts of a database, of which the one is used that takes writes.
pub(crate) fn hosts(database: &Database) -> Result<Arc<Hosts>, OpenError> {
    let config = address::parse(&database.address).map_err(OpenError::Unfit)?;
    let tls = tls::connector(&config).map_err(OpenError::Unfit)?;
    Ok(Arc::new(Hosts::of(&config, tls, PATIENCE, !database.pooler).on_newest_timeline()))
}

/// A pool of connections to the host that takes writes.
pub(crate) fn connect(database: &Database) -> Result<Connections, OpenError> {
    Ok(Connections::new(hosts(database)?, database.connections, !database.pooler))
}

/// The hosts that are read from beside the one that takes writes.
fn standbys(database: &Database) -> Result<Standbys, OpenError> {
    if !database.reads_standbys {
        return Ok(Standbys::none());
    }
    let config = address::parse(&database.address).map_err(OpenError::Unfit)?;
    let tls = tls::connector(&config).map_err(OpenError::Unfit)?;
    Ok(Standbys::of(&config, &tls, database.connections, !database.pooler))
}
