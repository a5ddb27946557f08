//! Source locations: where in the catalogue something is written.

use std::fmt;
use std::sync::Arc;

/// A line of a file of the catalogue. Prints as `file:line`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLocation {
    /// Path of the file inside the catalogue.
    pub file: Arc<str>,
    /// Line in it, counted from 1.
    pub line: usize,
}

impl fmt::Display for SourceLocation {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}:{}", self.file, self.line)
    }
}
