//! Snapshots of SQLite stores: the content at one moment, which stays the same while other processes write.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use domain::id::PartnerId;
use ports::storage::{Result, StorageError};
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags, params};
use thiserror::Error;

use crate::OpenError;
use crate::atomic_file::AtomicFile;
use crate::keyring::Keyring;
use crate::opening::sqlite::{keys, lock};
use crate::records::id_bytes;
use crate::sqlite::presence::LARGE_LOG;
use crate::sqlite::row::fault;
use crate::sqlite::{BUSY, address, beside, database, files_of, migration};
use crate::verify::sqlite::look;
use crate::verify::{Progress, Scope, Verified};

/// Number of pages that are copied between two reports of progress: 4 MiB.
const STEP: i32 = 1024;

/// Longest wait for the server to truncate the write-ahead log. Another snapshot may prevent this as long as it
/// exists.
const LONGEST_WAIT: Duration = Duration::from_mins(30);

const PAUSE: Duration = Duration::from_millis(100);

/// SQLite's way to access files without locks. An unfinished copy needs no locks, because no other process
/// knows its name.
const UNLOCKED: &str = "unix-none";

/// Why a file cannot be used as a store.
#[derive(Debug, Error)]
pub enum Unfit {
    /// The file is not a complete store.
    #[error("{0}")]
    NoStore(String),
    /// A newer program wrote the file.
    #[error(
        "the store's schema has version {found}, but this program supports at most {known}: use a newer covernote"
    )]
    Newer {
        /// Version of the file's schema.
        found: i32,
        /// Newest version of the schema that this program knows.
        known: i32,
    },
    /// The keyring does not open the store's keys.
    #[error("{0}")]
    Keyring(String),
    /// The file cannot be read.
    #[error(transparent)]
    Store(#[from] StorageError),
}

/// SQLite store as it was when the snapshot was made.
pub struct Snapshot {
    /// Connection with an open read transaction, so that it does not see later writes.
    connection: Connection,
    schema: i32,
}

impl Snapshot {
    /// Snapshot of the store in a data folder. Other processes may write to the store meanwhile.
    ///
    /// While a server runs, first waits until the write-ahead log is short. The server cannot truncate the log while
    /// a snapshot exists, so snapshots that overlap would let it grow without end. `is_served`: whether a server runs.
    ///
    /// # Errors
    /// [`Unfit`] if the file is not a store or cannot be read.
    pub fn of_folder(folder: &Path, is_served: impl Fn() -> bool) -> Result<Self, Unfit> {
        let (log, began) = (beside(&database(folder)?, "-wal"), Instant::now());
        while fs::metadata(&log).is_ok_and(|log| log.len() >= LARGE_LOG) && is_served() {
            if began.elapsed() > LONGEST_WAIT {
                tracing::warn!("{} was not truncated in time: it may grow more", log.display());
                break;
            }
            std::thread::sleep(PAUSE);
        }
        // In read-only mode, SQLite would leave the files of an empty log behind if no server runs.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Self::of(Connection::open_with_flags(database(folder)?, flags))
    }

