//! Catalogue files during loading, with a record of the files that were used.

use std::cell::RefCell;
use std::collections::BTreeSet;

use super::document::Section;
use super::table::Table;
use super::table_ref::TableRef;
use super::{values, workbook};
use crate::fault::FaultLog;
use crate::files::Files;

/// Catalogue files during loading, with their faults and the paths of used files.
pub(crate) struct SourceFiles<'f> {
    pub(crate) files: &'f Files,
    pub(crate) faults: &'f FaultLog,
    used: RefCell<BTreeSet<String>>,
    /// Folders in which unused files are not reported. A fault there hides which files would be used.
    unused_allowed: RefCell<BTreeSet<String>>,
}

impl<'f> SourceFiles<'f> {
    /// Starts loading. No file counts as used yet.
    pub(crate) fn of(files: &'f Files, faults: &'f FaultLog) -> Self {
        SourceFiles { files, faults, used: RefCell::default(), unused_allowed: RefCell::default() }
    }

    /// Content of a file. Marks the file as used.
    pub(crate) fn read(&self, path: &str) -> Option<&'f [u8]> {
        self.used.borrow_mut().insert(path.to_owned());
        self.files.get(path)
    }

    /// The table that a key names, with its name for messages. The table's file must be in the same folder as
    /// the section's file.
    pub(crate) fn table(&self, section: &Section<'_>, key: &str) -> Option<(Table, String)> {
        let of = self.table_ref(section, key)?;
        let name = of.name().rsplit('/').next().unwrap_or_default().to_owned();
        Some((self.parse_table(&of)?, name))
    }

    /// Reference to the table that a key names: a `.csv` file, or a sheet of an `.xlsx` file. The matching
    /// key `sheet` names the sheet. Marks the file as used.
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
            section.report(
                &sheet_key,
                format!("`{sheet_key}` is only for an .xlsx file; `{name}` has no sheets."),
            );
        }
        if self.read(&path).is_none() {
            section.report(key, format!("There is no file `{path}`."));
            return None;
        }
        let sheet = if is_workbook { Some(section.required(&sheet_key, values::text)?) } else { None };
        Some(TableRef { path, sheet })
    }

    /// Parses a table. `None` if the file is missing, or after a reported fault.
    pub(crate) fn parse_table(&self, of: &TableRef) -> Option<Table> {
        let content = self.read(&of.path)?;
        match of.sheet {
            Some(_) => workbook::parse(of, content, self.faults),
            None => Table::parse(&of.path, content, self.faults),
        }
    }

    /// Stops reports of unused files in the folder of `path`. Call it if a fault in this file hides which
    /// tables it uses.
    pub(crate) fn allow_unused_beside(&self, path: &str) {
        self.unused_allowed.borrow_mut().insert(sibling(path, ""));
    }

    /// Reports unused files, except the charts under `tests/`, because the loader does not read charts.
    pub(crate) fn report_unused(&self) {
        let (used, allowed) = (self.used.borrow(), self.unused_allowed.borrow());
        let unused = self.files.paths().filter(|path| !used.contains(*path) && !path.starts_with("tests/"));
        for path in unused.filter(|path| !allowed.contains(&sibling(path, ""))) {
            self.faults.report(path, None, "Nothing in the catalogue uses this file.");
        }
    }
}

/// Path of a file in the same folder as another file.
pub(crate) fn sibling(file: &str, name: &str) -> String {
    match file.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.to_owned(),
    }
}
