//! Days and ages in the calendar of Asia/Kolkata (D25, D32).

pub use jiff::Timestamp;
pub use jiff::civil::Date;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{Span, ToSpan};

use crate::text::FromText;

/// India's UTC offset, +05:30 all year since 1945.
fn kolkata() -> Offset {
    Offset::from_seconds((5 * 60 + 30) * 60).expect("within a day")
}

/// Local date and time in Asia/Kolkata.
pub fn kolkata_time(at: Timestamp) -> DateTime {
    kolkata().to_datetime(at)
}

/// Calendar day in Asia/Kolkata.
pub fn day_of(at: Timestamp) -> Date {
    kolkata_time(at).date()
}

/// Midnight at the start of a day in Asia/Kolkata. `None` if the calendar cannot represent that time.
pub fn start_of_day(day: Date) -> Option<Timestamp> {
    kolkata().to_timestamp(day.at(0, 0, 0, 0)).ok()
}

/// A day in the format of the contract: `DD/MM/YYYY`.
pub fn day_month_year(date: Date) -> String {
    format!("{:02}/{:02}/{:04}", date.day(), date.month(), date.year())
}

/// A day in a format for people: `20 Nov 2026`.
pub fn in_words(date: Date) -> String {
    date.strftime("%-d %b %Y").to_string()
}

/// Completed years from `born` to `on`; the birthday itself counts. For a birth on 29 February, other years
/// have the birthday on 1 March. Negative if `born` is after `on`.
pub fn completed_years(born: Date, on: Date) -> i16 {
    let before_birthday = (on.month(), on.day()) < (born.month(), born.day());
    on.year() - born.year() - i16::from(before_birthday)
}

/// Last day of a cover that starts on `start` and lasts `months` months (D53): the day before the same date
/// `months` months later. `None` if the calendar cannot represent that day.
pub fn last_day_of_cover(start: Date, months: u32) -> Option<Date> {
    months_later(start, months)?.yesterday().ok()
}

/// Same day of the month, `months` months later, or the last day of a shorter month. `None` if the calendar
/// cannot represent that day.
pub fn months_later(day: Date, months: u32) -> Option<Date> {
    day.checked_add(Span::new().try_months(months).ok()?).ok()
}

/// Completed months from `from` to `to`. Zero if `to` is before `from`.
///
/// If a month has no day with the day number of `from`, the month counts as complete on its last day. Cover
/// from 29 February 2028 completes its first year on 28 February 2029. Cover from 31 January completes its
/// first month on the last day of February.
///
/// [`last_day_of_cover`] counts in the same way: a policy year begins on the day after the last day of the
/// year before (D53).
pub fn completed_months(from: Date, to: Date) -> u32 {
    let months = (i32::from(to.year()) - i32::from(from.year())) * 12 + i32::from(to.month())
        - i32::from(from.month());
    let is_complete = to.day() >= from.day() || to.day() == to.days_in_month();
    u32::try_from(months - i32::from(!is_complete)).unwrap_or_default()
}

/// Number of the policy year that contains `day`, from 1. A day before `starts` counts as year 1.
pub fn policy_year(starts: Date, day: Date) -> u32 {
    completed_months(starts, day) / 12 + 1
}

/// Day that is `days` days after `day`. `None` if the calendar cannot represent that day.
pub fn days_later(day: Date, days: u16) -> Option<Date> {
    day.checked_add(i32::from(days).days()).ok()
}

/// Day that is `days` days before `day`. `None` if the calendar cannot represent that day.
pub fn days_before(day: Date, days: u16) -> Option<Date> {
    day.checked_sub(i32::from(days).days()).ok()
}

/// Any real calendar day, written `DD/MM/YYYY`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CalendarDate(pub Date);

