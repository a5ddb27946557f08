//! Kinds of adjustments: what each does to an amount.

use domain::money::Rupees;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::tenure::Tenure;

/// The highest loading of a catalogue, in percent.
pub(crate) const HIGHEST_LOADING: u32 = 900;
/// The highest discount of a catalogue, in percent: something must be left.
pub(crate) const HIGHEST_DISCOUNT: u32 = 99;

/// What an adjustment does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdjustmentKind {
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
    /// More by what the illnesses of the insured ask.
    IllnessLoading,
    /// All years of the tenure, less its discount.
    Tenure,
}

/// What a request brings to the adjustments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Circumstances {
    /// What the illnesses of the insured ask, in percent.
    pub(crate) illness_percent: Decimal,
    /// The tenure that is priced.
    pub(crate) tenure: Tenure,
}

impl Circumstances {
    /// Those of a line of business that knows neither illnesses nor tenures.
    pub(crate) const NONE: Circumstances =
        Circumstances { illness_percent: Decimal::ZERO, tenure: Tenure::ONE_YEAR };
}

impl AdjustmentKind {
    /// The amount after it. `None` beyond what can be counted.
    pub(crate) fn apply(self, amount: Decimal, circumstances: &Circumstances) -> Option<Decimal> {
        match self {
            AdjustmentKind::Loading(percent) => more(amount, percent),
            AdjustmentKind::Discount(percent) => less(amount, percent),
            AdjustmentKind::Minimum(least) => Some(amount.max(least.to_decimal())),
            AdjustmentKind::RoundToRupee => Some(half_up(amount, 0)),
            AdjustmentKind::RoundToPaisa => Some(half_up(amount, 2)),
            AdjustmentKind::IllnessLoading => more(amount, circumstances.illness_percent),
            AdjustmentKind::Tenure => {
                let Tenure { years, discount_percent } = circumstances.tenure;
                less(amount.checked_mul(years.into())?, discount_percent)
            }
        }
    }

    /// What it is called where the operator gave it no name.
    pub(crate) const fn what(self) -> &'static str {
        match self {
            AdjustmentKind::Loading(_) => "Loading",
            AdjustmentKind::Discount(_) => "Discount",
            AdjustmentKind::Minimum(_) => "Minimum premium",
            AdjustmentKind::RoundToRupee | AdjustmentKind::RoundToPaisa => "Rounding",
            AdjustmentKind::IllnessLoading => "Loading for illnesses",
            AdjustmentKind::Tenure => "Tenure",
        }
    }

    /// By how much.
    pub(crate) fn factor(self, circumstances: &Circumstances) -> String {
        match self {
            AdjustmentKind::Loading(percent) => format!("+{percent} %"),
            AdjustmentKind::Discount(percent) => format!("-{percent} %"),
            AdjustmentKind::Minimum(least) => format!("at least {least}"),
            AdjustmentKind::RoundToRupee => "to the rupee, half up".to_owned(),
            AdjustmentKind::RoundToPaisa => "to the paisa, half up".to_owned(),
            AdjustmentKind::IllnessLoading => format!("+{} %", circumstances.illness_percent),
            AdjustmentKind::Tenure => {
                let Tenure { years, discount_percent } = circumstances.tenure;
                let years = if years == 1 { "1 year".to_owned() } else { format!("{years} years") };
                if discount_percent.is_zero() { years } else { format!("{years}, -{discount_percent} %") }
            }
        }
    }
}

/// So many percent more, exactly.
fn more(amount: Decimal, percent: Decimal) -> Option<Decimal> {
    amount.checked_mul(Decimal::ONE + hundredth(percent))
}

/// So many percent less, exactly.
pub(crate) fn less(amount: Decimal, percent: Decimal) -> Option<Decimal> {
    amount.checked_mul(Decimal::ONE - hundredth(percent))
}

/// So many percent as a part of one, exactly.
fn hundredth(percent: Decimal) -> Decimal {
    percent * Decimal::new(1, 2)
}

/// To so many decimals, halves up. Premiums are never negative.
fn half_up(amount: Decimal, places: u32) -> Decimal {
    amount.round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero)
}
