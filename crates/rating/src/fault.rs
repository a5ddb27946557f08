//! Faults of a catalogue: where each one is, and what is wrong there.

use std::cell::RefCell;
use std::fmt;

/// One fault of a catalogue. Prints as `file:line: sentence`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CatalogueFault {
    /// Path of the file inside the catalogue.
    pub file: String,
    /// Line in it, counted from 1; `None` where the whole file is meant.
    pub line: Option<usize>,
    /// What is wrong, as a sentence.
    pub message: String,
}

impl fmt::Display for CatalogueFault {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(to, "{}:{line}: {}", self.file, self.message),
            None => write!(to, "{}: {}", self.file, self.message),
        }
    }
}

/// The faults found so far. Reading goes on after a fault, so that one answer names them all.
#[derive(Debug, Default)]
pub(crate) struct Faults(RefCell<Vec<CatalogueFault>>);

impl Faults {
    /// Notes a fault.
    pub(crate) fn note(&self, file: &str, line: Option<usize>, message: impl Into<String>) {
        self.0.borrow_mut().push(CatalogueFault { file: file.to_owned(), line, message: message.into() });
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.borrow().len()
    }

    /// All of them, in the order of files and lines, each once.
    pub(crate) fn into_sorted(self) -> Vec<CatalogueFault> {
        let mut faults = self.0.into_inner();
        faults.sort();
        faults.dedup();
        faults
    }
}
