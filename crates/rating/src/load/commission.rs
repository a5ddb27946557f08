//! Parses `commission.toml`: commission rates, partners' shares, licences, taxes (D86).

use std::collections::{BTreeMap, BTreeSet};

use domain::id::{PartnerId, ProductId, kind};
use domain::line::LineOfBusiness;
use domain::text::FromText;

use crate::commission::{
    CommissionRate, CommissionRow, CommissionTaxes, CommissionTerms, Commissioned, PartnerLicence,
    PartnerTerms,
};
use crate::parse::document::{Document, Section};
use crate::parse::source_files::SourceFiles;
use crate::parse::values;

pub(crate) const FILE: &str = "commission.toml";

/// Highest rate of commission or of its taxes, in percent.
const HIGHEST: u32 = 100;

/// Commission terms, and the products that they name with line numbers.
#[derive(Debug, Default)]
pub(crate) struct CommissionFile {
    pub(crate) terms: CommissionTerms,
    named: Vec<(ProductId, Option<usize>)>,
}

impl CommissionFile {
    /// Reports products that the file names but the catalogue lacks. `known` must have all products of the
    /// catalogue.
    pub(crate) fn check(&self, known: &BTreeSet<ProductId>, sources: &SourceFiles<'_>) {
        for (product, line) in self.named.iter().filter(|(product, _)| !known.contains(product)) {
            sources.faults.report(FILE, *line, format!("There is no product {product}."));
        }
    }
}

/// Parses `commission.toml`. If it is missing, there is no commission.
pub(crate) fn parse(sources: &SourceFiles<'_>) -> CommissionFile {
    let mut file = CommissionFile::default();
    let Some(document) =
        sources.read(FILE).and_then(|content| Document::parse(FILE, content, sources.faults))
    else {
        return file;
    };
    let root = document.root(sources.faults);
    let mut taxes: Vec<CommissionTaxes> = root.sections("tax").into_iter().filter_map(parse_taxes).collect();
    taxes.sort_by_key(|taxes| taxes.from);
    if taxes.windows(2).any(|pair| pair[0].from == pair[1].from) {
        root.report("tax", "Two [[tax]] sections have the same `from`.");
    }
    let earned = parse_rows(root.sections("commission"), &mut file.named);
    let mut partners: BTreeMap<PartnerId, PartnerTerms> = BTreeMap::new();
    for section in root.sections("partner") {
        let line = section.line();
        let Some((partner, terms)) = parse_partner(section, &mut file.named) else { continue };
        if partners.insert(partner, terms).is_some() {
            sources.faults.report(FILE, line, format!("Another section already has the terms of {partner}."));
        }
    }
    if !partners.is_empty() && taxes.is_empty() {
        root.report(
            "tax",
            "`tax` is missing: a section [[tax]] must have the GST and TDS on partners' commission.",
        );
    }
    root.close();
    file.terms = CommissionTerms { earned, partners, taxes };
    file
}

fn parse_taxes(section: Section<'_>) -> Option<CommissionTaxes> {
    let from = section.required("from", values::date);
    let gst = section.required("gst_percent", |value| values::percent_or_zero(value, HIGHEST));
    let tds = section.required("tds_percent", |value| values::percent_or_zero(value, HIGHEST));
    section.required("source", values::text);
    section.close();
    Some(CommissionTaxes { from: from?, gst: CommissionRate(gst?), tds: CommissionRate(tds?) })
}

/// Parses commission rates. Reports two rates that begin on the same day for the same product or line of
/// business.
fn parse_rows(sections: Vec<Section<'_>>, named: &mut Vec<(ProductId, Option<usize>)>) -> Vec<CommissionRow> {
    let mut rows: Vec<CommissionRow> = Vec::new();
    for section in sections {
        let Some(row) = parse_row(&section, named) else {
            section.close();
            continue;
        };
        let same = |other: &&CommissionRow| {
            other.from == row.from
                && match (&other.of, &row.of) {
                    (Commissioned::Products(one), Commissioned::Products(other)) => {
                        one.iter().any(|product| other.contains(product))
                    }
                    (one, other) => one == other,
                }
        };
        if rows.iter().any(|other| same(&other)) {
            section.report(
                "from",
                format!("Another rate for the same line of business or product also begins on {}.", row.from),
            );
        }
        rows.push(row);
        section.close();
    }
    rows
}

fn parse_row(section: &Section<'_>, named: &mut Vec<(ProductId, Option<usize>)>) -> Option<CommissionRow> {
    let from = section.required("from", values::date);
    let percent = section.required("percent", |value| values::percent_or_zero(value, HIGHEST));
    section.required("source", values::text);
    let line = section.optional("line", |value| values::word(value, LineOfBusiness::WORDS));
    let products = section.distinct("products", values::id::<kind::Product>);
    let of = match (section.has("line"), section.has("products")) {
        (true, false) => Commissioned::Line(LineOfBusiness::from_text(line?).ok()?),
        (false, true) => {
            let products = products?;
            named.extend(products.iter().map(|product| (*product, section.line_of("products"))));
            Commissioned::Products(products)
        }
        (false, false) | (true, true) => {
            section.report("products", "A rate must have exactly one of `line` and `products`.");
            return None;
        }
    };
    Some(CommissionRow { of, from: from?, rate: CommissionRate(percent?) })
}

fn parse_partner(
    section: Section<'_>,
    named: &mut Vec<(ProductId, Option<usize>)>,
) -> Option<(PartnerId, PartnerTerms)> {
    let partner = section.required("partner", values::id::<kind::Partner>);
    let gstin = section.optional("gstin", gstin);
    let tds = section.optional("tds_percent", |value| values::percent_or_zero(value, HIGHEST));
    let tds = tds.map(CommissionRate);
    if !section.has("licence") {
        section.report("licence", "`licence` is missing: only a partner with a licence may get commission.");
    }
    let licence = section.section("licence").and_then(parse_licence);
    let shares = parse_rows(section.sections("commission"), named);
    section.close();
    Some((partner?, PartnerTerms { licence: licence?, gstin, tds, shares }))
}

fn parse_licence(section: Section<'_>) -> Option<PartnerLicence> {
    let kind = section.required("kind", values::text);
    let number = section.required("number", values::text);
    let from = section.required("from", values::date);
    let until = section.required("until", values::date);
    if let (Some(from), Some(until)) = (from, until)
        && until < from
    {
        section.report("until", "`until` must not be before `from`.");
    }
    section.close();
    Some(PartnerLicence { kind: kind?, number: number?, from: from?, until: until? })
}

/// Parses a GST identification number: 15 characters, which are digits and capital letters with a PAN in the
/// middle.
fn gstin(value: &toml::de::DeValue<'_>) -> Result<String, values::ValueError> {
    let text = values::text(value)?;
    let shaped = text.len() == 15
        && text.bytes().enumerate().all(|(at, byte)| match at {
            0 | 1 | 7..=10 => byte.is_ascii_digit(),
            2..=6 | 11 => byte.is_ascii_uppercase(),
            13 => byte == b'Z',
            _ => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
        });
    match shaped {
        true => Ok(text),
        false => Err("must be a GST identification number: 15 digits and capital letters".to_owned()),
    }
}
