//! Tax: the rates of one line of business, each with the days it holds (D23).

use std::sync::Arc;

use domain::date::Date;
use domain::money::TaxRate;

/// The day that the goods and services tax began. From here on every day has one rate.
pub(crate) const GST_BEGAN: Date = Date::constant(2017, 7, 1);

/// A rate and the days it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaxRow {
    /// First day.
    pub(crate) from: Date,
    /// Last day; `None` for ever.
    pub(crate) to: Option<Date>,
    /// The rate.
    pub(crate) rate: TaxRate,
    /// Line in the file.
    pub(crate) line: usize,
}

/// The rates of a line of business, without gap or overlap from [`GST_BEGAN`] on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DatedTax {
    /// The file they stand in.
    pub(crate) file: Arc<str>,
    /// At least one, oldest first.
    pub(crate) rows: Vec<TaxRow>,
}

impl DatedTax {
    /// The row that holds on a day. A day before the first row takes the first.
    pub(crate) fn on(&self, day: Date) -> &TaxRow {
        let begun = self.rows.partition_point(|row| row.from <= day);
        &self.rows[begun.saturating_sub(1)]
    }
}
