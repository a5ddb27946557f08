//! The files of a catalogue while it is loaded, with a record of which of them are used.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::document::Section;
use super::table::Table;
use super::table_ref::TableRef;
use super::{values, workbook};
use crate::fault::FaultLog;
use crate::files::Files;

/// The files of a catalogue, the faults in them, and the paths that something refers to.
pub(crate) struct SourceFiles<'f> {
    pub(crate) files: &'f Files,
    /// The faults so far.
    pub(crate) faults: &'f FaultLog,
    used: RefCell<BTreeSet<String>>,
    /// Folders in which a fault hides which files are used.
    unused_allowed: RefCell<BTreeSet<String>>,
}

impl<'f> SourceFiles<'f> {
    /// The files of a catalogue of which none is used yet.
    pub(crate) fn of(files: &'f Files, faults: &'f FaultLog) -> Self {
        SourceFiles { files, faults, used: RefCell::default(), unused_allowed: RefCell::default() }
    }

    /// The content of a file. The file counts as used from now on.
    pub(crate) fn read(&self, path: &str) -> Option<&'f [u8]> {
        self.used.borrow_mut().insert(path.to_owned());
        self.files.get(path)
    }

    /// The table that a key of a section names, with its name in the folder. It lies in the folder of the section's file.
    pub(crate) fn table(&self, section: &Section<'_>, key: &str) -> Option<(Table, String)> {
        let of = self.table_ref(section, key)?;
        let name = of.name().rsplit('/').next().unwrap_or_default().to_owned();
        Some((self.parse_table(&of)?, name))
    }

    /// The table that a key of a section names: a `.csv` file, or the sheet of an `.xlsx` file that another key names. The
    /// file counts as used from now on.
    pub(crate) fn table_ref(&self, section: &Section<'_>, key: &str) -> Option<TableRef> {
        let sheet_key = key.replace("table", "sheet");
        section.mark_known(&[&sheet_key]);
        let name = section.required(key, values::text)?;
        let path = sibling(section.file(), &name);
        let is_workbook = name.ends_with(".xlsx");
        if !(is_workbook || name.ends_with(".csv")) || name.contains('/') {
            section.report(key, format!("`{key}` must name a .csv or .xlsx file in the same folder."));
            return None;
        }
        if !is_workbook && section.has(&sheet_key) {
            section
                .report(&sheet_key, format!("`{sheet_key}` is for an .xlsx file; `{name}` has no sheets."));
        }
        if self.read(&path).is_none() {
            section.report(key, format!("There is no file `{path}`."));
            return None;
        }
        let sheet = if is_workbook { Some(section.required(&sheet_key, values::text)?) } else { None };
        Some(TableRef { path, sheet })
    }

    /// Parses a table. `None` where there is no such file or a fault was reported.
    pub(crate) fn parse_table(&self, of: &TableRef) -> Option<Table> {
        let content = self.read(&of.path)?;
        match of.sheet {
            Some(_) => workbook::parse(of, content, self.faults),
            None => Table::parse(&of.path, content, self.faults),
        }
    }

    /// Allows unused files in the folder of a file: a fault in that file hides which tables it uses.
    pub(crate) fn allow_unused_beside(&self, path: &str) {
        self.unused_allowed.borrow_mut().insert(sibling(path, ""));
    }

    /// Reports the files that nothing uses. Files under `tests/` are charts, which the loader does not read.
    pub(crate) fn report_unused(&self) {
        let (used, allowed) = (self.used.borrow(), self.unused_allowed.borrow());
        let unused = self.files.paths().filter(|path| !used.contains(*path) && !path.starts_with("tests/"));
        for path in unused.filter(|path| !allowed.contains(&sibling(path, ""))) {
            self.faults.report(path, None, "Nothing in the catalogue uses this file.");
        }
    }
}

/// The path of a file name in the folder of another file.
pub(crate) fn sibling(file: &str, name: &str) -> String {
    match file.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.to_owned(),
    }
}
