//! SQLite: the embedded engine. One thread writes with group commit; a pool of connections reads.
//!
//! Uses `atomic_file`, `audit`, `counted_event`, `fields`, `migrations`, `operation`, `ownership`.

pub(crate) mod migration;
pub(crate) mod operation;
pub(crate) mod presence;
mod read_mark;
mod reader;
pub(crate) mod row;
mod writer;

use std::os::unix::fs::{FileExt, MetadataExt};
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

use crate::atomic_file::AtomicFile;
use crate::audit::Entry;
use crate::fields::{RowFields, Value};
use crate::operation::{EachRow, OperationFn, Read, Stop};
use crate::ownership::create;

/// Name of the database file in the data folder.
pub const FILE: &str = "covernote.db";

/// How long a connection waits while another process writes to the database.
pub(crate) const BUSY: Duration = Duration::from_secs(5);

/// Pause between two attempts to empty the write-ahead log.
const PAUSE: Duration = Duration::from_millis(20);

/// Oldest SQLite without the bug that may corrupt a database in WAL mode: 3.51.3.
pub(crate) const OLDEST_SOUND: i32 = 3_051_003;

/// SQLite engine of a store in a folder.
pub struct Sqlite {
    writer: Writer,
    readers: Readers,
}

impl Sqlite {
    /// Starts the engine on an open database.
    pub(crate) fn start(connection: Connection, path: PathBuf, presence: Arc<Presence>) -> Result<Self> {
        let mark = Arc::new(ReadMark::new(path.clone()));
        Ok(Sqlite {
            writer: Writer::start(connection, mark.clone(), presence)?,
            readers: Readers::new(path, mark),
        })
    }

