//! The steps that only health has, each of which stands once in the `steps` of a price that needs it.

use super::steps::OwnStep;
use crate::adjustment::Adjustments;
use crate::adjustment_kind::AdjustmentKind;
use crate::fact_loadings::FactLoadings;
use crate::parse::document::Section;
use crate::tenure::Tenure;

const ILLNESSES: OwnStep = ("illness_loading", AdjustmentKind::IllnessLoading);
const TENURE: OwnStep = ("tenure", AdjustmentKind::Tenure);
const INSTALMENTS: OwnStep = ("instalment_loading", AdjustmentKind::InstalmentLoading);
const OCCUPATION: OwnStep = ("occupation_loading", AdjustmentKind::OccupationLoading);
const TOBACCO: OwnStep = ("tobacco_loading", AdjustmentKind::TobaccoLoading);

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
        let occupations = !facts.occupations.is_empty();
        check(OCCUPATION, occupations, "the price loads occupations", "the price loads no occupation");
        let tobacco = !facts.tobacco.is_zero();
        check(TOBACCO, tobacco, "the price loads tobacco", "the price does not load tobacco");
    }
}

/// Reports a needed step that is not there exactly once, or a step that is not needed.
fn check_step(
    price: &Section<'_>,
    adjustments: &Adjustments,
    (key, kind): OwnStep,
    needed: bool,
    why: &str,
    why_not: &str,
) {
    let report = |what: String| price.report("steps", format!("The step {{ {key} = true }} {what}."));
    match (adjustments.list.iter().filter(|step| step.kind == kind).count(), needed) {
        (1, true) | (0, false) => {}
        (0, true) => report(format!("is missing: {why}")),
        (_, true) => report("must be there exactly once".to_owned()),
        (_, false) => report(format!("is not needed: {why_not}")),
    }
}
