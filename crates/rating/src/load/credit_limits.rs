//! Reading `eligibility` sections: a product's, and what a variant says otherwise.

use domain::money::Rupees;
use toml::de::DeValue;

use crate::between::Between;
use crate::credit_limits::Limits;
use crate::parse::document::Section;
use crate::parse::parsed::{Said, between, said};
use crate::parse::values;

/// Limits as far as sections give them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LimitsRead {
    age_at_entry: Said<Between<u16>>,
    age_at_end: Said<u16>,
    cover: Said<Between<Rupees>>,
    term_months: Said<Between<u32>>,
}

impl LimitsRead {
    /// What a section says, where there is one.
    pub(crate) fn of(section: Option<&Section<'_>>) -> Self {
        let Some(section) = section else { return LimitsRead::default() };
        let age = |value: &DeValue<'_>| values::whole(value, 0, 120).map(|age| age as u16);
        LimitsRead {
            age_at_entry: between(section, "age_at_entry", age),
            age_at_end: said(section, "age_at_end", section.optional("age_at_end", age)),
            cover: between(section, "cover", values::amount),
            term_months: between(section, "term_months", |value| values::whole(value, 1, 1200)),
        }
    }

    /// These, and where they are silent the others.
    pub(crate) fn or(self, others: LimitsRead) -> Self {
        LimitsRead {
            age_at_entry: self.age_at_entry.or(others.age_at_entry),
            age_at_end: self.age_at_end.or(others.age_at_end),
            cover: self.cover.or(others.cover),
            term_months: self.term_months.or(others.term_months),
        }
    }

    /// The limits of a variant. What is missing is noted at its section.
    pub(crate) fn finish(self, variant: &Section<'_>) -> Option<Limits> {
        let age_at_entry = self.age_at_entry.required("age_at_entry", variant);
        let cover = self.cover.required("cover", variant);
        let term_months = self.term_months.required("term_months", variant);
        let age_at_end = match self.age_at_end {
            Said::Nothing => None,
            Said::This(age) => Some(age),
            Said::Wrong => return None,
        };
        let limits =
            Limits { age_at_entry: age_at_entry?, age_at_end, cover: cover?, term_months: term_months? };
        if let Some(end) = age_at_end.filter(|end| *end < limits.age_at_entry.least) {
            variant.fault(
                "eligibility",
                format!("`age_at_end` ({end}) is below the least age at entry: nobody could be covered."),
            );
        }
        Some(limits)
    }
}
