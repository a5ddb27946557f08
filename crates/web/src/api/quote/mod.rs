//! Quotes of credit protection and health, and the options for quotes.
//!
//! Uses `common`.

pub(crate) mod embedded;
pub(crate) mod health;
pub(crate) mod offered;
pub(crate) mod options;
pub(crate) mod recommendation;

use super::common::endpoint::Endpoint;

/// Endpoints, in the order of the OpenAPI document.
pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &options::EMBEDDED,
    &embedded::POST,
    &options::HEALTH,
    &recommendation::POST,
    &recommendation::GET,
    &health::LIST,
    &health::GET,
];
