//! Amounts and counts as people in India write them.

use domain::money::{Premium, Rupees};

use super::words::Words;

/// A count with separators: `12,34,567`.
pub(crate) fn count(number: u32) -> String {
    Rupees::whole(number.into()).grouped().trim_start_matches('₹').to_owned()
}

/// What a premium costs with tax, whole rupees without paise.
pub(crate) fn total(premium: Premium) -> String {
    premium.total().grouped()
}

/// A sum insured as people say it: `₹10 lakh`, `₹1.5 crore`; other amounts with all their digits.
pub(crate) fn sum(words: Words, amount: Rupees) -> String {
    const LAKH: i64 = 100_000 * 100;
    let paise = amount.paise();
    let in_units = |unit: i64| {
        let (whole, tenth) = (paise / unit, paise % unit * 10 / unit);
        if tenth == 0 { whole.to_string() } else { format!("{whole}.{tenth}") }
    };
    if paise >= 100 * LAKH && paise % (10 * LAKH) == 0 {
        return words.crore(in_units(100 * LAKH)).into_owned();
    }
    if paise >= LAKH && paise % (LAKH / 10) == 0 {
        return words.lakh(in_units(LAKH)).into_owned();
    }
    amount.grouped()
}

#[cfg(test)]
mod tests {
    use domain::language::Language;

    use super::*;

    #[test]
    fn sums_are_told_in_lakh_and_crore() {
        let sum = |rupees| sum(Words(Language::English), Rupees::whole(rupees));
        assert_eq!(sum(1_000_000), "₹10 lakh");
        assert_eq!(sum(750_000), "₹7.5 lakh");
        assert_eq!(sum(10_000_000), "₹1 crore");
        assert_eq!(sum(15_000_000), "₹1.5 crore");
        assert_eq!(sum(1_234_567), "₹12,34,567");
        assert_eq!(sum(50_000), "₹50,000");
    }

    #[test]
    fn counts_are_grouped_as_in_india() {
        assert_eq!(count(1_234_567), "12,34,567");
    }
}
