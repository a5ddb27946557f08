//! Quotes of credit protection and health, and what may be asked for.
//!
//! Uses `common`.

pub(crate) mod embedded;
pub(crate) mod health;
pub(crate) mod offered;
pub(crate) mod options;
pub(crate) mod recommendation;

use super::common::endpoint::Endpoint;

/// Its endpoints, as the document goes through them.
pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &options::EMBEDDED,
    &embedded::POST,
    &options::HEALTH,
    &recommendation::POST,
    &recommendation::GET,
    &health::LIST,
    &health::GET,
];