    /// Snapshot of a store's file, such as a backup. Writes nothing into its folder, unless a log is beside
    /// it.
    ///
    /// # Errors
    /// [`Unfit`] if the file is not a store or cannot be read.
    pub fn of_file(file: &Path) -> Result<Self, Unfit> {
        let journal = beside(file, "-journal");
        if journal.exists() {
            let journal = journal.display();
            let why = format!(
                "do not use this file: it is incomplete, or {journal} beside it belongs to another database file"
            );
            return Err(Unfit::NoStore(why));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        if beside(file, "-wal").exists() {
            return Self::of(Connection::open_with_flags(file, flags));
        }
        // The file requires a log but has none, so nobody writes to it. `immutable` lets SQLite read it
        // without creating a log.
        let unchanging = if needs_log(file) { "?immutable=1" } else { "" };
        let address = format!("{}{unchanging}", address(file));
        Self::of(Connection::open_with_flags(address, flags | OpenFlags::SQLITE_OPEN_URI))
    }

    fn of(opened: rusqlite::Result<Connection>) -> Result<Self, Unfit> {
        let connection = opened.map_err(unreadable)?;
        connection.busy_timeout(BUSY).map_err(unreadable)?;
        let begin = "pragma query_only = on; pragma trusted_schema = off; pragma cache_size = -8000; begin";
        connection.execute_batch(begin).map_err(unreadable)?;
        // The first read fixes the moment of the snapshot.
        let is_store = include_str!("../sql/migrations/is_store.sql");
        if !connection.query_row(is_store, (), |row| row.get(0)).map_err(unreadable)? {
            return Err(Unfit::NoStore("the file is a database, but not a covernote store".into()));
        }
        let (schema, known) = (migration::newest(&connection)?, migration::known());
        if schema > known {
            return Err(Unfit::Newer { found: schema, known });
        }
        Ok(Snapshot { connection, schema })
    }

    /// Version of the store's schema.
    pub fn schema(&self) -> i32 {
        self.schema
    }

    /// Checks that a keyring opens the store's keys.
    ///
    /// # Errors
    /// [`Unfit::Keyring`] if the keyring does not open them.
    pub fn opens_with(&self, keyring: &Keyring) -> Result<(), Unfit> {
        match keys(&self.connection, keyring) {
            Ok(_) => Ok(()),
            Err(StorageError::Damaged(why)) => Err(Unfit::Keyring(why)),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Whether the store has a partner.
    ///
    /// # Errors
    /// [`StorageError`] if the file cannot be read.
    pub fn has_partner(&self, id: PartnerId) -> Result<bool> {
        let find = include_str!("../sql/partners/exists.sql");
        self.connection.query_row(find, params![id_bytes(id)], |row| row.get(0)).map_err(fault)
    }

    /// Verifies the records of the store. Faults of records are in the result, not errors.
    ///
    /// # Errors
    /// [`Unfit::Keyring`] if the keyring does not open the store's keys.
    pub fn verify(&self, keyring: &Keyring, scope: Scope, progress: Progress<'_>) -> Result<Verified, Unfit> {
        self.opens_with(keyring)?;
        let open = keys(&self.connection, keyring)?;
        Ok(look(&self.connection, scope, (self.schema, &open), progress))
    }

    /// Copies the store, page by page, into one file that needs no log beside it. `progress` gets the number
    /// of bytes copied so far, and the number of all bytes.
    ///
    /// The copy has a temporary name in the same folder until [`Copied::finish`], which also syncs it. Drop
    /// the snapshot soon: while it exists, every write makes the store's log grow.
    ///
    /// # Errors
    /// [`StorageError::Away`] if the copy cannot be written. The unfinished copy is then removed.
    pub fn copy(&self, to: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<Copied> {
        let begun = AtomicFile::begin(to).map_err(|cause| away(to, &cause))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut copy = Connection::open_with_flags_and_vfs(begun.path(), flags, UNLOCKED).map_err(fault)?;
        // An unfinished copy is removed, so it needs no protection against loss.
        let prepare = "pragma locking_mode = exclusive; pragma journal_mode = off; pragma synchronous = off; \
                       pragma cache_size = -8000;";
        copy.execute_batch(prepare).map_err(fault)?;
        let page: u64 = self
            .connection
            .query_row("pragma page_size", (), |row| row.get::<_, u32>(0))
            .map_err(fault)?
            .into();
        let backup = Backup::new(&self.connection, &mut copy).map_err(fault)?;
        loop {
            // The snapshot is one transaction, so SQLite does not start the copy again if others write
            // between two steps.
            let stepped = backup.step(STEP).map_err(fault)?;
            let at = backup.progress();
            let [left, all] =
                [at.remaining, at.pagecount].map(|pages| u64::from(pages.unsigned_abs()) * page);
            progress(all - left, all);
            match stepped {
                StepResult::Done => break,
                StepResult::More => {}
                _ => return Err(StorageError::Away(format!("{}: the file is in use", to.display()))),
            }
        }
        drop(backup);
        // The copied header says that there is a log. This changes the header, so that no process that opens
        // the copy must create a log.
        let mode: String =
            copy.query_row("pragma journal_mode = delete", (), |row| row.get(0)).map_err(fault)?;
        if mode != "delete" {
            return Err(StorageError::Away(format!(
                "{}: the write-ahead log of the file cannot be switched off",
                to.display()
            )));
        }
        copy.close().map_err(|(_, cause)| fault(cause))?;
        Ok(Copied { file: begun, of: to.to_owned() })
    }
}

/// Converts the error of a file that cannot be read at all.
fn unreadable(cause: rusqlite::Error) -> Unfit {
    match cause.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Unfit::NoStore("the file is not a covernote store".into()),
        Some(ErrorCode::DatabaseCorrupt) => Unfit::NoStore("the file is incomplete or damaged".into()),
        _ => Unfit::Store(fault(cause)),
    }
}

/// Complete copy of a store that does not have its final name yet. If this value is dropped, the copy is
/// removed.
pub struct Copied {
    file: AtomicFile,
    of: PathBuf,
}

impl Copied {
    /// Size of the copy in bytes.
    ///
    /// # Errors
    /// [`StorageError::Away`] if the size cannot be read.
    pub fn bytes(&self) -> Result<u64> {
        self.file.file().metadata().map(|found| found.len()).map_err(|cause| away(&self.of, &cause))
    }

    /// Snapshot of the copy, to check what is on disk.
    ///
    /// # Errors
    /// [`Unfit`] if the copy is not a store or cannot be read.
    pub fn snapshot(&self) -> Result<Snapshot, Unfit> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Snapshot::of(Connection::open_with_flags_and_vfs(self.file.path(), flags, UNLOCKED))
    }

    /// Syncs the copy to disk and gives it its final name.
    ///
    /// # Errors
    /// [`StorageError::Refused`] if a file with the final name was created meanwhile; [`StorageError::Away`]
    /// if the copy cannot be synced or renamed.
    pub fn finish(self) -> Result<()> {
        self.file.finish().map_err(|cause| match cause.kind() {
            io::ErrorKind::AlreadyExists => {
                StorageError::Refused(format!("{} was created meanwhile", self.of.display()))
            }
            _ => away(&self.of, &cause),
        })
    }

    /// Makes the copy the store of a folder that has no store. `keyring`: path of a keyring to copy, and path
    /// of its copy. No process can open or create a store in the folder meanwhile.
    ///
    /// # Errors
    /// [`OpenError`] if this fails. The folder then has no store.
    pub fn finish_as_store(self, folder: &Path, keyring: Option<(&Path, &Path)>) -> Result<(), OpenError> {
        let _opening = lock(folder)?;
        if let Some(there) = files_of(&self.of).find(|file| file.exists()) {
            return Err(StorageError::Refused(format!("{} was created meanwhile", there.display())).into());
        }
        if let Some((from, to)) = keyring {
            Keyring::copy(from, to)?;
        }
        Ok(self.finish()?)
    }
}

fn away(file: &Path, cause: &io::Error) -> StorageError {
    StorageError::Away(format!("{}: {cause}", file.display()))
}

/// Whether the header of a database says that it uses a write-ahead log: in SQLite's format, byte 18 is then
/// 2.
fn needs_log(file: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; 20];
    let read = fs::File::open(file).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head[18] == 2
}
