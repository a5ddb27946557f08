//! Who calls: tokens, sessions, keys, the callers that are insurers, and a partner's log of its requests.
//!
//! Uses `common`.

pub(crate) mod auth_token;
pub(crate) mod insurer_caller;
pub(crate) mod jwks;
pub(crate) mod request_log;
pub(crate) mod session;

use super::common::endpoint::Endpoint;

/// Its endpoints, as the document goes through them.
pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&auth_token::POST, &session::POST, &jwks::GET, &request_log::LIST];
