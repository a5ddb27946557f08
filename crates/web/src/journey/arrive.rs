//! Arriving: the token is used up and leaves the address bar (D38).

use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::journey::Answers;
use service::journey::{Arrival, Arrived, Turned, TurnedWhy};

use super::dead_end::{DeadEnd, page_of};
use super::lead_to;
use super::visitor::{Visitor, cookie, in_query, language_of};
use super::words::Words;
use crate::app::App;
use crate::error::Problem;
use crate::page::Page;

/// Opens a journey by the token in the address, or goes on with the one that it opened in this browser.
pub(crate) async fn get(State(app): State<App>, parts: Parts) -> Result<Response, Problem> {
    if is_prefetch(&parts.headers) {
        // A browser that only gets ahead of its user asks again when the user comes.
        let mut later = StatusCode::SERVICE_UNAVAILABLE.into_response();
        later.extensions_mut().insert(Page);
        return Ok(later);
    }
    let (words, site) = (Words(language_of(&parts)), app.journey().ok_or_else(Problem::not_found_at_path)?);
    let dead_end = |end: DeadEnd, turned: Option<&Turned>| {
        Ok(page_of(&end, words, turned.and_then(|turned| turned.partner.as_ref()), parts.uri.path()))
    };
    let held = cookie(&parts.headers, site.cookie_name());
    let token = in_query(&parts, "session_token").or_else(|| in_query(&parts, "session-token"));
    let Some(token) = token.filter(|token| !token.trim().is_empty()) else {
        // Somebody who typed the address of these pages, or came back to it.
        let visit = match held {
            Some(held) => app.service.visit(held).await?,
            None => None,
        };
        return if visit.is_some() { Ok(lead_to("health/start")) } else { dead_end(DeadEnd::Wrong, None) };
    };
    let session = in_query(&parts, "session_id").filter(|session| !session.trim().is_empty());
    let return_url = in_query(&parts, "return_url");
    let arrival = Arrival {
        token: token.trim(),
        session: session.as_deref(),
        return_url: return_url.as_deref(),
        language: words.0,
        cookie: held,
    };
    match app.service.arrive(arrival).await {
        Ok(Arrived::Resumed) => Ok(lead_to("health/start")),
        Ok(Arrived::Opened { cookie }) => {
            let mut response = lead_to("health/start?new=1");
            let cookie = HeaderValue::from_str(&site.set_cookie(&cookie));
            let cookie = cookie.map_err(|_| Problem::unexpected("a cookie that no header can hold"))?;
            let headers = response.headers_mut();
            headers.insert(header::SET_COOKIE, cookie);
            headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
            Ok(response)
        }
        Err(turned) => {
            let end = match turned.why {
                TurnedWhy::Wrong | TurnedWhy::UnknownSession => DeadEnd::Wrong,
                TurnedWhy::Used => DeadEnd::Used,
                TurnedWhy::Expired => DeadEnd::Expired,
                TurnedWhy::Disabled => DeadEnd::Disabled,
                TurnedWhy::Failed(fault) => return Err(fault.into()),
            };
            dead_end(end, Some(&turned))
        }
    }
}

/// Whoever only asks about the page does not use the token up (D38).
pub(crate) async fn head() -> Response {
    StatusCode::OK.into_response()
}

/// Leads to where the journey was left.
pub(crate) async fn start(State(app): State<App>, parts: Parts) -> Result<Response, Response> {
    let site = app.journey().ok_or_else(|| Problem::not_found_at_path().into_response())?;
    if in_query(&parts, "new").is_some() && cookie(&parts.headers, site.cookie_name()).is_none() {
        return Err(page_of(&DeadEnd::NoCookies, Words(language_of(&parts)), None, parts.uri.path()));
    }
    use axum::extract::FromRequestParts;
    let mut parts = parts;
    let visitor = Visitor::from_request_parts(&mut parts, &app).await?;
    Ok(match visitor.journey.answers.proposal {
        Some(proposal) => {
            lead_to(&format!("status/{}", app.service.status_code(visitor.partner.id, proposal)))
        }
        None => lead_to(resumes_at(&visitor.journey.answers)),
    })
}

/// The page on which a journey is gone on with.
pub(crate) fn resumes_at(answers: &Answers) -> &'static str {
    match unanswered(answers) {
        Some(page) => page,
        None if answers.choice.is_none() => "plans",
        None if answers.form.is_none() => "details",
        None => "review",
    }
}

/// The first page of questions that is not answered, of those before the plans.
pub(crate) fn unanswered(answers: &Answers) -> Option<&'static str> {
    if answers.family.is_empty() {
        return Some("who");
    }
    if answers.pincode.is_none() || answers.has_illness.is_none() || answers.porting.is_none() {
        return Some("place");
    }
    answers.cover.is_none().then_some("cover")
}

/// Whether a browser fetches the page before anybody asked for it.
fn is_prefetch(headers: &HeaderMap) -> bool {
    ["sec-purpose", "purpose", "x-purpose", "x-moz"].iter().any(|name| {
        let value = headers.get(*name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        value.to_ascii_lowercase().contains("prefetch") || value.eq_ignore_ascii_case("preview")
    })
}
