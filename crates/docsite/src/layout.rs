//! The HTML around what a page says: head, menu, search, contents, footer.

use std::fmt::Write;

use crate::escape::html;
use crate::facts::Facts;
use crate::link::{self, ROOT};
use crate::markdown::Heading;
use crate::source::{self, SECTIONS};

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

/// A whole page.
pub(crate) fn page(facts: &Facts, frame: &Frame<'_>, body: &str) -> String {
    let contents = contents(frame.headings);
    let mut page = head(facts, frame);
    let class = if contents.is_empty() { "page" } else { "page with-contents" };
    put(
        &mut page,
        format_args!(
            "<div class=\"frame\">\n<nav class=\"menu wide\" aria-label=\"Guides\">\n{menu}</nav>\n\
         <main id=\"content\" tabindex=\"-1\">\n<div class=\"{class}\">\n<div class=\"top\">\n{above}<h1>{title}</h1>\n{lead}</div>\n\
         {contents}<div class=\"body\">\n{body}{beside}</div>\n</div>\n</main>\n</div>\n",
            menu = menu(facts, frame.name),
            above = above(frame.name),
            title = html(frame.title),
            lead = lead(facts, frame.description),
            beside = neighbours(frame.name),
        ),
    );
    page.push_str(&foot(facts));
    page
}

/// The page of the reference, whose script fills the place with the given id.
pub(crate) fn reference(facts: &Facts) -> String {
    let frame = Frame {
        name: "reference",
        title: "Reference",
        description: "Every operation, field and event of the API, from its OpenAPI document.",
        ..Frame::default()
    };
    let mut page = head(facts, &frame);
    put(
        &mut page,
        format_args!(
            "<main id=\"content\" tabindex=\"-1\" class=\"reference\">\n<h1 class=\"unseen\">Reference</h1>\n\
         <noscript><div class=\"page\"><p>This page needs scripts to show the reference. Without them, read the OpenAPI document: \
         <a href=\"/openapi.json\"><code>/openapi.json</code></a>. The <a href=\"{ROOT}\">guides</a> need no scripts.</p></div></noscript>\n\
         <div id=\"reference\"></div>\n</main>\n<script src=\"{ROOT}/assets/redoc.js\"></script>\n\
         <script src=\"{ROOT}/assets/reference.js\"></script>\n",
        ),
    );
    page.push_str(&foot(facts));
    page
}

fn head(facts: &Facts, frame: &Frame<'_>) -> String {
    let title = if frame.name == "index" {
        "covernote for developers".to_owned()
    } else {
        format!("{} · covernote for developers", frame.title)
    };
    let robots = if frame.is_unlisted { "<meta name=\"robots\" content=\"noindex\">\n" } else { "" };
    let current = |name: &str| if frame.name == name { " aria-current=\"page\"" } else { "" };
    let mut head = String::with_capacity(16 * 1024);
    put(
        &mut head,
        format_args!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n{robots}\
         <meta name=\"description\" content=\"{description}\">\n\
         <link rel=\"icon\" href=\"{ROOT}/assets/icon.svg\" type=\"image/svg+xml\">\n\
         <link rel=\"stylesheet\" href=\"{ROOT}/assets/style.css\">\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#content\">Skip to the content</a>\n\
         <header class=\"bar\">\n<a class=\"brand\" href=\"{ROOT}\"><span class=\"mark\" aria-hidden=\"true\"></span>covernote <span class=\"for\">for developers</span></a>\n\
         <nav class=\"links\" aria-label=\"Site\">\n<a href=\"{ROOT}/getting-started\">Guides</a>\n\
         <a href=\"{ROOT}/reference\"{reference}>Reference</a>\n<a href=\"{ROOT}/errors\">Errors</a>\n\
         <a href=\"{ROOT}/changelog\"{changelog}>Changelog</a>\n</nav>\n\
         <search><form class=\"search\" action=\"{ROOT}/search\" method=\"get\">\n\
         <label class=\"unseen\" for=\"q\">Search the documentation</label>\n\
         <input id=\"q\" name=\"q\" type=\"search\" value=\"{query}\" placeholder=\"Search\" maxlength=\"100\" autocomplete=\"off\">\n\
         <button type=\"submit\">Search</button>\n</form></search>\n</header>\n\
         <details class=\"menu narrow\"><summary>Menu</summary>\n<nav aria-label=\"Guides\">\n{menu}</nav>\n</details>\n",
            title = html(&title),
            description = html(&facts.fill(frame.description)),
            reference = current("reference"),
            changelog = current("changelog"),
            query = html(frame.query),
            menu = menu(facts, frame.name),
        ),
    );
    head
}

