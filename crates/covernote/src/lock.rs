//! The lock of a data folder: one server at a time uses the folder. The file contains that server's process
//! id.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::Pid;

use crate::failure::{Failure, Result};

fn file(folder: &Path) -> PathBuf {
    folder.join("server.lock")
}

fn away(folder: &Path, cause: &io::Error) -> Failure {
    Failure::Away(format!("{}: {cause}", file(folder).display()))
}

fn open(folder: &Path) -> Result<File> {
    let opened = OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(file(folder));
    opened.map_err(|cause| away(folder, &cause))
}

/// Most attempts to lock a folder that another process has locked.
const TRIES: u32 = 10;

/// Pause between two attempts to lock a folder.
const PAUSE: Duration = Duration::from_millis(20);

/// Longest wait of a server for a command that has the lock.
const LONGEST_COMMAND: Duration = Duration::from_secs(30);

/// Locks the data folder until the returned file is dropped or the process ends. Waits for a command that has
/// the lock.
///
/// # Errors
/// [`Failure::Away`] if another server holds the lock, or if a command does not release it in time.
pub(crate) fn acquire(folder: &Path) -> Result<File> {
    let began = Instant::now();
    let mut held = loop {
        if let Some(held) = try_for_command(folder)? {
            break held;
        }
        // A command writes no process id.
        let of_server = fs::read_to_string(file(folder)).is_ok_and(|number| !number.is_empty());
        if began.elapsed() > if of_server { TRIES * PAUSE } else { LONGEST_COMMAND } {
            let what = if of_server { "another server" } else { "a command" };
            return Err(Failure::Away(format!("{what} uses the data folder {}", folder.display())));
        }
        std::thread::sleep(PAUSE);
    };
    write!(held, "{}", std::process::id()).map_err(|cause| away(folder, &cause))?;
    Ok(held)
}

/// Locks the data folder for a command, so that no server starts on it meanwhile. The file stays without a
/// process id, so that other processes do not take the command for a server.
///
/// # Errors
/// [`Failure::Away`] if a server holds the lock.
pub(crate) fn acquire_for_command(folder: &Path) -> Result<File> {
    for _ in 1..TRIES {
        if let Some(held) = try_for_command(folder)? {
            return Ok(held);
        }
        std::thread::sleep(PAUSE);
    }
    let shown = folder.display();
    let used = || Failure::Away(format!("another server uses the data folder {shown}"));
    try_for_command(folder)?.ok_or_else(used)
}

/// Tries once to lock the data folder for a command. `None` if another process holds the lock.
///
/// # Errors
/// [`Failure::Away`] if the file cannot be used.
pub(crate) fn try_for_command(folder: &Path) -> Result<Option<File>> {
    let held = open(folder)?;
    match held.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(cause)) => return Err(away(folder, &cause)),
    }
    held.set_len(0).map_err(|cause| away(folder, &cause))?;
    Ok(Some(held))
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
    if !file(folder).exists() || open(folder)?.try_lock_shared().is_ok() {
        return Err(none());
    }
    let number = fs::read_to_string(file(folder)).map_err(|cause| away(folder, &cause))?;
    number.trim().parse().ok().and_then(Pid::from_raw).ok_or_else(none)
}
