//! Serves the developer site at `/docs`. The path `/` and every error link to it.

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use docsite::AnswerKind;

use crate::app::App;
use crate::error::Code;
use crate::openapi_file::matches;
use crate::page::Page;

/// Browsers may reuse a page for 300 seconds.
const CACHED: HeaderValue = HeaderValue::from_static("public, max-age=300");

const REFERRER_POLICY: HeaderName = header::REFERRER_POLICY;

/// Routes of the site's pages, and the redirect from `/`.
pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/", get(first_page))
        .route(docsite::ROOT, get(page))
        .route(&format!("{}/", docsite::ROOT), get(page))
        .route(&format!("{}/{{*rest}}", docsite::ROOT), get(page))
}

/// Redirects to the first page of the site.
async fn first_page(State(app): State<App>) -> Response {
    let address = format!("{}{}", app.service.installation.base_path(), docsite::ROOT);
    let location = HeaderValue::try_from(address).unwrap_or(HeaderValue::from_static(docsite::ROOT));
    (StatusCode::FOUND, [(header::LOCATION, location)]).into_response()
}

/// Serves one page of the site.
async fn page(State(app): State<App>, request: Request) -> Response {
    let uri = request.uri();
    let path = uri.path().strip_prefix(docsite::ROOT).unwrap_or_default();
    let answer = app.developer_site.answer(path, uri.query());
    let etag = HeaderValue::from_str(&answer.etag).unwrap_or(HeaderValue::from_static("\"\""));
    let mut asked = request.headers().get_all(header::IF_NONE_MATCH).iter();
    let is_known = answer.status == 200 && asked.any(|known| matches(known, &answer.etag));
    let mut response = match is_known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => {
            let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::OK);
            let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(answer.content_type))];
            (status, kind, Body::from(answer.body)).into_response()
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::ETAG, etag);
    headers.insert(header::CACHE_CONTROL, CACHED);
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(answer.kind.policy()));
    if let Some(encoding) = answer.encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    if matches!(answer.kind, AnswerKind::Page | AnswerKind::Reference) {
        response.extensions_mut().insert(Page);
    }
    response
}

/// `Link` header from an error response to the page about its code.
pub(crate) fn help(app: &App, code: Code) -> Option<(HeaderName, HeaderValue)> {
    let base = app.service.installation.base_url();
    let link = format!("<{base}{}/errors/{}>; rel=\"help\"", docsite::ROOT, code.word());
    HeaderValue::try_from(link).ok().map(|link| (header::LINK, link))
}
