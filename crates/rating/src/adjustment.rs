//! Adjustments: what is done to a premium after its rate, in the operator's order.

use domain::money::Rupees;
use rust_decimal::{Decimal, RoundingStrategy};

/// One adjustment, with the line that asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Adjustment {
    /// What it does.
    pub(crate) kind: AdjustmentKind,
    /// Why, in the operator's words. May be empty.
    pub(crate) name: String,
    /// Line in the product's file.
    pub(crate) line: usize,
}

/// What an adjustment does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AdjustmentKind {
    /// So many percent more.
    Loading(Decimal),
    /// So many percent less.
    Discount(Decimal),
    /// No less than this.
    Minimum(Rupees),
    /// To a whole number of rupees, halves up.
    RoundToRupee,
    /// To a whole number of paise, halves up.
    RoundToPaisa,
}

impl AdjustmentKind {
    /// The amount after it. `None` beyond what can be counted.
    pub(crate) fn apply(self, amount: Decimal) -> Option<Decimal> {
        match self {
            AdjustmentKind::Loading(percent) => amount.checked_mul(Decimal::ONE + hundredth(percent)),
            AdjustmentKind::Discount(percent) => amount.checked_mul(Decimal::ONE - hundredth(percent)),
            AdjustmentKind::Minimum(least) => Some(amount.max(least.to_decimal())),
            AdjustmentKind::RoundToRupee => Some(half_up(amount, 0)),
            AdjustmentKind::RoundToPaisa => Some(half_up(amount, 2)),
        }
    }

    /// What it is called where the operator gave it no name.
    pub(crate) const fn what(self) -> &'static str {
        match self {
            AdjustmentKind::Loading(_) => "Loading",
            AdjustmentKind::Discount(_) => "Discount",
            AdjustmentKind::Minimum(_) => "Minimum premium",
            AdjustmentKind::RoundToRupee | AdjustmentKind::RoundToPaisa => "Rounding",
        }
    }

    /// By how much.
    pub(crate) fn factor(self) -> String {
        match self {
            AdjustmentKind::Loading(percent) => format!("+{percent} %"),
            AdjustmentKind::Discount(percent) => format!("-{percent} %"),
            AdjustmentKind::Minimum(least) => format!("at least {least}"),
            AdjustmentKind::RoundToRupee => "to the rupee, half up".to_owned(),
            AdjustmentKind::RoundToPaisa => "to the paisa, half up".to_owned(),
        }
    }
}

/// So many percent as a part of one, exactly.
fn hundredth(percent: Decimal) -> Decimal {
    percent * Decimal::new(1, 2)
}

/// To so many decimals, halves up. Premiums are never negative.
fn half_up(amount: Decimal, places: u32) -> Decimal {
    amount.round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero)
}
