//! How a process opens a store.
//!
//! The process states the keyring and the id of the expected store, so that it never uses an empty folder or
//! another database by mistake (D109).
//!
//! Uses `atomic_file`, `engine`, `fields`, `keyring`, `operation`, `ownership`, `postgres`, `records`, `seal`,
//! `sqlite`.

pub(crate) mod postgres;
pub(crate) mod sqlite;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use domain::id::Uuid;
use ports::clock::Random;

use crate::OpenError;
use crate::atomic_file::AtomicFile;
use crate::keyring::KeyringSource;
use crate::sqlite::files_of;

/// Options with which a process opens a store.
#[derive(Debug, Clone)]
pub struct Opening {
    pub keyring: KeyringSource,
    /// Expected id of the store, from the setting `store_id`. `None` if the setting is absent.
    pub store_id: Option<String>,
    /// Whether the process is a server. Only a server maintains SQLite's write-ahead log, because commands
    /// may run beside it (D110).
    pub is_server: bool,
    /// Whether the operator wants a new, empty store, although files of an earlier store are there.
    pub makes_new: bool,
}

impl<S: Into<KeyringSource>> From<S> for Opening {
    /// Options of a server that expects no particular store.
    fn from(keyring: S) -> Self {
        Opening { keyring: keyring.into(), store_id: None, is_server: true, makes_new: false }
    }
}

impl Opening {
    /// Path of the marker: a file beside the keyring's file that contains the id of the keyring's store.
    /// `None` if the keyring is not in a file.
    fn marker(&self) -> Option<PathBuf> {
        let mut marker = self.keyring.file()?.as_os_str().to_owned();
        marker.push(".store");
        Some(marker.into())
    }

    /// Expected ids of the store, each with its source, such as the marker.
    fn expected(&self) -> Result<Vec<(String, String)>, OpenError> {
        let mut expected = Vec::new();
        expected.extend(self.store_id.clone().map(|id| (id, "the setting store_id".to_owned())));
        if let Some(marker) = self.marker().filter(|_| !self.makes_new) {
            match fs::read_to_string(&marker) {
                Ok(text) => expected.push((text.trim().to_owned(), marker.display().to_string())),
                Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
                Err(cause) => return Err(OpenError::Unfit(format!("{}: {cause}", marker.display()))),
            }
        }
        Ok(expected)
    }

    /// Refuses to create a new store if an existing one is expected, or if files of an earlier store are left, unless
    /// the operator wants a new store. `place`: where the new store would be created. `database`: its file on SQLite.
    pub(crate) fn may_make(&self, place: &str, database: Option<&Path>) -> Result<(), OpenError> {
        let shown = |path: &PathBuf| path.display().to_string();
        let parts = |database: &Path| {
            let beside = files_of(database).skip(1).chain([AtomicFile::temporary(database)]);
            beside.filter(|file| file.exists()).collect::<Vec<_>>()
        };
        let parts = database.map(parts).unwrap_or_default();
        if self.makes_new {
            let is_part = |file: &&PathBuf| {
                // SQLite makes the index of its log anew, and an empty log is none.
                !file.to_string_lossy().ends_with("-shm")
                    && fs::metadata(file).is_ok_and(|found| found.len() > 0)
            };
            return match parts.iter().find(is_part) {
                None => Ok(()),
                Some(part) => Err(OpenError::Missing(format!(
                    "{} is a part of an earlier store: move it away, then repeat the command",
                    part.display()
                ))),
            };
        }
        let (keyring, marker) = (self.keyring.file().map(Path::to_owned), self.marker());
        let (left, mut missing): (Vec<_>, Vec<_>) =
            keyring.into_iter().chain(marker).partition(|file| file.exists());
        let expected = self.expected()?.into_iter().next();
        // The empty database is created before the keyring, and the marker last. So an empty database beside a
        // keyring without a marker is a creation that was interrupted.
        let is_journal = |part: &PathBuf| part.to_string_lossy().ends_with("-journal");
        let is_begun = database.is_some_and(Path::exists)
            && self.marker().is_none_or(|marker| !marker.exists())
            && parts.iter().all(is_journal);
        let left: Vec<String> = left.iter().chain(&parts).map(shown).collect();
        if (left.is_empty() || is_begun) && expected.is_none() {
            return Ok(());
        }
        missing.extend(database.map(Path::to_owned));
        let mut why = format!("there is no store in {place}");
        if let Some((id, says)) = expected {
            why += &format!(", but {says} expects the store {id}");
        }
        if !left.is_empty() {
            why += &format!(". These files of a store are left: {}", left.join(", "));
        }
        if !missing.is_empty() {
            why += &format!(
                ". These files are missing: {}",
                missing.iter().map(shown).collect::<Vec<_>>().join(", ")
            );
        }
        Err(OpenError::Missing(format!(
            "{why}. Check that the right folder is mounted, or that the right database is named. If the store is lost, restore a \
             backup. To begin with a new, empty store, run 'covernote database create' with the same settings"
        )))
    }

    /// Checks the id `found` in a store and returns it. A store without an id gets the expected id, or a new
    /// one.
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

    /// Writes the store's id into the marker beside the keyring's file. An existing marker stays, unless the store is
    /// new.
    pub(crate) fn mark(&self, id: &str) {
        let Some(marker) = self.marker().filter(|marker| self.makes_new || !marker.exists()) else { return };
        let written = AtomicFile::begin(&marker).and_then(|begun| {
            begun.file().write_all(format!("{id}\n").as_bytes())?;
            if self.makes_new { begun.replace() } else { begun.finish() }
        });
        if let Err(cause) = written
            && (self.makes_new || !marker.exists())
        {
            tracing::warn!(
                "the file {} cannot be written ({cause}): set store_id to {id}, so that covernote never opens another store by mistake",
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
