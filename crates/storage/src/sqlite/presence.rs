//! Checks that the open database is still the file at its path.
//!
//! If an operator removes or replaces the file under a running server, later writes are lost when the process
//! ends (D109).

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fs, io};

use ports::storage::{Fact, Result, StorageError};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::address;

/// Size of the write-ahead log, in bytes, at which the server truncates the log as soon as no writes wait.
const LARGE_LOG: u64 = 32 << 20;

/// Number of reads in a row that must find another id before this is a fault. There is a pause between two
/// reads.
const READS: u32 = 5;
const READ_PAUSE: Duration = Duration::from_millis(100);

/// Files of a store, as they were when the store was opened.
pub(crate) struct Presence {
    database: WatchedFile,
    log: WatchedFile,
    store_id: String,
    /// Whether a check has found the store's id in the database file.
    is_in_file: AtomicBool,
}

struct WatchedFile {
    path: PathBuf,
    device: u64,
    inode: u64,
}

impl WatchedFile {
    fn of(path: PathBuf) -> io::Result<Self> {
        let found = fs::metadata(&path)?;
        Ok(WatchedFile { device: found.dev(), inode: found.ino(), path })
    }

    /// Size of the file. An error if the file was removed or replaced.
    fn look(&self) -> Result<u64, String> {
        let path = self.path.display();
        match fs::metadata(&self.path) {
            Ok(found) if (found.dev(), found.ino()) == (self.device, self.inode) => Ok(found.len()),
            Ok(_) => Err(format!("{path} was replaced by another file while this server used it")),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                Err(format!("{path} was removed while this server used it"))
            }
            // The system may lack a resource for a moment. This is not a fault of the file.
            Err(_) => Ok(0),
        }
    }
}

impl Presence {
    /// Remembers the files of an open database, which has a write-ahead log.
    pub(crate) fn of(database: &Path, store_id: String) -> Result<Self> {
        let away = |cause: io::Error| StorageError::Away(format!("{}: {cause}", database.display()));
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        Ok(Presence {
            database: WatchedFile::of(database.to_owned()).map_err(away)?,
            log: WatchedFile::of(log.into()).map_err(away)?,
            store_id,
            is_in_file: AtomicBool::new(false),
        })
    }

    /// Checks that the files at the paths are still those that were opened. Returns whether the log is large.
    pub(crate) fn look(&self) -> Result<bool, String> {
        self.database.look()?;
        self.log.look().map(|bytes| bytes >= LARGE_LOG)
    }

    /// Whether the database file is still the one that was opened.
    pub(crate) fn has_database(&self) -> bool {
        self.database.look().is_ok()
    }

    /// Like [`Presence::look`], and also checks the id of the store in the database file. A file can be
    /// overwritten with the content of another file. A read of this server may then remove the log, so the
    /// content is checked before the log.
    pub(crate) fn read(&self) -> Result<bool, String> {
        self.database.look()?;
        if !self.has_own_content() {
            return Err(format!(
                "{} was overwritten with the content of another file",
                self.database.path.display()
            ));
        }
        self.look()
    }

    fn has_own_content(&self) -> bool {
        for _ in 0..READS {
            match self.id_in_file() {
                IdInFile::This | IdInFile::Unknown => return true,
                // The id of a new store is only in the log until the log is written back.
                IdInFile::Another if !self.is_in_file.load(Ordering::Relaxed) => return true,
                // The log is perhaps being written back just now.
                IdInFile::Another => std::thread::sleep(READ_PAUSE),
            }
        }
        false
    }

    /// Whether the database file contains the id of the store. Once the file contains it, another id in a
    /// later check is a fault.
    pub(crate) fn has_id_in_file(&self) -> bool {
        self.id_in_file() == IdInFile::This
    }

    /// Reads the store's id in the database file, without the log. With the log, the last writes would be
    /// seen, even if the file was replaced.
    fn id_in_file(&self) -> IdInFile {
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let address = format!("{}?immutable=1", address(&self.database.path));
        let id = Connection::open_with_flags(address, flags).and_then(|connection| {
            let read = include_str!("../../sql/facts/read.sql");
            connection.query_row(read, [Fact::StoreId.word()], |row| row.get::<_, String>(0))
        });
        match id {
            Ok(id) if id == self.store_id => {
                self.is_in_file.store(true, Ordering::Relaxed);
                IdInFile::This
            }
            Ok(_) | Err(rusqlite::Error::QueryReturnedNoRows) => IdInFile::Another,
            Err(cause) => match cause.sqlite_error_code() {
                Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt | ErrorCode::Unknown) => {
                    IdInFile::Another
                }
                // The process may lack descriptors or memory. That says nothing about the file.
                _ => IdInFile::Unknown,
            },
        }
    }
}

/// Whether a database file has the id of this store, the id of another store or none, or cannot be read.
#[derive(PartialEq, Eq)]
enum IdInFile {
    This,
    Another,
    Unknown,
}
