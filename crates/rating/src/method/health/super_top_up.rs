//! Super top-up: cover above a deductible that the family bears in a year, by size of family and the eldest's age.

use std::sync::Arc;

use domain::health_quote::PlanType;
use rust_decimal::Decimal;

use super::{Asked, MethodContext, Promise, RateSheet};
use crate::explanation::Journal;
use crate::load::document::Section;

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
        let sheet = context.sheet(price, "table", promise, &[promise.limits.ages_of_eldest()])?;
        if !sheet.columns.deductible {
            context.wants_column(&sheet, "deductible", "a super top-up is priced by it");
        }
        if !sheet.columns.family {
            context.wants_column(&sheet, "family", "a super top-up is priced by the size of the family");
        }
        (sheet.columns.deductible && sheet.columns.family).then_some(SuperTopUp { sheet })
    }

    pub(super) fn rate(&self, asked: &Asked<'_>, journal: &mut impl Journal) -> Decimal {
        let Asked { family, deductible, .. } = asked;
        let who = format_args!("Family of {} above a deductible of {deductible}, the eldest", family.size);
        asked.add(Decimal::ZERO, &self.sheet, family.eldest(), who, journal)
    }
}
