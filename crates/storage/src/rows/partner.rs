//! Rows of partners: lists of words are kept in one column each.

use domain::access::{Scope, Scopes};
use domain::text::FromText;

/// Addresses, one a line.
pub(crate) fn lines(addresses: &[String]) -> String {
    addresses.join("\n")
}

/// The addresses in a column.
pub(crate) fn of_lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

/// The scopes in a column. One that this program does not know is one that it cannot grant.
pub(crate) fn of_words(text: &str) -> Scopes {
    text.split(' ').filter_map(|word| Scope::from_text(word).ok()).collect()
}
