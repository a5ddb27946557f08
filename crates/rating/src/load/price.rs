//! Parsing the keys that every `price` section may have.

use std::sync::Arc;

use super::product_context::ProductContext;
use crate::adjustment::{Adjustment, Adjustments};
use crate::adjustment_kind::{AdjustmentKind, HIGHEST_DISCOUNT, HIGHEST_LOADING};
use crate::insurer::Connector;
use crate::parse::document::Section;
use crate::parse::texts;
use crate::parse::values;
use crate::tax::{DatedTax, InRates, Taxation};

/// Checks a variant without a `price` section. True where its insurer prices it over HTTP.
pub(crate) fn check_unpriced(variant: &Section<'_>, context: &ProductContext<'_>) -> bool {
    // The connector of an insurer with faults is unknown.
    let connector = context.insurer.as_ref().map(|insurer| &insurer.connector);
    if matches!(connector, Some(Connector::Http(_))) && !variant.has("price") {
        return true;
    }
    context.sources.allow_unused_beside(variant.file());
    if connector.is_some() && !variant.has("price") {
        variant.report("price", "`price` is missing: the section [variant.price] says what it costs.");
    }
    false
}

/// Parses the taxation. `tax` is `None` where the rows of tax have faults.
pub(crate) fn parse_taxation(price: &Section<'_>, tax: Option<Arc<DatedTax>>) -> Option<Taxation> {
    let included = price.required("rates_include_tax", values::flag);
    let as_of = price.optional("rates_as_of", values::date);
    if price.has("rates_as_of") && included == Some(false) {
        price.report(
            "rates_as_of",
            "`rates_as_of` is the day whose tax is in the rates; these rates have no tax in them.",
        );
    }
    let rates = match (included?, as_of) {
        (false, _) => InRates::No,
        (true, None) if price.has("rates_as_of") => return None,
        (true, None) => InRates::Yes,
        (true, Some(day)) => InRates::Of(day),
    };
    Some(Taxation { tax: tax?, rates })
}

/// A step that only one line of business has: its key with its kind.
pub(crate) type OwnStep = (&'static str, AdjustmentKind);

/// Parses the steps after the rate.
pub(crate) fn parse_adjustments(price: &Section<'_>, own: &[OwnStep]) -> Option<Adjustments> {
    let steps = price.sections("steps").into_iter().map(|step| parse_adjustment(step, own));
    let list: Vec<Option<Adjustment>> = steps.collect();
    Some(Adjustments { file: Arc::from(price.file()), list: list.into_iter().collect::<Option<_>>()? })
}

/// Parses one step.
fn parse_adjustment(section: Section<'_>, own: &[OwnStep]) -> Option<Adjustment> {
    let line = section.line().unwrap_or(1);
    let loading = section.optional("loading_percent", |value| values::percent(value, HIGHEST_LOADING));
    let discount = section.optional("discount_percent", |value| values::percent(value, HIGHEST_DISCOUNT));
    let minimum = section.optional("minimum", values::amount);
    let round = section.optional("round", |value| values::word(value, &["rupee", "paisa"]));
    let mut kind = loading.map(AdjustmentKind::Loading);
    kind = kind.or(discount.map(AdjustmentKind::Discount)).or(minimum.map(AdjustmentKind::Minimum));
    kind = kind.or(round.map(|to| match to {
        "rupee" => AdjustmentKind::RoundToRupee,
        _ => AdjustmentKind::RoundToPaisa,
    }));
    for (key, own) in own {
        kind = kind.or(section.optional(key, values::yes).map(|()| *own));
    }
    let name = texts::optional(&section, "name");
    let mut keys = vec!["loading_percent", "discount_percent", "minimum", "round"];
    keys.extend(own.iter().map(|(key, _)| *key));
    if keys.iter().filter(|key| section.has(key)).count() != 1 {
        section.report("", format!("A step must have exactly one of {}.", values::listed(&keys)));
        kind = None;
    }
    section.close();
    Some(Adjustment { kind: kind?, name, line })
}
