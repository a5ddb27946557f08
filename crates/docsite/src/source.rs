//! Source files of the pages. They are Markdown that is compiled into the program.

use include_dir::{Dir, include_dir};

static PAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/pages");

/// Sections of the menu with the names of their pages, in order. A page's name is its file name without
/// `.md`. The pages in [`MADE`] have no file.
pub(crate) const SECTIONS: &[(&str, &[&str])] = &[
    ("Start", &["index", "getting-started", "first-integration", "test-values", "going-live"]),
    ("Basics", &["tokens", "idempotency", "errors", "limits", "requests", "versioning"]),
    ("Credit protection", &["quotes", "proposals", "premiums"]),
    ("Health", &["recommendations", "journey", "deprecated"]),
    ("After the sale", &["policies", "claims", "statements"]),
    ("Events and webhooks", &["events", "webhooks"]),
    ("Tools", &["clients", "reference", "changelog"]),
];

/// Names and titles of generated pages. They have no Markdown file in this crate.
pub(crate) const MADE: &[(&str, &str)] = &[("reference", "Reference"), ("changelog", "Changelog")];

/// Parsed Markdown file of a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source {
    /// One sentence about the page, for search engines and lists.
    pub(crate) description: &'static str,
    /// Text for the page in the menu. `None`: the title.
    pub(crate) menu: Option<&'static str>,
    /// For the page of an error code: whether a client should repeat the request, in a few words.
    pub(crate) retry: Option<&'static str>,
    /// Additional words by which the search finds the page.
    pub(crate) words: &'static str,
    /// Markdown after the metadata at the top of the file.
    pub(crate) markdown: &'static str,
}

impl Source {
    /// Parses a file. It begins with lines of `key: value` between two lines of `---`; Markdown follows.
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

    /// Text of the first heading of level 1.
    pub(crate) fn title(&self) -> &'static str {
        self.markdown.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default().trim()
    }
}

pub(crate) fn page(name: &str) -> Option<Source> {
    text(&format!("{name}.md")).map(Source::of)
}

pub(crate) fn code_page(code: &str) -> Option<Source> {
    text(&format!("errors/{code}.md")).map(Source::of)
}

/// Error codes for which the site has a page.
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
    fn every_page_file_is_in_the_menu_once_and_every_menu_entry_has_a_file() {
        let files = PAGES.files().filter_map(|file| file.path().to_str()?.strip_suffix(".md"));
        let mut files: Vec<&str> = files.collect();
        let mut pages: Vec<&str> = SECTIONS.iter().flat_map(|(_, pages)| pages.iter().copied()).collect();
        pages.retain(|page| !is_made(page));
        files.sort_unstable();
        pages.sort_unstable();
        assert_eq!(files, pages);
    }

    #[test]
    fn every_page_has_one_title_and_a_description_of_20_to_160_bytes() {
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

    /// Number of lines in code blocks that look like a title, such as comments of a script.
    fn comments(source: Source) -> usize {
        let is_code = |(place, _): &(usize, &str)| place % 2 == 1;
        let blocks = source.markdown.split("```").enumerate().filter(is_code);
        blocks.map(|(_, block)| block.lines().filter(|line| line.starts_with("# ")).count()).sum()
    }

    #[test]
    fn every_page_of_an_error_code_has_the_same_sections() {
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
    fn a_source_file_without_a_head_has_a_title_but_no_description() {
        let source = Source::of("# Title\n\nText.\n");
        assert_eq!((source.title(), source.description), ("Title", ""));
    }
}
