//! Pages from which there is no way on, each saying why and what to do.

use std::borrow::Cow;

use askama::Template;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use domain::partner::Partner;

use super::frame::{Frame, Framing, page};
use super::visitor::{Seat, browsers_language};
use super::words::Words;
use crate::error::{Code, Problem};

/// Why there is no way on.
pub(crate) enum DeadEnd {
    /// The token is none of ours, or lacks the scope, or the session in the address is unknown.
    Wrong,
    /// The token opened a journey elsewhere.
    Used,
    /// The token is older than its hour.
    Expired,
    /// The partner is disabled.
    Disabled,
    /// The browser has no journey, or none any more.
    Over,
    /// The browser came back without the cookie that it was just given.
    NoCookies,
    /// A form that was not sent from a page of ours.
    ForeignForm,
    /// There is no such page.
    Missing,
}

#[derive(Template)]
#[template(path = "journey/dead_end.html")]
struct DeadEndPage {
    frame: Frame,
    /// In the customer's language, then in the other one: there may be no journey that could keep a choice.
    told: [Told; 2],
    /// A page to go on with, and its words.
    on: Option<(&'static str, Cow<'static, str>)>,
    note: Cow<'static, str>,
}

/// What a dead end says in a language.
struct Told {
    code: &'static str,
    title: Cow<'static, str>,
    text: Cow<'static, str>,
}

/// What a dead end says, and its status.
fn told(end: &DeadEnd, words: Words, partner: Option<&Partner>) -> (StatusCode, Told) {
    let (status, title, text) = match end {
        DeadEnd::Wrong => (StatusCode::FORBIDDEN, words.wrong_title(), words.wrong_text()),
        DeadEnd::Used => (StatusCode::GONE, words.used_title(), words.used_text()),
        DeadEnd::Expired => (StatusCode::GONE, words.expired_title(), words.expired_text()),
        DeadEnd::Disabled => {
            let name = partner.map_or("", |partner| partner.name.as_str());
            (StatusCode::FORBIDDEN, words.disabled_title(), words.disabled_text(name))
        }
        DeadEnd::Over => (StatusCode::GONE, words.over_title(), words.over_text()),
        DeadEnd::NoCookies => (StatusCode::FORBIDDEN, words.cookies_title(), words.cookies_text()),
        DeadEnd::ForeignForm => {
            (StatusCode::FORBIDDEN, words.foreign_form_title(), words.foreign_form_text())
        }
        DeadEnd::Missing => (StatusCode::NOT_FOUND, words.missing_title(), words.missing_text()),
    };
    (status, Told { code: words.code(), title, text })
}

/// The page of a dead end at a path.
pub(crate) fn page_of(end: &DeadEnd, words: Words, partner: Option<&Partner>, path: &str) -> Response {
    let (status, first) = told(end, words, partner);
    let (_, second) = told(end, words.other(), partner);
    let on = matches!(end, DeadEnd::ForeignForm).then(|| ("start", words.begin_again()));
    let frame = frame(words, path, partner);
    shown(status, &DeadEndPage { frame, told: [first, second], on, note: Cow::Borrowed("") }, partner)
}

/// Whatever went wrong at an address of the journey, as a page: a person reads it, and no program.
pub(crate) fn trouble(problem: &Problem, seat: &Seat, headers: &HeaderMap, path: &str, id: &str) -> Response {
    let (words, partner) = match seat.taken() {
        Some((words, partner)) => (*words, Some(partner)),
        None => (Words(browsers_language(headers)), None),
    };
    if matches!(problem.code, Code::R4040) {
        return page_of(&DeadEnd::Missing, words, partner, path);
    }
    let shown_page = DeadEndPage {
        frame: frame(words, path, partner),
        told: [words, words.other()].map(|words| Told {
            code: words.code(),
            title: words.trouble_title(),
            text: words.trouble_text(),
        }),
        on: None,
        note: words.error_number(id),
    };
    let mut response = shown(problem.code.status(), &shown_page, partner);
    problem.add_headers(&mut response);
    response
}

fn frame(words: Words, path: &str, partner: Option<&Partner>) -> Frame {
    Frame {
        words,
        root: match path.matches('/').count() {
            0 | 1 => "",
            2 => "../",
            3 => "../../",
            _ => "../../../",
        },
        partner: partner.map(|partner| partner.name.clone()),
        in_other_language: String::new(),
        step: 0,
        back: "",
        proof: String::new(),
        has_form: false,
        has_script: false,
        refresh: String::new(),
        refresh_always: false,
    }
}

fn shown(status: StatusCode, template: &DeadEndPage, partner: Option<&Partner>) -> Response {
    let framing = partner.map_or(Framing::Anyone, Framing::By);
    page(status, &framing, template)
}
