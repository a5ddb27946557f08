//! Parses `catalogue.toml`, the settings of the whole catalogue.

use domain::id::{PartnerId, VariantId, kind};
use domain::ranking::{Criterion, Weights};

use super::by_class::HIGHEST_INTEREST;
use super::taxes::{self, Taxes};
use crate::dated_rates::{DatedRates, LateInterest, hundredths};
use crate::parse::document::{Document, Section};
use crate::parse::source_files::SourceFiles;
use crate::parse::values;

pub(crate) const FILE: &str = "catalogue.toml";

/// Default number of days for which a quote is valid (D40).
const QUOTE_VALIDITY_DAYS: u16 = 30;

/// Highest weight of a ranking criterion.
const HIGHEST_WEIGHT: u32 = 1000;

pub(crate) struct CatalogueSettings {
    pub(crate) name: Option<String>,
    pub(crate) quote_validity_days: u16,
    pub(crate) taxes: Taxes,
    /// Whether a row of `[[tax]]` has a fault. If so, a class of cover may be missing in `taxes`.
    pub(crate) taxes_have_faults: bool,
    /// Ranking weights of the file. Equal weights if it has none.
    pub(crate) ranking_weights: Weights,
    /// Whether the file has a section `[ranking]`, with or without faults.
    pub(crate) has_ranking: bool,
    pub(crate) assortments: Vec<Assortment>,
    /// `None` if the file has no section `[[late_interest]]`.
    pub(crate) late_interest: Option<LateInterest>,
}

/// Variants that a partner may sell.
pub(crate) struct Assortment {
    pub(crate) partner: PartnerId,
    /// Variant ids, each with its line in the file.
    pub(crate) variants: Vec<(VariantId, usize)>,
}

/// Parses `catalogue.toml`. `None` if it is missing or not TOML.
pub(crate) fn parse(sources: &SourceFiles<'_>) -> Option<CatalogueSettings> {
    let Some(content) = sources.read(FILE) else {
        sources.faults.report(FILE, None, "The file is missing.");
        return None;
    };
    let document = Document::parse(FILE, content, sources.faults)?;
    let section = document.root(sources.faults);
    let name = section.required("name", values::text);
    let quote_validity_days = section.or("quote_validity_days", QUOTE_VALIDITY_DAYS, |value| {
        values::whole(value, 1, 365).map(|days| days as u16)
    });
    let faults_before = sources.faults.count();
    let taxes = taxes::parse(&section, sources);
    let taxes_have_faults = sources.faults.count() > faults_before;
    let has_ranking = section.has("ranking");
    let ranking_weights = parse_ranking(&section).or(Weights::of([1; 5])).expect("above zero");
    let assortments = parse_assortments(&section, sources);
    let late_interest = parse_late_interest(&section);
    section.close();
    Some(CatalogueSettings {
        name,
        quote_validity_days,
        taxes,
        taxes_have_faults,
        ranking_weights,
        has_ranking,
        assortments,
        late_interest,
    })
}

/// Parses the ranking weights.
fn parse_ranking(root: &Section<'_>) -> Option<Weights> {
    let section = root.section("ranking")?;
    let weight =
        |of: &Criterion| section.required(of.word(), |value| values::whole(value, 0, HIGHEST_WEIGHT));
    let mut weights = [0; 5];
    let parsed = Criterion::ALL.iter().map(weight).collect::<Vec<_>>();
    section.close();
    for (weight, parsed) in weights.iter_mut().zip(parsed) {
        *weight = parsed?;
    }
    let weights = Weights::of(weights);
    if weights.is_none() {
        root.report("ranking", "`ranking` must have at least one weight above 0.");
    }
    weights
}

/// Parses the `[[late_interest]]` sections: the interest on late refunds and claims, by the day of the request or
/// notice.
fn parse_late_interest(root: &Section<'_>) -> Option<LateInterest> {
    let mut rows = Vec::new();
    for section in root.sections("late_interest") {
        let from = section.required("from", values::date);
        let percent = section.required("percent", |value| values::percent(value, HIGHEST_INTEREST));
        section.required("source", values::text);
        if let (Some(from), Some(percent)) = (from, percent) {
            if rows.iter().any(|(other, _)| *other == from) {
                section.report("from", format!("Another row of `late_interest` begins on {from}."));
            }
            rows.push((from, hundredths(percent)));
        }
        section.close();
    }
    rows.sort_by_key(|(from, _)| *from);
    // Rows with faults must not count as missing.
    let none = root.has("late_interest").then(LateInterest::default);
    DatedRates::of(rows).map(LateInterest::of).or(none)
}

/// Parses the `[[assortment]]` sections.
fn parse_assortments(root: &Section<'_>, sources: &SourceFiles<'_>) -> Vec<Assortment> {
    let mut assortments: Vec<Assortment> = Vec::new();
    for section in root.sections("assortment") {
        let partner = section.required("partner", values::id::<kind::Partner>);
        if !section.has("variants") {
            section.report("variants", "`variants` is missing.");
        }
        let variants = section.list("variants", values::id::<kind::Variant>).unwrap_or_default();
        for (at, (variant, line)) in variants.iter().enumerate() {
            if variants.iter().take(at).any(|(earlier, _)| earlier == variant) {
                sources.faults.report(FILE, Some(*line), format!("`variants` names {variant} twice."));
            }
        }
        if let Some(partner) = partner {
            if assortments.iter().any(|assortment| assortment.partner == partner) {
                section.report("partner", format!("{partner} already has an assortment."));
            }
            assortments.push(Assortment { partner, variants });
        }
        section.close();
    }
    assortments
}
