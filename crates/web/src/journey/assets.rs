//! Static files of the journey's pages: stylesheet, script, icon, logo.

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::app::App;

pub(crate) const STYLESHEET: &str = "/assets/journey.css";

pub(crate) const SCRIPT: &str = "/assets/journey.js";

pub(crate) const ICON: &str = "/assets/icon.svg";

pub(crate) const OPERATOR_LOGO: &str = "/assets/operator-logo";

/// Version in the addresses of the files, so that a browser never shows a new page with an old stylesheet.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) async fn stylesheet() -> Response {
    asset("text/css; charset=utf-8", include_str!("../../assets/journey.css"))
}

/// Script of the pages. Every page also works without the script.
pub(crate) async fn script() -> Response {
    asset("text/javascript; charset=utf-8", include_str!("../../assets/journey.js"))
}

/// Icon of the pages, the same as the developer site's icon.
pub(crate) async fn icon() -> Response {
    asset("image/svg+xml", docsite::ICON)
}

/// Logo of the operator, if the operator has one.
pub(crate) async fn operator_logo(State(app): State<App>) -> Response {
    let operator = app.operator();
    let Some(logo) = operator.as_ref().and_then(|operator| operator.logo.as_ref()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(logo.media_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600")),
        // The policy stops scripts in the operator's picture when somebody opens it directly.
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
