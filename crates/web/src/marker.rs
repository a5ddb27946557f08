//! Markers: objects that stand for what a JSON value cannot hold, so that the reader names them as faults of their own
//! fields.

use serde_json::{Map, Value};

/// Stands for a parameter of a query that came twice. No shape takes it.
pub(crate) const TWICE: &str = "the same parameter twice";

/// Stands for a number that is not finite. No shape takes it.
pub(crate) const INFINITE: &str = "a number that is not finite";

/// What a marker stands for, as the subject of a sentence; `None` for any other object.
pub(crate) fn marked(object: &Map<String, Value>) -> Option<&'static str> {
    match object.keys().next().map(String::as_str) {
        Some(INFINITE) if object.len() == 1 => Some("A number that is not finite"),
        Some(TWICE) if object.len() == 1 => Some("The same parameter twice"),
        _ => None,
    }
}

/// Whether an object stands for a number that is not finite.
pub(crate) fn is_infinite(object: &Map<String, Value>) -> bool {
    object.len() == 1 && object.contains_key(INFINITE)
}
