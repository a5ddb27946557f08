//! Facts from other files that are needed to parse a product's file.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::by_class::ByClass;
use super::health_lists::HealthLists;
use super::taxes::Taxes;
use super::zones;
use crate::cancellation::CancellationRules;
use crate::claims::ClaimRules;
use crate::endorsements::EndorsementRules;
use crate::insurer::Insurer;
use crate::parse::ids::Ids;
use crate::parse::source_files::SourceFiles;
use crate::product::Product;
use crate::renewals::RenewalRules;
use crate::tax::DatedTax;
use crate::zones::Zones;

/// Facts from other files that are needed to parse a product's file.
pub(crate) struct ProductContext<'c> {
    pub(crate) sources: &'c SourceFiles<'c>,
    pub(crate) ids: &'c Ids,
    pub(crate) taxes: Option<&'c Taxes>,
    pub(crate) health_lists: &'c HealthLists,
    pub(crate) cancellation: &'c ByClass<CancellationRules>,
    pub(crate) claims: &'c ByClass<ClaimRules>,
    pub(crate) endorsements: &'c ByClass<EndorsementRules>,
    pub(crate) renewals: &'c ByClass<RenewalRules>,
    /// Zones of each zone file that was parsed, by path. `None`: the file has faults.
    pub(crate) zones: &'c RefCell<BTreeMap<String, Option<Arc<Zones>>>>,
    /// Insurer of the product. `None`: the insurer's file has faults.
    pub(crate) insurer: Option<Arc<Insurer>>,
}

impl ProductContext<'_> {
    /// Tax rates of a product's class of cover. `None` if the product or the rows of `[[tax]]` have faults.
    pub(crate) fn tax(&self, product: Option<&Arc<Product>>) -> Option<Arc<DatedTax>> {
        self.taxes?.get(&product?.tax_class()).cloned()
    }

    /// Zones for a product. `product` is the path of the product's file.
    pub(crate) fn zones(&self, product: &str) -> Option<Arc<Zones>> {
        let path = zones::path(product, self.sources);
        let known = self.zones.borrow().get(&path).cloned();
        known.unwrap_or_else(|| {
            let zones = zones::parse(&path, self.sources).map(Arc::new);
            self.zones.borrow_mut().insert(path, zones.clone());
            zones
        })
    }
}
