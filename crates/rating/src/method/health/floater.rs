//! Floater: one sum insured for the whole family, by its size and the eldest's age.

use std::sync::Arc;

use rust_decimal::Decimal;

use super::{Asked, MethodContext, Promise, RateSheet};
use crate::explanation::Journal;
use crate::load::document::Section;

/// A compiled sheet.
#[derive(Debug, Clone)]
pub(crate) struct Floater {
    sheet: Arc<RateSheet>,
}

impl Floater {
    pub(super) fn read(
        price: &Section<'_>,
        promise: &Promise<'_>,
        context: &MethodContext<'_>,
    ) -> Option<Floater> {
        let sheet = context.sheet(price, "table", promise, &[promise.limits.ages_of_eldest()])?;
        if !sheet.columns.family {
            context.wants_column(&sheet, "family", "a floater is priced by the size of the family");
            return None;
        }
        Some(Floater { sheet })
    }

    pub(super) fn rate(&self, asked: &Asked<'_>, journal: &mut impl Journal) -> Decimal {
        let size = asked.family.size;
        let who = format_args!("Family of {size}, the eldest");
        asked.add(Decimal::ZERO, &self.sheet, asked.family.eldest(), who, journal)
    }
}
