//! Opens a store on PostgreSQL.

use std::sync::Arc;

use domain::date::Timestamp;
use futures_util::future::BoxFuture;
use ports::clock::{Clock, Random};
use ports::keys::Key;
use ports::storage::{Fact, Result, Storage, StorageError};
use tokio_postgres::Row;

use super::Opening;
use crate::engine::Engine;
use crate::fields::{RowFields, values};
use crate::keyring::{Keyring, LiveKeyring};
use crate::operation::text;
use crate::postgres::batch::AT_ONCE;
use crate::postgres::chain::Chains;
use crate::postgres::column::get;
use crate::postgres::connections::Connections;
use crate::postgres::transaction::Transaction;
use crate::postgres::{Database, MIGRATING, Postgres, connect, hosts, migration, month, spread};
use crate::records::key::{Found, NewKey, missing, open_all};
use crate::seal::{Seal, wrap};
use crate::{OpenError, Store};

/// Number of slots (rows) over which each count of records is spread, so that writers do not wait for each
/// other at one row (D33).
const SLOTS: u8 = 16;

/// Oldest major version of PostgreSQL on which every test passes.
const OLDEST: i32 = 13;

impl Postgres {
    /// Opens the store in a database, or creates it: schema, keys, and the keyring if there is no store yet.
    /// Several processes may do this at once.
    ///
    /// # Errors
    /// [`OpenError::Unfit`] if the address is invalid, or the server may lose acknowledged writes;
    /// [`OpenError::Keyring`] if the keyring is missing or cannot be used; [`OpenError::Store`] if the server
    /// refuses or is away, or if a newer program or another keyring wrote the store; [`OpenError::Missing`]
    /// or [`OpenError::Another`] if it is not the expected store.
    pub async fn open(
        database: &Database,
        opening: impl Into<Opening>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Result<Store, OpenError> {
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
        let slots = slots(random.as_ref());
        connections.slot = slots[0];
        connections.chains = Chains::draw(random.as_ref());
        if let Err(fault) = month::make_ahead(&connections, clock.now()).await {
            tracing::warn!("the partitions of the coming months could not be created: {fault}");
        }
        let keys = open_keys(&connections.read(text!("keys/list"), &[]).await?, &keyring)?;
        let engine = Postgres::start(database, hosts, connections, slots)?;
        Ok(Store {
            engine: Engine::Postgres(Box::new(engine)),
            seal: Arc::new(Seal::new(&keys, clock, random.clone())),
            keyring: LiveKeyring::new(source, keyring),
            random,
        })
    }

    /// Opens the store in a database as a trait object. The store's methods are then compiled in this crate,
    /// not in the caller's, for speed.
    ///
    /// # Errors
    /// As for [`Postgres::open`].
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

    /// Whether a database contains a store.
    ///
    /// # Errors
    /// As for [`Postgres::open`].
    pub async fn is_there(database: &Database) -> Result<bool, OpenError> {
        let connections = connect(database)?;
        let is_there = include_str!("../../sql/migrations/is_there.postgres.sql");
        let found = connections.read_one(is_there, &[]).await?;
        Ok(found.map_or(Ok(false), |row| get(&row, 0))?)
    }
}

/// Reads the store's keys from rows, and unwraps them with the keyring.
pub(crate) fn open_keys(rows: &[Row], keyring: &Keyring) -> Result<Vec<Key>> {
    let found = rows.iter().map(|row| Found::columns(RowFields::of(row))).collect::<Result<_, _>>()?;
    open_all(found, keyring)
}

/// Refuses a server that is too old.
async fn judge_version(connections: &Connections) -> Result<(), OpenError> {
    let version = include_str!("../../sql/settings/version.postgres.sql");
    let Some(row) = connections.read_one(version, &[]).await? else { return Ok(()) };
    let (number, name): (i32, String) = (get(&row, 0)?, get(&row, 1)?);
    too_old(number, &name).map_or(Ok(()), |why| Err(OpenError::Unfit(why)))
}

/// Message if a server's version is too old. `number` is PostgreSQL's version number, such as 150018.
fn too_old(number: i32, name: &str) -> Option<String> {
    (number / 10_000 < OLDEST).then(|| {
        format!(
            "the database server is PostgreSQL {name}, but covernote needs PostgreSQL {OLDEST} or later: upgrade the server"
        )
    })
}

/// Refuses a server that may lose acknowledged writes.
async fn judge_durability(connections: &Connections) -> Result<(), OpenError> {
    let settings = include_str!("../../sql/settings/durability.postgres.sql");
    let mut faults = Vec::new();
    for row in connections.read(settings, &[]).await? {
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
        "the database server may lose acknowledged writes, because of these settings: {}. Turn them on at the server, or set database_unsafe to accept the risk",
        faults.join(", ")
    )))
}

