//! Kinds of adjustments of a premium.

use domain::money::{Rupees, divided};
use rust_decimal::Decimal;

use crate::fact_loadings::FactPercents;
use crate::tenure::Tenure;

/// Highest loading that a catalogue may have, in percent.
pub(crate) const HIGHEST_LOADING: u32 = 900;
/// Highest discount that a catalogue may have, in percent. Below 100, so that prices stay above zero.
pub(crate) const HIGHEST_DISCOUNT: u32 = 99;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdjustmentKind {
    /// Adds a percentage of the amount.
    Loading(Decimal),
    /// Subtracts a percentage of the amount.
    Discount(Decimal),
    /// Raises the amount to at least this value.
    Minimum(Rupees),
    /// Rounds to whole rupees, halves up.
    RoundToRupee,
    /// Rounds to whole paise, halves up.
    RoundToPaisa,
    /// Rounds the total with tax to whole rupees, halves up, and to at least one rupee.
    RoundTotalToRupee,
    /// Adds the loading for the illnesses of the insured people.
    IllnessLoading,
    /// Adds the loading for paying in instalments.
    InstalmentLoading,
    /// Adds the loading for an occupation in the family.
    OccupationLoading,
    /// Adds the loading for tobacco.
    TobaccoLoading,
    /// Multiplies by the years of the tenure, then subtracts the tenure's discount.
    Tenure,
}

/// Facts of one request on which adjustments depend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Circumstances {
    /// Loading for illnesses of the insured people, in percent.
    pub(crate) illness_percent: Decimal,
    /// Loadings for facts about the family, such as tobacco.
    pub(crate) facts: FactPercents,
    pub(crate) tenure: Tenure,
    /// Family discount that the rate already contains, in percent.
    pub(crate) family_discount: Decimal,
    /// Whether the limit of all discounts reduced the discount.
    pub(crate) is_limited: bool,
}

impl Circumstances {
    /// Circumstances for lines of business without illnesses and tenures.
    pub(crate) const NONE: Circumstances = Circumstances {
        illness_percent: Decimal::ZERO,
        facts: FactPercents { instalments: Decimal::ZERO, occupation: Decimal::ZERO, tobacco: Decimal::ZERO },
        tenure: Tenure::ONE_YEAR,
        family_discount: Decimal::ZERO,
        is_limited: false,
    };
}

impl AdjustmentKind {
    /// Returns the adjusted amount. `None` if the amount exceeds the range of `Decimal`.
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

    /// Name of the adjustment in explanations, if the operator gave it no name.
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

    /// Change of the amount as an explanation prints it, such as `+10 %`.
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

/// Adds a percentage to the amount, exactly.
fn more(amount: Decimal, percent: Decimal) -> Option<Decimal> {
    amount.checked_mul(Decimal::ONE + hundredth(percent))
}

/// Subtracts a percentage from the amount, exactly.
pub(crate) fn less(amount: Decimal, percent: Decimal) -> Option<Decimal> {
    amount.checked_mul(Decimal::ONE - hundredth(percent))
}

/// Converts a percentage to a fraction, exactly.
fn hundredth(percent: Decimal) -> Decimal {
    percent * Decimal::new(1, 2)
}

/// Rounds to a number of decimals, halves up. The amount must not be negative.
fn half_up(amount: Decimal, places: u32) -> Decimal {
    match amount.scale().checked_sub(places) {
        // Integer division is much faster than `Decimal::round_dp_with_strategy`.
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
        fn amounts_are_rounded_half_up_as_the_decimal_library_rounds_them(
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
