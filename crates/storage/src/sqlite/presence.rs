//! Checks that the open database is still the file at its path.
//!
//! If an operator removes or replaces the file under a running server, later writes are lost when the process
//! ends (D109).

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;
use std::{fs, io};

use ports::storage::{Fact, Result, StorageError};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::address;

/// Size of the write-ahead log, in bytes, at which the server truncates the log as soon as no writes wait.
pub(crate) const LARGE_LOG: u64 = 32 << 20;

/// Number of wrong reads of the id that prove that the file is another one. There is a pause between two reads.
const READS: u32 = 3;
const READ_PAUSE: Duration = Duration::from_millis(50);

/// Number of checks in a row that must find another id in the file, if the log still has the right one.
const CHECKS: u32 = 2;

/// Files of a store, as they were when the store was opened.
pub(crate) struct Presence {
    database: WatchedFile,
    log: WatchedFile,
    store_id: String,
    /// Whether a check has found the store's id in the database file.
    is_in_file: AtomicBool,
    /// Number of checks in a row that found another id in the file, but the right one in the log.
    contradictions: AtomicU32,
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
            contradictions: AtomicU32::new(0),
        })
    }

    /// Checks that the files at the paths are still those that were opened. Returns whether the log is large.
    pub(crate) fn look(&self) -> Result<bool, String> {
        self.database.look()?;
        self.log.look().map(|bytes| bytes >= LARGE_LOG)
    }

    /// Whether only the write-ahead log was removed or replaced, so that this process can still write its content
    /// to the database.
    pub(crate) fn has_lost_log_alone(&self) -> bool {
        self.database.look().is_ok() && self.log.look().is_err()
    }

    /// Whether the database file seems to have the content of another file. This may be wrong: while the log is
    /// written back, the file alone is incomplete. [`Presence::overwritten`] decides.
    pub(crate) fn is_doubtful(&self) -> bool {
        self.is_in_file.load(Ordering::Relaxed)
            && self.database.look().is_ok()
            && !matches!(self.id(Log::Ignored), Id::This | Id::Unknown)
    }

    /// Checks the id of the store, and returns what is wrong with the database file, if anything. Only the thread
    /// that writes the log back may call this, so that the log is not written back meanwhile.
    ///
    /// A file may be overwritten in place with the content of another file. One wrong read is no proof, so the id is
    /// read several times, also as every read of this server sees it.
    pub(crate) fn overwritten(&self) -> Option<String> {
        let is_wrong = (0..READS).all(|number| {
            if number > 0 {
                std::thread::sleep(READ_PAUSE);
            }
            match (self.id(Log::Ignored), self.id(Log::Read)) {
                (Id::This | Id::Unknown, _) | (Id::Unreadable, Id::Unknown) => false,
                (_, Id::Another | Id::Unreadable) | (Id::Another, Id::Unknown) => true,
                // A file into which only a part of the log was written may be unreadable without the log.
                (Id::Unreadable, Id::This) => false,
                // The page with the id is in the log, which hides the file's content.
                (Id::Another, Id::This) => {
                    number > 0 || self.contradictions.fetch_add(1, Ordering::Relaxed) + 1 >= CHECKS
                }
            }
        });
        if !is_wrong {
            return None;
        }
        Some(format!("{} was overwritten with the content of another file", self.database.path.display()))
    }

    /// Whether the database file contains the id of the store. Once the file contains it, another id in a
    /// later check is a fault.
    pub(crate) fn has_id_in_file(&self) -> bool {
        self.id(Log::Ignored) == Id::This
    }

    /// Reads the store's id on a new connection. SQLite opens the file, because closing another descriptor of the
    /// file would end SQLite's locks.
    fn id(&self, log: Log) -> Id {
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let option = if log == Log::Ignored { "?immutable=1" } else { "" };
        let read = include_str!("../../sql/facts/read.sql");
        let found = Connection::open_with_flags(address(&self.database.path) + option, flags)
            .and_then(|from| from.query_row(read, [Fact::StoreId.word()], |row| row.get::<_, String>(0)));
        match found {
            Ok(id) if id == self.store_id => {
                if log == Log::Ignored {
                    self.is_in_file.store(true, Ordering::Relaxed);
                    self.contradictions.store(0, Ordering::Relaxed);
                }
                Id::This
            }
            Ok(_) => Id::Another,
            Err(cause) => Id::of_fault(&cause),
        }
    }
}

/// Whether a read of the store's id also reads the write-ahead log. With the log, the last writes are seen, even if
/// the file was replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Log {
    Read,
    Ignored,
}

/// Result of reading the id of a store.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Id {
    This,
    /// The id of another store, or a file that is no database.
    Another,
    /// The database is damaged, incomplete, or has no id.
    Unreadable,
    /// The read failed for a reason that says nothing about the file, such as a lack of memory.
    Unknown,
}

impl Id {
    fn of_fault(cause: &rusqlite::Error) -> Self {
        match (cause, cause.sqlite_error_code()) {
            (rusqlite::Error::QueryReturnedNoRows, _) => Id::Unreadable,
            (_, Some(ErrorCode::NotADatabase)) => Id::Another,
            // `Unknown` is SQLite's general error, such as a missing table.
            (_, Some(ErrorCode::DatabaseCorrupt | ErrorCode::Unknown)) => Id::Unreadable,
            _ => Id::Unknown,
        }
    }
}
