//! Schedules of reducing covers: the cover amount in each policy year.

use domain::date::{Date, policy_year};
use domain::money::Rupees;
use rust_decimal::Decimal;

/// Longest schedule, in months (100 years).
const LONGEST: u32 = 1200;

/// Cover amount at the start of each policy year of a reducing cover, rounded to the paisa. It is the
/// outstanding balance of a loan of `sum_insured`, which is repaid in `months` equal instalments.
/// `interest_percent` is the yearly interest rate.
///
/// After k of n instalments the share `(1 - v^(n-k)) / (1 - v^n)` is outstanding. v is the discount factor of
/// one month. A term above [`LONGEST`] counts as [`LONGEST`].
pub(crate) fn reducing(sum_insured: Rupees, interest_percent: Decimal, months: u32) -> Vec<(u32, Rupees)> {
    let months = months.min(LONGEST);
    let monthly = interest_percent / Decimal::from(1200);
    let discount = Decimal::ONE / (Decimal::ONE + monthly);
    let repaid = Decimal::ONE - power(discount, months);
    let years = 0..months.div_ceil(12);
    let owed = |year: u32| {
        let left = (Decimal::ONE - power(discount, months - 12 * year)).checked_div(repaid)?;
        Rupees::nearest(sum_insured.to_decimal().checked_mul(left)?)
    };
    years.map(|year| (year + 1, owed(year).unwrap_or(sum_insured))).collect()
}

/// Cover amount on a day, from the row of the schedule for that policy year. `sum_insured` if the schedule is
/// empty.
pub fn cover_on(schedule: &[(u32, Rupees)], starts: Date, day: Date, sum_insured: Rupees) -> Rupees {
    let year = policy_year(starts, day);
    let row = schedule.iter().rev().find(|(of, _)| *of <= year);
    row.map_or(sum_insured, |(_, cover)| *cover)
}

/// Raises a number from 0 to 1 to a whole power.
fn power(base: Decimal, exponent: u32) -> Decimal {
    (0..exponent).fold(Decimal::ONE, |power, _| power * base)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn date(year: i16, month: i8, day: i8) -> Date {
        Date::constant(year, month, day)
    }

    #[test]
    fn a_reducing_cover_follows_the_outstanding_balance_of_the_loan() {
        let schedule = reducing(Rupees::whole(500_000), Decimal::from(12), 36);
        let paise: Vec<i64> = schedule.iter().map(|(_, cover)| cover.paise()).collect();
        assert_eq!(paise, [50_000_000, 35_279_222, 18_691_482]);
    }

    #[test]
    fn a_policy_year_begins_on_the_day_after_the_last_day_of_the_year_before() {
        // D53: if cover starts on 29 February 2028, the first year ends on 27 February 2029.
        let schedule = reducing(Rupees::whole(500_000), Decimal::from(12), 36);
        let on = |year, month, day| {
            cover_on(&schedule, date(2028, 2, 29), date(year, month, day), Rupees::whole(500_000))
        };
        assert_eq!(on(2029, 2, 27), schedule[0].1);
        assert_eq!(on(2029, 2, 28), schedule[1].1);
        assert_eq!(on(2030, 2, 28), schedule[2].1);
    }

    #[test]
    fn a_begun_policy_year_has_its_own_row_in_the_schedule() {
        assert_eq!(reducing(Rupees::whole(100), Decimal::ONE, 13).len(), 2);
        assert_eq!(reducing(Rupees::whole(100), Decimal::ONE, 12).len(), 1);
        assert_eq!(reducing(Rupees::whole(100), Decimal::ONE, 0), []);
        assert_eq!(reducing(Rupees::whole(100), Decimal::from(60), u32::MAX).len(), 100);
    }
}
