//! Parsing which tables a `price` section names: its own, or those of `rates` with their first days.

use domain::date::Date;

use crate::dated_rates::DatedRates;
use crate::parse::document::Section;
use crate::parse::values;

/// The key of the rows.
const RATES: &str = "rates";

/// Parses the rates of a price with a parser of the section that names the tables. `tables` are the keys that do.
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
        price.report(key, format!("`{key}` stands in each row of `{RATES}`, not beside it as well."));
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
    // Every row is parsed, so that each one's faults are reported.
    let rows: Vec<Option<(Date, R)>> = rows.collect();
    let rows = rows.into_iter().collect::<Option<Vec<_>>>()?;
    if !rows.is_sorted_by(|(from, _), (next, _)| from < next) {
        price.report(RATES, format!("`{RATES}` must stand in rising order of `from`, each day once."));
        is_valid = false;
    }
    DatedRates::of(rows).filter(|_| is_valid)
}
