//! The static files of the pages: stylesheet, script.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

/// Path of the stylesheet.
pub(crate) const STYLESHEET: &str = "/assets/journey.css";

/// Path of the script.
pub(crate) const SCRIPT: &str = "/assets/journey.js";

/// The version in their addresses, so that no browser shows a new page with an old stylesheet.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The stylesheet.
pub(crate) async fn stylesheet() -> Response {
    asset("text/css; charset=utf-8", include_str!("../../assets/journey.css"))
}

/// The script. Every page works without it.
pub(crate) async fn script() -> Response {
    asset("text/javascript; charset=utf-8", include_str!("../../assets/journey.js"))
}

fn asset(kind: &'static str, content: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600")),
    ];
    (headers, content).into_response()
}
