//! Records by kind: their rows, encrypted bodies, and operations of [`crate::Store`]. They are the same on
//! both engines.
//!
//! Uses `audit`, `audit_key`, `body`, `counted_event`, `engine`, `fields`, `keyring`, `operation`,
//! `postgres`, `seal`, `sealing_key`, `store`.
//!
//! In these modules, a `Row` is a record as its table has it, with the body encrypted. `row!` declares its columns.

pub(crate) mod approval;
pub(crate) mod audit;
pub(crate) mod bank_reference;
pub(crate) mod bound;
pub(crate) mod calendar;
pub(crate) mod claim;
pub(crate) mod complaint;
pub(crate) mod counted;
pub(crate) mod deposit;
pub(crate) mod embedded_quote;
pub(crate) mod event;
pub(crate) mod health_quote;
pub(crate) mod import;
pub(crate) mod installation;
pub(crate) mod job;
pub(crate) mod journey;
pub(crate) mod kept_response;
pub(crate) mod key;
pub(crate) mod line;
pub(crate) mod list;
pub(crate) mod moves;
pub(crate) mod notice;
pub(crate) mod partner;
mod people;
pub(crate) mod personal_data;
pub(crate) mod policy;
pub(crate) mod position;
pub(crate) mod premium;
pub(crate) mod proof;
pub(crate) mod proposal;
mod proving;
pub(crate) mod reason;
pub(crate) mod request_log;
pub(crate) mod resealing;
pub(crate) mod row;
pub(crate) mod session;
pub(crate) mod statement;
pub(crate) mod status_page;
pub(crate) mod tag;
pub(crate) mod team;
pub(crate) mod test_data;
pub(crate) mod webhook;
pub(crate) mod work_item;

use aws_lc_rs::digest::{SHA256, digest};
use domain::id::{Id, Kind};

/// Number of rows in a page of a walk over all rows, such as the encryption with a newer key. One transaction
/// changes the rows of a page.
pub(crate) const PAGE: usize = 500;

pub(crate) fn id_bytes<K: Kind>(id: Id<K>) -> [u8; 16] {
    *id.uuid().as_bytes()
}

pub(crate) fn sha256(of: &[u8]) -> [u8; 32] {
    digest(&SHA256, of).as_ref().try_into().expect("SHA-256 is 32 bytes")
}

/// First 16 bytes of a SHA-256. Hash by which records are found if the value is secret, or is an id that
/// another system created.
pub(crate) fn short_hash(of: &[u8]) -> [u8; 16] {
    *sha256(of).first_chunk().expect("16 of 32 bytes")
}
