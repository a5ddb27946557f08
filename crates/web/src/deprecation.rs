//! Deprecated operations: headers of their responses, and the page that explains them (D9; RFC 9745).

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use domain::operator::Operator;

use crate::app::App;
use crate::page::page;

/// Path of the page about deprecated operations.
pub(crate) const DOCUMENT: &str = "/deprecations";

const DEPRECATION: HeaderName = HeaderName::from_static("deprecation");

/// Start of the deprecation: 20 November 2026 at midnight in Kolkata, as a structured date.
const SINCE: HeaderValue = HeaderValue::from_static("@1795113000");

/// Part of a deprecated path that the path of the successor lacks. The successor of
/// `/v1/business/health/policies` is `/v1/policies`.
const LEFT_OUT: &str = "/business/health";

/// Adds the headers of a deprecated operation to any response: start of the deprecation, page about it, and
/// successor operation (RFC 5829). Existing `Link` headers stay.
pub(crate) fn add_headers(base_url: &str, path: &str, headers: &mut HeaderMap) {
    headers.insert(DEPRECATION, SINCE);
    let successor = path.replacen(LEFT_OUT, "", 1);
    // The deprecated read also finds a policy by its number, its successor only by its id.
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

/// Serves the page about deprecated operations.
pub(crate) async fn get(State(app): State<App>) -> Response {
    page(StatusCode::OK, &Deprecations { operator: app.operator() })
}

#[derive(Template)]
#[template(path = "deprecations.html")]
struct Deprecations {
    operator: Option<Arc<Operator>>,
}
