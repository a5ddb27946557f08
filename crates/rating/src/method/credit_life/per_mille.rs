//! Rates in rupees per ₹1,000, by age band and term.
//!
//! The table has a row for each age band. Each column after the ages has the longest term to which its rates
//! apply, in months:
//! ```text
//! age_from,age_to,12,24,36
//! 18,35,2.6,4.9,7.1
//! ```
//! A term between two columns gets the rate of the longer term.

use rust_decimal::Decimal;

use super::rate::{Rate, RateDescription};
use spreadsheet::ReadRow;

use crate::credit_limits::Limits;
use crate::parse::cell;
use crate::parse::document::Section;
use crate::parse::source_files::SourceFiles;
use crate::parse::table::Table;
use crate::parse::table_ref::report;

/// Highest age in a table.
const OLDEST: u16 = 120;
/// Highest rate, in per mille. At this rate, the premium equals the cover.
const HIGHEST: Decimal = Decimal::ONE_THOUSAND;

#[derive(Debug, Clone)]
pub(crate) struct PerMille {
    /// Longest term of each rate column, in months, ascending.
    terms: Vec<u32>,
    /// Age bands, ascending, without gaps.
    bands: Vec<Band>,
}

/// One row: an age band with its rates.
#[derive(Debug, Clone)]
struct Band {
    from: u16,
    to: u16,
    /// Rates in per mille, one for each column in `terms`.
    rates: Vec<Decimal>,
    line: usize,
}

impl PerMille {
    pub(super) fn parse(
        tables: &Section<'_>,
        limits: Option<&Limits>,
        sources: &SourceFiles<'_>,
    ) -> Option<PerMille> {
        let (table, file) = sources.table(tables, "table")?;
        let faults_before = sources.faults.count();
        let terms = parse_terms(&table, sources);
        let bands: Vec<Option<Band>> =
            table.rows.iter().map(|row| parse_band(row, &table, sources)).collect();
        if sources.faults.count() > faults_before {
            return None;
        }
        let compiled = PerMille { terms: terms?, bands: bands.into_iter().collect::<Option<_>>()? };
        compiled.check_bands(&table, sources);
        if let Some(limits) = limits.filter(|_| sources.faults.count() == faults_before) {
            compiled.check_promise(limits, tables, &file);
        }
        (sources.faults.count() == faults_before).then_some(compiled)
    }

    pub(super) fn find(&self, age: u16, months: u32) -> Option<Rate> {
        let row = self.bands.partition_point(|band| band.to < age);
        let column = self.terms.partition_point(|longest| *longest < months);
        let band = self.bands.get(row).filter(|band| band.from <= age)?;
        Some(Rate { per_rupee: *band.rates.get(column)? * Decimal::new(1, 3), row, column })
    }

    pub(super) fn describe(&self, rate: Rate) -> RateDescription {
        let (band, months) = (&self.bands[rate.row], self.terms[rate.column]);
        RateDescription {
            words: format!("Rate for ages {} to {}, terms up to {months} months", band.from, band.to),
            factor: format!("{} per mille", band.rates[rate.column]),
            line: band.line,
        }
    }

    /// Reports age bands that are not consecutive.
    fn check_bands(&self, table: &Table, sources: &SourceFiles<'_>) {
        for (before, band) in self.bands.iter().zip(self.bands.iter().skip(1)) {
            let report = |message: String| report(sources.faults, &table.file, band.line, None, message);
            if band.from <= before.to {
                report(format!(
                    "The ages {} to {} overlap those of line {} or come before them.",
                    band.from, band.to, before.line
                ));
            } else if band.from > before.to + 1 {
                report(format!("A row for the ages {} to {} is missing.", before.to + 1, band.from - 1));
            }
        }
    }

    /// Reports ages and terms that the limits allow but the table lacks.
    fn check_promise(&self, limits: &Limits, tables: &Section<'_>, file: &str) {
        let (youngest, oldest) =
            (self.bands.first().map(|band| band.from), self.bands.last().map(|band| band.to));
        let (youngest, oldest) = (youngest.unwrap_or(0), oldest.unwrap_or(0));
        let ages = limits.age_at_entry;
        if ages.least < youngest || ages.most > oldest {
            tables.report(
                "table",
                format!(
                    "[eligibility] allows ages {} to {}, but `{file}` has rates for {youngest} to {oldest}.",
                    ages.least, ages.most
                ),
            );
        }
        let longest = self.terms.last().copied().unwrap_or(0);
        if limits.term_months.most > longest {
            tables.report(
                "table",
                format!(
                    "[eligibility] allows terms up to {} months, but `{file}` has rates up to {longest}.",
                    limits.term_months.most
                ),
            );
        }
    }
}

/// Parses the longest terms from the table's header.
fn parse_terms(table: &Table, sources: &SourceFiles<'_>) -> Option<Vec<u32>> {
    let report =
        |message: &str| report(sources.faults, &table.file, table.header.line, None, message.to_owned());
    let [first, second, terms @ ..] = table.header.cells.as_slice() else {
        report("The first line must have age_from,age_to and then terms in months.");
        return None;
    };
    if first != "age_from" || second != "age_to" || terms.is_empty() {
        report("The first line must have age_from,age_to and then terms in months.");
        return None;
    }
    let months: Option<Vec<u32>> = terms.iter().map(|term| cell::whole(term, 1, 1200)).collect();
    let Some(months) = months else {
        report("The heading of each column after age_to must be a term in months, from 1 to 1200.");
        return None;
    };
    if !months.is_sorted_by(|term, next| term < next) {
        report("The terms must be in ascending order, each once.");
        return None;
    }
    Some(months)
}

/// Parses the row of one age band.
fn parse_band(row: &ReadRow, table: &Table, sources: &SourceFiles<'_>) -> Option<Band> {
    let report = |column, message: String| report(sources.faults, &table.file, row.line, column, message);
    let [from, to, rates @ ..] = row.cells.as_slice() else { return None };
    let age = |name: &str, column: usize, text: &str| {
        let age = cell::whole(text, 0, u32::from(OLDEST)).and_then(|age| u16::try_from(age).ok());
        age.or_else(|| {
            report(Some(column), format!("`{name}` must be a whole number from 0 to {OLDEST}."));
            None
        })
    };
    let rates: Vec<Option<Decimal>> = rates
        .iter()
        .zip(table.header.cells.iter().enumerate().skip(2))
        .map(|(text, (column, term))| {
            let wrong = |why| report(Some(column), format!("The rate for {term} months {why}."));
            cell::rate(text, HIGHEST).map_err(wrong).ok()
        })
        .collect();
    let (from, to) = (age("age_from", 0, from), age("age_to", 1, to));
    let (from, to, rates) = (from?, to?, rates.into_iter().collect::<Option<_>>()?);
    if from > to {
        report(None, format!("`age_from` ({from}) is above `age_to` ({to})."));
        return None;
    }
    Some(Band { from, to, rates, line: row.line })
}
