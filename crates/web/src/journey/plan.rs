//! Page of one plan: its cover, its prices, and the buttons that choose the plan.

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use domain::date::day_of;
use domain::health_quote::TenurePrice;
use domain::id::VariantId;
use domain::journey::Choice;
use rust_decimal::Decimal;
use service::quote::health::HealthQuoteShown;

use super::address::{self, Parameter, redirect};
use super::amount;
use super::chart::{Bar, Chart};
use super::extract::{Quoted, Submission, UnappliedSubmission};
use super::frame::{Frame, render};
use super::offer::{Fact, Offer, yearly};
use super::papers::{Paper, papers};
use super::price_steps::PriceStep;
use super::quote::quote_of;
use super::request::query_value;
use super::step::Step;
use super::words::{Words, is_full_stop};
use crate::app::App;
use crate::error::Result;

/// Form field of the buttons that choose a plan. The value has the variant and the years, separated by a
/// colon.
const PICK: &str = "pick";

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
    uin: String,
    description: String,
    /// Why the plan is recommended. Empty if the plan is not recommended.
    reason: String,
    prices: Vec<Price>,
    facts: Vec<Fact>,
    covers: Vec<String>,
    exclusions: Vec<String>,
    tenure_chart: Option<Chart>,
    cover_chart: Option<Chart>,
    steps: Vec<Steps>,
    papers: Vec<Paper>,
    free_look: String,
    settlement: String,
    claims_contact: String,
    grievance_contact: String,
    about_insurer: String,
    is_offline: bool,
    /// Why a person checks the application first. Empty if no person must check it.
    referral: String,
}

struct Price {
    years: u8,
    choose: String,
    a_year: String,
    /// Amount that the customer saves compared with one-year policies. Empty if nothing is saved.
    saves: String,
}

struct Steps {
    title: String,
    steps: Vec<PriceStep>,
}

pub(crate) async fn get(Quoted { visitor, quote }: Quoted, parts: Parts) -> Response {
    let id = query_value(&parts, Parameter::Variant).and_then(|id| id.parse().ok());
    let Some(offer) = id.and_then(|id| Offer::find(&quote, &visitor.journey.answers.family, id)) else {
        return redirect(Step::Plans);
    };
    let words = visitor.words;
    let (variant, product, insurer) = (offer.variant, &offer.variant.product, offer.variant.insurer());
    let address = format!("{}?{}={}", address::PLAN, Parameter::Variant, variant.id);
    let step = Some(Step::Plans);
    let frame = Frame { step, back: step, ..Frame::of(&visitor, &address) };
    let reason = if offer.is_recommended { quote.reason(offer.index) } else { None };
    let exclusions = product.exclusions.as_ref().map_or("", |text| text.in_language(words.language));
    let page = PlanPage {
        frame,
        id: variant.id.to_string(),
        variant: variant.name.clone(),
        name: offer.name(),
        monogram: offer.monogram(),
        insurer: insurer.name.clone(),
        product: product.name.clone(),
        uin: (words.plan.uin)(&product.uin),
        description: offer.description(words).to_owned(),
        reason: reason.map_or_else(String::new, |reason| (words.offer.reason)(&reason)),
        prices: offer.offer.tenures.iter().map(|price| Price::of(words, &offer, price)).collect(),
        facts: offer.facts(words, quote.quote.request.sum_insured),
        covers: product.covers.iter().map(|text| text.in_language(words.language).to_owned()).collect(),
        exclusions: sentences(exclusions),
        tenure_chart: tenure_chart(words, &offer),
        cover_chart: cover_chart(words, &quote, &offer),
        steps: steps(words, &quote, &offer),
        papers: papers(words, product),
        free_look: (words.plan.free_look)(product.free_look_days),
        settlement: settlement(words, &offer).to_owned(),
        claims_contact: insurer.claims_contact.clone(),
        grievance_contact: insurer.grievance_contact.in_language(words.language).to_owned(),
        about_insurer: insurer.description.in_language(words.language).to_owned(),
        is_offline: !variant.online,
        referral: offer.referral(words),
    };
    render(&visitor, &page)
}

