//! How long after a day something may be asked for: days, months or years (D68, D89).

use domain::date::{Date, days_later, months_later};

/// A time after a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// So many days.
    Days(u16),
    /// So many months, by the calendar.
    Months(u16),
}

impl Within {
    /// Its last day: the end of the calendar if that comes first.
    pub(crate) fn last_day(self, from: Date) -> Date {
        let last = match self {
            Within::Days(days) => days_later(from, days),
            Within::Months(months) => months_later(from, months.into()),
        };
        last.unwrap_or(Date::MAX)
    }
}
