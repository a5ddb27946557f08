//! Parts around every page, such as header and footer, and the headers of the response.

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

/// Permissions policy: switches off browser features that our pages do not need.
const NO_FEATURES: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/// Content security policy without `frame-ancestors`. Pages load only our own stylesheet and script, and
/// nothing inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'";

/// Parts around every page, such as header and footer.
pub(crate) struct Frame {
    pub(crate) words: &'static Words,
    /// Relative path from the page to the server's root.
    pub(crate) root: &'static str,
    /// Name of the partner from which the customer came, if known.
    pub(crate) partner: Option<String>,
    /// Operator that sells the insurance, if known.
    pub(crate) operator: Option<Arc<Operator>>,
    /// The same page in other languages. Empty if the language cannot be switched.
    pub(crate) languages: Vec<OtherLanguage>,
    /// Step of the page, for the progress bar.
    pub(crate) step: Option<Step>,
    /// Step to which the page's link back leads.
    pub(crate) back: Option<Step>,
    /// Token that proves that a form was submitted from our page.
    pub(crate) csrf_token: String,
    /// Whether the page has a form to fill in, with the id `main`. If so, switching the language submits the
    /// values typed so far.
    pub(crate) has_form: bool,
    /// Whether the page loads our script. Error pages do not need it.
    pub(crate) has_script: bool,
    /// Address that a browser without scripts loads at once. Empty if there is none. The server answers when
    /// there is something new. A refresh after some seconds would interrupt slow readers.
    pub(crate) refresh: String,
    /// Whether browsers with scripts also load the address in `refresh`.
    pub(crate) refresh_always: bool,
}

/// The same page in another language.
pub(crate) struct OtherLanguage {
    pub(crate) words: &'static Words,
    /// Address of the page in that language, relative to the current page.
    pub(crate) address: String,
}

impl OtherLanguage {
    /// The page at this relative address, in all other languages.
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
    /// Frame of a page one level below the root. `page` is the page's address, relative to the page itself.
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

    /// Frame of a page that needs no open journey, two levels below the root.
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

    /// Frame of a page with a form, for one step of the journey.
    pub(crate) fn of_form(visitor: &Visitor, step: Step) -> Frame {
        Frame { step: Some(step), back: step.back(), has_form: true, ..Frame::of(visitor, step.word()) }
    }

    /// Sentence that names the seller of the insurance.
    pub(crate) fn seller(&self, operator: &Operator) -> String {
        (self.words.frame.sold_by)(&Seller {
            name: operator.name.in_language(self.words.language),
            kind: operator.kind,
            licence_number: &operator.licence_number,
            licence_until: (self.words.format.day)(operator.licence_until),
        })
    }

    /// Progress text, such as "Step 2 of 6".
    pub(crate) fn progress(&self, step: &Step) -> String {
        (self.words.frame.step_of)(step.number(), Step::COUNT)
    }
}

/// Who may embed a page in a frame.
pub(crate) enum Framing<'p> {
    /// The origins that the partner registered. Nobody if the partner has registered none.
    By(&'p Partner),
    /// Anybody, because the partner is unknown. The page shows no personal data, and helps the customer more
    /// than an empty frame.
    Anyone,
}

/// Response with a page and the headers of all pages of the journey.
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
        return Problem::unexpected("an origin has characters that an HTTP header cannot have")
            .into_response();
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

/// A page of an open journey, shown again with the errors in the submitted form.
pub(crate) fn render_invalid(visitor: &Visitor, template: &impl Template) -> Response {
    render_as(StatusCode::UNPROCESSABLE_ENTITY, &Framing::By(&visitor.partner), template)
}
