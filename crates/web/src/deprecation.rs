//! Deprecated operations: every answer of theirs says so, and where it is written (D9; RFC 9745).

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;

use crate::app::App;
use crate::page::page;

/// The routes that are deprecated.
pub(crate) const ROUTES: &[&str] = &[
    "/v1/business/health/proposals",
    "/v1/business/health/proposals/{proposal_id}",
    "/v1/business/health/policies",
    "/v1/business/health/policies/{*policy_id}",
];

/// The document that says so.
pub(crate) const DOCUMENT: &str = "/deprecations";

const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");

/// Since when: 20 November 2026 at midnight in Kolkata, as a structured date.
const SINCE: HeaderValue = HeaderValue::from_static("@1795113000");

/// Puts the headers on the answer of a deprecated route, whatever the answer is.
pub(crate) fn say(route: &str, base_url: &str, headers: &mut HeaderMap) {
    if !ROUTES.contains(&route) {
        return;
    }
    headers.insert(DEPRECATION, SINCE);
    let link = format!(r#"<{base_url}{DOCUMENT}>; rel="deprecation"; type="text/html""#);
    if let Ok(link) = HeaderValue::from_str(&link) {
        headers.insert(header::LINK, link);
    }
}

/// Serves the document.
pub(crate) async fn get(State(_): State<App>) -> Response {
    page(StatusCode::OK, &Deprecations)
}

#[derive(Template)]
#[template(path = "deprecations.html")]
struct Deprecations;
