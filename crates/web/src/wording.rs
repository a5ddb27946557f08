//! Wording of faults: what kind of value was found, and what is wanted instead (D11).

use serde_json::Value;

use crate::marker::marked;

/// What kind of value was found, as the subject of a sentence. Never the value itself (D11).
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "Nothing (null)",
        Value::Bool(_) => "True or false",
        Value::Number(_) => "A number",
        Value::String(text) if text.trim().is_empty() => "Blank text",
        Value::String(_) => "Text",
        Value::Array(_) => "A list",
        Value::Object(object) => marked(object).unwrap_or("An object"),
    }
}

/// "text" and "a date" as a sentence: "Text was found; a date is wanted."
pub(crate) fn mismatch(found: &str, wanted: &str) -> String {
    format!("{} was found; {wanted} is wanted.", capitalised(found))
}

/// "a date" as a sentence: "A date."
pub(crate) fn sentence(wanted: &str) -> String {
    format!("{}.", capitalised(wanted.trim_end_matches(',')))
}

/// A text with its first letter large.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
