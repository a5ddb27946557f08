//! Rate sheets: rupees a year by age band and sum insured.
//!
//! A sheet has a row for each age band, and a column for each sum insured. If the rates also depend on zone,
//! family or deductible, the sheet begins with columns for these:
//! ```text
//! zone,family,age_from,age_to,300000,500000
//! 1,2A1C,18,35,9120,11240
//! ```

use std::sync::Arc;

use domain::money::Rupees;
use rust_decimal::Decimal;

use super::key::{Key, KeyColumns};
use super::promise::Promise;
use spreadsheet::ReadRow;

use crate::between::Between;
use crate::family::FamilySize;
use crate::parse::cell;
use crate::parse::source_files::SourceFiles;
use crate::parse::table::Table;
use crate::parse::table_ref::report;
use crate::zones::Zones;

/// Highest age in a sheet, in completed years.
const OLDEST: u32 = 120;
/// Highest sum insured or deductible in a sheet, in rupees (100 crore).
const HIGHEST_SUM: u32 = 1_000_000_000;
/// Highest yearly premium in a sheet, in rupees.
const HIGHEST_RATE: Decimal = Decimal::from_parts(100_000_000, 0, 0, false, 0);

#[derive(Debug)]
pub(crate) struct RateSheet {
    /// Name of the sheet: its path in the catalogue, for a workbook also the sheet.
    pub(crate) file: Arc<str>,
    /// Line of the header in the file.
    pub(crate) header: usize,
    pub(crate) columns: KeyColumns,
    /// Sums insured of the columns, ascending.
    sums_insured: Vec<Rupees>,
    /// Rows by key, sorted by key, without duplicates.
    parts: Vec<Part>,
}

/// Rows with the same key.
#[derive(Debug)]
struct Part {
    key: Key,
    /// Age bands, ascending, without overlaps. Ages that no variant offers may be missing.
    bands: Vec<Band>,
}

#[derive(Debug)]
struct Band {
    from: u16,
    to: u16,
    /// One rate for each sum insured. `None`: the cell is blank.
    rates: Vec<Option<Rupees>>,
    line: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rate {
    /// Rate in rupees for one year.
    pub(crate) amount: Rupees,
    /// Age band of the row that has the rate.
    pub(crate) ages: Between<u16>,
    /// Line of the row that has the rate.
    pub(crate) line: usize,
}

impl RateSheet {
    /// Parses a rate sheet. `None` after a reported fault.
    pub(crate) fn parse(table: &Table, zones: &Zones, sources: &SourceFiles<'_>) -> Option<RateSheet> {
        let faults_before = sources.faults.count();
        let (columns, sums_insured) = parse_header(table, sources)?;
        let mut rows: Vec<(Key, Band)> = Vec::with_capacity(table.rows.len());
        for row in &table.rows {
            rows.extend(RowParser { row, table, columns, zones, sources }.parse());
        }
        // A stable sort keeps the file's order of rows with the same key.
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

    /// Rate for a key, an age and a sum insured. Never `None` if the variant offers this combination.
    pub(crate) fn find(&self, key: Key, age: u16, sum_insured: Rupees) -> Option<Rate> {
        let key = self.columns.of(key);
        let part = self.parts.binary_search_by(|part| part.key.cmp(&key)).ok()?;
        let bands = &self.parts[part].bands;
        let band = bands.get(bands.partition_point(|band| band.to < age)).filter(|band| band.from <= age)?;
        let column = self.sums_insured.binary_search(&sum_insured).ok()?;
        let ages = Between { least: band.from, most: band.to };
        Some(Rate { amount: band.rates[column]?, ages, line: band.line })
    }

    /// Reports combinations for these ages that the variant offers but that have no rate.
    pub(crate) fn check_promise(
        &self,
        promise: &Promise<'_>,
        ages: &[Between<u16>],
        sources: &SourceFiles<'_>,
    ) {
        let report = |line: usize, message: String| report(sources.faults, &self.file, line, None, message);
        let missing =
            |what: &str| report(self.header, format!("No row has the {what}, which the variant offers."));
        let columns: Vec<Option<usize>> = promise
            .sums_insured
            .iter()
            .map(|sum| {
                let column = self.sums_insured.binary_search(sum).ok();
                if column.is_none() {
                    let sum = sum.to_decimal().normalize();
                    report(
                        self.header,
                        format!("No column has the sum insured {sum}, which the variant offers."),
                    );
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
                // Report a missing zone, family or deductible once, not for each combination.
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

    /// Reports blank cells and missing ages in the rows of one key.
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
                        format!("The rate for {sum} is blank, but the variant offers this sum insured."),
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

    /// Describes what no row has: the zone, family or deductible of a missing key. If rows have each of
    /// these, describes the whole key.
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

/// Message for ages that no row has.
fn gap(from: u16, to: u16) -> String {
    format!("The ages {from} to {to} have no row here, but the variant offers them.")
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
            "The first line must have age_from,age_to and then sums insured in rupees. Before them: zone, family and deductible, if the rates depend on them.",
        );
        return None;
    }
    let sums: Option<Vec<u32>> = cells.map(|sum| cell::whole(sum, 1, HIGHEST_SUM)).collect();
    let Some(sums) = sums else {
        report("The heading of each column after age_to must be a sum insured in whole rupees.");
        return None;
    };
    if !sums.is_sorted_by(|sum, next| sum < next) {
        report("The sums insured must be in ascending order, each once.");
        return None;
    }
    Some((columns, sums.into_iter().map(|sum| Rupees::whole(sum.into())).collect()))
}

/// Reports a row whose age band overlaps the band of the previous row, or is below that band.
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
    row: &'r ReadRow,
    table: &'r Table,
    columns: KeyColumns,
    zones: &'r Zones,
    sources: &'r SourceFiles<'r>,
}

impl RowParser<'_> {
    /// Parses key and age band of a row. `None` after a reported fault.
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

    /// Parses the key of a row. Leaves out fields with a fault, which it reports.
    fn parse_key(&self, cells: &[String]) -> Key {
        let KeyColumns { zone, family, deductible } = self.columns;
        let mut cells = cells.iter().map(String::as_str);
        let mut cell = |has: bool| if has { cells.next() } else { None };
        let (zone, family, deductible) = (cell(zone), cell(family), cell(deductible));
        Key {
            zone: zone.and_then(|text| {
                let unknown =
                    || self.reject(0, format!("`zone` is {text:?}, which is not a zone of this insurer."));
                self.zones.find(text).or_else(unknown)
            }),
            family: family.and_then(|text| {
                let wanted = "`family` must be a number of adults and children, such as 1A or 2A1C.";
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

    /// Parses a rate. `None` if the cell is blank or has a fault.
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

    /// Reports a fault of a cell, and returns `None`.
    fn reject<T>(&self, column: usize, message: String) -> Option<T> {
        self.report(Some(column), message);
        None
    }
}
