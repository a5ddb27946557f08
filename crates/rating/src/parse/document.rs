//! Documents: TOML files read key by key, where every fault knows its line and no unknown key goes unseen.

use std::cell::RefCell;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::values::Refusal;
use crate::fault::Faults;

/// How alike two keys must be for one to be suggested for the other: from 0, unlike, to 1, the same.
const ALIKE: f64 = 0.8;

/// A TOML file that was parsed.
pub(crate) struct Document<'f> {
    file: &'f str,
    text: &'f str,
    table: Spanned<DeTable<'f>>,
}

/// One table of a document. It remembers which keys were asked for.
pub(crate) struct Section<'d> {
    file: &'d str,
    text: &'d str,
    table: &'d DeTable<'d>,
    line: Option<usize>,
    faults: &'d Faults,
    known: RefCell<Vec<String>>,
}

impl<'f> Document<'f> {
    /// Parses a file. `None` when it is not TOML; then every fault of its writing was noted.
    pub(crate) fn parse(file: &'f str, content: &'f [u8], faults: &Faults) -> Option<Document<'f>> {
        let Ok(text) = std::str::from_utf8(content) else {
            faults.note(file, None, "The file is not UTF-8 text.");
            return None;
        };
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let line = error.span().map(|span| line_at(text, span.start));
            faults.note(
                file,
                line,
                format!("This is not TOML: {}.", error.message().trim().replace('\n', ", ")),
            );
        }
        errors.is_empty().then_some(Document { file, text, table })
    }

    /// The whole document as a section.
    pub(crate) fn root<'d>(&'d self, faults: &'d Faults) -> Section<'d> {
        Section {
            file: self.file,
            text: self.text,
            table: self.table.get_ref(),
            line: None,
            faults,
            known: RefCell::default(),
        }
    }
}

