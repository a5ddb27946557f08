//! A store's file at one moment: looked at, copied and verified while others write, and never changed.

use std::path::{Path, PathBuf};
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
use crate::sqlite::row::fault;
use crate::sqlite::{BUSY, FILE, address, migration};
use crate::verify::sqlite::look;
use crate::verify::{Progress, Scope, Verified};

/// Pages that are copied between two looks at the progress: 4 MiB.
const STEP: i32 = 1024;

/// SQLite's way to files without locks: a copy is locked by its name until it is whole.
const UNLOCKED: &str = "unix-none";

/// Why a file cannot be used as a store.
#[derive(Debug, Error)]
pub enum Unfit {
    /// It holds something else, or less.
    #[error("{0}")]
    NoStore(String),
    /// It was written by a newer program.
    #[error("its schema has version {found}, this program knows {known}: use a newer covernote")]
    Newer {
        /// The version of its schema.
        found: i32,
        /// The newest that this program knows.
        known: i32,
    },
    /// The keyring does not open its keys.
    #[error("{0}")]
    Keyring(String),
    /// It cannot be read.
    #[error(transparent)]
    Store(#[from] StorageError),
}

/// A store as it was when this was made.
pub struct Snapshot {
    /// Within a read transaction from the beginning to the end: whatever others write, it sees the same.
    connection: Connection,
    schema: i32,
}

impl Snapshot {
    /// Of the store in a data folder, beside whoever writes to it.
    ///
    /// # Errors
    /// [`Unfit`].
    pub fn of_folder(folder: &Path) -> Result<Self, Unfit> {
        // Read-only, SQLite would leave the files of an empty log behind where no server runs.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Self::of(Connection::open_with_flags(folder.join(FILE), flags))
    }

    /// Of a file that somebody kept. Nothing is written into its folder, unless a log lies beside it.
    ///
    /// # Errors
    /// [`Unfit`].
    pub fn of_file(file: &Path) -> Result<Self, Unfit> {
        let journal = beside(file, "-journal");
        if journal.exists() {
            let journal = journal.display();
            let why =
                format!("it was not finished, or another file left {journal} behind: it cannot be trusted");
            return Err(Unfit::NoStore(why));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        if beside(file, "-wal").exists() {
            return Self::of(Connection::open_with_flags(file, flags));
        }
        // Without a log nobody writes to it in that mode, and SQLite need not make one to read.
        let unchanging = if needs_log(file) { "?immutable=1" } else { "" };
        let address = format!("{}{unchanging}", address(file));
        Self::of(Connection::open_with_flags(address, flags | OpenFlags::SQLITE_OPEN_URI))
    }

    fn of(opened: rusqlite::Result<Connection>) -> Result<Self, Unfit> {
        let connection = opened.map_err(unreadable)?;
        connection.busy_timeout(BUSY).map_err(unreadable)?;
        let begin = "pragma query_only = on; pragma trusted_schema = off; pragma cache_size = -8000; begin";
        connection.execute_batch(begin).map_err(unreadable)?;
        // The first read fixes the moment.
        let is_store = include_str!("../sql/migrations/is_store.sql");
        if !connection.query_row(is_store, (), |row| row.get(0)).map_err(unreadable)? {
            return Err(Unfit::NoStore("it is a database, and no covernote store".into()));
        }
        let (schema, known) = (migration::newest(&connection)?, migration::known());
        if schema > known {
            return Err(Unfit::Newer { found: schema, known });
        }
        Ok(Snapshot { connection, schema })
    }

    /// The version of its schema.
    pub fn schema(&self) -> i32 {
        self.schema
    }

    /// Whether a keyring opens its keys.
    ///
    /// # Errors
    /// [`Unfit::Keyring`] when it does not.
    pub fn opens_with(&self, keyring: &Keyring) -> Result<(), Unfit> {
        match keys(&self.connection, keyring) {
            Ok(_) => Ok(()),
            Err(StorageError::Damaged(why)) => Err(Unfit::Keyring(why)),
            Err(fault) => Err(fault.into()),
        }
    }

    /// Whether a partner is in it.
    ///
    /// # Errors
    /// [`StorageError`].
    pub fn has_partner(&self, id: PartnerId) -> Result<bool> {
        let find = include_str!("../sql/partners/exists.sql");
        self.connection.query_row(find, params![id_bytes(id)], |row| row.get(0)).map_err(fault)
    }

    /// Verifies what is in it.
    ///
    /// # Errors
    /// [`Unfit::Keyring`] when the keyring does not open its keys. What is wrong with its records is no error.
    pub fn verify(&self, keyring: &Keyring, scope: Scope, progress: Progress<'_>) -> Result<Verified, Unfit> {
        self.opens_with(keyring)?;
        let open = keys(&self.connection, keyring)?;
        Ok(look(&self.connection, scope, (self.schema, &open), progress))
    }

    /// Copies it, page by page, into one file that needs no log beside it. `progress` hears how many bytes of how many
    /// were copied. The copy has another name in the same folder until [`Copied::finish`], which also brings it to the
    /// disk: the log of a store that is written to grows for as long as its snapshot is there.
    ///
    /// # Errors
    /// [`StorageError::Away`] when the copy cannot be written: then nothing is left of it.
    pub fn copy(&self, to: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<Copied> {
        let begun = AtomicFile::begin(to).map_err(|cause| away(to, &cause))?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut copy = Connection::open_with_flags_and_vfs(begun.path(), flags, UNLOCKED).map_err(fault)?;
        // Nothing can be lost of a file that goes when it is not finished.
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
            // Within one transaction SQLite has no reason to begin anew when others write between two steps.
            let stepped = backup.step(STEP).map_err(fault)?;
            let at = backup.progress();
            let [left, all] =
                [at.remaining, at.pagecount].map(|pages| u64::from(pages.unsigned_abs()) * page);
            progress(all - left, all);
            match stepped {
                StepResult::Done => break,
                StepResult::More => {}
                _ => return Err(StorageError::Away(format!("{}: it is in use", to.display()))),
            }
        }
        drop(backup);
        // Copied from a store with a log, it says that it has one; nobody who opens it shall have to make one.
        let mode: String =
            copy.query_row("pragma journal_mode = delete", (), |row| row.get(0)).map_err(fault)?;
        if mode != "delete" {
            return Err(StorageError::Away(format!("{}: its log cannot be given up", to.display())));
        }
        copy.close().map_err(|(_, cause)| fault(cause))?;
        Ok(Copied { file: begun, of: to.to_owned() })
    }
}

/// Why a file could not even be begun to read.
fn unreadable(cause: rusqlite::Error) -> Unfit {
    match cause.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Unfit::NoStore("it is no covernote store".into()),
        Some(ErrorCode::DatabaseCorrupt) => Unfit::NoStore("it is cut short or damaged".into()),
        _ => Unfit::Store(fault(cause)),
    }
}

/// A whole copy that has no name yet. Dropped, it goes.
pub struct Copied {
    file: AtomicFile,
    of: PathBuf,
}

impl Copied {
    /// How many bytes it has.
    ///
    /// # Errors
    /// [`StorageError::Away`].
    pub fn bytes(&self) -> Result<u64> {
        self.file.file().metadata().map(|found| found.len()).map_err(|cause| away(&self.of, &cause))
    }

