//! Template caches: the templates of each variant's item, kept for every catalogue version that was shown so far.

use std::ops::Deref;
use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};
use domain::id::VariantId;
use domain::quote::CatalogueHash;
use rating::Catalogue;

/// Versions whose templates are kept: as many as the service keeps compiled.
const MOST_VERSIONS: usize = 64;

/// The templates of one catalogue version, by variant: at the place that the last bits of its id say, or the next free one.
/// Those bits are random where ids were made; where they are not, it takes longer, and is no less right.
pub(crate) struct VariantTemplates<T>(Box<[Option<(VariantId, T)>]>);

impl<T> VariantTemplates<T> {
    /// The templates of a variant.
    #[inline]
    pub(crate) fn get(&self, variant: VariantId) -> Option<&T> {
        let mut place = self.place(variant);
        // There is a free place: there are twice as many as variants.
        while let Some((id, templates)) = &self.0[place] {
            if *id == variant {
                return Some(templates);
            }
            place = (place + 1) % self.0.len();
        }
        None
    }

    fn place(&self, variant: VariantId) -> usize {
        // The number of places is a power of two.
        variant.uuid().as_u128() as usize & (self.0.len() - 1)
    }
}

impl<T> FromIterator<(VariantId, T)> for VariantTemplates<T> {
    fn from_iter<I: IntoIterator<Item = (VariantId, T)>>(templates: I) -> Self {
        let templates: Vec<_> = templates.into_iter().collect();
        let places = (2 * templates.len().max(1)).next_power_of_two();
        let mut made = VariantTemplates(std::iter::repeat_with(|| None).take(places).collect());
        for (id, of_variant) in templates {
            let mut place = made.place(id);
            while made.0[place].is_some() {
                place = (place + 1) % places;
            }
            made.0[place] = Some((id, of_variant));
        }
        made
    }
}

/// The templates of catalogue versions.
type Versions<T> = Vec<(CatalogueHash, Arc<VariantTemplates<T>>)>;

/// The templates of every catalogue version that was shown so far. They are read without a lock or a count, which all
/// processors would write.
pub(crate) struct TemplateCache<T>(ArcSwap<Versions<T>>);

/// The templates of one catalogue version, as they were when they were asked for.
pub(crate) struct Templates<T> {
    known: Guard<Arc<Versions<T>>>,
    at: usize,
}

impl<T> Deref for Templates<T> {
    type Target = VariantTemplates<T>;

    fn deref(&self) -> &VariantTemplates<T> {
        &self.known[self.at].1
    }
}

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
    ) -> Templates<T> {
        let hash = catalogue.hash();
        loop {
            let known = self.0.load();
            if let Some(at) = known.iter().position(|(known, _)| *known == hash) {
                return Templates { known, at };
            }
            let templates = Arc::new(make(catalogue));
            self.0.rcu(|known| {
                let mut known = if known.len() < MOST_VERSIONS { Vec::clone(known) } else { Vec::new() };
                known.push((hash, templates.clone()));
                known
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::id::Uuid;

    use super::*;

    #[test]
    fn every_variant_has_its_own_templates_and_no_other_has_any() {
        for stride in [1, 64, 1 << 80] {
            for length in [0, 1, 19, 64] {
                let id = |number: u128| VariantId::from_uuid(Uuid::from_u128(number * stride));
                let made: VariantTemplates<u128> = (0..length).map(|number| (id(number), number)).collect();
                for number in 0..length {
                    assert_eq!(made.get(id(number)), Some(&number), "{length} of {stride}");
                }
                assert_eq!(made.get(id(length)), None);
            }
        }
    }
}
