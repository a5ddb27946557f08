//! Charts: published premiums that test a catalogue.
//!
//! `tests/*.csv` in the catalogue's folder has one row for each published premium. Columns, in any order:
//! `variant`, `on` (day of the quote), and the columns of the variant's line of business. Expected outcome:
//! either `total`, with `base` and `gst` if they are published, or `refused` with a word. Days are written
//! like `2026-11-20`. A blank cell counts as absent. A chart with a column `rules` has refunds of cancelled
//! policies. A chart with a column `policy` has the cover that is left for claims.

mod both;
mod cells;
mod claims;
mod columns;
mod credit_life;
mod health;
mod outcome;
mod refund;

use std::fmt;

use domain::id::VariantId;
use domain::money::{Premium, Rupees};

use crate::catalogue::Catalogue;
use crate::fault::{CatalogueFault, FaultLog};
use crate::files::Files;
use crate::parse::table::Table;

pub use both::{BothPrices, price_both};
use cells::{Cells, parse_day};
use outcome::RowOutcome;

/// Result of a test of the catalogue with all charts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Number of compared rows.
    pub rows: usize,
    /// Faults of rows that could not be parsed.
    pub faults: Vec<CatalogueFault>,
    /// Differences between calculated and published values.
    pub differences: Vec<Difference>,
}

impl Report {
    /// Whether every row could be parsed and has the published value.
    pub fn holds(&self) -> bool {
        self.faults.is_empty() && self.differences.is_empty()
    }
}

/// A published value that differs from the calculated value. Prints as `file:line: sentence`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Path of the chart in the catalogue.
    pub file: String,
    /// Line in the chart, counted from 1.
    pub line: usize,
    /// What the row tests: id of the priced variant or of the refund rules, or name of the policy with the
    /// kind of claim.
    pub subject: String,
    /// Chart column whose value differs.
    pub column: &'static str,
    pub expected: String,
    /// Value that the catalogue gives.
    pub actual: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { file, line, subject, column, expected, actual } = self;
        write!(to, "{file}:{line}: {subject}: `{column}` is {actual}, the chart says {expected}.")
    }
}

/// Kind of a chart, recognised by a column that only this kind has.
enum ChartKind {
    Prices,
    Refunds,
    Claims(claims::ClaimChart),
}

/// Calculates all rows of all charts, and compares them with the published values.
pub fn run(catalogue: &Catalogue, files: &Files) -> Report {
    let faults = FaultLog::default();
    let mut report = Report::default();
    let prices = [columns::COMMON, columns::CREDIT_LIFE, columns::HEALTH].concat();
    for path in files.paths().filter(|path| path.starts_with("tests/") && path.ends_with(".csv")) {
        let content = files.get(path).unwrap_or_default();
        let Some(table) = Table::parse(path, content, &faults) else { continue };
        let has = |mark: &str| table.header.cells.iter().any(|column| column == mark);
        let mut kind = if has(refund::MARK) {
            ChartKind::Refunds
        } else if has(claims::MARK) {
            ChartKind::Claims(claims::ClaimChart::default())
        } else {
            ChartKind::Prices
        };
        let known = match kind {
            ChartKind::Refunds => refund::COLUMNS,
            ChartKind::Claims(_) => claims::COLUMNS,
            ChartKind::Prices => &prices[..],
        };
        for column in table.header.cells.iter().filter(|column| !known.contains(&column.as_str())) {
            faults.report(path, Some(table.header.line), format!("`{column}` is not a column of a chart."));
        }
        for row in &table.rows {
            let cells = Cells { table: &table, row };
            let priced = match &mut kind {
                ChartKind::Refunds => refund::price(catalogue, &cells),
                ChartKind::Claims(claims) => claims.price(catalogue, &cells),
                ChartKind::Prices => price(catalogue, &cells),
            };
            match priced {
                Ok((chart, actual)) => report.compare(path, row.line, &chart, &actual),
                Err(message) => faults.report(path, Some(row.line), message),
            }
        }
    }
    report.faults = faults.into_sorted();
    report
}

impl Report {
    fn compare(&mut self, file: &str, line: usize, chart: &ChartRow, actual: &RowOutcome) {
        self.rows += 1;
        for (column, expected, actual) in chart.expected.iter().map(|expected| expected.compared_with(actual))
        {
            if expected != actual {
                let (file, subject) = (file.to_owned(), chart.subject.clone());
                self.differences.push(Difference { file, line, subject, column, expected, actual });
            }
        }
    }
}

/// What a row of any chart tests, with its expected values.
struct ChartRow {
    subject: String,
    /// Expected values of the row, at least one.
    expected: Vec<Expected>,
}

enum Expected {
    Base(Rupees),
    Gst(Rupees),
    Total(Rupees),
    /// Cover that is left for a claim. This amount has no tax.
    Left(Rupees),
    Refused(String),
}

impl Expected {
    /// Returns the column's name, the expected value and the actual value.
    fn compared_with(&self, actual: &RowOutcome) -> (&'static str, String, String) {
        let amount = |of: fn(&Premium) -> Rupees| match actual {
            Ok(premium) => of(premium).to_string(),
            Err(refusal) => format!("refused ({})", refusal.sentence),
        };
        match self {
            Expected::Base(base) => ("base", base.to_string(), amount(|premium| premium.base())),
            Expected::Gst(gst) => ("gst", gst.to_string(), amount(|premium| premium.gst())),
            Expected::Total(total) => ("total", total.to_string(), amount(|premium| premium.total())),
            Expected::Left(left) => ("left", left.to_string(), amount(|premium| premium.total())),
            Expected::Refused(word) => {
                let actual = match actual {
                    Ok(premium) => format!("priced at {}", premium.total()),
                    Err(refusal) => refusal.word.clone(),
                };
                ("refused", word.clone(), actual)
            }
        }
    }
}

/// Parses a row and prices its request. The error is the message of the fault.
fn price(catalogue: &Catalogue, cells: &Cells<'_>) -> Result<(ChartRow, RowOutcome), String> {
    let variant = cells.required("variant")?;
    let variant: VariantId =
        variant.parse().map_err(|_| format!("`variant` must be the id of a variant, not {variant:?}."))?;
    let on = parse_day("on", cells.required("on")?)?;
    let chart = parse_row(variant.to_string(), cells)?;
    let (credit, health) = (catalogue.credit_variant(variant), catalogue.health_variant(variant));
    let actual = match (credit, health) {
        (Some(variant), _) => credit_life::price(variant, cells, on)?,
        (None, Some(variant)) => health::price(variant, cells, on)?,
        (None, None) => return Err(format!("No product has a variant {variant}.")),
    };
    Ok((chart, actual))
}

fn parse_row(subject: String, cells: &Cells<'_>) -> Result<ChartRow, String> {
    let expected: Vec<Expected> = [
        cells.amount("base")?.map(Expected::Base),
        cells.amount("gst")?.map(Expected::Gst),
        cells.amount("total")?.map(Expected::Total),
        cells.get("refused").map(|word| Expected::Refused(word.to_owned())),
    ]
    .into_iter()
    .flatten()
    .collect();
    if expected.is_empty() {
        return Err("The row must have at least one of `total`, `base`, `gst` and `refused`.".to_owned());
    }
    Ok(ChartRow { subject, expected })
}
