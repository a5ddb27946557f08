//! SQLite: the embedded engine. One writer thread with group commit, a pool of read-only connections.
//!
//! Uses `act`, `audit`, `counted_event`, `fields`, `migrations`.

pub(crate) mod act;
pub(crate) mod migration;
pub(crate) mod presence;
mod read_mark;
mod reader;
pub(crate) mod row;
mod writer;

use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, io};

use ports::storage::{Result, StorageError};
use presence::Presence;
use read_mark::ReadMark;
use reader::Readers;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};
use writer::{Extent, Writer};

use crate::act::{EachRow, Operation, Read, Stop};
use crate::audit::Entry;
use crate::fields::{Fields, Value};

/// Name of the database in the data folder.
pub const FILE: &str = "covernote.db";

/// How long a writer waits for another process's write.
pub(crate) const BUSY: Duration = Duration::from_secs(5);

/// Pause between two attempts to cut the log.
const PAUSE: Duration = Duration::from_millis(20);

/// The oldest SQLite whose WAL is sound: earlier ones may corrupt it.
pub(crate) const OLDEST_SOUND: i32 = 3_051_003;

/// The embedded engine, by its store in a folder.
pub struct Sqlite {
    writer: Writer,
    readers: Readers,
}

impl Sqlite {
    /// Begins to write and read a database.
    pub(crate) fn start(connection: Connection, path: PathBuf, presence: Arc<Presence>) -> Result<Self> {
        let mark = Arc::new(ReadMark::new(path.clone()));
        Ok(Sqlite {
            writer: Writer::start(connection, mark.clone(), presence)?,
            readers: Readers::new(path, mark),
        })
    }

    pub(crate) fn read(&self, statement: &str, values: &[Value<'_>], each: &mut EachRow<'_>) -> Result<()> {
        self.readers.read(|from| act::execute(from, statement, values, each).map(|_| ()))
    }

    /// Reads within one transaction, so that all see the same moment.
    pub(crate) fn read_together(
        &self,
        reads: &[Read<'_>],
        each: &mut (dyn FnMut(usize, Fields<'_>) -> Result<()> + Send),
    ) -> Result<()> {
        self.readers.read(|from| {
            // One statement reads at one moment by itself.
            let _moment =
                (reads.len() > 1).then(|| from.unchecked_transaction()).transpose().map_err(row::fault)?;
            for (place, (statement, values)) in reads.iter().enumerate() {
                act::execute(from, statement.sqlite, values, &mut |row| each(place, row))?;
            }
            Ok(())
        })
    }

    pub(crate) async fn write(&self, statement: &str, values: &[Value<'_>], is_bulk: bool) -> Result<u64> {
        let extent = if is_bulk { Extent::Bulk } else { Extent::OneStatement };
        self.writer.write(statement, values, extent).await
    }

    pub(crate) async fn act<G, T>(
        &self,
        entry: Option<Entry>,
        given: G,
        operation: Operation<G, T>,
    ) -> Result<T, Stop>
    where
        G: Send + 'static,
        T: Send + 'static,
    {
        self.writer.operate(entry, given, operation).await
    }

    /// Whether it can be written now.
    pub(crate) async fn ready(&self) -> Result<()> {
        self.writer.ready().await
    }

    /// Waits until nothing is written any more, whatever is tried, and says why.
    pub(crate) async fn is_lost(&self) -> StorageError {
        self.writer.is_over().await
    }

    /// Brings the whole log into the database file, and removes the log's content.
    pub(crate) async fn cut_log(&self) -> Result<()> {
        let began = Instant::now();
        // Readers keep a part of the log while they read.
        while !self.writer.cut_log().await? {
            if began.elapsed() > BUSY {
                return Err(StorageError::Away("the log is read at all times, so it cannot be cut".into()));
            }
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }

    /// Brings what was written into the database file, as the last thing before the process ends.
    pub(crate) async fn close(&self) -> Result<()> {
        self.writer.close().await
    }
}

/// The one write connection.
pub(crate) fn connect(path: &Path) -> Result<Connection> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .map_err(row::fault)?;
    connection.busy_timeout(BUSY).map_err(row::fault)?;
    // What is deleted or replaced is overwritten. FULL: a commit that was answered survives a power cut. NORMAL may lose it in WAL mode. Without a spilling cache
    // and automatic checkpoints, no statement but a commit and a checkpoint syncs, so that none fails unseen.
    connection
        .execute_batch(
            "pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; \
             pragma wal_autocheckpoint = 0; pragma cache_spill = off; \
             pragma trusted_schema = off; pragma cache_size = -8000; pragma temp_store = memory; \
             pragma secure_delete = on;",
        )
        .map_err(row::fault)?;
    keep_plans(&connection)?;
    connection.set_prepared_statement_cache_capacity(128);
    Ok(connection)
}

pub(crate) fn connect_to_read(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(row::fault)?;
    connection.busy_timeout(BUSY).map_err(row::fault)?;
    connection
        .execute_batch("pragma query_only = on; pragma trusted_schema = off; pragma cache_size = -2000;")
        .map_err(row::fault)?;
    keep_plans(&connection)?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(connection)
}

/// Plans a statement once. Otherwise one that compares a column with a range is compiled anew for every other value, in case
/// statistics, which no store of ours has, would choose another index for it.
fn keep_plans(connection: &Connection) -> Result<()> {
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
fn leave_log(connection: &Connection, leave: bool) -> Result<()> {
    let option = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
    connection.set_db_config(option, leave).map(|_| ()).map_err(row::fault)
}

/// Writes the log that an earlier process left once more, before anything is built upon it.
///
/// Where that process ended because a sync failed, the log may be whole in memory alone, and no later sync would bring
/// it to the disk: only what is written anew is tried anew. Nobody else adds to the log meanwhile; where somebody does
/// just now, it was done when that one opened the store.
pub(crate) fn renew_log(connection: &Connection, database: &Path) -> Result<()> {
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

/// A path as SQLite's kind of URI.
pub(crate) fn address(file: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let absolute = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let encode = |byte: &u8| match byte {
        b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => char::from(*byte).to_string(),
        other => format!("%{other:02x}"),
    };
    format!("file:{}", absolute.as_os_str().as_bytes().iter().map(encode).collect::<String>())
}
