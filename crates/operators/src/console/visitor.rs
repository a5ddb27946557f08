//! Identifies the visitor of a page by the session in the browser's cookie.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::response::{IntoResponse, Redirect, Response};
use domain::team::SecretKind;
use service::acting::{self, Actor};
use service::team::{SESSION_LIFETIME, SignedIn};

use super::Console;
use super::frame::opened_by;
use super::said::{failed, refusal};

/// Name of the session cookie.
const SESSION: &str = "covernote";

/// Full name of a cookie. Browsers accept `__Host-` only over HTTPS, without a domain and with `Path=/`.
pub(super) fn cookie_name(console: &Console, name: &str) -> String {
    if console.is_https { format!("__Host-{name}") } else { name.to_owned() }
}

/// Header that sets a cookie. An empty value removes the cookie.
pub(super) fn set_cookie(
    console: &Console,
    name: &str,
    value: &str,
    life: Duration,
) -> (header::HeaderName, HeaderValue) {
    let life = if value.is_empty() { 0 } else { life.as_secs() };
    let secure = if console.is_https { "; Secure" } else { "" };
    let name = cookie_name(console, name);
    let cookie = format!("{name}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={life}{secure}");
    (header::SET_COOKIE, HeaderValue::from_str(&cookie).unwrap_or(HeaderValue::from_static("")))
}

/// Header that sets the session cookie. An empty session removes the cookie.
pub(super) fn cookie(console: &Console, session: &str) -> [(header::HeaderName, HeaderValue); 1] {
    [set_cookie(console, SESSION, session, SESSION_LIFETIME)]
}

/// Value of a cookie in the headers.
pub(super) fn cookie_in(headers: &HeaderMap, name: &str) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
}

/// Short name of the browser, such as `Firefox on Linux`, for the list of sessions.
pub(super) fn browser(headers: &HeaderMap) -> String {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    let one_of =
        |names: &[&str]| names.iter().find(|name| agent.contains(**name)).map(|name| (*name).to_owned());
    let browser = one_of(&["Edg", "Firefox", "Chrome", "Safari"]).unwrap_or_else(|| "browser".to_owned());
    let system = one_of(&["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"]);
    let browser = browser.replace("Edg", "Edge");
    system.map_or(browser.clone(), |system| format!("{browser} on {system}"))
}

/// The signed-in operator, extracted from a request. Refuses a form that was not sent from a page of the
/// console.
pub(super) struct Visitor(pub(super) SignedIn);

impl FromRequestParts<Arc<Console>> for Visitor {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, console: &Arc<Console>) -> Result<Self, Response> {
        OwnForm::from_request_parts(parts, console).await?;
        let found = match cookie_in(&parts.headers, &cookie_name(console, SESSION)) {
            Some(session) => console.service().team.signed_in(&session).await.map_err(refusal)?,
            None => None,
        };
        let back = parts.uri.path_and_query().map(|path| path.as_str()).unwrap_or("/");
        let back = if parts.method == Method::GET { back } else { "/account" };
        let query = serde_urlencoded::to_string([("next", back)]).unwrap_or_default();
        // A machine's token cannot open pages.
        let found = found.filter(|found| found.secret.kind == SecretKind::Session);
        if let Some(found) = &found {
            acting::identify(Actor::Operator(found.operator.id));
            opened_by(found);
        }
        found.map(Visitor).ok_or_else(|| Redirect::to(&format!("/sign-in?{query}")).into_response())
    }
}

/// Extractor that refuses a form that was not sent from a page of the console.
pub(super) struct OwnForm;

impl FromRequestParts<Arc<Console>> for OwnForm {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, console: &Arc<Console>) -> Result<Self, Response> {
        let origin = parts.headers.get(header::ORIGIN).map(HeaderValue::as_bytes);
        match parts.method == Method::GET || origin == Some(console.origin.as_bytes()) {
            true => Ok(OwnForm),
            false => Err(failed("This form came from another site. Open the console again.")),
        }
    }
}
