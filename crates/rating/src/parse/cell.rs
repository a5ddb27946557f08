//! Values of table cells.

use rust_decimal::Decimal;

use super::number;

/// Parses a whole number from `least` to `most`.
pub(crate) fn whole(text: &str, least: u32, most: u32) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && (least..=most).contains(number))
}

/// Parses a rate above zero, at most `highest`. The error completes a sentence that begins with the column's
/// name.
pub(crate) fn rate(text: &str, highest: Decimal) -> Result<Decimal, String> {
    match number::decimal(text)? {
        rate if rate <= Decimal::ZERO => Err("must be above zero".to_owned()),
        rate if rate > highest => Err(format!("must be at most {highest}")),
        rate => Ok(rate.normalize()),
    }
}
