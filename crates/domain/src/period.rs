//! Periods of lists, in whole days of Asia/Kolkata (D31, D32).

use jiff::ToSpan;

use crate::date::{Date, Timestamp, start_of_day};
use crate::text::FromText;

/// Limits for the periods of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeriodLimits {
    /// Length of the period in days, if a request gives only one of the two dates.
    pub of_one_date: i32,
    /// Maximum difference in days between the first and the last day.
    pub longest: i32,
}

impl PeriodLimits {
    /// Limits for lists of health records (D31, D32).
    pub const WEEK: PeriodLimits = PeriodLimits { of_one_date: 7, longest: 7 };

    /// Limits for the list of policies: at most 31 days (D67).
    pub const MONTH: PeriodLimits = PeriodLimits { of_one_date: 31, longest: 30 };

    /// Limits for the list of renewals: at most 92 days (D91).
    pub const QUARTER: PeriodLimits = PeriodLimits { of_one_date: 31, longest: 91 };
}

/// Days from `first` to `last`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    pub first: Date,
    pub last: Date,
}

/// Reason why two days are not a valid period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPeriod {
    /// The last day is before the first.
    Reversed,
    /// The period is longer than the list allows.
    TooLong,
    /// The calendar cannot represent the period.
    BeyondTheCalendar,
}

impl Period {
    /// Period from `first` to `last`, both included.
    ///
    /// # Errors
    /// If `last` is before `first`, or the period is too long.
    pub fn between(first: Date, last: Date, limits: PeriodLimits) -> Result<Self, NoPeriod> {
        if last < first {
            return Err(NoPeriod::Reversed);
        }
        match first.checked_add(limits.longest.days()) {
            Ok(furthest) if last > furthest => Err(NoPeriod::TooLong),
            _ => Ok(Period { first, last }),
        }
    }

    /// Period of default length that starts on `first`.
    ///
    /// # Errors
    /// [`NoPeriod::BeyondTheCalendar`] if the calendar cannot represent its last day.
    pub fn from(first: Date, limits: PeriodLimits) -> Result<Self, NoPeriod> {
        let last = first.checked_add((limits.of_one_date - 1).days());
        last.map(|last| Period { first, last }).map_err(|_| NoPeriod::BeyondTheCalendar)
    }

    /// Period of default length that ends on `last`.
    ///
    /// # Errors
    /// [`NoPeriod::BeyondTheCalendar`] if the calendar cannot represent its first day.
    pub fn up_to(last: Date, limits: PeriodLimits) -> Result<Self, NoPeriod> {
        let first = last.checked_sub((limits.of_one_date - 1).days());
        first.map(|first| Period { first, last }).map_err(|_| NoPeriod::BeyondTheCalendar)
    }

    /// Times at which the first day starts and the last day ends (exclusive).
    pub fn instants(self) -> (Timestamp, Timestamp) {
        let over = self.last.tomorrow().ok().and_then(start_of_day).unwrap_or(Timestamp::MAX);
        (start_of_day(self.first).unwrap_or(Timestamp::MIN), over)
    }
}

/// Day in the format of list requests: `YYYY-MM-DD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IsoDate(pub Date);

impl FromText for IsoDate {
    const WANTED: &'static str = "a real calendar date written YYYY-MM-DD";
    const PATTERN: Option<&'static str> = Some(r"^\s*[0-9]{4}-[0-9]{2}-[0-9]{2}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let shaped = text.len() == 10
            && text.bytes().enumerate().all(|(at, byte)| match at {
                4 | 7 => byte == b'-',
                _ => byte.is_ascii_digit(),
            });
        if !shaped {
            return Err("text that is not a date");
        }
        let day = text.parse::<Date>().ok().filter(|day| day.year() > 0);
        day.map(IsoDate).ok_or("a date that does not exist")
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    const WEEK: PeriodLimits = PeriodLimits::WEEK;

    #[test]
    fn the_two_dates_of_a_period_are_at_most_seven_days_apart() {
        let first = date(2028, 2, 25);
        assert_eq!(
            Period::between(first, date(2028, 3, 3), WEEK).map(|days| days.last),
            Ok(date(2028, 3, 3))
        ); // D32
        assert_eq!(Period::between(first, date(2028, 3, 4), WEEK), Err(NoPeriod::TooLong));
        assert_eq!(Period::between(first, date(2028, 2, 24), WEEK), Err(NoPeriod::Reversed));
        assert!(Period::between(first, first, WEEK).is_ok());
    }

    #[test]
    fn a_period_with_only_one_date_has_seven_days() {
        assert_eq!(Period::from(date(2028, 2, 25), WEEK).map(|days| days.last), Ok(date(2028, 3, 2))); // D31
        assert_eq!(Period::up_to(date(2028, 3, 2), WEEK).map(|days| days.first), Ok(date(2028, 2, 25)));
        assert_eq!(Period::from(Date::MAX, WEEK), Err(NoPeriod::BeyondTheCalendar));
    }

    #[test]
    fn a_period_begins_and_ends_at_midnight_in_kolkata() {
        let (begins, over) = Period { first: date(2026, 11, 20), last: date(2026, 11, 20) }.instants();
        assert_eq!(begins.to_string(), "2026-11-19T18:30:00Z"); // D32
        assert_eq!(over.to_string(), "2026-11-20T18:30:00Z");
    }

    #[test]
    fn an_iso_date_must_be_a_real_day_written_as_yyyy_mm_dd() {
        assert_eq!(IsoDate::from_text("2028-02-29"), Ok(IsoDate(date(2028, 2, 29))));
        for bad in [
            "2027-02-29",
            "2026-13-01",
            "2026-1-1",
            "20261120",
            "2026-11-20T00:00",
            "0000-01-01",
            "२०२६-११-२०",
        ] {
            assert!(IsoDate::from_text(bad).is_err(), "{bad}");
        }
    }
}
