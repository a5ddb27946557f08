//! Methods of health: how the premium of a family for a year is found in rate sheets. Each lies in a file of its own.
//!
//! A new method is a file here with `read` and `rate`, and one line in each match below.

mod floater;
mod key;
mod per_member;
mod promise;
mod rate_query;
mod rate_sheet;
mod senior_most;
mod sheets;
mod super_top_up;

use rust_decimal::Decimal;

use crate::explanation::Journal;
use crate::parse::document::Section;
use crate::parse::values;

use floater::Floater;
use per_member::PerMember;
pub(crate) use promise::Promise;
pub(crate) use rate_query::Asked;
use senior_most::SeniorMost;
pub(crate) use sheets::{MethodContext, Sheets};
use super_top_up::SuperTopUp;

/// A method with its compiled sheets.
#[derive(Debug, Clone)]
pub(crate) enum Method {
    /// By size of family and the eldest's age.
    Floater(Floater),
    /// By the eldest's age, and each other member's.
    SeniorMost(SeniorMost),
    /// By each member's age.
    PerMember(PerMember),
    /// By deductible, size of family and the eldest's age.
    SuperTopUp(SuperTopUp),
}

impl Method {
    /// The keys that methods have in a `price` section.
    pub(crate) const KEYS: &[&str] =
        &["method", "table", "others_table", "family_discount_percent", "family_discount_from"];

    /// Reads the method and its sheets from a variant's `price` section. Every fault is noted, also that a sheet lacks
    /// a rate that was promised.
    pub(crate) fn read(
        price: &Section<'_>,
        promise: &Promise<'_>,
        context: &MethodContext<'_>,
    ) -> Option<Method> {
        const WORDS: &[&str] = &["floater", "senior-most-plus-others", "per-member", "super-top-up"];
        match price.required("method", |value| values::word(value, WORDS))? {
            "floater" => Floater::read(price, promise, context).map(Method::Floater),
            "senior-most-plus-others" => SeniorMost::read(price, promise, context).map(Method::SeniorMost),
            "per-member" => PerMember::read(price, promise, context).map(Method::PerMember),
            _ => SuperTopUp::read(price, promise, context).map(Method::SuperTopUp),
        }
    }

    /// Rupees for a year. Always there for what was promised.
    pub(crate) fn rate(&self, asked: &Asked<'_>, journal: &mut impl Journal) -> Decimal {
        match self {
            Method::Floater(method) => method.rate(asked, journal),
            Method::SeniorMost(method) => method.rate(asked, journal),
            Method::PerMember(method) => method.rate(asked, journal),
            Method::SuperTopUp(method) => method.rate(asked, journal),
        }
    }
}
