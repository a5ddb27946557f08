//! Rate sheets: rupees a year by age band and sum insured, apart for each zone, family or deductible.
//!
//! A sheet has a row for each band of ages and a column for each sum insured. Where the rates go by zone, family or
//! deductible, columns before the ages say which:
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
use crate::parse::source_files::Shelf;
use crate::parse::table::{Row, Sheet};
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
    /// Columns that say what a row's rates are for.
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
    /// Ascending. Between two of them ages may be missing that nobody promises.
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

/// A rate that was found.
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
    /// Compiles a sheet. `None` when a fault was noted.
    pub(crate) fn read(sheet: &Sheet, zones: &Zones, shelf: &Shelf<'_>) -> Option<RateSheet> {
        let noted = shelf.faults.count();
        let (columns, sums_insured) = read_header(sheet, shelf)?;
        let mut rows: Vec<(Key, Band)> = Vec::with_capacity(sheet.rows.len());
        for row in &sheet.rows {
            rows.extend(RowReader { row, sheet, columns, zones, shelf }.read());
        }
        // The sort is stable: of one key the rows stay in the file's order.
        rows.sort_by_key(|(key, _)| *key);
        let mut parts: Vec<Part> = Vec::new();
        for (key, band) in rows {
            match parts.last_mut().filter(|part| part.key == key) {
                Some(part) => {
                    judge_order(part.bands.last(), &band, sheet, shelf);
                    part.bands.push(band);
                }
                None => parts.push(Part { key, bands: vec![band] }),
            }
        }
        let file = Arc::from(sheet.file.as_str());
        let sheet = RateSheet { file, header: sheet.header.line, columns, sums_insured, parts };
        (shelf.faults.count() == noted).then_some(sheet)
    }

    /// The rate of a key, an age and a sum insured. Always there for what was promised.
    pub(crate) fn find(&self, key: Key, age: u16, sum_insured: Rupees) -> Option<Rate> {
        let key = self.columns.of(key);
        let part = self.parts.binary_search_by(|part| part.key.cmp(&key)).ok()?;
        let bands = &self.parts[part].bands;
        let band = bands.get(bands.partition_point(|band| band.to < age)).filter(|band| band.from <= age)?;
        let column = self.sums_insured.binary_search(&sum_insured).ok()?;
        let ages = Between { least: band.from, most: band.to };
        Some(Rate { amount: band.rates[column]?, ages, line: band.line })
    }

    /// Notes what was promised, for these ages, and has no rate.
    pub(crate) fn judge_promise(&self, promise: &Promise<'_>, ages: &[Between<u16>], shelf: &Shelf<'_>) {
        let fault = |line: usize, message: String| shelf.faults.note(&self.file, Some(line), message);
        let missing = |what: &str| fault(self.header, format!("No row has the {what}, which is promised."));
        let columns: Vec<Option<usize>> = promise
            .sums_insured
            .iter()
            .map(|sum| {
                let column = self.sums_insured.binary_search(sum).ok();
                if column.is_none() {
                    let sum = sum.to_decimal().normalize();
                    fault(self.header, format!("No column has the sum insured {sum}, which is promised."));
                }
                column
            })
            .collect();
        let columns: Vec<usize> = columns.into_iter().flatten().collect();
        let mut told = Vec::new();
        for key in promise.keys(self.columns) {
            let part = self.parts.binary_search_by(|part| part.key.cmp(&key));
            match part {
                Ok(part) => self.judge_part(&self.parts[part], ages, &columns, shelf),
                // A zone, family or deductible that no row has at all is told once, not once in each combination.
                Err(_) => {
                    let what = self.missing_of(key, &promise.limits.zones);
                    if !told.contains(&what) {
                        missing(&what);
                        told.push(what);
                    }
                }
            }
        }
    }

    /// Notes ages that a part lacks, and blank cells.
    fn judge_part(&self, part: &Part, ages: &[Between<u16>], columns: &[usize], shelf: &Shelf<'_>) {
        let fault = |line: usize, message: String| shelf.faults.note(&self.file, Some(line), message);
        for Between { least, most } in ages {
            let mut next = *least;
            let promised = part.bands.iter().filter(|band| band.to >= *least && band.from <= *most);
            let mut last = part.bands.first().map_or(self.header, |band| band.line);
            for band in promised {
                if band.from > next {
                    fault(band.line, gap(next, band.from - 1));
                }
                for column in columns.iter().filter(|column| band.rates[**column].is_none()) {
                    let sum = self.sums_insured[*column].to_decimal().normalize();
                    fault(band.line, format!("The rate for {sum} is blank, but it is promised."));
                }
                next = band.to + 1;
                last = band.line;
            }
            if next <= *most {
                fault(last, gap(next, *most));
            }
        }
    }

    /// What a missing key lacks: its first part that no row has, else all of it.
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

/// The sentence of ages that no row has.
fn gap(from: u16, to: u16) -> String {
    format!("No row of its kind has the ages {from} to {to}, which are promised.")
}

