//! Periods that start on a day, in which something can be requested (D68, D89).

use domain::date::{Date, days_later, months_later};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    Days(u16),
    /// Number of calendar months.
    Months(u16),
}

impl Within {
    /// Last day of the period. If it is beyond the calendar, the last day of the calendar.
    pub(crate) fn last_day(self, from: Date) -> Date {
        let last = match self {
            Within::Days(days) => days_later(from, days),
            Within::Months(months) => months_later(from, months.into()),
        };
        last.unwrap_or(Date::MAX)
    }
}
