//! Classes of cover, which decide the tax. A class is a line of business that is sold to groups or to
//! individuals (D70).

use std::fmt;

use domain::line::LineOfBusiness;
use domain::text::vocabulary;

vocabulary! {
    /// Who buys a cover, in the catalogue's words.
    SoldTo, "\"group\" or \"individual\"" {
        /// Members of a group, who are insured under a master policy.
        Group = "group",
        /// Individuals and families, who have a policy of their own.
        Individual = "individual",
    }
}

/// Class of cover. Prints as `group credit-life`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaxClass {
    pub line: LineOfBusiness,
    pub sold_to: SoldTo,
}

impl TaxClass {
    pub const fn new(line: LineOfBusiness, sold_to: SoldTo) -> Self {
        TaxClass { line, sold_to }
    }
}

impl fmt::Display for TaxClass {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{} {}", self.sold_to, self.line)
    }
}
