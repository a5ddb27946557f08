//! Charts: premiums that an insurer published, priced again as a test of the catalogue.
//!
//! `tests/*.csv` in the catalogue's folder has one row for each published premium. Columns, in any order:
//! `variant`, `age` or `date_of_birth`, `gender`, `cover`, `term` (months), `on` (day of the quote), then what is
//! expected: `total` and, where published, `base` and `gst`; or `refused` with `age`, `age-at-end`, `cover` or
//! `term`. `loan` is the amount of the loan. Days are written `2026-11-20`. A blank cell says nothing.

use std::fmt;

use domain::context::{Context, ContextEntry, key};
use domain::date::{BirthDate, Date};
use domain::id::VariantId;
use domain::money::{CoverAmount, PlainAmount, Premium, Rupees};
use domain::person::Gender;
use domain::quote::{NotPriced, PolicyTerm, QuoteRequest};
use domain::text::FromText;

use crate::catalogue::Catalogue;
use crate::fault::{CatalogueFault, Faults};
use crate::files::Files;
use crate::load::sheet::{Row, Sheet};

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

/// The columns a chart may have.
const COLUMNS: &[&str] = &[
    "variant",
    "age",
    "date_of_birth",
    "gender",
    "cover",
    "loan",
    "term",
    "on",
    "base",
    "gst",
    "total",
    "refused",
];

/// Prices every row of every chart.
pub fn run(catalogue: &Catalogue, files: &Files) -> Report {
    let faults = Faults::default();
    let mut report = Report::default();
    for path in files.paths().filter(|path| path.starts_with("tests/") && path.ends_with(".csv")) {
        let content = files.get(path).unwrap_or_default();
        let Some(sheet) = Sheet::parse(path, content, &faults) else { continue };
        for column in sheet.header.cells.iter().filter(|column| !COLUMNS.contains(&column.as_str())) {
            faults.note(path, Some(sheet.header.line), format!("`{column}` is not a column of a chart."));
        }
        for row in &sheet.rows {
            match read_row(&sheet, row) {
                Ok(expected) => report.compare(catalogue, path, row.line, &expected, &faults),
                Err(message) => faults.note(path, Some(row.line), message),
            }
        }
    }
    report.faults = faults.into_sorted();
    report
}

impl Report {
    fn compare(&mut self, catalogue: &Catalogue, file: &str, line: usize, chart: &ChartRow, faults: &Faults) {
        let Some(variant) = catalogue.credit_variant(chart.variant) else {
            return faults.note(file, Some(line), format!("No product has a variant {}.", chart.variant));
        };
        self.rows += 1;
        let outcome = variant.price(&chart.request, chart.on);
        for (what, expected, came) in chart.expected.iter().map(|expected| expected.beside(&outcome)) {
            if expected != came {
                let (file, variant) = (file.to_owned(), chart.variant);
                self.differences.push(Difference { file, line, variant, what, expected, came });
            }
        }
    }
}

/// A row of a chart.
struct ChartRow {
    variant: VariantId,
    request: QuoteRequest,
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
    fn beside(&self, outcome: &Result<Premium, NotPriced>) -> (&'static str, String, String) {
        let amount = |of: fn(&Premium) -> Rupees| match outcome {
            Ok(premium) => of(premium).to_string(),
            Err(refused) => format!("refused ({refused})"),
        };
        match self {
            Expected::Base(base) => ("base", base.to_string(), amount(|premium| premium.base())),
            Expected::Gst(gst) => ("gst", gst.to_string(), amount(|premium| premium.gst())),
            Expected::Total(total) => ("total", total.to_string(), amount(|premium| premium.total())),
            Expected::Refused(word) => ("refused", word.clone(), refusal(outcome)),
        }
    }
}

