//! Rates of credit life: what a method finds in its table.

use rust_decimal::Decimal;

/// A rate that was found, and where in its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    /// Rupees of premium for one rupee of the basis.
    pub(crate) per_rupee: Decimal,
    pub(super) row: usize,
    pub(super) column: usize,
}

/// What an explanation says of a rate.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RateTold {
    /// Which rate it is.
    pub(crate) what: String,
    /// As the table writes it.
    pub(crate) factor: String,
    /// Line in the table's file.
    pub(crate) line: usize,
}
