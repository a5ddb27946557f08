//! The lock of a data folder: one server at a time serves from it, and its number stands in the file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustix::process::Pid;

use crate::failure::Failure;

fn file(folder: &Path) -> PathBuf {
    folder.join("server.lock")
}

fn away(folder: &Path, cause: &io::Error) -> Failure {
    Failure::Away(format!("{}: {cause}", file(folder).display()))
}

/// Tries to lock the file. `None`: a server holds it.
fn try_lock(folder: &Path) -> Result<Option<File>, Failure> {
    let opened = OpenOptions::new().create(true).truncate(false).write(true).open(file(folder));
    let opened = opened.map_err(|cause| away(folder, &cause))?;
    match opened.try_lock() {
        Ok(()) => Ok(Some(opened)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(cause)) => Err(away(folder, &cause)),
    }
}

/// Holds the data folder until what is returned is dropped, or the process ends however it does.
///
/// # Errors
/// [`Failure::Away`] when another server holds it.
pub(crate) fn hold(folder: &Path) -> Result<File, Failure> {
    let held = try_lock(folder)?;
    let mut held = held.ok_or_else(|| {
        Failure::Away(format!("the data folder {} is held by another server", folder.display()))
    })?;
    let written = held.set_len(0).and_then(|()| write!(held, "{}", std::process::id()));
    written.map_err(|cause| away(folder, &cause))?;
    Ok(held)
}

/// The server that holds the data folder.
///
/// # Errors
/// [`Failure::Failed`] when none does.
pub(crate) fn holder(folder: &Path) -> Result<Pid, Failure> {
    let none = || Failure::Failed(format!("no server runs on the data folder {}", folder.display()));
    if !file(folder).exists() || try_lock(folder)?.is_some() {
        return Err(none());
    }
    let number = fs::read_to_string(file(folder)).map_err(|cause| away(folder, &cause))?;
    number.trim().parse().ok().and_then(Pid::from_raw).ok_or_else(none)
}
