//! Money in whole paise (D23).

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Sub};

use rust_decimal::Decimal;

use crate::text::FromText;

/// Amount in Indian rupees, stored as whole paise. Never a float.
///
/// Prints with two decimals and no grouping: `5000.00`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Rupees(i64);

impl Rupees {
    pub const ZERO: Rupees = Rupees(0);

    pub const fn from_paise(paise: i64) -> Self {
        Rupees(paise)
    }

    pub const fn whole(rupees: i64) -> Self {
        Rupees(rupees * 100)
    }

    pub const fn paise(self) -> i64 {
        self.0
    }

    /// The exact amount in rupees.
    pub fn to_decimal(self) -> Decimal {
        Decimal::new(self.0, 2)
    }

    /// The amount's `Display` text, without allocation.
    pub fn digits(self) -> Digits {
        let mut bytes = [0; LONGEST];
        let paise = self.0.unsigned_abs();
        let (mut rupees, paise) = (paise / 100, (paise % 100) as u8);
        bytes[LONGEST - 3..].copy_from_slice(&[b'.', b'0' + paise / 10, b'0' + paise % 10]);
        let mut begin = LONGEST - 3;
        // From right to left, two digits at a time.
        while rupees >= 10 {
            begin -= 2;
            bytes[begin..begin + 2].copy_from_slice(&PAIRS[(rupees % 100) as usize]);
            rupees /= 100;
        }
        if rupees > 0 || begin == LONGEST - 3 {
            begin -= 1;
            bytes[begin] = b'0' + rupees as u8;
        }
        if self.0 < 0 {
            begin -= 1;
            bytes[begin] = b'-';
        }
        Digits { bytes, begin }
    }

    /// Rounds an amount in rupees to the nearest paisa, halves away from zero. `None` if the paise exceed
    /// `i64`.
    pub fn nearest(rupees: Decimal) -> Option<Self> {
        // Integer arithmetic is several times faster than rounding a decimal.
        let paise = match rupees.scale() {
            scale @ 0..=2 => rupees.mantissa() * 10_i128.pow(2 - scale),
            scale => divided(rupees.mantissa(), 10_i128.pow(scale - 2)),
        };
        i64::try_from(paise).ok().map(Rupees)
    }

    /// Rounds an amount in rupees to the nearest paisa. An amount that is too large becomes the largest
    /// accepted amount.
    pub fn nearest_countable(rupees: Decimal) -> Self {
        Rupees::nearest(rupees).map_or(Rupees(LARGEST * 100), |amount| amount.min(Rupees(LARGEST * 100)))
    }

    /// Rounds to the nearest whole rupee, halves away from zero.
    pub const fn nearest_whole(self) -> i64 {
        (self.0 + 50 * self.0.signum()) / 100
    }

    /// Indian grouping, always with paise: `₹1,855.00`.
    pub fn grouped_with_paise(self) -> String {
        let text = self.grouped();
        if self.0 % 100 == 0 { text + ".00" } else { text }
    }

    /// Indian grouping: `₹1,234.56`, or `₹5,00,000` if the amount is whole rupees.
    pub fn grouped(self) -> String {
        let plain = self.to_string();
        let (sign, digits) = plain.strip_prefix('-').map_or(("", &*plain), |digits| ("-", digits));
        let (rupees, paise) = digits.split_at(digits.len() - 3);
        let (head, last) = rupees.split_at(rupees.len().saturating_sub(3));
        let mut text = String::with_capacity(40);
        text.push_str(sign);
        text.push('₹');
        for (at, digit) in head.chars().enumerate() {
            text.push(digit);
            if (head.len() - at) % 2 == 1 {
                text.push(',');
            }
        }
        text.push_str(last);
        if paise != ".00" {
            text.push_str(paise);
        }
        text
    }
}

impl fmt::Display for Rupees {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(std::str::from_utf8(self.digits().as_bytes()).map_err(|_| fmt::Error)?)
    }
}

/// `Display` text of an amount, without allocation.
pub struct Digits {
    bytes: [u8; LONGEST],
    begin: usize,
}

impl Digits {
    /// The text in ASCII.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[self.begin..]
    }
}

