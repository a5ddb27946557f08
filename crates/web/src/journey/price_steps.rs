//! Calculation steps of a price, described in the customer's language.

use domain::language::Text;
use domain::money::Rupees;
use rating::{AdjustmentKind, RateSubject, Step, StepKind};

use super::words::Words;

pub(crate) struct PriceStep {
    pub(crate) what: String,
    pub(crate) change: String,
    /// Amount after this step, in rupees.
    pub(crate) amount: String,
}

impl PriceStep {
    /// Describes the steps that change the amount, and the tax.
    pub(crate) fn all(words: &Words, steps: &[Step]) -> Vec<PriceStep> {
        let mut before = None;
        let mut changes = |step: &&Step| {
            let is_tax = matches!(step.kind, StepKind::Tax { .. });
            let changes = before.replace(step.amount) != Some(step.amount);
            changes || is_tax
        };
        steps.iter().filter(|step| changes(step)).map(|step| PriceStep::of(words, step)).collect()
    }

    /// Describes one step in the customer's language.
    fn of(words: &Words, step: &Step) -> PriceStep {
        let (what, change) = describe(words, step);
        let amount = Rupees::nearest(step.amount).map(Rupees::grouped).unwrap_or_default();
        PriceStep { what, change: unbreakable(&change), amount }
    }
}

/// Replaces hyphens and spaces in a change such as `+10 %`, so that no line breaks inside it.
fn unbreakable(change: &str) -> String {
    let sign = |rest: &str| format!("−{rest}");
    change.strip_prefix('-').map_or_else(|| change.to_owned(), sign).replace(" %", "%")
}

/// Description of a step, and the change that it makes.
fn describe(words: &Words, step: &Step) -> (String, String) {
    let named = |name: &Option<Text>, plain: String| match name {
        Some(name) => name.in_language(words.language).to_owned(),
        None => plain,
    };
    let steps = &words.price_steps;
    match &step.kind {
        StepKind::Described(described) => (described.clone(), step.factor.clone()),
        StepKind::Rate { subject, ages, sum_insured, rate } => {
            let (from, to, sum) = (ages.least, ages.most, words.sum(*sum_insured));
            let what = match subject {
                RateSubject::Eldest => (steps.rate_eldest)(from, to, &sum),
                RateSubject::Other => (steps.rate_other)(from, to, &sum),
                RateSubject::Member => (steps.rate_member)(from, to, &sum),
                RateSubject::Family(_) => (steps.rate_family)(from, to, &sum),
                RateSubject::FamilyAbove(_, deductible) => {
                    let sum = (words.plans.above_deductible)(&sum, &words.sum(*deductible));
                    (steps.rate_family)(from, to, &sum)
                }
            };
            (what, (steps.paid_a_year)(&rate.grouped()))
        }
        StepKind::FamilyDiscount { count } => ((steps.family_discount)(*count), step.factor.clone()),
        StepKind::Tenure { name, years, discount_percent } => {
            let change =
                if discount_percent.is_zero() { String::new() } else { format!("−{discount_percent}%") };
            (named(name, (steps.tenure)(&(words.format.years)(*years))), change)
        }
        StepKind::Adjustment { name, kind } => {
            let plain = match kind {
                AdjustmentKind::Loading(_)
                | AdjustmentKind::InstalmentLoading
                | AdjustmentKind::OccupationLoading
                | AdjustmentKind::TobaccoLoading => steps.loading.to_owned(),
                AdjustmentKind::Discount(_) => steps.discount.to_owned(),
                AdjustmentKind::Minimum(_) => steps.minimum.to_owned(),
                AdjustmentKind::RoundToRupee
                | AdjustmentKind::RoundToPaisa
                | AdjustmentKind::RoundTotalToRupee => steps.rounding.to_owned(),
                AdjustmentKind::IllnessLoading => steps.illnesses.to_owned(),
                AdjustmentKind::Tenure => (steps.tenure)(""),
            };
            let change = match kind {
                AdjustmentKind::Minimum(least) => (steps.at_least)(&least.grouped()),
                AdjustmentKind::RoundToRupee | AdjustmentKind::RoundTotalToRupee => {
                    steps.to_the_rupee.to_owned()
                }
                AdjustmentKind::RoundToPaisa => steps.to_the_paisa.to_owned(),
                _ => step.factor.clone(),
            };
            (named(name, plain), change)
        }
        StepKind::Tax { rate, .. } if rate.is_exempt() => (steps.exempt.to_owned(), String::new()),
        StepKind::Tax { rate, .. } if rate.as_percent().is_zero() => (steps.no_tax.to_owned(), String::new()),
        StepKind::Tax { tax, base, in_rates, rate } => {
            let (percent, base) = (rate.as_percent(), base.grouped());
            let what = if *in_rates {
                (steps.tax_within)(percent, &base)
            } else {
                (steps.tax_added)(percent, &base)
            };
            (what, if *in_rates { String::new() } else { format!("+{}", tax.grouped()) })
        }
        StepKind::TaxTakenOut { tax, .. } => {
            ((steps.tax_taken_out)(&tax.grouped()), format!("−{}", tax.grouped()))
        }
    }
}
