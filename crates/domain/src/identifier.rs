//! Identifiers: what a customer or a sale is known by outside of this service, and by which records are found.

use std::fmt;
use std::sync::Arc;

use crate::text::{FromText, is_one_line, normal, vocabulary};

vocabulary! {
    IdentifierKind, "one of mobile, email, pan, reference, lead, user" {
        /// A mobile number of 10 digits.
        Mobile = "mobile",
        /// An e-mail address, in whatever capitals.
        Email = "email",
        /// A permanent account number.
        Pan = "pan",
        /// The partner's own reference of the sale.
        Reference = "reference",
        /// What the partner's platform calls a lead.
        Lead = "lead",
        /// What it calls an end user.
        User = "user",
    }
}

/// Most characters of a reference.
const LONGEST: usize = 100;

/// What a partner calls a sale in its own books, such as the number of a loan account. May be personal, so it prints as
/// `Reference(…)`.
#[derive(Clone, PartialEq, Eq)]
pub struct Reference(Arc<str>);

impl Reference {
    /// The text, for those who must have it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// A reference that was already judged, as it was kept.
    pub fn kept(text: &str) -> Self {
        Reference(text.into())
    }

    /// The reference that a value of context data is; `None` where it is none.
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

/// A value by which records are found, in the one form in which all records have it.
#[derive(Clone, PartialEq, Eq)]
pub struct Identifier {
    pub kind: IdentifierKind,
    value: String,
}

impl Identifier {
    /// An identifier of a kind: an e-mail address in small letters, a PAN in capitals.
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

    /// The value, for those who must have it.
    pub fn reveal(&self) -> &str {
        &self.value
    }
}

impl fmt::Debug for Identifier {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Identifier({})", self.kind)
    }
}

/// Identifiers with that of a reference, each once.
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
    fn an_identifier_has_one_form() {
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
