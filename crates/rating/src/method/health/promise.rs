//! Promises: the combinations that a variant offers, each of which must have a rate.

use domain::health_quote::PlanType;
use domain::money::Rupees;

use super::key::{Key, KeyColumns};
use crate::health_limits::HealthLimits;

/// What a variant promises to offer: each combination must have a rate.
pub(crate) struct Promise<'p> {
    pub(crate) plan: PlanType,
    pub(crate) limits: &'p HealthLimits,
    pub(crate) sums_insured: &'p [Rupees],
    pub(crate) deductibles: &'p [Rupees],
}

impl Promise<'_> {
    /// Every key that a sheet with such columns must have.
    pub(super) fn keys(&self, columns: KeyColumns) -> Vec<Key> {
        let zones = told_apart(columns.zone, self.limits.sold_in.iter().copied());
        let families = told_apart(columns.family, self.limits.sizes());
        let deductibles = told_apart(columns.deductible, self.deductibles.iter().copied());
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

/// The values of a column, or one `None` where the sheet does not tell them apart.
fn told_apart<T>(has: bool, values: impl Iterator<Item = T>) -> Vec<Option<T>> {
    if has { values.map(Some).collect() } else { vec![None] }
}
