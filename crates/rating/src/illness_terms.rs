//! Illness terms: loading or refusal for each pre-existing disease (D16).

use std::sync::Arc;

use domain::health_quote::{HealthRequest, NotOffered};
use rust_decimal::Decimal;

use crate::illness::Illness;

/// Illness id that every list of illnesses contains. An unknown illness counts as this illness.
pub(crate) const OTHER: &str = "other";

/// What a product charges or refuses for each illness of the catalogue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct IllnessTerms {
    /// Illnesses of the catalogue. Empty if the product has no terms.
    pub(crate) known: Arc<[Illness]>,
    /// Terms in the order of `known`.
    pub(crate) terms: Vec<IllnessTerm>,
    /// Highest sum of all loadings, in percent. `None`: no limit.
    pub(crate) most_percent: Option<Decimal>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IllnessTerm {
    /// Loading in percent. Zero: no loading.
    Loaded(Decimal),
    /// The product is not sold to people who have the illness.
    Refused,
}

impl IllnessTerms {
    /// Whether any illness has a loading.
    pub(crate) fn has_loadings(&self) -> bool {
        self.terms.iter().any(|term| match term {
            IllnessTerm::Loaded(percent) => !percent.is_zero(),
            IllnessTerm::Refused => false,
        })
    }

    /// Sum of the loadings for the illnesses of a request, in percent. Each illness counts once. The sum is
    /// at most `most_percent`.
    ///
    /// # Errors
    /// [`NotOffered::Illness`] if the product refuses one of the illnesses.
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

    /// Whether one of the ids names this illness. Unknown ids, and an empty list of ids, name [`OTHER`].
    fn is_named(&self, illness: &Illness, ids: &[String]) -> bool {
        let same = |id: &str, illness: &Illness| id.trim().eq_ignore_ascii_case(&illness.id);
        let named = ids.iter().any(|id| same(id, illness));
        let unknown = |id: &String| !self.known.iter().any(|known| same(id, known));
        named || illness.id == OTHER && (ids.is_empty() || ids.iter().any(unknown))
    }
}
