//! Charts of claims: the cover that is left for an insured event after the claims of earlier rows.
//!
//! Columns of the policy: `policy`, `variant`, `cover`, `term` (months), `starts`. Rows with the same
//! `policy` are claims on one policy, in the order of the rows. Columns of the claim: `member` (blank: 1),
//! `kind`, `event_on`, `approved` (amount paid). Expected outcome: either `left`, or `refused` with one of
//! the words `no-benefit`, `life-ended`, `waiting`, `same-claim`.

use std::collections::BTreeMap;

use domain::claim::ClaimKind;
use domain::id::VariantId;
use domain::money::{Premium, Rupees};
use domain::text::FromText;

use super::cells::{Cells, parse_day};
use super::outcome::{Refusal, RowOutcome};
use super::{ChartRow, Expected};
use crate::benefit::{ClaimEvent, OtherClaim};
use crate::catalogue::Catalogue;
use crate::schedule::cover_on;

/// Column that marks a chart as a chart of claims.
pub(super) const MARK: &str = "policy";

/// Columns that a CSV chart of claims (`tests/*.csv` of the catalogue) can have.
pub(super) const COLUMNS: &[&str] = &[
    MARK, "variant", "cover", "term", "starts", "member", "kind", "event_on", "approved", "left", "refused",
];

/// Claims of earlier rows, by policy.
#[derive(Default)]
pub(super) struct ClaimChart(BTreeMap<String, Vec<OtherClaim>>);

impl ClaimChart {
    /// Parses a row and calculates the cover that is left. The error is the message of the fault.
    pub(super) fn price(
        &mut self,
        catalogue: &Catalogue,
        cells: &Cells<'_>,
    ) -> Result<(ChartRow, RowOutcome), String> {
        let policy = cells.required(MARK)?;
        let variant = cells.required("variant")?;
        let id: VariantId = variant
            .parse()
            .map_err(|_| format!("`variant` must be the id of a variant, not {variant:?}."))?;
        let (credit, health) = (catalogue.credit_variant(id), catalogue.health_variant(id));
        let product = credit.map(|variant| &variant.product).or(health.map(|variant| &variant.product));
        let benefits = &product.ok_or_else(|| format!("No product has a variant {id}."))?.benefits;
        let cover = cells.amount("cover")?.ok_or("`cover` is missing.")?;
        let term = whole("term", cells.required("term")?)?;
        let starts = parse_day("starts", cells.required("starts")?)?;
        let kind = cells.required("kind")?;
        let event = ClaimEvent {
            kind: ClaimKind::from_text(kind)
                .map_err(|_| format!("`kind` must be {}, not {kind:?}.", ClaimKind::WANTED))?,
            member: cells.get("member").map_or(Ok(1), |text| whole("member", text))?,
            on: parse_day("event_on", cells.required("event_on")?)?,
        };
        let expected = match (cells.amount("left")?, cells.get("refused")) {
            (Some(left), None) => Expected::Left(left),
            (None, Some(word)) => Expected::Refused(word.to_owned()),
            _ => return Err("The row needs either `left` or `refused`.".to_owned()),
        };
        let chart = ChartRow { subject: format!("{policy}, {kind}"), expected: vec![expected] };
        let others = self.0.entry(policy.to_owned()).or_default();
        if let Err(why) = benefits.judge(event, starts, others) {
            return Ok((chart, Err(Refusal { word: why.word().to_owned(), sentence: why.to_string() })));
        }
        let schedule = credit.map_or(Vec::new(), |variant| variant.schedule(cover, term));
        let on_day = cover_on(&schedule, starts, event.on, cover);
        let left = benefits.left(event, starts, on_day, others).map_or(Rupees::ZERO, |found| found.left);
        if let Some(approved) = cells.amount("approved")? {
            if approved > left {
                return Err(format!("`approved` is {approved}, but only {left} is left."));
            }
            others.push(OtherClaim { event, approved: Some(approved), is_paid: true });
        }
        let outcome = Premium::of_parts(left, Rupees::ZERO).ok_or("`cover` is too large.")?;
        Ok((chart, Ok(outcome)))
    }
}

fn whole<N: std::str::FromStr>(name: &str, text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("`{name}` must be a whole number, not {text:?}."))
}
