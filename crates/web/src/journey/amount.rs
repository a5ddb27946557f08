//! Amounts and counts as people in India write them, in whichever language.

use domain::money::{Premium, Rupees};

/// A count with separators: `12,34,567`.
pub(crate) fn count(number: u32) -> String {
    Rupees::whole(number.into()).grouped().trim_start_matches('₹').to_owned()
}

/// What a premium costs with tax, whole rupees without paise.
pub(crate) fn total(premium: Premium) -> String {
    premium.total().grouped()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped_as_in_india() {
        assert_eq!(count(1_234_567), "12,34,567");
    }
}
