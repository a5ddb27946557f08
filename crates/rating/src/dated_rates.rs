//! Rates that change on fixed days (D73).

use std::sync::Arc;

use domain::date::Date;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

/// Rates by the first day of cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DatedRates<R> {
    /// Rates with the first day on which they apply, oldest first. Never empty.
    rows: Vec<(Date, R)>,
}

impl<R> DatedRates<R> {
    /// Rates that apply on every day.
    pub(crate) fn always(rates: R) -> Self {
        DatedRates { rows: vec![(Date::MIN, rates)] }
    }

    /// Builds the rates from rows, which must be sorted by first day. `None` if there are no rows.
    pub(crate) fn of(rows: Vec<(Date, R)>) -> Option<Self> {
        (!rows.is_empty()).then_some(DatedRates { rows })
    }

    /// Rates for cover that starts on a day. A day before the first row gets the rates of the first row.
    pub(crate) fn on(&self, starts: Date) -> &R {
        let begun = self.rows.partition_point(|(from, _)| *from <= starts);
        &self.rows[begun.saturating_sub(1)].1
    }

    /// Rates of all rows, oldest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = &R> {
        self.rows.iter().map(|(_, rates)| rates)
    }
}

/// Interest on what an insurer pays late, in hundredths of a percent a year, by the day of the request or notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LateInterest(Arc<DatedRates<u32>>);

impl LateInterest {
    pub(crate) fn of(rates: DatedRates<u32>) -> Self {
        LateInterest(Arc::new(rates))
    }

    /// The same rate on every day, in percent.
    pub(crate) fn always(percent: Decimal) -> Self {
        LateInterest::of(DatedRates::always(hundredths(percent)))
    }

    /// Rate for a request or notice on a day.
    pub fn on(&self, day: Date) -> u32 {
        *self.0.on(day)
    }
}

/// A percentage in hundredths of a percent.
pub(crate) fn hundredths(percent: Decimal) -> u32 {
    (percent * Decimal::ONE_HUNDRED).round().to_u32().unwrap_or_default()
}

/// No interest.
impl Default for LateInterest {
    fn default() -> Self {
        LateInterest::of(DatedRates::always(0))
    }
}
