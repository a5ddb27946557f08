//! Rate sheets: rupees a year by age band with sum insured.
//!
//! A sheet has a row for each band of ages and a column for each sum insured. Where the rates depend on zone, family
//! or deductible, key columns before the ages have these:
//! ```text
//! zone,family,age_from,age_to,300000,500000
//! 1,2A1C,18,35,9120,11240
//! ```

use std::sync::Arc;

use domain::money::Rupees;
use rust_decimal::Decimal;

use super::key::{Key, KeyColumns};
use super::promise::Promise;
use crate::between::Between;
use crate::family::FamilySize;
use crate::parse::cell;
use crate::parse::source_files::SourceFiles;
use crate::parse::table::{Row, Table};
use crate::parse::table_ref::report;
use crate::zones::Zones;

/// The oldest age a sheet may name.
const OLDEST: u32 = 120;
/// The highest sum insured or deductible a sheet may name, in rupees: a hundred crore.
const HIGHEST_SUM: u32 = 1_000_000_000;
/// The highest premium of a year a sheet may name, in rupees.
const HIGHEST_RATE: Decimal = Decimal::from_parts(100_000_000, 0, 0, false, 0);

/// A compiled sheet.
#[derive(Debug)]
pub(crate) struct RateSheet {
    /// Path inside the catalogue.
    pub(crate) file: Arc<str>,
    /// Line of the header.
    pub(crate) header: usize,
    pub(crate) columns: KeyColumns,
    /// Ascending.
    sums_insured: Vec<Rupees>,
    /// In the order of keys, each once.
    parts: Vec<Part>,
}

/// The rows of one key.
#[derive(Debug)]
struct Part {
    key: Key,
    /// Ascending. Ages that no variant promises may be missing between two of them.
    bands: Vec<Band>,
}

/// One row.
#[derive(Debug)]
struct Band {
    from: u16,
    to: u16,
    /// One for each sum insured; `None` where the cell is blank.
    rates: Vec<Option<Rupees>>,
    line: usize,
}

/// A rate with its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    /// Rupees a year.
    pub(crate) amount: Rupees,
    /// Ages of its row.
    pub(crate) ages: Between<u16>,
    /// Line of its row.
    pub(crate) line: usize,
}

impl RateSheet {
    /// Compiles a sheet. `None` when a fault was reported.
    pub(crate) fn parse(table: &Table, zones: &Zones, sources: &SourceFiles<'_>) -> Option<RateSheet> {
        let faults_before = sources.faults.count();
        let (columns, sums_insured) = parse_header(table, sources)?;
        let mut rows: Vec<(Key, Band)> = Vec::with_capacity(table.rows.len());
        for row in &table.rows {
            rows.extend(RowParser { row, table, columns, zones, sources }.parse());
        }
        // The sort is stable: the rows of one key stay in the file's order.
        rows.sort_by_key(|(key, _)| *key);
        let mut parts: Vec<Part> = Vec::new();
        for (key, band) in rows {
            match parts.last_mut().filter(|part| part.key == key) {
                Some(part) => {
                    check_order(part.bands.last(), &band, table, sources);
                    part.bands.push(band);
                }
                None => parts.push(Part { key, bands: vec![band] }),
            }
        }
        let file = Arc::from(table.file.as_str());
        let sheet = RateSheet { file, header: table.header.line, columns, sums_insured, parts };
        (sources.faults.count() == faults_before).then_some(sheet)
    }

    /// The rate for a key, an age and a sum insured. It is always there for a promised combination.
    pub(crate) fn find(&self, key: Key, age: u16, sum_insured: Rupees) -> Option<Rate> {
        let key = self.columns.of(key);
        let part = self.parts.binary_search_by(|part| part.key.cmp(&key)).ok()?;
        let bands = &self.parts[part].bands;
        let band = bands.get(bands.partition_point(|band| band.to < age)).filter(|band| band.from <= age)?;
        let column = self.sums_insured.binary_search(&sum_insured).ok()?;
        let ages = Between { least: band.from, most: band.to };
        Some(Rate { amount: band.rates[column]?, ages, line: band.line })
    }