/// Two ASCII digits of each number below 100.
static PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut number = 0;
    while number < pairs.len() {
        pairs[number] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        number += 1;
    }
    pairs
};

/// Length of the longest amount in bytes: sign, 17 digits, point and two decimals.
const LONGEST: usize = 21;

impl Add for Rupees {
    type Output = Rupees;
    fn add(self, other: Rupees) -> Rupees {
        Rupees(self.0 + other.0)
    }
}

impl Sub for Rupees {
    type Output = Rupees;
    fn sub(self, other: Rupees) -> Rupees {
        Rupees(self.0 - other.0)
    }
}

impl Sum for Rupees {
    fn sum<I: Iterator<Item = Rupees>>(amounts: I) -> Rupees {
        amounts.fold(Rupees::ZERO, Add::add)
    }
}

/// Largest accepted amount in rupees: ten thousand lakh crore, so that two amounts can be added. Larger input
/// counts as this amount, which exceeds every product's limits.
const LARGEST: i64 = 10_i64.pow(16);

impl Rupees {
    /// Whether the amount is the largest accepted one, so the input may have been larger.
    pub const fn is_beyond_counting(self) -> bool {
        self.0 >= LARGEST * 100
    }
}

/// Parses digits with `least_places` to `places` decimals. An amount without decimals has no point.
fn read_amount(text: &str, least_places: usize, places: usize) -> Result<Rupees, &'static str> {
    let (rupees, fraction) = match text.split_once('.') {
        Some((_, "")) => return Err("text that is not an amount"),
        Some((rupees, fraction)) => (rupees, fraction),
        None => (text, ""),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if rupees.is_empty() || !digits(rupees) || !digits(fraction) {
        return Err("text that is not an amount");
    }
    if fraction.len() < least_places || fraction.len() > places {
        return Err("an amount with too many or too few decimals");
    }
    let whole = rupees.parse().map_or(LARGEST, |whole: i64| whole.min(LARGEST));
    let paise =
        fraction.bytes().zip([10, 1]).map(|(digit, worth)| i64::from(digit - b'0') * worth).sum::<i64>();
    Ok(Rupees(whole * 100 + paise))
}

/// Requested cover: an amount above zero with exactly two decimals (D21).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CoverAmount(Rupees);

impl CoverAmount {
    /// `None` if the amount is not above zero.
    pub fn of(amount: Rupees) -> Option<Self> {
        (amount > Rupees::ZERO).then_some(CoverAmount(amount))
    }

    pub const fn amount(self) -> Rupees {
        self.0
    }
}

impl FromText for CoverAmount {
    const WANTED: &'static str = "an amount above zero, digits with two decimals, such as \"500000.00\"";
    const PATTERN: Option<&'static str> = Some(r"^\s*[0-9]+\.[0-9]{2}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        CoverAmount::of(read_amount(text, 2, 2)?).ok_or("an amount of zero")
    }
}

/// Amount in rupees as text, with at most two decimals (`annual_income`, `loan_amount`; D21, D25).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainAmount(pub Rupees);

impl FromText for PlainAmount {
    const WANTED: &'static str = "an amount in rupees, digits with at most two decimals";
    const PATTERN: Option<&'static str> = Some(r"^\s*[0-9]+(\.[0-9]{1,2})?\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        read_amount(text, 0, 2).map(PlainAmount)
    }
}

/// Tax rate: a percentage, nil or exempt. Nil and exempt both give zero tax, but the law distinguishes the
/// two. Prints as `18 %`, `nil` or `exempt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaxRate(Taxed);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taxed {
    /// Rate in percent, greater than zero.
    Percent(Decimal),
    Nil,
    Exempt,
}

impl TaxRate {
    /// Taxable at zero percent.
    pub const NIL: TaxRate = TaxRate(Taxed::Nil);
    /// Exempt from tax.
    pub const EXEMPT: TaxRate = TaxRate(Taxed::Exempt);

    /// A rate in percent; zero becomes nil. `None` if the percentage is negative or above 100.
    pub fn percent(percent: Decimal) -> Option<Self> {
        match percent {
            percent if percent.is_zero() => Some(TaxRate::NIL),
            percent if percent > Decimal::ZERO && percent <= Decimal::ONE_HUNDRED => {
                Some(TaxRate(Taxed::Percent(percent.normalize())))
            }
            _ => None,
        }
    }

