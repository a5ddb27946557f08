//! Tags by which a browser knows that it has the bytes already.

use std::hash::{DefaultHasher, Hash, Hasher};

/// A tag that changes with the bytes. Nobody gains anything by making two texts with the same one.
pub(crate) fn of(body: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}
