//! Methods of credit life: how a premium is found in a rate table. Each lies in a file of its own.
//!
//! A new method is a file here with `read`, `find` and `tell`, and one line in each match below.

mod per_lakh;
mod per_mille;
mod rate;

use crate::credit_limits::Limits;
use crate::parse::document::Section;
use crate::parse::source_files::Shelf;
use crate::parse::values;

use per_lakh::PerLakh;
use per_mille::PerMille;
pub(crate) use rate::{Rate, RateTold};

/// A method with its compiled table.
#[derive(Debug, Clone)]
pub(crate) enum Method {
    /// Per mille of the basis, by age at entry and term.
    PerMille(PerMille),
    /// Rupees per lakh of the basis, by year of the term.
    PerLakh(PerLakh),
}

impl Method {
    /// Reads the method and its table from a variant's `price` section. Every fault is noted, also that the
    /// table lacks a rate that the limits promise.
    pub(crate) fn read(price: &Section<'_>, limits: Option<&Limits>, shelf: &Shelf<'_>) -> Option<Method> {
        const WORDS: &[&str] = &["per-mille", "per-lakh"];
        match price.required("method", |value| values::word(value, WORDS))? {
            "per-mille" => PerMille::read(price, limits, shelf).map(Method::PerMille),
            _ => PerLakh::read(price, limits, shelf).map(Method::PerLakh),
        }
    }

    /// The rate for an age and a term. Always there for what the limits promise.
    pub(crate) fn find(&self, age: u16, months: u32) -> Option<Rate> {
        match self {
            Method::PerMille(table) => table.find(age, months),
            Method::PerLakh(table) => table.find(months),
        }
    }

    /// What an explanation says of a rate that was found here.
    pub(crate) fn tell(&self, rate: Rate) -> RateTold {
        match self {
            Method::PerMille(table) => table.tell(rate),
            Method::PerLakh(table) => table.tell(rate),
        }
    }
}
