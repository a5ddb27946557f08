//! PostgreSQL: the engine for many processes on one database, or for one that speaks its protocol.
//!
//! An act is one statement, which commits by itself: it takes one round trip, and leaves nothing half done whatever
//! fails. Where tables are spread over nodes, those that matter most are a transaction of simple statements (`act.rs`).
//! Unique indexes and conditions on the row decide between those who come at once; nothing rests on an isolation level
//! above READ COMMITTED, on a replica, or on what a session remembers.

mod act;
mod address;
mod batch;
mod calendar;
mod claim;
mod claim_paper;
mod column;
mod complaint;
mod connections;
mod count;
mod deposit;
mod embedded_quote;
mod event;
mod health_quote;
mod hosts;
mod import;
mod installation;
mod job;
mod journey;
mod kept_response;
mod key;
mod ledger;
mod list;
mod migration;
mod month;
mod moves;
mod notice;
mod partner;
mod policy;
mod premium;
mod proposal;
mod readiness;
mod request_log;
mod session;
mod spread;
mod standby;
mod statement;
mod status_page;
mod tag;
mod test_data;
mod timeline;
mod tls;
mod token;
mod transaction;
mod verify;
mod webhook;

use std::sync::Arc;
use std::time::Duration;

use domain::date::Timestamp;
use futures_util::future::BoxFuture;
use service::clock::{Clock, Random};
use service::keys::KeyPurpose;
use service::storage::{Fact, Storage, StorageError};

use crate::OpenError;
use crate::keyring::{Keyring, LiveKeyring};
use crate::opening::Opening;
use crate::rows;
use crate::seal::Seal;
use batch::{AT_ONCE, Batcher};
use column::{get, values};
use connections::{Connections, PATIENCE};
use hosts::Hosts;
use list::Lists;
use readiness::Readiness;
use standby::Standbys;
use transaction::Transaction;

pub use address::is_postgres;
pub use spread::Spread;

/// Slots that counts are spread over, so that writers do not wait for each other at one row (D33).
const SLOTS: u8 = 16;

/// The oldest major version of a server on which every test passes.
const OLDEST: i32 = 13;

/// Longest that a migration may take, and so the longest wait for another process's.
const MIGRATING: Duration = Duration::from_secs(600);

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

/// A store on a PostgreSQL server.
pub struct Postgres {
    connections: Arc<Connections>,
    /// The connections on which quotes are kept.
    writers: Arc<Connections>,
    readiness: Readiness,
    standbys: Standbys,
    embedded_quotes: Batcher<rows::embedded_quote::Row>,
    health_quotes: Batcher<rows::health_quote::Row>,
    pages: Lists,
    /// Where this process counts what does not come in groups.
    slot: i16,
    seal: Arc<Seal>,
    keyring: LiveKeyring,
    random: Arc<dyn Random>,
}

impl Storage for Postgres {}

