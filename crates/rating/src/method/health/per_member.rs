//! Per member: the sum of the rates for each member's age, minus a family discount.

use std::sync::Arc;

use rust_decimal::Decimal;

use super::promise::Promise;
use super::rate_query::RateQuery;
use super::rate_sheet::RateSheet;
use super::sheets::{ByFamily, MethodContext};
use crate::adjustment_kind::HIGHEST_DISCOUNT;
use crate::adjustment_kind::less;
use crate::explanation::{Journal, RateSubject, Step, StepKind};
use crate::family::Family;
use crate::parse::document::Section;
use crate::parse::values;
use crate::source_location::SourceLocation;

/// Default for the least number of members with a family discount.
const DISCOUNT_FROM: u32 = 2;

#[derive(Debug, Clone)]
pub(crate) struct PerMember {
    sheet: Arc<RateSheet>,
    discount: Option<FamilyDiscount>,
}

#[derive(Debug, Clone)]
struct FamilyDiscount {
    percent: Decimal,
    /// Least number of members with the discount.
    from: usize,
    location: SourceLocation,
}

impl PerMember {
    pub(super) fn parse(
        price: &Section<'_>,
        tables: &Section<'_>,
        promise: &Promise<'_>,
        context: &MethodContext<'_>,
    ) -> Option<PerMember> {
        let percent =
            price.optional("family_discount_percent", |value| values::percent(value, HIGHEST_DISCOUNT));
        let from = price.or("family_discount_from", DISCOUNT_FROM, |value| values::whole(value, 2, 40));
        if price.has("family_discount_from") && !price.has("family_discount_percent") {
            price.report("family_discount_from", "`family_discount_from` needs `family_discount_percent`.");
        }
        let sheet = context.sheet(tables, "table", ByFamily::Never, promise, &promise.limits.ages())?;
        let line = price.line_of("family_discount_percent").unwrap_or(1);
        let location = SourceLocation { file: Arc::from(price.file()), line };
        let discount = percent.map(|percent| FamilyDiscount { percent, from: from as usize, location });
        Some(PerMember { sheet, discount })
    }

    /// Discount for a family, in percent. Zero if the family is too small.
    pub(super) fn family_discount(&self, family: &Family<'_>) -> Decimal {
        self.discount_of(family).map_or(Decimal::ZERO, |discount| discount.percent)
    }

    /// Discount for families that are large enough, in percent.
    pub(super) fn highest_discount(&self) -> Decimal {
        self.discount.as_ref().map_or(Decimal::ZERO, |discount| discount.percent)
    }

    fn discount_of(&self, family: &Family<'_>) -> Option<&FamilyDiscount> {
        self.discount.as_ref().filter(|discount| family.count() >= discount.from)
    }

    pub(super) fn rate(&self, asked: &RateQuery<'_>, journal: &mut impl Journal) -> Decimal {
        let add = |amount, age| asked.add(amount, &self.sheet, age, RateSubject::Member, journal);
        let sum = asked.family.ages().fold(Decimal::ZERO, add);
        let count = asked.family.count();
        let Some(discount) = self.discount_of(&asked.family) else { return sum };
        let amount =
            less(sum, discount.percent).expect("rates and percentages within bounds: checked when loaded");
        journal.record(|| Step {
            kind: StepKind::FamilyDiscount { count },
            location: Some(discount.location.clone()),
            factor: format!("-{} %", discount.percent),
            amount,
        });
        amount
    }
}
