//! Places in the files of a catalogue.

use std::fmt;
use std::sync::Arc;

use crate::parse::table_ref::place;

/// Line of a catalogue file. Prints as `file:line`, or for a workbook such as `rates.xlsx, sheet Level, row
/// 7`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLocation {
    /// Path of the file inside the catalogue. For a workbook, also the sheet.
    pub file: Arc<str>,
    /// Line in the file, counted from 1.
    pub line: usize,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match place(&self.file, self.line, None) {
            Some(place) => to.write_str(&place),
            None => write!(to, "{}:{}", self.file, self.line),
        }
    }
}
