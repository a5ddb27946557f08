//! Simple HTML pages, such as the certificate check and the refusal of a download.

use askama::Template;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// Marks a response as an HTML page. The outermost layer does not replace it by an error object, whatever its
/// status (D10).
#[derive(Clone)]
pub(crate) struct Page;

const CSP: &str =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");

/// Response with an HTML page and the headers that all pages have.
pub(crate) fn page(status: StatusCode, template: &impl Template) -> Response {
    let Ok(html) = template.render() else {
        return crate::error::Problem::unexpected("a page could not be rendered").into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(CSP)),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (ROBOTS, HeaderValue::from_static("noindex, nofollow")),
    ];
    let mut response = (status, headers, html).into_response();
    response.extensions_mut().insert(Page);
    response
}

/// Whether the caller accepts HTML and not JSON.
pub(crate) fn prefers_page(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    accept.contains("text/html") && !accept.contains("application/json")
}

pub(crate) async fn stylesheet() -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/css; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600")),
    ];
    (headers, include_str!("../assets/page.css")).into_response()
}

pub(crate) const STYLESHEET: &str = "/assets/page.css";
