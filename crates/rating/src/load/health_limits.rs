//! Parses the `eligibility` sections of health products and variants.

use std::sync::Arc;

use domain::health_quote::Relation;
use domain::text::FromText;
use toml::de::DeValue;

use crate::between::Between;
use crate::health_limits::HealthLimits;
use crate::parse::ages::{Ages, ages};
use crate::parse::document::Section;
use crate::parse::parsed::{Parsed, between};
use crate::parse::values;
use crate::zones::{Zone, Zones};

/// Most adults on one policy. Also the most children.
const LARGEST_FAMILY: u32 = 20;

/// Limits of one section. Keys may be absent or invalid.
#[derive(Debug, Clone, Default)]
pub(crate) struct ParsedHealthLimits {
    adult_age: Parsed<Between<u16>>,
    renewal_age: Parsed<u16>,
    child_age: Parsed<Ages>,
    adults: Parsed<Between<u8>>,
    children: Parsed<Between<u8>>,
    relations: Parsed<Vec<Relation>>,
    sold_in: Parsed<Vec<Zone>>,
}

impl ParsedHealthLimits {
    /// Parses an `eligibility` section. Without a section, all limits are absent. Pass `None` as `zones` if
    /// the zones have faults.
    pub(crate) fn of(section: Option<&Section<'_>>, zones: Option<&Zones>) -> Self {
        let Some(section) = section else { return ParsedHealthLimits::default() };
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
            zone.ok_or_else(|| format!("names {name:?}, which is not a zone of this insurer"))
        };
        // Names of zones are not checked if the zones have faults.
        let sold_in = zones.and_then(|_| section.distinct("zones", zone));
        ParsedHealthLimits {
            adult_age: between(section, "adult_age", age),
            renewal_age: Parsed::of(section, "renewal_age", section.optional("renewal_age", age)),
            child_age: ages(section, "child_age"),
            adults: between(section, "adults", count(1)),
            children: between(section, "children", count(0)),
            relations: Parsed::of(section, "relations", section.distinct("relations", relation)),
            sold_in: Parsed::of(section, "zones", sold_in),
        }
    }

    /// Takes limits that are absent here from `others`.
    pub(crate) fn or(self, others: ParsedHealthLimits) -> Self {
        ParsedHealthLimits {
            adult_age: self.adult_age.or(others.adult_age),
            renewal_age: self.renewal_age.or(others.renewal_age),
            child_age: self.child_age.or(others.child_age),
            adults: self.adults.or(others.adults),
            children: self.children.or(others.children),
            relations: self.relations.or(others.relations),
            sold_in: self.sold_in.or(others.sold_in),
        }
    }

    /// Completes the limits of a variant. Reports a limit that neither the variant nor its product has.
    pub(crate) fn finish(self, zones: Option<Arc<Zones>>, variant: &Section<'_>) -> Option<HealthLimits> {
        let adult_age = self.adult_age.required("adult_age", variant);
        let oldest = adult_age.map_or(0, |ages| ages.most);
        let renewal_age = self.renewal_age.or_default(|| oldest);
        if renewal_age.is_some_and(|age| age < oldest) {
            variant.report("renewal_age", "`renewal_age` is below the highest age at entry.");
        }
        let adults = self.adults.required("adults", variant);
        let children = self.children.or_default(|| Between { least: 0, most: 0 });
        let child_age = match children {
            // Anyone below the adult age counts as a child, so that the family is refused as too large.
            Some(Between { most: 0, .. }) => self.child_age.or_default(|| {
                let most = adult_age.map_or(0, |ages| ages.least.saturating_sub(1));
                Ages { years: Between { least: 0, most }, least: None }
            }),
            _ => self.child_age.required("child_age", variant),
        };
        let relations = self.relations.or_default(|| Relation::ALL.to_vec());
        let zones = zones?;
        let sold_in = self.sold_in.or_default(|| zones.all().collect());
        Some(HealthLimits {
            adult_age: adult_age?,
            renewal_age: renewal_age?,
            child_age: child_age?.years,
            least_child_age: child_age?.least,
            adults: adults?,
            children: children?,
            relations: relations?,
            sold_in: sold_in?,
            zones,
        })
    }
}
