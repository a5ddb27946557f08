//! Cells of tables: what the text of one may be.

use rust_decimal::Decimal;

use super::number;

/// A whole number within bounds, from a cell.
pub(crate) fn whole(text: &str, least: u32, most: u32) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && (least..=most).contains(number))
}

/// A rate above zero, from a cell. The sentence says what is wrong.
pub(crate) fn rate(text: &str, highest: Decimal) -> Result<Decimal, String> {
    match number::decimal(text)? {
        rate if rate <= Decimal::ZERO => Err("must be above zero".to_owned()),
        rate if rate > highest => Err(format!("must be at most {highest}")),
        rate => Ok(rate.normalize()),
    }
}
