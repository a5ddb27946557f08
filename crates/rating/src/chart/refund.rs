//! Chart rows of refunds for cancelled policies.
//!
//! Columns: `rules` (id), `reason`, `paid_base`, `paid_gst`, and the days `issued`, `starts`, `ends`, `on`.
//! Optional: `received` (day), `claim` (`yes`), `cover`, `cover_now`, `by_insurer` (`yes`), `covered_since`
//! (day, for a renewal).
//!
//! Words in the column `refused`: `no-rule`, `insurer-alone`, `too-late`, `claim-made`, `renewal`.

use domain::cancellation::CancellationReason;
use domain::date::Date;
use domain::money::{Premium, Rupees};
use domain::text::FromText;

use super::cells::{Cells, parse_day};
use super::outcome::{Refusal, RowOutcome};
use super::{ChartRow, parse_row};
use crate::cancellation::Ending;
use crate::catalogue::Catalogue;

/// Column that marks a chart as a chart of refunds.
pub(super) const MARK: &str = "rules";

/// Columns that a CSV chart of refunds (`tests/*.csv` of the catalogue) can have.
pub(super) const COLUMNS: &[&str] = &[
    MARK,
    "reason",
    "paid_base",
    "paid_gst",
    "issued",
    "starts",
    "ends",
    "on",
    "received",
    "claim",
    "cover",
    "cover_now",
    "by_insurer",
    "covered_since",
    "base",
    "gst",
    "total",
    "refused",
];

/// Parses a row and calculates the refund. The error is the message of the fault.
pub(super) fn price(catalogue: &Catalogue, cells: &Cells<'_>) -> Result<(ChartRow, RowOutcome), String> {
    let id = cells.required(MARK)?;
    let rules = catalogue
        .cancellation_rules(id)
        .ok_or_else(|| format!("No cancellation rules have the id \"{id}\"."))?;
    let chart = parse_row(id.to_owned(), cells)?;
    let reason = cells.required("reason")?;
    let reason = CancellationReason::from_text(reason)
        .map_err(|_| format!("`reason` must be {}, not {reason:?}.", CancellationReason::WANTED))?;
    let refund = rules.refund(reason, &parse_ending(cells)?);
    let outcome = refund.map(|refund| refund.refund);
    Ok((chart, outcome.map_err(|why| Refusal { word: why.word().to_owned(), sentence: why.to_string() })))
}

fn parse_ending(cells: &Cells<'_>) -> Result<Ending, String> {
    let day = |name: &str| -> Result<Date, String> { parse_day(name, cells.required(name)?) };
    let paid = cells.amount("paid_base")?.ok_or("`paid_base` is missing.")?;
    let gst = cells.amount("paid_gst")?.unwrap_or(Rupees::ZERO);
    let cover = cells.amount("cover")?.unwrap_or(Rupees::ZERO);
    let issued = day("issued")?;
    Ok(Ending {
        retained: Premium::of_parts(paid, gst).ok_or("`paid_base` and `paid_gst` are too large.")?,
        premium: Premium::of_parts(paid, gst).ok_or("`paid_base` and `paid_gst` are too large.")?,
        issued,
        starts: day("starts")?,
        ends: day("ends")?,
        on: day("on")?,
        received: cells.get("received").map_or(Ok(issued), |text| parse_day("received", text))?,
        has_claim: flag(cells, "claim")?,
        cover: (cover, cells.amount("cover_now")?.unwrap_or(cover)),
        by_insurer: flag(cells, "by_insurer")?,
        covered_since: cells.get("covered_since").map(|text| parse_day("covered_since", text)).transpose()?,
    })
}

fn flag(cells: &Cells<'_>, name: &str) -> Result<bool, String> {
    match cells.get(name) {
        None => Ok(false),
        Some("yes") => Ok(true),
        Some(text) => Err(format!("`{name}` must be yes or blank, not {text:?}.")),
    }
}
