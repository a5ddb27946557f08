//! Parsing `claims.toml`: what a claim needs, and its legal clocks (D81).

use domain::claim::{ClaimClocks, ClaimKind};
use domain::line::LineOfBusiness;
use domain::text::FromText;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::by_class::{self, ByClass, HIGHEST_INTEREST};
use crate::claims::{ClaimKindRule, ClaimRules, Paper};
use crate::parse::document::Section;
use crate::parse::source_files::SourceFiles;
use crate::parse::{texts, values};

/// The path of the file.
pub(crate) const FILE: &str = "claims.toml";

/// Parses the file. A catalogue without it takes no claims: they go to the insurer alone.
pub(crate) fn parse(sources: &SourceFiles<'_>) -> ByClass<ClaimRules> {
    by_class::parse_file(FILE, sources, LineOfBusiness::WORDS, parse_rules)
}

/// Parses one set of rules.
fn parse_rules(section: &Section<'_>) -> Option<ClaimRules> {
    let how = texts::required(section, "how");
    let settle = section.required("settle_within_days", |value| values::whole(value, 1, 365));
    let investigated = section.required("investigated_within_days", |value| values::whole(value, 1, 365));
    if let (Some(settle), Some(investigated)) = (settle, investigated)
        && investigated < settle
    {
        let message = "`investigated_within_days` must not be below `settle_within_days`.";
        section.report("investigated_within_days", message);
    }
    let interest =
        section.required("late_interest_percent", |value| values::percent_or_zero(value, HIGHEST_INTEREST));
    section.required("source", values::text);
    let mut kinds: Vec<ClaimKindRule> = Vec::new();
    let mut all_are_valid = true;
    for inner in section.sections("kind") {
        let Some(rule) = parse_kind(inner) else {
            all_are_valid = false;
            continue;
        };
        if kinds.iter().any(|other| other.kind == rule.kind) {
            section.report("kind", format!("{} has two sections.", rule.kind));
        }
        kinds.push(rule);
    }
    if kinds.is_empty() && all_are_valid {
        section.report("kind", "`kind` is missing: rules need at least one section [[rules.kind]].");
    }
    let clocks = ClaimClocks {
        settle_within_days: settle? as u16,
        investigated_within_days: investigated? as u16,
        late_interest: (interest? * Decimal::ONE_HUNDRED).round().to_u32()?,
    };
    let rules = ClaimRules { how: how?, clocks, kinds };
    Some(rules).filter(|_| all_are_valid)
}

/// Parses a kind of claim with its papers.
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
            section.report("papers", format!("A paper named \"{id}\" is there already."));
        }
        papers.push(Paper { id, name, required });
    }
    section.close();
    Some(ClaimKindRule { kind: kind?, papers }).filter(|_| all_are_valid)
}
