//! Explanations: the steps that lead to a price, each with the row it came from.

use std::fmt;
use std::sync::Arc;

use domain::health_quote::Outcome;
use domain::money::Premium;
use domain::quote::NotPriced;
use rust_decimal::Decimal;

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
    pub what: String,
    /// Where the catalogue says so; `None` for what came with the request.
    pub place: Option<Place>,
    /// By which factor; empty where there is none.
    pub factor: String,
    /// The amount in rupees after this step, exactly.
    pub amount: Decimal,
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
