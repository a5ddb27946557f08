//! Rates of credit life: a rating method with its table.

use std::sync::Arc;

use domain::money::Rupees;
use rust_decimal::Decimal;

use crate::explanation::{Journal, Step, StepKind};
use crate::method::credit_life::Method;
use crate::source_location::SourceLocation;

/// Rating method for credit life, with its table.
#[derive(Debug, Clone)]
pub(crate) struct CreditRates {
    pub(crate) method: Method,
    /// Name of the rate table: its path in the catalogue, for a workbook also the sheet.
    pub(crate) table: Arc<str>,
}

impl CreditRates {
    /// Multiplies the basis by the rate for an age and a term in months. Adds the result to `before`, if
    /// given. `rider` is the rider's name if the rate is for a rider.
    pub(crate) fn add(
        &self,
        before: Option<Decimal>,
        (basis, months, age): (Rupees, u32, u16),
        rider: Option<&str>,
        journal: &mut impl Journal,
    ) -> Option<Decimal> {
        if basis.is_beyond_counting() {
            return None;
        }
        let rate = self.method.find(age, months);
        let rate = rate.expect("every age and term within the limits has a rate: checked when loaded");
        let rated = basis.to_decimal().checked_mul(rate.per_rupee)?;
        let amount = before.map_or(Some(rated), |before| before.checked_add(rated))?;
        journal.record(|| {
            let described = self.method.describe(rate);
            let location = SourceLocation { file: self.table.clone(), line: described.line };
            let words = match rider {
                Some(name) => format!("Rider {name}. {}", described.words),
                None => described.words,
            };
            Step {
                kind: StepKind::Described(words),
                location: Some(location),
                factor: described.factor,
                amount,
            }
        });
        Some(amount)
    }
}
