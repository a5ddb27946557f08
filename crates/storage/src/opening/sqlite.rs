//! Opens a store on SQLite.

use std::path::Path;
use std::sync::Arc;
use std::{fs, io};

use domain::date::Timestamp;
use ports::clock::{Clock, Random};
use ports::keys::Key;
use ports::storage::{Fact, Result, Storage, StorageError};
use rusqlite::{Connection, OptionalExtension, params};

use super::Opening;
use crate::atomic_file::sync_folder;
use crate::engine::Engine;
use crate::fields::RowFields;
use crate::keyring::{Keyring, LiveKeyring};
use crate::operation::text;
use crate::ownership::open_or_create;
use crate::records::key::{Found, NewKey, missing, open_all};
use crate::seal::{Seal, wrap};
use crate::sqlite::operation::execute;
use crate::sqlite::presence::Presence;
use crate::sqlite::row::fault;
use crate::sqlite::{OLDEST_SOUND, Sqlite, connect, database, migration, renew_log};
use crate::{OpenError, Store};

impl Sqlite {
    /// Opens the store in a folder, or creates it: schema, keys, and the keyring if there is no store yet.
    /// Only one process does this at a time.
    ///
    /// # Errors
    /// [`OpenError::Keyring`] if the keyring is missing or cannot be used; [`OpenError::Store`] if the folder
    /// cannot be used, or if a newer program or another keyring wrote the store; [`OpenError::Missing`] or
    /// [`OpenError::Another`] if it is not the expected store.
    pub fn open(
        folder: &Path,
        opening: impl Into<Opening>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Result<Store, OpenError> {
        if rusqlite::version_number() < OLDEST_SOUND {
            return Err(StorageError::Damaged(
                "this program was built with an SQLite version older than 3.51.3, which may corrupt databases".into(),
            )
            .into());
        }
        let lock = lock(folder)?;
        let path = database(folder)?;
        let opening = opening.into();
        let source = opening.keyring.clone();
        // A new keyring could not open an existing store, and would hide that the right keyring is missing.
        let is_there = fs::metadata(&path).is_ok_and(|found| found.len() > 0);
        let keyring = if is_there {
            Keyring::read(source.clone())?
        } else {
            opening.may_make(&folder.display().to_string(), Some(&path))?;
            create_empty(&path)?;
            Keyring::read_or_make(source.clone(), random.as_ref())?
        };
        let mut connection = connect(&path)?;
        let found = if is_there { read_id(&connection)? } else { None };
        let store_id = opening.accept(found, random.as_ref())?;
        if opening.is_server {
            renew_log(&connection, &path)?;
        }
        migration::apply(&mut connection, clock.now())?;
        make_missing_keys(&mut connection, &keyring, random.as_ref(), clock.now())?;
        keep_id(&connection, &store_id)?;
        opening.mark(&store_id);
        let keys = keys(&connection, &keyring)?;
        let presence = Arc::new(Presence::of(&path, store_id)?);
        if opening.is_server && !presence.has_id_in_file() {
            connection.query_row("pragma wal_checkpoint(passive)", (), |_| Ok(())).map_err(fault)?;
            // Remembers that the file has the id now, for later checks.
            let _ = presence.has_id_in_file();
        }
        drop(lock);
        let seal = Arc::new(Seal::new(&keys, clock, random.clone()));
        let engine = Sqlite::start(connection, path, presence)?;
        Ok(Store {
            engine: Engine::Sqlite(Box::new(engine)),
            seal,
            keyring: LiveKeyring::new(source, keyring),
            random,
        })
    }

    /// Opens the store in a folder as a trait object. The store's methods are then compiled in this crate,
    /// not in the caller's, for speed.
    ///
    /// # Errors
    /// As for [`Sqlite::open`].
    pub fn open_store(
        folder: &Path,
        opening: Opening,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Result<Arc<dyn Storage>, OpenError> {
        Ok(Arc::new(Sqlite::open(folder, opening, clock, random)?))
    }
}

/// Reads and unwraps the keys of a store.
pub(crate) fn keys(from: &Connection, keyring: &Keyring) -> Result<Vec<Key>> {
    let mut found = Vec::new();
    let mut each = |row: RowFields<'_>| Found::columns(row).map(|key| found.push(key));
    execute(from, text!("keys/list"), &[], &mut each)?;
    open_all(found, keyring)
}

/// Waits until no other process opens or creates a store in a folder. Other processes then wait until the
/// returned lock file is dropped.
pub(crate) fn lock(folder: &Path) -> Result<fs::File> {
    let away = |cause: io::Error| StorageError::Away(format!("{}: {cause}", folder.display()));
    let lock = open_or_create(&folder.join("opening.lock"), fs::OpenOptions::new().write(true));
    let lock = lock.map_err(away)?;
    lock.lock().map_err(away)?;
    Ok(lock)
}

/// Creates the empty database file, so that a creation of the store that a power cut interrupts is recognized.
fn create_empty(path: &Path) -> Result<()> {
    let created = open_or_create(path, fs::OpenOptions::new().write(true)).and_then(|_| sync_folder(path));
    created.map_err(|cause| StorageError::Away(format!("{}: {cause}", path.display())))
}

/// Id of the store. `None` if the store was created before stores had ids.
fn read_id(connection: &Connection) -> Result<Option<String>> {
    let is_store = text!("migrations/is_store");
    if !connection.query_row(is_store, (), |row| row.get(0)).map_err(fault)? {
        return Ok(None);
    }
    let read = text!("facts/read");
    let found = connection.query_row(read, [Fact::StoreId.word()], |row| row.get(0));
    found.optional().map_err(fault)
}

/// Writes the id of the store, if the store has none. The transaction also makes SQLite create the
/// write-ahead log, which must exist from then on.
fn keep_id(connection: &Connection, id: &str) -> Result<()> {
    if read_id(connection)?.is_none() {
        let remember = text!("facts/remember");
        connection.execute(remember, params![Fact::StoreId.word(), id]).map_err(fault)?;
    }
    Ok(())
}

fn make_missing_keys(
    connection: &mut Connection,
    keyring: &Keyring,
    random: &dyn Random,
    now: Timestamp,
) -> Result<()> {
    let transaction = connection.transaction().map_err(fault)?;
    for purpose in missing(&keys(&transaction, keyring)?) {
        let key = NewKey::random(purpose, random, now);
        let number = transaction.query_row(text!("keys/next_number"), (), |row| row.get(0));
        let number = number.map_err(fault)?;
        let wrapped = wrap(keyring, random, number, &key.secret)?;
        execute(&transaction, text!("keys/add"), &key.values(number, &wrapped), &mut |_| Ok(()))?;
        execute(&transaction, text!("revision/raise"), &[], &mut |_| Ok(()))?;
    }
    transaction.commit().map_err(fault)
}
