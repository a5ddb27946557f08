//! Parses the `[[tax]]` sections of `catalogue.toml`.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::line::LineOfBusiness;
use domain::money::TaxRate;
use domain::text::FromText;

use crate::parse::document::Section;
use crate::parse::source_files::SourceFiles;
use crate::parse::values;
use crate::tax::{DatedTax, GST_BEGAN, TaxRow};
use crate::tax_class::{SoldTo, TaxClass};

/// Tax rates of each class of cover. A class is missing if its rows have faults.
pub(crate) type Taxes = BTreeMap<TaxClass, Arc<DatedTax>>;

pub(crate) fn parse(root: &Section<'_>, sources: &SourceFiles<'_>) -> Taxes {
    let faults_before = sources.faults.count();
    let mut classes: BTreeMap<TaxClass, Vec<TaxRow>> = BTreeMap::new();
    for section in root.sections("tax") {
        let Some((of, row)) = parse_row(section) else { continue };
        for class in of {
            classes.entry(class).or_default().push(row.clone());
        }
    }
    // The days of a row with a fault are unknown. Check for gaps only if all rows are valid.
    if sources.faults.count() > faults_before {
        return Taxes::new();
    }
    let file: Arc<str> = Arc::from(root.file());
    classes
        .into_iter()
        .filter_map(|(class, mut rows)| {
            rows.sort_by_key(|row| row.from);
            let faults_before = sources.faults.count();
            check_days(class, &rows, root.file(), sources);
            let tax = Arc::new(DatedTax { file: file.clone(), rows });
            (sources.faults.count() == faults_before).then_some((class, tax))
        })
        .collect()
}

/// Parses one section. Without the key `sold_to`, the rate applies to groups and individuals.
fn parse_row(section: Section<'_>) -> Option<(Vec<TaxClass>, TaxRow)> {
    let line = section.required("line", |value| values::word(value, LineOfBusiness::WORDS));
    let sold_to = section.optional("sold_to", |value| values::word(value, SoldTo::WORDS));
    let sold_to_is_valid = sold_to.is_some() || !section.has("sold_to");
    let from = section.required("from", values::date);
    let to = section.optional("to", values::date);
    let to_is_valid = to.is_some() || !section.has("to");
    let rate = parse_rate(&section);
    let at = section.line().unwrap_or(1);
    if let (Some(from), Some(to)) = (from, to)
        && to < from
    {
        section.report("to", "`to` must not be before `from`.");
    }
    section.close();
    let row = TaxRow { from: from?, to, rate: rate?, line: at };
    let line = LineOfBusiness::from_text(line?).ok()?;
    let classes = match sold_to {
        Some(word) => vec![TaxClass::new(line, SoldTo::from_text(word).ok()?)],
        None => SoldTo::ALL.iter().map(|sold_to| TaxClass::new(line, *sold_to)).collect(),
    };
    Some((classes, row)).filter(|_| to_is_valid && sold_to_is_valid)
}

/// Parses the tax rate: a percentage, or the reason why there is no tax.
fn parse_rate(section: &Section<'_>) -> Option<TaxRate> {
    let rate = section.optional("percent", values::tax_rate);
    let untaxed = section.optional("untaxed", |value| values::word(value, &["nil", "exempt"]));
    match (section.has("percent"), section.has("untaxed")) {
        (false, false) => section.report(
            "percent",
            "`percent` is missing. If no tax is due, set `untaxed` to \"nil\" or \"exempt\" instead.",
        ),
        (true, true) => {
            section.report("untaxed", "A row must have `percent` or `untaxed`, not both.");
            return None;
        }
        (true, false) | (false, true) => {}
    }
    let untaxed = untaxed.map(|word| if word == "nil" { TaxRate::NIL } else { TaxRate::EXEMPT });
    rate.or(untaxed)
}

/// Reports days for which a class of cover has no rate or two rates.
fn check_days(class: TaxClass, rows: &[TaxRow], file: &str, sources: &SourceFiles<'_>) {
    let report = |row: &TaxRow, message: String| sources.faults.report(file, Some(row.line), message);
    if let Some(first) = rows.first().filter(|first| first.from > GST_BEGAN) {
        let message = format!(
            "The tax of {class} must begin on {GST_BEGAN} or before; this first row begins on {}.",
            first.from
        );
        report(first, message);
    }
    for (before, row) in rows.iter().zip(rows.iter().skip(1)) {
        let Some(to) = before.to else {
            let message = format!(
                "The tax of {class} has two rates from {} on: line {} has no `to`.",
                row.from, before.line
            );
            report(row, message);
            continue;
        };
        if row.from <= to {
            let message =
                format!("The tax of {class} has two rates on {}: see line {}.", row.from, before.line);
            report(row, message);
        } else if to.tomorrow().ok() != Some(row.from) {
            report(row, format!("The tax of {class} has no rate between {to} and {}.", row.from));
        }
    }
    if let Some((last, to)) = rows.last().and_then(|last| Some((last, last.to?))) {
        report(last, format!("The tax of {class} has no rate after {to}; the last row must have no `to`."));
    }
}
