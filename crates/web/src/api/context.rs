//! `context_data`: keys and values that come along with quotes and proposals (interface §4, §5; D21).

use std::cell::RefCell;

use domain::context::{Context, ContextEntry, judge};
use domain::text::FromText;
use serde_json::Value;

use crate::reader::{At, Fields};
use crate::shape::{PlainText, Shape, list, object, text};

/// Entries of one list, at most.
const MOST_ENTRIES: usize = 100;

/// Values of one entry, at most.
const MOST_VALUES: usize = 100;

/// A key of context data.
struct Key(String);

impl FromText for Key {
    const WANTED: &'static str = "a key of at most 100 characters";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        if text.chars().count() > 100 { Err("longer text") } else { Ok(Key(text.to_owned())) }
    }
}

/// Reads the context data at a field, none where there is none.
pub(crate) fn context(fields: &mut Fields<'_>, name: &str) -> Option<Context> {
    context_noting(fields, name, &RefCell::default())
}

/// Reads the context data at a field, and notes the keys that tell something, also where another entry has a fault.
pub(crate) fn context_noting(
    fields: &mut Fields<'_>,
    name: &str,
    told: &RefCell<Vec<String>>,
) -> Option<Context> {
    let entries = fields.optional(name, list(object(|fields| entry(fields, told)), 0, MOST_ENTRIES));
    Some(Context::of(entries?.unwrap_or_default()))
}

fn entry(fields: &mut Fields<'_>, told: &RefCell<Vec<String>>) -> Option<ContextEntry> {
    let key = fields.required("key", text::<Key>());
    let of_key = ValueOf { key: key.as_ref().map(|key| key.0.as_str()) };
    let values = fields.required("values", list(of_key, 0, MOST_VALUES));
    let entry = ContextEntry::new(key?.0, values?);
    if entry.tells() {
        told.borrow_mut().push(entry.key().to_owned());
    }
    Some(entry)
}

/// A value of context data, judged by its key.
struct ValueOf<'k> {
    key: Option<&'k str>,
}

impl Shape for ValueOf<'_> {
    type Value = String;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<String> {
        let value = ANY_VALUE.read(value, at)?;
        match self.key.map_or(Ok(()), |key| judge(key, &value)) {
            Ok(()) => Some(value),
            Err((came, wanted)) => {
                at.fault(came, wanted);
                None
            }
        }
    }

    fn wanted(&self) -> String {
        ANY_VALUE.wanted()
    }

    fn schema(&self) -> Value {
        ANY_VALUE.schema()
    }
}

/// A value whose key says nothing of its form.
const ANY_VALUE: PlainText = PlainText { longest: 1000 };
