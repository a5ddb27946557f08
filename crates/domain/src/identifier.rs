//! Identifiers: search keys for records of a customer or a sale.

use std::fmt;
use std::sync::Arc;

use crate::text::{FromText, is_one_line, normal, vocabulary};

vocabulary! {
    IdentifierKind, "one of mobile, email, pan, reference, lead, user" {
        /// Mobile number of 10 digits.
        Mobile = "mobile",
        /// E-mail address. Letter case is ignored.
        Email = "email",
        /// Permanent account number (PAN) of the tax department.
        Pan = "pan",
        /// Partner's own reference for the sale.
        Reference = "reference",
        /// Lead id on the partner's platform.
        Lead = "lead",
        /// User id on the partner's platform.
        User = "user",
    }
}

/// Maximum length of a partner's reference, in characters.
const LONGEST: usize = 100;

/// Partner's own reference for a sale, such as a loan account number. May be personal, so `Debug` prints only
/// `Reference(…)`.
#[derive(Clone, PartialEq, Eq)]
pub struct Reference(Arc<str>);

impl Reference {
    /// The reference in plain text.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Restores a stored reference without validation.
    pub fn kept(text: &str) -> Self {
        Reference(text.into())
    }

    /// Parses a context value. `None` if the value is not a valid reference.
    pub fn of(value: &str) -> Option<Self> {
        Reference::from_text(value.trim()).ok()
    }
}

impl fmt::Debug for Reference {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Reference(…)")
    }
}

impl FromText for Reference {
    const WANTED: &'static str = "a reference of 1 to 100 characters";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        if text.is_empty() {
            return Err("blank text");
        }
        if text.chars().count() > LONGEST {
            return Err("longer text");
        }
        if !is_one_line(text) {
            return Err("text with control characters");
        }
        Ok(Reference(normal(text).into()))
    }
}

/// Value by which records of a customer or a sale are found, in a normalized form.
#[derive(Clone, PartialEq, Eq)]
pub struct Identifier {
    pub kind: IdentifierKind,
    value: String,
}

impl Identifier {
    /// Normalizes a value: trims it, puts an e-mail address in lower case and a PAN in upper case.
    pub fn of(kind: IdentifierKind, value: &str) -> Self {
        let value = value.trim();
        let value = match kind {
            IdentifierKind::Mobile
            | IdentifierKind::Reference
            | IdentifierKind::Lead
            | IdentifierKind::User => value.to_owned(),
            IdentifierKind::Email => value.to_lowercase(),
            IdentifierKind::Pan => value.to_uppercase(),
        };
        Identifier { kind, value }
    }

    /// The value in plain text.
    pub fn reveal(&self) -> &str {
        &self.value
    }
}

impl fmt::Debug for Identifier {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Identifier({})", self.kind)
    }
}

/// Adds a reference to the identifiers, and removes duplicate and empty identifiers.
pub(crate) fn each_once(mut all: Vec<Identifier>, reference: Option<&Reference>) -> Vec<Identifier> {
    all.extend(reference.map(|text| Identifier::of(IdentifierKind::Reference, text.reveal())));
    let mut once: Vec<Identifier> = Vec::with_capacity(all.len());
    for one in all {
        if !one.reveal().is_empty() && !once.contains(&one) {
            once.push(one);
        }
    }
    once
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_trimmed_and_normalized_by_its_kind() {
        let form = |kind, value: &str| Identifier::of(kind, value).reveal().to_owned();
        assert_eq!(form(IdentifierKind::Email, " Asha.Rao@Example.COM "), "asha.rao@example.com");
        assert_eq!(form(IdentifierKind::Pan, "abcpk1234l"), "ABCPK1234L");
        assert_eq!(form(IdentifierKind::Reference, " LN-0001 "), "LN-0001");
    }

    #[test]
    fn a_reference_is_one_line_of_at_most_100_characters() {
        assert!(Reference::of(&"a".repeat(100)).is_some());
        for none in ["", "  ", "a\nb"] {
            assert_eq!(Reference::of(none), None, "{none:?}");
        }
        assert_eq!(Reference::of(&"a".repeat(101)), None);
        assert_eq!(format!("{:?}", Reference::kept("LN-0001")), "Reference(…)");
    }
}
