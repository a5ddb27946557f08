//! Super top-up: cover above a yearly deductible.
//!
//! The rate depends on family size and the eldest member's age.

use std::sync::Arc;

use domain::health_quote::PlanType;
use rust_decimal::Decimal;

use super::promise::Promise;
use super::rate_query::RateQuery;
use super::rate_sheet::RateSheet;
use super::sheets::{ByFamily, MethodContext};
use crate::explanation::{Journal, RateSubject};
use crate::parse::document::Section;

#[derive(Debug, Clone)]
pub(crate) struct SuperTopUp {
    sheet: Arc<RateSheet>,
}

impl SuperTopUp {
    pub(super) fn parse(
        price: &Section<'_>,
        tables: &Section<'_>,
        promise: &Promise<'_>,
        context: &MethodContext<'_>,
    ) -> Option<SuperTopUp> {
        if promise.plan == PlanType::Base {
            price.report(
                "method",
                "The method \"super-top-up\" is for a product whose `plan` is \"super-top-up\".",
            );
        }
        let by_family = ByFamily::Always("a super top-up is priced by the size of the family");
        let ages = [promise.limits.ages_of_eldest()];
        let sheet = context.sheet(tables, "table", by_family, promise, &ages)?;
        Some(SuperTopUp { sheet })
    }

    pub(super) fn rate(&self, asked: &RateQuery<'_>, journal: &mut impl Journal) -> Decimal {
        let RateQuery { family, deductible, .. } = asked;
        let subject = RateSubject::FamilyAbove(family.size, *deductible);
        asked.add(Decimal::ZERO, &self.sheet, family.eldest(), subject, journal)
    }
}
