//! The static files of the pages: stylesheet, script.

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::app::App;

/// Path of the stylesheet.
pub(crate) const STYLESHEET: &str = "/assets/journey.css";

/// Path of the script.
pub(crate) const SCRIPT: &str = "/assets/journey.js";

/// Path of the icon.
pub(crate) const ICON: &str = "/assets/icon.svg";

/// Path of the operator's logo.
pub(crate) const OPERATOR_LOGO: &str = "/assets/operator-logo";

/// The version in their addresses, so that no browser shows a new page with an old stylesheet.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) async fn stylesheet() -> Response {
    asset("text/css; charset=utf-8", include_str!("../../assets/journey.css"))
}

/// The script. Every page works without it.
pub(crate) async fn script() -> Response {
    asset("text/javascript; charset=utf-8", include_str!("../../assets/journey.js"))
}

/// The icon, which is that of the site for developers.
pub(crate) async fn icon() -> Response {
    asset("image/svg+xml", docsite::ICON)
}

/// The operator's logo, where there is one.
pub(crate) async fn operator_logo(State(app): State<App>) -> Response {
    let operator = app.operator();
    let Some(logo) = operator.as_ref().and_then(|operator| operator.logo.as_ref()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(logo.media_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600")),
        // A picture of the operator's own runs no script, whoever opens it by itself.
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'"),
        ),
    ];
    (headers, logo.bytes.clone()).into_response()
}

fn asset(kind: &'static str, content: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600")),
    ];
    (headers, content).into_response()
}
