//! Authentication of callers: tokens, sessions, keys, signed addresses.
//!
//! Uses `error`, `shared`.
//!

pub mod key_rotation;
pub mod session;
pub mod signed_address;
pub mod signing_secret;
pub mod status_page;
pub mod token;
