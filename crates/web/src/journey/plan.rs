//! One plan: what it covers and what not, what it costs and why, and the button that chooses it.

use std::borrow::Cow;

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use domain::date::day_of;
use domain::health_quote::TenurePrice;
use domain::id::VariantId;
use domain::journey::Choice;
use rust_decimal::Decimal;
use service::health_quote::HealthQuoteShown;

use super::chart::{Bar, Chart};
use super::frame::{Frame, shown};
use super::offer::{Fact, Offer, yearly};
use super::price_steps::PriceStep;
use super::quoted::{Quoted, quote_of};
use super::visitor::{Sent, SentOnTheWay, in_query};
use super::words::Words;
use super::{amount, lead_to};
use crate::app::App;
use crate::error::Problem;

#[derive(Template)]
#[template(path = "journey/plan.html")]
struct PlanPage {
    frame: Frame,
    id: String,
    variant: String,
    name: String,
    monogram: String,
    insurer: String,
    product: String,
    uin: Cow<'static, str>,
    description: String,
    /// Why it is recommended; empty where it is not.
    reason: String,
    prices: Vec<Price>,
    facts: Vec<Fact>,
    covers: Vec<String>,
    exclusions: Vec<String>,
    tenure_chart: Option<Chart>,
    cover_chart: Option<Chart>,
    steps: Vec<Steps>,
    free_look: Cow<'static, str>,
    settlement: String,
    claims_contact: String,
    grievance_contact: String,
    about_insurer: String,
    is_offline: bool,
    /// Why somebody looks at an application first; empty where nobody does.
    referral: String,
}

struct Price {
    years: u8,
    choose: Cow<'static, str>,
    a_year: Cow<'static, str>,
    /// How much less than a single year; empty for nothing.
    saves: String,
}

struct Steps {
    title: Cow<'static, str>,
    steps: Vec<PriceStep>,
}

pub(crate) async fn get(Quoted { visitor, quote }: Quoted, parts: Parts) -> Response {
    let id = in_query(&parts, "v").and_then(|id| id.parse().ok());
    let Some(offer) = id.and_then(|id| Offer::find(&quote, &visitor.journey.answers.family, id)) else {
        return lead_to("plans");
    };
    let words = visitor.words;
    let (variant, product, insurer) = (offer.variant, &offer.variant.product, offer.variant.insurer());
    let mut frame = Frame::of(&visitor, &format!("plan?v={}", variant.id));
    frame.step = 4;
    frame.back = "plans";
    let reason = if offer.is_recommended { quote.reason(offer.place) } else { None };
    let exclusions = product.exclusions.as_ref().map_or("", |text| words.of_catalogue(text));
    let page = PlanPage {
        frame,
        id: variant.id.to_string(),
        variant: variant.name.clone(),
        name: offer.name(),
        monogram: offer.monogram(),
        insurer: insurer.name.clone(),
        product: product.name.clone(),
        uin: words.uin(&product.uin),
        description: offer.description(words).to_owned(),
        reason: reason.map_or_else(String::new, |reason| words.reason(&reason)),
        prices: offer.offer.tenures.iter().map(|price| Price::of(words, &offer, price)).collect(),
        facts: offer.facts(words, quote.quote.request.sum_insured),
        covers: covers(words, &offer),
        exclusions: sentences(exclusions),
        tenure_chart: tenure_chart(words, &offer),
        cover_chart: cover_chart(words, &quote, &offer),
        steps: steps(words, &quote, &offer),
        free_look: words.free_look(product.free_look_days),
        settlement: settlement(words, &offer).to_owned(),
        claims_contact: insurer.claims_contact.clone(),
        grievance_contact: words.of_catalogue(&insurer.grievance_contact).to_owned(),
        about_insurer: words.of_catalogue(&insurer.description).to_owned(),
        is_offline: !variant.online,
        referral: offer.referral(words),
    };
    shown(&visitor, &page)
}

