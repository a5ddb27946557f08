//! ETags. A browser compares them to know whether its cached copy is current.

use std::hash::{DefaultHasher, Hash, Hasher};

/// ETag from a hash of the bytes. The hash is not cryptographic, because an attacker gains nothing by a
/// collision.
pub(crate) fn of(body: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    body.hash(&mut hasher);
    format!("\"{:016x}\"", hasher.finish())
}
