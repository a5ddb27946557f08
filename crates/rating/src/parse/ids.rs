//! Checks that the ids of a catalogue are unique.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Display;

use super::document::Section;

/// Ids that were read, each with the place of its section.
#[derive(Debug, Default)]
pub(crate) struct Ids(RefCell<BTreeMap<String, String>>);

impl Ids {
    /// Registers the `id` of a section. Reports an id that another section already has.
    pub(crate) fn claim(&self, id: impl Display, section: &Section<'_>) {
        let location = match section.line_of("id") {
            Some(line) => format!("{}:{line}", section.file()),
            None => section.file().to_owned(),
        };
        if let Some(other) = self.0.borrow().get(&id.to_string()) {
            section.report("id", format!("`id` must be unique: {other} has the same id."));
            return;
        }
        self.0.borrow_mut().insert(id.to_string(), location);
    }
}
