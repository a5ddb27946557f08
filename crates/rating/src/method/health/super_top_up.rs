//! Super top-up: cover above a deductible that the family bears in a year, by size of family and the eldest's age.

use std::sync::Arc;

use domain::health_quote::PlanType;
use rust_decimal::Decimal;

use super::promise::Promise;
use super::rate_query::Asked;
use super::rate_sheet::RateSheet;
use super::sheets::{ByFamily, MethodContext};
use crate::explanation::{Journal, Whose};
use crate::parse::document::Section;

/// A compiled sheet.
#[derive(Debug, Clone)]
pub(crate) struct SuperTopUp {
    sheet: Arc<RateSheet>,
}

impl SuperTopUp {
    pub(super) fn read(
        price: &Section<'_>,
        promise: &Promise<'_>,
        context: &MethodContext<'_>,
    ) -> Option<SuperTopUp> {
        if promise.plan == PlanType::Base {
            price.fault(
                "method",
                "The method \"super-top-up\" is for a product whose `plan` is \"super-top-up\".",
            );
        }
        let by_family = ByFamily::Always("a super top-up is priced by the size of the family");
        let ages = [promise.limits.ages_of_eldest()];
        let sheet = context.sheet(price, "table", by_family, promise, &ages)?;
        Some(SuperTopUp { sheet })
    }

    pub(super) fn rate(&self, asked: &Asked<'_>, journal: &mut impl Journal) -> Decimal {
        let Asked { family, deductible, .. } = asked;
        let whose = Whose::FamilyAbove(family.size, *deductible);
        asked.add(Decimal::ZERO, &self.sheet, family.eldest(), whose, journal)
    }
}
