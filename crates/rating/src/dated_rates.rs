//! Rates that begin on a date: the tables of a price, one after the other (D73).

use domain::date::Date;

/// Rates with the days from which they hold, by the day on which cover starts.
#[derive(Debug, Clone)]
pub(crate) struct DatedRates<R> {
    /// First days, at least one, in rising order.
    rows: Vec<(Date, R)>,
}

impl<R> DatedRates<R> {
    /// Rates that hold on every day.
    pub(crate) fn always(rates: R) -> Self {
        DatedRates { rows: vec![(Date::MIN, rates)] }
    }

    /// Rates with their first days in rising order; `None` where there are none.
    pub(crate) fn of(rows: Vec<(Date, R)>) -> Option<Self> {
        (!rows.is_empty()).then_some(DatedRates { rows })
    }

    /// The rates for cover that starts on a day. A day before the first row takes the first.
    pub(crate) fn on(&self, starts: Date) -> &R {
        let begun = self.rows.partition_point(|(from, _)| *from <= starts);
        &self.rows[begun.saturating_sub(1)].1
    }

    /// Every row's rates, oldest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &R> {
        self.rows.iter().map(|(_, rates)| rates)
    }
}
