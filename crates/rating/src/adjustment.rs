//! Adjustments of a premium, which follow the rate in the order of the product's file.

use std::sync::Arc;

use domain::language::Text;
use rust_decimal::Decimal;

use crate::adjustment_kind::{AdjustmentKind, Circumstances};
use crate::explanation::{Journal, Step, StepKind};
use crate::source_location::SourceLocation;
use crate::tenure::Tenure;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adjustments {
    /// Path of the product's file in the catalogue.
    pub(crate) file: Arc<str>,
    pub(crate) list: Vec<Adjustment>,
    /// Limit of the sum of all discounts. `None`: no limit.
    pub(crate) cap: Option<DiscountCap>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adjustment {
    pub(crate) kind: AdjustmentKind,
    /// The operator's own name for the adjustment, if any.
    pub(crate) name: Option<Text>,
    /// Line of the adjustment in the product's file.
    pub(crate) line: usize,
}

/// Limit of the sum of all discounts of a price (D72).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DiscountCap {
    /// Largest sum of all discounts, in percent.
    pub(crate) most: Decimal,
    /// Line of the limit in the product's file.
    pub(crate) line: usize,
}

impl Adjustments {
    /// Returns the amount after all adjustments. `None` if an amount exceeds the range of `Decimal`.
    pub(crate) fn apply(
        &self,
        amount: Decimal,
        circumstances: &Circumstances,
        journal: &mut impl Journal,
    ) -> Option<Decimal> {
        let Some(cap) = &self.cap else {
            return self.list.iter().try_fold(amount, |amount, adjustment| {
                let amount = adjustment.kind.apply(amount, circumstances)?;
                journal.record(|| self.step(adjustment, adjustment.kind, circumstances, amount));
                Some(amount)
            });
        };
        let mut left = cap.most - circumstances.family_discount;
        self.list.iter().try_fold(amount, |amount, adjustment| {
            let (kind, circumstances) = limited(adjustment.kind, *circumstances, &mut left);
            let amount = kind.apply(amount, &circumstances)?;
            journal.record(|| self.step(adjustment, kind, &circumstances, amount));
            if circumstances.is_limited {
                journal.record(|| self.step_of_cap(cap, amount));
            }
            Some(amount)
        })
    }

    /// Explanation step of an applied adjustment.
    fn step(
        &self,
        adjustment: &Adjustment,
        kind: AdjustmentKind,
        circumstances: &Circumstances,
        amount: Decimal,
    ) -> Step {
        let name = adjustment.name.clone();
        let step_kind = match kind {
            AdjustmentKind::Tenure => {
                let Tenure { years, discount_percent } = circumstances.tenure;
                StepKind::Tenure { name, years, discount_percent }
            }
            kind => StepKind::Adjustment { name, kind },
        };
        let factor = kind.factor(circumstances);
        Step { kind: step_kind, location: Some(self.location(adjustment.line)), factor, amount }
    }

    /// Explanation step which says that the limit of all discounts reduced the previous discount.
    fn step_of_cap(&self, cap: &DiscountCap, amount: Decimal) -> Step {
        let words = "Discount limited: all discounts together have a maximum".to_owned();
        let factor = format!("at most {} %", cap.most);
        Step { kind: StepKind::Described(words), location: Some(self.location(cap.line)), factor, amount }
    }

    fn location(&self, line: usize) -> SourceLocation {
        SourceLocation { file: self.file.clone(), line }
    }
}

/// Reduces a discount to `left`, the percentage that the limit of all discounts still allows. Then reduces
/// `left`.
fn limited(
    kind: AdjustmentKind,
    mut circumstances: Circumstances,
    left: &mut Decimal,
) -> (AdjustmentKind, Circumstances) {
    let wanted = match kind {
        AdjustmentKind::Discount(percent) => percent,
        AdjustmentKind::Tenure => circumstances.tenure.discount_percent,
        _ => return (kind, circumstances),
    };
    let taken = wanted.min(*left);
    *left -= taken;
    circumstances.is_limited = taken < wanted;
    circumstances.tenure.discount_percent = taken;
    let kind = if kind == AdjustmentKind::Tenure { kind } else { AdjustmentKind::Discount(taken) };
    (kind, circumstances)
}
