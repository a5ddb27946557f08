//! Pages as answers, and the page that says a sentence.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use service::Error;

/// A sentence.
#[derive(Template)]
#[template(path = "said.html")]
struct SaidPage<'p> {
    title: &'p str,
    line: &'p str,
}

/// A page that goes on by itself: to the browser, it is the console's own page that leads on, so cookies go along.
#[derive(Template)]
#[template(path = "continue.html")]
pub(super) struct ContinuePage {
    pub(super) next: String,
}

pub(super) fn page(template: &impl Template) -> Response {
    match template.render() {
        Ok(text) => Html(text).into_response(),
        Err(fault) => refusal(Error::Internal(fault.to_string())),
    }
}

/// A page that says what went wrong.
pub(super) fn failed(line: &str) -> Response {
    let page = page(&SaidPage { title: "There is a problem", line });
    (StatusCode::BAD_REQUEST, page).into_response()
}

/// A page that says what was done.
pub(super) fn said(title: &str, line: &str) -> Response {
    page(&SaidPage { title, line })
}

pub(super) fn refusal(fault: Error) -> Response {
    let line = match &fault {
        Error::LinkExpired => {
            "This link or page is good no more: it was used, or its time is over. Ask an administrator for a new link, or sign in."
        }
        Error::Conflict(why) => &why.detail,
        Error::NotPermitted(why) => why,
        _ => {
            tracing::error!(error.cause = %fault, "a page of the console failed: {fault}");
            "Something went wrong. Try again in a moment."
        }
    };
    failed(line)
}
