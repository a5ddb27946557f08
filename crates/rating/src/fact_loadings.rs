//! Loadings for facts about the insured: instalments, occupations, tobacco (D74).

use domain::health_quote::NotOffered;
use domain::person::Occupation;
use rust_decimal::Decimal;

use crate::health_facts::{HealthFacts, Instalments};

/// Loadings of a price for facts about the insured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FactLoadings {
    /// Allowed instalments, each with its loading in percent.
    pub(crate) instalments: Vec<(Instalments, Decimal)>,
    /// Occupations that have a loading, each with its loading in percent.
    pub(crate) occupations: Vec<(Occupation, Decimal)>,
    /// Loading for tobacco, in percent. Zero: no loading.
    pub(crate) tobacco: Decimal,
}

/// Loadings that apply to a family, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FactPercents {
    pub(crate) instalments: Decimal,
    /// Highest loading among the occupations in the family.
    pub(crate) occupation: Decimal,
    pub(crate) tobacco: Decimal,
}

impl FactLoadings {
    /// Loadings for one person, in percent. Use `None` for an unknown occupation; it has no loading.
    pub(crate) fn of_person(&self, occupation: Option<Occupation>, tobacco: bool) -> FactPercents {
        let loaded = self.occupations.iter().find(|(loaded, _)| Some(*loaded) == occupation);
        FactPercents {
            instalments: Decimal::ZERO,
            occupation: loaded.map(|(_, percent)| *percent).unwrap_or_default(),
            tobacco: if tobacco { self.tobacco } else { Decimal::ZERO },
        }
    }

    /// Loadings for the facts of a family, in percent.
    ///
    /// # Errors
    /// [`NotOffered::InsurerRefused`] if the plan is not sold with these instalments.
    pub(crate) fn of(&self, facts: &HealthFacts) -> Result<FactPercents, NotOffered> {
        let instalments = match facts.instalments {
            None => Decimal::ZERO,
            Some(asked) => {
                let offered = self.instalments.iter().find(|(offered, _)| *offered == asked);
                offered.map(|(_, percent)| *percent).ok_or_else(|| not_sold_in(asked))?
            }
        };
        let loaded = self.occupations.iter().filter(|(loaded, _)| facts.occupations.contains(loaded));
        let occupation = loaded.map(|(_, percent)| *percent).max().unwrap_or_default();
        let tobacco = if facts.tobacco { self.tobacco } else { Decimal::ZERO };
        Ok(FactPercents { instalments, occupation, tobacco })
    }
}

/// Refusal of the requested instalments. API requests never cause it, because they cannot choose instalments.
fn not_sold_in(asked: Instalments) -> NotOffered {
    NotOffered::InsurerRefused(format!("This plan is not sold in {asked} instalments."))
}
