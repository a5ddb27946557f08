//! Tenures: for how many years a health policy is sold at once.

use rust_decimal::Decimal;

/// The longest tenure, in years.
pub(crate) const LONGEST: u8 = 3;

/// So many years, sold at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tenure {
    /// Years, from 1 to [`LONGEST`].
    pub(crate) years: u8,
    /// How much less they cost together, in percent; zero for nothing.
    pub(crate) discount_percent: Decimal,
}

impl Tenure {
    /// One year at its full price.
    pub(crate) const ONE_YEAR: Tenure = Tenure { years: 1, discount_percent: Decimal::ZERO };
}
