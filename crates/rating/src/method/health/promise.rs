//! Combinations of zone, family and deductible that a variant offers.

use domain::health_quote::PlanType;
use domain::money::Rupees;

use super::key::{Key, KeyColumns};
use crate::health_limits::HealthLimits;

/// What a variant offers. Each combination must have a rate.
pub(crate) struct Promise<'p> {
    pub(crate) plan: PlanType,
    pub(crate) limits: &'p HealthLimits,
    pub(crate) sums_insured: &'p [Rupees],
    pub(crate) deductibles: &'p [Rupees],
}

impl Promise<'_> {
    /// All keys that a rate sheet with these columns must have.
    pub(super) fn keys(&self, columns: KeyColumns) -> Vec<Key> {
        let zones = values_of(columns.zone, self.limits.sold_in.iter().copied());
        let families = values_of(columns.family, self.limits.sizes());
        let deductibles = values_of(columns.deductible, self.deductibles.iter().copied());
        let mut keys = Vec::new();
        for zone in zones {
            for family in &families {
                keys.extend(deductibles.iter().map(|deductible| Key {
                    zone,
                    family: *family,
                    deductible: *deductible,
                }));
            }
        }
        keys
    }
}

/// Values that the variant offers for a key column. A single `None` if the sheet has no such column.
fn values_of<T>(has: bool, values: impl Iterator<Item = T>) -> Vec<Option<T>> {
    if has { values.map(Some).collect() } else { vec![None] }
}