    /// Reports promised combinations of these ages that have no rate.
    pub(crate) fn check_promise(
        &self,
        promise: &Promise<'_>,
        ages: &[Between<u16>],
        sources: &SourceFiles<'_>,
    ) {
        let report = |line: usize, message: String| report(sources.faults, &self.file, line, None, message);
        let missing = |what: &str| report(self.header, format!("No row has the {what}, which is promised."));
        let columns: Vec<Option<usize>> = promise
            .sums_insured
            .iter()
            .map(|sum| {
                let column = self.sums_insured.binary_search(sum).ok();
                if column.is_none() {
                    let sum = sum.to_decimal().normalize();
                    report(self.header, format!("No column has the sum insured {sum}, which is promised."));
                }
                column
            })
            .collect();
        let columns: Vec<usize> = columns.into_iter().flatten().collect();
        let mut reported = Vec::new();
        for key in promise.keys(self.columns) {
            let part = self.parts.binary_search_by(|part| part.key.cmp(&key));
            match part {
                Ok(part) => self.check_part(&self.parts[part], ages, &columns, sources),
                // A zone, family or deductible that no row has is reported once, not once for each combination.
                Err(_) => {
                    let what = self.missing_of(key, &promise.limits.zones);
                    if !reported.contains(&what) {
                        missing(&what);
                        reported.push(what);
                    }
                }
            }
        }
    }

    /// Reports blank cells and ages that a part lacks.
    fn check_part(&self, part: &Part, ages: &[Between<u16>], columns: &[usize], sources: &SourceFiles<'_>) {
        let report =
            |line, column, message: String| report(sources.faults, &self.file, line, column, message);
        for Between { least, most } in ages {
            let mut next = *least;
            let promised = part.bands.iter().filter(|band| band.to >= *least && band.from <= *most);
            let mut last = part.bands.first().map_or(self.header, |band| band.line);
            for band in promised {
                if band.from > next {
                    report(band.line, None, gap(next, band.from - 1));
                }
                for column in columns.iter().filter(|column| band.rates[**column].is_none()) {
                    let sum = self.sums_insured[*column].to_decimal().normalize();
                    let cell = self.columns.count() + 2 + column;
                    report(
                        band.line,
                        Some(cell),
                        format!("The rate for {sum} is blank, but it is promised."),
                    );
                }
                next = band.to + 1;
                last = band.line;
            }
            if next <= *most {
                report(last, None, gap(next, *most));
            }
        }
    }

    /// The part of a missing key that no row has: the first such part, else the whole key.
    fn missing_of(&self, key: Key, zones: &Zones) -> String {
        let zone = key.zone.map(|zone| format!("zone {}", zones.name(zone)));
        let family = key.family.map(|family| format!("family {family}"));
        let deductible = |amount: Rupees| format!("deductible {}", amount.to_decimal().normalize());
        let deductible = key.deductible.map(deductible);
        let has = |same: fn(&Key, &Key) -> bool| self.parts.iter().any(|part| same(&part.key, &key));
        match (zone, family, deductible) {
            (Some(zone), ..) if !has(|one, other| one.zone == other.zone) => zone,
            (_, Some(family), _) if !has(|one, other| one.family == other.family) => family,
            (_, _, Some(deductible)) if !has(|one, other| one.deductible == other.deductible) => deductible,
            (zone, family, deductible) => {
                let all: Vec<String> = [zone, family, deductible].into_iter().flatten().collect();
                all.join(" with ")
            }
        }
    }
}

/// The message for ages that no row has.
fn gap(from: u16, to: u16) -> String {
    format!("No row of its kind has the ages {from} to {to}, which are promised.")
}

/// Parses the key columns and the sums insured from the header.
fn parse_header(table: &Table, sources: &SourceFiles<'_>) -> Option<(KeyColumns, Vec<Rupees>)> {
    let report =
        |message: &str| report(sources.faults, &table.file, table.header.line, None, message.to_owned());
    let mut cells = table.header.cells.iter().map(String::as_str).peekable();
    let columns = KeyColumns {
        zone: cells.next_if_eq(&"zone").is_some(),
        family: cells.next_if_eq(&"family").is_some(),
        deductible: cells.next_if_eq(&"deductible").is_some(),
    };
    if (cells.next(), cells.next()) != (Some("age_from"), Some("age_to")) || cells.peek().is_none() {
        report(
            "The first line must have zone, family and deductible where the rates depend on them, then age_from,age_to, then sums insured in rupees.",
        );
        return None;
    }
    let sums: Option<Vec<u32>> = cells.map(|sum| cell::whole(sum, 1, HIGHEST_SUM)).collect();
    let Some(sums) = sums else {
        report("Every column after age_to must be headed by a sum insured in whole rupees.");
        return None;
    };
    if !sums.is_sorted_by(|sum, next| sum < next) {
        report("The sums insured must stand in rising order, each once.");
        return None;
    }
    Some((columns, sums.into_iter().map(|sum| Rupees::whole(sum.into())).collect()))
}

