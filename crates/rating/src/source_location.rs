//! Source locations: where in the catalogue something is written.

use std::fmt;
use std::sync::Arc;

use crate::parse::table_ref::place;

/// A line of a file of the catalogue. Prints as `file:line`, or `rates.xlsx, sheet Level, row 7` of a workbook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLocation {
    /// Path of the file inside the catalogue, with the sheet of a workbook.
    pub file: Arc<str>,
    /// Line in it, counted from 1.
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
