//! Parses loadings for facts about the insured: `instalments`, `occupation_percent`, `tobacco_percent`.

use domain::person::Occupation;
use domain::text::FromText;
use rust_decimal::Decimal;

use super::steps::{OwnStep, check_step};
use crate::adjustment::Adjustments;
use crate::adjustment_kind::{AdjustmentKind, HIGHEST_LOADING};
use crate::fact_loadings::FactLoadings;
use crate::health_facts::Instalments;
use crate::parse::document::Section;
use crate::parse::values;

/// Price step that applies the occupation loading: its key and kind.
pub(crate) const OCCUPATION: OwnStep = ("occupation_loading", AdjustmentKind::OccupationLoading);

/// Price step that applies the tobacco loading: its key and kind.
pub(crate) const TOBACCO: OwnStep = ("tobacco_loading", AdjustmentKind::TobaccoLoading);

/// Parses all loadings for facts. `None` after a reported fault.
pub(crate) fn parse(price: &Section<'_>) -> Option<FactLoadings> {
    let instalments = parse_instalments(price);
    let people = parse_of_people(price);
    Some(FactLoadings { instalments: instalments?, ..people? })
}

/// Parses the loadings for occupation and tobacco. `None` after a reported fault.
pub(crate) fn parse_of_people(price: &Section<'_>) -> Option<FactLoadings> {
    let occupations = parse_occupations(price);
    let tobacco = price.optional("tobacco_percent", |value| values::percent(value, HIGHEST_LOADING));
    let tobacco_is_valid = tobacco.is_some() || !price.has("tobacco_percent");
    let loadings = FactLoadings {
        instalments: Vec::new(),
        occupations: occupations?,
        tobacco: tobacco.unwrap_or_default(),
    };
    Some(loadings).filter(|_| tobacco_is_valid)
}

/// Reports price steps for occupation and tobacco that are missing, repeated or not needed.
pub(crate) fn check_of_people(price: &Section<'_>, adjustments: &Adjustments, facts: &FactLoadings) {
    let check = |step, needed, why, why_not| check_step(price, adjustments, step, needed, why, why_not);
    let occupations = !facts.occupations.is_empty();
    check(
        OCCUPATION,
        occupations,
        "the price has loadings for occupations",
        "the price has no loading for occupations",
    );
    let tobacco = !facts.tobacco.is_zero();
    check(TOBACCO, tobacco, "the price has a loading for tobacco", "the price has no loading for tobacco");
}

/// Parses the allowed instalments with their loadings.
fn parse_instalments(price: &Section<'_>) -> Option<Vec<(Instalments, Decimal)>> {
    if !price.has("instalments") {
        return Some(Vec::new());
    }
    let rows: Vec<Option<(Instalments, Decimal)>> =
        price.sections("instalments").into_iter().map(parse_instalment).collect();
    let rows = rows.into_iter().collect::<Option<Vec<_>>>()?;
    if rows.is_empty() {
        price.report("instalments", "`instalments` must not be an empty list.");
        return None;
    }
    let is_twice = |at: usize| rows[..at].iter().any(|(earlier, _)| *earlier == rows[at].0);
    if (0..rows.len()).any(is_twice) {
        price.report("instalments", "`instalments` must not have the same `paid` twice.");
        return None;
    }
    Some(rows)
}

fn parse_instalment(section: Section<'_>) -> Option<(Instalments, Decimal)> {
    let paid = section.required("paid", |value| values::word(value, Instalments::WORDS));
    let percent =
        section.required("loading_percent", |value| values::percent_or_zero(value, HIGHEST_LOADING));
    section.close();
    Some((Instalments::from_text(paid?).ok()?, percent?))
}

/// Parses the occupations that have a loading.
fn parse_occupations(price: &Section<'_>) -> Option<Vec<(Occupation, Decimal)>> {
    const KEY: &str = "occupation_percent";
    if !price.has(KEY) {
        return Some(Vec::new());
    }
    let section = price.section(KEY)?;
    let number = section.count();
    let loaded = section.entries(|value| values::percent(value, HIGHEST_LOADING));
    let mut is_valid = loaded.len() == number;
    let mut occupations = Vec::new();
    for (word, percent, _) in loaded {
        match Occupation::from_text(word) {
            Ok(occupation) => occupations.push((occupation, percent)),
            Err(_) => {
                section.report(word, format!("`{KEY}` names {word:?}, which is not {}.", Occupation::WANTED));
                is_valid = false;
            }
        }
    }
    Some(occupations).filter(|_| is_valid)
}
