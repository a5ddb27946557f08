//! SQLite: the embedded engine. One writer thread with group commit, a pool of read-only connections.

mod calendar;
mod claim;
mod claim_paper;
mod complaint;
mod count;
mod deposit;
mod embedded_quote;
mod event;
mod health_quote;
mod import;
mod installation;
mod job;
mod journey;
mod kept_response;
mod key;
mod ledger;
mod list;
mod migration;
mod notice;
mod partner;
mod policy;
mod premium;
mod presence;
mod proposal;
mod read_mark;
mod reader;
mod request_log;
mod revision;
mod row;
mod session;
pub mod snapshot;
mod statement;
mod status_page;
mod tag;
mod test_data;
mod token;
mod verify;
mod webhook;
mod writer;

use std::fs;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use domain::date::Timestamp;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};
use service::clock::{Clock, Random};
use service::storage::{Fact, Storage, StorageError};

use crate::OpenError;
use crate::keyring::{Keyring, LiveKeyring};
use crate::opening::Opening;
use crate::rows::key::missing;
use crate::seal::Seal;
use presence::Presence;
use read_mark::ReadMark;
use reader::Readers;
use writer::Writer;

/// Name of the database in the data folder.
pub const FILE: &str = "covernote.db";

/// How long a writer waits for another process's write.
const BUSY: Duration = Duration::from_secs(5);

/// The oldest SQLite whose WAL is sound: earlier ones may corrupt it.
const OLDEST_SOUND: i32 = 3_051_003;

/// A store in a folder.
pub struct Sqlite {
    writer: Writer,
    readers: Readers,
    seal: Arc<Seal>,
    keyring: LiveKeyring,
    random: Arc<dyn Random>,
}

impl Storage for Sqlite {}