    /// The rate in percent. Zero for nil and exempt.
    pub const fn as_percent(self) -> Decimal {
        match self.0 {
            Taxed::Percent(percent) => percent,
            Taxed::Nil | Taxed::Exempt => Decimal::ZERO,
        }
    }

    pub const fn is_exempt(self) -> bool {
        matches!(self.0, Taxed::Exempt)
    }

    /// The rate as numerator and denominator.
    fn fraction(self) -> (i128, i128) {
        let percent = self.as_percent();
        (percent.mantissa(), 10_i128.pow(percent.scale() + 2))
    }

    /// Tax on an amount, rounded half away from zero to the paisa. `None` if the tax exceeds `i64` paise.
    pub fn of(self, base: Rupees) -> Option<Rupees> {
        let (percent, per) = self.fraction();
        i64::try_from(divided(i128::from(base.0).checked_mul(percent)?, per)).ok().map(Rupees)
    }
}

impl fmt::Display for TaxRate {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Taxed::Percent(percent) => write!(to, "{percent} %"),
            Taxed::Nil => to.write_str("nil"),
            Taxed::Exempt => to.write_str("exempt"),
        }
    }
}

/// Price of one variant. `base + gst == total`, always (D23).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Premium {
    base: Rupees,
    gst: Rupees,
}

impl Premium {
    /// Adds tax to a base premium. `None` if the total exceeds `i64` paise.
    pub fn with_tax(base: Rupees, rate: TaxRate) -> Option<Self> {
        let gst = rate.of(base)?;
        base.0.checked_add(gst.0)?;
        Some(Premium { base, gst })
    }

    /// Splits a total that includes tax. The base is rounded to the paisa; the rest is tax.
    pub fn tax_included(total: Rupees, rate: TaxRate) -> Option<Self> {
        let (percent, per) = rate.fraction();
        let base = divided(i128::from(total.0).checked_mul(per)?, per + percent);
        let base = i64::try_from(base).ok().map(Rupees)?;
        Some(Premium { base, gst: total - base })
    }

    /// Premium from its stored parts. `None` if their sum exceeds `i64` paise.
    pub fn of_parts(base: Rupees, gst: Rupees) -> Option<Self> {
        base.0.checked_add(gst.0).map(|_| Premium { base, gst })
    }

    /// Premium without tax.
    pub const fn base(self) -> Rupees {
        self.base
    }

    pub const fn gst(self) -> Rupees {
        self.gst
    }

    /// Premium with tax.
    pub fn total(self) -> Rupees {
        self.base + self.gst
    }
}

