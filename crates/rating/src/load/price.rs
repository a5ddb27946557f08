//! Parses keys that are the same in every `price` section.

use std::sync::Arc;

use super::product_context::ProductContext;
use crate::insurer::Connector;
use crate::parse::document::Section;
use crate::parse::values;
use crate::tax::{DatedTax, InRates, Taxation, TotalRounding};

/// Whether a variant needs no `price` section because its insurer prices it over HTTP. If it needs the
/// section, reports a missing one.
pub(crate) fn check_unpriced(variant: &Section<'_>, context: &ProductContext<'_>) -> bool {
    // The connector is unknown if the insurer's file has faults.
    let connector = context.insurer.as_ref().map(|insurer| &insurer.connector);
    if matches!(connector, Some(Connector::Http(_))) && !variant.has("price") {
        return true;
    }
    context.sources.allow_unused_beside(variant.file());
    if connector.is_some() && !variant.has("price") {
        variant
            .report("price", "`price` is missing: the section [variant.price] says what the variant costs.");
    }
    false
}

/// Parses how the price is taxed. `rounding` is the step that rounds the total, if any. Pass `None` as `tax`
/// if the rows of `[[tax]]` have faults.
pub(crate) fn parse_taxation(
    price: &Section<'_>,
    tax: Option<Arc<DatedTax>>,
    rounding: Option<TotalRounding>,
) -> Option<Taxation> {
    let included = price.required("rates_include_tax", values::flag);
    let as_of = price.optional("rates_as_of", values::date);
    if price.has("rates_as_of") && included == Some(false) {
        price.report("rates_as_of", "`rates_as_of` is only for rates that include tax; these rates do not.");
    }
    let rates = match (included?, as_of) {
        (false, _) => InRates::No,
        (true, None) if price.has("rates_as_of") => return None,
        (true, None) => InRates::Yes,
        (true, Some(day)) => InRates::Of(day),
    };
    Some(Taxation { tax: tax?, rates, rounding })
}
