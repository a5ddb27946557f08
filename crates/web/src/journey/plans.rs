//! The plans: whatever covers the family, the recommended one first, while prices still come in.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::time::Duration;

use askama::Template;
use askama::filters::HtmlSafe;
use axum::extract::State;
use axum::http::request::Parts;
use axum::response::Response;
use domain::health_proposal::FamilyMember;
use domain::health_quote::{HealthRequest, JobStatus, NotOffered, Outcome};
use domain::money::Rupees;
use domain::ranking::Criterion;
use rust_decimal::Decimal;
use service::health_quote::HealthQuoteShown;
use tokio::time::{Instant, sleep};

use super::field::{Choice, Field};
use super::form::Form;
use super::frame::{Frame, shown};
use super::offer::{Fact, Judged, Offer, name_of, reason_of};
use super::quoted::Quoted;
use super::visitor::{Sent, SentOnTheWay};
use super::words::Words;
use super::{amount, lead_to, person};
use crate::app::App;
use crate::error::Problem;

/// How long a browser that has seen everything so far waits for more.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

/// The parameter that says how much was seen.
const SEEN: &str = "seen";

/// How often it is looked meanwhile.
const LOOK: Duration = Duration::from_millis(100);

#[derive(Template)]
#[template(path = "journey/plans.html")]
struct PlansPage {
    frame: Frame,
    asked: Asked,
    list: PlanList,
    sort: Field,
    tags: Field,
    weights: Cow<'static, str>,
    /// The query of the page, for the events.
    query: String,
    pending: bool,
}

/// What was asked for, in a line, with ways to change it.
pub(crate) struct Asked {
    pub(crate) cover: Cow<'static, str>,
    pub(crate) pincode: Cow<'static, str>,
}

/// The part of the page that changes while prices come in.
#[derive(Template)]
#[template(path = "journey/plan_list.html")]
pub(crate) struct PlanList {
    words: Words,
    done: usize,
    of: usize,
    pending: bool,
    offers: usize,
    cards: Vec<Card>,
    refused: Vec<Refused>,
    /// Some insurers could not be asked, or not in time: that may pass.
    some_failed: bool,
}

/// Its own template escapes what is in it.
impl HtmlSafe for PlanList {}

struct Card {
    id: String,
    name: String,
    variant: String,
    insurer: String,
    monogram: String,
    description: String,
    premium: String,
    years: Cow<'static, str>,
    facts: Vec<Fact>,
    tags: Vec<String>,
    /// Why it is recommended; empty where it is not.
    reason: String,
    /// Why somebody looks at an application first; empty where nobody does.
    referral: String,
    is_compared: bool,
}

struct Refused {
    name: String,
    why: String,
}

pub(crate) async fn get(
    State(app): State<App>,
    Quoted { visitor, mut quote }: Quoted,
    parts: Parts,
) -> Result<Response, Problem> {
    let mut form = Form::of(parts.uri.query().unwrap_or_default().as_bytes());
    if let Some(seen) = form.whole_number(SEEN) {
        quote = wait_for_more(&app, quote, seen as usize).await?;
    }
    let query = asked_of_list(&form);
    if form.value("sort").is_empty() {
        form.put("sort", "best");
    }
    let words = visitor.words;
    let list = PlanList::of(words, &quote, &visitor.journey.answers.family, &form);
    let page_address = if query.is_empty() { "plans".to_owned() } else { format!("plans?{query}") };
    let mut frame = Frame::of(&visitor, &page_address);
    frame.step = 4;
    frame.back = "cover";
    let pending = quote.quote.status() == JobStatus::Pending;
    if pending {
        let join = if query.is_empty() { '?' } else { '&' };
        frame.refresh = format!("{page_address}{join}{SEEN}={}", quote.quote.completed_variants());
    }
    let weights = quote.catalogue.ranking_weights();
    let [price, claims, network, waiting, copay] = percentages(weights);
    let page = PlansPage {
        asked: Asked::of(words, &quote.quote.request),
        sort: Field::radio(&form, "sort", words.sort_by(), sorts(words)),
        tags: Field::boxes(&form, "tag", words.only_with(), tags(words, &quote)),
        weights: words.how_ranked_text(price, claims, network, waiting, copay),
        query,
        frame,
        list,
        pending,
    };
    Ok(shown(&visitor, &page))
}

/// Asks for all prices again, where insurers could not be reached.
pub(crate) async fn ask_again(
    State(app): State<App>,
    SentOnTheWay(Sent { visitor, .. }): SentOnTheWay,
) -> Result<Response, Problem> {
    if let Some(page) = super::arrive::unanswered(&visitor.journey.answers) {
        return Ok(lead_to(page));
    }
    app.service.recommend_for(visitor.journey).await?;
    Ok(lead_to("plans"))
}

/// The quote once more of it is finished than was seen, or after a while as it stands.
pub(crate) async fn wait_for_more(
    app: &App,
    mut shown: HealthQuoteShown,
    seen: usize,
) -> Result<HealthQuoteShown, Problem> {
    let until = Instant::now() + LONGEST_WAIT;
    let more = |shown: &HealthQuoteShown| {
        shown.quote.status() == JobStatus::Success || shown.quote.completed_variants() > seen
    };
    while !more(&shown) && Instant::now() < until && !app.is_draining() {
        sleep(LOOK).await;
        shown = app.service.health_quote(shown.quote.partner, shown.quote.id).await?;
    }
    Ok(shown)
}

/// What of a query says how the list is shown.
fn asked_of_list(form: &Form) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for name in ["sort", "tag", "v"] {
        for value in form.values(name).filter(|value| !value.is_empty()) {
            query.append_pair(name, value);
        }
    }
    query.finish()
}

