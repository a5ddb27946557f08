//! Reading what every `price` section may say: tax and steps.

use std::sync::Arc;

use super::product_context::ProductContext;
use crate::adjustment::{Adjustment, Adjustments};
use crate::adjustment_kind::{AdjustmentKind, HIGHEST_DISCOUNT, HIGHEST_LOADING};
use crate::insurer::Connector;
use crate::parse::document::Section;
use crate::parse::texts;
use crate::parse::values;
use crate::tax::{DatedTax, InRates, Taxation};

/// Judges a variant without a `price` section. True where its insurer prices it.
pub(crate) fn judge_unpriced(variant: &Section<'_>, context: &ProductContext<'_>) -> bool {
    // Of an insurer whose own file has faults nobody knows how it is priced.
    let connector = context.insurer.as_ref().map(|insurer| &insurer.connector);
    if matches!(connector, Some(Connector::Http(_))) && !variant.has("price") {
        return true;
    }
    context.shelf.leave_open(variant.file());
    if connector.is_some() && !variant.has("price") {
        variant.fault("price", "`price` is missing: the section [variant.price] says what it costs.");
    }
    false
}

/// Reads how the amount is taxed. `tax` is `None` where the rows of tax have faults.
pub(crate) fn read_taxation(price: &Section<'_>, tax: Option<Arc<DatedTax>>) -> Option<Taxation> {
    let included = price.required("rates_include_tax", values::flag);
    let as_of = price.optional("rates_as_of", values::date);
    if price.has("rates_as_of") && included == Some(false) {
        price.fault("rates_as_of", "`rates_as_of` says whose day's tax is in the rates; these have none.");
    }
    let rates = match (included?, as_of) {
        (false, _) => InRates::No,
        (true, None) if price.has("rates_as_of") => return None,
        (true, None) => InRates::Yes,
        (true, Some(day)) => InRates::Of(day),
    };
    Some(Taxation { tax: tax?, rates })
}

/// A step that only some lines of business have: its key, and what it does.
pub(crate) type OwnStep = (&'static str, AdjustmentKind);

/// Reads the steps after the rate.
pub(crate) fn read_adjustments(price: &Section<'_>, own: &[OwnStep]) -> Option<Adjustments> {
    let steps = price.sections("steps").into_iter().map(|step| read_adjustment(step, own));
    let list: Vec<Option<Adjustment>> = steps.collect();
    Some(Adjustments { file: Arc::from(price.file()), list: list.into_iter().collect::<Option<_>>()? })
}

/// Reads one step.
fn read_adjustment(section: Section<'_>, own: &[OwnStep]) -> Option<Adjustment> {
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
        section.fault("", format!("A step says one of {}.", values::listed(&keys)));
        kind = None;
    }
    section.close();
    Some(Adjustment { kind: kind?, name, line })
}
