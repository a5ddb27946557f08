//! Loadings by facts of who is insured: instalments, occupations, tobacco (D74).

use domain::health_quote::NotOffered;
use domain::person::Occupation;
use rust_decimal::Decimal;

use crate::health_facts::{HealthFacts, Instalments};

/// The loadings of a price.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FactLoadings {
    /// The instalments that it is sold in, each with its loading in percent.
    pub(crate) instalments: Vec<(Instalments, Decimal)>,
    /// The occupations that cost more, each with its loading in percent.
    pub(crate) occupations: Vec<(Occupation, Decimal)>,
    /// The loading for tobacco, in percent; zero for none.
    pub(crate) tobacco: Decimal,
}

/// The loadings that hold for a family, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FactPercents {
    pub(crate) instalments: Decimal,
    /// The highest of all occupations in the family.
    pub(crate) occupation: Decimal,
    pub(crate) tobacco: Decimal,
}

impl FactLoadings {
    /// The loadings for one person of an occupation that may be unknown, who may use tobacco.
    pub(crate) fn of_person(&self, occupation: Option<Occupation>, tobacco: bool) -> FactPercents {
        let loaded = self.occupations.iter().find(|(loaded, _)| Some(*loaded) == occupation);
        FactPercents {
            instalments: Decimal::ZERO,
            occupation: loaded.map(|(_, percent)| *percent).unwrap_or_default(),
            tobacco: if tobacco { self.tobacco } else { Decimal::ZERO },
        }
    }

    /// The loadings for the facts of a family.
    ///
    /// # Errors
    /// Instalments that it is not sold in.
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

/// The reason of a variant that is not sold in such instalments. No request of the API asks for them.
fn not_sold_in(asked: Instalments) -> NotOffered {
    NotOffered::InsurerRefused(format!("This plan is not sold in {asked} instalments."))
}
