//! Tax of a class of cover on each day (D23, D70).

use std::sync::Arc;

use domain::date::Date;
use domain::language::Text;
use domain::money::{Premium, Rupees, TaxRate};
use rust_decimal::Decimal;

use crate::adjustment_kind::{AdjustmentKind, Circumstances};
use crate::explanation::{Journal, Step, StepKind};
use crate::source_location::SourceLocation;

/// First day of the goods and services tax (GST). Every day from then on must have exactly one rate.
pub(crate) const GST_BEGAN: Date = Date::constant(2017, 7, 1);

/// A tax rate for a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaxRow {
    /// First day on which the rate applies.
    pub(crate) from: Date,
    /// Last day on which the rate applies. `None`: the rate has no end.
    pub(crate) to: Option<Date>,
    pub(crate) rate: TaxRate,
    /// Line of the rate in the file.
    pub(crate) line: usize,
}

/// Tax rates of a class of cover. From [`GST_BEGAN`] on, there is no gap and no overlap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DatedTax {
    pub(crate) file: Arc<str>,
    /// Tax rates, oldest first. Never empty.
    pub(crate) rows: Vec<TaxRow>,
}

impl DatedTax {
    /// Tax rate on a day. A day before the first row gets the first row.
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
    /// Step that rounds the total with tax, if any.
    pub(crate) rounding: Option<TotalRounding>,
}

/// Step that rounds the total with tax (D71).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TotalRounding {
    /// The operator's own name for the step, if any.
    pub(crate) name: Option<Text>,
    pub(crate) location: SourceLocation,
}

/// Whether the rates include the tax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InRates {
    /// The rates exclude tax. The tax is added.
    No,
    /// The rates include tax. The customer's price is the same for every tax rate.
    Yes,
    /// The rates include the tax of this day. If cover starts on a day with another tax rate, the old tax is
    /// removed and the new tax is added.
    Of(Date),
}

impl Taxation {
    /// Premium with tax, in whole paise. `None` if an amount exceeds the range of `Rupees`.
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
        journal.record(|| Step {
            kind: StepKind::Tax { tax: premium.gst(), base: premium.base(), in_rates, rate: row.rate },
            location: Some(SourceLocation { file: self.tax.file.clone(), line: row.line }),
            factor: row.rate.to_string(),
            amount: premium.total().to_decimal(),
        });
        match &self.rounding {
            Some(rounding) => rounding.apply(premium, row.rate, journal),
            None => Some(premium),
        }
    }

    /// Removes the tax of the day `day` from an amount that includes it. `None` if the amount exceeds the
    /// range of `Rupees`.
    fn without_tax(&self, amount: Rupees, day: Date, journal: &mut impl Journal) -> Option<Rupees> {
        let row = self.tax.on(day);
        let premium = Premium::tax_included(amount, row.rate)?;
        journal.record(|| Step {
            kind: StepKind::TaxTakenOut { tax: premium.gst(), day },
            location: Some(SourceLocation { file: self.tax.file.clone(), line: row.line }),
            factor: row.rate.to_string(),
            amount: premium.base().to_decimal(),
        });
        Some(premium.base())
    }
}

impl TotalRounding {
    /// Rounds the total of a premium. The base is then calculated from the new total and the tax rate. The
    /// tax is the difference.
    fn apply(&self, premium: Premium, rate: TaxRate, journal: &mut impl Journal) -> Option<Premium> {
        const KIND: AdjustmentKind = AdjustmentKind::RoundTotalToRupee;
        let total = KIND.apply(premium.total().to_decimal(), &Circumstances::NONE)?;
        let rounded = Premium::tax_included(Rupees::nearest(total)?, rate)?;
        journal.record(|| Step {
            kind: StepKind::Adjustment { name: self.name.clone(), kind: KIND },
            location: Some(self.location.clone()),
            factor: format!("{}: {} + {}", KIND.factor(&Circumstances::NONE), rounded.base(), rounded.gst()),
            amount: rounded.total().to_decimal(),
        });
        Some(rounded)
    }
}