/// Reports a row whose ages do not come after those of the row before it.
fn check_order(before: Option<&Band>, band: &Band, table: &Table, sources: &SourceFiles<'_>) {
    if let Some(before) = before.filter(|before| band.from <= before.to) {
        let message = format!(
            "The ages {} to {} overlap those of line {} or come before them.",
            band.from, band.to, before.line
        );
        report(sources.faults, &table.file, band.line, None, message);
    }
}

struct RowParser<'r> {
    row: &'r Row,
    table: &'r Table,
    columns: KeyColumns,
    zones: &'r Zones,
    sources: &'r SourceFiles<'r>,
}

impl RowParser<'_> {
    /// Parses the key and the band. `None` when a fault was reported.
    fn parse(&self) -> Option<(Key, Band)> {
        let faults_before = self.sources.faults.count();
        let (keys, rest) = self.row.cells.split_at_checked(self.columns.count())?;
        let [from, to, rates @ ..] = rest else { return None };
        let key = self.parse_key(keys);
        let (from, to) = {
            let first = self.columns.count();
            (self.parse_age("age_from", first, from), self.parse_age("age_to", first + 1, to))
        };
        let sums = self.table.header.cells.iter().enumerate().skip(self.columns.count() + 2);
        let rates: Vec<Option<Rupees>> =
            rates.iter().zip(sums).map(|(text, (column, sum))| self.parse_rate(text, column, sum)).collect();
        let (from, to) = (from?, to?);
        if from > to {
            self.report(None, format!("`age_from` ({from}) is above `age_to` ({to})."));
        }
        let band = Band { from, to, rates, line: self.row.line };
        (self.sources.faults.count() == faults_before).then_some((key, band))
    }

    /// Parses the key, without the parts that have a fault.
    fn parse_key(&self, cells: &[String]) -> Key {
        let KeyColumns { zone, family, deductible } = self.columns;
        let mut cells = cells.iter().map(String::as_str);
        let mut cell = |has: bool| if has { cells.next() } else { None };
        let (zone, family, deductible) = (cell(zone), cell(family), cell(deductible));
        Key {
            zone: zone.and_then(|text| {
                let unknown =
                    || self.reject(0, format!("`zone` is {text:?}, which is no zone of this insurer."));
                self.zones.find(text).or_else(unknown)
            }),
            family: family.and_then(|text| {
                let wanted = "`family` must be adults and children such as 1A or 2A1C.";
                FamilySize::parse(text)
                    .or_else(|| self.reject(usize::from(self.columns.zone), wanted.to_owned()))
            }),
            deductible: deductible.and_then(|text| {
                let amount = cell::whole(text, 0, HIGHEST_SUM).map(|amount| Rupees::whole(amount.into()));
                amount.or_else(|| {
                    self.reject(
                        self.columns.count() - 1,
                        "`deductible` must be an amount in whole rupees.".to_owned(),
                    )
                })
            }),
        }
    }

    fn parse_age(&self, name: &str, column: usize, text: &str) -> Option<u16> {
        let age = cell::whole(text, 0, OLDEST).and_then(|age| u16::try_from(age).ok());
        age.or_else(|| self.reject(column, format!("`{name}` must be a whole number from 0 to {OLDEST}.")))
    }

    /// Parses a rate. `None` for a blank cell or one with a fault.
    fn parse_rate(&self, text: &str, column: usize, sum: &str) -> Option<Rupees> {
        if text.is_empty() {
            return None;
        }
        let rate = cell::rate(text, HIGHEST_RATE);
        let rate =
            rate.map_err(|why| self.report(Some(column), format!("The rate for {sum} {why}."))).ok()?;
        let amount = Rupees::nearest(rate).filter(|amount| amount.to_decimal() == rate);
        amount.or_else(|| self.reject(column, format!("The rate for {sum} must have at most two decimals.")))
    }

    fn report(&self, column: Option<usize>, message: String) {
        report(self.sources.faults, &self.table.file, self.row.line, column, message);
    }

    /// Reports a fault in place of a value.
    fn reject<T>(&self, column: usize, message: String) -> Option<T> {
        self.report(Some(column), message);
        None
    }
}