/// The chart's word for an outcome.
fn refusal(outcome: &Result<Premium, NotPriced>) -> String {
    match outcome {
        Ok(premium) => format!("priced at {}", premium.total()),
        Err(NotPriced::Age { .. }) => "age".to_owned(),
        Err(NotPriced::AgeAtEnd { .. }) => "age-at-end".to_owned(),
        Err(NotPriced::Cover { .. }) => "cover".to_owned(),
        Err(NotPriced::Term { .. }) => "term".to_owned(),
        Err(
            other @ (NotPriced::TooLarge
            | NotPriced::InsurerRefused(_)
            | NotPriced::InsurerFailed
            | NotPriced::InsurerSlow),
        ) => other.to_string(),
    }
}

/// Reads a row; the sentence says what is wrong with it.
fn read_row(sheet: &Sheet, row: &Row) -> Result<ChartRow, String> {
    let cell = |name: &str| {
        let place = sheet.header.cells.iter().position(|column| column == name)?;
        row.cells.get(place).map(String::as_str).filter(|text| !text.is_empty())
    };
    let required = |name: &str| cell(name).ok_or_else(|| format!("`{name}` is missing."));
    let amount = |name: &str| cell(name).map(|text| read_amount(name, text)).transpose();
    let variant = required("variant")?;
    let variant =
        variant.parse().map_err(|_| format!("`variant` must be the id of a variant, not {variant:?}."))?;
    let on = read_day("on", required("on")?)?;
    let born = match (cell("date_of_birth"), cell("age")) {
        (Some(born), None) => read_day("date_of_birth", born)?,
        (None, Some(age)) => born_years_before(on, age)?,
        _ => return Err("The row must have one of `age` and `date_of_birth`.".to_owned()),
    };
    let gender = required("gender")?;
    let gender = Gender::from_text(gender).map_err(|_| format!("`gender` must be {}.", Gender::WANTED))?;
    let cover = read_amount("cover", required("cover")?)?;
    let cover = CoverAmount::of(cover).ok_or("`cover` must be above zero.")?;
    let term = required("term")?.parse().ok().and_then(PolicyTerm::months);
    let term = term.ok_or("`term` must be a whole number of months.")?;
    let loan = amount("loan")?.map(|loan| ContextEntry::new(key::LOAN_AMOUNT, vec![loan.to_string()]));
    let expected: Vec<Expected> = [
        amount("base")?.map(Expected::Base),
        amount("gst")?.map(Expected::Gst),
        amount("total")?.map(Expected::Total),
        cell("refused").map(|word| Expected::Refused(word.to_owned())),
    ]
    .into_iter()
    .flatten()
    .collect();
    if expected.is_empty() {
        return Err("The row expects nothing: `total`, `base`, `gst` or `refused` is needed.".to_owned());
    }
    let context = Context::of(loan.into_iter().collect());
    let request = QuoteRequest { born: BirthDate::kept(born), gender, cover, term, context };
    Ok(ChartRow { variant, request, on, expected })
}

fn read_amount(name: &str, text: &str) -> Result<Rupees, String> {
    let amount = PlainAmount::from_text(text).map(|amount| amount.0);
    amount.map_err(|_| format!("`{name}` must be {} not {text:?}.", PlainAmount::WANTED))
}

fn read_day(name: &str, text: &str) -> Result<Date, String> {
    let shaped = text.len() == 10;
    let day = text.parse::<Date>().ok().filter(|_| shaped);
    day.ok_or_else(|| format!("`{name}` must be a day such as 2026-11-20, not {text:?}."))
}

/// The birthday of one who turns so many years on a day; the day before where that year has no 29 February.
fn born_years_before(on: Date, age: &str) -> Result<Date, String> {
    let wrong = || format!("`age` must be completed years, not {age:?}.");
    let years: u8 = age.parse().map_err(|_| wrong())?;
    let year = on.year() - i16::from(years);
    let born = Date::new(year, on.month(), on.day()).or_else(|_| Date::new(year, on.month(), on.day() - 1));
    born.map_err(|_| wrong())
}
