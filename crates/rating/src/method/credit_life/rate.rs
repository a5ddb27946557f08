//! Rates of credit life, as a method finds them in its table.

use rust_decimal::Decimal;

/// A rate with its position in its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    /// Rupees of premium for one rupee of the basis.
    pub(crate) per_rupee: Decimal,
    pub(super) row: usize,
    pub(super) column: usize,
}

/// The description of a rate for an explanation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RateDescription {
    /// Which rate it is.
    pub(crate) words: String,
    /// As the table writes it.
    pub(crate) factor: String,
    /// Line in the table's file.
    pub(crate) line: usize,
}
