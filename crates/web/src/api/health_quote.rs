//! `GET /v1/business/health/quotes` and `…/quotes/{id}`: quotes as they were stored (interface §8, §9; D31 to D33, D35,
//! D42, D47).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::health_quote::HealthOffer;
use domain::id::{VariantId, kind};
use domain::person::{Email, Mobile, PersonalLine};
use serde::Serialize;
use serde_json::Number;
use service::health_quote::HealthQuoteShown;
use utoipa::ToSchema;

use super::list::list_ask;
use super::offered::{Offered, variant_of};
use super::recommendation::or_blank;
use crate::answer::json;
use crate::app::App;
use crate::caller::{Caller, QuoteRead};
use crate::error::Problem;
use crate::number::{to_number, whole_rupees};
use crate::path::PathId;
use crate::query::Query;

/// Lists the partner's health quotes, newest first.
pub(crate) async fn list(
    State(app): State<App>,
    caller: Caller<QuoteRead>,
    query: Query,
) -> Result<Response, Problem> {
    let page = app.service.health_quotes(caller.partner, list_ask(query)).await?;
    let quotes = page.records.iter().map(StoredQuote::of).collect::<Result<_, _>>()?;
    let answer = QuotesAnswer {
        quotes,
        has_next: page.has_next,
        has_prev: page.has_prev,
        count: page.count,
        end_cursor: &page.end_cursor,
        start_cursor: &page.start_cursor,
        session_id: page.session.as_deref(),
    };
    Ok(json(StatusCode::OK, &answer))
}

/// Shows one of the partner's health quotes.
pub(crate) async fn get(
    State(app): State<App>,
    caller: Caller<QuoteRead>,
    id: PathId<kind::Quote>,
) -> Result<Response, Problem> {
    let shown = app.service.health_quote(caller.partner, id.known("quote")?).await?;
    Ok(json(StatusCode::OK, &StoredQuoteAnswer { quote: StoredQuote::of(&shown)? }))
}

/// A page of quotes.
#[derive(Serialize, ToSchema)]
pub(crate) struct QuotesAnswer<'a> {
    /// The quotes, newest first.
    quotes: Vec<StoredQuote<'a>>,
    /// Whether older ones follow.
    has_next: bool,
    /// Whether newer ones come before.
    has_prev: bool,
    /// All that match, whatever the page.
    count: u64,
    /// What to send as `next`; empty on an empty page.
    end_cursor: &'a str,
    /// What to send as `prev`; empty on an empty page.
    start_cursor: &'a str,
    /// The session asked for.
    #[schema(required = true)]
    session_id: Option<&'a str>,
}

/// One quote.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredQuoteAnswer<'a> {
    /// The quote.
    quote: StoredQuote<'a>,
}

/// A quote as it was stored. Amounts are text.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredQuote<'a> {
    /// The session it belongs to.
    #[schema(required = true)]
    session_id: Option<String>,
    /// Its id: `quo_…`.
    #[schema(pattern = "^quo_[0-9a-z]{26}$")]
    quote_id: String,
    /// Sum insured, in whole rupees.
    #[schema(example = "1000000")]
    sum_insured: String,
    /// The customer's pincode.
    pincode: &'a str,
    /// Deductible, in whole rupees.
    #[schema(example = "0")]
    deductible: String,
    /// How many variants are asked.
    total_variants: usize,
    /// How many are finished.
    completed_variants: usize,
    /// One item for each person.
    member_details: Vec<StoredMember>,
    /// `BASE` or `SUPER_TOP_UP`.
    #[schema(pattern = "^(BASE|SUPER_TOP_UP)$")]
    plan_type: &'static str,
    /// The customer's name.
    customer_name: &'a str,
    /// The customer's mobile number, 10 digits.
    customer_phone: &'a str,
    /// The customer's gender, as it was sent.
    customer_gender: &'a str,
    /// The customer's e-mail address.
    customer_email: &'a str,
    /// What is offered of the variants finished so far, best first once all are.
    recommendations: Vec<StoredRecommendation<'a>>,
}

/// A person of the family.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredMember {
    /// What the person is to the customer.
    #[schema(example = "self")]
    relation: &'static str,
    /// In years.
    #[schema(value_type = f64, minimum = 0, maximum = 120)]
    age: Number,
}

/// A variant that is offered.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredRecommendation<'a> {
    /// Its id: `rec_…`.
    #[schema(pattern = "^rec_[0-9a-z]{26}$")]
    recommendation_id: String,
    #[serde(flatten)]
    offered: Offered<'a>,
    /// What it costs by tenure, shortest first.
    premium_details: Vec<StoredPremium>,
    /// Whether this is the one recommended: at most one is, and none while variants are open.
    recommended: bool,
}

/// What a variant costs for so many years.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredPremium {
    /// Years.
    tenure: u8,
    /// Premium with tax for all of them, in rupees with two places.
    #[schema(example = "15702.00")]
    premium: String,
}

impl<'a> StoredQuote<'a> {
    fn of(shown: &'a HealthQuoteShown) -> Result<Self, Problem> {
        let quote = &shown.quote;
        let (request, customer) = (&quote.request, &quote.request.customer);
        let recommended = quote.recommended().map(|(place, ..)| place);
        let offered = quote.offers().into_iter().map(|(place, id, offer)| {
            let item = quote.item_id(place).to_string();
            StoredRecommendation::of(shown, item, id, offer, Some(place) == recommended)
        });
        let member = |member: &domain::health_quote::Member| StoredMember {
            relation: member.relation.word(),
            age: to_number(member.age.as_decimal()),
        };
        Ok(StoredQuote {
            session_id: request.session.map(|session| session.to_string()),
            quote_id: quote.id.to_string(),
            sum_insured: whole_rupees(request.sum_insured),
            pincode: customer.pincode.reveal(),
            deductible: whole_rupees(quote.deductible_used()),
            total_variants: quote.total_variants(),
            completed_variants: quote.completed_variants(),
            member_details: request.members.iter().map(member).collect(),
            plan_type: request.plan.reported(),
            customer_name: or_blank(customer.name.as_ref(), PersonalLine::reveal),
            customer_phone: or_blank(customer.phone.as_ref(), Mobile::reveal),
            customer_gender: or_blank(customer.gender.as_ref(), PersonalLine::reveal),
            customer_email: or_blank(customer.email.as_ref(), Email::reveal),
            recommendations: offered.collect::<Result<_, _>>()?,
        })
    }
}

impl<'a> StoredRecommendation<'a> {
    fn of(
        shown: &'a HealthQuoteShown,
        recommendation_id: String,
        id: VariantId,
        offer: &HealthOffer,
        recommended: bool,
    ) -> Result<Self, Problem> {
        let variant = variant_of(shown, id)?;
        let premium = |price: &domain::health_quote::TenurePrice| StoredPremium {
            tenure: price.years,
            premium: price.premium.total().to_string(),
        };
        Ok(StoredRecommendation {
            recommendation_id,
            offered: Offered::of(variant),
            premium_details: offer.tenures.iter().map(premium).collect(),
            recommended,
        })
    }
}