impl Asked {
    pub(crate) fn of(words: Words, request: &HealthRequest) -> Asked {
        let sum = amount::sum(words, request.sum_insured);
        let cover = match (request.plan, request.deductible) {
            (domain::health_quote::PlanType::Base, _) => sum.into(),
            (_, Some(deductible)) => words.above_deductible(sum, amount::sum(words, deductible)),
            (_, None) => words.above_any_deductible(sum),
        };
        Asked {
            cover: words.asked_for(cover, person::all(words, &request.members)),
            pincode: words.at_pincode(request.customer.pincode.reveal()),
        }
    }
}

/// How much each criterion counts, of 100.
fn percentages(weights: domain::ranking::Weights) -> [Decimal; 5] {
    let all: Decimal = Criterion::ALL.iter().map(|criterion| Decimal::from(weights.weight(*criterion))).sum();
    let mut parts = [Decimal::ZERO; 5];
    for (part, criterion) in parts.iter_mut().zip(Criterion::ALL) {
        let weight = Decimal::from(weights.weight(*criterion)) * Decimal::ONE_HUNDRED;
        *part = weight.checked_div(all).unwrap_or_default().round();
    }
    parts
}

fn sorts(words: Words) -> Vec<Choice> {
    vec![
        Choice::of("best", words.sort_best()),
        Choice::of("price", words.sort_price()),
        Choice::of("wait", words.sort_wait()),
        Choice::of("claims", words.sort_claims()),
    ]
}

/// The tags that at least one variant of the quote has.
fn tags(words: Words, shown: &HealthQuoteShown) -> Vec<Choice> {
    let variants = shown.quote.variants().filter_map(|(id, _)| shown.catalogue.health_variant(id));
    let there: Vec<&String> = variants.flat_map(|variant| &variant.filter_tags).collect();
    let known = shown.catalogue.filter_tags().iter().filter(|tag| there.contains(&&tag.id));
    known.map(|tag| Choice::of(tag.id.as_str(), words.of_catalogue(&tag.name).to_owned())).collect()
}

impl PlanList {
    /// What there is so far, filtered and sorted as a form asks.
    pub(crate) fn of(
        words: Words,
        shown: &HealthQuoteShown,
        family: &[FamilyMember],
        form: &Form,
    ) -> PlanList {
        let Judged { offers: all, ended } = Offer::judge(shown, family);
        let offers = all.len();
        let wanted: Vec<&str> = form.values("tag").filter(|tag| !tag.is_empty()).collect();
        let has_all = |offer: &Offer<'_>| {
            wanted.iter().all(|tag| offer.variant.filter_tags.iter().any(|has| has == tag))
        };
        let mut kept: Vec<Offer<'_>> = all.into_iter().filter(has_all).collect();
        // Each sort leaves those that are alike in the order of the recommendation.
        match form.value("sort") {
            "price" => kept.sort_by_key(|offer| offer.shortest().map(super::offer::yearly)),
            "wait" => kept.sort_by_key(|offer| offer.variant.waiting_months),
            "claims" => {
                kept.sort_by_key(|offer| Reverse(offer.variant.insurer().claim_settlement_ratio));
            }
            _ => {}
        }
        let sum_insured = shown.quote.request.sum_insured;
        let cards =
            kept.iter().filter_map(|offer| Card::of(words, shown, offer, sum_insured, form)).collect();
        let not_offered = shown.quote.variants().filter_map(|(id, outcome)| {
            let why = outcome?.as_ref().err()?;
            let variant = shown.catalogue.health_variant(id)?;
            Some(Refused { name: name_of(variant), why: words.not_offered(why) })
        });
        let ended = ended.into_iter().map(|(variant, rule)| Refused {
            name: name_of(variant),
            why: reason_of(words, rule).to_owned(),
        });
        let failed = |outcome: Option<&Outcome>| {
            matches!(outcome, Some(Err(NotOffered::InsurerFailed | NotOffered::InsurerSlow)))
        };
        PlanList {
            some_failed: shown.quote.variants().any(|(_, outcome)| failed(outcome)),
            words,
            done: shown.quote.completed_variants(),
            of: shown.quote.total_variants(),
            pending: shown.quote.status() == JobStatus::Pending,
            offers,
            cards,
            refused: not_offered.chain(ended).collect(),
        }
    }

    /// Whether any card may be compared with another.
    fn has_several(&self) -> bool {
        self.cards.len() > 1
    }
}

impl Card {
    fn of(
        words: Words,
        shown: &HealthQuoteShown,
        offer: &Offer<'_>,
        sum_insured: Rupees,
        form: &Form,
    ) -> Option<Card> {
        let price = offer.shortest()?;
        let reason = if offer.is_recommended { shown.reason(offer.place) } else { None };
        let tag = |id: &String| {
            let known = shown.catalogue.filter_tags().iter().find(|tag| tag.id == *id)?;
            Some(words.of_catalogue(&known.name).to_owned())
        };
        let id = offer.variant.id.to_string();
        Some(Card {
            name: offer.name(),
            insurer: offer.variant.insurer().name.clone(),
            variant: offer.variant.name.clone(),
            monogram: offer.monogram(),
            description: offer.description(words).to_owned(),
            premium: amount::total(price.premium),
            years: words.years(price.years),
            // What all have alike stands above the list.
            facts: offer.facts(words, sum_insured).split_off(1),
            tags: offer.variant.filter_tags.iter().filter_map(tag).collect(),
            reason: reason.map_or_else(String::new, |reason| words.reason(&reason)),
            referral: offer.referral(words),
            is_compared: form.is_ticked("v", &id),
            id,
        })
    }
}