impl FromText for CalendarDate {
    const WANTED: &'static str = "a real calendar date written DD/MM/YYYY";
    const PATTERN: Option<&'static str> = Some(r"^\s*[0-9]{2}/[0-9]{2}/[0-9]{4}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        const OTHER: &str = "text that is not a date";
        let bytes = text.as_bytes();
        let shaped = bytes.len() == 10
            && bytes.iter().enumerate().all(|(at, byte)| match at {
                2 | 5 => *byte == b'/',
                _ => byte.is_ascii_digit(),
            });
        if !shaped {
            return Err(OTHER);
        }
        let number = |from: usize, to: usize| text[from..to].parse::<i16>().map_err(|_| OTHER);
        let (day, month, year) = (number(0, 2)?, number(3, 5)?, number(6, 10)?);
        let part = |value: i16| i8::try_from(value).map_err(|_| OTHER);
        if year == 0 {
            return Err("a date that does not exist");
        }
        Date::new(year, part(month)?, part(day)?).map(CalendarDate).map_err(|_| "a date that does not exist")
    }
}

/// Date of birth: a real day before the day of the request (D21, D25).
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BirthDate(Date);

impl BirthDate {
    /// Year of birth, which alone names nobody.
    pub fn year(self) -> i16 {
        self.reveal().year()
    }

    /// Accepts a date of birth that is before `today`.
    ///
    /// # Errors
    /// If the date is `today` or later. The error text describes the refused date.
    pub fn before(born: Date, today: Date) -> Result<Self, &'static str> {
        if born >= today {
            return Err("a date that is not in the past");
        }
        Ok(BirthDate(born))
    }

    /// Restores a stored date of birth without validation.
    pub const fn kept(born: Date) -> Self {
        BirthDate(born)
    }

    /// The date in plain form.
    pub const fn reveal(self) -> Date {
        self.0
    }

    /// Age in completed years on `on`, a day in Asia/Kolkata (D25).
    pub fn age_on(self, on: Date) -> i16 {
        completed_years(self.0, on)
    }
}

/// Minimum age in days or months. Prints as `91 days`, `1 month`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeastAge {
    /// Days after birth.
    Days(u16),
    /// Calendar months after birth.
    Months(u16),
}

impl LeastAge {
    /// Whether a person born on `born` has this age on the day `on`. If a month is too short for the day
    /// number, its last day counts.
    pub fn is_reached(self, born: BirthDate, on: Date) -> bool {
        let reached = match self {
            LeastAge::Days(days) => days_later(born.0, days),
            LeastAge::Months(months) => born.0.checked_add(i32::from(months).months()).ok(),
        };
        reached.is_some_and(|reached| reached <= on)
    }

    /// The age in days, to compare ages. A year counts as 365 days, and a month as a twelfth of that. Rounded
    /// to the nearest day.
    pub const fn in_days(self) -> u32 {
        match self {
            LeastAge::Days(days) => days as u32,
            LeastAge::Months(months) => (months as u32 * 365 + 6) / 12,
        }
    }

    /// The age in whole years, rounded down.
    pub const fn whole_years(self) -> u16 {
        match self {
            LeastAge::Days(days) => days / 366,
            LeastAge::Months(months) => months / 12,
        }
    }
}

impl std::fmt::Display for LeastAge {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (number, unit) = match self {
            LeastAge::Days(days) => (days, "day"),
            LeastAge::Months(months) => (months, "month"),
        };
        write!(to, "{number} {unit}{}", if *number == 1 { "" } else { "s" })
    }
}

impl std::fmt::Debug for BirthDate {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("BirthDate(…)")
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_person_is_a_year_older_from_the_birthday_on() {
        let born = date(2008, 11, 20);
        assert_eq!(completed_years(born, date(2026, 11, 19)), 17);
        assert_eq!(completed_years(born, date(2026, 11, 20)), 18); // D25
    }

