//! Floater: one sum insured for the whole family.
//!
//! The rate depends on family size and the eldest member's age.

use std::sync::Arc;

use rust_decimal::Decimal;

use super::promise::Promise;
use super::rate_query::RateQuery;
use super::rate_sheet::RateSheet;
use super::sheets::{ByFamily, MethodContext};
use crate::explanation::{Journal, RateSubject};
use crate::parse::document::Section;

#[derive(Debug, Clone)]
pub(crate) struct Floater {
    sheet: Arc<RateSheet>,
}

impl Floater {
    pub(super) fn parse(
        tables: &Section<'_>,
        promise: &Promise<'_>,
        context: &MethodContext<'_>,
    ) -> Option<Floater> {
        let by_family = ByFamily::Always("a floater is priced by the size of the family");
        let ages = [promise.limits.ages_of_eldest()];
        let sheet = context.sheet(tables, "table", by_family, promise, &ages)?;
        Some(Floater { sheet })
    }

    pub(super) fn rate(&self, asked: &RateQuery<'_>, journal: &mut impl Journal) -> Decimal {
        let size = asked.family.size;
        let subject = RateSubject::Family(size);
        asked.add(Decimal::ZERO, &self.sheet, asked.family.eldest(), subject, journal)
    }
}
