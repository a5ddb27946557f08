//! Adjustments: what changes a premium after its rate, in the operator's order.

use std::sync::Arc;

use domain::language::Text;
use rust_decimal::Decimal;

use crate::adjustment_kind::{AdjustmentKind, Circumstances};
use crate::explanation::{Journal, Step, StepKind};
use crate::source_location::SourceLocation;
use crate::tenure::Tenure;

/// The adjustments of a price, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adjustments {
    /// The product's file.
    pub(crate) file: Arc<str>,
    pub(crate) list: Vec<Adjustment>,
    /// The most that all discounts may be together; `None` for no limit.
    pub(crate) cap: Option<DiscountCap>,
}

/// One adjustment, with its line in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adjustment {
    /// What it does.
    pub(crate) kind: AdjustmentKind,
    /// The operator's name for it.
    pub(crate) name: Option<Text>,
    /// Line in the product's file.
    pub(crate) line: usize,
}

/// The most that all discounts of a price may be together (D72).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DiscountCap {
    /// In percent.
    pub(crate) most: Decimal,
    /// Line in the product's file.
    pub(crate) line: usize,
}

impl Adjustments {
    /// The amount after all adjustments. `None` where it exceeds the range of a decimal.
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

    /// The step of an adjustment that was applied.
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

    /// The step that says that the discount before it was limited.
    fn step_of_cap(&self, cap: &DiscountCap, amount: Decimal) -> Step {
        let words = "The discount was limited: all discounts together have a most".to_owned();
        let factor = format!("at most {} %", cap.most);
        Step { kind: StepKind::Described(words), location: Some(self.location(cap.line)), factor, amount }
    }

    fn location(&self, line: usize) -> SourceLocation {
        SourceLocation { file: self.file.clone(), line }
    }
}

/// An adjustment whose discount is no more than what is left of the most, in percent.
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
