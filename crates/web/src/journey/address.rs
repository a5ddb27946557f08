//! Addresses of the journey's pages: paths below `/health`, query parameters, redirects.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::vocabulary;

/// Path at which customers' browsers arrive. All other pages of the journey are below this path.
pub(crate) const ROOT: &str = "/health";

/// Path that redirects to the journey's first unanswered step.
pub(crate) const START: &str = "start";

/// Path of the form that requests all prices again.
pub(crate) const ASK: &str = "ask";

/// Path of the server-sent events with new prices for the list of plans.
pub(crate) const EVENTS: &str = "events";

pub(crate) const COMPARE: &str = "compare";

pub(crate) const PLAN: &str = "plan";

/// Path of the form that chooses a plan.
pub(crate) const CHOOSE: &str = "choose";

/// Path of the page that shows a changed price.
pub(crate) const PRICE: &str = "price";

/// Path of the form that starts a new application.
pub(crate) const AGAIN: &str = "again";

/// Path of an application's status page. The application's code follows it.
pub(crate) const STATUS: &str = "status";

vocabulary! {
    Parameter, "the name of a query parameter" {
        /// Session token in the address with which a customer arrives.
        SessionToken = "session_token",
        /// The same as `session_token`, in the spelling of some platforms.
        SessionTokenWithHyphen = "session-token",
        /// Session id in the address with which a customer arrives, or returns to the demo partner.
        Session = "session_id",
        /// Address to which the customer returns at the end of the journey.
        ReturnUrl = "return_url",
        /// Language to which the page must switch.
        Language = "lang",
        /// Says that the journey was just opened, so the browser must send its cookie.
        New = "new",
        /// Says that the price was requested again and has not changed.
        Same = "same",
        /// Says that the page must wait until the quote is complete or the status changes.
        Wait = "wait",
        /// Number of priced variants that the page already shows. The response waits until there are more.
        Seen = "seen",
        /// Order of the list of plans.
        Sort = "sort",
        /// Filter tag that each listed plan must have.
        Tag = "tag",
        /// Id of a variant to show or to compare.
        Variant = "v",
        /// Code of an order at the fictional payment gateway.
        Order = "order",
    }
}

impl AsRef<str> for Parameter {
    fn as_ref(&self) -> &str {
        self.word()
    }
}

/// Whether `path` is [`ROOT`] or below it, even if no page has this path.
pub(crate) fn is_below_root(path: &str) -> bool {
    path.strip_prefix(ROOT).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Full path of a page whose path below [`ROOT`] is `path`.
pub(crate) fn route(path: impl AsRef<str>) -> String {
    format!("{ROOT}/{}", path.as_ref())
}

/// Address of an application's status page, relative to a page one level below [`ROOT`].
pub(crate) fn status(code: &str) -> String {
    format!("{STATUS}/{code}")
}

/// Redirects to an address relative to the requested page.
pub(crate) fn redirect(to: impl AsRef<str>) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, to.as_ref().to_owned())]).into_response()
}
