//! The frame of every page, and the headers that it is sent with.

use askama::Template;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::partner::Partner;

use super::visitor::Visitor;
use super::words::Words;
use crate::error::Problem;
use crate::page::Page;

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");

/// Features of a browser that no page of ours needs.
const NO_FEATURES: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/// Everything but ancestors. Only our own stylesheet and script, no word of either in a page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'";

/// How many pages with questions there are until an application is sent.
pub(crate) const STEPS: u8 = 6;

/// What every page has around it.
pub(crate) struct Frame {
    pub(crate) words: Words,
    /// Leads from the page to the root of this server, relative to it.
    pub(crate) root: &'static str,
    /// Through whom the customer came, where that is known.
    pub(crate) partner: Option<String>,
    /// Where the same page is in the other language, relative to it. Empty for none.
    pub(crate) in_other_language: String,
    /// Which question it is, of [`STEPS`]. 0 for none.
    pub(crate) step: u8,
    /// The page before, relative to it. Empty for none.
    pub(crate) back: &'static str,
    /// What shows that a form was sent from here.
    pub(crate) proof: String,
    /// Whether the page's own form, `main`, is what people fill in on it: then the language is switched by sending what
    /// is typed so far.
    pub(crate) has_form: bool,
    /// Whether the page has our script, which no dead end needs.
    pub(crate) has_script: bool,
    /// Where a browser without scripts goes on by itself; empty for nowhere. It goes at once, and the server answers when
    /// there is more to see: a page that went away after some seconds would be taken from whoever reads slowly.
    pub(crate) refresh: String,
    /// Whether one with scripts does likewise.
    pub(crate) refresh_always: bool,
}

impl Frame {
    /// The frame of a page one level below the root.
    pub(crate) fn of(visitor: &Visitor, page: &str) -> Frame {
        let join = if page.contains('?') { '&' } else { '?' };
        Frame {
            words: visitor.words,
            root: "../",
            partner: Some(visitor.partner.name.clone()),
            in_other_language: format!("{page}{join}lang={}", visitor.words.other().code()),
            step: 0,
            back: "",
            proof: visitor.proof.clone(),
            has_form: false,
            has_script: true,
            refresh: String::new(),
            refresh_always: false,
        }
    }

    /// It asks a question: which one, and the page before.
    pub(crate) fn asks(mut self, step: u8, back: &'static str) -> Frame {
        (self.step, self.back, self.has_form) = (step, back, true);
        self
    }

    /// The other language's words.
    pub(crate) fn other(&self) -> Words {
        self.words.other()
    }
}

/// Who may show a page in a frame.
pub(crate) enum Framing<'p> {
    /// The origins that a partner registered; nobody where it has none.
    By(&'p Partner),
    /// Whoever sent the browser here is not known, and the page shows nothing of anybody: a frame that stays white would
    /// tell the customer less than it does.
    Anyone,
}

/// A page with the headers that all pages of the journey have.
pub(crate) fn page(status: StatusCode, framing: &Framing<'_>, template: &impl Template) -> Response {
    let Ok(html) = template.render() else {
        return Problem::unexpected("a page could not be rendered").into_response();
    };
    let policy = match framing {
        Framing::By(partner) if partner.origins.is_empty() => format!("{POLICY}; frame-ancestors 'none'"),
        Framing::By(partner) => format!("{POLICY}; frame-ancestors {}", partner.origins.join(" ")),
        Framing::Anyone => POLICY.to_owned(),
    };
    let Ok(policy) = HeaderValue::from_str(&policy) else {
        return Problem::unexpected("an origin that no header can hold").into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (PERMISSIONS, HeaderValue::from_static(NO_FEATURES)),
        (ROBOTS, HeaderValue::from_static("noindex, nofollow")),
    ];
    let mut response = (status, headers, html).into_response();
    response.extensions_mut().insert(Page);
    response
}

/// A page of a journey that goes on.
pub(crate) fn shown(visitor: &Visitor, template: &impl Template) -> Response {
    page(StatusCode::OK, &Framing::By(&visitor.partner), template)
}

/// The same page again, with what is wrong on it: a form that cannot be taken.
pub(crate) fn shown_again(visitor: &Visitor, template: &impl Template) -> Response {
    page(StatusCode::UNPROCESSABLE_ENTITY, &Framing::By(&visitor.partner), template)
}
