//! Parses the tenures of a health product or variant.

use rust_decimal::Decimal;

use crate::adjustment_kind::HIGHEST_DISCOUNT;
use crate::parse::document::Section;
use crate::parse::parsed::Parsed;
use crate::parse::values;
use crate::tenure::{LONGEST, Tenure};

pub(crate) fn parse(section: &Section<'_>) -> Parsed<Vec<Tenure>> {
    Parsed::of(section, "tenures", parse_list(section))
}

fn parse_list(section: &Section<'_>) -> Option<Vec<Tenure>> {
    if section.list("tenures", |_| Ok(()))?.is_empty() {
        section.report("tenures", "`tenures` must not be an empty list.");
        return None;
    }
    let parsed: Vec<Option<Tenure>> = section.sections("tenures").into_iter().map(parse_tenure).collect();
    let tenures =
        parsed.into_iter().collect::<Option<Vec<Tenure>>>().filter(|tenures| !tenures.is_empty())?;
    if !tenures.is_sorted_by(|tenure, next| tenure.years < next.years) {
        section.report("tenures", "`tenures` must be in ascending order of years, each once.");
        return None;
    }
    Some(tenures)
}

fn parse_tenure(section: Section<'_>) -> Option<Tenure> {
    let years = section.required("years", |value| values::whole(value, 1, LONGEST.into()));
    let discount = section.optional("discount_percent", |value| values::percent(value, HIGHEST_DISCOUNT));
    let discount_is_valid = discount.is_some() || !section.has("discount_percent");
    section.close();
    let tenure = Tenure { years: years? as u8, discount_percent: discount.unwrap_or(Decimal::ZERO) };
    Some(tenure).filter(|_| discount_is_valid)
}
