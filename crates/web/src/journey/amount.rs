//! Amounts and counts in Indian notation, for all languages.

use domain::money::{Premium, Rupees};

/// A count with Indian separators: `12,34,567`.
pub(crate) fn count(number: u32) -> String {
    Rupees::whole(number.into()).grouped().trim_start_matches('₹').to_owned()
}

/// Premium with tax, as text. Amounts in whole rupees have no paise.
pub(crate) fn total(premium: Premium) -> String {
    premium.total().grouped()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_a_count_are_grouped_in_the_indian_way() {
        assert_eq!(count(1_234_567), "12,34,567");
    }
}
