//! Parses `renewals.toml`: the period in which policies can be renewed (D91).

use domain::line::LineOfBusiness;
use toml::de::DeValue;

use super::by_class::{self, ByClass};
use crate::parse::document::Section;
use crate::parse::source_files::SourceFiles;
use crate::parse::values;
use crate::renewals::RenewalRules;

pub(crate) const FILE: &str = "renewals.toml";

/// Lines of business whose policies can be renewed. Credit life is not renewed, because its cover ends with
/// the loan.
const RENEWED: &[&str] = &[LineOfBusiness::Health.word()];

/// Parses `renewals.toml`. If it is missing, no policy can be renewed.
pub(crate) fn parse(sources: &SourceFiles<'_>) -> ByClass<RenewalRules> {
    by_class::parse_file(FILE, sources, RENEWED, parse_rules)
}

fn parse_rules(section: &Section<'_>) -> Option<RenewalRules> {
    let days = |value: &DeValue<'_>| values::whole(value, 1, 90).map(|days| days as u16);
    let notice_days = section.distinct("notice_days", days);
    if !section.has("notice_days") {
        section.report("notice_days", "`notice_days` is missing: use a list such as [45, 30, 15, 1].");
    }
    let falls = notice_days.as_ref().is_none_or(|days| days.is_sorted_by(|day, next| day > next));
    if !falls {
        section.report(
            "notice_days",
            "`notice_days` must be in descending order: the first is the earliest notice.",
        );
    }
    let longest = RenewalRules::LONGEST_GRACE.into();
    let grace_days = section.required("grace_days", |value| values::whole(value, 0, longest));
    let source = section.required("source", values::text);
    let rules = RenewalRules { notice_days: notice_days?, grace_days: grace_days? as u16, source: source? };
    Some(rules).filter(|_| falls)
}
