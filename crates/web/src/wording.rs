//! Wording of faults: what a value must be, and what kind of value was sent (D11).

use serde_json::Value;

use crate::marker::marked;

/// Kind of a value, as the beginning of a sentence. The value itself is never repeated (D11).
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

/// Message about an invalid value: "Required: a date." if the value is missing, otherwise "Must be a date."
/// If the value is not text, the message also names its kind.
pub(crate) fn mismatch(found: &str, wanted: &str) -> String {
    let wanted = with_or(wanted.trim_end_matches(','));
    match found {
        "Nothing" | "Nothing (null)" | "Blank text" => format!("Required: {wanted}."),
        kind if kind.starts_with(char::is_uppercase) && kind != "Text" => {
            let kind = kind[..1].to_lowercase() + &kind[1..];
            format!("Must be {wanted}, not {kind}.")
        }
        _ => format!("Must be {wanted}."),
    }
}

/// Rewrites "one of A, B, C" as "A, B or C".
fn with_or(wanted: &str) -> String {
    let Some(words) = wanted.strip_prefix("one of ") else { return wanted.to_owned() };
    words.rsplit_once(", ").map_or_else(|| words.to_owned(), |(words, last)| format!("{words} or {last}"))
}

/// Turns "a date" into the sentence "A date."
pub(crate) fn sentence(wanted: &str) -> String {
    format!("{}.", capitalised(wanted.trim_end_matches(',')))
}

/// The text with its first letter as a capital.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
