//! The facts from other files that the parser of a product's file needs.

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

/// The facts from other files that a product's file is parsed with.
pub(crate) struct ProductContext<'c> {
    pub(crate) sources: &'c SourceFiles<'c>,
    pub(crate) ids: &'c Ids,
    pub(crate) taxes: Option<&'c Taxes>,
    pub(crate) health_lists: &'c HealthLists,
    pub(crate) cancellation: &'c ByClass<CancellationRules>,
    pub(crate) claims: &'c ByClass<ClaimRules>,
    pub(crate) endorsements: &'c ByClass<EndorsementRules>,
    pub(crate) renewals: &'c ByClass<RenewalRules>,
    /// The zones of each file that was parsed, by its path; `None` for a file with faults.
    pub(crate) zones: &'c RefCell<BTreeMap<String, Option<Arc<Zones>>>>,
    /// The product's insurer; `None` where the insurer's file has faults.
    pub(crate) insurer: Option<Arc<Insurer>>,
}

impl ProductContext<'_> {
    /// The tax of a product's class of cover. `None` where the product or the rows of tax have faults.
    pub(crate) fn tax(&self, product: Option<&Arc<Product>>) -> Option<Arc<DatedTax>> {
        self.taxes?.get(&product?.tax_class()).cloned()
    }

    /// The zones that hold for a product's file.
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
