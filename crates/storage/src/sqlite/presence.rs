//! Checks that the database is still the file at its path. If an operator removes or replaces it under a running server, what is
//! written after that is lost with the process (D109).

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{fs, io};

use ports::storage::{Fact, Result, StorageError};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::address;

/// Size of the log, in bytes, from which on the server truncates it as soon as nothing is written.
const LARGE_LOG: u64 = 32 << 20;

/// Reads of another id, with a pause between two, after which it is believed.
const READS: u32 = 5;
const READ_PAUSE: Duration = Duration::from_millis(100);

/// The files of a store as they were when it was opened.
pub(crate) struct Presence {
    database: WatchedFile,
    log: WatchedFile,
    store_id: String,
    /// Whether the database has had the id at some look.
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

    /// Its size, if it is still there.
    fn look(&self) -> Result<u64, String> {
        let path = self.path.display();
        match fs::metadata(&self.path) {
            Ok(found) if (found.dev(), found.ino()) == (self.device, self.inode) => Ok(found.len()),
            Ok(_) => Err(format!("{path} was replaced by another file while this server used it")),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                Err(format!("{path} was removed while this server used it"))
            }
            // The system may be short of something for a moment.
            Err(_) => Ok(0),
        }
    }
}

impl Presence {
    /// Of an open database, whose log is there.
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

    /// Whether the files are those that were opened. `true`: the log is large.
    pub(crate) fn look(&self) -> Result<bool, String> {
        self.database.look()?;
        self.log.look().map(|bytes| bytes >= LARGE_LOG)
    }

    /// Whether the database itself is still there.
    pub(crate) fn has_database(&self) -> bool {
        self.database.look().is_ok()
    }

    /// The same as [`Presence::look`], and reads the id of the store in the database: a file can get the content of another one. Then a
    /// read of this server may have removed the log, so the content is judged before the log.
    pub(crate) fn read(&self) -> Result<bool, String> {
        self.database.look()?;
        if !self.has_own_content() {
            return Err(format!("{} has the content of another file", self.database.path.display()));
        }
        self.look()
    }

    fn has_own_content(&self) -> bool {
        for _ in 0..READS {
            match self.id_in_file() {
                IdInFile::This | IdInFile::Unknown => return true,
                // A new store has its id in the log alone until that is written back.
                IdInFile::Another if !self.is_in_file.load(Ordering::Relaxed) => return true,
                // Or the log is being written back just now.
                IdInFile::Another => std::thread::sleep(READ_PAUSE),
            }
        }
        false
    }

    /// Whether the database has the id of the store without its log. Once it has, another id at a later look is a fault.
    pub(crate) fn has_id_in_file(&self) -> bool {
        self.id_in_file() == IdInFile::This
    }

    /// Reads the file without its log, which would show what was written last, whatever the file is now.
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
                // Short of descriptors or memory: that says nothing about the file.
                _ => IdInFile::Unknown,
            },
        }
    }
}

/// What a database says of itself.
#[derive(PartialEq, Eq)]
enum IdInFile {
    This,
    Another,
    Unknown,
}
