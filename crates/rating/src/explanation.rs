//! Explanations: calculation steps of a price, with their places in the catalogue.

use std::fmt;

use domain::date::Date;
use domain::health_quote::Outcome;
use domain::language::Text;
use domain::money::{Premium, Rupees, TaxRate};
use domain::quote::NotPriced;
use rust_decimal::Decimal;

use crate::adjustment_kind::AdjustmentKind;
use crate::between::Between;
use crate::family::FamilySize;
use crate::source_location::SourceLocation;

/// Calculation of a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// Steps in order. If there is no price, the last step is the one before the failure.
    pub steps: Vec<Step>,
    /// The price, or the reason why there is none. It always equals the result of `price`.
    pub outcome: Result<Premium, NotPriced>,
}

/// Calculation of a health offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthExplanation {
    /// Calculation for each tenure, shortest first. Empty if there is no offer.
    pub tenures: Vec<TenureExplanation>,
    /// The offer, or the reason why there is none. It always equals the result of `price`.
    pub outcome: Outcome,
}

/// Calculation of the premium of one tenure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenureExplanation {
    pub years: u8,
    pub steps: Vec<Step>,
}

/// One step of a calculation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub kind: StepKind,
    /// Line of the catalogue that the step applies. `None` for a value from the request.
    pub location: Option<SourceLocation>,
    /// Factor as text, such as `+10 %`. Empty if the step has no factor.
    pub factor: String,
    /// Exact amount after this step, in rupees.
    pub amount: Decimal,
}

impl Step {
    /// Amount in rupees with two decimals, or up to four if it is not in whole paise.
    pub fn exact_amount(&self) -> String {
        let amount = self.amount.round_dp(4).normalize();
        if amount.scale() <= 2 { format!("{amount:.2}") } else { amount.to_string() }
    }
}

/// Kind of a step, with its facts. Prints as text for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepKind {
    /// Step that is only described by this text.
    Described(String),
    /// Adds a rate from a table.
    Rate {
        subject: RateSubject,
        /// Age range of the table row, in completed years.
        ages: Between<u16>,
        /// Sum insured of the table row.
        sum_insured: Rupees,
        /// Rate for one year of cover.
        rate: Rupees,
    },
    FamilyDiscount {
        /// Number of family members.
        count: usize,
    },
    Adjustment {
        /// The operator's own name for the step, if any.
        name: Option<Text>,
        kind: AdjustmentKind,
    },
    /// Multiplies by the years of the tenure, less the tenure's discount.
    Tenure {
        /// The operator's own name for the step, if any.
        name: Option<Text>,
        years: u8,
        /// Discount in percent. Zero: no discount.
        discount_percent: Decimal,
    },
    /// Tax, which is either added to the rates or already in them.
    Tax {
        tax: Rupees,
        /// Amount on which the tax is charged.
        base: Rupees,
        /// Whether the rates contain the tax.
        in_rates: bool,
        rate: TaxRate,
    },
    /// Removes the tax of the day `day` from rates that include it.
    TaxTakenOut { tax: Rupees, day: Date },
}

/// Person or family to whom a rate applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateSubject {
    Eldest,
    /// A member who is not the eldest of the family.
    Other,
    /// Any member, if each member has a separate rate.
    Member,
    /// Family of this size, rated by the age of its eldest member.
    Family(FamilySize),
    /// Family of this size with a deductible, rated by the age of its eldest member.
    FamilyAbove(FamilySize, Rupees),
}

impl fmt::Display for RateSubject {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RateSubject::Eldest => to.write_str("The eldest"),
            RateSubject::Other => to.write_str("Another member"),
            RateSubject::Member => to.write_str("A member"),
            RateSubject::Family(size) => write!(to, "Family of {size}, by the eldest member"),
            RateSubject::FamilyAbove(size, deductible) => {
                write!(to, "Family of {size} above a deductible of {deductible}, by the eldest member")
            }
        }
    }
}

impl fmt::Display for StepKind {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepKind::Described(words) => to.write_str(words),
            StepKind::Rate { subject, ages: Between { least, most }, sum_insured, .. } => {
                write!(to, "{subject}, ages {least} to {most}, sum insured {}", sum_insured.grouped())
            }
            StepKind::FamilyDiscount { count } => write!(to, "Discount for a family of {count}"),
            StepKind::Adjustment { name: Some(name), .. } | StepKind::Tenure { name: Some(name), .. } => {
                to.write_str(name.english())
            }
            StepKind::Adjustment { name: None, kind } => to.write_str(kind.label()),
            StepKind::Tenure { name: None, .. } => to.write_str(AdjustmentKind::Tenure.label()),
            StepKind::Tax { base, rate, .. } if rate.is_exempt() => {
                write!(to, "No tax: this class of cover is exempt, on a base of {base}")
            }
            StepKind::Tax { base, rate, .. } if rate.as_percent().is_zero() => {
                write!(to, "No tax: the rate is nil, on a base of {base}")
            }
            StepKind::Tax { tax, base, in_rates, .. } => {
                let how = if *in_rates { "included in the rates" } else { "added" };
                write!(to, "Tax of {tax}, {how}, on a base of {base}")
            }
            StepKind::TaxTakenOut { tax, day } => {
                write!(to, "Less the tax of {tax} that the rates of {day} include")
            }
        }
    }
}

/// Receives the steps of a calculation. The closure that builds a step runs only if the journal stores steps.
pub(crate) trait Journal {
    fn record(&mut self, step: impl FnOnce() -> Step);
}

/// Journal that stores nothing, for a price without an explanation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct NoJournal;

impl Journal for NoJournal {
    fn record(&mut self, _: impl FnOnce() -> Step) {}
}

impl Journal for Vec<Step> {
    fn record(&mut self, step: impl FnOnce() -> Step) {
        self.push(step());
    }
}
