//! HTML around the content of a page: head, menu, search field, table of contents, footer.

use std::borrow::Cow;

use askama::Template;

use crate::facts::Facts;
use crate::link::{self, ROOT};
use crate::markdown::Heading;
use crate::source::{self, MADE, SECTIONS};

/// Data about a page that the layout needs.
#[derive(Debug, Default)]
pub(crate) struct Frame<'a> {
    /// Name of the page, such as `quotes` or `errors/A4001`. Empty if the menu does not have the page.
    pub(crate) name: &'a str,
    /// Title of the page. It is the only heading of level 1.
    pub(crate) title: &'a str,
    /// One sentence about the page, which is shown below the title.
    pub(crate) description: &'a str,
    /// Headings of the page, for its table of contents.
    pub(crate) headings: &'a [Heading],
    /// Words that were searched, for the search field. Empty if there was no search.
    pub(crate) query: &'a str,
    /// Whether search engines should not index the page. This is for search results and missing pages.
    pub(crate) is_unlisted: bool,
}

/// Link to a page of the site.
struct Link {
    address: String,
    text: &'static str,
    /// Value of `aria-current`: `page` if the link leads to the shown page, `true` if it leads to the page
    /// above the shown page.
    current: Option<&'static str>,
}

/// Section of the menu, with links to its pages.
struct Section {
    name: &'static str,
    links: Vec<Link>,
}

/// Page that works without scripts.
#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    facts: &'a Facts,
    frame: &'a Frame<'a>,
    window_title: String,
    description: Cow<'a, str>,
    site_links: Vec<Link>,
    menu: Vec<Section>,
    /// Headings for the table of contents. Empty if the page has fewer than two.
    contents: Vec<&'a Heading>,
    body: &'a str,
    before: Option<Link>,
    after: Option<Link>,
}

/// API reference page. Scripts fill it.
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

/// Renders a whole page around the HTML of its content.
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

/// Links that are shown above every page.
fn site_links(shown: &str) -> Vec<Link> {
    let pages = [
        ("getting-started", "Guides"),
        ("reference", "Reference"),
        ("errors", "Errors"),
        ("changelog", "Changelog"),
    ];
    pages.map(|(name, text)| Link { text, ..to(name, shown) }).into()
}

/// Sections of the menu, with links to their pages. `shown` is the name of the current page.
fn menu(shown: &str) -> Vec<Section> {
    let links = |pages: &[&'static str]| pages.iter().map(|name| to(name, shown)).collect();
    SECTIONS.iter().map(|(name, pages)| Section { name, links: links(pages) }).collect()
}

/// Link to the page `name`. `shown` is the name of the current page.
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

/// Links to the previous and the next page of the menu.
fn neighbours(name: &str) -> (Option<Link>, Option<Link>) {
    let all: Vec<&str> = SECTIONS.iter().flat_map(|(_, pages)| *pages).copied().collect();
    let Some(place) = all.iter().position(|page| *page == name) else { return (None, None) };
    let before = place.checked_sub(1).and_then(|place| all.get(place));
    (before.map(|page| to(page, name)), all.get(place + 1).map(|page| to(page, name)))
}
