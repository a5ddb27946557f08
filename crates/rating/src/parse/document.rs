//! Documents: TOML files parsed key by key, with the line of every fault.

use std::cell::RefCell;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::values::ValueError;
use crate::fault::FaultLog;

/// Least similarity of an unknown key to a known one that is suggested for it, from 0 to 1.
const SIMILAR: f64 = 0.8;

/// A parsed TOML file.
pub(crate) struct Document<'f> {
    file: &'f str,
    text: &'f str,
    table: Spanned<DeTable<'f>>,
}

/// One TOML table of a document. It remembers which keys were looked up.
pub(crate) struct Section<'d> {
    file: &'d str,
    text: &'d str,
    table: &'d DeTable<'d>,
    line: Option<usize>,
    faults: &'d FaultLog,
    known: RefCell<Vec<String>>,
}

impl<'f> Document<'f> {
    /// Parses a file. `None` when it is not TOML; every syntax error was reported.
    pub(crate) fn parse(file: &'f str, content: &'f [u8], faults: &FaultLog) -> Option<Document<'f>> {
        let Ok(text) = std::str::from_utf8(content) else {
            faults.report(file, None, "The file is not UTF-8 text.");
            return None;
        };
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            let line = error.span().map(|span| line_at(text, span.start));
            faults.report(
                file,
                line,
                format!("This is not TOML: {}.", error.message().trim().replace('\n', ", ")),
            );
        }
        errors.is_empty().then_some(Document { file, text, table })
    }

    /// The whole document as a section.
    pub(crate) fn root<'d>(&'d self, faults: &'d FaultLog) -> Section<'d> {
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
    /// Path of its file.
    pub(crate) fn file(&self) -> &'d str {
        self.file
    }

    /// Its first line; `None` for a whole document.
    pub(crate) fn line(&self) -> Option<usize> {
        self.line
    }

    /// The line of a key's value, else the section's own.
    pub(crate) fn line_of(&self, key: &str) -> Option<usize> {
        let value = self.table.get(key);
        value.map(|value| line_at(self.text, value.span().start)).or(self.line)
    }

    /// Reports a fault at the line of a key.
    pub(crate) fn report(&self, key: &str, message: impl Into<String>) {
        self.faults.report(self.file, self.line_of(key), message);
    }

    /// Whether a key is there.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.look_up(key).is_some()
    }

    /// The value of a key that must be there.
    pub(crate) fn required<T>(
        &self,
        key: &str,
        parse: impl FnOnce(&DeValue<'_>) -> Result<T, ValueError>,
    ) -> Option<T> {
        if !self.has(key) {
            self.report(key, format!("`{key}` is missing."));
        }
        self.optional(key, parse)
    }

    /// The value of a key that may be missing. `None` also when a fault was reported.
    pub(crate) fn optional<T>(
        &self,
        key: &str,
        parse: impl FnOnce(&DeValue<'_>) -> Result<T, ValueError>,
    ) -> Option<T> {
        let value = self.look_up(key)?;
        parse(value.get_ref()).map_err(|error| self.report(key, format!("`{key}` {error}."))).ok()
    }

    /// The value of a key, or the default where it is missing or has a fault.
    pub(crate) fn or<T>(
        &self,
        key: &str,
        default: T,
        parse: impl FnOnce(&DeValue<'_>) -> Result<T, ValueError>,
    ) -> T {
        self.optional(key, parse).unwrap_or(default)
    }

    /// The items of a list, each with its line. `None` when the key is missing or not a list.
    pub(crate) fn list<T>(
        &self,
        key: &str,
        parse: impl Fn(&DeValue<'_>) -> Result<T, ValueError>,
    ) -> Option<Vec<(T, usize)>> {
        let DeValue::Array(items) = self.look_up(key)?.get_ref() else {
            self.report(key, format!("`{key}` must be a list."));
            return None;
        };
        let items = items.iter().filter_map(|item| {
            let line = line_at(self.text, item.span().start);
            let refused = |error| self.faults.report(self.file, Some(line), format!("`{key}` {error}."));
            parse(item.get_ref()).map_err(refused).ok().map(|item| (item, line))
        });
        Some(items.collect())
    }

    /// The items of a list of different items, at least one. `None` when the key is missing or a fault was reported.
    pub(crate) fn distinct<T: PartialEq>(
        &self,
        key: &str,
        parse: impl Fn(&DeValue<'_>) -> Result<T, ValueError>,
    ) -> Option<Vec<T>> {
        let faults_before = self.faults.count();
        let items = self.list(key, parse)?;
        if items.is_empty() && self.faults.count() == faults_before {
            self.report(key, format!("`{key}` must not be an empty list."));
        }
        let mut distinct = Vec::with_capacity(items.len());
        for (item, line) in items {
            if distinct.contains(&item) {
                self.faults.report(
                    self.file,
                    Some(line),
                    format!("`{key}` must not have the same value twice."),
                );
            }
            distinct.push(item);
        }
        (self.faults.count() == faults_before).then_some(distinct)
    }

    /// The items of such a list that must be there.
    pub(crate) fn required_distinct<T: PartialEq>(
        &self,
        key: &str,
        parse: impl Fn(&DeValue<'_>) -> Result<T, ValueError>,
    ) -> Option<Vec<T>> {
        if !self.has(key) {
            self.report(key, format!("`{key}` is missing."));
        }
        self.distinct(key, parse)
    }

    /// The number of its keys.
    pub(crate) fn count(&self) -> usize {
        self.table.len()
    }

    /// Every key of this section with its value and line. For sections whose keys are the operator's own: these are not
    /// closed.
    pub(crate) fn entries<T>(
        &self,
        parse: impl Fn(&DeValue<'_>) -> Result<T, ValueError>,
    ) -> Vec<(&'d str, T, usize)> {
        let entries = self.table.iter().filter_map(|(key, value)| {
            let (name, line): (&str, usize) = (key.get_ref(), line_at(self.text, key.span().start));
            let refused = |error| self.faults.report(self.file, Some(line), format!("`{name}` {error}."));
            parse(value.get_ref()).map_err(refused).ok().map(|value| (name, value, line))
        });
        entries.collect()
    }

    /// The section of a key, if it is there.
    pub(crate) fn section(&self, key: &str) -> Option<Section<'d>> {
        let value = self.look_up(key)?;
        let section = self.section_of(value);
        if section.is_none() {
            self.report(key, format!("`{key}` must be a section."));
        }
        section
    }

    /// The sections of a key that may come many times (`[[key]]`, or a list of `{ … }`).
    pub(crate) fn sections(&self, key: &str) -> Vec<Section<'d>> {
        let Some(value) = self.look_up(key) else { return Vec::new() };
        let sections = match value.get_ref() {
            DeValue::Array(items) => items.iter().map(|item| self.section_of(item)).collect(),
            _ => None,
        };
        sections.unwrap_or_else(|| {
            self.report(
                key,
                format!("`{key}` must be sections, each headed by [[{key}]], or a list of {{ … }}."),
            );
            Vec::new()
        })
    }

    /// Marks keys as known without looking at them.
    pub(crate) fn mark_known(&self, keys: &[&str]) {
        self.known.borrow_mut().extend(keys.iter().map(|key| (*key).to_owned()));
    }

    /// Reports every key that was never looked up, with the most similar known key.
    pub(crate) fn close(self) {
        let known = self.known.borrow();
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if known.iter().any(|key| key == name) {
                continue;
            }
            let similarity = |candidate: &&str| strsim::jaro_winkler(name, candidate);
            let nearest = known
                .iter()
                .map(String::as_str)
                .max_by(|one, other| similarity(one).total_cmp(&similarity(other)));
            let message = match nearest.filter(|nearest| similarity(nearest) >= SIMILAR) {
                Some(nearest) => format!("`{name}` is not a known key. Is `{nearest}` meant?"),
                None => format!("`{name}` is not a known key here."),
            };
            self.faults.report(self.file, Some(line_at(self.text, key.span().start)), message);
        }
    }

    /// Looks a key up. It counts as known from now on.
    fn look_up(&self, key: &str) -> Option<&'d Spanned<DeValue<'d>>> {
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

/// The line of a byte offset in a text, counted from 1.
fn line_at(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count()
}
