//! What the answers of one catalogue version have in common: the JSON of each variant's items, with gaps.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use domain::health_quote::{HealthOffer, HealthQuote};
use domain::id::VariantId;
use domain::quote::CatalogueHash;
use rating::Catalogue;

use super::{embedded_quote, health_quote, recommendation};
use crate::error::Problem;
use crate::template::Template;

/// Versions whose forms are kept: as many as the service keeps compiled.
const MOST_VERSIONS: usize = 64;

/// The forms of a catalogue version.
pub(crate) struct Forms {
    credit: HashMap<VariantId, CreditForms>,
    health: HashMap<VariantId, HealthForms>,
}

/// The shapes that a credit-protection variant's item has.
pub(crate) struct CreditForms {
    /// With a price.
    pub(super) priced: Template,
    /// Without one.
    pub(super) not_priced: Template,
}

/// The shapes that a health variant's item has.
pub(crate) struct HealthForms {
    /// In a stored quote.
    pub(super) stored: Template,
    /// In a recommendation.
    pub(super) recommended: Template,
}

impl Forms {
    fn of(catalogue: &Catalogue) -> Self {
        let credit = catalogue.all_credit_variants().iter();
        let health = catalogue.all_health_variants().iter();
        Forms {
            credit: credit.map(|variant| (variant.id, embedded_quote::forms(variant))).collect(),
            health: health
                .map(|variant| {
                    let (stored, recommended) = (health_quote::form(variant), recommendation::form(variant));
                    (variant.id, HealthForms { stored, recommended })
                })
                .collect(),
        }
    }

    /// Those of a credit-protection variant that this version priced.
    pub(super) fn credit(&self, id: VariantId) -> &CreditForms {
        &self.credit[&id]
    }

    /// What a kept quote offers, in the order of the answer.
    ///
    /// # Errors
    /// For a variant that its catalogue version does not have.
    pub(super) fn offers<'a>(&'a self, quote: &'a HealthQuote) -> Result<Vec<Offer<'a>>, Problem> {
        let missing = |id| Problem::unexpected(format!("variant {id} is not in its catalogue version"));
        let offers = quote.offers().into_iter().map(|(place, id, offer)| {
            let forms = self.health.get(&id).ok_or_else(|| missing(id))?;
            Ok(Offer { place, forms, offer })
        });
        offers.collect()
    }
}

/// What a health variant offers in a quote.
pub(super) struct Offer<'a> {
    /// Its place among all variants of the quote.
    pub(super) place: usize,
    pub(super) forms: &'a HealthForms,
    pub(super) offer: &'a HealthOffer,
}

/// The forms of every catalogue version that was shown so far.
#[derive(Default)]
pub(crate) struct KnownForms(RwLock<HashMap<CatalogueHash, Arc<Forms>>>);

impl KnownForms {
    /// Those of a catalogue version.
    pub(crate) fn of(&self, catalogue: &Catalogue) -> Arc<Forms> {
        let hash = catalogue.hash();
        if let Some(known) = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&hash) {
            return Arc::clone(known);
        }
        let forms = Arc::new(Forms::of(catalogue));
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST_VERSIONS {
            known.clear();
        }
        known.insert(hash, forms.clone());
        forms
    }
}
