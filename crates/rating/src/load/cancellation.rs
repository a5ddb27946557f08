//! Parses `cancellation.toml`: the refunds of cancelled policies (D68).

use std::sync::Arc;

use domain::cancellation::CancellationReason;
use domain::line::LineOfBusiness;
use domain::text::FromText;

use super::by_class::{self, ByClass};
use super::within;
use crate::cancellation::{CancellationRules, CountedFrom, CreditNotes, ReasonRule, Returns, SurrenderRow};
use crate::dated_rates::LateInterest;
use crate::parse::document::{Document, Section};
use crate::parse::source_files::SourceFiles;
use crate::parse::values;
use crate::source_location::SourceLocation;

pub(crate) const FILE: &str = "cancellation.toml";

/// Allowed words for the part of the premium that is refunded.
const RETURNS: &[&str] = &["all", "all-less-risk", "unexpired", "years-not-begun", "surrender", "nothing"];

#[derive(Debug, Default)]
pub(crate) struct CancellationFile {
    /// Rules of each class of cover. If a class has no rules, its policies cannot be cancelled.
    pub(crate) rules: ByClass<CancellationRules>,
    /// Last days on which tax can be refunded, oldest row first.
    pub(crate) credit_notes: Arc<[CreditNotes]>,
}

impl CancellationFile {
    /// All rule sets, each only once.
    pub(crate) fn all(&self) -> Vec<Arc<CancellationRules>> {
        let mut all: Vec<Arc<CancellationRules>> = Vec::new();
        for rules in self.rules.all() {
            if all.iter().all(|known| known.id != rules.id) {
                all.push(rules.clone());
            }
        }
        all
    }
}

/// Parses `cancellation.toml`. If it is missing, no policy can be cancelled.
pub(crate) fn parse(sources: &SourceFiles<'_>, interest: Option<&LateInterest>) -> CancellationFile {
    let Some(document) =
        sources.read(FILE).and_then(|content| Document::parse(FILE, content, sources.faults))
    else {
        return CancellationFile::default();
    };
    let root = document.root(sources.faults);
    let credit_notes = parse_credit_notes(&root);
    let mut ids: Vec<String> = Vec::new();
    let rules = ByClass::parse(FILE, &root, sources, LineOfBusiness::WORDS, |section| {
        let rules = parse_rules(section, &credit_notes, interest)?;
        if ids.contains(&rules.id) {
            let message = format!("Other rules already have the id \"{}\".", rules.id);
            sources.faults.report(FILE, section.line(), message);
        }
        ids.push(rules.id.clone());
        Some(rules)
    });
    root.close();
    CancellationFile { rules, credit_notes }
}

/// Parses the last days on which tax can be refunded, oldest row first.
fn parse_credit_notes(root: &Section<'_>) -> Arc<[CreditNotes]> {
    let mut rows = Vec::new();
    for section in root.sections("credit_notes") {
        let from = section.required("from", values::date);
        let month = section.required("until_month", |value| values::whole(value, 1, 12));
        let day = section.required("until_day", |value| values::whole(value, 1, 31));
        section.required("source", values::text);
        let location = location(&section);
        section.close();
        let (Some(from), Some(month), Some(day)) = (from, month, day) else { continue };
        rows.push(CreditNotes { from, month: month as i8, day: day as i8, location });
    }
    rows.sort_by_key(|row| row.from);
    rows.into()
}

fn parse_rules(
    section: &Section<'_>,
    credit_notes: &Arc<[CreditNotes]>,
    interest: Option<&LateInterest>,
) -> Option<CancellationRules> {
    let id = section.required("id", values::name);
    let refund_within_days = section.required("refund_within_days", |value| values::whole(value, 0, 365));
    let interest = by_class::parse_late_interest(section, interest);
    section.required("source", values::text);
    let mut reasons: Vec<ReasonRule> = Vec::new();
    let mut all_are_valid = true;
    for inner in section.sections("reason") {
        let at = inner.line_of("reason");
        let Some(rule) = parse_reason(inner) else {
            all_are_valid = false;
            continue;
        };
        if reasons.iter().any(|other| other.reason == rule.reason) {
            section.report(
                "reason",
                format!("The reason {} has two rules: see line {}.", rule.reason, at.unwrap_or(1)),
            );
        }
        reasons.push(rule);
    }
    if reasons.is_empty() && all_are_valid {
        section.report("reason", "`reason` is missing: rules need at least one section [[rules.reason]].");
    }
    let rules = CancellationRules {
        id: id?,
        refund_within_days: refund_within_days? as u16,
        late_interest: interest?,
        reasons,
        credit_notes: credit_notes.clone(),
    };
    Some(rules).filter(|_| all_are_valid)
}