    pub(crate) fn read(&self, statement: &str, values: &[Value<'_>], each: &mut EachRow<'_>) -> Result<()> {
        self.readers.read(|from| operation::execute(from, statement, values, each).map(|_| ()))
    }

    /// Executes statements that only read, in one transaction, so that all see the store at the same moment.
    pub(crate) fn read_together(
        &self,
        reads: &[Read<'_>],
        each: &mut (dyn FnMut(usize, RowFields<'_>) -> Result<()> + Send),
    ) -> Result<()> {
        self.readers.read(|from| {
            // A single statement needs no transaction to see the store at one moment.
            let _moment =
                (reads.len() > 1).then(|| from.unchecked_transaction()).transpose().map_err(row::fault)?;
            for (place, (statement, values)) in reads.iter().enumerate() {
                operation::execute(from, statement.sqlite, values, &mut |row| each(place, row))?;
            }
            Ok(())
        })
    }

    pub(crate) async fn write(&self, statement: &str, values: &[Value<'_>], is_bulk: bool) -> Result<u64> {
        let extent = if is_bulk { Extent::Bulk } else { Extent::OneStatement };
        self.writer.write(statement, values, extent).await
    }

    /// Runs an operation and writes its entry in the audit trail. `is_bulk`: the operation writes many pages.
    pub(crate) async fn act<G, T>(
        &self,
        is_bulk: bool,
        entry: Option<Entry>,
        given: G,
        operation: OperationFn<G, T>,
    ) -> Result<T, Stop>
    where
        G: Send + 'static,
        T: Send + 'static,
    {
        let extent = if is_bulk { Extent::BulkStatements } else { Extent::Statements };
        self.writer.operate(extent, entry, given, operation).await
    }

    /// Checks that the store can be written now.
    pub(crate) async fn ready(&self) -> Result<()> {
        self.writer.ready().await
    }

    /// Waits until the store can no longer be written at all. Returns why.
    pub(crate) async fn is_lost(&self) -> StorageError {
        self.writer.is_over().await
    }

    /// Writes the whole write-ahead log back to the database file, and empties the log.
    pub(crate) async fn cut_log(&self) -> Result<()> {
        let began = Instant::now();
        // The log cannot be emptied while readers need a part of it.
        while !self.writer.cut_log().await? {
            if began.elapsed() > BUSY {
                return Err(StorageError::Away(
                    "the write-ahead log cannot be emptied, because it is always being read".into(),
                ));
            }
            tokio::time::sleep(PAUSE).await;
        }
        Ok(())
    }

    /// Writes the write-ahead log back to the database file. Call this last, before the process ends.
    pub(crate) async fn close(&self) -> Result<()> {
        self.writer.close().await
    }
}

/// Paths of a database and of the files that SQLite creates beside it. If these files are left behind, SQLite
/// would use them for another database that is put in the same place.
pub fn files_of(database: &Path) -> impl Iterator<Item = PathBuf> {
    ["", "-wal", "-shm", "-journal"].into_iter().map(move |end| beside(database, end))
}

/// Path with something added to its end.
pub(crate) fn beside(file: &Path, end: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(end);
    PathBuf::from(path)
}

/// Path of the database in a data folder. If the folder has a symbolic link to the database, this is the path of the
/// database itself.
///
/// # Errors
/// [`StorageError::Damaged`] if one of the database's files has a second name, because then another server could use
/// the same database; [`StorageError::Away`] if the files cannot be read.
pub fn database(folder: &Path) -> Result<PathBuf> {
    let named = folder.join(FILE);
    let path = match fs::canonicalize(&named) {
        Ok(path) => path,
        // A link that leads nowhere is no new store.
        Err(cause) if cause.kind() == io::ErrorKind::NotFound && !named.is_symlink() => return Ok(named),
        Err(cause) => return Err(StorageError::Away(format!("{}: {cause}", named.display()))),
    };
    for file in files_of(&path) {
        let Ok(found) = fs::metadata(&file) else { continue };
        if found.nlink() > 1 && !remove_temporary_name(&file, found.ino()) {
            return Err(StorageError::Damaged(format!(
                "{} has {} names (hard links), so another server could use the same file: remove the other names, which \
                 'find / -xdev -samefile {}' lists",
                file.display(),
                found.nlink(),
                file.display()
            )));
        }
    }
    Ok(path)
}

/// Removes the temporary name of a file, if it still has one, because a restore was killed after it gave the file its
/// name.
fn remove_temporary_name(file: &Path, inode: u64) -> bool {
    let temporary = AtomicFile::temporary(file);
    let is_same = fs::symlink_metadata(&temporary).is_ok_and(|found| found.ino() == inode);
    is_same && fs::remove_file(&temporary).is_ok() && fs::metadata(file).is_ok_and(|found| found.nlink() == 1)
}

/// Folder of the database of a data folder: the data folder itself, unless it has a symbolic link to the database.
///
/// # Errors
/// As for [`database`].
pub fn home(folder: &Path) -> Result<PathBuf> {
    let path = database(folder)?;
    Ok(path.parent().map_or_else(|| folder.to_owned(), Path::to_owned))
}

/// Opens the one connection that writes.
pub(crate) fn connect(path: &Path) -> Result<Connection> {
    // SQLite gives the database's owner to the files that it creates beside it.
    let created = create(path, fs::OpenOptions::new().write(true));
    created.map_err(|cause| StorageError::Away(format!("{}: {cause}", path.display())))?;
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX,
    )
    .map_err(row::fault)?;
    connection.busy_timeout(BUSY).map_err(row::fault)?;
    // `secure_delete` overwrites what is deleted or replaced. `synchronous = full`: an acknowledged commit
    // survives a power cut; `normal` may lose it in WAL mode. Without cache spill and automatic checkpoints,
    // only commits and checkpoints sync, so that no failed sync goes unnoticed.
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

/// Makes SQLite plan each statement only once. Otherwise it compiles a statement that compares a column with
/// a range again for each new value, because statistics could favour another index. Our stores have no
/// statistics.
fn keep_plans(connection: &Connection) -> Result<()> {
    let option = DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG;
    connection.set_db_config(option, true).map(|_| ()).map_err(row::fault)
}

/// Error message after a failed sync to disk.
fn not_taken(cause: &dyn std::fmt::Display) -> String {
    format!("writes could not be saved to the disk ({cause}): check the disk, then start covernote again")
}

/// Sets whether the write-ahead log stays as it is when the connection closes.
fn leave_log(connection: &Connection, leave: bool) -> Result<()> {
    let option = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
    connection.set_db_config(option, leave).map(|_| ()).map_err(row::fault)
}

/// Writes the same bytes again to the log that an earlier process left behind, before anything is added to
/// the log.
///
/// If that process ended because a sync failed, the log may be complete only in the system's memory. A later
/// sync would not write it to disk, because the system retries only pages that are written again. No other
/// process adds to the log meanwhile. If another process is writing now, this function does nothing, because
/// that process already did the same when it opened the store.
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

/// Path of a file as a URI for SQLite.
pub(crate) fn address(file: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;
    let absolute = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let encode = |byte: &u8| match byte {
        b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => char::from(*byte).to_string(),
        other => format!("%{other:02x}"),
    };
    format!("file:{}", absolute.as_os_str().as_bytes().iter().map(encode).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_a_second_connection_keeps_the_file_locks_of_the_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(FILE);
        let first = connect(&path).expect("connected");
        first.execute_batch("create table one (number integer)").expect("written");
        let inode = format!(":{} ", fs::metadata(&path).expect("there").ino());
        let locks = || {
            let all = fs::read_to_string("/proc/locks").expect("the system's locks");
            all.lines().filter(|lock| lock.contains(&inode)).count()
        };
        assert_eq!(locks(), 1);
        let second = connect(&path).expect("connected");
        assert_eq!(locks(), 1);
        drop((first, second));
    }
}
