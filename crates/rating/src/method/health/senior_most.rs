//! Senior-most plus others: the eldest at the full rate, each other member at a lower one, by age.

use std::sync::Arc;

use rust_decimal::Decimal;

use super::{Asked, MethodContext, Promise, RateSheet};
use crate::explanation::Journal;
use crate::load::document::Section;

/// Two compiled sheets.
#[derive(Debug, Clone)]
pub(crate) struct SeniorMost {
    eldest: Arc<RateSheet>,
    /// `None` where only one person can be covered.
    others: Option<Arc<RateSheet>>,
}

impl SeniorMost {
    pub(super) fn read(
        price: &Section<'_>,
        promise: &Promise<'_>,
        context: &MethodContext<'_>,
    ) -> Option<SeniorMost> {
        let eldest = context.sheet(price, "table", promise, &[promise.limits.ages_of_eldest()]);
        let ages = promise.limits.ages_of_others();
        let others = if ages.is_empty() && !price.has("others_table") {
            Some(None)
        } else {
            context.sheet(price, "others_table", promise, &ages).map(Some)
        };
        let (eldest, others) = (eldest?, others?);
        let mut by_family = std::iter::once(&eldest).chain(&others).filter(|sheet| sheet.columns.family);
        if let Some(sheet) = by_family.next() {
            context.has_no_column(sheet, "family", "each member has a rate");
            return None;
        }
        Some(SeniorMost { eldest, others })
    }

    pub(super) fn rate(&self, asked: &Asked<'_>, journal: &mut impl Journal) -> Decimal {
        let eldest = asked.add(Decimal::ZERO, &self.eldest, asked.family.eldest(), "The eldest", journal);
        let Some(others) = &self.others else { return eldest };
        let add = |amount, age| asked.add(amount, others, age, "Another member", journal);
        asked.family.others().fold(eldest, add)
    }
}
