//! Answers requests for paths below `/docs`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use bytes::Bytes;

use crate::assets;
use crate::changelog;
use crate::codes;
use crate::escape;
use crate::etag;
use crate::facts::Facts;
use crate::layout::{self, Frame};
use crate::link;
use crate::markdown::{self, Rendered};
use crate::search::{self, Index};
use crate::source::{self, SECTIONS};

/// AnswerKind of an answer. It decides the headers of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerKind {
    /// A page that works without scripts.
    Page,
    /// A stylesheet, a script or the icon.
    Asset,
    /// The API reference page, which scripts fill.
    Reference,
}

/// `Content-Security-Policy` of pages and assets: no inline scripts, nothing from other hosts.
pub const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                               form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// `Content-Security-Policy` of the reference page. Redoc needs neither `unsafe-eval` nor `unsafe-inline`. It
/// creates one empty style sheet, which a script then fills; the first hash is the hash of the empty text.
/// The second hash is the hash of the style for scroll bars, which is a text in the vendored file.
pub const REFERENCE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' \
                                    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' \
                                    'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='; \
                                    img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
                                    frame-ancestors 'none'";

impl AnswerKind {
    /// `Content-Security-Policy` for an answer of this kind.
    pub fn policy(self) -> &'static str {
        match self {
            AnswerKind::Page | AnswerKind::Asset => PAGE_POLICY,
            AnswerKind::Reference => REFERENCE_POLICY,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Answer<'site> {
    /// HTTP status: 200, or 404 if there is no page.
    pub status: u16,
    /// Value of `Content-Type`.
    pub content_type: &'static str,
    /// Bytes of the body. Bytes of a cached page are shared, not copied.
    pub body: Bytes,
    /// Value of `ETag`, with quotation marks.
    pub etag: Cow<'site, str>,
    pub kind: AnswerKind,
    /// Value of `Content-Encoding`, if the body is compressed.
    pub encoding: Option<&'static str>,
}

/// Bytes of a rendered page, with their ETag.
#[derive(Debug)]
struct Made {
    body: Bytes,
    etag: String,
}

impl Made {
    /// A page whose absolute links begin with the path of the base URL.
    fn of(facts: &Facts, mut page: String) -> Made {
        let path = escape::html(facts.base_path());
        if !path.is_empty() {
            for attribute in [" href=\"", " src=\"", " action=\""] {
                page = page.replace(&format!("{attribute}/"), &format!("{attribute}{path}/"));
            }
        }
        let body = Bytes::from(page);
        Made { etag: etag::of(&body), body }
    }
}

/// A page of the site, except the reference page and search results.
#[derive(Debug)]
struct Page {
    /// Name of the page, such as `quotes` or `errors/A4001`.
    name: String,
    title: String,
    description: &'static str,
    markdown: Cow<'static, str>,
    rendered: OnceLock<Rendered>,
    made: OnceLock<Made>,
}

/// All pages of one installation. A page is rendered on first request, then cached.
#[derive(Debug)]
pub struct Site {
    facts: Facts,
    pages: BTreeMap<String, Page>,
    reference: OnceLock<Made>,
    index: OnceLock<Index>,
}

/// Name of the page with the changelog.
const CHANGELOG: &str = "changelog";
/// Number by which the changelog's search score is divided, because guides say the same in more detail.
const CHANGELOG_DIVISOR: usize = 3;

impl Site {
    /// Creates the site. Pages are rendered later, on first request.
    pub fn new(facts: Facts) -> Site {
        let mut pages = BTreeMap::new();
        let mut add = |page: Page| {
            pages.insert(page.name.clone(), page);
        };
        for name in SECTIONS.iter().flat_map(|(_, pages)| *pages) {
            let Some(source) = source::page(name) else { continue };
            let markdown = Cow::Borrowed(source.markdown);
            add(Page::new((*name).to_owned(), source.title().to_owned(), source.description, markdown));
        }
        for row in facts.codes {
            let description = source::code_page(row.code).map_or("", |page| page.description);
            let markdown = Cow::Owned(codes::markdown(row));
            add(Page::new(format!("errors/{}", row.code), codes::title(row), description, markdown));
        }
        let markdown = Cow::Owned(changelog::for_partners(facts.changelog));
        add(Page::new(CHANGELOG.to_owned(), "Changelog".to_owned(), "What changed for partners.", markdown));
        Site { facts, pages, reference: OnceLock::new(), index: OnceLock::new() }
    }

