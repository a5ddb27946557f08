//! Template caches: the templates of each variant's item, kept for every catalogue version that was shown so far.

use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use domain::id::VariantId;
use domain::quote::CatalogueHash;
use foldhash::fast::RandomState;
use rating::Catalogue;

use crate::template::Template;

/// Versions whose templates are kept: as many as the service keeps compiled.
const MOST_VERSIONS: usize = 64;

/// The templates of one catalogue version, by variant. The operator chooses the ids of variants, so that a stranger cannot make them
/// collide.
pub(crate) type VariantTemplates<T> = HashMap<VariantId, T, RandomState>;

/// The templates of a credit-protection variant's item.
pub(crate) struct CreditTemplates {
    /// With a price.
    pub(crate) priced: Template,
    /// Without one.
    pub(crate) not_priced: Template,
}

type Versions<T> = Vec<(CatalogueHash, Arc<VariantTemplates<T>>)>;

/// The templates of every catalogue version that was shown so far.
pub(crate) struct TemplateCache<T>(ArcSwap<Versions<T>>);

impl<T> Default for TemplateCache<T> {
    fn default() -> Self {
        TemplateCache(ArcSwap::default())
    }
}

impl<T> TemplateCache<T> {
    /// Those of a catalogue version. `make` makes them, where they are not yet known.
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