impl Postgres {
    /// Opens the store in a database, or makes it there: schema, keys, and the keyring where there is no store yet.
    /// Several processes may do this at once.
    ///
    /// # Errors
    /// [`OpenError::Unfit`] for an address that is none, or a server that does not keep what it acknowledged;
    /// [`OpenError::Keyring`] when the keyring is missing or cannot be used; [`OpenError::Store`] when the server
    /// refuses or is away, or the store was written by a newer program or under another keyring.
    pub async fn open(
        database: &Database,
        opening: impl Into<Opening>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Result<Self, OpenError> {
        let hosts = hosts(database)?;
        let mut connections = Connections::new(hosts.clone(), database.connections, !database.pooler);
        judge_version(&connections).await?;
        if !database.unsafe_is_fine {
            judge_durability(&connections).await?;
        }
        if database.pooler {
            judge_timeout(&connections).await?;
        }
        let opening = opening.into();
        let source = opening.keyring.clone();
        let keyring = prepare(&connections, &opening, clock.now(), random.as_ref()).await?;
        connections.is_spread = spread::is_spread(&connections).await?;
        if let Err(fault) = month::make_ahead(&connections, clock.now()).await {
            tracing::warn!("the partitions of the months to come could not be made: {fault}");
        }
        // Quotes go to each node by themselves.
        let at_once = if connections.is_spread { database.connections } else { AT_ONCE };
        let mut writers = Connections::new(hosts, at_once, !database.pooler);
        writers.is_spread = connections.is_spread;
        let writers = Arc::new(writers);
        let keys = key::open(&connections.read(key::LIST, values![]).await?, &keyring)?;
        let slots = slots(random.as_ref());
        Ok(Postgres {
            connections: Arc::new(connections),
            standbys: standbys(database)?,
            embedded_quotes: Batcher::start(writers.clone(), slots),
            health_quotes: Batcher::start(writers.clone(), slots),
            writers,
            readiness: Readiness::default(),
            pages: Lists::new(),
            slot: slots[0],
            seal: Arc::new(Seal::new(&keys, clock, random.clone())),
            keyring: LiveKeyring::new(source, keyring),
            random,
        })
    }

    /// Opens the store in a database for the use cases. Its methods are compiled here, for speed, and not in the caller's
    /// crate.
    ///
    /// # Errors
    /// As of [`Postgres::open`].
    pub fn open_store(
        database: Database,
        opening: Opening,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> BoxFuture<'static, Result<Arc<dyn Storage>, OpenError>> {
        Box::pin(async move {
            let opened = Postgres::open(&database, opening, clock, random).await?;
            Ok(Arc::new(opened) as Arc<dyn Storage>)
        })
    }

    /// Whether there is a store in a database.
    ///
    /// # Errors
    /// As of [`Postgres::open`].
    pub async fn is_there(database: &Database) -> Result<bool, OpenError> {
        let connections = connect(database)?;
        let is_there = include_str!("../../sql/migrations/is_there.postgres.sql");
        let found = connections.read_one(is_there, values![]).await?;
        Ok(found.map_or(Ok(false), |row| get(&row, 0))?)
    }
}

/// The hosts of a database, of which the one is used that takes writes.
fn hosts(database: &Database) -> Result<Arc<Hosts>, OpenError> {
    let config = address::parse(&database.address).map_err(OpenError::Unfit)?;
    let tls = tls::connector(&config).map_err(OpenError::Unfit)?;
    Ok(Arc::new(Hosts::of(&config, tls, PATIENCE, !database.pooler).on_newest_timeline()))
}

/// A pool of connections to the host that takes writes.
fn connect(database: &Database) -> Result<Connections, OpenError> {
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

/// Refuses a server that is too old.
async fn judge_version(connections: &Connections) -> Result<(), OpenError> {
    let version = include_str!("../../sql/settings/version.postgres.sql");
    let Some(row) = connections.read_one(version, values![]).await? else { return Ok(()) };
    let (number, name): (i32, String) = (get(&row, 0)?, get(&row, 1)?);
    too_old(number, &name).map_or(Ok(()), |why| Err(OpenError::Unfit(why)))
}

/// What is wrong with a server's version, by its number, such as 150018.
fn too_old(number: i32, name: &str) -> Option<String> {
    (number / 10_000 < OLDEST).then(|| {
        format!(
            "the server is PostgreSQL {name}, and PostgreSQL {OLDEST} or later is wanted: upgrade the server"
        )
    })
}

/// Refuses a server that would lose what it acknowledged.
async fn judge_durability(connections: &Connections) -> Result<(), OpenError> {
    let settings = include_str!("../../sql/settings/durability.postgres.sql");
    let mut faults = Vec::new();
    for row in connections.read(settings, values![]).await? {
        let (name, value): (String, String) = (get(&row, 0)?, get(&row, 1)?);
        let is_fine = match name.as_str() {
            "synchronous_commit" => ["on", "remote_write", "remote_apply"].contains(&value.as_str()),
            _ => value == "on",
        };
        if !is_fine {
            faults.push(format!("{name} = {value}"));
        }
    }
    if faults.is_empty() {
        return Ok(());
    }
    Err(OpenError::Unfit(format!(
        "the server would lose what it acknowledged: {}; turn it on there, or set database_unsafe to accept",
        faults.join(", ")
    )))
}

/// Says where nothing ends a statement that hangs: a pooler's session is not covernote's, so that its role must have a limit.
async fn judge_timeout(connections: &Connections) -> Result<(), OpenError> {
    let timeout = include_str!("../../sql/settings/timeout.postgres.sql");
    let Some(row) = connections.read_one(timeout, values![]).await? else { return Ok(()) };
    if get::<i64>(&row, 0)? == 0 {
        tracing::warn!(
            "behind a pooler a statement that waits for a lock goes on after covernote gave it up: as the owner of the role, \
             alter role … set statement_timeout = '5s'"
        );
    }
    Ok(())
}

/// Brings the schema up, and makes the keys that are missing, while other processes wait. The keyring is made where
/// there is no key yet: a new one could not open an old store, and would only hide that the right one is missing.
async fn prepare(
    connections: &Connections,
    opening: &Opening,
    now: Timestamp,
    random: &dyn Random,
) -> Result<Keyring, OpenError> {
    migration::make_gate(connections).await.map_err(StorageError::from)?;
    let act = Transaction::begin_patient(connections, MIGRATING).await.map_err(StorageError::from)?;
    migration::apply(&act, now).await?;
    let found = act.execute(key::LIST, values![]).await.map_err(StorageError::from)?.rows;
    let keyring = if found.is_empty() {
        opening.may_make("the database")?;
        Keyring::read_or_make(opening.keyring.clone(), random)?
    } else {
        Keyring::read(opening.keyring.clone())?
    };
    let read = include_str!("../../sql/facts/read.sql");
    let id = act.execute(read, values![Fact::StoreId.word()]).await.map_err(StorageError::from)?.rows;
    let id = id.first().map(|row| get(row, 0)).transpose()?;
    let has_id = id.is_some();
    let id = opening.accept(id, random)?;
    if !has_id {
        let remember = include_str!("../../sql/facts/remember.sql");
        act.execute(remember, values![Fact::StoreId.word(), id.as_str()])
            .await
            .map_err(StorageError::from)?;
    }
    let there = key::open(&found, &keyring)?;
    let missing: Vec<KeyPurpose> = rows::key::missing(&there).collect();
    for purpose in missing {
        let mut secret = [0; 32];
        random.fill(&mut secret);
        key::add(&act, &keyring, random, purpose, secret, now, now).await?;
        act.execute(include_str!("../../sql/revision/raise.sql"), values![])
            .await
            .map_err(StorageError::from)?;
    }
    act.commit().await.map_err(StorageError::from)?;
    opening.mark(&id);
    Ok(keyring)
}

/// Slots of this process. Two processes may have the same: then they wait for each other now and then.
fn slots(random: &dyn Random) -> [i16; AT_ONCE] {
    let mut bytes = [0; AT_ONCE];
    random.fill(&mut bytes);
    bytes.map(|byte| i16::from(byte % SLOTS))
}

#[cfg(test)]
mod tests {
    use super::too_old;

    #[test]
    fn a_server_that_is_too_old_is_refused_in_one_sentence() {
        let why = too_old(120_022, "12.22 (Debian 12.22-1)").expect("a reason");
        assert_eq!(
            why,
            "the server is PostgreSQL 12.22 (Debian 12.22-1), and PostgreSQL 13 or later is wanted: upgrade the server"
        );
        assert_eq!((too_old(130_000, "13.0"), too_old(180_004, "18.4")), (None, None));
    }
}