/// The columns of keys and the sums insured, from the header.
fn read_header(sheet: &Sheet, shelf: &Shelf<'_>) -> Option<(KeyColumns, Vec<Rupees>)> {
    let fault = |message: &str| shelf.faults.note(&sheet.file, Some(sheet.header.line), message);
    let mut cells = sheet.header.cells.iter().map(String::as_str).peekable();
    let columns = KeyColumns {
        zone: cells.next_if_eq(&"zone").is_some(),
        family: cells.next_if_eq(&"family").is_some(),
        deductible: cells.next_if_eq(&"deductible").is_some(),
    };
    if (cells.next(), cells.next()) != (Some("age_from"), Some("age_to")) || cells.peek().is_none() {
        fault(
            "The first line must have zone, family and deductible as far as the rates go by them, then age_from,age_to, then sums insured in rupees.",
        );
        return None;
    }
    let sums: Option<Vec<u32>> = cells.map(|sum| cell::whole(sum, 1, HIGHEST_SUM)).collect();
    let Some(sums) = sums else {
        fault("Every column after age_to must be headed by a sum insured in whole rupees.");
        return None;
    };
    if !sums.is_sorted_by(|sum, next| sum < next) {
        fault("The sums insured must stand in rising order, each once.");
        return None;
    }
    Some((columns, sums.into_iter().map(|sum| Rupees::whole(sum.into())).collect()))
}

/// Notes a row whose ages do not come after those of the row before it.
fn judge_order(before: Option<&Band>, band: &Band, sheet: &Sheet, shelf: &Shelf<'_>) {
    if let Some(before) = before.filter(|before| band.from <= before.to) {
        let message = format!(
            "The ages {} to {} overlap those of line {} or come before them.",
            band.from, band.to, before.line
        );
        shelf.faults.note(&sheet.file, Some(band.line), message);
    }
}

/// One row while it is read.
struct RowReader<'r> {
    row: &'r Row,
    sheet: &'r Sheet,
    columns: KeyColumns,
    zones: &'r Zones,
    shelf: &'r Shelf<'r>,
}

impl RowReader<'_> {
    /// The row's key and band. `None` when a fault was noted.
    fn read(&self) -> Option<(Key, Band)> {
        let noted = self.shelf.faults.count();
        let (keys, rest) = self.row.cells.split_at_checked(self.columns.count())?;
        let [from, to, rates @ ..] = rest else { return None };
        let key = self.read_key(keys);
        let (from, to) = (self.read_age("age_from", from), self.read_age("age_to", to));
        let sums = self.sheet.header.cells.iter().skip(self.columns.count() + 2);
        let rates: Vec<Option<Rupees>> =
            rates.iter().zip(sums).map(|(text, sum)| self.read_rate(text, sum)).collect();
        let (from, to) = (from?, to?);
        if from > to {
            self.note(format!("`age_from` ({from}) is above `age_to` ({to})."));
        }
        let band = Band { from, to, rates, line: self.row.line };
        (self.shelf.faults.count() == noted).then_some((key, band))
    }

    /// The key, without the parts that have a fault.
    fn read_key(&self, cells: &[String]) -> Key {
        let KeyColumns { zone, family, deductible } = self.columns;
        let mut cells = cells.iter().map(String::as_str);
        let mut cell = |has: bool| if has { cells.next() } else { None };
        let (zone, family, deductible) = (cell(zone), cell(family), cell(deductible));
        Key {
            zone: zone.and_then(|text| {
                let unknown = || self.fault(format!("`zone` is {text:?}, which is no zone of this insurer."));
                self.zones.find(text).or_else(unknown)
            }),
            family: family.and_then(|text| {
                let wanted = "`family` must be adults and children such as 1A or 2A1C.";
                FamilySize::parse(text).or_else(|| self.fault(wanted.to_owned()))
            }),
            deductible: deductible.and_then(|text| {
                let amount = cell::whole(text, 0, HIGHEST_SUM).map(|amount| Rupees::whole(amount.into()));
                amount.or_else(|| self.fault("`deductible` must be an amount in whole rupees.".to_owned()))
            }),
        }
    }

    fn read_age(&self, name: &str, text: &str) -> Option<u16> {
        let age = cell::whole(text, 0, OLDEST).and_then(|age| u16::try_from(age).ok());
        age.or_else(|| self.fault(format!("`{name}` must be a whole number from 0 to {OLDEST}.")))
    }

    /// A rate, or `None` for a blank cell and for one with a fault.
    fn read_rate(&self, text: &str, sum: &str) -> Option<Rupees> {
        if text.is_empty() {
            return None;
        }
        let rate = cell::rate(text, HIGHEST_RATE);
        let rate = rate.map_err(|why| self.note(format!("The rate for {sum} {why}."))).ok()?;
        let amount = Rupees::nearest(rate).filter(|amount| amount.to_decimal() == rate);
        amount.or_else(|| self.fault(format!("The rate for {sum} must have at most two decimals.")))
    }

    fn note(&self, message: String) {
        self.shelf.faults.note(&self.sheet.file, Some(self.row.line), message);
    }

    /// Notes a fault in place of a value.
    fn fault<T>(&self, message: String) -> Option<T> {
        self.note(message);
        None
    }
}
