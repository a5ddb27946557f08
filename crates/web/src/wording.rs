//! Wording of faults: what a value must be, and what kind of value was sent (D11).

use domain::text::is_blank;
use serde_json::Value;

use crate::marker::marked;

/// Message about an invalid value. It never repeats the value (D11): "Required: a date." if the value is
/// missing, "Must be a date." for text, "Must be a date, not a number." for any other kind.
pub(crate) fn mismatch(value: &Value, wanted: &str) -> String {
    let kind = match value {
        Value::Null => return required(wanted),
        Value::String(text) if is_blank(text) => return required(wanted),
        Value::String(_) => return must_be(wanted),
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::Array(_) => "a list",
        Value::Object(object) => marked(object).unwrap_or("an object"),
    };
    format!("Must be {}, not {kind}.", with_or(wanted))
}

/// Message about a missing value: "Required: a date."
pub(crate) fn required(wanted: &str) -> String {
    format!("Required: {}.", with_or(wanted))
}

/// Message about a value of the right kind: "Must be a date."
pub(crate) fn must_be(wanted: &str) -> String {
    format!("Must be {}.", with_or(wanted))
}

/// Rewrites "one of A, B, C" as "A, B or C".
fn with_or(wanted: &str) -> String {
    let Some(words) = wanted.strip_prefix("one of ") else { return wanted.to_owned() };
    words.rsplit_once(", ").map_or_else(|| words.to_owned(), |(words, last)| format!("{words} or {last}"))
}

/// Turns "a date" into the sentence "A date."
pub(crate) fn sentence(wanted: &str) -> String {
    format!("{}.", capitalised(wanted))
}

/// The text with its first letter as a capital.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
