//! Deprecated operations: every response of theirs says so, and where that is written (D9; RFC 9745).

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use domain::operator::Operator;

use crate::app::App;
use crate::page::page;

/// Path of the document that says so.
pub(crate) const DOCUMENT: &str = "/deprecations";

const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");

/// Since when: 20 November 2026 at midnight in Kolkata, as a structured date.
const SINCE: HeaderValue = HeaderValue::from_static("@1795113000");

/// What in a path the operations that follow leave out: `/v1/business/health/policies` is followed by `/v1/policies`.
const LEFT_OUT: &str = "/business/health";

/// Adds the headers of a deprecated route to its response, whatever the response is: since when it is deprecated, where that is
/// written, and which operation follows it (RFC 5829). A link that a refusal has stays.
pub(crate) fn add_headers(base_url: &str, path: &str, headers: &mut HeaderMap) {
    headers.insert(DEPRECATION, SINCE);
    let successor = path.replacen(LEFT_OUT, "", 1);
    // A policy is found by its number there, and by its id alone here.
    let successor = match successor.split_once("/policies/") {
        Some((base, id)) if !id.starts_with("pol_") => format!("{base}/policies"),
        _ => successor,
    };
    let links = [
        format!(r#"<{base_url}{DOCUMENT}>; rel="deprecation"; type="text/html""#),
        format!(r#"<{base_url}{successor}>; rel="successor-version""#),
    ];
    for link in links.iter().filter_map(|link| HeaderValue::from_str(link).ok()) {
        headers.append(header::LINK, link);
    }
}

/// Serves the document.
pub(crate) async fn get(State(app): State<App>) -> Response {
    page(StatusCode::OK, &Deprecations { operator: app.operator() })
}

#[derive(Template)]
#[template(path = "deprecations.html")]
struct Deprecations {
    operator: Option<Arc<Operator>>,
}
