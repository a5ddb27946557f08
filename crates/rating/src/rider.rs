//! Riders: optional benefits in addition to the base cover of credit life (D77).

use std::sync::Arc;

use domain::date::Date;
use domain::money::Rupees;
use rust_decimal::Decimal;

use crate::credit_rates::CreditRates;
use crate::dated_rates::DatedRates;
use crate::explanation::{Journal, Step, StepKind};
use crate::source_location::SourceLocation;

#[derive(Debug, Clone)]
pub(crate) struct Rider {
    /// Id by which requests choose the rider.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) price: RiderPrice,
    /// Path of the product's file in the catalogue.
    pub(crate) file: Arc<str>,
    /// Line of the rider's section in this file.
    pub(crate) line: usize,
}

#[derive(Debug, Clone)]
pub(crate) enum RiderPrice {
    /// Percentage of the base cover's premium before adjustments.
    Percent(Decimal),
    /// Own rates of the rider, by the borrower's age.
    Rates(DatedRates<CreditRates>),
}

impl Rider {
    /// Adds the rider's price to an amount. `rated` is the base cover's premium before adjustments. `facts`
    /// are the basis, the term in months, and the borrower's age. `None` if an amount exceeds the range of
    /// `Decimal`.
    pub(crate) fn add(
        &self,
        amount: Decimal,
        rated: Decimal,
        facts: (Rupees, u32, u16),
        starts: Date,
        journal: &mut impl Journal,
    ) -> Option<Decimal> {
        match &self.price {
            RiderPrice::Rates(rates) => rates.on(starts).add(Some(amount), facts, Some(&self.name), journal),
            RiderPrice::Percent(percent) => {
                let more = rated.checked_mul(percent * Decimal::new(1, 2))?;
                let amount = amount.checked_add(more)?;
                journal.record(|| Step {
                    kind: StepKind::Described(format!("Rider {}", self.name)),
                    location: Some(SourceLocation { file: self.file.clone(), line: self.line }),
                    factor: format!("+{percent} % of the base rate"),
                    amount,
                });
                Some(amount)
            }
        }
    }
}
