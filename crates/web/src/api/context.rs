//! `context_data`: keys and values that come along with quotes and proposals (interface §4, §5; D21).

use domain::context::{Context, ContextEntry};
use domain::text::FromText;

use crate::reader::Fields;
use crate::shape::{PlainText, found, list, object, text};

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
    let entries = fields.optional(name, list(object(entry), 0, MOST_ENTRIES));
    Some(Context::of(entries?.unwrap_or_default()))
}

fn entry(fields: &mut Fields<'_>) -> Option<ContextEntry> {
    let key = fields.required("key", text::<Key>());
    let values = fields.required("values", list(PlainText { longest: 1000 }, 0, MOST_VALUES));
    let entry = ContextEntry::new(key?.0, values?);
    let faults = entry.faults();
    for (index, came, wanted) in &faults {
        fields.fault(&format!("values[{index}]"), found(came, wanted));
    }
    faults.is_empty().then_some(entry)
}
