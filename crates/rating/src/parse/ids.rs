//! Ids while a catalogue is loaded: each names one thing.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Display;

use super::document::Section;

/// The ids met so far, each with the place of its thing.
#[derive(Debug, Default)]
pub(crate) struct Ids(RefCell<BTreeMap<String, String>>);

impl Ids {
    /// Takes the `id` of a section. One that another section has already is noted as a fault.
    pub(crate) fn take(&self, id: impl Display, section: &Section<'_>) {
        let place = match section.line_of("id") {
            Some(line) => format!("{}:{line}", section.file()),
            None => section.file().to_owned(),
        };
        if let Some(other) = self.0.borrow().get(&id.to_string()) {
            section.fault("id", format!("`id` must be one of its own: {other} has the same."));
            return;
        }
        self.0.borrow_mut().insert(id.to_string(), place);
    }
}
