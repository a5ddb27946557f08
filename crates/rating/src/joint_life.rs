//! Joint life: two people who are insured by one certificate and priced together (D76).

use std::sync::Arc;

use rust_decimal::Decimal;

use crate::explanation::{Journal, Step, StepKind};
use crate::source_location::SourceLocation;

/// How a second life is priced, with its place in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Joint {
    pub(crate) kind: JointKind,
    /// The product's file.
    pub(crate) file: Arc<str>,
    /// Line of `joint`.
    pub(crate) line: usize,
}

/// How a second life is priced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JointKind {
    /// The elder's age decides.
    Elder,
    /// Each has a rate; of their sum this percentage is charged.
    Both(Decimal),
}

impl Joint {
    /// Records that the elder's age decides.
    pub(crate) fn record_elder(&self, age: u16, amount: Decimal, journal: &mut impl Journal) {
        journal.record(|| self.step("Two lives: the elder's age decides", format!("{age} years"), amount));
    }

    /// What is charged of the sum for both lives. `None` where it exceeds the range of a decimal.
    pub(crate) fn of_both(
        &self,
        sum: Decimal,
        percent: Decimal,
        journal: &mut impl Journal,
    ) -> Option<Decimal> {
        let amount = sum.checked_mul(percent * Decimal::new(1, 2))?;
        journal.record(|| self.step("Two lives, each at full cover", format!("{percent} % of both"), amount));
        Some(amount)
    }

    fn step(&self, words: &str, factor: String, amount: Decimal) -> Step {
        let location = SourceLocation { file: self.file.clone(), line: self.line };
        Step { kind: StepKind::Described(words.to_owned()), location: Some(location), factor, amount }
    }
}
