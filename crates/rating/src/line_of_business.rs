//! Lines of business: what a product insures.

use std::fmt;

use domain::text::FromText;

/// A line of business. The catalogue has the rows of tax for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LineOfBusiness {
    /// `credit-life`: group credit life, the borrower's life for the length of a loan.
    CreditLife,
    /// `health`: retail health, a family's hospital bills for one to three years.
    Health,
}

impl LineOfBusiness {
    /// Every line.
    pub const ALL: &'static [LineOfBusiness] = &[LineOfBusiness::CreditLife, LineOfBusiness::Health];

    /// The catalogue's word for it.
    pub const fn word(self) -> &'static str {
        match self {
            LineOfBusiness::CreditLife => "credit-life",
            LineOfBusiness::Health => "health",
        }
    }
}

impl FromText for LineOfBusiness {
    const WANTED: &'static str = "\"credit-life\" or \"health\"";
    const WORDS: &'static [&'static str] = &["credit-life", "health"];

    fn from_text(text: &str) -> Result<Self, &'static str> {
        LineOfBusiness::ALL
            .iter()
            .find(|line| line.word() == text)
            .copied()
            .ok_or("text that is none of the allowed words")
    }
}

impl fmt::Display for LineOfBusiness {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.word())
    }
}
