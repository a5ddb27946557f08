//! Explanations: the steps that lead to a price, each with its source location.

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

/// The steps to a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The steps, in order. Where there is no price they end before the step that refused it.
    pub steps: Vec<Step>,
    /// The price, or why there is none. It always equals what `price` gives.
    pub outcome: Result<Premium, NotPriced>,
}

/// The steps to an offer of health cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthExplanation {
    /// Each tenure's own steps, shortest first. Empty where nothing is offered.
    pub tenures: Vec<TenureExplanation>,
    /// The offer, or why there is none. It always equals what `price` gives.
    pub outcome: Outcome,
}

/// The steps to the premium of one tenure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenureExplanation {
    pub years: u8,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// One step towards a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it does.
    pub kind: StepKind,
    /// The line of the catalogue that it follows; `None` for a value of the request.
    pub location: Option<SourceLocation>,
    /// Its factor; empty where it has none.
    pub factor: String,
    /// The exact amount in rupees after this step.
    pub amount: Decimal,
}

impl Step {
    /// The amount in rupees, with two decimals or, where it is not whole paise, with up to four.
    pub fn exact_amount(&self) -> String {
        let amount = self.amount.round_dp(4).normalize();
        if amount.scale() <= 2 { format!("{amount:.2}") } else { amount.to_string() }
    }
}

/// What a step does, with its facts. Prints as an operator reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepKind {
    /// Something that only words describe.
    Described(String),
    /// A rate is looked up and added.
    Rate {
        /// Whom it is for.
        subject: RateSubject,
        /// Ages of its row, in completed years.
        ages: Between<u16>,
        /// Sum insured of its row.
        sum_insured: Rupees,
        /// The rate for a year.
        rate: Rupees,
    },
    FamilyDiscount {
        /// The number of its members.
        count: usize,
    },
    /// An adjustment of the product.
    Adjustment {
        /// What the operator calls it, where it has a name.
        name: Option<Text>,
        /// What it does.
        kind: AdjustmentKind,
    },
    /// All years of the tenure, less its discount.
    Tenure {
        /// What the operator calls it, where it has a name.
        name: Option<Text>,
        years: u8,
        /// In percent; zero for none.
        discount_percent: Decimal,
    },
    /// Tax, which is added or included in the rates.
    Tax {
        tax: Rupees,
        /// The amount that is taxed.
        base: Rupees,
        /// Whether the rates include it.
        in_rates: bool,
        rate: TaxRate,
    },
    /// The tax of an earlier day is taken out of the rates.
    TaxTakenOut { tax: Rupees, day: Date },
}

/// The person or family that a rate is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateSubject {
    /// The eldest member.
    Eldest,
    /// A member who is not the eldest.
    Other,
    /// A member, where each has a rate.
    Member,
    /// A family of this size, by the age of its eldest.
    Family(FamilySize),
    /// A family of this size above a deductible, by the age of its eldest.
    FamilyAbove(FamilySize, Rupees),
}

impl fmt::Display for RateSubject {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RateSubject::Eldest => to.write_str("The eldest"),
            RateSubject::Other => to.write_str("Another member"),
            RateSubject::Member => to.write_str("A member"),
            RateSubject::Family(size) => write!(to, "Family of {size}, the eldest"),
            RateSubject::FamilyAbove(size, deductible) => {
                write!(to, "Family of {size} above a deductible of {deductible}, the eldest")
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
                let how = if *in_rates { "in the rates" } else { "added" };
                write!(to, "Tax of {tax}, {how}, on a base of {base}")
            }
            StepKind::TaxTakenOut { tax, day } => {
                write!(to, "Without the tax of {tax} that is in the rates of {day}")
            }
        }
    }
}

/// A record of the steps of a price. A step is made only for a journal that keeps it.
pub(crate) trait Journal {
    fn record(&mut self, step: impl FnOnce() -> Step);
}

/// The journal that keeps nothing, for a price without an explanation.
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
