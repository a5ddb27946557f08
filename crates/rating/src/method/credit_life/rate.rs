//! Rate for credit life, as a rating method found it in its table.

use rust_decimal::Decimal;

/// A rate with its position in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    /// Premium in rupees for one rupee of the basis.
    pub(crate) per_rupee: Decimal,
    pub(super) row: usize,
    pub(super) column: usize,
}

/// Description of a rate for an explanation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RateDescription {
    /// Words that name the rate.
    pub(crate) words: String,
    /// The rate as the table has it, such as `202 per lakh`.
    pub(crate) factor: String,
    /// Line of the rate in the table's file.
    pub(crate) line: usize,
}
