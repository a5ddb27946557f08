//! Lines of business: what a product insures, and by which rows of tax it is taxed.

use std::fmt;

use domain::text::FromText;

/// A line of business.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Line {
    /// `credit-life`: group credit life, the borrower's life for the length of a loan.
    CreditLife,
    /// `health`: retail health, a family's hospital bills for one to three years.
    Health,
}

impl Line {
    /// Every line.
    pub const ALL: &'static [Line] = &[Line::CreditLife, Line::Health];

    /// The catalogue's word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Line::CreditLife => "credit-life",
            Line::Health => "health",
        }
    }
}

impl FromText for Line {
    const WANTED: &'static str = "\"credit-life\" or \"health\"";
    const WORDS: &'static [&'static str] = &["credit-life", "health"];

    fn from_text(text: &str) -> Result<Self, &'static str> {
        Line::ALL
            .iter()
            .find(|line| line.word() == text)
            .copied()
            .ok_or("text that is none of the allowed words")
    }
}

impl fmt::Display for Line {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.word())
    }
}
