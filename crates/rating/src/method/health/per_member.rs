//! Per member: each member at the rate of the own age, with a discount from so many members on.

use std::sync::Arc;

use rust_decimal::Decimal;

use super::promise::Promise;
use super::rate_query::Asked;
use super::rate_sheet::RateSheet;
use super::sheets::{ByFamily, MethodContext};
use crate::adjustment_kind::HIGHEST_DISCOUNT;
use crate::adjustment_kind::less;
use crate::explanation::{Journal, Place, Step, What, Whose};
use crate::parse::document::Section;
use crate::parse::values;

/// Members from whom on the discount holds, where the price does not say.
const DISCOUNT_FROM: u32 = 2;

/// A compiled sheet.
#[derive(Debug, Clone)]
pub(crate) struct PerMember {
    sheet: Arc<RateSheet>,
    discount: Option<FamilyDiscount>,
}

/// What a family saves.
#[derive(Debug, Clone)]
struct FamilyDiscount {
    percent: Decimal,
    /// From so many members on.
    from: usize,
    place: Place,
}

impl PerMember {
    pub(super) fn read(
        price: &Section<'_>,
        promise: &Promise<'_>,
        context: &MethodContext<'_>,
    ) -> Option<PerMember> {
        let percent =
            price.optional("family_discount_percent", |value| values::percent(value, HIGHEST_DISCOUNT));
        let from = price.or("family_discount_from", DISCOUNT_FROM, |value| values::whole(value, 2, 40));
        if price.has("family_discount_from") && !price.has("family_discount_percent") {
            price.fault("family_discount_from", "`family_discount_from` needs `family_discount_percent`.");
        }
        let sheet = context.sheet(price, "table", ByFamily::Never, promise, &promise.limits.ages())?;
        let line = price.line_of("family_discount_percent").unwrap_or(1);
        let place = Place { file: Arc::from(price.file()), line };
        let discount = percent.map(|percent| FamilyDiscount { percent, from: from as usize, place });
        Some(PerMember { sheet, discount })
    }

    pub(super) fn rate(&self, asked: &Asked<'_>, journal: &mut impl Journal) -> Decimal {
        let add = |amount, age| asked.add(amount, &self.sheet, age, Whose::Member, journal);
        let sum = asked.family.ages().fold(Decimal::ZERO, add);
        let count = asked.family.count();
        let Some(discount) = self.discount.as_ref().filter(|discount| count >= discount.from) else {
            return sum;
        };
        let amount =
            less(sum, discount.percent).expect("rates and percentages within bounds: judged when loaded");
        journal.note(|| Step {
            what: What::FamilyDiscount { count },
            place: Some(discount.place.clone()),
            factor: format!("-{} %", discount.percent),
            amount,
        });
        amount
    }
}
