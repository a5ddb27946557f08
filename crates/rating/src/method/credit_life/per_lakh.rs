//! Rates in rupees per ₹1,00,000, by years of the term. They do not depend on age.
//!
//! The table has a row for each number of years, without gaps:
//! ```text
//! years,rupees_per_lakh
//! 1,202
//! 2,389
//! ```

use rust_decimal::Decimal;

use super::rate::{Rate, RateDescription};
use spreadsheet::ReadRow;

use crate::credit_limits::Limits;
use crate::parse::cell;
use crate::parse::document::Section;
use crate::parse::source_files::SourceFiles;
use crate::parse::table::Table;
use crate::parse::table_ref::report;
use crate::parse::values;

/// Longest term in a table, in years.
const LONGEST: u32 = 100;

#[derive(Debug, Clone)]
pub(crate) struct PerLakh {
    count: YearCount,
    /// Number of years in the first row.
    first: u32,
    /// Rows of consecutive years. The first row is for `first` years.
    years: Vec<Year>,
}

/// How the months of a term become years.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum YearCount {
    /// A year that has begun counts as a full year.
    Begun,
    /// Only completed years count.
    Completed,
}

#[derive(Debug, Clone)]
struct Year {
    years: u32,
    rate: Decimal,
    line: usize,
}

impl YearCount {
    fn of(self, months: u32) -> u32 {
        match self {
            YearCount::Begun => months.div_ceil(12),
            YearCount::Completed => months / 12,
        }
    }
}

impl PerLakh {
    pub(super) fn parse(
        price: &Section<'_>,
        tables: &Section<'_>,
        limits: Option<&Limits>,
        sources: &SourceFiles<'_>,
    ) -> Option<PerLakh> {
        let count = price.or("years", "begun", |value| values::word(value, &["begun", "completed"]));
        let count = if count == "completed" { YearCount::Completed } else { YearCount::Begun };
        let (table, file) = sources.table(tables, "table")?;
        let faults_before = sources.faults.count();
        if table.header.cells != ["years", "rupees_per_lakh"] {
            let message = "The first line must be years,rupees_per_lakh.".to_owned();
            report(sources.faults, &table.file, table.header.line, None, message);
            return None;
        }
        let years: Vec<Option<Year>> =
            table.rows.iter().map(|row| parse_year(row, &table, sources)).collect();
        let years = years.into_iter().collect::<Option<Vec<Year>>>()?;
        check_years(&years, &table, sources);
        let compiled = PerLakh { count, first: years.first()?.years, years };
        if let Some(limits) = limits.filter(|_| sources.faults.count() == faults_before) {
            compiled.check_promise(limits, tables, &file);
        }
        (sources.faults.count() == faults_before).then_some(compiled)
    }

    pub(super) fn find(&self, months: u32) -> Option<Rate> {
        let row = self.count.of(months).checked_sub(self.first)? as usize;
        Some(Rate { per_rupee: self.years.get(row)?.rate * Decimal::new(1, 5), row, column: 0 })
    }

    pub(super) fn describe(&self, rate: Rate) -> RateDescription {
        let year = &self.years[rate.row];
        let counted = match self.count {
            YearCount::Begun => "a begun year counts as a full year",
            YearCount::Completed => "only completed years count",
        };
        RateDescription {
            words: format!("Rate for {} years; {counted}", year.years),
            factor: format!("{} per lakh", year.rate),
            line: year.line,
        }
    }

    /// Reports terms that the limits allow but the table lacks.
    fn check_promise(&self, limits: &Limits, tables: &Section<'_>, file: &str) {
        let promised = limits.term_months;
        let (least, most) = (self.count.of(promised.least), self.count.of(promised.most));
        let last = self.first + self.years.len().saturating_sub(1) as u32;
        if least < self.first || most > last {
            tables.report(
                "table",
                format!(
                    "[eligibility] allows {least} to {most} years ({} to {} months), but `{file}` has rates for {} to {last}.",
                    promised.least, promised.most, self.first
                ),
            );
        }
    }
}

/// Reports rows whose years are not consecutive.
fn check_years(years: &[Year], table: &Table, sources: &SourceFiles<'_>) {
    for (before, year) in years.iter().zip(years.iter().skip(1)) {
        let report = |message: String| report(sources.faults, &table.file, year.line, None, message);
        if year.years <= before.years {
            report(format!(
                "`years` must be in ascending order, each once: {} follows the {} of line {}.",
                year.years, before.years, before.line
            ));
        } else if year.years > before.years + 1 {
            report(format!("A row for {} years is missing.", before.years + 1));
        }
    }
}

fn parse_year(row: &ReadRow, table: &Table, sources: &SourceFiles<'_>) -> Option<Year> {
    let report =
        |column, message: String| report(sources.faults, &table.file, row.line, Some(column), message);
    let [years, rate] = row.cells.as_slice() else { return None };
    let years = cell::whole(years, 0, LONGEST).or_else(|| {
        report(0, format!("`years` must be a whole number from 0 to {LONGEST}."));
        None
    });
    let highest = Decimal::ONE_HUNDRED * Decimal::ONE_THOUSAND;
    let rate = cell::rate(rate, highest).map_err(|why| report(1, format!("`rupees_per_lakh` {why}."))).ok();
    Some(Year { years: years?, rate: rate?, line: row.line })
}
