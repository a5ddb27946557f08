//! Parses the `steps` of a `price` section.

use std::sync::Arc;

use super::product_context::ProductContext;
use crate::adjustment::{Adjustment, Adjustments, DiscountCap};
use crate::adjustment_kind::{AdjustmentKind, HIGHEST_DISCOUNT, HIGHEST_LOADING};
use crate::parse::document::Section;
use crate::parse::texts;
use crate::parse::values;
use crate::source_location::SourceLocation;
use crate::tax::TotalRounding;

/// Key of the step that rounds the total.
const ROUND_TOTAL: &str = "round_total";

/// Price step that only some lines of business have: its key and kind.
pub(crate) type OwnStep = (&'static str, AdjustmentKind);

/// Steps of a price, before and after tax.
pub(crate) struct ParsedSteps {
    pub(crate) adjustments: Adjustments,
    /// Step that rounds the total, if any. It must be the last step.
    pub(crate) rounding: Option<TotalRounding>,
}

/// Parses the steps that follow the rate, and the limit of their discounts.
pub(crate) fn parse(
    price: &Section<'_>,
    own: &[OwnStep],
    context: &ProductContext<'_>,
) -> Option<ParsedSteps> {
    let file: Arc<str> = Arc::from(price.file());
    let cap = parse_cap(price);
    let steps: Vec<Option<Adjustment>> =
        price.sections("steps").into_iter().map(|step| parse_step(step, own)).collect();
    let mut list = steps.into_iter().collect::<Option<Vec<Adjustment>>>()?;
    let last = list.pop_if(|step| step.kind == AdjustmentKind::RoundTotalToRupee);
    if let Some(early) = list.iter().find(|step| step.kind == AdjustmentKind::RoundTotalToRupee) {
        let message = "The step `round_total` must be last: it rounds what the customer pays, tax included.";
        context.sources.faults.report(&file, Some(early.line), message);
        return None;
    }
    let rounding = last.map(|Adjustment { name, line, .. }| TotalRounding {
        name,
        location: SourceLocation { file: file.clone(), line },
    });
    Some(ParsedSteps { adjustments: Adjustments { file, list, cap: cap? }, rounding })
}

/// Parses the limit of the sum of all discounts. `None` after a reported fault. `Some(None)`: no limit.
fn parse_cap(price: &Section<'_>) -> Option<Option<DiscountCap>> {
    const KEY: &str = "most_discount_percent";
    if !price.has(KEY) {
        return Some(None);
    }
    let most = price.optional(KEY, |value| values::percent(value, HIGHEST_DISCOUNT))?;
    Some(Some(DiscountCap { most, line: price.line_of(KEY).unwrap_or(1) }))
}

fn parse_step(section: Section<'_>, own: &[OwnStep]) -> Option<Adjustment> {
    let line = section.line().unwrap_or(1);
    let loading = section.optional("loading_percent", |value| values::percent(value, HIGHEST_LOADING));
    let discount = section.optional("discount_percent", |value| values::percent(value, HIGHEST_DISCOUNT));
    let minimum = section.optional("minimum", values::amount);
    let round = section.optional("round", |value| values::word(value, &["rupee", "paisa"]));
    let round_total = section.optional(ROUND_TOTAL, |value| values::word(value, &["rupee"]));
    let mut kind = loading.map(AdjustmentKind::Loading);
    kind = kind.or(discount.map(AdjustmentKind::Discount)).or(minimum.map(AdjustmentKind::Minimum));
    kind = kind.or(round.map(|to| match to {
        "rupee" => AdjustmentKind::RoundToRupee,
        _ => AdjustmentKind::RoundToPaisa,
    }));
    kind = kind.or(round_total.map(|_| AdjustmentKind::RoundTotalToRupee));
    for (key, own) in own {
        kind = kind.or(section.optional(key, values::yes).map(|()| *own));
    }
    let name = texts::optional(&section, "name");
    let mut keys = vec!["loading_percent", "discount_percent", "minimum", "round", ROUND_TOTAL];
    keys.extend(own.iter().map(|(key, _)| *key));
    if keys.iter().filter(|key| section.has(key)).count() != 1 {
        section.report("", format!("A step must have exactly one of {}.", values::listed(&keys)));
        kind = None;
    }
    section.close();
    Some(Adjustment { kind: kind?, name, line })
}

/// Reports a needed step that is missing or repeated, or a step that is there although it is not needed.
pub(crate) fn check_step(
    price: &Section<'_>,
    adjustments: &Adjustments,
    (key, kind): OwnStep,
    needed: bool,
    why: &str,
    why_not: &str,
) {
    let report = |what: String| price.report("steps", format!("The step {{ {key} = true }} {what}."));
    match (adjustments.list.iter().filter(|step| step.kind == kind).count(), needed) {
        (1, true) | (0, false) => {}
        (0, true) => report(format!("is missing: {why}")),
        (_, true) => report("must be present exactly once".to_owned()),
        (_, false) => report(format!("is not needed: {why_not}")),
    }
}
