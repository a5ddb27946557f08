//! Parsing `commission.toml`: what insurers owe for sales, partners' parts of it with their licences, and the taxes (D86).

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

/// The path of the file.
pub(crate) const FILE: &str = "commission.toml";

/// The highest rate of commission and of its taxes, in percent.
const HIGHEST: u32 = 100;

/// The terms, with the products that they name, each with its line.
#[derive(Debug, Default)]
pub(crate) struct CommissionFile {
    pub(crate) terms: CommissionTerms,
    named: Vec<(ProductId, Option<usize>)>,
}

impl CommissionFile {
    /// Reports products that are named and not there. Only where every product is known.
    pub(crate) fn check(&self, known: &BTreeSet<ProductId>, sources: &SourceFiles<'_>) {
        for (product, line) in self.named.iter().filter(|(product, _)| !known.contains(product)) {
            sources.faults.report(FILE, *line, format!("There is no product {product}."));
        }
    }
}

/// Parses the file. A catalogue without it knows no commission.
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
        root.report("tax", "Two sections [[tax]] begin on the same day.");
    }
    let earned = parse_rows(root.sections("commission"), &mut file.named);
    let mut partners: BTreeMap<PartnerId, PartnerTerms> = BTreeMap::new();
    for section in root.sections("partner") {
        let line = section.line();
        let Some((partner, terms)) = parse_partner(section, &mut file.named) else { continue };
        if partners.insert(partner, terms).is_some() {
            sources.faults.report(FILE, line, format!("{partner} has a section already."));
        }
    }
    if !partners.is_empty() && taxes.is_empty() {
        root.report("tax", "`tax` is missing: partners' commission has a tax and a deduction at source.");
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

/// Parses rates. Two of one product, or of one line, that begin on one day are reported.
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
            section.report("from", format!("There is another rate for the same from {} on.", row.from));
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
            section.report("products", "A rate has `line` or `products`: one of them, and not both.");
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
        section.report("licence", "`licence` is missing: commission is for those who hold one.");
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
        section.report("until", "`until` must not lie before `from`.");
    }
    section.close();
    Some(PartnerLicence { kind: kind?, number: number?, from: from?, until: until? })
}

/// A GST identification number: 15 digits and capitals, a PAN in the middle.
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
