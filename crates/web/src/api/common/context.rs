//! `context_data`: keys and values of a quote or a proposal (interface §4, §5; D21).

use domain::context::{Context, ContextEntry, judge, key};
use domain::person::PrintedLine;
use domain::text::FromText;
use serde_json::Value;
use service::line::certificate::can_print;

use crate::reader::{FieldLocation, Fields, Shape};
use crate::shape::{Items, PlainText, items, list, named, object, text};

/// Maximum number of entries in `context_data`.
const MOST_ENTRIES: usize = 100;

/// Maximum number of values in one entry.
const MOST_VALUES: usize = 100;

/// Key of an entry, at most 100 characters.
struct Key(String);

impl FromText for Key {
    const WANTED: &'static str = "a key of at most 100 characters";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        if text.chars().count() > 100 { Err("longer text") } else { Ok(Key(text.to_owned())) }
    }
}

/// Parsed context data, possibly with faults.
pub(crate) struct ContextDraft {
    /// Parsed entries. `None` if the field is not a list of entries.
    entries: Option<Items<ContextEntry>>,
}

impl ContextDraft {
    /// Reads the context data from the field `name`. An absent field gives an empty list.
    pub(crate) fn read(fields: &mut Fields<'_>, name: &str) -> Self {
        let entry = named("ContextEntry", object(entry));
        let entries = fields.optional(name, items(entry, 0, MOST_ENTRIES));
        ContextDraft { entries: entries.map(Option::unwrap_or_default) }
    }

    /// Whether a valid entry has this key with a value that is not blank (D27).
    pub(crate) fn tells(&self, key: &str) -> bool {
        let mut entries = self.entries.iter().flat_map(Items::read);
        entries.any(|entry| entry.key() == key && entry.tells())
    }

    /// Returns the context data, or `None` if an entry has a fault.
    pub(crate) fn finish(self) -> Option<Context> {
        Some(Context::of(self.entries?.finish(Some)?))
    }
}

fn entry(fields: &mut Fields<'_>) -> Option<ContextEntry> {
    let key = fields.required("key", text::<Key>());
    let of_key = ValueOf { key: key.as_ref().map(|key| key.0.as_str()) };
    let values = fields.required("values", list(of_key, 0, MOST_VALUES));
    Some(ContextEntry::new(key?.0, values?))
}

/// Shape of one value in an entry. The entry's key decides which values are valid.
struct ValueOf<'k> {
    key: Option<&'k str>,
}

impl Shape for ValueOf<'_> {
    type Value = String;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<String> {
        let text = ANY_VALUE.read(value, at)?;
        let is_printed = matches!(self.key, Some(key::LENDER | key::LOAN_ACCOUNT));
        let judged = self.key.map_or(Ok(()), |key| judge(key, &text));
        match judged {
            Ok(()) if !is_printed || can_print(&text) => return Some(text),
            Ok(()) => at.invalid(PrintedLine::WANTED),
            Err(wanted) => at.mismatch(value, wanted),
        }
        None
    }

    fn wanted(&self) -> String {
        ANY_VALUE.wanted()
    }

    fn schema(&self) -> Value {
        ANY_VALUE.schema()
    }
}

/// Shape of a value whose key allows any text.
const ANY_VALUE: PlainText = PlainText::of(1000);
