//! Parses the rate tables of a `price` section: one table, or one for each row of `rates`.

use domain::date::Date;

use crate::dated_rates::DatedRates;
use crate::parse::document::Section;
use crate::parse::values;

const RATES: &str = "rates";

/// Parses the rates of a price. `tables` are the names of the keys that name tables. `parse` parses a section
/// that has these keys.
pub(crate) fn parse<R>(
    price: &Section<'_>,
    tables: &[&str],
    parse: impl Fn(&Section<'_>) -> Option<R>,
) -> Option<DatedRates<R>> {
    if !price.has(RATES) {
        return parse(price).map(DatedRates::always);
    }
    price.mark_known(tables);
    let mut is_valid = true;
    for key in tables.iter().filter(|key| price.has(key)) {
        price.report(key, format!("`{key}` belongs in each row of `{RATES}`: remove it here."));
        is_valid = false;
    }
    if price.list(RATES, |_| Ok(())).is_some_and(|rows| rows.is_empty()) {
        price.report(RATES, format!("`{RATES}` must not be an empty list."));
    }
    let rows = price.sections(RATES).into_iter().map(|row| {
        let from = row.required("from", values::date);
        let rates = parse(&row);
        if rates.is_none() {
            row.mark_known(tables);
        }
        row.close();
        Some((from?, rates?))
    });
    // Parse all rows before the first return, to report the faults of each.
    let rows: Vec<Option<(Date, R)>> = rows.collect();
    let rows = rows.into_iter().collect::<Option<Vec<_>>>()?;
    if !rows.is_sorted_by(|(from, _), (next, _)| from < next) {
        price.report(RATES, format!("`{RATES}` must be in ascending order of `from`, each day once."));
        is_valid = false;
    }
    DatedRates::of(rows).filter(|_| is_valid)
}
