//! Floater: one sum insured for the whole family, by its size and the eldest's age.

use std::sync::Arc;

use rust_decimal::Decimal;

use super::promise::Promise;
use super::rate_query::Asked;
use super::rate_sheet::RateSheet;
use super::sheets::{ByFamily, MethodContext};
use crate::explanation::{Journal, Whose};
use crate::parse::document::Section;

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
        let by_family = ByFamily::Always("a floater is priced by the size of the family");
        let ages = [promise.limits.ages_of_eldest()];
        let sheet = context.sheet(price, "table", by_family, promise, &ages)?;
        Some(Floater { sheet })
    }

    pub(super) fn rate(&self, asked: &Asked<'_>, journal: &mut impl Journal) -> Decimal {
        let size = asked.family.size;
        let whose = Whose::Family(size);
        asked.add(Decimal::ZERO, &self.sheet, asked.family.eldest(), whose, journal)
    }
}
