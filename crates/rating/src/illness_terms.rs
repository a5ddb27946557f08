//! Illness terms: the loading or refusal of each pre-existing disease (D16).

use std::sync::Arc;

use domain::health_quote::{HealthRequest, NotOffered};
use rust_decimal::Decimal;

use crate::illness::Illness;

/// The id of an illness that every list has: an unknown illness counts as this one.
pub(crate) const OTHER: &str = "other";

/// The terms of a product for the illnesses of the catalogue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct IllnessTerms {
    /// The catalogue's illnesses. Empty where the product has no terms.
    pub(crate) known: Arc<[Illness]>,
    /// The term of each of them, in the same order.
    pub(crate) terms: Vec<IllnessTerm>,
    /// The highest sum of loadings, in percent.
    pub(crate) most_percent: Option<Decimal>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IllnessTerm {
    /// It costs this percentage more; zero for nothing.
    Loaded(Decimal),
    /// The product is not sold to people who have it.
    Refused,
}

impl IllnessTerms {
    /// Whether some illness costs more.
    pub(crate) fn has_loadings(&self) -> bool {
        self.terms.iter().any(|term| match term {
            IllnessTerm::Loaded(percent) => !percent.is_zero(),
            IllnessTerm::Refused => false,
        })
    }

    /// The loading for the illnesses of a request, in percent. Each illness counts once, up to the highest sum.
    ///
    /// # Errors
    /// [`NotOffered::Illness`] when one of them is refused.
    pub(crate) fn loading(&self, request: &HealthRequest) -> Result<Decimal, NotOffered> {
        if !request.has_ped {
            return Ok(Decimal::ZERO);
        }
        let mut sum = Decimal::ZERO;
        for (illness, term) in self.known.iter().zip(&self.terms) {
            if !self.is_named(illness, &request.selected_peds) {
                continue;
            }
            match term {
                IllnessTerm::Loaded(percent) => sum += percent,
                IllnessTerm::Refused => return Err(NotOffered::Illness),
            }
        }
        Ok(self.most_percent.map_or(sum, |most| sum.min(most)))
    }

    /// Whether ids name an illness. Ids that the catalogue does not know name [`OTHER`], as does no id at all.
    fn is_named(&self, illness: &Illness, ids: &[String]) -> bool {
        let same = |id: &str, illness: &Illness| id.trim().eq_ignore_ascii_case(&illness.id);
        let named = ids.iter().any(|id| same(id, illness));
        let unknown = |id: &String| !self.known.iter().any(|known| same(id, known));
        named || illness.id == OTHER && (ids.is_empty() || ids.iter().any(unknown))
    }
}
