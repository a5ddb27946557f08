//! Markers: JSON objects that stand for values that JSON cannot hold. The reader reports a marker as a fault
//! of its field.

use serde_json::{Map, Value};

/// Marker for a query parameter that was sent twice. No field accepts it.
pub(crate) const TWICE: &str = "the same parameter twice";

/// Marker for a number that is not finite. No field accepts it.
pub(crate) const INFINITE: &str = "a number that is not finite";

/// Description of a marker for messages. `None` if the object is not a marker.
pub(crate) fn marked(object: &Map<String, Value>) -> Option<&'static str> {
    match object.keys().next().map(String::as_str) {
        Some(INFINITE) if object.len() == 1 => Some(INFINITE),
        Some(TWICE) if object.len() == 1 => Some(TWICE),
        _ => None,
    }
}

/// Whether an object is the marker for a number that is not finite.
pub(crate) fn is_infinite(object: &Map<String, Value>) -> bool {
    object.len() == 1 && object.contains_key(INFINITE)
}
