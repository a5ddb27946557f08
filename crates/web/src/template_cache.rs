//! Caches the templates of variants for each version of the catalogue.

use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use domain::id::VariantId;
use domain::quote::CatalogueHash;
use foldhash::fast::RandomState;
use rating::Catalogue;

use crate::template::Template;

/// Maximum number of catalogue versions in a cache: as many as the service keeps compiled.
const MOST_VERSIONS: usize = 64;

/// Templates of all variants in one version of the catalogue. The hasher can be weak, because the operator
/// chooses the ids, so strangers cannot make them collide.
pub(crate) type VariantTemplates<T> = HashMap<VariantId, T, RandomState>;

/// JSON templates for a credit-protection variant in a quote.
pub(crate) struct CreditTemplates {
    /// Template of an item with a price.
    pub(crate) priced: Template,
    /// Template of an item without a price.
    pub(crate) not_priced: Template,
}

type Versions<T> = Vec<(CatalogueHash, Arc<VariantTemplates<T>>)>;

/// Templates for each version of the catalogue that was used.
pub(crate) struct TemplateCache<T>(ArcSwap<Versions<T>>);

impl<T> Default for TemplateCache<T> {
    fn default() -> Self {
        TemplateCache(ArcSwap::default())
    }
}

impl<T> TemplateCache<T> {
    /// Templates for this version of the catalogue. Calls `make` if the cache does not have them.
    pub(crate) fn of(
        &self,
        catalogue: &Catalogue,
        make: fn(&Catalogue) -> VariantTemplates<T>,
    ) -> Arc<VariantTemplates<T>> {
        let hash = catalogue.hash();
        if let Some((_, known)) = self.0.load().iter().find(|(known, _)| *known == hash) {
            return known.clone();
        }
        let templates = Arc::new(make(catalogue));
        self.0.rcu(|known| {
            let mut known = if known.len() < MOST_VERSIONS { Vec::clone(known) } else { Vec::new() };
            known.push((hash, templates.clone()));
            known
        });
        templates
    }
}
