//! Illnesses: what the pre-existing diseases that a request names cost, or that they are not covered (D16).

use std::sync::Arc;

use domain::health_quote::{HealthRequest, NotOffered};
use rust_decimal::Decimal;

use crate::illness::Illness;

/// The id that every list of illnesses has: what it does not know counts as this.
pub(crate) const OTHER: &str = "other";

/// What a product says of the illnesses that the catalogue knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct IllnessTerms {
    /// The catalogue's illnesses. Empty where the product says nothing of any.
    pub(crate) known: Arc<[Illness]>,
    /// One for each of them.
    pub(crate) terms: Vec<IllnessTerm>,
    /// The most that all together may ask, in percent.
    pub(crate) most_percent: Option<Decimal>,
}

/// What is said of one illness.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IllnessTerm {
    /// So many percent more; zero for nothing.
    Loaded(Decimal),
    /// Not sold to people who have it.
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

    /// What the illnesses of a request ask together, in percent: each once, and no more than the most.
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

    /// Whether ids name an illness. Ids that the catalogue does not know, and no id at all, name the other one.
    fn is_named(&self, illness: &Illness, ids: &[String]) -> bool {
        let same = |id: &str, illness: &Illness| id.trim().eq_ignore_ascii_case(&illness.id);
        let named = ids.iter().any(|id| same(id, illness));
        let unknown = |id: &String| !self.known.iter().any(|known| same(id, known));
        named || illness.id == OTHER && (ids.is_empty() || ids.iter().any(unknown))
    }
}
