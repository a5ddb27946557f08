//! Parsing `eligibility` sections of credit life, of a product or of a variant that differs from it.

use domain::money::Rupees;
use toml::de::DeValue;

use crate::between::Between;
use crate::credit_limits::Limits;
use crate::parse::document::Section;
use crate::parse::parsed::{Parsed, between};
use crate::parse::values;

/// Limits, as far as the sections have them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ParsedLimits {
    age_at_entry: Parsed<Between<u16>>,
    age_at_end: Parsed<u16>,
    cover: Parsed<Between<Rupees>>,
    term_months: Parsed<Between<u32>>,
}

impl ParsedLimits {
    /// Parses a section, if there is one.
    pub(crate) fn of(section: Option<&Section<'_>>) -> Self {
        let Some(section) = section else { return ParsedLimits::default() };
        let age = |value: &DeValue<'_>| values::whole(value, 0, 120).map(|age| age as u16);
        ParsedLimits {
            age_at_entry: between(section, "age_at_entry", age),
            age_at_end: Parsed::of(section, "age_at_end", section.optional("age_at_end", age)),
            cover: between(section, "cover", values::amount),
            term_months: between(section, "term_months", |value| values::whole(value, 1, 1200)),
        }
    }

    /// These limits, with the other ones where these are absent.
    pub(crate) fn or(self, others: ParsedLimits) -> Self {
        ParsedLimits {
            age_at_entry: self.age_at_entry.or(others.age_at_entry),
            age_at_end: self.age_at_end.or(others.age_at_end),
            cover: self.cover.or(others.cover),
            term_months: self.term_months.or(others.term_months),
        }
    }

    /// The limits of a variant. A missing limit is reported at its section.
    pub(crate) fn finish(self, variant: &Section<'_>) -> Option<Limits> {
        let age_at_entry = self.age_at_entry.required("age_at_entry", variant);
        let cover = self.cover.required("cover", variant);
        let term_months = self.term_months.required("term_months", variant);
        let age_at_end = match self.age_at_end {
            Parsed::Absent => None,
            Parsed::Value(age) => Some(age),
            Parsed::Invalid => return None,
        };
        let limits =
            Limits { age_at_entry: age_at_entry?, age_at_end, cover: cover?, term_months: term_months? };
        if let Some(end) = age_at_end.filter(|end| *end < limits.age_at_entry.least) {
            variant.report(
                "eligibility",
                format!("`age_at_end` ({end}) is below the least age at entry: nobody could be covered."),
            );
        }
        Some(limits)
    }
}
