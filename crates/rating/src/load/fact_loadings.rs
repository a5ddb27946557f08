//! Parsing the loadings by facts of a price: `instalments`, `occupation_percent` and `tobacco_percent`.

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

/// The step of an occupation's loading, with its key.
pub(crate) const OCCUPATION: OwnStep = ("occupation_loading", AdjustmentKind::OccupationLoading);

/// The step of tobacco's loading, with its key.
pub(crate) const TOBACCO: OwnStep = ("tobacco_loading", AdjustmentKind::TobaccoLoading);

/// Parses the loadings. `None` when a fault was reported.
pub(crate) fn parse(price: &Section<'_>) -> Option<FactLoadings> {
    let instalments = parse_instalments(price);
    let people = parse_of_people(price);
    Some(FactLoadings { instalments: instalments?, ..people? })
}

/// Parses the loadings by facts of people alone. `None` when a fault was reported.
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

/// Reports the steps by facts of people that are missing, repeated or not needed.
pub(crate) fn check_of_people(price: &Section<'_>, adjustments: &Adjustments, facts: &FactLoadings) {
    let check = |step, needed, why, why_not| check_step(price, adjustments, step, needed, why, why_not);
    let occupations = !facts.occupations.is_empty();
    check(OCCUPATION, occupations, "the price loads occupations", "the price loads no occupation");
    let tobacco = !facts.tobacco.is_zero();
    check(TOBACCO, tobacco, "the price loads tobacco", "the price does not load tobacco");
}

/// Parses the instalments that a price is sold in.
fn parse_instalments(price: &Section<'_>) -> Option<Vec<(Instalments, Decimal)>> {
    if !price.has("instalments") {
        return Some(Vec::new());
    }
    let rows: Vec<Option<(Instalments, Decimal)>> =
        price.sections("instalments").into_iter().map(parse_instalment).collect();
    let rows = rows.into_iter().collect::<Option<Vec<_>>>()?;
    if rows.is_empty() {
        price.report("instalments", "`instalments` must be a list of at least one.");
        return None;
    }
    let is_twice = |at: usize| rows[..at].iter().any(|(earlier, _)| *earlier == rows[at].0);
    if (0..rows.len()).any(is_twice) {
        price.report("instalments", "`instalments` must have each `paid` once.");
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

/// Parses the occupations that cost more.
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
