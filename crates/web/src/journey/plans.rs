//! Page of all plans. The recommended plan comes first, even while prices arrive.

use askama::Template;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use domain::health_quote::{HealthRequest, JobStatus, PlanType};
use domain::ranking::{Criterion, Weights};
use rust_decimal::Decimal;
use service::quote::health::HealthQuoteShown;

use super::address::{Parameter, redirect};
use super::extract::{Quoted, Submission, UnappliedSubmission};
use super::field::{Choice, Field};
use super::form::Form;
use super::frame::{Frame, render};
use super::people;
use super::plan_list::{PlanList, SortOrder};
use super::quote::{recommend, wait_for_more};
use super::step::Step;
use super::words::Words;
use crate::app::App;
use crate::context::RequestContext;
use crate::error::Result;

/// Query parameters that sort and filter the list of plans. They stay when the page is loaded again.
const LIST_PARAMETERS: [Parameter; 3] = [Parameter::Sort, Parameter::Tag, Parameter::Variant];

#[derive(Template)]
#[template(path = "journey/plans.html")]
struct PlansPage {
    frame: Frame,
    asked: Asked,
    list: PlanList,
    sort: Field,
    tags: Field,
    weights: String,
    /// Query of the page's address. The request for server-sent events uses the same query.
    query: String,
    pending: bool,
}

/// Text about the requested cover and pincode.
pub(crate) struct Asked {
    pub(crate) cover: String,
    pub(crate) pincode: String,
}

pub(crate) async fn get(
    State(app): State<App>,
    Quoted { visitor, mut quote }: Quoted,
    context: RequestContext,
    parts: Parts,
) -> Result<Response> {
    let mut form = Form::parse(parts.uri.query().unwrap_or_default().as_bytes());
    if let Some(seen) = form.whole_number(Parameter::Seen.word()) {
        quote = wait_for_more(&app, &context, visitor.journey.id, quote, seen as usize).await?;
    }
    let query = list_query(&form);
    let (sort, tag) = (Parameter::Sort.word(), Parameter::Tag.word());
    if form.value(sort).is_empty() {
        form.put(sort, SortOrder::Best.word());
    }
    let words = visitor.words;
    let list = PlanList::of(words, &quote, &visitor.journey.answers.family, &form);
    let plans = Step::Plans;
    let page_address = if query.is_empty() { plans.to_string() } else { format!("{plans}?{query}") };
    let mut frame = Frame { step: Some(plans), back: plans.back(), ..Frame::of(&visitor, &page_address) };
    let pending = quote.quote.status() == JobStatus::Pending;
    if pending {
        let join = if query.is_empty() { '?' } else { '&' };
        let (seen, count) = (Parameter::Seen, quote.quote.completed_variants());
        frame.refresh = format!("{page_address}{join}{seen}={count}");
    }
    let [price, claims, network, waiting, copay] = percentages(quote.catalogue.ranking_weights());
    let page = PlansPage {
        asked: Asked::of(words, &quote.quote.request),
        sort: Field::radio(&form, sort, words.plans.sort_by, sort_orders(words)),
        tags: Field::boxes(&form, tag, words.plans.only_with, tags(words, &quote)),
        weights: (words.plans.how_ranked_text)(price, claims, network, waiting, copay),
        query,
        frame,
        list,
        pending,
    };
    Ok(render(&visitor, &page))
}

/// Requests all prices again, because insurers could not be reached.
pub(crate) async fn ask_again(
    State(app): State<App>,
    UnappliedSubmission(Submission { visitor, .. }): UnappliedSubmission,
) -> Result<Response> {
    if let Some(step) = Step::Plans.unanswered_before(&visitor.journey.answers) {
        return Ok(redirect(step));
    }
    recommend(&app, visitor.journey).await?;
    Ok(redirect(Step::Plans))
}

/// The [`LIST_PARAMETERS`] of a form, as a query.
fn list_query(form: &Form) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for name in LIST_PARAMETERS.map(Parameter::word) {
        for value in form.values(name).filter(|value| !value.is_empty()) {
            query.append_pair(name, value);
        }
    }
    query.finish()
}

impl Asked {
    pub(crate) fn of(words: &Words, request: &HealthRequest) -> Asked {
        let sum = words.sum(request.sum_insured);
        let cover = match (request.plan, request.deductible) {
            (PlanType::Base, _) => sum,
            (PlanType::SuperTopUp, Some(deductible)) => {
                (words.plans.above_deductible)(&sum, &words.sum(deductible))
            }
            (PlanType::SuperTopUp, None) => (words.plans.above_any_deductible)(&sum),
        };
        Asked {
            cover: (words.plans.asked_for)(&cover, &people::all(words, &request.members)),
            pincode: (words.plans.at_pincode)(request.customer.pincode.reveal()),
        }
    }
}

/// Weight of each ranking criterion, in percent of the total weight.
fn percentages(weights: Weights) -> [Decimal; 5] {
    let all: Decimal = Criterion::ALL.iter().map(|criterion| Decimal::from(weights.weight(*criterion))).sum();
    let mut parts = [Decimal::ZERO; 5];
    for (part, criterion) in parts.iter_mut().zip(Criterion::ALL) {
        let weight = Decimal::from(weights.weight(*criterion)) * Decimal::ONE_HUNDRED;
        *part = weight.checked_div(all).unwrap_or_default().round();
    }
    parts
}

fn sort_orders(words: &Words) -> Vec<Choice> {
    SortOrder::ALL.iter().map(|order| Choice::of(order.word(), order.name(words))).collect()
}

/// Filter tags that at least one variant of the quote has.
fn tags(words: &Words, shown: &HealthQuoteShown) -> Vec<Choice> {
    let variants = shown.quote.variants().filter_map(|(id, _)| shown.catalogue.health_variant(id));
    let present: Vec<&String> = variants.flat_map(|variant| &variant.filter_tags).collect();
    let known = shown.catalogue.filter_tags().iter().filter(|tag| present.contains(&&tag.id));
    let name = |tag: &rating::FilterTag| tag.name.in_language(words.language).to_owned();
    known.map(|tag| Choice::of(tag.id.as_str(), name(tag))).collect()
}