impl<'d> Section<'d> {
    /// Path of the file it stands in.
    pub(crate) fn file(&self) -> &'d str {
        self.file
    }

    /// The line it begins on; `None` for a whole document.
    pub(crate) fn line(&self) -> Option<usize> {
        self.line
    }

    /// The line of a key's value, else the section's own.
    pub(crate) fn line_of(&self, key: &str) -> Option<usize> {
        let value = self.table.get(key);
        value.map(|value| line_at(self.text, value.span().start)).or(self.line)
    }

    /// Notes a fault at a key's line.
    pub(crate) fn fault(&self, key: &str, message: impl Into<String>) {
        self.faults.note(self.file, self.line_of(key), message);
    }

    /// Whether a key is there.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.look(key).is_some()
    }

    /// The value of a key that must be there.
    pub(crate) fn required<T>(
        &self,
        key: &str,
        read: impl FnOnce(&DeValue<'_>) -> Result<T, Refusal>,
    ) -> Option<T> {
        if !self.has(key) {
            self.fault(key, format!("`{key}` is missing."));
        }
        self.optional(key, read)
    }

    /// The value of a key that may be missing. `None` also when a fault was noted.
    pub(crate) fn optional<T>(
        &self,
        key: &str,
        read: impl FnOnce(&DeValue<'_>) -> Result<T, Refusal>,
    ) -> Option<T> {
        let value = self.look(key)?;
        read(value.get_ref()).map_err(|refusal| self.fault(key, format!("`{key}` {refusal}."))).ok()
    }

    /// The value of a key, or what holds where it is missing.
    pub(crate) fn or<T>(
        &self,
        key: &str,
        default: T,
        read: impl FnOnce(&DeValue<'_>) -> Result<T, Refusal>,
    ) -> T {
        self.optional(key, read).unwrap_or(default)
    }

    /// The items of a list, each with its line. `None` when the key is missing or no list.
    pub(crate) fn list<T>(
        &self,
        key: &str,
        read: impl Fn(&DeValue<'_>) -> Result<T, Refusal>,
    ) -> Option<Vec<(T, usize)>> {
        let DeValue::Array(items) = self.look(key)?.get_ref() else {
            self.fault(key, format!("`{key}` must be a list."));
            return None;
        };
        let items = items.iter().filter_map(|item| {
            let line = line_at(self.text, item.span().start);
            let refused = |refusal| self.faults.note(self.file, Some(line), format!("`{key}` {refusal}."));
            read(item.get_ref()).map_err(refused).ok().map(|item| (item, line))
        });
        Some(items.collect())
    }

    /// The items of a list that has at least one, and none twice. `None` when the key is missing or a fault was noted.
    pub(crate) fn distinct<T: PartialEq>(
        &self,
        key: &str,
        read: impl Fn(&DeValue<'_>) -> Result<T, Refusal>,
    ) -> Option<Vec<T>> {
        let noted = self.faults.count();
        let items = self.list(key, read)?;
        if items.is_empty() && self.faults.count() == noted {
            self.fault(key, format!("`{key}` must not be an empty list."));
        }
        let mut distinct = Vec::with_capacity(items.len());
        for (item, line) in items {
            if distinct.contains(&item) {
                self.faults.note(self.file, Some(line), format!("`{key}` must not say the same twice."));
            }
            distinct.push(item);
        }
        (self.faults.count() == noted).then_some(distinct)
    }

    /// Likewise of a key that must be there.
    pub(crate) fn required_distinct<T: PartialEq>(
        &self,
        key: &str,
        read: impl Fn(&DeValue<'_>) -> Result<T, Refusal>,
    ) -> Option<Vec<T>> {
        if !self.has(key) {
            self.fault(key, format!("`{key}` is missing."));
        }
        self.distinct(key, read)
    }

    /// Every key of this section with its value and line: one whose keys are the operator's own is not closed.
    pub(crate) fn entries<T>(
        &self,
        read: impl Fn(&DeValue<'_>) -> Result<T, Refusal>,
    ) -> Vec<(&'d str, T, usize)> {
        let entries = self.table.iter().filter_map(|(key, value)| {
            let (name, line): (&str, usize) = (key.get_ref(), line_at(self.text, key.span().start));
            let refused = |refusal| self.faults.note(self.file, Some(line), format!("`{name}` {refusal}."));
            read(value.get_ref()).map_err(refused).ok().map(|value| (name, value, line))
        });
        entries.collect()
    }

    /// The section of a key, where it is there.
    pub(crate) fn section(&self, key: &str) -> Option<Section<'d>> {
        let value = self.look(key)?;
        let section = self.section_of(value);
        if section.is_none() {
            self.fault(key, format!("`{key}` must be a section."));
        }
        section
    }

    /// The sections of a key that may come many times (`[[key]]`, or a list of `{ … }`).
    pub(crate) fn sections(&self, key: &str) -> Vec<Section<'d>> {
        let Some(value) = self.look(key) else { return Vec::new() };
        let sections = match value.get_ref() {
            DeValue::Array(items) => items.iter().map(|item| self.section_of(item)).collect(),
            _ => None,
        };
        sections.unwrap_or_else(|| {
            self.fault(
                key,
                format!("`{key}` must be sections, each headed by [[{key}]], or a list of {{ … }}."),
            );
            Vec::new()
        })
    }

    /// Takes keys as known, whatever they say.
    pub(crate) fn know(&self, keys: &[&str]) {
        self.known.borrow_mut().extend(keys.iter().map(|key| (*key).to_owned()));
    }

    /// Notes every key that was never asked for, with the nearest one that was.
    pub(crate) fn close(self) {
        let known = self.known.borrow();
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if known.iter().any(|key| key == name) {
                continue;
            }
            let alike = |candidate: &&str| strsim::jaro_winkler(name, candidate);
            let nearest =
                known.iter().map(String::as_str).max_by(|one, other| alike(one).total_cmp(&alike(other)));
            let message = match nearest.filter(|nearest| alike(nearest) >= ALIKE) {
                Some(nearest) => format!("`{name}` is not a known key. Is `{nearest}` meant?"),
                None => format!("`{name}` is not a known key here."),
            };
            self.faults.note(self.file, Some(line_at(self.text, key.span().start)), message);
        }
    }

    /// The value of a key, which counts as known from now on.
    fn look(&self, key: &str) -> Option<&'d Spanned<DeValue<'d>>> {
        let mut known = self.known.borrow_mut();
        if !known.iter().any(|known| known == key) {
            known.push(key.to_owned());
        }
        self.table.get(key)
    }

    fn section_of(&self, value: &'d Spanned<DeValue<'d>>) -> Option<Section<'d>> {
        let DeValue::Table(table) = value.get_ref() else { return None };
        let line = Some(line_at(self.text, value.span().start));
        Some(Section {
            file: self.file,
            text: self.text,
            table,
            line,
            faults: self.faults,
            known: RefCell::default(),
        })
    }
}

/// The line of a place in a text, counted from 1.
fn line_at(text: &str, place: usize) -> usize {
    1 + text.as_bytes().iter().take(place).filter(|byte| **byte == b'\n').count()
}
