//! Joint life: two people on one certificate with one price (D76).

use std::sync::Arc;

use rust_decimal::Decimal;

use crate::explanation::{Journal, Step, StepKind};
use crate::source_location::SourceLocation;

/// Pricing of a second life, with its place in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Joint {
    pub(crate) kind: JointKind,
    /// Path of the product's file in the catalogue.
    pub(crate) file: Arc<str>,
    /// Line of the key `joint` in this file.
    pub(crate) line: usize,
}

/// How two lives are priced together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JointKind {
    /// One rate, by the age of the elder person.
    Elder,
    /// One rate for each person. The price is this percentage of the sum of both rates.
    Both(Decimal),
}

impl Joint {
    /// Adds a step to the explanation: the elder person's age decides the rate.
    pub(crate) fn record_elder(&self, age: u16, amount: Decimal, journal: &mut impl Journal) {
        journal.record(|| self.step("Two lives: the elder's age decides", format!("{age} years"), amount));
    }

    /// Charged percentage of the sum of both rates. `None` if the amount exceeds the range of `Decimal`.
    pub(crate) fn of_both(
        &self,
        sum: Decimal,
        percent: Decimal,
        journal: &mut impl Journal,
    ) -> Option<Decimal> {
        let amount = sum.checked_mul(percent * Decimal::new(1, 2))?;
        journal.record(|| {
            self.step("Two lives, each at full cover", format!("{percent} % of both rates"), amount)
        });
        Some(amount)
    }

    fn step(&self, words: &str, factor: String, amount: Decimal) -> Step {
        let location = SourceLocation { file: self.file.clone(), line: self.line };
        Step { kind: StepKind::Described(words.to_owned()), location: Some(location), factor, amount }
    }
}
