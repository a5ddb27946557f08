//! Reading `tenures`: for how many years a health policy is sold at once.

use rust_decimal::Decimal;

use crate::adjustment_kind::HIGHEST_DISCOUNT;
use crate::parse::document::Section;
use crate::parse::parsed::{Said, said};
use crate::parse::values;
use crate::tenure::{LONGEST, Tenure};

/// What a section says of tenures.
pub(crate) fn read(section: &Section<'_>) -> Said<Vec<Tenure>> {
    said(section, "tenures", read_list(section))
}

fn read_list(section: &Section<'_>) -> Option<Vec<Tenure>> {
    if section.list("tenures", |_| Ok(()))?.is_empty() {
        section.fault("tenures", "`tenures` must not be an empty list.");
        return None;
    }
    let read: Vec<Option<Tenure>> = section.sections("tenures").into_iter().map(read_tenure).collect();
    let tenures = read.into_iter().collect::<Option<Vec<Tenure>>>().filter(|read| !read.is_empty())?;
    if !tenures.is_sorted_by(|tenure, next| tenure.years < next.years) {
        section.fault("tenures", "`tenures` must stand in rising order of years, each once.");
        return None;
    }
    Some(tenures)
}

fn read_tenure(section: Section<'_>) -> Option<Tenure> {
    let years = section.required("years", |value| values::whole(value, 1, LONGEST.into()));
    let discount = section.optional("discount_percent", |value| values::percent(value, HIGHEST_DISCOUNT));
    let discount_is_read = discount.is_some() || !section.has("discount_percent");
    section.close();
    let tenure = Tenure { years: years? as u8, discount_percent: discount.unwrap_or(Decimal::ZERO) };
    Some(tenure).filter(|_| discount_is_read)
}
