//! Parses the sections `benefit` of a product's file (D113).

use domain::claim::ClaimKind;
use domain::line::LineOfBusiness;
use domain::text::FromText;
use rust_decimal::Decimal;

use crate::benefit::{Benefit, Benefits, SumHolder, SumPeriod};
use crate::claims::ClaimRules;
use crate::parse::document::Section;
use crate::parse::values;

/// Highest percentage of the cover that a benefit may pay.
const HIGHEST_PERCENT: u32 = 1000;

/// Most days of a waiting period, of a survival period, or between events that count as one claim: ten years.
const MOST_DAYS: u32 = 3650;

/// Default name of the sum from which benefits are paid.
const SUM: &str = "cover";

/// Parses the benefits of a product. A product without benefits gets a default: every kind of claim in its
/// claim rules pays the whole cover.
pub(super) fn parse(
    section: &Section<'_>,
    line: Option<LineOfBusiness>,
    rules: Option<&ClaimRules>,
) -> Benefits {
    let kinds = || rules.into_iter().flat_map(|rules| &rules.kinds).map(|rule| rule.kind);
    let mut benefits: Vec<Benefit> = Vec::new();
    for inner in section.sections("benefit") {
        let benefit = parse_one(&inner, line);
        let Some(benefit) = benefit else {
            inner.close();
            continue;
        };
        let kind = benefit.kind;
        if rules.is_some() && !kinds().any(|known| known == kind) {
            inner.report(
                "kind",
                format!("claims.toml has no [[rules.kind]] for {kind} in this class of cover."),
            );
        }
        for other in &benefits {
            if other.kind == kind {
                inner.report("kind", format!("Only one benefit may pay for {kind}."));
            }
            if other.sum == benefit.sum && (other.per, other.each) != (benefit.per, benefit.each) {
                let message =
                    format!("Benefits that share the sum \"{}\" need the same `per` and `each`.", other.sum);
                inner.report("sum", message);
            }
        }
        benefits.push(benefit);
        inner.close();
    }
    if benefits.is_empty() && !section.has("benefit") {
        benefits = kinds().map(|kind| whole_cover(kind, line)).collect();
    }
    Benefits(benefits)
}

fn parse_one(section: &Section<'_>, line: Option<LineOfBusiness>) -> Option<Benefit> {
    let kind = section.required("kind", |value| values::word(value, ClaimKind::WORDS));
    let kind = kind.and_then(|word| ClaimKind::from_text(word).ok());
    let whole = whole_cover(kind.unwrap_or(ClaimKind::Other), line);
    let days = |key: &str| section.or(key, 0, |value| values::whole(value, 0, MOST_DAYS)) as u16;
    let per = section.or("per", whole.per.word(), |value| values::word(value, SumHolder::WORDS));
    let each = section.or("each", whole.each.word(), |value| values::word(value, SumPeriod::WORDS));
    let once = section.or("once", whole.same_within_days.is_none(), values::flag);
    if once && section.has("same_within_days") {
        section.report(
            "same_within_days",
            "`same_within_days` has no effect with `once = true`: remove it, or set `once = false`.",
        );
    }
    Some(Benefit {
        kind: kind?,
        percent: section.or("percent", whole.percent, |value| values::percent(value, HIGHEST_PERCENT)),
        sum: section.or("sum", whole.sum, values::name),
        per: SumHolder::from_text(per).ok()?,
        each: SumPeriod::from_text(each).ok()?,
        waiting_days: days("waiting_days"),
        survival_days: days("survival_days"),
        same_within_days: Some(days("same_within_days")).filter(|_| !once),
        ends_cover: section.or("ends_cover", whole.ends_cover, values::flag),
    })
}

/// Benefit that pays the whole cover. Its values are the defaults of omitted fields.
fn whole_cover(kind: ClaimKind, line: Option<LineOfBusiness>) -> Benefit {
    let is_health = line == Some(LineOfBusiness::Health);
    let is_death = kind == ClaimKind::Death;
    Benefit {
        kind,
        percent: Decimal::ONE_HUNDRED,
        sum: SUM.to_owned(),
        per: if is_health { SumHolder::Policy } else { SumHolder::Life },
        each: if is_health { SumPeriod::PolicyYear } else { SumPeriod::Term },
        waiting_days: 0,
        survival_days: 0,
        same_within_days: Some(0).filter(|_| !is_death),
        ends_cover: is_death,
    }
}
