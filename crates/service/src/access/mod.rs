//! Who calls: partners and keys in memory, tokens, signed addresses, what was answered before.
//!
//! Uses `error`, `shared`.
//!

pub mod key_rotation;
pub mod session;
pub mod signed_address;
pub mod signing_secret;
pub mod status_page;
pub mod token;