/// Stores which plan the customer chose, with its current price.
pub(crate) async fn choose(
    State(app): State<App>,
    UnappliedSubmission(Submission { visitor, form, only_language }): UnappliedSubmission,
) -> Result<Response> {
    if let Some(step) = Step::Plans.unanswered_before(&visitor.journey.answers) {
        return Ok(redirect(step));
    }
    let (visitor, quote) = quote_of(&app, visitor).await?;
    let picked = form.value(PICK).split_once(':');
    let picked = picked.and_then(|(id, years)| Some((id.parse::<VariantId>().ok()?, years.parse().ok()?)));
    let chosen = picked.filter(|_| !only_language).and_then(|(variant, years): (_, u8)| {
        let price = Offer::find(&quote, &visitor.journey.answers.family, variant)?.price(years)?;
        Some(Choice { variant, years, premium: price.premium })
    });
    let Some(choice) = chosen else { return Ok(redirect(Step::Plans)) };
    app.service.journeys.change(visitor.journey, |journey| journey.answers.choice = Some(choice)).await?;
    Ok(redirect(Step::Details))
}

/// How the premium is paid, in the customer's language (D29).
pub(crate) fn settlement<'q>(words: &Words, offer: &Offer<'q>) -> &'q str {
    let product = &offer.variant.product;
    product.settlement.in_language(words.language)
}

/// Splits a text at semicolons into sentences.
fn sentences(text: &str) -> Vec<String> {
    let parts = text
        .split(';')
        .map(|part| part.trim().trim_end_matches(is_full_stop))
        .filter(|part| !part.is_empty());
    let capital = |part: &str| {
        let mut letters = part.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    };
    parts.map(capital).collect()
}

impl Price {
    fn of(words: &Words, offer: &Offer<'_>, price: &TenurePrice) -> Price {
        let single = offer.shortest().map(yearly).unwrap_or_default();
        let now = yearly(price);
        let saved = (single - now).to_decimal() * Decimal::ONE_HUNDRED;
        let saved = saved.checked_div(single.to_decimal()).unwrap_or_default().round_dp(1).normalize();
        Price {
            years: price.years,
            choose: (words.plan.choose_for)(
                &(words.format.years)(price.years),
                &amount::total(price.premium),
            ),
            a_year: (words.plan.a_year)(&now.grouped()),
            saves: if saved > Decimal::ZERO { (words.plan.saves)(saved) } else { String::new() },
        }
    }
}

/// Chart of the premium per year, by tenure.
fn tenure_chart(words: &Words, offer: &Offer<'_>) -> Option<Chart> {
    let bars = offer.offer.tenures.iter().map(|price| Bar {
        label: (words.format.years)(price.years),
        amount: yearly(price),
        is_chosen: false,
    });
    Chart::of("by-tenure", words.plan.tenure_chart, bars.collect())
}

/// Chart of the premium for the shortest tenure, by sum insured. `None` for plans whose price the insurer
/// calculates.
fn cover_chart(words: &Words, shown: &HealthQuoteShown, offer: &Offer<'_>) -> Option<Chart> {
    let (request, on) = (&shown.quote.request, day_of(shown.quote.created_at));
    if offer.variant.price(request, on).as_ref().ok() != Some(offer.offer) {
        return None;
    }
    let bars = offer.variant.sums_insured.iter().filter_map(|sum| {
        let mut other = request.clone();
        other.sum_insured = *sum;
        let priced = offer.variant.price(&other, on).ok()?;
        let is_chosen = *sum == request.sum_insured;
        let sum = words.sum(*sum);
        let label = if is_chosen { format!("{sum} ({})", words.plan.chart_yours) } else { sum };
        Some(Bar { label, amount: priced.tenures.first()?.premium.total(), is_chosen })
    });
    Chart::of("by-cover", words.plan.cover_chart, bars.collect())
}

/// Calculation steps of each tenure's price. Empty if the insurer calculated the price.
fn steps(words: &Words, shown: &HealthQuoteShown, offer: &Offer<'_>) -> Vec<Steps> {
    let explained = offer.variant.explain(&shown.quote.request, day_of(shown.quote.created_at));
    if explained.outcome.as_ref().ok() != Some(offer.offer) {
        return Vec::new();
    }
    let of = |tenure: &rating::TenureExplanation| Steps {
        title: (words.plan.price_of_years)(&(words.format.years)(tenure.years)),
        steps: PriceStep::all(words, &tenure.steps),
    };
    explained.tenures.iter().map(of).collect()
}
