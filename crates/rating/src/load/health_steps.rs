//! Price steps that only health has. If a price needs such a step, its `steps` must contain the step exactly
//! once.

use super::fact_loadings::{OCCUPATION, TOBACCO, check_of_people};
use super::steps::{OwnStep, check_step};
use crate::adjustment::Adjustments;
use crate::adjustment_kind::AdjustmentKind;
use crate::fact_loadings::FactLoadings;
use crate::parse::document::Section;
use crate::tenure::Tenure;

const ILLNESSES: OwnStep = ("illness_loading", AdjustmentKind::IllnessLoading);
const TENURE: OwnStep = ("tenure", AdjustmentKind::Tenure);
const INSTALMENTS: OwnStep = ("instalment_loading", AdjustmentKind::InstalmentLoading);

/// Price steps that only health has, with their keys.
pub(crate) const OWN: &[OwnStep] = &[ILLNESSES, TENURE, INSTALMENTS, OCCUPATION, TOBACCO];

/// Reports health steps that are missing, repeated or not needed. Pass `None` as `loads_illnesses` or `facts`
/// if that part has faults.
pub(crate) fn check(
    price: &Section<'_>,
    adjustments: &Adjustments,
    tenures: &[Tenure],
    loads_illnesses: Option<bool>,
    facts: Option<&FactLoadings>,
) {
    let check = |step, needed, why, why_not| check_step(price, adjustments, step, needed, why, why_not);
    if let Some(needed) = loads_illnesses {
        check(
            ILLNESSES,
            needed,
            "the product has loadings for illnesses",
            "the product has no loading for illnesses",
        );
    }
    let one_year = tenures == [Tenure::ONE_YEAR];
    check(
        TENURE,
        !one_year,
        "the variant has a tenure of several years, or a tenure discount",
        "the variant is sold only for one year, without a discount",
    );
    if let Some(facts) = facts {
        let instalments = facts.instalments.iter().any(|(_, percent)| !percent.is_zero());
        check(
            INSTALMENTS,
            instalments,
            "the price has loadings for instalments",
            "the price has no loading for instalments",
        );
        check_of_people(price, adjustments, facts);
    }
}
