//! Rating methods of credit life. Each finds a rate in a table.
//!
//! Each method is a file with `parse`, `find` and `describe`. To add one, also add a line in each match
//! below.

mod per_lakh;
mod per_mille;
mod rate;

use crate::credit_limits::Limits;
use crate::parse::document::Section;
use crate::parse::source_files::SourceFiles;
use crate::parse::values;

use per_lakh::PerLakh;
use per_mille::PerMille;
pub(crate) use rate::{Rate, RateDescription};

/// Rating method with its parsed table.
#[derive(Debug, Clone)]
pub(crate) enum Method {
    /// Rate in per mille of the basis (cover or loan), by age at entry and term.
    PerMille(PerMille),
    /// Rate in rupees per lakh of the basis (cover or loan), by years of the term.
    PerLakh(PerLakh),
}

impl Method {
    /// Names of the keys that the methods use in a `price` section.
    pub(crate) const KEYS: &[&str] = &["method", "table", "sheet", "years"];

    /// Names of the keys that name a table.
    pub(crate) const TABLES: &[&str] = &["table", "sheet"];

    /// Parses the method from a variant's `price` section. `tables` is the section that names the table:
    /// `price` itself, or a row of its `rates`. Reports every fault, including rates that the limits need but
    /// the table lacks.
    pub(crate) fn parse(
        price: &Section<'_>,
        tables: &Section<'_>,
        limits: Option<&Limits>,
        sources: &SourceFiles<'_>,
    ) -> Option<Method> {
        const WORDS: &[&str] = &["per-mille", "per-lakh"];
        match price.required("method", |value| values::word(value, WORDS))? {
            "per-mille" => PerMille::parse(tables, limits, sources).map(Method::PerMille),
            _ => PerLakh::parse(price, tables, limits, sources).map(Method::PerLakh),
        }
    }

    /// Rate for an age at entry and a term. Never `None` within the variant's limits.
    pub(crate) fn find(&self, age: u16, months: u32) -> Option<Rate> {
        match self {
            Method::PerMille(table) => table.find(age, months),
            Method::PerLakh(table) => table.find(months),
        }
    }

    /// Description of a rate of this table, for an explanation.
    pub(crate) fn describe(&self, rate: Rate) -> RateDescription {
        match self {
            Method::PerMille(table) => table.describe(rate),
            Method::PerLakh(table) => table.describe(rate),
        }
    }
}
