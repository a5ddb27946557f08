//! Faults of a catalogue, each with its source location.

use std::cell::RefCell;
use std::fmt;

/// One fault of a catalogue. Prints as `file:line: sentence`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CatalogueFault {
    /// Path of the file inside the catalogue.
    pub file: String,
    /// Line in it, counted from 1; `None` for the whole file.
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

/// The faults so far. Loading goes on after a fault, so that one answer names all of them.
#[derive(Debug, Default)]
pub(crate) struct FaultLog(RefCell<Vec<CatalogueFault>>);

impl FaultLog {
    /// Adds a fault. A message may repeat what a file holds: characters that would act on a terminal are shown as escapes.
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

    /// The number of faults.
    pub(crate) fn count(&self) -> usize {
        self.0.borrow().len()
    }

    /// All faults in the order of files and lines, each once.
    pub(crate) fn into_sorted(self) -> Vec<CatalogueFault> {
        let mut faults = self.0.into_inner();
        faults.sort();
        faults.dedup();
        faults
    }
}
