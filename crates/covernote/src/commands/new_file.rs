//! Output files of commands: written completely or not at all, and never over an existing file.

use std::fmt::Display;
use std::path::Path;

use storage::AtomicFile;

use crate::failure::{Failure, Result};

/// Begins a file that gets its name once it is complete.
pub(super) fn begin(out: &Path) -> Result<AtomicFile> {
    if out.symlink_metadata().is_ok() {
        return Err(Failure::Away(format!("{} already exists", out.display())));
    }
    AtomicFile::begin(out).map_err(|cause| broken(out, &cause))
}

/// Gives a complete file its name.
pub(super) fn finish(file: AtomicFile, out: &Path) -> Result<()> {
    file.finish().map_err(|cause| broken(out, &cause))
}

/// The failure of a file that cannot be written.
pub(super) fn broken(out: &Path, cause: &dyn Display) -> Failure {
    Failure::Away(format!("{} cannot be written: {cause}", out.display()))
}
