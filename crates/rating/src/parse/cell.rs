//! Values of cells of tables.

use rust_decimal::Decimal;

use super::number;

/// Parses a whole number within bounds.
pub(crate) fn whole(text: &str, least: u32, most: u32) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && (least..=most).contains(number))
}

/// Parses a rate above zero. The error is the rest of a sentence that begins with a name.
pub(crate) fn rate(text: &str, highest: Decimal) -> Result<Decimal, String> {
    match number::decimal(text)? {
        rate if rate <= Decimal::ZERO => Err("must be above zero".to_owned()),
        rate if rate > highest => Err(format!("must be at most {highest}")),
        rate => Ok(rate.normalize()),
    }
}
