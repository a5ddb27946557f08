//! Parses the `[[variant.rider]]` sections of a credit-life variant.

use std::sync::Arc;

use crate::adjustment_kind::HIGHEST_LOADING;
use crate::credit_rates::CreditRates;
use crate::dated_rates::DatedRates;
use crate::method::credit_life::Method;
use crate::parse::document::Section;
use crate::parse::values;
use crate::rider::{Rider, RiderPrice};

/// Parses the riders of a variant. `rates` parses the rate tables that a rider's section names. `None` after
/// a reported fault.
pub(crate) fn parse(
    variant: &Section<'_>,
    rates: impl Fn(&Section<'_>) -> Option<DatedRates<CreditRates>>,
) -> Option<Vec<Rider>> {
    let mut ids: Vec<String> = Vec::new();
    let parsed = variant.sections("rider").into_iter().map(|section| {
        let id = section.required("id", values::name);
        let is_taken = id.as_ref().is_some_and(|id| ids.contains(id));
        if is_taken {
            section.report("id", "`id` must be unique among the riders of a variant.");
        }
        ids.extend(id.clone());
        let rider = parse_rider(&section, id, &rates).filter(|_| !is_taken);
        section.close();
        rider
    });
    // Parse all riders before the first return, to report the faults of each.
    let parsed: Vec<Option<Rider>> = parsed.collect();
    parsed.into_iter().collect()
}

fn parse_rider(
    section: &Section<'_>,
    id: Option<String>,
    rates: &impl Fn(&Section<'_>) -> Option<DatedRates<CreditRates>>,
) -> Option<Rider> {
    let name = section.required("name", values::text);
    let has_rates = section.has("rates") || Method::TABLES.iter().any(|key| section.has(key));
    let price = match (section.has("percent"), has_rates) {
        (true, false) => section
            .optional("percent", |value| values::percent(value, HIGHEST_LOADING))
            .map(RiderPrice::Percent),
        (false, true) => rates(section).map(RiderPrice::Rates),
        (true, true) | (false, false) => {
            section.mark_known(Method::TABLES);
            section.report("", "A rider must have exactly one of `percent`, `table` and `rates`.");
            None
        }
    };
    let line = section.line().unwrap_or(1);
    Some(Rider { id: id?, name: name?, price: price?, file: Arc::from(section.file()), line })
}
