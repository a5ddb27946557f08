//! The HTML around what a page says: head, menu, search, contents, footer.

use std::borrow::Cow;

use askama::Template;

use crate::facts::Facts;
use crate::link::{self, ROOT};
use crate::markdown::Heading;
use crate::source::{self, MADE, SECTIONS};

/// What a page's frame needs to know of it.
#[derive(Debug, Default)]
pub(crate) struct Frame<'a> {
    /// The page's name, such as `quotes` or `errors/A4001`; empty where it is in no menu.
    pub(crate) name: &'a str,
    /// Its one heading of level 1.
    pub(crate) title: &'a str,
    /// One sentence, shown below the title.
    pub(crate) description: &'a str,
    /// Headings for the contents on the page.
    pub(crate) headings: &'a [Heading],
    /// What was searched for.
    pub(crate) query: &'a str,
    /// Search engines need not keep it: the results of a search, an address without a page.
    pub(crate) is_unlisted: bool,
}

/// A link to a page of the site.
struct Link {
    address: String,
    text: &'static str,
    /// How it is marked: as the page that is shown, or as the one above it.
    current: Option<&'static str>,
}

/// A section of the menu.
struct Section {
    name: &'static str,
    links: Vec<Link>,
}

/// A page that works without scripts.
#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    facts: &'a Facts,
    frame: &'a Frame<'a>,
    window_title: String,
    description: Cow<'a, str>,
    site_links: Vec<Link>,
    menu: Vec<Section>,
    /// The headings of the contents; none where there are fewer than two.
    contents: Vec<&'a Heading>,
    body: &'a str,
    before: Option<Link>,
    after: Option<Link>,
}

/// The page of the reference, which its scripts fill.
#[derive(Template)]
#[template(path = "reference.html")]
struct Reference<'a> {
    facts: &'a Facts,
    frame: &'a Frame<'a>,
    window_title: String,
    description: Cow<'a, str>,
    site_links: Vec<Link>,
    menu: Vec<Section>,
}

/// A whole page around the HTML of what it says.
pub(crate) fn page(facts: &Facts, frame: &Frame<'_>, body: &str) -> String {
    let (before, after) = neighbours(frame.name);
    let page = Page {
        facts,
        frame,
        window_title: window_title(frame),
        description: facts.fill(frame.description),
        site_links: site_links(frame.name),
        menu: menu(frame.name),
        contents: contents(frame.headings),
        body,
        before,
        after,
    };
    page.render().expect("a string takes what is written to it")
}

/// The page of the reference.
pub(crate) fn reference(facts: &Facts) -> String {
    let frame = Frame {
        name: "reference",
        title: "Reference",
        description: "Every operation, field and event of the API, from its OpenAPI document.",
        ..Frame::default()
    };
    let page = Reference {
        facts,
        frame: &frame,
        window_title: window_title(&frame),
        description: Cow::Borrowed(frame.description),
        site_links: site_links(frame.name),
        menu: menu(frame.name),
    };
    page.render().expect("a string takes what is written to it")
}

fn window_title(frame: &Frame<'_>) -> String {
    if frame.name == "index" {
        frame.title.to_owned()
    } else {
        format!("{} · covernote for developers", frame.title)
    }
}

/// The links above every page.
fn site_links(shown: &str) -> Vec<Link> {
    let pages = [
        ("getting-started", "Guides"),
        ("reference", "Reference"),
        ("errors", "Errors"),
        ("changelog", "Changelog"),
    ];
    pages.map(|(name, text)| Link { text, ..to(name, shown) }).into()
}

/// The sections with their pages.
fn menu(shown: &str) -> Vec<Section> {
    let links = |pages: &[&'static str]| pages.iter().map(|name| to(name, shown)).collect();
    SECTIONS.iter().map(|(name, pages)| Section { name, links: links(pages) }).collect()
}

/// A link to a page by its name, for the menu of the page that is shown.
fn to(name: &str, shown: &str) -> Link {
    let made = MADE.iter().find(|(page, _)| *page == name).map(|(_, title)| *title);
    let text =
        made.or_else(|| source::page(name).map(|page| page.menu.unwrap_or(page.title()))).unwrap_or_default();
    let current = match shown {
        shown if shown == name => Some("page"),
        shown if name == "errors" && shown.starts_with("errors/") => Some("true"),
        _ => None,
    };
    Link { address: link::page(name), text, current }
}

fn contents(headings: &[Heading]) -> Vec<&Heading> {
    let shown: Vec<&Heading> = headings.iter().filter(|heading| heading.level <= 3).collect();
    if shown.len() < 2 { Vec::new() } else { shown }
}

/// Links to the pages before and after this one, in the order of the menu.
fn neighbours(name: &str) -> (Option<Link>, Option<Link>) {
    let all: Vec<&str> = SECTIONS.iter().flat_map(|(_, pages)| *pages).copied().collect();
    let Some(place) = all.iter().position(|page| *page == name) else { return (None, None) };
    let before = place.checked_sub(1).and_then(|place| all.get(place));
    (before.map(|page| to(page, name)), all.get(place + 1).map(|page| to(page, name)))
}
