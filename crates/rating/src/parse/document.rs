//! TOML files, which are parsed key by key. Every fault is reported with its line.

use std::cell::RefCell;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::values::ValueError;
use crate::fault::FaultLog;

/// Least similarity, from 0 to 1, of a known key that is suggested in place of an unknown key.
const SIMILAR: f64 = 0.8;

pub(crate) struct Document<'f> {
    file: &'f str,
    text: &'f str,
    table: Spanned<DeTable<'f>>,
}

/// One TOML table of a document. It records which keys were read.
pub(crate) struct Section<'d> {
    file: &'d str,
    text: &'d str,
    table: &'d DeTable<'d>,
    line: Option<usize>,
    faults: &'d FaultLog,
    known: RefCell<Vec<String>>,
}

impl<'f> Document<'f> {
    /// Parses a TOML file. `None` if the content is not TOML; then all syntax errors are reported.
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
                format!("The file is not valid TOML: {}.", error.message().trim().replace('\n', ", ")),
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
    /// Path of the file that has the section.
    pub(crate) fn file(&self) -> &'d str {
        self.file
    }

    /// First line of the section. `None` for a whole document.
    pub(crate) fn line(&self) -> Option<usize> {
        self.line
    }

    /// Line of a key's value. The section's line if the key is missing.
    pub(crate) fn line_of(&self, key: &str) -> Option<usize> {
        let value = self.table.get(key);
        value.map(|value| line_at(self.text, value.span().start)).or(self.line)
    }

    /// Reports a fault at the line of a key.
    pub(crate) fn report(&self, key: &str, message: impl Into<String>) {
        self.faults.report(self.file, self.line_of(key), message);
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.look_up(key).is_some()
    }

    /// Value of a required key. `None` after a reported fault, such as a missing key.
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

    /// Value of an optional key. `None` if the key is missing, or after a reported fault.
    pub(crate) fn optional<T>(
        &self,
        key: &str,
        parse: impl FnOnce(&DeValue<'_>) -> Result<T, ValueError>,
    ) -> Option<T> {
        let value = self.look_up(key)?;
        parse(value.get_ref()).map_err(|error| self.report(key, format!("`{key}` {error}."))).ok()
    }

    /// Value of a key. The default if the key is missing or its value has a fault.
    pub(crate) fn or<T>(
        &self,
        key: &str,
        default: T,
        parse: impl FnOnce(&DeValue<'_>) -> Result<T, ValueError>,
    ) -> T {
        self.optional(key, parse).unwrap_or(default)
    }

    /// Items of a list, each with its line. `None` if the key is missing or its value is not a list.
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

    /// Items of a list, which must be different from each other. Never empty. `None` if the key is missing,
    /// or after a reported fault.
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

    /// Like [`Section::distinct`], but reports a missing key.
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

    /// Number of keys in the section.
    pub(crate) fn count(&self) -> usize {
        self.table.len()
    }

    /// All keys of the section, each with value and line. This is for sections whose keys the operator
    /// chooses. Do not `close` such a section, because it would report these keys as unknown.
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

    /// The section that a key holds, if any.
    pub(crate) fn section(&self, key: &str) -> Option<Section<'d>> {
        let value = self.look_up(key)?;
        let section = self.section_of(value);
        if section.is_none() {
            self.report(key, format!("`{key}` must be a section."));
        }
        section
    }

    /// All sections of a key that can be repeated (`[[key]]`, or a list of `{ … }`).
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

    /// Marks keys as known, so that `close` does not report them.
    pub(crate) fn mark_known(&self, keys: &[&str]) {
        self.known.borrow_mut().extend(keys.iter().map(|key| (*key).to_owned()));
    }

    /// Reports all unknown keys, which were never read. Suggests the most similar known key.
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
                Some(nearest) => format!("`{name}` is not a known key. Did you mean `{nearest}`?"),
                None => format!("`{name}` is not a known key here."),
            };
            self.faults.report(self.file, Some(line_at(self.text, key.span().start)), message);
        }
    }

    /// Returns the value of a key, and marks the key as known.
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

/// Line of the text at a byte offset, counted from 1.
fn line_at(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count()
}
