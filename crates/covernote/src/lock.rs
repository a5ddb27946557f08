//! The locks of a data folder: one server at a time uses the store of the folder. `server.lock` contains that
//! server's process id.
//!
//! A command that runs its act itself, because no server runs, holds `command.lock`. This delays other such commands,
//! but no server. Server and command may use the store together for a moment, as several processes do on PostgreSQL.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Pid;

use crate::failure::{Failure, Result};

const SERVER: &str = "server.lock";
const COMMAND: &str = "command.lock";

/// Path of a lock. It is beside the database, even if the data folder has only a link to the database.
fn file(folder: &Path, name: &str) -> Result<PathBuf> {
    Ok(storage::sqlite::home(folder)?.join(name))
}

fn away(path: &Path, cause: &io::Error) -> Failure {
    Failure::Away(format!("{}: {cause}", path.display()))
}

fn open(path: &Path) -> Result<File> {
    storage::open_or_create(path, OpenOptions::new().write(true)).map_err(|cause| away(path, &cause))
}

/// Most attempts to lock a folder that another process has locked. A command locks it for a moment to look for a
/// server.
const TRIES: u32 = 10;

/// Pause between two attempts to lock a folder.
const PAUSE: Duration = Duration::from_millis(20);

/// Tries once to lock a file. `None` if another process holds the lock.
fn try_lock(path: &Path) -> Result<Option<File>> {
    let held = open(path)?;
    match held.try_lock() {
        Ok(()) => Ok(Some(held)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(cause)) => Err(away(path, &cause)),
    }
}

/// Locks the data folder until the returned file is dropped or the process ends.
///
/// # Errors
/// [`Failure::Away`] if another server holds the lock, or a command that replaces the store.
pub(crate) fn acquire(folder: &Path) -> Result<File> {
    let path = file(folder, SERVER)?;
    for attempt in 0..TRIES {
        if attempt > 0 {
            std::thread::sleep(PAUSE);
        }
        if let Some(mut held) = try_lock(&path)? {
            held.set_len(0).map_err(|cause| away(&path, &cause))?;
            write!(held, "{}", std::process::id()).map_err(|cause| away(&path, &cause))?;
            return Ok(held);
        }
    }
    // A command writes no process id.
    let of_server = fs::read_to_string(&path).is_ok_and(|number| !number.is_empty());
    let what = if of_server { "another server" } else { "a command" };
    Err(Failure::Away(format!("{what} uses the data folder {}", folder.display())))
}

/// Locks the data folder for a command that creates its store, so that no server starts and no other command runs
/// meanwhile.
///
/// # Errors
/// [`Failure::Away`] if a server or a command holds the lock.
pub(crate) fn acquire_for_command(folder: &Path) -> Result<[File; 2]> {
    let server = acquire(folder)?;
    // The file stays without a process id, so that other processes do not take the command for a server.
    server.set_len(0).map_err(|cause| away(folder, &cause))?;
    let command = try_lock(&file(folder, COMMAND)?)?;
    let used = || Failure::Away(format!("a command uses the data folder {}", folder.display()));
    Ok([server, command.ok_or_else(used)?])
}

/// Tries once to lock the data folder for a command that runs its act itself. `None` if a server or another such
/// command runs.
///
/// # Errors
/// [`Failure::Away`] if the files cannot be used.
pub(crate) fn try_for_command(folder: &Path) -> Result<Option<File>> {
    if open(&file(folder, SERVER)?)?.try_lock_shared().is_err() {
        return Ok(None);
    }
    try_lock(&file(folder, COMMAND)?)
}

/// Releases the data folder, and removes the process id from the file.
pub(crate) fn release(held: File) {
    // If this fails, the lock is still released when the process ends. `holder` ignores a process id without
    // a lock.
    let _ = held.set_len(0);
}

/// Process id of the server that holds the lock.
///
/// # Errors
/// [`Failure::Failed`] if no server holds the lock.
pub(crate) fn holder(folder: &Path) -> Result<Pid> {
    let none = || Failure::Failed(format!("no server runs on the data folder {}", folder.display()));
    let path = file(folder, SERVER)?;
    if !path.exists() || open(&path)?.try_lock_shared().is_ok() {
        return Err(none());
    }
    let number = fs::read_to_string(&path).map_err(|cause| away(&path, &cause))?;
    number.trim().parse().ok().and_then(Pid::from_raw).ok_or_else(none)
}
