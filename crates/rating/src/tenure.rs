//! Tenures: numbers of years for which a customer can buy a health policy at once.

use rust_decimal::Decimal;

/// Longest tenure, in years.
pub(crate) const LONGEST: u8 = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tenure {
    /// Number of years, from 1 to [`LONGEST`].
    pub(crate) years: u8,
    /// Discount for buying several years at once, in percent. Zero: no discount.
    pub(crate) discount_percent: Decimal,
}

impl Tenure {
    /// One year at full price.
    pub(crate) const ONE_YEAR: Tenure = Tenure { years: 1, discount_percent: Decimal::ZERO };
}