/// The sections with their pages.
fn menu(facts: &Facts, name: &str) -> String {
    let mut menu = String::new();
    for (section, pages) in SECTIONS {
        put(&mut menu, format_args!("<p class=\"section\">{}</p>\n<ul>\n", html(section)));
        for page in *pages {
            let Some(source) = source::page(page) else { continue };
            let text = source.menu.unwrap_or(source.title());
            item(&mut menu, &link::page(page), &facts.fill(text), current(page, name));
        }
        if *section == "Tools" {
            item(&mut menu, &link::page("reference"), "Reference", current("reference", name));
            item(&mut menu, &link::page("changelog"), "Changelog", current("changelog", name));
        }
        menu.push_str("</ul>\n");
    }
    menu
}

/// How the menu marks a page: as the one that is shown, or as the one above it.
fn current(page: &str, shown: &str) -> &'static str {
    if page == shown {
        " aria-current=\"page\""
    } else if page == "errors" && shown.starts_with("errors/") {
        " aria-current=\"true\""
    } else {
        ""
    }
}

fn item(menu: &mut String, address: &str, text: &str, current: &str) {
    put(menu, format_args!("<li><a href=\"{address}\"{current}>{}</a></li>\n", html(text)));
}

/// The way back from the page of an error to all of them.
fn above(name: &str) -> String {
    if name.starts_with("errors/") {
        format!("<p class=\"above\"><a href=\"{ROOT}/errors#all-codes\">All error codes</a></p>\n")
    } else {
        String::new()
    }
}

fn lead(facts: &Facts, description: &str) -> String {
    if description.is_empty() {
        return String::new();
    }
    format!("<p class=\"lead\">{}</p>\n", html(&facts.fill(description)))
}

/// The contents on the page, where there are at least two headings.
fn contents(headings: &[Heading]) -> String {
    let shown: Vec<&Heading> = headings.iter().filter(|heading| heading.level <= 3).collect();
    if shown.len() < 2 {
        return String::new();
    }
    let mut contents = String::from(
        "<nav class=\"contents\" aria-labelledby=\"contents\">\n<p id=\"contents\">On this page</p>\n<ul>\n",
    );
    for heading in shown {
        let (id, text) = (&heading.id, html(&heading.text));
        put(
            &mut contents,
            format_args!("<li class=\"level-{}\"><a href=\"#{id}\">{text}</a></li>\n", heading.level),
        );
    }
    contents.push_str("</ul>\n</nav>\n");
    contents
}

/// Links to the pages before and after this one.
fn neighbours(name: &str) -> String {
    let all: Vec<&str> = SECTIONS.iter().flat_map(|(_, pages)| pages.iter().copied()).collect();
    let Some(place) = all.iter().position(|page| *page == name) else { return String::new() };
    let mut links = String::from("<nav class=\"neighbours\" aria-label=\"Pages before and after\">\n");
    let before = place.checked_sub(1).and_then(|place| all.get(place));
    for (page, class, word) in [(before, "before", "Before"), (all.get(place + 1), "after", "Next")] {
        let Some(source) = page.and_then(|page| source::page(page)) else { continue };
        let address = page.map(|page| link::page(page)).unwrap_or_default();
        let text = html(source.menu.unwrap_or(source.title()));
        put(
            &mut links,
            format_args!("<a class=\"{class}\" href=\"{address}\"><span>{word}</span> {text}</a>\n"),
        );
    }
    links.push_str("</nav>\n");
    links
}

fn foot(facts: &Facts) -> String {
    format!(
        "<footer class=\"foot\">\n<p>covernote {version} at <code>{base}</code></p>\n\
         <p><a href=\"/openapi.json\">OpenAPI document</a> <a href=\"{ROOT}/changelog\">Changelog</a> <a href=\"{ROOT}/search\">Search</a></p>\n\
         </footer>\n</body>\n</html>\n",
        version = html(facts.version),
        base = html(&facts.base_url),
    )
}

fn put(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("a string takes what is written to it");
}
