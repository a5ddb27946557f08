//! Page that shows the old and the new price of the chosen plan, and waits for the customer's consent.

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use domain::health_quote::{JobStatus, TenurePrice};
use domain::journey::Choice;
use domain::money::Premium;
use service::quote::health::HealthQuoteShown;

use super::address::{self, Parameter, redirect};
use super::amount;
use super::extract::{Submission, Unapplied, UnappliedSubmission};
use super::frame::{Frame, render};
use super::offer::{Offer, name_of};
use super::plans::Asked;
use super::quote::{quote_of, wait_for_more};
use super::request::query_value;
use super::step::Step;
use super::visitor::Visitor;
use super::words::Words;
use crate::app::App;
use crate::context::RequestContext;
use crate::error::{Problem, Result};

/// Form field of the button that accepts the price. Its value is the total in paise.
const PRICE: &str = "price";

#[derive(Template)]
#[template(path = "journey/price_change.html")]
struct PriceChangePage {
    frame: Frame,
    pending: bool,
    name: String,
    before: String,
    /// Current price of the plan. `None` if the plan is no longer offered.
    now: Option<CurrentPrice>,
    asked: Asked,
}

/// Current price of the plan.
struct CurrentPrice {
    total: String,
    paise: i64,
    /// Label of the button that accepts the price.
    accept: String,
}

impl CurrentPrice {
    fn of(words: &Words, premium: Premium) -> CurrentPrice {
        let total = amount::total(premium);
        let accept = (words.price_change.accept_price)(&total);
        CurrentPrice { total, paise: premium.total().paise(), accept }
    }
}

pub(crate) async fn get(
    State(app): State<App>,
    Unapplied(visitor): Unapplied,
    context: RequestContext,
    parts: Parts,
) -> Result<Response> {
    if let Some(step) = Step::Details.unanswered_before(&visitor.journey.answers) {
        return Ok(redirect(step));
    }
    let (visitor, mut quote) = quote_of(&app, visitor).await?;
    if query_value(&parts, Parameter::Wait).is_some() {
        quote = wait_for_more(&app, &context, visitor.journey.id, quote, usize::MAX).await?;
    }
    let choice = choice_of(&visitor)?;
    let pending = quote.quote.status() == JobStatus::Pending;
    let now = price_of(&visitor, &quote, choice);
    if !pending && now.is_some_and(|now| now.premium == choice.premium) {
        return Ok(redirect(format!("{}?{}=1", Step::Review, Parameter::Same)));
    }
    let words = visitor.words;
    let mut frame = Frame { step: Some(Step::Details), ..Frame::of(&visitor, address::PRICE) };
    if pending {
        frame.refresh = format!("{}?{}=1", address::PRICE, Parameter::Wait);
        frame.refresh_always = true;
    }
    let variant = quote.catalogue.health_variant(choice.variant);
    let name = variant.map_or_else(String::new, name_of);
    let page = PriceChangePage {
        pending,
        name,
        before: amount::total(choice.premium),
        now: now.map(|now| CurrentPrice::of(words, now.premium)),
        asked: Asked::of(words, &quote.quote.request),
        frame,
    };
    Ok(render(&visitor, &page))
}

/// Accepts the new price, if it is still the price that the page showed.
pub(crate) async fn post(
    State(app): State<App>,
    UnappliedSubmission(Submission { visitor, form, .. }): UnappliedSubmission,
) -> Result<Response> {
    if let Some(step) = Step::Details.unanswered_before(&visitor.journey.answers) {
        return Ok(redirect(step));
    }
    let (visitor, quote) = quote_of(&app, visitor).await?;
    let choice = choice_of(&visitor)?;
    let shown = form.value(PRICE).parse::<i64>().ok();
    let now = price_of(&visitor, &quote, choice).filter(|now| shown == Some(now.premium.total().paise()));
    let Some(now) = now.filter(|_| quote.quote.status() == JobStatus::Success) else {
        return Ok(redirect(address::PRICE));
    };
    let accepted = Choice { premium: now.premium, ..choice };
    app.service.journeys.change(visitor.journey, |journey| journey.answers.choice = Some(accepted)).await?;
    Ok(redirect(Step::Review))
}

fn choice_of(visitor: &Visitor) -> Result<Choice> {
    visitor.journey.answers.choice.ok_or_else(|| Problem::unexpected("the price page needs a chosen plan"))
}

fn price_of(visitor: &Visitor, quote: &HealthQuoteShown, choice: Choice) -> Option<TenurePrice> {
    let offer = Offer::find(quote, &visitor.journey.answers.family, choice.variant)?;
    offer.price(choice.years).copied()
}

/// Whether the chosen plan still has the price at which the customer chose it.
pub(crate) fn still_holds(visitor: &Visitor, quote: &HealthQuoteShown, choice: Choice) -> bool {
    let finished = quote.quote.status() == JobStatus::Success;
    finished && price_of(visitor, quote, choice).is_some_and(|now| now.premium == choice.premium)
}