    #[test]
    fn a_person_born_on_29_february_is_a_year_older_on_1_march() {
        let born = date(2008, 2, 29);
        assert_eq!(completed_years(born, date(2026, 2, 28)), 17);
        assert_eq!(completed_years(born, date(2026, 3, 1)), 18);
        assert_eq!(completed_years(born, date(2028, 2, 29)), 20);
    }

    #[test]
    fn a_month_of_cover_is_completed_on_the_day_after_its_last_day() {
        // D53: every day of four years, 29 February and the ends of short months included.
        let months = |from, to| completed_months(from, to);
        assert_eq!(months(date(2026, 11, 20), date(2026, 12, 19)), 0);
        assert_eq!(months(date(2026, 1, 31), date(2026, 2, 28)), 1);
        assert_eq!(months(date(2026, 11, 20), date(2026, 11, 1)), 0);
        assert_eq!(last_day_of_cover(date(2027, 1, 30), 1), Some(date(2027, 2, 27)));
        let mut start = date(2026, 1, 1);
        while start < date(2030, 1, 1) {
            for term in 1..=60 {
                let last = last_day_of_cover(start, term).expect("in range");
                let counted = (months(start, last), months(start, last.tomorrow().expect("in range")));
                assert_eq!(counted, (term - 1, term), "{start}, {term} months");
            }
            start = start.tomorrow().expect("in range");
        }
    }

    #[test]
    fn a_new_day_begins_at_midnight_in_kolkata() {
        let before: Timestamp = "2026-11-20T18:29:59.999Z".parse().expect("an instant");
        let after: Timestamp = "2026-11-20T18:30:00Z".parse().expect("an instant");
        assert_eq!(day_of(before), date(2026, 11, 20));
        assert_eq!(day_of(after), date(2026, 11, 21));
    }

    #[test]
    fn the_last_day_of_cover_is_the_day_before_its_term_is_over() {
        assert_eq!(last_day_of_cover(date(2026, 11, 20), 24), Some(date(2028, 11, 19))); // D53
        assert_eq!(last_day_of_cover(date(2026, 1, 31), 1), Some(date(2026, 2, 27)));
    }

    #[test]
    fn a_minimum_age_in_days_or_months_is_reached_on_the_exact_day() {
        let born = |day| BirthDate::kept(day);
        for (least, of, first) in [
            (LeastAge::Days(91), date(2026, 1, 1), date(2026, 4, 2)),
            (LeastAge::Days(1), date(2026, 1, 1), date(2026, 1, 2)),
            (LeastAge::Months(3), date(2026, 1, 1), date(2026, 4, 1)),
            (LeastAge::Months(3), date(2025, 11, 30), date(2026, 2, 28)),
            (LeastAge::Months(18), date(2024, 2, 29), date(2025, 8, 29)),
        ] {
            assert!(least.is_reached(born(of), first), "{least}");
            assert!(!least.is_reached(born(of), first.yesterday().expect("a day")), "{least}");
        }
        let lengths = [LeastAge::Days(91), LeastAge::Months(3), LeastAge::Months(18)];
        assert_eq!(lengths.map(LeastAge::in_days), [91, 91, 548]);
        assert_eq!(lengths.map(LeastAge::whole_years), [0, 0, 1]);
        assert_eq!(
            [LeastAge::Days(1), LeastAge::Months(2)].map(|age| age.to_string()),
            ["1 day", "2 months"]
        );
    }

    #[test]
    fn a_date_must_be_a_real_day_written_as_dd_mm_yyyy_with_slashes() {
        for good in ["29/02/2024", "31/12/1999"] {
            assert!(CalendarDate::from_text(good).is_ok(), "{good}");
        }
        for bad in [
            "29/02/2023",
            "31/04/2024",
            "00/01/2024",
            "1/1/2024",
            "2024-01-01",
            "01-01-2024",
            "01/01/0000",
            "०१/०१/२०२४",
            "aa/bb/cccc",
        ] {
            assert!(CalendarDate::from_text(bad).is_err(), "{bad}");
        }
    }
}