/// Notes the plan that was chosen, with its price of this moment.
pub(crate) async fn choose(
    State(app): State<App>,
    SentOnTheWay(Sent { visitor, form, only_language }): SentOnTheWay,
) -> Result<Response, Problem> {
    if let Some(page) = super::arrive::unanswered(&visitor.journey.answers) {
        return Ok(lead_to(page));
    }
    let (visitor, quote) = quote_of(&app, visitor).await?;
    let picked = form.value("pick").split_once(':');
    let picked = picked.and_then(|(id, years)| Some((id.parse::<VariantId>().ok()?, years.parse().ok()?)));
    let chosen = picked.filter(|_| !only_language).and_then(|(variant, years): (_, u8)| {
        let price = Offer::find(&quote, &visitor.journey.answers.family, variant)?.price(years)?;
        Some(Choice { variant, years, premium: price.premium })
    });
    let Some(choice) = chosen else { return Ok(lead_to("plans")) };
    app.service.change_journey(visitor.journey, |journey| journey.answers.choice = Some(choice)).await?;
    Ok(lead_to("details"))
}

/// How the premium is settled, in the customer's language (D29).
pub(crate) fn settlement<'q>(words: Words, offer: &Offer<'q>) -> &'q str {
    words.of_catalogue(&offer.variant.product.settlement)
}

fn covers(words: Words, offer: &Offer<'_>) -> Vec<String> {
    let covers = offer.variant.product.covers.iter();
    covers.map(|text| words.of_catalogue(text).to_owned()).collect()
}

/// What stands between semicolons, each by itself.
fn sentences(text: &str) -> Vec<String> {
    let parts =
        text.split(';').map(|part| part.trim().trim_end_matches(['.', '।'])).filter(|part| !part.is_empty());
    let capital = |part: &str| {
        let mut letters = part.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    parts.map(capital).collect()
}

impl Price {
    fn of(words: Words, offer: &Offer<'_>, price: &TenurePrice) -> Price {
        let single = offer.shortest().map(yearly).unwrap_or_default();
        let now = yearly(price);
        let saved = (single - now).to_decimal() * Decimal::ONE_HUNDRED;
        let saved = saved.checked_div(single.to_decimal()).unwrap_or_default().round_dp(1).normalize();
        Price {
            years: price.years,
            choose: words.choose_for(words.years(price.years), amount::total(price.premium)),
            a_year: words.a_year(now.grouped()),
            saves: if saved > Decimal::ZERO { words.saves(saved).into_owned() } else { String::new() },
        }
    }
}

/// Premium of one year, by how many are bought at once.
fn tenure_chart(words: Words, offer: &Offer<'_>) -> Option<Chart> {
    let bars = offer.offer.tenures.iter().map(|price| Bar {
        label: words.years(price.years).into_owned(),
        amount: yearly(price),
        is_chosen: false,
    });
    Chart::of("by-tenure", words.tenure_chart(), bars.collect())
}

/// Premium of the shortest tenure, by sum insured; of plans that are priced here.
fn cover_chart(words: Words, shown: &HealthQuoteShown, offer: &Offer<'_>) -> Option<Chart> {
    let (request, on) = (&shown.quote.request, day_of(shown.quote.created_at));
    if offer.variant.price(request, on).as_ref().ok() != Some(offer.offer) {
        return None;
    }
    let bars = offer.variant.sums_insured.iter().filter_map(|sum| {
        let mut other = request.clone();
        other.sum_insured = *sum;
        let priced = offer.variant.price(&other, on).ok()?;
        let is_chosen = *sum == request.sum_insured;
        let sum = amount::sum(words, *sum);
        let label = if is_chosen { format!("{sum} ({})", words.chart_yours()) } else { sum };
        Some(Bar { label, amount: priced.tenures.first()?.premium.total(), is_chosen })
    });
    Chart::of("by-cover", words.cover_chart(), bars.collect())
}

/// The steps of each tenure; none where the insurer priced it itself.
fn steps(words: Words, shown: &HealthQuoteShown, offer: &Offer<'_>) -> Vec<Steps> {
    let explained = offer.variant.explain(&shown.quote.request, day_of(shown.quote.created_at));
    if explained.outcome.as_ref().ok() != Some(offer.offer) {
        return Vec::new();
    }
    let of = |tenure: &rating::TenureExplanation| Steps {
        title: words.price_of_years(words.years(tenure.years)),
        steps: PriceStep::all(words, &tenure.steps),
    };
    explained.tenures.iter().map(of).collect()
}
