//! Riders: what a customer of credit life may buy beside the base cover (D77).

use std::sync::Arc;

use domain::date::Date;
use domain::money::Rupees;
use rust_decimal::Decimal;

use crate::credit_rates::CreditRates;
use crate::dated_rates::DatedRates;
use crate::explanation::{Journal, Step, StepKind};
use crate::source_location::SourceLocation;

/// A rider of a variant.
#[derive(Debug, Clone)]
pub(crate) struct Rider {
    /// The id by which requests name it.
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) price: RiderPrice,
    /// The product's file.
    pub(crate) file: Arc<str>,
    /// Line of its section.
    pub(crate) line: usize,
}

/// How a rider is priced.
#[derive(Debug, Clone)]
pub(crate) enum RiderPrice {
    /// So many percent of what the rate of the base cover gives.
    Percent(Decimal),
    /// By rates of its own, for the borrower's age.
    Rates(DatedRates<CreditRates>),
}

impl Rider {
    /// An amount with the rider's price. `rated` is what the rate of the base cover gives; the other facts are the basis,
    /// the term in months and the borrower's age. `None` where it exceeds the range of a decimal.
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
