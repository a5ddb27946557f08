//! Kinds of adjustments: what each does to an amount.

use domain::money::{Rupees, divided};
use rust_decimal::Decimal;

use crate::fact_loadings::FactPercents;
use crate::tenure::Tenure;

/// The highest loading of a catalogue, in percent.
pub(crate) const HIGHEST_LOADING: u32 = 900;
/// The highest discount of a catalogue, in percent: something must be left.
pub(crate) const HIGHEST_DISCOUNT: u32 = 99;

/// What an adjustment does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdjustmentKind {
    /// Adds a percentage of the amount.
    Loading(Decimal),
    /// Takes off a percentage of the amount.
    Discount(Decimal),
    /// Raises the amount to at least this.
    Minimum(Rupees),
    /// Rounds to whole rupees, halves up.
    RoundToRupee,
    /// Rounds to whole paise, halves up.
    RoundToPaisa,
    /// Rounds the total, tax included, to whole rupees, halves up. Nothing falls below a rupee.
    RoundTotalToRupee,
    /// Adds the loading for the illnesses of the insured.
    IllnessLoading,
    /// Adds the loading for paying in instalments.
    InstalmentLoading,
    /// Adds the loading for an occupation in the family.
    OccupationLoading,
    /// Adds the loading for tobacco.
    TobaccoLoading,
    /// Multiplies by the years of the tenure and takes off its discount.
    Tenure,
}

/// What the adjustments depend on, of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Circumstances {
    /// The loading for the illnesses of the insured, in percent.
    pub(crate) illness_percent: Decimal,
    /// The loadings by facts of the family.
    pub(crate) facts: FactPercents,
    /// The tenure that is priced.
    pub(crate) tenure: Tenure,
    /// The discount that the family already has, in percent.
    pub(crate) family_discount: Decimal,
    /// Whether a discount was limited by the most that all may be together.
    pub(crate) is_limited: bool,
}

impl Circumstances {
    /// The circumstances in a line of business without illnesses and tenures.
    pub(crate) const NONE: Circumstances = Circumstances {
        illness_percent: Decimal::ZERO,
        facts: FactPercents { instalments: Decimal::ZERO, occupation: Decimal::ZERO, tobacco: Decimal::ZERO },
        tenure: Tenure::ONE_YEAR,
        family_discount: Decimal::ZERO,
        is_limited: false,
    };
}

impl AdjustmentKind {
    /// The amount after the adjustment. `None` where it exceeds the range of a decimal.
    pub(crate) fn apply(self, amount: Decimal, circumstances: &Circumstances) -> Option<Decimal> {
        match self {
            AdjustmentKind::Loading(percent) => more(amount, percent),
            AdjustmentKind::Discount(percent) => less(amount, percent),
            AdjustmentKind::Minimum(least) => Some(amount.max(least.to_decimal())),
            AdjustmentKind::RoundToRupee => Some(half_up(amount, 0)),
            AdjustmentKind::RoundToPaisa => Some(half_up(amount, 2)),
            AdjustmentKind::RoundTotalToRupee => Some(half_up(amount, 0).max(Decimal::ONE)),
            AdjustmentKind::IllnessLoading => more(amount, circumstances.illness_percent),
            AdjustmentKind::InstalmentLoading => more(amount, circumstances.facts.instalments),
            AdjustmentKind::OccupationLoading => more(amount, circumstances.facts.occupation),
            AdjustmentKind::TobaccoLoading => more(amount, circumstances.facts.tobacco),
            AdjustmentKind::Tenure => {
                let Tenure { years, discount_percent } = circumstances.tenure;
                less(amount.checked_mul(years.into())?, discount_percent)
            }
        }
    }

    /// Its name where the operator gave it none.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            AdjustmentKind::Loading(_) => "Loading",
            AdjustmentKind::Discount(_) => "Discount",
            AdjustmentKind::Minimum(_) => "Minimum premium",
            AdjustmentKind::RoundToRupee | AdjustmentKind::RoundToPaisa => "Rounding",
            AdjustmentKind::RoundTotalToRupee => "Rounding of the total",
            AdjustmentKind::IllnessLoading => "Loading for illnesses",
            AdjustmentKind::InstalmentLoading => "Loading for instalments",
            AdjustmentKind::OccupationLoading => "Loading for an occupation",
            AdjustmentKind::TobaccoLoading => "Loading for tobacco",
            AdjustmentKind::Tenure => "Tenure",
        }
    }

    /// By how much it changes the amount, for an explanation.
    pub(crate) fn factor(self, circumstances: &Circumstances) -> String {
        match self {
            AdjustmentKind::Loading(percent) => format!("+{percent} %"),
            AdjustmentKind::Discount(percent) => format!("-{percent} %"),
            AdjustmentKind::Minimum(least) => format!("at least {least}"),
            AdjustmentKind::RoundToRupee | AdjustmentKind::RoundTotalToRupee => {
                "to the rupee, half up".to_owned()
            }
            AdjustmentKind::RoundToPaisa => "to the paisa, half up".to_owned(),
            AdjustmentKind::IllnessLoading => format!("+{} %", circumstances.illness_percent),
            AdjustmentKind::InstalmentLoading => format!("+{} %", circumstances.facts.instalments),
            AdjustmentKind::OccupationLoading => format!("+{} %", circumstances.facts.occupation),
            AdjustmentKind::TobaccoLoading => format!("+{} %", circumstances.facts.tobacco),
            AdjustmentKind::Tenure => {
                let Tenure { years, discount_percent } = circumstances.tenure;
                let years = if years == 1 { "1 year".to_owned() } else { format!("{years} years") };
                if discount_percent.is_zero() { years } else { format!("{years}, -{discount_percent} %") }
            }
        }
    }
}

/// The amount and a percentage of it, exactly.
fn more(amount: Decimal, percent: Decimal) -> Option<Decimal> {
    amount.checked_mul(Decimal::ONE + hundredth(percent))
}

/// The amount less a percentage of it, exactly.
pub(crate) fn less(amount: Decimal, percent: Decimal) -> Option<Decimal> {
    amount.checked_mul(Decimal::ONE - hundredth(percent))
}

/// A percentage as a fraction, exactly.
fn hundredth(percent: Decimal) -> Decimal {
    percent * Decimal::new(1, 2)
}

/// The amount rounded to a number of decimals, halves up. Premiums are never negative.
fn half_up(amount: Decimal, places: u32) -> Decimal {
    match amount.scale().checked_sub(places) {
        // By whole numbers, which takes a fraction of the time that rounding a decimal takes.
        Some(surplus) => {
            Decimal::from_i128_with_scale(divided(amount.mantissa(), 10_i128.pow(surplus)), places)
        }
        None => amount,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal::RoundingStrategy;

    use super::*;

    proptest! {
        #[test]
        fn an_amount_is_rounded_as_decimals_round(
            mantissa in prop_oneof![0..2000_i64, 0..i64::MAX],
            factor in prop_oneof![Just(1_i64), 0..i64::MAX],
            scale in 0..=28_u32,
            places in prop_oneof![Just(0_u32), Just(2)],
        ) {
            let wide = i128::from(mantissa) * i128::from(factor) % (1 << 96);
            let amount = Decimal::from_i128_with_scale(wide, scale);
            let rounded = amount.round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero);
            prop_assert_eq!(half_up(amount, places).to_string(), rounded.to_string());
        }
    }
}
