//! The price again, where details contradict what it was made for or where it has lapsed: before and now, and nothing
//! goes on until the customer agrees.

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use domain::health_quote::{JobStatus, TenurePrice};
use domain::journey::Choice;
use service::health_quote::HealthQuoteShown;

use super::details::before;
use super::frame::{Frame, shown};
use super::offer::{Offer, name_of};
use super::plans::{Asked, wait_for_more};
use super::quoted::quote_of;
use super::visitor::{Sent, SentOnTheWay, Traveller, Visitor, in_query};
use super::{amount, lead_to};
use crate::app::App;
use crate::error::Problem;

#[derive(Template)]
#[template(path = "journey/price.html")]
struct PricePage {
    frame: Frame,
    pending: bool,
    name: String,
    before: String,
    /// What it costs now, in words and in paise; `None` where the plan is gone.
    now: Option<(String, i64)>,
    asked: Asked,
}

pub(crate) async fn get(
    State(app): State<App>,
    Traveller(visitor): Traveller,
    parts: Parts,
) -> Result<Response, Problem> {
    if let Some(page) = before(&visitor.journey.answers) {
        return Ok(lead_to(page));
    }
    let (visitor, mut quote) = quote_of(&app, visitor).await?;
    if in_query(&parts, "wait").is_some() {
        quote = wait_for_more(&app, quote, usize::MAX).await?;
    }
    let choice = choice_of(&visitor)?;
    let pending = quote.quote.status() == JobStatus::Pending;
    let now = price_of(&visitor, &quote, choice);
    if !pending && now.is_some_and(|now| now.premium == choice.premium) {
        return Ok(lead_to("review?same=1"));
    }
    let words = visitor.words;
    let mut frame = Frame::of(&visitor, "price");
    frame.step = 5;
    if pending {
        (frame.refresh, frame.refresh_always) = ("price?wait=1".to_owned(), true);
    }
    let variant = quote.catalogue.health_variant(choice.variant);
    let name = variant.map_or_else(String::new, name_of);
    let page = PricePage {
        pending,
        name,
        before: amount::total(choice.premium),
        now: now.map(|now| (amount::total(now.premium), now.premium.total().paise())),
        asked: Asked::of(words, &quote.quote.request),
        frame,
    };
    Ok(shown(&visitor, &page))
}

/// Takes the price that was shown, and no other.
pub(crate) async fn post(
    State(app): State<App>,
    SentOnTheWay(Sent { visitor, form, .. }): SentOnTheWay,
) -> Result<Response, Problem> {
    if let Some(page) = before(&visitor.journey.answers) {
        return Ok(lead_to(page));
    }
    let (visitor, quote) = quote_of(&app, visitor).await?;
    let choice = choice_of(&visitor)?;
    let shown = form.value("price").parse::<i64>().ok();
    let now = price_of(&visitor, &quote, choice).filter(|now| shown == Some(now.premium.total().paise()));
    let Some(now) = now.filter(|_| quote.quote.status() == JobStatus::Success) else {
        return Ok(lead_to("price"));
    };
    let accepted = Choice { premium: now.premium, ..choice };
    app.service.change_journey(visitor.journey, |journey| journey.answers.choice = Some(accepted)).await?;
    Ok(lead_to("review"))
}

fn choice_of(visitor: &Visitor) -> Result<Choice, Problem> {
    visitor.journey.answers.choice.ok_or_else(|| Problem::unexpected("a price without a choice"))
}

fn price_of(visitor: &Visitor, quote: &HealthQuoteShown, choice: Choice) -> Option<TenurePrice> {
    let offer = Offer::find(quote, &visitor.journey.answers.family, choice.variant)?;
    offer.price(choice.years).copied()
}

/// Whether what was chosen still costs what it did.
pub(crate) fn still_holds(visitor: &Visitor, quote: &HealthQuoteShown, choice: Choice) -> bool {
    let finished = quote.quote.status() == JobStatus::Success;
    finished && price_of(visitor, quote, choice).is_some_and(|now| now.premium == choice.premium)
}
