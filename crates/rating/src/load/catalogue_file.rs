//! Reading `catalogue.toml`: what holds for the whole catalogue, and which partner sells what.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::id::{PartnerId, VariantId, kind};
use domain::ranking::{Criterion, Weights};
use domain::text::FromText;

use crate::line_of_business::Line;
use crate::parse::document::{Document, Section};
use crate::parse::source_files::Shelf;
use crate::parse::values;
use crate::tax::{DatedTax, GST_BEGAN, TaxRow};

/// The one file at the top of a catalogue.
pub(crate) const FILE: &str = "catalogue.toml";

/// Days that a quote can be taken up, where the catalogue does not say (D40).
const QUOTE_VALIDITY_DAYS: u16 = 30;

/// The highest weight of a criterion.
const HIGHEST_WEIGHT: u32 = 1000;

/// What `catalogue.toml` says.
pub(crate) struct Terms {
    pub(crate) name: Option<String>,
    pub(crate) quote_validity_days: u16,
    /// By line of business; only lines whose rows were read without fault.
    pub(crate) taxes: BTreeMap<Line, Arc<DatedTax>>,
    /// Whether some row of tax was faulty, so that `taxes` lacks a line.
    pub(crate) taxes_have_faults: bool,
    /// Equal ones where none are said.
    pub(crate) ranking_weights: Weights,
    /// Whether weights are said, be it with faults.
    pub(crate) ranking_is_said: bool,
    pub(crate) assortments: Vec<Assortment>,
}

/// The variants that a partner sells.
pub(crate) struct Assortment {
    pub(crate) partner: PartnerId,
    /// Each with the line that names it.
    pub(crate) variants: Vec<(VariantId, usize)>,
}

/// Reads the file. `None` when it is missing or not TOML.
pub(crate) fn read(shelf: &Shelf<'_>) -> Option<Terms> {
    let Some(content) = shelf.take(FILE) else {
        shelf.faults.note(FILE, None, "The file is missing.");
        return None;
    };
    let document = Document::parse(FILE, content, shelf.faults)?;
    let section = document.root(shelf.faults);
    let name = section.required("name", values::text);
    let quote_validity_days = section.or("quote_validity_days", QUOTE_VALIDITY_DAYS, |value| {
        values::whole(value, 1, 365).map(|days| days as u16)
    });
    let noted = shelf.faults.count();
    let taxes = read_taxes(&section, shelf);
    let taxes_have_faults = shelf.faults.count() > noted;
    let ranking_is_said = section.has("ranking");
    let ranking_weights = read_ranking(&section).or(Weights::of([1; 5])).expect("above zero");
    let assortments = read_assortments(&section, shelf);
    section.close();
    Some(Terms {
        name,
        quote_validity_days,
        taxes,
        taxes_have_faults,
        ranking_weights,
        ranking_is_said,
        assortments,
    })
}

/// Reads the `[[tax]]` sections, line of business by line of business.
fn read_taxes(root: &Section<'_>, shelf: &Shelf<'_>) -> BTreeMap<Line, Arc<DatedTax>> {
    let noted = shelf.faults.count();
    let mut lines: BTreeMap<Line, Vec<TaxRow>> = BTreeMap::new();
    for section in root.sections("tax") {
        if let Some((line, row)) = read_tax(section) {
            lines.entry(line).or_default().push(row);
        }
    }
    // Days of a row that could not be read would be told as missing: those it has are judged the next time.
    if shelf.faults.count() > noted {
        return BTreeMap::new();
    }
    let file: Arc<str> = Arc::from(FILE);
    lines
        .into_iter()
        .filter_map(|(line, mut rows)| {
            rows.sort_by_key(|row| row.from);
            let noted = shelf.faults.count();
            judge_days(line, &rows, shelf);
            let tax = Arc::new(DatedTax { file: file.clone(), rows });
            (shelf.faults.count() == noted).then_some((line, tax))
        })
        .collect()
}

/// Reads one `[[tax]]` section.
fn read_tax(section: Section<'_>) -> Option<(Line, TaxRow)> {
    let line = section.required("line", |value| values::word(value, Line::WORDS));
    let from = section.required("from", values::date);
    let to = section.optional("to", values::date);
    let to_is_read = to.is_some() || !section.has("to");
    let rate = section.required("percent", values::tax_rate);
    let at = section.line().unwrap_or(1);
    if let (Some(from), Some(to)) = (from, to)
        && to < from
    {
        section.fault("to", "`to` must not lie before `from`.");
    }
    section.close();
    let row = TaxRow { from: from?, to, rate: rate?, line: at };
    Some((Line::from_text(line?).ok()?, row)).filter(|_| to_is_read)
}

/// Notes days that have no rate, or two.
fn judge_days(line: Line, rows: &[TaxRow], shelf: &Shelf<'_>) {
    let fault = |row: &TaxRow, message: String| shelf.faults.note(FILE, Some(row.line), message);
    if let Some(first) = rows.first().filter(|first| first.from > GST_BEGAN) {
        fault(
            first,
            format!(
                "The tax of {line} must begin on {GST_BEGAN} or before; this first row begins on {}.",
                first.from
            ),
        );
    }
    for (before, row) in rows.iter().zip(rows.iter().skip(1)) {
        let Some(to) = before.to else {
            fault(
                row,
                format!(
                    "The tax of {line} has two rates from {} on: line {} has no `to`.",
                    row.from, before.line
                ),
            );
            continue;
        };
        if row.from <= to {
            fault(row, format!("The tax of {line} has two rates on {}: see line {}.", row.from, before.line));
        } else if to.tomorrow().ok() != Some(row.from) {
            fault(row, format!("The tax of {line} has no rate between {to} and {}.", row.from));
        }
    }
    if let Some((last, to)) = rows.last().and_then(|last| Some((last, last.to?))) {
        fault(last, format!("The tax of {line} has no rate after {to}; the last row must have no `to`."));
    }
}

/// Reads how much each criterion of the ranking counts.
fn read_ranking(root: &Section<'_>) -> Option<Weights> {
    let section = root.section("ranking")?;
    let weight =
        |of: &Criterion| section.required(of.word(), |value| values::whole(value, 0, HIGHEST_WEIGHT));
    let mut weights = [0; 5];
    let read = Criterion::ALL.iter().map(weight).collect::<Vec<_>>();
    section.close();
    for (place, weight) in weights.iter_mut().zip(read) {
        *place = weight?;
    }
    let weights = Weights::of(weights);
    if weights.is_none() {
        root.fault("ranking", "`ranking` must have a weight above 0.");
    }
    weights
}

/// Reads the `[[assortment]]` sections.
fn read_assortments(root: &Section<'_>, shelf: &Shelf<'_>) -> Vec<Assortment> {
    let mut assortments: Vec<Assortment> = Vec::new();
    for section in root.sections("assortment") {
        let partner = section.required("partner", values::id::<kind::Partner>);
        if !section.has("variants") {
            section.fault("variants", "`variants` is missing.");
        }
        let variants = section.list("variants", values::id::<kind::Variant>).unwrap_or_default();
        for (at, (variant, line)) in variants.iter().enumerate() {
            if variants.iter().take(at).any(|(earlier, _)| earlier == variant) {
                shelf.faults.note(FILE, Some(*line), format!("`variants` names {variant} twice."));
            }
        }
        if let Some(partner) = partner {
            if assortments.iter().any(|assortment| assortment.partner == partner) {
                section.fault("partner", format!("{partner} has an assortment already."));
            }
            assortments.push(Assortment { partner, variants });
        }
        section.close();
    }
    assortments
}
