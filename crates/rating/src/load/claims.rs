//! Parsing `claims.toml`: what a claim needs, and its legal clocks (D81).

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::claim::{ClaimClocks, ClaimKind};
use domain::line::LineOfBusiness;
use domain::text::FromText;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use crate::claims::{ClaimKindRule, ClaimRules, Paper};
use crate::parse::document::{Document, Section};
use crate::parse::source_files::SourceFiles;
use crate::parse::{texts, values};
use crate::tax_class::{SoldTo, TaxClass};

/// The path of the file.
pub(crate) const FILE: &str = "claims.toml";

/// The highest rate of interest on a late payment, in percent for a year.
const HIGHEST_INTEREST: u32 = 50;

/// The rules of each class of cover.
#[derive(Debug, Default)]
pub(crate) struct ClaimsFile {
    by_class: BTreeMap<TaxClass, Arc<ClaimRules>>,
}

impl ClaimsFile {
    /// The rules of a class of cover. `None` where the file has none: claims go to the insurer alone.
    pub(crate) fn of(&self, class: TaxClass) -> Option<Arc<ClaimRules>> {
        self.by_class.get(&class).cloned()
    }
}

/// Parses the file. A catalogue without it takes no claims.
pub(crate) fn parse(sources: &SourceFiles<'_>) -> ClaimsFile {
    let mut file = ClaimsFile::default();
    let Some(document) =
        sources.read(FILE).and_then(|content| Document::parse(FILE, content, sources.faults))
    else {
        return file;
    };
    let root = document.root(sources.faults);
    for section in root.sections("rules") {
        let line = section.line();
        let Some((classes, rules)) = parse_rules(section) else { continue };
        let rules = Arc::new(rules);
        for class in classes {
            if file.by_class.insert(class, rules.clone()).is_some() {
                sources.faults.report(FILE, line, format!("{class} has rules already."));
            }
        }
    }
    root.close();
    file
}

/// Parses one set of rules with the classes of cover that it is for.
fn parse_rules(section: Section<'_>) -> Option<(Vec<TaxClass>, ClaimRules)> {
    let line = section.required("line", |value| values::word(value, LineOfBusiness::WORDS));
    let sold_to = section.optional("sold_to", |value| values::word(value, SoldTo::WORDS));
    let sold_to_is_valid = sold_to.is_some() || !section.has("sold_to");
    let how = texts::required(&section, "how");
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
    section.close();
    let line = LineOfBusiness::from_text(line?).ok()?;
    let classes = match sold_to {
        Some(word) => vec![TaxClass::new(line, SoldTo::from_text(word).ok()?)],
        None => SoldTo::ALL.iter().map(|sold_to| TaxClass::new(line, *sold_to)).collect(),
    };
    let clocks = ClaimClocks {
        settle_within_days: settle? as u16,
        investigated_within_days: investigated? as u16,
        late_interest: (interest? * Decimal::ONE_HUNDRED).round().to_u32()?,
    };
    let rules = ClaimRules { how: how?, clocks, kinds };
    Some((classes, rules)).filter(|_| sold_to_is_valid && all_are_valid)
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