/// Quotient rounded to the nearest whole number, halves away from zero. `by` must be above zero.
pub const fn divided(amount: i128, by: i128) -> i128 {
    let half = by / 2 * amount.signum();
    // Nearly all amounts fit 64 bits, where a division takes a few cycles.
    match amount.checked_add(half) {
        Some(sum) if sum as i64 as i128 == sum && by as i64 as i128 == by => (sum as i64 / by as i64) as i128,
        Some(sum) => sum / by,
        // Adding the half would overflow; no real amount is so large.
        None => amount / by,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal::RoundingStrategy;

    use super::*;

    proptest! {
        #[test]
        fn base_and_gst_always_add_up_to_the_total_premium(paise in 0_i64..10_i64.pow(14), rate in 0_i64..=10_000) { // D23
            let base = Rupees::from_paise(paise);
            let rate = TaxRate::percent(Decimal::new(rate, 2)).expect("0 to 100 percent");
            let added = Premium::with_tax(base, rate).expect("in range");
            prop_assert_eq!(added.base() + added.gst(), added.total());
            let split = Premium::tax_included(base, rate).expect("in range");
            prop_assert_eq!(split.base() + split.gst(), base);
        }

        #[test]
        fn amounts_in_whole_paise_are_rounded_as_decimals_are(
            mantissa in -(1_i128 << 95)..(1 << 95), shift in 0_u32..95, scale in 0_u32..=28,
            paise in -(10_i64.pow(14))..10_i64.pow(14), rate in 0_i64..=1_000_000,
        ) {
            let amount = Decimal::from_i128_with_scale(mantissa >> shift, scale);
            let rounded = |amount: Decimal| {
                let rounded = amount.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero);
                rounded.checked_mul(Decimal::ONE_HUNDRED).and_then(|paise| i64::try_from(paise).ok())
            };
            prop_assert_eq!(Rupees::nearest(amount).map(Rupees::paise), rounded(amount));
            let (base, rate) = (Rupees::from_paise(paise), TaxRate::percent(Decimal::new(rate, 4)).expect("0 to 100 percent"));
            let percent = rate.as_percent();
            prop_assert_eq!(
                rate.of(base).map(Rupees::paise),
                rounded(base.to_decimal() * percent / Decimal::ONE_HUNDRED)
            );
            prop_assert_eq!(
                Premium::tax_included(base, rate).map(|premium| premium.base().paise()),
                rounded(base.to_decimal() / (Decimal::ONE + percent / Decimal::ONE_HUNDRED))
            );
        }

        #[test]
        fn a_written_amount_is_read_as_the_same_amount(paise in 1_i64..10_i64.pow(14)) { // D21
            let text = Rupees::from_paise(paise).to_string();
            prop_assert_eq!(CoverAmount::from_text(&text).map(|cover| cover.amount().paise()), Ok(paise));
        }
    }

    #[test]
    fn an_amount_is_printed_with_two_decimals() {
        for (paise, text) in [
            (0, "0.00"),
            (5, "0.05"),
            (-5, "-0.05"),
            (50, "0.50"),
            (100, "1.00"),
            (1_000, "10.00"),
            (10_007, "100.07"),
            (500_000, "5000.00"),
            (123_456_789, "1234567.89"),
            (i64::MAX, "92233720368547758.07"),
            (i64::MIN, "-92233720368547758.08"),
        ] {
            assert_eq!(Rupees::from_paise(paise).to_string(), text);
        }
    }

    #[test]
    fn tax_is_rounded_half_up_to_the_paisa() {
        let rate = TaxRate::percent(Decimal::from(18)).expect("18 percent");
        assert_eq!(rate.of(Rupees::from_paise(25)), Some(Rupees::from_paise(5))); // 4.5
        assert_eq!(rate.of(Rupees::from_paise(24)), Some(Rupees::from_paise(4))); // 4.32
    }

    #[test]
    fn nil_and_exempt_tax_rates_both_give_no_tax_but_are_different_rates() {
        let nil = TaxRate::percent(Decimal::ZERO).expect("zero percent"); // D70
        assert_eq!((nil, nil.as_percent()), (TaxRate::NIL, Decimal::ZERO));
        assert_ne!(nil, TaxRate::EXEMPT);
        let base = Rupees::whole(500);
        assert_eq!((nil.of(base), TaxRate::EXEMPT.of(base)), (Some(Rupees::ZERO), Some(Rupees::ZERO)));
        let rated = TaxRate::percent(Decimal::new(1800, 2)).expect("18 percent");
        let printed = [rated, nil, TaxRate::EXEMPT].map(|rate| rate.to_string());
        assert_eq!(printed, ["18 %", "nil", "exempt"]);
    }

    #[test]
    fn a_cover_amount_has_exactly_two_decimals_and_is_above_zero() {
        for good in ["0.01", "500000.00", "0500000.00"] {
            assert!(CoverAmount::from_text(good).is_ok(), "{good}");
        }
        for bad in ["0.00", "5", "5.0", "5.000", ".00", "5.", "-5.00", "+5.00", "5,000.00", "1e5.00", "٥.00"]
        {
            assert!(CoverAmount::from_text(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn digits_of_an_amount_are_grouped_in_the_indian_way() {
        for (paise, text) in [
            (0, "₹0"),
            (99_900, "₹999"),
            (100_000, "₹1,000"),
            (12_345_678_900, "₹12,34,56,789"),
            (123_456, "₹1,234.56"),
            (50_000_000, "₹5,00,000"),
        ] {
            assert_eq!(Rupees::from_paise(paise).grouped(), text);
        }
    }
}
