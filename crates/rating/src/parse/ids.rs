//! The ids of a catalogue, each of which names one thing.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Display;

use super::document::Section;

/// The ids so far, each with the source location of its thing.
#[derive(Debug, Default)]
pub(crate) struct Ids(RefCell<BTreeMap<String, String>>);

impl Ids {
    /// Claims the `id` of a section. An id that another section has claimed is reported.
    pub(crate) fn claim(&self, id: impl Display, section: &Section<'_>) {
        let location = match section.line_of("id") {
            Some(line) => format!("{}:{line}", section.file()),
            None => section.file().to_owned(),
        };
        if let Some(other) = self.0.borrow().get(&id.to_string()) {
            section.report("id", format!("`id` must be unique: {other} has the same."));
            return;
        }
        self.0.borrow_mut().insert(id.to_string(), location);
    }
}
