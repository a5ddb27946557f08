//! Rows: records as they lie in the tables, the same on every engine. What is personal is in sealed bodies.
//!
//! A `Row` is what an engine inserts; a `Found` is what it read, with its body still closed.

pub(crate) mod bound;
pub(crate) mod calendar;
pub(crate) mod claim;
pub(crate) mod complaint;
pub(crate) mod counted;
pub(crate) mod embedded_quote;
pub(crate) mod event;
pub(crate) mod health_quote;
pub(crate) mod journey;
pub(crate) mod kept_response;
pub(crate) mod key;
pub(crate) mod line;
pub(crate) mod list;
pub(crate) mod moves;
pub(crate) mod partner;
pub(crate) mod policy;
pub(crate) mod position;
pub(crate) mod premium;
pub(crate) mod proposal;
pub(crate) mod reason;
pub(crate) mod request_log;
pub(crate) mod session;
pub(crate) mod state_moves;
pub(crate) mod statement;
pub(crate) mod tag;
pub(crate) mod test_data;
pub(crate) mod webhook;

use aws_lc_rs::digest::{SHA256, digest};
use domain::date::Timestamp;
use domain::id::{Id, Kind, Uuid};

/// The 16 bytes of an id.
pub(crate) fn id_bytes<K: Kind>(id: Id<K>) -> [u8; 16] {
    *id.uuid().as_bytes()
}

/// The first id that a record made in the millisecond of an instant can have.
pub(crate) fn first_id_at(at: Timestamp) -> Uuid {
    let millis = u128::try_from(at.as_millisecond()).unwrap_or(0);
    Uuid::from_u128(millis << 80)
}

/// 16 bytes of a SHA-256, by which something is found that is not to lie in clear, or has no id of ours.
pub(crate) fn short_hash(of: &[u8]) -> [u8; 16] {
    *digest(&SHA256, of).as_ref().first_chunk().expect("SHA-256 is 32 bytes")
}
