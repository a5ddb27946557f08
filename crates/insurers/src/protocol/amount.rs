//! Amounts in the protocol. They are decimal text with exactly two decimals.

use domain::money::{PlainAmount, Premium, Rupees};
use domain::text::FromText;

/// Parses an amount: digits, a point, two digits. `None` for any other text, or if the amount is too large.
pub(crate) fn read(text: &str) -> Option<Rupees> {
    let two_places = text.rsplit_once('.').is_some_and(|(_, places)| places.len() == 2);
    let amount = PlainAmount::from_text(text).ok().filter(|_| two_places)?.0;
    (!amount.is_beyond_counting()).then_some(amount)
}

/// Parses the three amounts of a premium.
///
/// # Errors
/// What is wrong, as the end of a sentence.
pub(crate) fn premium(base: &str, gst: &str, total: &str) -> Result<Premium, &'static str> {
    let amounts = read(base).zip(read(gst)).zip(read(total));
    let ((base, gst), total) = amounts.ok_or("an amount is not digits, a point and two digits")?;
    match Premium::of_parts(base, gst) {
        Some(premium) if premium.total() == total => Ok(premium),
        _ => Err("the amounts do not add up"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_has_exactly_two_decimals_and_no_sign() {
        assert_eq!(read("0.00"), Some(Rupees::ZERO));
        assert_eq!(read("1850.07"), Some(Rupees::from_paise(185_007)));
        for bad in ["", "1", "1.0", "1.000", ".00", "-1.00", "+1.00", "1,000.00", " 1.00", "1e3.00", "٥.00"]
        {
            assert_eq!(read(bad), None, "{bad:?}");
        }
        assert_eq!(read("99999999999999999999.00"), None);
    }

    #[test]
    fn a_premium_whose_parts_do_not_add_up_is_refused() {
        assert!(premium("100.00", "18.00", "118.00").is_ok()); // D23
        assert!(premium("100.00", "18.00", "118.01").is_err());
        assert!(premium("100.00", "-18.00", "82.00").is_err());
    }
}