/// Parses the rule for one cancellation reason.
fn parse_reason(section: Section<'_>) -> Option<ReasonRule> {
    let reason = section.required("reason", |value| values::word(value, CancellationReason::WORDS));
    let reason = reason.and_then(|word| CancellationReason::from_text(word).ok());
    let factors = parse_factors(&section);
    let returns = section.required("returns", |value| values::word(value, RETURNS));
    let returns = returns.and_then(|word| returns_of(&section, "returns", word, &factors));
    let after_claim =
        section.required("after_claim", |value| values::word(value, &[RETURNS, &["refused"]].concat()));
    let after_claim = after_claim.and_then(|word| match word {
        "refused" => Some(None),
        word => returns_of(&section, "after_claim", word, &factors).map(Some),
    });
    let time = within::parse(&section);
    let from = section.optional("counted_from", |value| values::word(value, CountedFrom::WORDS));
    let within = match (time, from.and_then(|word| CountedFrom::from_text(word).ok())) {
        (Some(Some(time)), Some(from)) => Some(Some((time, from))),
        (Some(None), None) if !section.has("counted_from") => Some(None),
        (Some(Some(_)), None) if !section.has("counted_from") => {
            section.report(
                "counted_from",
                "`within_days`, `within_months` or `within_years` needs `counted_from`.",
            );
            None
        }
        (Some(None), Some(_)) => {
            section.report(
                "counted_from",
                "`counted_from` needs `within_days`, `within_months` or `within_years`.",
            );
            None
        }
        _ => None,
    };
    let insurer_alone = section.or("insurer_alone", false, values::flag);
    let is_bounce = reason == Some(CancellationReason::PaymentBounced);
    let voids = returns.as_ref().is_none_or(|returns| *returns == Returns::All);
    if is_bounce && !(insurer_alone && voids) {
        let why = "A payment that bounced never paid for cover: `returns` must be \"all\", and `insurer_alone` true.";
        section.report("reason", why);
        return None;
    }
    let not_on_renewals = section.or("not_on_renewals", false, values::flag);
    let deductions = section.sections("deduct").into_iter().map(|inner| {
        let (name, amount) = (inner.required("name", values::text), inner.required("amount", values::amount));
        inner.close();
        Some((name?, amount?))
    });
    let deductions: Option<Vec<_>> = deductions.collect();
    let source = section.required("source", values::text);
    let location = location(&section);
    section.close();
    Some(ReasonRule {
        reason: reason?,
        returns: returns?,
        within: within?,
        after_claim: after_claim?,
        insurer_alone,
        not_on_renewals,
        deductions: deductions?,
        source: source?,
        location,
    })
}

/// Parses the surrender table of a rule. Empty if the rule has none. `None` if the table has a fault.
fn parse_factors(section: &Section<'_>) -> Option<Vec<SurrenderRow>> {
    let rows = section.sections("factors").into_iter().map(|inner| {
        let from_month = inner.required("from_month", |value| values::whole(value, 0, 1200));
        let percent = inner.required("percent", |value| values::percent_or_zero(value, 100));
        let line = inner.line().unwrap_or(1);
        inner.close();
        Some(SurrenderRow { from_month: from_month?, percent: percent?, line })
    });
    let mut rows: Vec<SurrenderRow> = rows.collect::<Option<_>>()?;
    rows.sort_by_key(|row| row.from_month);
    Some(rows)
}

fn returns_of(
    section: &Section<'_>,
    key: &str,
    word: &str,
    factors: &Option<Vec<SurrenderRow>>,
) -> Option<Returns> {
    Some(match word {
        "all" => Returns::All,
        "all-less-risk" => Returns::AllLessRisk,
        "unexpired" => Returns::Unexpired,
        "years-not-begun" => Returns::YearsNotBegun,
        "nothing" => Returns::Nothing,
        _ => {
            let factors = factors.as_ref()?;
            if factors.is_empty() {
                section
                    .report(key, "\"surrender\" needs `factors`: percentages by completed months of cover.");
                return None;
            }
            Returns::Surrender(factors.clone())
        }
    })
}

pub(super) fn location(section: &Section<'_>) -> SourceLocation {
    SourceLocation { file: section.file().into(), line: section.line().unwrap_or(1) }
}