/// Warns if the database role has no `statement_timeout`. Behind a pooler, only this timeout of the role ends
/// a statement that hangs.
async fn judge_timeout(connections: &Connections) -> Result<(), OpenError> {
    let timeout = include_str!("../../sql/settings/timeout.postgres.sql");
    let Some(row) = connections.read_one(timeout, &[]).await? else { return Ok(()) };
    if get::<i64>(&row, 0)? == 0 {
        tracing::warn!(
            "behind a pooler, a statement that waits for a lock continues after covernote has given up. As the owner of the \
             role, run: alter role … set statement_timeout = '5s'"
        );
    }
    Ok(())
}

/// Migrates the schema and creates missing keys while other processes wait.
///
/// The keyring is created only if the store has no key yet. A new keyring could not open an existing store,
/// and would hide that the right keyring is missing.
async fn prepare(
    connections: &Connections,
    opening: &Opening,
    now: Timestamp,
    random: &dyn Random,
) -> Result<Keyring, OpenError> {
    migration::make_gate(connections).await.map_err(StorageError::from)?;
    let act = Transaction::begin_patient(connections, MIGRATING).await.map_err(StorageError::from)?;
    migration::apply(&act, now).await?;
    let found = act.execute(text!("keys/list"), &[]).await.map_err(StorageError::from)?.rows;
    let keyring = if found.is_empty() {
        opening.may_make("the database", None)?;
        Keyring::read_or_make(opening.keyring.clone(), random)?
    } else {
        Keyring::read(opening.keyring.clone())?
    };
    let id =
        act.execute(text!("facts/read"), values![Fact::StoreId.word()]).await.map_err(StorageError::from)?;
    let id: Option<String> = id.rows.first().map(|row| get(row, 0)).transpose()?;
    let has_id = id.is_some();
    let id = opening.accept(id, random)?;
    if !has_id {
        let values = values![Fact::StoreId.word(), id];
        act.execute(text!("facts/remember"), values).await.map_err(StorageError::from)?;
    }
    for purpose in missing(&open_keys(&found, &keyring)?) {
        let key = NewKey::random(purpose, random, now);
        let number = act.execute(text!("keys/next_number"), &[]).await.map_err(StorageError::from)?.rows;
        let number = number.first().map_or(Ok(1), |row| get(row, 0))?;
        let wrapped = wrap(&keyring, random, number, &key.secret)?;
        let values = key.values(number, &wrapped);
        act.execute(text!("keys/add"), &values).await.map_err(StorageError::from)?;
        act.execute(text!("revision/raise"), &[]).await.map_err(StorageError::from)?;
    }
    act.commit().await.map_err(StorageError::from)?;
    opening.mark(&id);
    Ok(keyring)
}

/// Random slots for this process in the counts of records. Processes that share a slot sometimes wait for
/// each other.
fn slots(random: &dyn Random) -> [i16; AT_ONCE] {
    let mut bytes = [0; AT_ONCE];
    random.fill(&mut bytes);
    bytes.map(|byte| i16::from(byte % SLOTS))
}

#[cfg(test)]
mod tests {
    use super::too_old;

    #[test]
    fn a_postgresql_server_older_than_version_13_is_refused() {
        let why = too_old(120_022, "12.22 (Debian 12.22-1)").expect("a reason");
        assert_eq!(
            why,
            "the database server is PostgreSQL 12.22 (Debian 12.22-1), but covernote needs PostgreSQL 13 or later: upgrade the server"
        );
        assert_eq!((too_old(130_000, "13.0"), too_old(180_004, "18.4")), (None, None));
    }
}
