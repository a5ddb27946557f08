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

impl Adjustments {
    /// The amount after all adjustments. `None` where it exceeds the range of a decimal.
    pub(crate) fn apply(
        &self,
        amount: Decimal,
        circumstances: &Circumstances,
        journal: &mut impl Journal,
    ) -> Option<Decimal> {
        self.list.iter().try_fold(amount, |amount, adjustment| {
            let amount = adjustment.kind.apply(amount, circumstances)?;
            journal.record(|| {
                let name = adjustment.name.clone();
                let step_kind = match adjustment.kind {
                    AdjustmentKind::Tenure => {
                        let Tenure { years, discount_percent } = circumstances.tenure;
                        StepKind::Tenure { name, years, discount_percent }
                    }
                    kind => StepKind::Adjustment { name, kind },
                };
                let location = SourceLocation { file: self.file.clone(), line: adjustment.line };
                let factor = adjustment.kind.factor(circumstances);
                Step { kind: step_kind, location: Some(location), factor, amount }
            });
            Some(amount)
        })
    }
}
