//! Decimal numbers, parsed exactly.

use rust_decimal::Decimal;

/// Most digits before the decimal point.
const MOST_WHOLE_DIGITS: usize = 13;
/// Most digits after the decimal point.
const MOST_PLACES: usize = 6;

/// Parses digits with an optional sign and at most one decimal point. The error completes a sentence that
/// begins with the key's name.
pub(crate) fn decimal(text: &str) -> Result<Decimal, &'static str> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, places) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !plain(whole) || !plain(places) {
        return Err("must be a number in digits, such as 18 or 0.75");
    }
    if whole.trim_start_matches('0').len() > MOST_WHOLE_DIGITS {
        return Err("must have at most 13 digits before the point");
    }
    if places.len() > MOST_PLACES {
        return Err("must have at most 6 decimals");
    }
    text.parse::<Decimal>().map_err(|_| "must be a number in digits, such as 18 or 0.75")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decimal_number_may_have_only_a_sign_digits_and_one_decimal_point() {
        for good in ["0", "18", "0.75", "-3.5", "+1", "0000000000000000001", "9999999999999.999999"] {
            assert!(decimal(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "-",
            ".5",
            "5.",
            "1e3",
            "nan",
            "inf",
            "1_000",
            "1,000",
            "0x10",
            "12345678901234",
            "0.1234567",
            "٣",
            "--1",
            "1.2.3",
        ] {
            assert!(decimal(bad).is_err(), "{bad}");
        }
    }
}
