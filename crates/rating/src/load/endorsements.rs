//! Parses `endorsements.toml`: the allowed changes of a sold policy (D89).

use std::sync::Arc;

use domain::endorsement::EndorsementKind;
use domain::line::LineOfBusiness;
use domain::text::FromText;

use super::by_class::{self, ByClass};
use super::cancellation::location;
use super::within;
use crate::cancellation::{CreditNotes, Returns};
use crate::dated_rates::LateInterest;
use crate::endorsements::{EndorsementRule, EndorsementRules};
use crate::parse::document::Section;
use crate::parse::source_files::SourceFiles;
use crate::parse::values;

pub(crate) const FILE: &str = "endorsements.toml";

/// Allowed words for the refunded part of the price difference.
const RETURNS: &[&str] = &["all", "unexpired", "nothing"];

/// Parses `endorsements.toml`. If it is missing, no policy can be endorsed. `credit_notes` are the last days
/// on which tax can be refunded.
pub(crate) fn parse(
    sources: &SourceFiles<'_>,
    credit_notes: &Arc<[CreditNotes]>,
    interest: Option<&LateInterest>,
) -> ByClass<EndorsementRules> {
    let rules = |section: &Section<'_>| parse_rules(section, credit_notes, interest);
    by_class::parse_file(FILE, sources, LineOfBusiness::WORDS, rules)
}

fn parse_rules(
    section: &Section<'_>,
    credit_notes: &Arc<[CreditNotes]>,
    interest: Option<&LateInterest>,
) -> Option<EndorsementRules> {
    let refund_within_days = section.required("refund_within_days", |value| values::whole(value, 0, 365));
    let interest = by_class::parse_late_interest(section, interest);
    section.required("source", values::text);
    let mut kinds: Vec<EndorsementRule> = Vec::new();
    let mut all_are_valid = true;
    for inner in section.sections("kind") {
        let Some(rule) = parse_kind(inner) else {
            all_are_valid = false;
            continue;
        };
        if kinds.iter().any(|other| other.kind == rule.kind) {
            section.report("kind", format!("Two sections have the kind {}.", rule.kind));
        }
        kinds.push(rule);
    }
    if kinds.is_empty() && all_are_valid {
        section.report("kind", "`kind` is missing: rules need at least one section [[rules.kind]].");
    }
    let rules = EndorsementRules {
        refund_within_days: refund_within_days? as u16,
        late_interest: interest?,
        kinds,
        credit_notes: credit_notes.clone(),
    };
    Some(rules).filter(|_| all_are_valid)
}

/// Parses the rule for one kind of endorsement.
fn parse_kind(section: Section<'_>) -> Option<EndorsementRule> {
    let kind = section.required("kind", |value| values::word(value, EndorsementKind::WORDS));
    let kind = kind.and_then(|word| EndorsementKind::from_text(word).ok());
    let confirmed = section.required("confirmed", values::flag);
    let after_claim = section.required("after_claim", values::flag);
    let within = within::parse(&section);
    let returns = section.optional("returns", |value| values::word(value, RETURNS));
    let returns_is_valid = returns.is_some() || !section.has("returns");
    let prices = kind.is_some_and(EndorsementKind::is_priced);
    let source = section.required("source", values::text);
    let location = location(&section);
    if kind.is_some() && prices != section.has("returns") {
        let message =
            "`returns` is required for DATE_OF_BIRTH and COVER_REDUCTION, and not allowed for other kinds.";
        section.report("returns", message);
        section.close();
        return None;
    }
    section.close();
    let returns = match returns {
        Some("all") => Returns::All,
        Some("unexpired") => Returns::Unexpired,
        _ => Returns::Nothing,
    };
    let rule = EndorsementRule {
        kind: kind?,
        confirmed: confirmed?,
        after_claim: after_claim?,
        within: within?,
        returns,
        source: source?,
        location,
    };
    Some(rule).filter(|_| returns_is_valid)
}
