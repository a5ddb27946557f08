//! The data folder of a demo: its credentials are public, so a file marks it, and no other server uses it.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::failure::{Failure, Result};

/// The file that marks a data folder as a demo's.
const MARK: &str = "THIS-IS-A-DEMO";

/// Marks a data folder as a demo's.
///
/// # Errors
/// [`Failure::Configuration`] if it holds another server's data, [`Failure::Away`] if it cannot be written.
pub(crate) fn mark(folder: &Path) -> Result<()> {
    let mark = folder.join(MARK);
    if !mark.exists() && folder.join(storage::sqlite::FILE).exists() {
        let shown = folder.display();
        return Err(Failure::Configuration(format!(
            "{shown} holds data that does not belong to a demo; --demo does not change it"
        )));
    }
    let text =
        "This folder belongs to 'covernote serve --demo'. Its credentials are public; keep nothing here.\n";
    let made = storage::open_or_create(&mark, fs::OpenOptions::new().write(true));
    made.and_then(|mut mark| mark.write_all(text.as_bytes()))
        .map_err(|cause| Failure::Away(format!("{}: {cause}", mark.display())))
}

/// Whether a data folder is a demo's.
pub(crate) fn is_marked(folder: &Path) -> bool {
    folder.join(MARK).exists()
}

/// Refuses a demo's data folder.
///
/// # Errors
/// [`Failure::Configuration`].
pub(crate) fn refuse_marked(folder: &Path) -> Result<()> {
    if !is_marked(folder) {
        return Ok(());
    }
    let shown = folder.display();
    Err(Failure::Configuration(format!(
        "{shown} is a demo's data folder, and its credentials are public; name another folder with --data"
    )))
}
