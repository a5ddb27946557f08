//! Who calls: partners and keys in memory, tokens, signed addresses, what was answered before.
//!
//! Uses `clock`, `error`, `keys`, `storage`.

pub mod directory;
pub mod idempotency;
pub mod key_rotation;
pub(crate) mod partner_clock;
pub mod session;
pub mod signed_address;
pub mod signing_secret;
pub mod status_page;
pub mod token;
pub(crate) mod token_key;
pub mod used_tokens;
