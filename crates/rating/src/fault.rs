//! Faults of a catalogue, with their places in its files.

use std::cell::RefCell;
use std::fmt;

/// Mistake in a catalogue. Prints as `file:line: sentence`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CatalogueFault {
    /// Path of the file inside the catalogue.
    pub file: String,
    /// Line in the file, counted from 1. `None` if the fault concerns the whole file.
    pub line: Option<usize>,
    /// Sentence that describes the fault.
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

/// Faults found while a catalogue is loaded. Loading continues after a fault, so that one run reports all
/// faults.
#[derive(Debug, Default)]
pub(crate) struct FaultLog(RefCell<Vec<CatalogueFault>>);

impl FaultLog {
    /// Adds a fault. Control characters are escaped, because a message may repeat file content and be shown
    /// on a terminal.
    pub(crate) fn report(&self, file: &str, line: Option<usize>, message: impl Into<String>) {
        let message = message.into().chars().fold(String::new(), |mut shown, c| {
            match c.is_control() && c != '\n' {
                true => shown.extend(c.escape_default()),
                false => shown.push(c),
            }
            shown
        });
        self.0.borrow_mut().push(CatalogueFault { file: file.to_owned(), line, message });
    }

    pub(crate) fn count(&self) -> usize {
        self.0.borrow().len()
    }

    /// All faults without duplicates, sorted by file and line.
    pub(crate) fn into_sorted(self) -> Vec<CatalogueFault> {
        let mut faults = self.0.into_inner();
        faults.sort();
        faults.dedup();
        faults
    }
}
