//! The frame of every page, with the headers of its response.

use std::sync::Arc;

use askama::Template;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::operator::Operator;
use domain::partner::Partner;

use super::address::Parameter;
use super::step::Step;
use super::visitor::Visitor;
use super::words::{Seller, Words};
use crate::app::App;
use crate::error::Problem;
use crate::page::Page;

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");

/// Features of a browser that no page of ours needs.
const NO_FEATURES: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/// The content security policy without its `frame-ancestors`. A page loads our own stylesheet and script, and nothing
/// inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'";

/// What every page has around it.
pub(crate) struct Frame {
    pub(crate) words: &'static Words,
    /// Leads from the page to the root of this server, relative to it.
    pub(crate) root: &'static str,
    /// Through whom the customer came, where that is known.
    pub(crate) partner: Option<String>,
    /// Who sells the insurance, where that is known.
    pub(crate) operator: Option<Arc<Operator>>,
    /// The other languages of the page. Empty where the language cannot be switched.
    pub(crate) languages: Vec<OtherLanguage>,
    /// The step that the page belongs to, for the progress bar.
    pub(crate) step: Option<Step>,
    /// The step that the link back leads to.
    pub(crate) back: Option<Step>,
    /// The token that shows that a form was submitted from here.
    pub(crate) csrf_token: String,
    /// Whether people fill in the page's own form, `main`. If so, the language is switched by submitting what is typed so
    /// far.
    pub(crate) has_form: bool,
    /// Whether the page has our script. Error pages need none.
    pub(crate) has_script: bool,
    /// The address that a browser without scripts loads by itself; empty for none. It loads it at once, and the server
    /// answers when there is more to see: a page that went away after some seconds would be taken from a slow reader.
    pub(crate) refresh: String,
    /// Whether a browser with scripts loads it, too.
    pub(crate) refresh_always: bool,
}

/// The same page in another language.
pub(crate) struct OtherLanguage {
    pub(crate) words: &'static Words,
    /// Its address, relative to the page.
    pub(crate) address: String,
}

impl OtherLanguage {
    /// Every other language of a page at an address that is relative to itself.
    pub(crate) fn all(words: &Words, page: &str) -> Vec<OtherLanguage> {
        let join = if page.contains('?') { '&' } else { '?' };
        let parameter = Parameter::Language;
        let other = |words: &'static Words| OtherLanguage {
            words,
            address: format!("{page}{join}{parameter}={}", words.code()),
        };
        words.others().map(other).collect()
    }
}

impl Frame {
    /// The frame of a page one level below the root, at an address relative to itself.
    pub(crate) fn of(visitor: &Visitor, page: &str) -> Frame {
        Frame {
            words: visitor.words,
            root: "../",
            partner: Some(visitor.partner.name.clone()),
            operator: visitor.operator.clone(),
            languages: OtherLanguage::all(visitor.words, page),
            step: None,
            back: None,
            csrf_token: visitor.csrf_token.clone(),
            has_form: false,
            has_script: true,
            refresh: String::new(),
            refresh_always: false,
        }
    }

    /// The frame of a page that needs no journey, two levels below the root.
    pub(crate) fn without_journey(app: &App, words: &'static Words, partner: &Partner) -> Frame {
        Frame {
            words,
            root: "../../",
            partner: Some(partner.name.clone()),
            operator: app.operator(),
            languages: OtherLanguage::all(words, ""),
            step: None,
            back: None,
            csrf_token: String::new(),
            has_form: false,
            has_script: true,
            refresh: String::new(),
            refresh_always: false,
        }
    }

    /// The frame of a step's own page, on which people fill in a form.
    pub(crate) fn of_form(visitor: &Visitor, step: Step) -> Frame {
        Frame { step: Some(step), back: step.back(), has_form: true, ..Frame::of(visitor, step.word()) }
    }

    /// Who sells the insurance, in a sentence.
    pub(crate) fn seller(&self, operator: &Operator) -> String {
        (self.words.frame.sold_by)(&Seller {
            name: operator.name.in_language(self.words.language),
            kind: operator.kind,
            licence_number: &operator.licence_number,
            licence_until: (self.words.format.day)(operator.licence_until),
        })
    }

    /// The progress: which step it is, of how many.
    pub(crate) fn progress(&self, step: &Step) -> String {
        (self.words.frame.step_of)(step.number(), Step::COUNT)
    }
}

/// Who may show a page in a frame.
pub(crate) enum Framing<'p> {
    /// The origins that a partner registered; nobody where it has none.
    By(&'p Partner),
    /// Anybody: the partner is not known. The page shows nobody's data, and tells the customer more than an empty frame
    /// would.
    Anyone,
}

/// A page as a response, with the headers that all pages of the journey have.
pub(crate) fn render_as(status: StatusCode, framing: &Framing<'_>, template: &impl Template) -> Response {
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

/// A page of an open journey.
pub(crate) fn render(visitor: &Visitor, template: &impl Template) -> Response {
    render_as(StatusCode::OK, &Framing::By(&visitor.partner), template)
}

/// The same page again with the errors of its form, which was not accepted.
pub(crate) fn render_invalid(visitor: &Visitor, template: &impl Template) -> Response {
    render_as(StatusCode::UNPROCESSABLE_ENTITY, &Framing::By(&visitor.partner), template)
}