impl Sqlite {
    /// Opens the store in a folder, or makes it: schema, keys, and the keyring where there is no store yet. One
    /// process at a time does this.
    ///
    /// # Errors
    /// [`OpenError::Keyring`] when the keyring is missing or cannot be used; [`OpenError::Store`] when the folder
    /// cannot be used, or was written by a newer program or under another keyring; [`OpenError::Missing`] and
    /// [`OpenError::Another`] when it is not the store that is expected.
    pub fn open(
        folder: &Path,
        opening: impl Into<Opening>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Result<Self, OpenError> {
        if rusqlite::version_number() < OLDEST_SOUND {
            return Err(StorageError::Damaged(
                "this program was built with a SQLite older than 3.51.3".into(),
            )
            .into());
        }
        let lock = lock_opening(folder)?;
        let path = folder.join(FILE);
        let opening = opening.into();
        let source = opening.keyring.clone();
        // A new keyring could not open an old store: it would only hide that the right one is missing.
        let is_there = fs::metadata(&path).is_ok_and(|found| found.len() > 0);
        let keyring = if is_there {
            Keyring::read(source.clone())?
        } else {
            opening.may_make(&folder.display().to_string())?;
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
        let keys = key::all(&connection, &keyring)?;
        let presence = Arc::new(Presence::of(&path, store_id)?);
        if opening.is_server && !presence.has_id_in_file() {
            connection.query_row("pragma wal_checkpoint(passive)", (), |_| Ok(())).map_err(row::fault)?;
            // Noted for the looks that follow.
            let _ = presence.has_id_in_file();
        }
        drop(lock);
        let seal = Arc::new(Seal::new(&keys, clock, random.clone()));
        let mark = Arc::new(ReadMark::new(path.clone()));
        Ok(Sqlite {
            writer: Writer::start(connection, mark.clone(), presence)?,
            readers: Readers::new(path, mark),
            seal,
            keyring: LiveKeyring::new(source, keyring),
            random,
        })
    }

    /// Opens the store in a folder for the use cases. Its methods are compiled here, for speed, and not in the caller's crate.
    ///
    /// # Errors
    /// As of [`Sqlite::open`].
    pub fn open_store(
        folder: &Path,
        opening: Opening,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
    ) -> Result<Arc<dyn Storage>, OpenError> {
        Ok(Arc::new(Sqlite::open(folder, opening, clock, random)?))
    }
}

/// Waits until nobody else opens or makes the store in a folder, and holds that off until what is returned is dropped.
fn lock_opening(folder: &Path) -> Result<fs::File, StorageError> {
    let away = |cause: io::Error| StorageError::Away(format!("{}: {cause}", folder.display()));
    let lock =
        fs::OpenOptions::new().create(true).truncate(false).write(true).open(folder.join("opening.lock"));
    let lock = lock.map_err(away)?;
    lock.lock().map_err(away)?;
    Ok(lock)
}

/// The one write connection.
fn connect(path: &Path) -> Result<Connection, StorageError> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .map_err(row::fault)?;
    connection.busy_timeout(BUSY).map_err(row::fault)?;
    // FULL: a commit that was answered survives a power cut. NORMAL may lose it in WAL mode. Without a spilling cache
    // and automatic checkpoints, no statement but a commit and a checkpoint syncs, so that none fails unseen.
    connection
        .execute_batch(
            "pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; \
             pragma wal_autocheckpoint = 0; pragma cache_spill = off; \
             pragma trusted_schema = off; pragma cache_size = -8000; pragma temp_store = memory;",
        )
        .map_err(row::fault)?;
    keep_plans(&connection)?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(connection)
}

/// Plans a statement once. Otherwise one that compares a column with a range is compiled anew for every other value, in case
/// statistics, which no store of ours has, would choose another index for it.
fn keep_plans(connection: &Connection) -> Result<(), StorageError> {
    let option = DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG;
    connection.set_db_config(option, true).map(|_| ()).map_err(row::fault)
}

/// What is said where a sync failed.
fn not_taken(cause: &dyn std::fmt::Display) -> String {
    format!(
        "the disk did not take what was written ({cause}); look after the disk, then start covernote again"
    )
}

/// Whether the log stays as it is when the connection closes.
fn leave_log(connection: &Connection, leave: bool) -> Result<(), StorageError> {
    let option = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
    connection.set_db_config(option, leave).map(|_| ()).map_err(row::fault)
}

/// Writes the log that an earlier process left once more, before anything is built upon it.
///
/// Where that process ended because a sync failed, the log may be whole in memory alone, and no later sync would bring
/// it to the disk: only what is written anew is tried anew. Nobody else adds to the log meanwhile; where somebody does
/// just now, it was done when that one opened the store.
fn renew_log(connection: &Connection, database: &Path) -> Result<(), StorageError> {
    let mut path = database.as_os_str().to_owned();
    path.push("-wal");
    let away = |cause: io::Error| StorageError::Away(not_taken(&cause));
    let log = match fs::OpenOptions::new().read(true).write(true).open(path) {
        Ok(log) => log,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(cause) => return Err(away(cause)),
    };
    connection.busy_timeout(Duration::ZERO).map_err(row::fault)?;
    let begun = connection.execute_batch("begin immediate");
    connection.busy_timeout(BUSY).map_err(row::fault)?;
    match begun {
        Err(fault) if fault.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => return Ok(()),
        begun => begun.map_err(row::fault)?,
    }
    leave_log(connection, true)?;
    let (mut piece, mut at) = (vec![0; 1 << 20], 0);
    loop {
        let length = log.read_at(&mut piece, at).map_err(away)?;
        if length == 0 {
            break;
        }
        log.write_all_at(&piece[..length], at).map_err(away)?;
        at += length as u64;
    }
    log.sync_all().map_err(away)?;
    connection.execute_batch("rollback").map_err(row::fault)?;
    leave_log(connection, false)
}

/// The id of a store. `None` for one from before stores had ids.
fn read_id(connection: &Connection) -> Result<Option<String>, StorageError> {
    let is_store = include_str!("../../sql/migrations/is_store.sql");
    if !connection.query_row(is_store, (), |row| row.get(0)).map_err(row::fault)? {
        return Ok(None);
    }
    let read = include_str!("../../sql/facts/read.sql");
    let found = connection.query_row(read, [Fact::StoreId.word()], |row| row.get(0));
    found.optional().map_err(row::fault)
}

/// Keeps the id of a store, which also makes its log: SQLite makes one with the first transaction.
fn keep_id(connection: &Connection, id: &str) -> Result<(), StorageError> {
    if read_id(connection)?.is_none() {
        let remember = include_str!("../../sql/facts/remember.sql");
        connection.execute(remember, params![Fact::StoreId.word(), id]).map_err(row::fault)?;
    }
    Ok(())
}

fn make_missing_keys(
    connection: &mut Connection,
    keyring: &Keyring,
    random: &dyn Random,
    now: Timestamp,
) -> Result<(), StorageError> {
    let transaction = connection.transaction().map_err(row::fault)?;
    let there = key::all(&transaction, keyring)?;
    for purpose in missing(&there) {
        let mut secret = [0; 32];
        random.fill(&mut secret);
        key::add(&transaction, keyring, random, purpose, secret, now, now)?;
    }
    transaction.commit().map_err(row::fault)
}
