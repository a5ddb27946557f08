//! The lock of a data folder: one server at a time serves from it, and its number stands in the file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::Pid;

use crate::failure::Failure;

fn file(folder: &Path) -> PathBuf {
    folder.join("server.lock")
}

fn away(folder: &Path, cause: &io::Error) -> Failure {
    Failure::Away(format!("{}: {cause}", file(folder).display()))
}

fn open(folder: &Path) -> Result<File, Failure> {
    let opened = OpenOptions::new().create(true).truncate(false).write(true).open(file(folder));
    opened.map_err(|cause| away(folder, &cause))
}

/// How often a server tries to hold its folder: a command that only looks holds it for less than one of these.
const TRIES: u32 = 10;

/// The pause between two tries.
const PAUSE: Duration = Duration::from_millis(20);

/// Holds the data folder until what is returned is dropped, or the process ends however it does.
///
/// # Errors
/// [`Failure::Away`] when another server holds it.
pub(crate) fn acquire(folder: &Path) -> Result<File, Failure> {
    let mut held = acquire_for_command(folder)?;
    write!(held, "{}", std::process::id()).map_err(|cause| away(folder, &cause))?;
    Ok(held)
}

/// Holds the data folder for a command: no server starts on it meanwhile, and the file names nobody, since whoever it
/// names is signalled.
///
/// # Errors
/// [`Failure::Away`] when a server holds it.
pub(crate) fn acquire_for_command(folder: &Path) -> Result<File, Failure> {
    let held = open(folder)?;
    let mut tries = 1;
    while let Err(refused) = held.try_lock() {
        match refused {
            TryLockError::WouldBlock if tries < TRIES => {
                tries += 1;
                std::thread::sleep(PAUSE);
            }
            TryLockError::WouldBlock => {
                let shown = folder.display();
                return Err(Failure::Away(format!("the data folder {shown} is held by another server")));
            }
            TryLockError::Error(cause) => return Err(away(folder, &cause)),
        }
    }
    held.set_len(0).map_err(|cause| away(folder, &cause))?;
    Ok(held)
}

/// Leaves the data folder: the file names nobody any more.
pub(crate) fn release(held: File) {
    // Where this fails, the lock is gone with the process all the same, and nobody is signalled without it.
    let _ = held.set_len(0);
}

/// The server that holds the data folder.
///
/// # Errors
/// [`Failure::Failed`] when none does.
pub(crate) fn holder(folder: &Path) -> Result<Pid, Failure> {
    let none = || Failure::Failed(format!("no server runs on the data folder {}", folder.display()));
    if !file(folder).exists() || open(folder)?.try_lock_shared().is_ok() {
        return Err(none());
    }
    let number = fs::read_to_string(file(folder)).map_err(|cause| away(folder, &cause))?;
    number.trim().parse().ok().and_then(Pid::from_raw).ok_or_else(none)
}
