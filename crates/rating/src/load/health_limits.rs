//! Reading `eligibility` sections of health: a product's, and what a variant says otherwise.

use std::sync::Arc;

use domain::health_quote::Relation;
use domain::text::FromText;
use toml::de::DeValue;

use crate::between::Between;
use crate::health_limits::HealthLimits;
use crate::parse::document::Section;
use crate::parse::parsed::{Said, between, said};
use crate::parse::values;
use crate::zones::{Zone, Zones};

/// Most adults or children of one policy.
const LARGEST_FAMILY: u32 = 20;

/// Limits as far as sections give them.
#[derive(Debug, Clone, Default)]
pub(crate) struct HealthLimitsRead {
    adult_age: Said<Between<u16>>,
    child_age: Said<Between<u16>>,
    adults: Said<Between<u8>>,
    children: Said<Between<u8>>,
    relations: Said<Vec<Relation>>,
    sold_in: Said<Vec<Zone>>,
}

impl HealthLimitsRead {
    /// What a section says, where there is one. `zones` is `None` where they have faults.
    pub(crate) fn of(section: Option<&Section<'_>>, zones: Option<&Zones>) -> Self {
        let Some(section) = section else { return HealthLimitsRead::default() };
        let age = |value: &DeValue<'_>| values::whole(value, 0, 120).map(|age| age as u16);
        let count = |least| {
            move |value: &DeValue<'_>| values::whole(value, least, LARGEST_FAMILY).map(|count| count as u8)
        };
        let relation = |value: &DeValue<'_>| {
            values::word(value, Relation::WORDS)
                .and_then(|word| Relation::from_text(word).map_err(str::to_owned))
        };
        let zone = |value: &DeValue<'_>| {
            let name = values::text(value)?;
            let zone = zones.and_then(|zones| zones.find(&name));
            zone.ok_or_else(|| format!("names {name:?}, which is no zone of this insurer"))
        };
        // What is said of zones that have faults cannot be judged.
        let sold_in = zones.and_then(|_| section.distinct("zones", zone));
        HealthLimitsRead {
            adult_age: between(section, "adult_age", age),
            child_age: between(section, "child_age", age),
            adults: between(section, "adults", count(1)),
            children: between(section, "children", count(0)),
            relations: said(section, "relations", section.distinct("relations", relation)),
            sold_in: said(section, "zones", sold_in),
        }
    }

    /// These, and where they are silent the others.
    pub(crate) fn or(self, others: HealthLimitsRead) -> Self {
        HealthLimitsRead {
            adult_age: self.adult_age.or(others.adult_age),
            child_age: self.child_age.or(others.child_age),
            adults: self.adults.or(others.adults),
            children: self.children.or(others.children),
            relations: self.relations.or(others.relations),
            sold_in: self.sold_in.or(others.sold_in),
        }
    }

    /// The limits of a variant. What is missing is noted at its section.
    pub(crate) fn finish(self, zones: Option<Arc<Zones>>, variant: &Section<'_>) -> Option<HealthLimits> {
        let adult_age = self.adult_age.required("adult_age", variant);
        let adults = self.adults.required("adults", variant);
        let children = self.children.or_else(|| Between { least: 0, most: 0 });
        let child_age = match children {
            // Whoever is no adult is a child, so that a family with one is told to be too large.
            Some(Between { most: 0, .. }) => self.child_age.or_else(|| Between {
                least: 0,
                most: adult_age.map_or(0, |ages| ages.least.saturating_sub(1)),
            }),
            _ => self.child_age.required("child_age", variant),
        };
        let relations = self.relations.or_else(|| Relation::ALL.to_vec());
        let zones = zones?;
        let sold_in = self.sold_in.or_else(|| zones.all().collect());
        Some(HealthLimits {
            adult_age: adult_age?,
            child_age: child_age?,
            adults: adults?,
            children: children?,
            relations: relations?,
            sold_in: sold_in?,
            zones,
        })
    }
}
