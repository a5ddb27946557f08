//! Access: tokens, sessions, public keys, authentication of insurers, the partner's request log.
//!
//! Uses `common`.

pub(crate) mod auth_token;
pub(crate) mod insurer_caller;
pub(crate) mod jwks;
pub(crate) mod request_log;
pub(crate) mod session;

use super::common::endpoint::Endpoint;

/// Endpoints, in the order of the OpenAPI document.
pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&auth_token::POST, &session::POST, &jwks::GET, &request_log::LIST];
