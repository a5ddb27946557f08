//! Queries for a rate: what a family asks for, answered from a sheet.

use domain::money::Rupees;
use rust_decimal::Decimal;

use super::key::Key;
use super::rate_sheet::{Rate, RateSheet};
use crate::explanation::{Journal, Place, Step, What, Whose};
use crate::family::Family;
use crate::zones::Zone;

/// What a rate is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'r> {
    pub(crate) family: Family<'r>,
    pub(crate) zone: Zone,
    pub(crate) sum_insured: Rupees,
    pub(crate) deductible: Rupees,
}

impl Asked<'_> {
    fn key(&self) -> Key {
        Key { zone: Some(self.zone), family: Some(self.family.size), deductible: Some(self.deductible) }
    }

    /// The rate of one age, added to an amount. `whose` is whom the rate is for.
    pub(super) fn add(
        &self,
        amount: Decimal,
        sheet: &RateSheet,
        age: u16,
        whose: Whose,
        journal: &mut impl Journal,
    ) -> Decimal {
        let rate = sheet.find(self.key(), age, self.sum_insured);
        let rate = rate.expect("every rate that is promised is there: judged when loaded");
        let amount = amount + rate.amount.to_decimal();
        journal.note(|| {
            let Rate { ages, line, amount: rate, .. } = rate;
            Step {
                what: What::Rate { whose, ages, sum_insured: self.sum_insured, rate },
                place: Some(Place { file: sheet.file.clone(), line }),
                factor: format!("+{rate} a year"),
                amount,
            }
        });
        amount
    }
}
