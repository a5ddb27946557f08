//! Methods of credit life, which find a rate in a table. Each has its own file.
//!
//! A new method is a file here with `parse`, `find` and `describe`, and one line in each match below.

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

/// A method with its compiled table.
#[derive(Debug, Clone)]
pub(crate) enum Method {
    /// Per mille of the basis, by age at entry and term.
    PerMille(PerMille),
    /// Rupees per lakh of the basis, by year of the term.
    PerLakh(PerLakh),
}

impl Method {
    /// The keys that methods have in a `price` section.
    pub(crate) const KEYS: &[&str] = &["method", "table", "sheet", "years"];

    /// The keys that name tables.
    pub(crate) const TABLES: &[&str] = &["table", "sheet"];

    /// Parses the method from a variant's `price` section, and its table from the section that names it: that one, or a
    /// row of its `rates`. Every fault is reported, also a rate that the limits promise and the table lacks.
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

    /// The rate for an age and a term. Always there for what the limits promise.
    pub(crate) fn find(&self, age: u16, months: u32) -> Option<Rate> {
        match self {
            Method::PerMille(table) => table.find(age, months),
            Method::PerLakh(table) => table.find(months),
        }
    }

    /// The description of a rate of this table, for an explanation.
    pub(crate) fn describe(&self, rate: Rate) -> RateDescription {
        match self {
            Method::PerMille(table) => table.describe(rate),
            Method::PerLakh(table) => table.describe(rate),
        }
    }
}
