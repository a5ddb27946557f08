//! How a store is opened: by whom, with which keyring, and which store it must be, so that an empty folder or another
//! database is never taken for it (D109).
//!
//! Uses `act`, `atomic_file`, `engine`, `fields`, `keyring`, `postgres`, `records`, `seal`, `sqlite`.

pub(crate) mod postgres;
pub(crate) mod sqlite;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use domain::id::Uuid;
use ports::clock::Random;

use crate::OpenError;
use crate::atomic_file::AtomicFile;
use crate::keyring::KeyringSource;

/// What a process says when it opens a store.
#[derive(Debug, Clone)]
pub struct Opening {
    pub keyring: KeyringSource,
    /// The id that the store must have, as the settings name it.
    pub store_id: Option<String>,
    /// Whether it is a server. A command leaves the log of SQLite to the server beside it (D110).
    pub is_server: bool,
}

impl<S: Into<KeyringSource>> From<S> for Opening {
    /// A server that expects no store.
    fn from(keyring: S) -> Self {
        Opening { keyring: keyring.into(), store_id: None, is_server: true }
    }
}

impl Opening {
    /// The file beside a file keyring that names the store which the keyring belongs to.
    fn marker(&self) -> Option<PathBuf> {
        let mut marker = self.keyring.file()?.as_os_str().to_owned();
        marker.push(".store");
        Some(marker.into())
    }

    /// The ids that the store must have, each with who says so.
    fn expected(&self) -> Result<Vec<(String, String)>, OpenError> {
        let mut expected = Vec::new();
        expected.extend(self.store_id.clone().map(|id| (id, "the setting store_id".to_owned())));
        if let Some(marker) = self.marker() {
            match fs::read_to_string(&marker) {
                Ok(text) => expected.push((text.trim().to_owned(), marker.display().to_string())),
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
                Err(cause) => return Err(OpenError::Unfit(format!("{}: {cause}", marker.display()))),
            }
        }
        Ok(expected)
    }

    /// Refuses to make a new store where another one is expected. `place` is where it would be made.
    pub(crate) fn may_make(&self, place: &str) -> Result<(), OpenError> {
        match self.expected()?.into_iter().next() {
            None => Ok(()),
            Some((id, says)) => Err(OpenError::Missing(format!(
                "there is no store in {place}, but {says} expects the store {id}: is the right folder mounted, and is the \
                 right database named? Restore a backup if the store is lost. To begin with a new store, remove {says}"
            ))),
        }
    }

    /// The id of a store that was found with this id. One from before stores had ids takes the expected one, or a new one.
    pub(crate) fn accept(&self, found: Option<String>, random: &dyn Random) -> Result<String, OpenError> {
        let expected = self.expected()?;
        if let Some(found) = &found
            && let Some((id, says)) = expected.iter().find(|(id, _)| id != found)
        {
            return Err(OpenError::Another(format!(
                "this is the store {found}, but {says} expects the store {id}: name the right data folder or database. If \
                 this is the right store, correct {says}"
            )));
        }
        Ok(found.or_else(|| expected.into_iter().next().map(|(id, _)| id)).unwrap_or_else(|| new_id(random)))
    }

    /// Writes the marker beside a file keyring, if there is none.
    pub(crate) fn mark(&self, id: &str) {
        let Some(marker) = self.marker().filter(|marker| !marker.exists()) else { return };
        let written = AtomicFile::begin(&marker).and_then(|begun| {
            begun.file().write_all(format!("{id}\n").as_bytes())?;
            begun.finish()
        });
        if let Err(cause) = written
            && !marker.exists()
        {
            tracing::warn!(
                "{} cannot be written ({cause}): set store_id to {id}, so that no other store is taken for this one",
                marker.display()
            );
        }
    }
}

fn new_id(random: &dyn Random) -> String {
    let mut bytes = [0; 16];
    random.fill(&mut bytes);
    Uuid::from_bytes(bytes).to_string()
}
