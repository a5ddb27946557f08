//! Queries for a rate in a rate sheet.

use domain::money::Rupees;
use rust_decimal::Decimal;

use super::key::Key;
use super::rate_sheet::{Rate, RateSheet};
use crate::explanation::{Journal, RateSubject, Step, StepKind};
use crate::family::Family;
use crate::source_location::SourceLocation;
use crate::zones::Zone;

/// Facts that decide a rate, in addition to the age.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RateQuery<'r> {
    pub(crate) family: Family<'r>,
    pub(crate) zone: Zone,
    pub(crate) sum_insured: Rupees,
    pub(crate) deductible: Rupees,
}

impl RateQuery<'_> {
    fn key(&self) -> Key {
        Key { zone: Some(self.zone), family: Some(self.family.size), deductible: Some(self.deductible) }
    }

    /// Adds the rate for an age to an amount. `subject` is the person or family to whom the rate applies.
    pub(super) fn add(
        &self,
        amount: Decimal,
        sheet: &RateSheet,
        age: u16,
        subject: RateSubject,
        journal: &mut impl Journal,
    ) -> Decimal {
        let rate = sheet.find(self.key(), age, self.sum_insured);
        let rate = rate.expect("every rate that is promised is there: checked when loaded");
        let amount = amount + rate.amount.to_decimal();
        journal.record(|| {
            let Rate { ages, line, amount: rate, .. } = rate;
            Step {
                kind: StepKind::Rate { subject, ages, sum_insured: self.sum_insured, rate },
                location: Some(SourceLocation { file: sheet.file.clone(), line }),
                factor: format!("+{rate} a year"),
                amount,
            }
        });
        amount
    }
}
