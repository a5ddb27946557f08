//! Rate limit headers (draft-ietf-httpapi-ratelimit-headers).

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use service::acting::Allowance;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LEFT: HeaderName = HeaderName::from_static("ratelimit");

/// Adds headers with the limit, `"tokens";q=100;w=3600`, and with what is left of it, `"tokens";r=99;t=3600`.
/// `w` and `t` are in seconds.
pub(crate) fn add_headers(allowance: &Allowance, headers: &mut HeaderMap) {
    let Allowance { name, most, window, left, resets_in } = allowance;
    let policy = format!(r#""{name}";q={most};w={window}"#);
    let rest = format!(r#""{name}";r={left};t={resets_in}"#);
    for (header, text) in [(POLICY, policy), (LEFT, rest)] {
        headers.insert(header, HeaderValue::try_from(text).expect("plain ASCII"));
    }
}
