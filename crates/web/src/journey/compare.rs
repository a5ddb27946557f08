//! Page that compares up to three plans.

use askama::Template;
use axum::http::request::Parts;
use axum::response::Response;
use domain::id::VariantId;
use service::quote::health::HealthQuoteShown;

use super::address::{self, Parameter};
use super::amount;
use super::extract::Quoted;
use super::form::Form;
use super::frame::{Frame, render};
use super::offer::{FactKind, Offer};
use super::words::Words;

/// Maximum number of plans that the page compares.
const MOST_PLANS: usize = 3;

#[derive(Template)]
#[template(path = "journey/compare.html")]
struct ComparePage {
    frame: Frame,
    plans: Vec<Column>,
    rows: Vec<ComparisonRow>,
    /// Whether fewer than two plans were selected.
    too_few: bool,
    too_many: bool,
}

struct Column {
    id: String,
    variant: String,
    name: String,
    is_recommended: bool,
    /// Address of the comparison without this plan.
    without: String,
}

struct ComparisonRow {
    name: String,
    values: Vec<String>,
    /// Whether the plans differ in this row.
    differs: bool,
}

pub(crate) async fn get(Quoted { visitor, quote }: Quoted, parts: Parts) -> Response {
    let form = Form::parse(parts.uri.query().unwrap_or_default().as_bytes());
    let mut ids: Vec<VariantId> = Vec::new();
    for id in form.values(Parameter::Variant.word()).filter_map(|id| id.parse().ok()) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let mut offers = Offer::judge(&quote, &visitor.journey.answers.family).offers;
    // Keep the order of selection.
    offers.retain(|offer| ids.contains(&offer.variant.id));
    offers.sort_by_key(|offer| ids.iter().position(|id| *id == offer.variant.id));
    let too_many = offers.len() > MOST_PLANS;
    offers.truncate(MOST_PLANS);

    let all: Vec<String> = offers.iter().map(|offer| offer.variant.id.to_string()).collect();
    let plans = offers.iter().zip(&all).map(|(offer, id)| Column {
        id: id.clone(),
        variant: offer.variant.name.clone(),
        name: offer.name(),
        is_recommended: offer.is_recommended,
        without: link(all.iter().filter(|other| *other != id)),
    });
    let page = ComparePage {
        frame: Frame::of(&visitor, &link(all.iter())),
        plans: plans.collect(),
        rows: rows(visitor.words, &quote, &offers),
        too_few: all.len() < 2,
        too_many,
    };
    render(&visitor, &page)
}

/// Relative address of the page that compares these variants.
fn link<'v>(ids: impl Iterator<Item = &'v String>) -> String {
    let query: Vec<String> = ids.map(|id| format!("{}={id}", Parameter::Variant)).collect();
    format!("{}?{}", address::COMPARE, query.join("&"))
}

/// Rows of the comparison table. Each row has a value for every offer.
fn rows(words: &Words, quote: &HealthQuoteShown, offers: &[Offer<'_>]) -> Vec<ComparisonRow> {
    let sum_insured = quote.quote.request.sum_insured;
    let mut rows = Vec::new();
    let mut row = |name: String, values: Vec<String>| {
        let differs = values.windows(2).any(|pair| pair[0] != pair[1]);
        rows.push(ComparisonRow { name, values, differs });
    };
    let of_insurer = |offer: &Offer<'_>| offer.variant.insurer().name.clone();
    row(words.compare.insurer.to_owned(), offers.iter().map(of_insurer).collect());
    let mut years: Vec<u8> =
        offers.iter().flat_map(|offer| &offer.offer.tenures).map(|price| price.years).collect();
    years.sort_unstable();
    years.dedup();
    for years in years {
        let premium = |offer: &Offer<'_>| {
            offer.price(years).map_or_else(|| "–".to_owned(), |price| amount::total(price.premium))
        };
        let name = format!("{}, {}", words.compare.premium, (words.format.years)(years));
        row(name, offers.iter().map(premium).collect());
    }
    let facts: Vec<_> = offers.iter().map(|offer| offer.facts_by_kind(words, sum_insured)).collect();
    let mut kinds: Vec<FactKind> = Vec::new();
    for (kind, _) in facts.iter().flatten() {
        if !kinds.contains(kind) {
            kinds.push(*kind);
        }
    }
    for kind in kinds {
        let value = |facts: &Vec<(FactKind, String)>| {
            let fact = facts.iter().find(|(known, _)| *known == kind);
            fact.map_or_else(|| "–".to_owned(), |(_, value)| value.clone())
        };
        row(kind.name(words).to_owned(), facts.iter().map(value).collect());
    }
    for tag in quote.catalogue.filter_tags() {
        let has = |offer: &Offer<'_>| offer.variant.filter_tags.contains(&tag.id);
        if offers.iter().any(has) {
            let answer = |offer| if has(offer) { words.compare.tag_yes } else { words.compare.tag_no };
            let value = |offer| answer(offer).to_owned();
            let name = tag.name.in_language(words.language).to_owned();
            row(name, offers.iter().map(value).collect());
        }
    }
    rows
}
