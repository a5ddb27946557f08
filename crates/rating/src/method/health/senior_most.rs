//! Senior-most plus others: the full rate for the eldest member, and lower rates for the other members. All
//! rates are by age.

use std::sync::Arc;

use rust_decimal::Decimal;

use super::promise::Promise;
use super::rate_query::RateQuery;
use super::rate_sheet::RateSheet;
use super::sheets::{ByFamily, MethodContext};
use crate::between::Between;
use crate::explanation::{Journal, RateSubject};
use crate::parse::document::Section;

#[derive(Debug, Clone)]
pub(crate) struct SeniorMost {
    eldest: Arc<RateSheet>,
    /// Rates for the members other than the eldest. `None` if the variant covers only one person.
    others: Option<Arc<RateSheet>>,
}

impl SeniorMost {
    pub(super) fn parse(
        tables: &Section<'_>,
        promise: &Promise<'_>,
        context: &MethodContext<'_>,
    ) -> Option<SeniorMost> {
        let sheet = |key, ages: &[Between<u16>]| context.sheet(tables, key, ByFamily::Never, promise, ages);
        let eldest = sheet("table", &[promise.limits.ages_of_eldest()]);
        let ages = promise.limits.ages_of_others();
        let others = if ages.is_empty() && !tables.has("others_table") {
            Some(None)
        } else {
            sheet("others_table", &ages).map(Some)
        };
        Some(SeniorMost { eldest: eldest?, others: others? })
    }

    pub(super) fn rate(&self, asked: &RateQuery<'_>, journal: &mut impl Journal) -> Decimal {
        let eldest =
            asked.add(Decimal::ZERO, &self.eldest, asked.family.eldest(), RateSubject::Eldest, journal);
        let Some(others) = &self.others else { return eldest };
        let add = |amount, age| asked.add(amount, others, age, RateSubject::Other, journal);
        asked.family.others().fold(eldest, add)
    }
}
