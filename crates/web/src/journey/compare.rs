//! Up to three plans side by side.

use askama::Template;
use axum::http::request::Parts;
use axum::response::Response;
use domain::id::VariantId;

use super::amount;
use super::form::Form;
use super::frame::{Frame, shown};
use super::offer::Offer;
use super::quoted::Quoted;

/// Plans that fit beside each other.
const MOST: usize = 3;

#[derive(Template)]
#[template(path = "journey/compare.html")]
struct ComparePage {
    frame: Frame,
    plans: Vec<Column>,
    rows: Vec<Row>,
    /// Fewer than two were ticked.
    too_few: bool,
    too_many: bool,
}

struct Column {
    id: String,
    variant: String,
    name: String,
    is_recommended: bool,
    /// The page without this plan.
    without: String,
}

struct Row {
    name: String,
    values: Vec<String>,
    /// Not all have the same.
    differs: bool,
}

pub(crate) async fn get(Quoted { visitor, quote }: Quoted, parts: Parts) -> Response {
    let form = Form::of(parts.uri.query().unwrap_or_default().as_bytes());
    let mut ids: Vec<VariantId> = Vec::new();
    for id in form.values("v").filter_map(|id| id.parse().ok()) {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let mut offered = Offer::judge(&quote, &visitor.journey.answers.family).offers;
    // In the order in which they were ticked.
    offered.retain(|offer| ids.contains(&offer.variant.id));
    offered.sort_by_key(|offer| ids.iter().position(|id| *id == offer.variant.id));
    let found = offered;
    let too_many = found.len() > MOST;
    let offers: Vec<Offer<'_>> = found.into_iter().take(MOST).collect();
    let words = visitor.words;
    let sum_insured = quote.quote.request.sum_insured;

    let mut rows = Vec::new();
    let mut row = |name: String, values: Vec<String>| {
        let differs = values.windows(2).any(|pair| pair[0] != pair[1]);
        rows.push(Row { name, values, differs });
    };
    let of_insurer = |offer: &Offer<'_>| offer.variant.insurer().name.clone();
    row(words.insurer().into_owned(), offers.iter().map(of_insurer).collect());
    let mut years: Vec<u8> =
        offers.iter().flat_map(|offer| &offer.offer.tenures).map(|price| price.years).collect();
    years.sort_unstable();
    years.dedup();
    for years in years {
        let premium = |offer: &Offer<'_>| {
            offer.price(years).map_or_else(|| "–".to_owned(), |price| amount::total(price.premium))
        };
        row(format!("{}, {}", words.premium(), words.years(years)), offers.iter().map(premium).collect());
    }
    let facts: Vec<_> = offers.iter().map(|offer| offer.facts(words, sum_insured)).collect();
    let mut names: Vec<&str> = Vec::new();
    for fact in facts.iter().flatten() {
        if !names.contains(&&*fact.name) {
            names.push(&fact.name);
        }
    }
    for name in names {
        let value = |facts: &Vec<super::offer::Fact>| {
            facts
                .iter()
                .find(|fact| fact.name == name)
                .map_or_else(|| "–".to_owned(), |fact| fact.value.clone())
        };
        row(name.to_owned(), facts.iter().map(value).collect());
    }
    for tag in quote.catalogue.filter_tags() {
        let has = |offer: &Offer<'_>| offer.variant.filter_tags.contains(&tag.id);
        if offers.iter().any(has) {
            let value = |offer| if has(offer) { words.tag_yes() } else { words.tag_no() }.into_owned();
            let name = words.of_catalogue(&tag.name).to_owned();
            row(name, offers.iter().map(value).collect());
        }
    }

    let all: Vec<String> = offers.iter().map(|offer| offer.variant.id.to_string()).collect();
    let link = |ids: &mut dyn Iterator<Item = &String>| {
        let query: Vec<String> = ids.map(|id| format!("v={id}")).collect();
        format!("compare?{}", query.join("&"))
    };
    let plans = offers.iter().zip(&all).map(|(offer, id)| Column {
        id: id.clone(),
        variant: offer.variant.name.clone(),
        name: offer.name(),
        is_recommended: offer.is_recommended,
        without: link(&mut all.iter().filter(|other| *other != id)),
    });
    let frame = Frame::of(&visitor, &link(&mut all.iter()));
    let page = ComparePage { frame, plans: plans.collect(), rows, too_few: all.len() < 2, too_many };
    shown(&visitor, &page)
}
