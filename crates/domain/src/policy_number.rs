//! Policy numbers of this service or of an insurer (D30, D54).

use crate::id::PolicyId;
use crate::text::{FromText, is_damaged, one_line};

/// Maximum length of an insurer's own policy number, in characters.
const LONGEST_NUMBER: usize = 100;

/// Number on a policy and its certificate.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PolicyNumber(String);

impl PolicyNumber {
    /// Number made of the product's prefix, the year of issue, and the end of the policy's id in groups. The
    /// number is unique because the id is unique.
    pub fn of(prefix: &str, year: i16, id: PolicyId) -> Self {
        let id = id.to_string().to_uppercase();
        let (head, tail) = id.split_at(id.len() - 8);
        let (_, middle) = head.split_at(head.len() - 4);
        PolicyNumber(format!("{prefix}-{year}-{middle}-{}-{}", &tail[..4], &tail[4..]))
    }

    /// Restores a stored number without validation.
    pub fn kept(text: String) -> Self {
        PolicyNumber(text)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromText for PolicyNumber {
    const WANTED: &'static str = "a policy number on one line, 1 to 100 characters, not what a spreadsheet makes of one (1.23457E+17, #N/A)";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        if text.chars().count() > LONGEST_NUMBER {
            return Err("longer text");
        }
        if one_line(text, LONGEST_NUMBER).as_deref() != Some(text) {
            return Err("text that is not one line");
        }
        if is_damaged(text) {
            return Err("what a spreadsheet made of a number");
        }
        Ok(PolicyNumber(text.to_owned()))
    }
}

impl std::fmt::Display for PolicyNumber {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_insurers_policy_number_is_one_visible_line_of_at_most_100_characters() {
        for good in ["M", "MOCK/2026 1", "पॉ-१", "KLI/2026/00012E5", "12E45678", &"9".repeat(100)] {
            assert!(PolicyNumber::from_text(good).is_ok(), "{good}"); // D54
        }
        let damaged = ["1.23457E+17", "9,9E+15", "1E+05", "-1.2E-7", "#N/A", "#REF!", "#name?", "####"];
        let bad = ["", " ", " M", "M\n1", "M\u{202e}1", &"9".repeat(101)];
        for bad in bad.into_iter().chain(damaged) {
            assert!(PolicyNumber::from_text(bad).is_err(), "{bad:?}");
        }
    }
}
