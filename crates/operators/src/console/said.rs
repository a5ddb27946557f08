//! Responses that are pages of the console.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use service::Error;
use web::error::Problem;

/// A page with one sentence.
#[derive(Template)]
#[template(path = "said.html")]
struct SaidPage<'p> {
    title: &'p str,
    line: &'p str,
}

/// A page that redirects the browser to another page of the console. Because the redirect comes from the
/// console and not from the identity provider, the browser sends the session cookie (`SameSite=Strict`).
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

/// A page for an address that does not exist.
pub(super) fn missing() -> Response {
    let page = page(&SaidPage {
        title: "There is no such page",
        line: "The address is wrong, or the page has moved.",
    });
    (StatusCode::NOT_FOUND, page).into_response()
}

/// A page that says why something failed. `what`: name of the action or of the desk, for the log.
pub(super) fn problem_page(what: &str, problem: &Problem) -> Response {
    log_cause(what, problem);
    (problem.code.status(), failed(problem.detail())).into_response()
}

/// Logs the cause of a problem that is not the operator's fault.
pub(super) fn log_cause(what: &str, problem: &Problem) {
    if let Some(cause) = &problem.cause {
        tracing::error!(error.cause = %cause, "{what} failed: {cause}");
    }
}

/// A page that says what was done.
pub(super) fn said(title: &str, line: &str) -> Response {
    page(&SaidPage { title, line })
}

/// Marks the answer to a sign-in that failed, for the log of access.
#[derive(Debug, Clone, Copy)]
pub(super) struct SignInFailed;

/// The answer to a sign-in that failed.
pub(super) fn sign_in_failed(mut answer: Response) -> Response {
    answer.extensions_mut().insert(SignInFailed);
    answer
}

pub(super) fn refusal(fault: Error) -> Response {
    let is_sign_in = matches!(fault, Error::LinkExpired | Error::NotPermitted(_));
    let line = match &fault {
        Error::LinkExpired => {
            "This link or page was already used or has expired. Ask an administrator for a new link, or sign in."
        }
        Error::Conflict(why) => &why.detail,
        Error::NotPermitted(why) => why,
        _ => {
            tracing::error!(error.cause = %fault, "a page of the console failed: {fault}");
            "Something went wrong. Try again in a moment."
        }
    };
    if is_sign_in { sign_in_failed(failed(line)) } else { failed(line) }
}
