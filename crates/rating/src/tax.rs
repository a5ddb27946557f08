//! Tax of a class of cover by day (D23, D70).

use std::sync::Arc;

use domain::date::Date;
use domain::language::Text;
use domain::money::{Premium, Rupees, TaxRate};
use rust_decimal::Decimal;

use crate::adjustment_kind::{AdjustmentKind, Circumstances};
use crate::explanation::{Journal, Step, StepKind};
use crate::source_location::SourceLocation;

/// The day on which the goods and services tax began. Every day from then on has one rate.
pub(crate) const GST_BEGAN: Date = Date::constant(2017, 7, 1);

/// A rate with the days on which it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaxRow {
    /// First day.
    pub(crate) from: Date,
    /// Last day; `None` where it has no end.
    pub(crate) to: Option<Date>,
    pub(crate) rate: TaxRate,
    /// Line in the file.
    pub(crate) line: usize,
}

/// The rates of a class of cover, without gap or overlap from [`GST_BEGAN`] on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DatedTax {
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
    /// The step that rounds the total.
    pub(crate) rounding: Option<TotalRounding>,
}

/// The step that rounds a total with its tax (D71).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TotalRounding {
    /// The operator's name for it.
    pub(crate) name: Option<Text>,
    pub(crate) location: SourceLocation,
}

/// Whether the rates include the tax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InRates {
    /// They do not. The tax is added.
    No,
    /// They do. The customer pays the same whatever the tax is.
    Yes,
    /// They include the tax of this day. On a day with another rate it is taken out and the other one is added.
    Of(Date),
}

impl Taxation {
    /// The premium to the paisa, with the tax taken out of it or added. `None` where it exceeds the range of an amount.
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

    /// The amount without the tax that its rates include, of that day.
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
    /// The premium whose total is rounded. Its base is what the rate of tax makes of the total, and the tax is the rest.
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
