//! Charts: published premiums, which test a catalogue.
//!
//! `tests/*.csv` in the catalogue's folder has one row for each published premium. Columns, in any order: `variant`,
//! `on` (day of the quote), those of the variant's line of business, then the expected outcome: `total` and, where
//! published, `base` and `gst`; or `refused` with a word. Days are written `2026-11-20`. A blank cell counts as absent.
//! A chart with a column `rules` has refunds of cancelled policies instead, one with a column `policy` what is left for claims.

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

use cells::{Cells, parse_day};
use outcome::RowOutcome;

/// The outcome of pricing every chart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Rows that were priced.
    pub rows: usize,
    /// Faults of rows that could not be parsed.
    pub faults: Vec<CatalogueFault>,
    /// Rows whose price differs from the chart's.
    pub differences: Vec<Difference>,
}

impl Report {
    /// Whether every row could be parsed and has the price of its chart.
    pub fn holds(&self) -> bool {
        self.faults.is_empty() && self.differences.is_empty()
    }
}

/// A row whose price differs from the chart's. Prints as `file:line: sentence`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Path of the chart inside the catalogue.
    pub file: String,
    /// Line in it, counted from 1.
    pub line: usize,
    /// What was priced: the variant, or the rules of a refund.
    pub subject: String,
    /// The column of the chart that differs.
    pub column: &'static str,
    /// The chart's value.
    pub expected: String,
    /// The catalogue's value.
    pub actual: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { file, line, subject, column, expected, actual } = self;
        write!(to, "{file}:{line}: {subject}: `{column}` is {actual}, the chart says {expected}.")
    }
}

/// What a chart is of: a column that only this kind has tells.
enum ChartKind {
    Prices,
    Refunds,
    Claims(claims::ClaimChart),
}

/// Prices every row of every chart.
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

/// What every row of a chart has.
struct ChartRow {
    subject: String,
    /// At least one.
    expected: Vec<Expected>,
}

/// One expected value of a row.
enum Expected {
    Base(Rupees),
    Gst(Rupees),
    Total(Rupees),
    /// What is left for a claim, which has no tax.
    Left(Rupees),
    Refused(String),
}

impl Expected {
    /// The column, its expected value and the actual one.
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

/// Parses and prices a row. The error is the message of its fault.
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

/// Parses what a row expects.
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
        return Err("The row expects nothing: `total`, `base`, `gst` or `refused` is needed.".to_owned());
    }
    Ok(ChartRow { subject, expected })
}
