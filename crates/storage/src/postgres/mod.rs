//! PostgreSQL: the engine for many processes on one database.
//!
//! Uses `audit`, `counted_event`, `fields`, `migrations`, `operation`.
//!
//! An operation is a transaction. It takes one round trip if it reads nothing, and leaves nothing half done
//! if it fails. Unique indexes and conditions on rows decide between simultaneous operations. Nothing depends
//! on an isolation level above READ COMMITTED, on a replica, or on session state.
//!
//! The database may also be another server that speaks PostgreSQL's protocol. If Citus spreads tables over
//! nodes, the same statements run (D106).

mod address;
pub(crate) mod batch;
pub(crate) mod chain;
pub(crate) mod column;
pub(crate) mod connections;
pub(crate) mod fault;
pub(crate) mod hosts;
pub(crate) mod migration;
pub(crate) mod month;
mod operation;
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
use crate::audit::Entry;
use crate::fields::{RowFields, Value};
use crate::operation::{EachRow, Months, OperationFn, Read, Stop};

pub use address::is_postgres;
pub use spread::Spread;

/// Longest time for a migration, and for waiting until another process has migrated.
pub(crate) const MIGRATING: Duration = Duration::from_secs(600);

/// The operator's database settings. `Debug` does not print them, because the address may contain a password.
#[derive(Clone)]
pub struct Database {
    /// Address, such as `postgres://user:password@host:5432/database`.
    pub address: String,
    /// Most connections of this process, in addition to two connections that only write quotes.
    pub connections: usize,
    /// Whether there is a pooler before the database that may run each transaction in another session.
    pub pooler: bool,
    /// Whether reads whose data may be a moment old go to standbys.
    pub reads_standbys: bool,
    /// Whether to accept a server that may lose acknowledged writes.
    pub unsafe_is_fine: bool,
}

impl std::fmt::Debug for Database {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Database(…)")
    }
}

/// PostgreSQL engine of a store.
pub struct Postgres {
    connections: Arc<Connections>,
    /// Connections that write quotes.
    writers: Arc<Connections>,
    readiness: Readiness,
    standbys: Standbys,
    embedded_quotes: Batcher<NewQuote>,
    health_quotes: Batcher<NewHealthQuote>,
}

impl Postgres {
    /// Starts the engine on the pool `connections`. `hosts`: the hosts of that pool.
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
        self.connections.read(statement, values).await?.iter().try_for_each(|row| each(RowFields::of(row)))
    }

    /// Executes statements that only read, on one snapshot and in one round trip.
    pub(crate) async fn read_together(
        &self,
        reads: &[Read<'_>],
        is_late: bool,
        each: &mut (dyn FnMut(usize, RowFields<'_>) -> Result<()> + Send),
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
            rows.iter().try_for_each(|row| each(place, RowFields::of(row)))?;
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
        operation: OperationFn<G, T>,
    ) -> Result<T, Stop> {
        self.connections.act(patience, entry, given, operation).await
    }

    /// Removes a past month, or at most `most` records that are in no month's partition. Returns whether more
    /// old records may be left.
    pub(crate) async fn forget_months(&self, what: Months, before: Timestamp, most: usize) -> Result<bool> {
        let divided = match what {
            Months::Quotes => month::QUOTES,
            Months::Events => month::EVENTS,
        };
        divided.forget(&self.connections, before, most).await
    }

    /// Creates the partitions of the coming months, if they are missing.
    pub(crate) async fn make_months(&self, at: Timestamp) -> Result<()> {
        month::make_ahead(&self.connections, at).await
    }

    /// Checks that each connection pool can write to the database now.
    pub(crate) async fn ready(&self) -> Result<()> {
        self.readiness.of([&self.connections, &self.writers]).await
    }

    /// Closes idle connections now, and those in use once they are returned.
    pub(crate) fn close(&self) {
        self.connections.close();
        self.standbys.close();
    }
}

/// Hosts of a database. Connections are made to the host that takes writes.
pub(crate) fn hosts(database: &Database) -> Result<Arc<Hosts>, OpenError> {
    let config = address::parse(&database.address).map_err(OpenError::Unfit)?;
    let tls = tls::connector(&config).map_err(OpenError::Unfit)?;
    Ok(Arc::new(Hosts::of(&config, tls, PATIENCE, !database.pooler).on_newest_timeline()))
}

/// A pool of connections to the host that takes writes.
pub(crate) fn connect(database: &Database) -> Result<Connections, OpenError> {
    Ok(Connections::new(hosts(database)?, database.connections, !database.pooler))
}

/// Standbys to read from, if the settings allow it.
fn standbys(database: &Database) -> Result<Standbys, OpenError> {
    if !database.reads_standbys {
        return Ok(Standbys::none());
    }
    let config = address::parse(&database.address).map_err(OpenError::Unfit)?;
    let tls = tls::connector(&config).map_err(OpenError::Unfit)?;
    Ok(Standbys::of(&config, &tls, database.connections, !database.pooler))
}
