//! Error pages of the journey: why it cannot continue, and what the customer can do.

use std::sync::Arc;

use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use domain::operator::Operator;
use domain::partner::Partner;

use super::address;
use super::frame::{Frame, Framing, render_as};
use super::page_context::PageContext;
use super::request::browser_language;
use super::words::Words;
use crate::app::App;
use crate::error::{Code, Problem};

/// Reason why the journey cannot continue.
pub(crate) enum ErrorPage {
    /// The token is invalid or lacks the scope, or the session in the address is unknown.
    Wrong,
    /// The token already opened a journey in another browser.
    Used,
    /// The token is more than an hour old.
    Expired,
    /// The partner is disabled.
    Disabled,
    /// The browser has no open journey.
    Over,
    /// The browser did not return the cookie that the server had just set.
    NoCookies,
    /// The form was not submitted from one of our pages.
    ForeignForm,
    /// No page has this address.
    Missing,
}

#[derive(Template)]
#[template(path = "journey/error_page.html")]
struct ErrorPageTemplate {
    frame: Frame,
    text: ErrorText,
    /// The same text in the other languages, because the customer's language may be unknown.
    other_texts: Vec<ErrorText>,
    /// Address and text of a link with which the customer can continue, if any.
    next: Option<(&'static str, &'static str)>,
    note: String,
}

/// Texts of an error page in one language.
struct ErrorText {
    language: &'static str,
    title: &'static str,
    text: String,
}

impl ErrorPage {
    /// HTTP status of the page.
    const fn status(&self) -> StatusCode {
        match self {
            ErrorPage::Used | ErrorPage::Expired | ErrorPage::Over => StatusCode::GONE,
            ErrorPage::Wrong | ErrorPage::Disabled | ErrorPage::NoCookies | ErrorPage::ForeignForm => {
                StatusCode::FORBIDDEN
            }
            ErrorPage::Missing => StatusCode::NOT_FOUND,
        }
    }

    /// Texts of the page in the language of `words`.
    fn text(&self, words: &Words, partner: Option<&Partner>) -> ErrorText {
        let errors = &words.errors;
        let (title, text) = match self {
            ErrorPage::Wrong => (errors.wrong_title, errors.wrong_text.to_owned()),
            ErrorPage::Used => (errors.used_title, errors.used_text.to_owned()),
            ErrorPage::Expired => (errors.expired_title, errors.expired_text.to_owned()),
            ErrorPage::Disabled => {
                let name = partner.map_or("", |partner| partner.name.as_str());
                (errors.disabled_title, (errors.disabled_text)(name))
            }
            ErrorPage::Over => (errors.over_title, errors.over_text.to_owned()),
            ErrorPage::NoCookies => (errors.cookies_title, errors.cookies_text.to_owned()),
            ErrorPage::ForeignForm => (errors.foreign_form_title, errors.foreign_form_text.to_owned()),
            ErrorPage::Missing => (errors.missing_title, errors.missing_text.to_owned()),
        };
        ErrorText { language: words.code(), title, text }
    }

    /// Response with this page to a request for `path`.
    pub(crate) fn response(
        &self,
        app: &App,
        words: &'static Words,
        partner: Option<&Partner>,
        path: &str,
    ) -> Response {
        let next =
            matches!(self, ErrorPage::ForeignForm).then_some((address::START, words.errors.begin_again));
        let page = ErrorPageTemplate {
            frame: frame(app.operator(), words, path, partner),
            text: self.text(words, partner),
            other_texts: words.others().map(|other| self.text(other, partner)).collect(),
            next,
            note: String::new(),
        };
        render(self.status(), &page, partner)
    }
}

/// Error page for a problem at an address of the journey. It replaces the JSON error, because a person reads
/// it.
pub(crate) fn problem_page(
    app: &App,
    problem: &Problem,
    context: &PageContext,
    headers: &HeaderMap,
    path: &str,
    request_id: &str,
) -> Response {
    let (words, partner) = match context.visitor() {
        Some((words, partner)) => (*words, Some(partner)),
        None => (Words::of(browser_language(headers)), None),
    };
    if matches!(problem.code, Code::R4040) {
        return ErrorPage::Missing.response(app, words, partner, path);
    }
    let text = |words: &Words| {
        let errors = &words.errors;
        let (title, text) = match problem.code {
            Code::A4290 => (errors.too_often_title, errors.too_often_text),
            _ => (errors.trouble_title, errors.trouble_text),
        };
        ErrorText { language: words.code(), title, text: text.to_owned() }
    };
    let page = ErrorPageTemplate {
        frame: frame(app.operator(), words, path, partner),
        text: text(words),
        other_texts: words.others().map(text).collect(),
        next: None,
        note: (words.errors.error_number)(request_id),
    };
    let mut response = render(problem.code.status(), &page, partner);
    problem.add_headers(&mut response);
    response
}

fn frame(
    operator: Option<Arc<Operator>>,
    words: &'static Words,
    path: &str,
    partner: Option<&Partner>,
) -> Frame {
    Frame {
        words,
        root: match path.matches('/').count() {
            0 | 1 => "",
            2 => "../",
            3 => "../../",
            _ => "../../../",
        },
        partner: partner.map(|partner| partner.name.clone()),
        operator,
        languages: Vec::new(),
        step: None,
        back: None,
        csrf_token: String::new(),
        has_form: false,
        has_script: false,
        refresh: String::new(),
        refresh_always: false,
    }
}

fn render(status: StatusCode, page: &ErrorPageTemplate, partner: Option<&Partner>) -> Response {
    render_as(status, &partner.map_or(Framing::Anyone, Framing::By), page)
}

#[cfg(test)]
mod tests {
    use domain::language::Language;

    use super::*;

    #[test]
    fn an_error_page_has_its_text_in_every_language() {
        let words = Words::of(Language::Hindi);
        let page = ErrorPageTemplate {
            frame: frame(None, words, "/health", None),
            text: ErrorPage::Used.text(words, None),
            other_texts: words.others().map(|other| ErrorPage::Used.text(other, None)).collect(),
            next: None,
            note: String::new(),
        };
        let html = page.render().expect("rendered");
        assert!(html.contains(&format!("<h1>{}</h1>", words.errors.used_title)), "{html}");
        for other in words.others() {
            let section = format!("lang=\"{}\">\n<h2>{}</h2>", other.code(), other.errors.used_title);
            assert!(html.contains(&section), "{html}");
        }
    }
}