    /// Answers a GET or HEAD request. `path` is the part after `/docs`: empty or `/` for the first page.
    /// `query` is the raw text after the question mark. If there is no such page, the answer is a page with
    /// status 404.
    pub fn answer(&self, path: &str, query: Option<&str>) -> Answer<'_> {
        let name = path.trim_matches('/');
        if let Some(asset) = name.strip_prefix("assets/").and_then(assets::of) {
            return Answer {
                status: 200,
                content_type: asset.content_type,
                body: asset.body.clone(),
                etag: Cow::Borrowed(&asset.etag),
                kind: AnswerKind::Asset,
                encoding: asset.encoding,
            };
        }
        match name {
            "reference" => {
                let made =
                    self.reference.get_or_init(|| Made::of(&self.facts, layout::reference(&self.facts)));
                kept(made, AnswerKind::Reference)
            }
            "search" => fresh(&self.facts, 200, self.search(query.unwrap_or_default())),
            name => {
                let name = if name.is_empty() { "index" } else { name };
                match self.pages.get(name) {
                    Some(page) if path != "/index" => kept(page.made(&self.facts), AnswerKind::Page),
                    _ => fresh(&self.facts, 404, self.nothing_there()),
                }
            }
        }
    }

    /// Paths of all pages, each of which [`Site::answer`] accepts.
    pub fn paths(&self) -> impl Iterator<Item = String> {
        let pages = self.pages.keys().map(|name| link::page(name));
        let others = ["reference", "search"].into_iter().map(link::page);
        pages.chain(others).map(|address| address.trim_start_matches(link::ROOT).to_owned())
    }

    fn search(&self, query: &str) -> String {
        let query = form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "q");
        let query = search::shown(&query.map(|(_, value)| value).unwrap_or_default());
        let index = self.index.get_or_init(|| self.index());
        let frame =
            Frame { name: "search", title: "Search", query: &query, is_unlisted: true, ..Frame::default() };
        layout::page(&self.facts, &frame, &search::results(index, &query))
    }

    fn index(&self) -> Index {
        let mut index = Index::default();
        for page in self.pages.values() {
            let divisor = if page.name == CHANGELOG { CHANGELOG_DIVISOR } else { 1 };
            let rendered = page.rendered(&self.facts);
            let address = link::page(&page.name);
            let words = source::page(&page.name).map_or("", |source| source.words);
            for passage in &rendered.passages {
                let heading = passage.heading.and_then(|place| rendered.headings.get(place));
                let (address, heading, text) = match heading {
                    Some(heading) => {
                        (format!("{address}#{}", heading.id), heading.text.as_str(), passage.text.clone())
                    }
                    None => (address.clone(), "", format!("{} {}", page.description, passage.text)),
                };
                index.add(address, &page.title, heading, &self.facts.fill(&text), words, divisor);
            }
        }
        index
    }

    fn nothing_there(&self) -> String {
        let frame = Frame {
            title: "There is no such page",
            description: "The address may be wrong, or the page was renamed.",
            is_unlisted: true,
            ..Frame::default()
        };
        let body = format!(
            "<p>Search above for what you need, or begin with the <a href=\"{root}\">overview</a>. All operations are in the \
             <a href=\"{root}/reference\">reference</a>, all error codes in the <a href=\"{root}/errors\">error catalogue</a>.</p>\n",
            root = link::ROOT
        );
        layout::page(&self.facts, &frame, &body)
    }
}

impl Page {
    fn new(name: String, title: String, description: &'static str, markdown: Cow<'static, str>) -> Page {
        Page { name, title, description, markdown, rendered: OnceLock::new(), made: OnceLock::new() }
    }

    fn rendered(&self, facts: &Facts) -> &Rendered {
        self.rendered.get_or_init(|| {
            let folder = self.name.rfind('/').map_or("", |slash| &self.name[..=slash]);
            if self.name == CHANGELOG {
                markdown::render(&self.markdown, facts, &link::from_changelog)
            } else {
                markdown::render(&self.markdown, facts, &|target| link::from_page(folder, target))
            }
        })
    }

    fn made(&self, facts: &Facts) -> &Made {
        self.made.get_or_init(|| {
            let rendered = self.rendered(facts);
            let frame = Frame {
                name: &self.name,
                title: &self.title,
                description: self.description,
                headings: &rendered.headings,
                ..Frame::default()
            };
            Made::of(facts, layout::page(facts, &frame, &rendered.html))
        })
    }
}

const HTML: &str = "text/html; charset=utf-8";

fn kept(made: &Made, kind: AnswerKind) -> Answer<'_> {
    Answer {
        status: 200,
        content_type: HTML,
        body: made.body.clone(),
        etag: Cow::Borrowed(&made.etag),
        kind,
        encoding: None,
    }
}

fn fresh(facts: &Facts, status: u16, page: String) -> Answer<'static> {
    let made = Made::of(facts, page);
    Answer {
        status,
        content_type: HTML,
        body: made.body,
        etag: Cow::Owned(made.etag),
        kind: AnswerKind::Page,
        encoding: None,
    }
}
