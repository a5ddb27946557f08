//! Files that commands write what they were asked for into: whole or not at all, and never over another one.

use std::fmt::Display;
use std::path::Path;

use storage::AtomicFile;

use crate::failure::{Failure, Result};

/// Begins a file that gets its name once it is complete.
pub(super) fn begin(out: &Path) -> Result<AtomicFile> {
    if out.symlink_metadata().is_ok() {
        return Err(Failure::Away(format!("{} is there already", out.display())));
    }
    AtomicFile::begin(out).map_err(|cause| broken(out, &cause))
}

/// Gives it its name.
pub(super) fn finish(file: AtomicFile, out: &Path) -> Result<()> {
    file.finish().map_err(|cause| broken(out, &cause))
}

/// What is said where it cannot be written.
pub(super) fn broken(out: &Path, cause: &dyn Display) -> Failure {
    Failure::Away(format!("{} cannot be written: {cause}", out.display()))
}
