//! Template caches: the templates of each variant's item, kept for every catalogue version that was shown so far.

use std::collections::HashMap;
use std::sync::Arc;

use arc_swap::ArcSwap;
use domain::id::VariantId;
use domain::quote::CatalogueHash;
use rating::Catalogue;

/// Versions whose templates are kept: as many as the service keeps compiled.
const MOST_VERSIONS: usize = 64;

/// The templates of one catalogue version, by variant: in the order of the ids, among which one is found sooner than by a
/// hash that strangers cannot foresee.
pub(crate) struct VariantTemplates<T>(Box<[(VariantId, T)]>);

impl<T> VariantTemplates<T> {
    /// The templates of a variant.
    pub(crate) fn get(&self, variant: VariantId) -> Option<&T> {
        let at = self.0.binary_search_by_key(&variant.uuid(), |(id, _)| id.uuid()).ok()?;
        Some(&self.0[at].1)
    }
}

impl<T> FromIterator<(VariantId, T)> for VariantTemplates<T> {
    fn from_iter<I: IntoIterator<Item = (VariantId, T)>>(templates: I) -> Self {
        let mut templates: Box<[_]> = templates.into_iter().collect();
        templates.sort_by_key(|(id, _)| id.uuid());
        VariantTemplates(templates)
    }
}

/// The templates of every catalogue version that was shown so far. They are read without a lock, which all processors would write.
pub(crate) struct TemplateCache<T>(ArcSwap<HashMap<CatalogueHash, Arc<VariantTemplates<T>>>>);

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
        if let Some(known) = self.0.load().get(&hash) {
            return Arc::clone(known);
        }
        let templates = Arc::new(make(catalogue));
        self.0.rcu(|known| {
            let mut known = if known.len() < MOST_VERSIONS { HashMap::clone(known) } else { HashMap::new() };
            known.insert(hash, templates.clone());
            known
        });
        templates
    }
}
