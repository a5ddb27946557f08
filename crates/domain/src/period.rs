//! Periods: whole days in Asia/Kolkata that lists are asked for (D31, D32).

use jiff::ToSpan;

use crate::date::{Date, Timestamp, start_of_day};
use crate::text::FromText;

/// How long the periods of a list may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeriodLimits {
    /// Days that one date alone stands for, itself included.
    pub of_one_date: i32,
    /// The most that the last day may lie behind the first, in days.
    pub longest: i32,
}

impl PeriodLimits {
    /// Those of the lists of health records (D31, D32).
    pub const WEEK: PeriodLimits = PeriodLimits { of_one_date: 7, longest: 7 };

    /// Those of the list of policies: 31 days, both included (D67).
    pub const MONTH: PeriodLimits = PeriodLimits { of_one_date: 31, longest: 30 };

    /// Those of the list of renewals: 92 days, both included (D91).
    pub const QUARTER: PeriodLimits = PeriodLimits { of_one_date: 31, longest: 91 };
}

/// Days from a first to a last one, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period {
    /// First day.
    pub first: Date,
    /// Last day.
    pub last: Date,
}

/// Why two days are no period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPeriod {
    /// The last day lies before the first.
    Reversed,
    /// The last day lies further behind the first than the list allows.
    TooLong,
    /// The period would leave the calendar.
    BeyondTheCalendar,
}

impl Period {
    /// The days between two, both included.
    ///
    /// # Errors
    /// Why they are no period.
    pub fn between(first: Date, last: Date, limits: PeriodLimits) -> Result<Self, NoPeriod> {
        if last < first {
            return Err(NoPeriod::Reversed);
        }
        match first.checked_add(limits.longest.days()) {
            Ok(furthest) if last > furthest => Err(NoPeriod::TooLong),
            _ => Ok(Period { first, last }),
        }
    }

    /// The days that one stands for as the first.
    ///
    /// # Errors
    /// [`NoPeriod::BeyondTheCalendar`].
    pub fn from(first: Date, limits: PeriodLimits) -> Result<Self, NoPeriod> {
        let last = first.checked_add((limits.of_one_date - 1).days());
        last.map(|last| Period { first, last }).map_err(|_| NoPeriod::BeyondTheCalendar)
    }

    /// The days that one stands for as the last.
    ///
    /// # Errors
    /// [`NoPeriod::BeyondTheCalendar`].
    pub fn up_to(last: Date, limits: PeriodLimits) -> Result<Self, NoPeriod> {
        let first = last.checked_sub((limits.of_one_date - 1).days());
        first.map(|first| Period { first, last }).map_err(|_| NoPeriod::BeyondTheCalendar)
    }

    /// The instant at which it begins, and the one at which it is over.
    pub fn instants(self) -> (Timestamp, Timestamp) {
        let over = self.last.tomorrow().ok().and_then(start_of_day).unwrap_or(Timestamp::MAX);
        (start_of_day(self.first).unwrap_or(Timestamp::MIN), over)
    }
}

/// A day as lists are asked for it: `YYYY-MM-DD`.
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
            return Err("text that is not such a date");
        }
        let day = text.parse::<Date>().ok().filter(|day| day.year() > 0);
        day.map(IsoDate).ok_or("a date that no calendar has")
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    const WEEK: PeriodLimits = PeriodLimits::WEEK;

    #[test]
    fn a_period_is_at_most_seven_days_wide() {
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
    fn one_date_alone_stands_for_seven_days() {
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
    fn an_iso_date_is_a_real_day() {
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
