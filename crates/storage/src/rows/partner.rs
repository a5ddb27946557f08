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

/// Scopes as they are written over those in a column: words that this program does not know are a newer program's, and
/// stay.
pub(crate) fn scopes_beside(scopes: &Scopes, kept: &str) -> String {
    let newer = kept.split(' ').filter(|word| !word.is_empty() && Scope::from_text(word).is_err());
    let known = scopes.to_string();
    let all: Vec<&str> = known.split(' ').filter(|word| !word.is_empty()).chain(newer).collect();
    all.join(" ")
}
