//! Parsing the keys that every `price` section may have.

use std::sync::Arc;

use super::product_context::ProductContext;
use crate::insurer::Connector;
use crate::parse::document::Section;
use crate::parse::values;
use crate::tax::{DatedTax, InRates, Taxation, TotalRounding};

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

/// Parses the taxation, with the step that rounds the total. `tax` is `None` where the rows of tax have faults.
pub(crate) fn parse_taxation(
    price: &Section<'_>,
    tax: Option<Arc<DatedTax>>,
    rounding: Option<TotalRounding>,
) -> Option<Taxation> {
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
    Some(Taxation { tax: tax?, rates, rounding })
}
