//! Charts: premiums that an insurer published, priced again as a test of the catalogue.
//!
//! `tests/*.csv` in the catalogue's folder has one row for each published premium. Columns, in any order: `variant`,
//! `on` (day of the quote), what the variant's line of business goes by, then what is expected: `total` and, where
//! published, `base` and `gst`; or `refused` with a word. Days are written `2026-11-20`. A blank cell says nothing.

mod cells;
mod columns;
mod credit_life;
mod health;
mod outcome;

use std::fmt;

use domain::date::Date;
use domain::id::VariantId;
use domain::money::{Premium, Rupees};

use crate::catalogue::Catalogue;
use crate::fault::{CatalogueFault, Faults};
use crate::files::Files;
use crate::parse::table::Sheet;

use cells::{Cells, read_day};
use outcome::Came;

/// What came of pricing every chart.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// Rows that were priced.
    pub rows: usize,
    /// Rows that could not be read, and why.
    pub faults: Vec<CatalogueFault>,
    /// Rows whose price is another than the chart's.
    pub differences: Vec<Difference>,
}

impl Report {
    /// Whether every row was read and priced as its chart says.
    pub fn holds(&self) -> bool {
        self.faults.is_empty() && self.differences.is_empty()
    }
}

/// A row whose price is another than the chart's. Prints as `file:line: sentence`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Path of the chart inside the catalogue.
    pub file: String,
    /// Line in it, counted from 1.
    pub line: usize,
    /// The variant priced.
    pub variant: VariantId,
    /// What differs: a column of the chart.
    pub what: &'static str,
    /// As the chart says.
    pub expected: String,
    /// As the catalogue says.
    pub came: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Difference { file, line, variant, what, expected, came } = self;
        write!(to, "{file}:{line}: {variant}: `{what}` is {came}, the chart says {expected}.")
    }
}

/// Prices every row of every chart.
pub fn run(catalogue: &Catalogue, files: &Files) -> Report {
    let faults = Faults::default();
    let mut report = Report::default();
    let known = [columns::COMMON, columns::CREDIT_LIFE, columns::HEALTH].concat();
    for path in files.paths().filter(|path| path.starts_with("tests/") && path.ends_with(".csv")) {
        let content = files.get(path).unwrap_or_default();
        let Some(sheet) = Sheet::parse(path, content, &faults) else { continue };
        for column in sheet.header.cells.iter().filter(|column| !known.contains(&column.as_str())) {
            faults.note(path, Some(sheet.header.line), format!("`{column}` is not a column of a chart."));
        }
        for row in &sheet.rows {
            match price(catalogue, &Cells { sheet: &sheet, row }) {
                Ok((chart, came)) => report.compare(path, row.line, &chart, &came),
                Err(message) => faults.note(path, Some(row.line), message),
            }
        }
    }
    report.faults = faults.into_sorted();
    report
}

impl Report {
    fn compare(&mut self, file: &str, line: usize, chart: &ChartRow, came: &Came) {
        self.rows += 1;
        for (what, expected, came) in chart.expected.iter().map(|expected| expected.beside(came)) {
            if expected != came {
                let (file, variant) = (file.to_owned(), chart.variant);
                self.differences.push(Difference { file, line, variant, what, expected, came });
            }
        }
    }
}

/// What every row of a chart says.
struct ChartRow {
    variant: VariantId,
    on: Date,
    /// At least one.
    expected: Vec<Expected>,
}

/// One thing that a chart says of a price.
enum Expected {
    Base(Rupees),
    Gst(Rupees),
    Total(Rupees),
    Refused(String),
}

impl Expected {
    /// The column, what it says, and what came instead.
    fn beside(&self, came: &Came) -> (&'static str, String, String) {
        let amount = |of: fn(&Premium) -> Rupees| match came {
            Ok(premium) => of(premium).to_string(),
            Err(refusal) => format!("refused ({})", refusal.sentence),
        };
        match self {
            Expected::Base(base) => ("base", base.to_string(), amount(|premium| premium.base())),
            Expected::Gst(gst) => ("gst", gst.to_string(), amount(|premium| premium.gst())),
            Expected::Total(total) => ("total", total.to_string(), amount(|premium| premium.total())),
            Expected::Refused(word) => {
                let came = match came {
                    Ok(premium) => format!("priced at {}", premium.total()),
                    Err(refusal) => refusal.word.clone(),
                };
                ("refused", word.clone(), came)
            }
        }
    }
}

/// Reads and prices a row; the sentence says what is wrong with it.
fn price(catalogue: &Catalogue, cells: &Cells<'_>) -> Result<(ChartRow, Came), String> {
    let chart = read_row(cells)?;
    let (credit, health) = (catalogue.credit_variant(chart.variant), catalogue.health_variant(chart.variant));
    let came = match (credit, health) {
        (Some(variant), _) => credit_life::price(variant, cells, chart.on)?,
        (None, Some(variant)) => health::price(variant, cells, chart.on)?,
        (None, None) => return Err(format!("No product has a variant {}.", chart.variant)),
    };
    Ok((chart, came))
}

/// Reads what every row says.
fn read_row(cells: &Cells<'_>) -> Result<ChartRow, String> {
    let variant = cells.required("variant")?;
    let variant =
        variant.parse().map_err(|_| format!("`variant` must be the id of a variant, not {variant:?}."))?;
    let on = read_day("on", cells.required("on")?)?;
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
    Ok(ChartRow { variant, on, expected })
}
