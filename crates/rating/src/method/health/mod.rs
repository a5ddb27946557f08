//! Rating methods of health. Each finds a family's yearly premium in rate sheets.
//!
//! Each method is a file with `parse` and `rate`. To add one, also add a line in each match below.

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

/// Rating method with its parsed rate sheets.
#[derive(Debug, Clone)]
pub(crate) enum Method {
    /// One rate, by family size and the eldest member's age.
    Floater(Floater),
    /// A rate by the eldest member's age, plus a rate by the age of each other member.
    SeniorMost(SeniorMost),
    /// Sum of the rates of all members, each by the member's age.
    PerMember(PerMember),
    /// One rate, by deductible, family size and the eldest member's age.
    SuperTopUp(SuperTopUp),
}

impl Method {
    /// Names of the keys that the methods use in a `price` section.
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

    /// Names of the keys that name rate sheets.
    pub(crate) const TABLES: &[&str] = &["table", "sheet", "others_table", "others_sheet"];

    /// Parses the method from a variant's `price` section. `tables` is the section that names the rate
    /// sheets: `price` itself, or a row of its `rates`. Reports every fault, including rates that the variant
    /// needs but a sheet lacks.
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

    /// Highest family discount that a rate can contain, in percent.
    pub(crate) fn highest_discount(&self) -> Decimal {
        match self {
            Method::PerMember(method) => method.highest_discount(),
            Method::Floater(_) | Method::SeniorMost(_) | Method::SuperTopUp(_) => Decimal::ZERO,
        }
    }

    /// Family discount that the rate for this family contains, in percent.
    pub(crate) fn family_discount(&self, family: &Family<'_>) -> Decimal {
        match self {
            Method::PerMember(method) => method.family_discount(family),
            Method::Floater(_) | Method::SeniorMost(_) | Method::SuperTopUp(_) => Decimal::ZERO,
        }
    }

    /// Rate in rupees for one year. There is a rate for every combination that the variant offers.
    pub(crate) fn rate(&self, asked: &RateQuery<'_>, journal: &mut impl Journal) -> Decimal {
        match self {
            Method::Floater(method) => method.rate(asked, journal),
            Method::SeniorMost(method) => method.rate(asked, journal),
            Method::PerMember(method) => method.rate(asked, journal),
            Method::SuperTopUp(method) => method.rate(asked, journal),
        }
    }
}
