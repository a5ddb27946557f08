//! Tax: the rates of one line of business, each with the days it holds (D23).

use std::sync::Arc;

use domain::date::Date;
use domain::money::{Premium, Rupees, TaxRate};
use rust_decimal::Decimal;

use crate::explanation::{Journal, Place, Step, What};

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

/// How an amount is taxed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taxation {
    pub(crate) tax: Arc<DatedTax>,
    pub(crate) rates: InRates,
}

/// Whether the tax is in the rates already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InRates {
    /// It is added.
    No,
    /// It is; the customer pays the same whatever the tax is.
    Yes,
    /// That of this day is. On a day of another rate it comes out, and that day's is added.
    Of(Date),
}

impl Taxation {
    /// The premium to the paisa, its tax split off or added. `None` beyond what can be counted.
    pub(crate) fn premium(&self, amount: Decimal, on: Date, journal: &mut impl Journal) -> Option<Premium> {
        let row = self.tax.on(on);
        let amount = Rupees::nearest(amount)?;
        let (premium, in_rates) = match self.rates {
            InRates::No => (Premium::with_tax(amount, row.rate)?, false),
            InRates::Of(day) if self.tax.on(day).rate != row.rate => {
                let base = self.without_tax(amount, day, journal)?;
                (Premium::with_tax(base, row.rate)?, false)
            }
            InRates::Yes | InRates::Of(_) => (Premium::tax_included(amount, row.rate)?, true),
        };
        journal.note(|| Step {
            what: What::Tax { tax: premium.gst(), base: premium.base(), in_rates, rate: row.rate },
            place: Some(Place { file: self.tax.file.clone(), line: row.line }),
            factor: format!("{} %", row.rate.as_percent()),
            amount: premium.total().to_decimal(),
        });
        Some(premium)
    }

    /// What is left of an amount without the tax of the day that its rates are of.
    fn without_tax(&self, amount: Rupees, day: Date, journal: &mut impl Journal) -> Option<Rupees> {
        let row = self.tax.on(day);
        let premium = Premium::tax_included(amount, row.rate)?;
        journal.note(|| Step {
            what: What::TaxTakenOut { tax: premium.gst(), day },
            place: Some(Place { file: self.tax.file.clone(), line: row.line }),
            factor: format!("{} %", row.rate.as_percent()),
            amount: premium.base().to_decimal(),
        });
        Some(premium.base())
    }
}
