//! Explanations: the steps that lead to a price, each with the row it came from.

use std::fmt;
use std::sync::Arc;

use domain::date::Date;
use domain::health_quote::Outcome;
use domain::language::Text;
use domain::money::{Premium, Rupees, TaxRate};
use domain::quote::NotPriced;
use rust_decimal::Decimal;

use crate::adjustment_kind::AdjustmentKind;
use crate::between::Between;
use crate::family::FamilySize;

/// How a price came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The steps taken, in order. Where there is no price they end at the step that refused it.
    pub steps: Vec<Step>,
    /// The price, or why there is none: always what `price` says.
    pub outcome: Result<Premium, NotPriced>,
}

/// How an offer of health cover came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthExplanation {
    /// Each tenure's own steps, shortest first. Empty where nothing is offered.
    pub tenures: Vec<TenureExplanation>,
    /// The offer, or why there is none: always what `price` says.
    pub outcome: Outcome,
}

/// How the premium of one tenure came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenureExplanation {
    /// Years.
    pub years: u8,
    /// The steps taken, in order.
    pub steps: Vec<Step>,
}

/// One step towards a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What is done.
    pub what: What,
    /// Where the catalogue says so; `None` for what came with the request.
    pub place: Option<Place>,
    /// By which factor; empty where there is none.
    pub factor: String,
    /// The amount in rupees after this step, exactly.
    pub amount: Decimal,
}

/// What a step does, in facts. Prints as an operator reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// Something that has no facts but its words.
    Told(String),
    /// A rate is looked up and added.
    Rate {
        /// Whose.
        whose: Whose,
        /// Ages of its row, in completed years.
        ages: Between<u16>,
        /// Sum insured of its row.
        sum_insured: Rupees,
        /// The rate for a year.
        rate: Rupees,
    },
    /// The discount of a family of so many.
    FamilyDiscount {
        /// How many.
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
        /// Years.
        years: u8,
        /// In percent; zero for none.
        discount_percent: Decimal,
    },
    /// Tax, added or found in the rates.
    Tax {
        /// The tax.
        tax: Rupees,
        /// What it is of.
        base: Rupees,
        /// Whether the rates had it in them.
        in_rates: bool,
        /// Its rate.
        rate: TaxRate,
    },
    /// The tax of an earlier day, which was in the rates, is taken out.
    TaxTakenOut {
        /// The tax.
        tax: Rupees,
        /// The day.
        day: Date,
    },
}

/// Whose rate it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// That of the eldest.
    Eldest,
    /// That of another than the eldest.
    Other,
    /// That of each member.
    Member,
    /// That of a family of so many, by the age of its eldest.
    Family(FamilySize),
    /// The same above a deductible.
    FamilyAbove(FamilySize, Rupees),
}

impl fmt::Display for Whose {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Whose::Eldest => to.write_str("The eldest"),
            Whose::Other => to.write_str("Another member"),
            Whose::Member => to.write_str("A member"),
            Whose::Family(size) => write!(to, "Family of {size}, the eldest"),
            Whose::FamilyAbove(size, deductible) => {
                write!(to, "Family of {size} above a deductible of {deductible}, the eldest")
            }
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Told(words) => to.write_str(words),
            What::Rate { whose, ages: Between { least, most }, sum_insured, .. } => {
                write!(to, "{whose}, ages {least} to {most}, sum insured {}", sum_insured.grouped())
            }
            What::FamilyDiscount { count } => write!(to, "Discount for a family of {count}"),
            What::Adjustment { name: Some(name), .. } | What::Tenure { name: Some(name), .. } => {
                to.write_str(name.english())
            }
            What::Adjustment { name: None, kind } => to.write_str(kind.what()),
            What::Tenure { name: None, .. } => to.write_str(AdjustmentKind::Tenure.what()),
            What::Tax { tax, base, in_rates, .. } => {
                let how = if *in_rates { "in the rates" } else { "added" };
                write!(to, "Tax of {tax}, {how}, on a base of {base}")
            }
            What::TaxTakenOut { tax, day } => {
                write!(to, "Without the tax of {tax} that is in the rates of {day}")
            }
        }
    }
}

/// A line of a file of the catalogue. Prints as `file:line`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Path of the file inside the catalogue.
    pub file: Arc<str>,
    /// Line in it, counted from 1.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}:{}", self.file, self.line)
    }
}

/// What pricing tells its steps to. The steps are only made for a journal that keeps them.
pub(crate) trait Journal {
    /// Keeps a step, or not.
    fn note(&mut self, step: impl FnOnce() -> Step);
}

/// The journal of a price that nobody asked to explain.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Unwritten;

impl Journal for Unwritten {
    fn note(&mut self, _: impl FnOnce() -> Step) {}
}

impl Journal for Vec<Step> {
    fn note(&mut self, step: impl FnOnce() -> Step) {
        self.push(step());
    }
}
