//! The error catalogue: a page for each code of the API.

use std::fmt::Write;

use crate::facts::ErrorCode;
use crate::source;

/// Where codes and their pages do not match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unmatched {
    /// Codes without a page.
    pub codes: Vec<&'static str>,
    /// Pages whose code does not exist.
    pub pages: Vec<&'static str>,
}

/// Compares the codes with the pages that were written about them. Both lists are empty where all is well.
pub fn unmatched(codes: &[ErrorCode]) -> Unmatched {
    let pages: Vec<&'static str> = source::codes().collect();
    Unmatched {
        codes: codes.iter().map(|row| row.code).filter(|code| !pages.contains(code)).collect(),
        pages: pages.iter().copied().filter(|page| !codes.iter().any(|row| row.code == *page)).collect(),
    }
}

/// What stands for the table of all codes on the page `errors`.
const TABLE: &str = "{error_table}";

/// The Markdown of the page `errors`, with the table of all codes.
pub(crate) fn with_table(markdown: &str, codes: &[ErrorCode]) -> String {
    let mut table = String::from("| Code | Status | Title | Send it again? |\n|---|---|---|---|\n");
    for ErrorCode { code, status, title } in codes {
        let retry = source::code_page(code).and_then(|page| page.retry).unwrap_or_default();
        let row = writeln!(table, "| [{code}](errors/{code}.md) | {status} | {title} | {retry} |");
        debug_assert!(row.is_ok(), "a string takes what is written to it");
    }
    markdown.replace(TABLE, table.trim_end())
}

/// The title of a code's page.
pub(crate) fn title(row: &ErrorCode) -> String {
    format!("{}: {}", row.code, row.title)
}

/// The Markdown of a code's page: what holds for every code, then what was written about this one.
pub(crate) fn markdown(row: &ErrorCode) -> String {
    let page = source::code_page(row.code);
    let retry = page.and_then(|page| page.retry).unwrap_or("see below");
    let written = page.map_or("Nothing was written about this code yet.", |page| page.markdown);
    format!(
        "| Code | HTTP status | Title | Send it again? |\n|---|---|---|---|\n| `{}` | {} | {} | {retry} |\n\n{written}",
        row.code, row.status, row.title
    )
}
