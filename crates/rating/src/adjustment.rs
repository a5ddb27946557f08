//! Adjustments: what is done to a premium after its rate, in the operator's order.

use std::sync::Arc;

use domain::language::Text;
use rust_decimal::Decimal;

use crate::adjustment_kind::{AdjustmentKind, Circumstances};
use crate::explanation::{Journal, Place, Step, What};
use crate::tenure::Tenure;

/// The adjustments of a price, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adjustments {
    /// The product's file.
    pub(crate) file: Arc<str>,
    pub(crate) list: Vec<Adjustment>,
}

/// One adjustment, with the line that asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adjustment {
    /// What it does.
    pub(crate) kind: AdjustmentKind,
    /// Why, in the operator's words.
    pub(crate) name: Option<Text>,
    /// Line in the product's file.
    pub(crate) line: usize,
}

impl Adjustments {
    /// The amount after all of them. `None` beyond what can be counted.
    pub(crate) fn apply(
        &self,
        amount: Decimal,
        circumstances: &Circumstances,
        journal: &mut impl Journal,
    ) -> Option<Decimal> {
        self.list.iter().try_fold(amount, |amount, adjustment| {
            let amount = adjustment.kind.apply(amount, circumstances)?;
            journal.note(|| {
                let name = adjustment.name.clone();
                let what = match adjustment.kind {
                    AdjustmentKind::Tenure => {
                        let Tenure { years, discount_percent } = circumstances.tenure;
                        What::Tenure { name, years, discount_percent }
                    }
                    kind => What::Adjustment { name, kind },
                };
                let place = Place { file: self.file.clone(), line: adjustment.line };
                let factor = adjustment.kind.factor(circumstances);
                Step { what, place: Some(place), factor, amount }
            });
            Some(amount)
        })
    }
}
