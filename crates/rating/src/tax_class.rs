//! Classes of cover that are taxed differently: a line of business, sold to a group or to individuals (D70).

use std::fmt;

use domain::line::LineOfBusiness;
use domain::text::vocabulary;

vocabulary! {
    /// Whom cover is sold to, in the catalogue's words.
    SoldTo, "\"group\" or \"individual\"" {
        /// Members of a group, under a master policy.
        Group = "group",
        /// Individuals and families, by a policy of their own.
        Individual = "individual",
    }
}

/// A class of cover. Prints as `group credit-life`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaxClass {
    pub line: LineOfBusiness,
    /// Whom it is sold to.
    pub sold_to: SoldTo,
}

impl TaxClass {
    /// The class of a line of business that is sold to somebody.
    pub const fn new(line: LineOfBusiness, sold_to: SoldTo) -> Self {
        TaxClass { line, sold_to }
    }
}

impl fmt::Display for TaxClass {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} {}", self.sold_to, self.line)
    }
}
