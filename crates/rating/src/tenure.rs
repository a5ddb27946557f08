//! Tenures: the number of years for which a health policy is sold at once.

use rust_decimal::Decimal;

/// The longest tenure, in years.
pub(crate) const LONGEST: u8 = 5;

/// A number of years that is sold at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tenure {
    /// Years, from 1 to [`LONGEST`].
    pub(crate) years: u8,
    /// The discount for buying them at once, in percent; zero for none.
    pub(crate) discount_percent: Decimal,
}

impl Tenure {
    /// One year at its full price.
    pub(crate) const ONE_YEAR: Tenure = Tenure { years: 1, discount_percent: Decimal::ZERO };
}
