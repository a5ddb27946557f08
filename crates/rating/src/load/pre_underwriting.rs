//! Parses the `[[pre_underwriting]]` rules of a health product.

use super::health_lists::{HealthLists, ILLNESSES};
use crate::parse::document::Section;
use crate::parse::texts;
use crate::parse::values;
use crate::pre_underwriting::{Consequence, PreUnderwritingRule};

/// Highest sum insured that a rule may name, in rupees (100 crore).
const HIGHEST_SUM: u32 = 1_000_000_000;

/// Parses all rules. A rule with a fault is left out.
pub(crate) fn parse(root: &Section<'_>, health_lists: &HealthLists) -> Vec<PreUnderwritingRule> {
    root.sections("pre_underwriting")
        .into_iter()
        .filter_map(|section| parse_rule(section, health_lists))
        .collect()
}

fn parse_rule(section: Section<'_>, health_lists: &HealthLists) -> Option<PreUnderwritingRule> {
    let from_age = section.optional("from_age", |value| values::whole(value, 1, 120));
    let known = health_lists.illnesses.as_deref().unwrap_or_default();
    let illnesses = section.distinct("illnesses", |value| {
        let id = values::text(value)?;
        let is_known = known.is_empty() || known.iter().any(|illness| illness.id == id);
        if is_known { Ok(id) } else { Err(format!("names \"{id}\", which is not in {ILLNESSES}")) }
    });
    let illnesses_of_one = section.optional("illnesses_of_one", |value| values::whole(value, 1, 50));
    let above = section.optional("sum_insured_above", |value| values::whole(value, 1, HIGHEST_SUM));
    let conditions = ["from_age", "illnesses", "illnesses_of_one", "sum_insured_above"];
    if !conditions.into_iter().any(|key| section.has(key)) {
        section.report(
            "then",
            format!("The rule has no condition: it needs one of {}.", values::listed(&conditions)),
        );
    }
    let then = section.required("then", |value| values::word(value, &["cancel", "refer"]));
    let reason = texts::required(&section, "reason");
    section.close();
    Some(PreUnderwritingRule {
        from_age: from_age.map(|age| age as u16),
        illnesses: illnesses.unwrap_or_default(),
        illnesses_of_one: illnesses_of_one.map(|number| number as u16),
        sum_insured_above: above.map(|sum| domain::money::Rupees::whole(sum.into())),
        then: if then? == "cancel" { Consequence::Cancel } else { Consequence::Refer },
        reason: reason?,
    })
}
