//! The files of a catalogue while it is loaded, with the faults found in them.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::document::Section;
use super::table::Sheet;
use super::values;
use crate::fault::Faults;
use crate::files::Files;

/// The files, the faults found in them, and the paths that something refers to.
pub(crate) struct Shelf<'f> {
    /// The files.
    pub(crate) files: &'f Files,
    /// The faults so far.
    pub(crate) faults: &'f Faults,
    used: RefCell<BTreeSet<String>>,
    /// Folders where a fault keeps us from knowing what is used.
    open: RefCell<BTreeSet<String>>,
}

impl<'f> Shelf<'f> {
    /// The shelf of a catalogue none of whose files was used yet.
    pub(crate) fn of(files: &'f Files, faults: &'f Faults) -> Self {
        Shelf { files, faults, used: RefCell::default(), open: RefCell::default() }
    }

    /// The content of a file, which counts as used from now on.
    pub(crate) fn take(&self, path: &str) -> Option<&'f [u8]> {
        self.used.borrow_mut().insert(path.to_owned());
        self.files.get(path)
    }

    /// The table that a key of a section names, and the name. It lies in the folder of the section's own file.
    pub(crate) fn sheet(&self, section: &Section<'_>, key: &'static str) -> Option<(Sheet, String)> {
        let path = self.table(section, key)?;
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        Some((self.parse(&path)?, name))
    }

    /// The path of the table that a key of a section names. It counts as used from now on.
    pub(crate) fn table(&self, section: &Section<'_>, key: &'static str) -> Option<String> {
        let name = section.required(key, values::text)?;
        let path = beside(section.file(), &name);
        if !name.ends_with(".csv") || name.contains('/') {
            section.fault(key, format!("`{key}` must name a .csv file in the same folder."));
            return None;
        }
        if self.take(&path).is_none() {
            section.fault(key, format!("There is no file `{path}`."));
            return None;
        }
        Some(path)
    }

    /// The rows of a table.
    pub(crate) fn parse(&self, path: &str) -> Option<Sheet> {
        Sheet::parse(path, self.take(path)?, self.faults)
    }

    /// Tells that a fault in a file keeps us from knowing which tables it uses.
    pub(crate) fn leave_open(&self, path: &str) {
        self.open.borrow_mut().insert(beside(path, ""));
    }

    /// Notes the files that nothing used. Those under `tests/` are charts, and not looked at here.
    pub(crate) fn judge_unused(&self) {
        let (used, open) = (self.used.borrow(), self.open.borrow());
        let unused = self.files.paths().filter(|path| !used.contains(*path) && !path.starts_with("tests/"));
        for path in unused.filter(|path| !open.contains(&beside(path, ""))) {
            self.faults.note(path, None, "Nothing in the catalogue uses this file.");
        }
    }
}

/// The path of a name in the folder of a file.
pub(crate) fn beside(file: &str, name: &str) -> String {
    match file.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.to_owned(),
    }
}
