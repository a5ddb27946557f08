//! Parses `claims.toml`: required documents, legal time limits (D81).

use domain::claim::ClaimKind;
use domain::line::LineOfBusiness;
use domain::text::FromText;

use super::by_class::{self, ByClass};
use crate::claims::{ClaimKindRule, ClaimRules, Paper};
use crate::dated_rates::LateInterest;
use crate::parse::document::Section;
use crate::parse::source_files::SourceFiles;
use crate::parse::{texts, values};

pub(crate) const FILE: &str = "claims.toml";

/// Parses `claims.toml`. If it is missing, customers claim from the insurer directly.
pub(crate) fn parse(sources: &SourceFiles<'_>, interest: Option<&LateInterest>) -> ByClass<ClaimRules> {
    let rules = |section: &Section<'_>| parse_rules(section, interest);
    by_class::parse_file(FILE, sources, LineOfBusiness::WORDS, rules)
}

/// Parses one rule set.
fn parse_rules(section: &Section<'_>, interest: Option<&LateInterest>) -> Option<ClaimRules> {
    let how = texts::required(section, "how");
    let settle = section.required("settle_within_days", |value| values::whole(value, 1, 365));
    let investigated = section.required("investigated_within_days", |value| values::whole(value, 1, 365));
    if let (Some(settle), Some(investigated)) = (settle, investigated)
        && investigated < settle
    {
        let message = "`investigated_within_days` must not be below `settle_within_days`.";
        section.report("investigated_within_days", message);
    }
    let interest = by_class::parse_late_interest(section, interest);
    section.required("source", values::text);
    let mut kinds: Vec<ClaimKindRule> = Vec::new();
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
    let rules = ClaimRules {
        how: how?,
        settle_within_days: settle? as u16,
        investigated_within_days: investigated? as u16,
        late_interest: interest?,
        kinds,
    };
    Some(rules).filter(|_| all_are_valid)
}

/// Parses a kind of claim with its documents.
fn parse_kind(section: Section<'_>) -> Option<ClaimKindRule> {
    let kind = section.required("kind", |value| values::word(value, ClaimKind::WORDS));
    let kind = kind.and_then(|word| ClaimKind::from_text(word).ok());
    let mut papers: Vec<Paper> = Vec::new();
    let mut all_are_valid = true;
    for inner in section.sections("papers") {
        let id = inner.required("id", values::name);
        let name = texts::required(&inner, "name");
        let required = inner.or("required", true, values::flag);
        inner.close();
        let (Some(id), Some(name)) = (id, name) else {
            all_are_valid = false;
            continue;
        };
        if papers.iter().any(|other| other.id == id) {
            section.report("papers", format!("Another entry of `papers` already has the id \"{id}\"."));
        }
        papers.push(Paper { id, name, required });
    }
    section.close();
    Some(ClaimKindRule { kind: kind?, papers }).filter(|_| all_are_valid)
}
