//! What every page of the console has around its content: the operator's name and logo, the way to the desks.

use std::cell::RefCell;
use std::future::Future;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::operator::Operator;
use service::team::SignedIn;

use super::said::missing;
use super::{Console, On};
use crate::act::decide::permits;
use crate::serve::acts::ACTIONS;

/// A desk in the console's navigation.
#[derive(Clone, Copy)]
pub(super) struct Desk {
    /// Key that opens the desk after `g`.
    pub(super) key: char,
    pub(super) path: &'static str,
    pub(super) name: &'static str,
    /// Action that an operator must be allowed to use.
    act: &'static str,
}

/// The desks, in the order of the navigation.
const DESKS: &[Desk] = &[
    Desk { key: 't', path: "/", name: "Today", act: "waiting.list" },
    Desk { key: 's', path: "/search", name: "Search", act: "person.find" },
    Desk { key: 'c', path: "/acts/claim.list", name: "Claims", act: "claim.list" },
    Desk { key: 'a', path: "/approvals", name: "Approvals", act: "approval.list" },
    Desk { key: 'm', path: "/money", name: "Money", act: "premium.summary" },
    Desk { key: 'r', path: "/renewals", name: "Renewals", act: "policy.due" },
    Desk { key: 'p', path: "/partners", name: "Partners", act: "partner.list" },
];

/// The frame of the page that a request gets.
#[derive(Default)]
struct Frame {
    operator: Option<Arc<Operator>>,
    /// Name of the signed-in operator.
    who: Option<String>,
    /// The desks that the operator may open.
    desks: Vec<Desk>,
    path: String,
}

tokio::task_local! {
    static FRAME: RefCell<Frame>;
}

/// Runs the handler of a page, whose templates then know the frame.
pub(super) async fn framed<T>(console: &Console, path: &str, page: impl Future<Output = T>) -> T {
    let operator = console.service().installation.operator().cloned();
    let frame = Frame { operator, path: path.to_owned(), ..Frame::default() };
    FRAME.scope(RefCell::new(frame), page).await
}

/// Adds the signed-in operator to the frame.
pub(super) fn opened_by(signed_in: &SignedIn) {
    let may = |act: &str| {
        ACTIONS.iter().any(|action| action.about.name == act && permits(signed_in, &action.about))
    };
    let desks = DESKS.iter().copied().filter(|desk| may(desk.act)).collect();
    let _ = FRAME.try_with(|frame| {
        let mut frame = frame.borrow_mut();
        frame.who = Some(signed_in.operator.name.clone());
        frame.desks = desks;
    });
}

fn of_frame<T: Default>(value: impl FnOnce(&Frame) -> T) -> T {
    FRAME.try_with(|frame| value(&frame.borrow())).unwrap_or_default()
}

/// Name of the operator's business. Empty if the settings have none.
pub(super) fn business() -> String {
    of_frame(|frame| {
        frame.operator.as_ref().map(|operator| operator.name.english().to_owned()).unwrap_or_default()
    })
}

/// Whether the operator has a logo.
pub(super) fn has_logo() -> bool {
    of_frame(|frame| frame.operator.as_ref().is_some_and(|operator| operator.logo.is_some()))
}

/// Name of the person who is signed in.
pub(super) fn who() -> Option<String> {
    of_frame(|frame| frame.who.clone())
}

/// The desks that the operator may open, each with whether it is open.
pub(super) fn desks() -> Vec<(Desk, bool)> {
    of_frame(|frame| frame.desks.iter().map(|desk| (*desk, frame.path == desk.path)).collect())
}

/// The logo of the operator's business.
pub(super) async fn logo(State(console): On) -> Response {
    const GUARD: [(HeaderName, &str); 1] =
        [(header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; sandbox")];
    let operator = console.service().installation.operator().cloned();
    let Some(logo) = operator.as_ref().and_then(|operator| operator.logo.as_ref()) else {
        return (StatusCode::NOT_FOUND, missing()).into_response();
    };
    let mut response =
        ([(header::CONTENT_TYPE, HeaderValue::from_static(logo.media_type))], logo.bytes.clone())
            .into_response();
    for (name, value) in GUARD {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
