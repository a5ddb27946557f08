//! Addresses of the pages: paths below `/health`, query parameters, redirects.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::vocabulary;

/// Path at which browsers arrive; every page lies below it.
pub(crate) const ROOT: &str = "/health";

/// Continues a journey where it was left.
pub(crate) const START: &str = "start";

/// Takes the form that asks for all prices again.
pub(crate) const ASK: &str = "ask";

/// The events that carry new prices to the list of plans.
pub(crate) const EVENTS: &str = "events";

/// Compares plans.
pub(crate) const COMPARE: &str = "compare";

/// Shows one plan.
pub(crate) const PLAN: &str = "plan";

/// Takes the form that chooses a plan.
pub(crate) const CHOOSE: &str = "choose";

/// Shows a price that has changed.
pub(crate) const PRICE: &str = "price";

/// Takes the form that begins a new application.
pub(crate) const AGAIN: &str = "again";

/// The status of an application, followed by its code.
pub(crate) const STATUS: &str = "status";

vocabulary! {
    /// A parameter in the query of a page's address.
    Parameter, "the name of a query parameter" {
        /// The token with which a customer arrives.
        SessionToken = "session_token",
        /// The same, as some platforms write it.
        SessionTokenWithHyphen = "session-token",
        /// The session with which a customer arrives or returns to the demo partner.
        Session = "session_id",
        /// Where the customer goes at the end.
        ReturnUrl = "return_url",
        /// The language to switch to.
        Language = "lang",
        /// The journey was just opened, so the browser must have its cookie.
        New = "new",
        /// The price was asked for again and is unchanged.
        Same = "same",
        /// Waits for the quote to be complete.
        Wait = "wait",
        /// Waits for more variants than this number to be complete.
        Seen = "seen",
        /// Order of the list of plans.
        Sort = "sort",
        /// A filter tag that the listed plans have.
        Tag = "tag",
        /// A variant: the one that is shown, or one of those that are compared.
        Variant = "v",
        /// An order of the fictional payment gateway.
        Order = "order",
    }
}

impl AsRef<str> for Parameter {
    fn as_ref(&self) -> &str {
        self.word()
    }
}

/// Whether a path is one of the journey's, known or not.
pub(crate) fn is_below_root(path: &str) -> bool {
    path.strip_prefix(ROOT).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The route of a path below the root.
pub(crate) fn route(path: impl AsRef<str>) -> String {
    format!("{ROOT}/{}", path.as_ref())
}

/// The address of an application's status, relative to a page that is one level below the root.
pub(crate) fn status(code: &str) -> String {
    format!("{STATUS}/{code}")
}

/// Redirects to another page, by an address relative to this one.
pub(crate) fn redirect(to: impl AsRef<str>) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, to.as_ref().to_owned())]).into_response()
}
