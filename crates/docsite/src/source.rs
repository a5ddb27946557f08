//! The pages as they were written: Markdown files compiled into the program.

use include_dir::{Dir, include_dir};

static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/pages");

/// The sections of the menu, each with its pages in order. A page's name is that of its file without `.md`; [`MADE`] pages
/// have no file.
pub(crate) const SECTIONS: &[(&str, &[&str])] = &[
    ("Start", &["index", "getting-started", "first-integration", "test-values", "going-live"]),
    ("Basics", &["tokens", "idempotency", "errors", "limits", "requests", "versioning"]),
    ("Credit protection", &["quotes", "proposals", "premiums"]),
    ("Health", &["recommendations", "journey"]),
    ("After the sale", &["policies", "claims", "statements"]),
    ("Events and webhooks", &["events", "webhooks"]),
    ("Tools", &["clients", "reference", "changelog"]),
];

/// Pages that are made of something else than a file of this crate, with their titles.
pub(crate) const MADE: &[(&str, &str)] = &[("reference", "Reference"), ("changelog", "Changelog")];

/// A page's file, taken apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source {
    /// One sentence about the page, for search engines and lists.
    pub(crate) description: &'static str,
    /// The page's name in the menu; its title where it has none.
    pub(crate) menu: Option<&'static str>,
    /// On the page of an error: whether the request may be sent again, in a few words.
    pub(crate) retry: Option<&'static str>,
    /// Other words by which the page is searched.
    pub(crate) words: &'static str,
    /// The Markdown below.
    pub(crate) markdown: &'static str,
}

impl Source {
    /// Takes a file apart: lines of `key: value` between two lines of `---`, then Markdown.
    pub(crate) fn of(text: &'static str) -> Source {
        let mut source = Source { description: "", menu: None, retry: None, words: "", markdown: text };
        let Some((head, markdown)) = text.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n"))
        else {
            return source;
        };
        source.markdown = markdown;
        for (key, value) in head.lines().filter_map(|line| line.split_once(": ")) {
            match key {
                "description" => source.description = value.trim(),
                "menu" => source.menu = Some(value.trim()),
                "words" => source.words = value.trim(),
                "retry" => source.retry = Some(value.trim()),
                _ => {}
            }
        }
        source
    }

    /// The first heading, which is the title.
    pub(crate) fn title(&self) -> &'static str {
        self.markdown.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default().trim()
    }
}

pub(crate) fn page(name: &str) -> Option<Source> {
    text(&format!("{name}.md")).map(Source::of)
}

/// The page of this error code.
pub(crate) fn code_page(code: &str) -> Option<Source> {
    text(&format!("errors/{code}.md")).map(Source::of)
}

/// The error codes that have a page.
pub(crate) fn codes() -> impl Iterator<Item = &'static str> {
    let files = PAGES.get_dir("errors").into_iter().flat_map(|folder| folder.files());
    files.filter_map(|file| file.path().file_name()?.to_str()?.strip_suffix(".md"))
}

fn text(path: &str) -> Option<&'static str> {
    PAGES.get_file(path)?.contents_utf8()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_made(page: &str) -> bool {
        MADE.iter().any(|(name, _)| *name == page)
    }

    #[test]
    fn the_menu_has_every_page_once_and_every_page_of_the_menu_has_a_file() {
        let files = PAGES.files().filter_map(|file| file.path().to_str()?.strip_suffix(".md"));
        let mut files: Vec<&str> = files.collect();
        let mut pages: Vec<&str> = SECTIONS.iter().flat_map(|(_, pages)| pages.iter().copied()).collect();
        pages.retain(|page| !is_made(page));
        files.sort_unstable();
        pages.sort_unstable();
        assert_eq!(files, pages);
    }

    #[test]
    fn every_page_has_a_title_and_a_description_of_one_line() {
        let names = SECTIONS.iter().flat_map(|(_, pages)| pages.iter());
        for name in names.filter(|name| !is_made(name)) {
            let source = page(name).expect("a page");
            assert!(!source.title().is_empty(), "{name} has no title");
            assert!((20..=160).contains(&source.description.len()), "{name}: {}", source.description);
            assert_eq!(
                source.markdown.lines().filter(|line| line.starts_with("# ")).count(),
                comments(source) + 1
            );
        }
    }

    /// Lines of code that look like a title.
    fn comments(source: Source) -> usize {
        let is_code = |(place, _): &(usize, &str)| place % 2 == 1;
        let blocks = source.markdown.split("```").enumerate().filter(is_code);
        blocks.map(|(_, block)| block.lines().filter(|line| line.starts_with("# ")).count()).sum()
    }

    #[test]
    fn every_page_of_a_code_says_the_same_kinds_of_things() {
        for code in codes() {
            let source = code_page(code).expect("a page");
            assert!(!source.description.is_empty(), "{code} has no description");
            assert!(source.retry.is_some(), "{code} does not say whether to send it again");
            let headings: Vec<&str> =
                source.markdown.lines().filter(|line| line.starts_with("## ")).collect();
            assert_eq!(
                headings,
                ["## What it means", "## Typical causes", "## What to do", "## Example"],
                "{code}"
            );
            assert!(
                source.markdown.contains(&format!("\"type\": \"{code}\"")),
                "{code}: the example is of another code"
            );
        }
    }

    #[test]
    fn a_file_without_a_head_is_markdown_alone() {
        let source = Source::of("# Title\n\nText.\n");
        assert_eq!((source.title(), source.description), ("Title", ""));
    }
}
