//! Arrival of a customer: uses up the session token, and removes it from the address bar (D38).

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use service::journey::{Arrival, Arrived, Turned, TurnedWhy};

use super::address::{self, Parameter, redirect};
use super::error_page::ErrorPage;
use super::request::{cookie, language_of, query_value};
use super::step::Step;
use super::visitor::Visitor;
use super::words::Words;
use crate::app::App;
use crate::audit::AuditEvent;
use crate::context::{Admitted, RequestContext};
use crate::error::{Problem, Result};
use crate::page::Page;

/// Opens a journey with the session token in the address. If this browser already opened a journey with this
/// token, continues that journey.
pub(crate) async fn get(State(app): State<App>, _: Admitted, parts: Parts) -> Result<Response> {
    if is_prefetch(&parts.headers) {
        // This is a prefetch. The browser requests the page again when its user follows the link.
        let mut later = StatusCode::SERVICE_UNAVAILABLE.into_response();
        later.extensions_mut().insert(Page);
        return Ok(later);
    }
    let (language, site) = (language_of(&parts), app.journey().ok_or_else(Problem::not_found_at_path)?);
    let error_page = |page: ErrorPage, turned: Option<&Turned>| {
        let partner = turned.and_then(|turned| turned.partner.as_ref());
        Ok(page.response(&app, Words::of(language), partner, parts.uri.path()))
    };
    let cookie = cookie(&parts.headers, site.cookie_name());
    let token = query_value(&parts, Parameter::SessionToken)
        .or_else(|| query_value(&parts, Parameter::SessionTokenWithHyphen));
    let Some(token) = token.filter(|token| !token.trim().is_empty()) else {
        // No token: the customer typed the address or came back to it.
        let visit = match cookie {
            Some(cookie) => app.service.journeys.visit(cookie).await?,
            None => None,
        };
        return if visit.is_some() {
            Ok(redirect(start_from_root()))
        } else {
            error_page(ErrorPage::Wrong, None)
        };
    };
    let session = query_value(&parts, Parameter::Session).filter(|session| !session.trim().is_empty());
    let return_url = query_value(&parts, Parameter::ReturnUrl);
    let arrival = Arrival {
        token: token.trim(),
        session: session.as_deref(),
        return_url: return_url.as_deref(),
        language,
        cookie,
    };
    match app.service.journeys.arrive(arrival).await {
        Ok(Arrived::Resumed) => Ok(redirect(start_from_root())),
        Ok(Arrived::Opened { cookie }) => {
            let mut response = redirect(format!("{}?{}=1", start_from_root(), Parameter::New));
            let cookie = HeaderValue::from_str(&site.set_cookie(&cookie));
            let cookie = cookie.map_err(|_| {
                Problem::unexpected("the cookie has characters that an HTTP header cannot have")
            })?;
            let headers = response.headers_mut();
            headers.insert(header::SET_COOKIE, cookie);
            headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
            Ok(response)
        }
        Err(turned) => {
            let page = match turned.why {
                TurnedWhy::Wrong | TurnedWhy::UnknownSession => ErrorPage::Wrong,
                TurnedWhy::Used => ErrorPage::Used,
                TurnedWhy::Expired => ErrorPage::Expired,
                TurnedWhy::Disabled => ErrorPage::Disabled,
                TurnedWhy::Failed(fault) => return Err(fault.into()),
            };
            let partner = turned.partner.as_ref().map(|partner| partner.id);
            RequestContext::of(&parts.extensions).set_audited(AuditEvent::JourneyRefused, partner, None);
            error_page(page, Some(&turned))
        }
    }
}

/// Answers a HEAD request. It does not use up the session token (D38).
pub(crate) async fn head() -> Response {
    StatusCode::OK.into_response()
}

/// Redirects to the journey's first unanswered step, or to the status page if the customer has already
/// applied.
pub(crate) async fn start(State(app): State<App>, parts: Parts) -> Result<Response, Response> {
    let site = app.journey().ok_or_else(|| Problem::not_found_at_path().into_response())?;
    if query_value(&parts, Parameter::New).is_some() && cookie(&parts.headers, site.cookie_name()).is_none() {
        let words = Words::of(language_of(&parts));
        return Err(ErrorPage::NoCookies.response(&app, words, None, parts.uri.path()));
    }
    let mut parts = parts;
    let visitor = Visitor::from_request_parts(&mut parts, &app).await?;
    Ok(match visitor.journey.answers.proposal {
        Some(proposal) => {
            redirect(address::status(&app.service.status_pages.code(visitor.partner.id, proposal)))
        }
        None => redirect(Step::first_unanswered(&visitor.journey.answers).unwrap_or(Step::Review)),
    })
}

/// Address of [`start`], relative to [`address::ROOT`].
fn start_from_root() -> String {
    format!("health/{}", address::START)
}

/// Whether the browser only prefetches the page.
fn is_prefetch(headers: &HeaderMap) -> bool {
    ["sec-purpose", "purpose", "x-purpose", "x-moz"].iter().any(|name| {
        let value = headers.get(*name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        value.to_ascii_lowercase().contains("prefetch") || value.eq_ignore_ascii_case("preview")
    })
}
