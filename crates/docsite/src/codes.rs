//! Error catalogue, which has a page for each error code of the API.

use crate::facts::ErrorCode;
use crate::source;

/// Error codes without a page, and pages without an error code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unmatched {
    /// Error codes that have no page.
    pub codes: Vec<&'static str>,
    /// Pages for codes that the API does not have.
    pub pages: Vec<&'static str>,
}

/// Compares error codes with the pages of the site. Both lists are empty if every code has a page and every
/// page a code.
pub fn unmatched(codes: &[ErrorCode]) -> Unmatched {
    let pages: Vec<&'static str> = source::codes().collect();
    Unmatched {
        codes: codes.iter().map(|row| row.code).filter(|code| !pages.contains(code)).collect(),
        pages: pages.iter().copied().filter(|page| !codes.iter().any(|row| row.code == *page)).collect(),
    }
}

/// Title of the page of an error code.
pub(crate) fn title(row: &ErrorCode) -> String {
    format!("{}: {}", row.code, row.title)
}

/// Markdown of the page of an error code: first a table with its facts, then its description.
pub(crate) fn markdown(row: &ErrorCode) -> String {
    let page = source::code_page(row.code);
    let retry = page.and_then(|page| page.retry).unwrap_or("see below");
    let written = page.map_or("This code has no description yet.", |page| page.markdown);
    format!(
        "| Code | HTTP status | Title | Send it again? |\n|---|---|---|---|\n| `{}` | {} | {} | {retry} |\n\n{written}",
        row.code, row.status, row.title
    )
}
