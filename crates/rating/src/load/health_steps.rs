//! The steps that only health has, each of which stands once in the `steps` of a price that needs it.

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

/// The steps that only health has, with their keys.
pub(crate) const OWN: &[OwnStep] = &[ILLNESSES, TENURE, INSTALMENTS, OCCUPATION, TOBACCO];

/// Reports steps of health that are missing, repeated or not needed. `loads_illnesses` and `facts` are `None` where they
/// have faults.
pub(crate) fn check(
    price: &Section<'_>,
    adjustments: &Adjustments,
    tenures: &[Tenure],
    loads_illnesses: Option<bool>,
    facts: Option<&FactLoadings>,
) {
    let check = |step, needed, why, why_not| check_step(price, adjustments, step, needed, why, why_not);
    if let Some(needed) = loads_illnesses {
        check(ILLNESSES, needed, "the product loads illnesses", "the product loads no illness");
    }
    let one_year = tenures == [Tenure::ONE_YEAR];
    check(
        TENURE,
        !one_year,
        "the variant has tenures to price",
        "the variant is sold for one year at its full price alone",
    );
    if let Some(facts) = facts {
        let instalments = facts.instalments.iter().any(|(_, percent)| !percent.is_zero());
        check(INSTALMENTS, instalments, "the price loads instalments", "the price loads no instalments");
        check_of_people(price, adjustments, facts);
    }
}
