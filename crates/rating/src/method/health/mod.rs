//! Methods of health, which find the premium of a family for a year in rate sheets. Each has its own file.
//!
//! A new method is a file here with `parse` and `rate`, and one line in each match below.

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
use crate::family::Family;
use crate::parse::document::Section;
use crate::parse::values;

use floater::Floater;
use per_member::PerMember;
pub(crate) use promise::Promise;
pub(crate) use rate_query::RateQuery;
use senior_most::SeniorMost;
pub(crate) use sheets::{MethodContext, RateSheets};
use super_top_up::SuperTopUp;

/// A method with its rate sheets.
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
    pub(crate) const KEYS: &[&str] = &[
        "method",
        "rates",
        "table",
        "sheet",
        "others_table",
        "others_sheet",
        "family_discount_percent",
        "family_discount_from",
    ];

    /// The keys that name sheets.
    pub(crate) const TABLES: &[&str] = &["table", "sheet", "others_table", "others_sheet"];

    /// Parses the method from a variant's `price` section, and its sheets from the section that names them: that one, or
    /// a row of its `rates`. Every fault is reported, also a promised rate that a sheet lacks.
    pub(crate) fn parse(
        price: &Section<'_>,
        tables: &Section<'_>,
        promise: &Promise<'_>,
        context: &MethodContext<'_>,
    ) -> Option<Method> {
        const WORDS: &[&str] = &["floater", "senior-most-plus-others", "per-member", "super-top-up"];
        match price.required("method", |value| values::word(value, WORDS))? {
            "floater" => Floater::parse(tables, promise, context).map(Method::Floater),
            "senior-most-plus-others" => SeniorMost::parse(tables, promise, context).map(Method::SeniorMost),
            "per-member" => PerMember::parse(price, tables, promise, context).map(Method::PerMember),
            _ => SuperTopUp::parse(price, tables, promise, context).map(Method::SuperTopUp),
        }
    }

    /// The highest discount that the rate of a family can have in it, in percent.
    pub(crate) fn highest_discount(&self) -> Decimal {
        match self {
            Method::PerMember(method) => method.highest_discount(),
            Method::Floater(_) | Method::SeniorMost(_) | Method::SuperTopUp(_) => Decimal::ZERO,
        }
    }

    /// The discount that the rate of a family has in it, in percent.
    pub(crate) fn family_discount(&self, family: &Family<'_>) -> Decimal {
        match self {
            Method::PerMember(method) => method.family_discount(family),
            Method::Floater(_) | Method::SeniorMost(_) | Method::SuperTopUp(_) => Decimal::ZERO,
        }
    }

    /// Rupees for a year. Always there for what was promised.
    pub(crate) fn rate(&self, asked: &RateQuery<'_>, journal: &mut impl Journal) -> Decimal {
        match self {
            Method::Floater(method) => method.rate(asked, journal),
            Method::SeniorMost(method) => method.rate(asked, journal),
            Method::PerMember(method) => method.rate(asked, journal),
            Method::SuperTopUp(method) => method.rate(asked, journal),
        }
    }
}
