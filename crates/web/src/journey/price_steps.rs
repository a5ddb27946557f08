//! How a price comes about, step by step, in the customer's language.

use std::borrow::Cow;

use domain::language::Text;
use domain::money::Rupees;
use rating::{AdjustmentKind, RateSubject, Step, StepKind};

use super::amount;
use super::words::Words;

/// One step.
pub(crate) struct PriceStep {
    pub(crate) what: String,
    pub(crate) change: String,
    /// In rupees, after it.
    pub(crate) amount: String,
}

impl PriceStep {
    /// The steps that change something, and the tax.
    pub(crate) fn all(words: Words, steps: &[Step]) -> Vec<PriceStep> {
        let mut before = None;
        let mut changes = |step: &&Step| {
            let is_tax = matches!(step.kind, StepKind::Tax { .. });
            let changes = before.replace(step.amount) != Some(step.amount);
            changes || is_tax
        };
        steps.iter().filter(|step| changes(step)).map(|step| PriceStep::of(words, step)).collect()
    }

    /// A step as people read it.
    fn of(words: Words, step: &Step) -> PriceStep {
        let (what, change) = told(words, step);
        let amount = Rupees::nearest(step.amount).map(Rupees::grouped).unwrap_or_default();
        PriceStep { what, change: fit(&change), amount }
    }
}

/// A change as it is written in a table: nothing of it breaks apart.
fn fit(change: &str) -> String {
    let sign = |rest: &str| format!("−{rest}");
    change.strip_prefix('-').map_or_else(|| change.to_owned(), sign).replace(" %", "%")
}

fn told(words: Words, step: &Step) -> (String, String) {
    let named = |name: &Option<Text>, plain: Cow<'static, str>| match name {
        Some(name) => words.of_catalogue(name).to_owned(),
        None => plain.into_owned(),
    };
    match &step.kind {
        StepKind::Described(words) => (words.clone(), step.factor.clone()),
        StepKind::Rate { subject, ages, sum_insured, rate } => {
            let (from, to, sum) = (ages.least, ages.most, amount::sum(words, *sum_insured));
            let what = match subject {
                RateSubject::Eldest => words.step_rate_eldest(from, to, sum),
                RateSubject::Other => words.step_rate_other(from, to, sum),
                RateSubject::Member => words.step_rate_member(from, to, sum),
                RateSubject::Family(_) => words.step_rate_family(from, to, sum),
                RateSubject::FamilyAbove(_, deductible) => {
                    let sum = words.above_deductible(sum, amount::sum(words, *deductible));
                    words.step_rate_family(from, to, sum)
                }
            };
            (what.into_owned(), words.paid_a_year(rate.grouped()).into_owned())
        }
        StepKind::FamilyDiscount { count } => {
            (words.step_family_discount(count).into_owned(), step.factor.clone())
        }
        StepKind::Tenure { name, years, discount_percent } => {
            let change =
                if discount_percent.is_zero() { String::new() } else { format!("−{discount_percent}%") };
            (named(name, words.step_tenure(words.years(*years))), change)
        }
        StepKind::Adjustment { name, kind } => {
            let plain = match kind {
                AdjustmentKind::Loading(_) => words.step_loading(),
                AdjustmentKind::Discount(_) => words.step_discount(),
                AdjustmentKind::Minimum(_) => words.step_minimum(),
                AdjustmentKind::RoundToRupee | AdjustmentKind::RoundToPaisa => words.step_rounding(),
                AdjustmentKind::IllnessLoading => words.step_illnesses(),
                AdjustmentKind::Tenure => words.step_tenure(""),
            };
            let change = match kind {
                AdjustmentKind::Minimum(least) => words.at_least(least.grouped()),
                AdjustmentKind::RoundToRupee => words.to_the_rupee(),
                AdjustmentKind::RoundToPaisa => words.to_the_paisa(),
                _ => step.factor.clone().into(),
            };
            (named(name, plain), change.into_owned())
        }
        StepKind::Tax { rate, .. } if rate.as_percent().is_zero() => {
            (words.step_no_tax().into_owned(), String::new())
        }
        StepKind::Tax { tax, base, in_rates, rate } => {
            let (percent, base) = (rate.as_percent(), base.grouped());
            let what = if *in_rates {
                words.step_tax_within(percent, base)
            } else {
                words.step_tax_added(percent, base)
            };
            (what.into_owned(), if *in_rates { String::new() } else { format!("+{}", tax.grouped()) })
        }
        StepKind::TaxTakenOut { tax, .. } => {
            (words.step_tax_taken_out(tax.grouped()).into_owned(), format!("−{}", tax.grouped()))
        }
    }
}