    /// Looks at it as it lies on the disk.
    ///
    /// # Errors
    /// [`Unfit`].
    pub fn snapshot(&self) -> Result<Snapshot, Unfit> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Snapshot::of(Connection::open_with_flags_and_vfs(self.file.path(), flags, UNLOCKED))
    }

    /// Brings it to the disk and gives it its name.
    ///
    /// # Errors
    /// [`StorageError::Refused`] when the name was taken meanwhile, [`StorageError::Away`] when it cannot be given.
    pub fn finish(self) -> Result<()> {
        self.file.finish().map_err(|cause| match cause.kind() {
            io::ErrorKind::AlreadyExists => {
                StorageError::Refused(format!("{} is there meanwhile", self.of.display()))
            }
            _ => away(&self.of, &cause),
        })
    }

    /// Makes it the store of the folder it was copied to, which has none, with a copy of this keyring where one is given. Nobody opens or
    /// makes a store there meanwhile.
    ///
    /// # Errors
    /// [`OpenError`]; then there is still no store.
    pub fn finish_as_store(self, folder: &Path, keyring: Option<(&Path, &Path)>) -> Result<(), OpenError> {
        let _opening = lock(folder)?;
        if let Some(there) = files_of(&self.of).find(|file| file.exists()) {
            return Err(StorageError::Refused(format!("{} is there meanwhile", there.display())).into());
        }
        if let Some((from, to)) = keyring {
            Keyring::copy(from, to)?;
        }
        Ok(self.finish()?)
    }
}

/// A database's file and those that SQLite makes beside it. Left behind, they would be taken for those of whatever
/// database is put there.
pub fn files_of(database: &Path) -> impl Iterator<Item = PathBuf> {
    ["", "-wal", "-shm", "-journal"].into_iter().map(move |end| beside(database, end))
}

fn beside(file: &Path, end: &str) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(end);
    PathBuf::from(path)
}

fn away(file: &Path, cause: &io::Error) -> StorageError {
    StorageError::Away(format!("{}: {cause}", file.display()))
}

/// Whether a database says that it has a write-ahead log: byte 18 of the file, by SQLite's format, is 2 then.
fn needs_log(file: &Path) -> bool {
    use std::io::Read;
    let mut head = [0; 20];
    let read = fs::File::open(file).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head[18] == 2
}
