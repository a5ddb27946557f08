//! `GET /v1/business/health/quotes` and `…/quotes/{id}`: quotes as they were stored (interface §8, §9; D31 to D33, D35,
//! D42, D47).

use std::sync::{Arc, LazyLock};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::health_quote::{HealthQuote, TenurePrice};
use domain::id::kind;
use domain::person::{Email, Mobile, PersonalLine};
use domain::quote::CatalogueHash;
use rating::Catalogue;
use serde::Serialize;
use service::catalogue::HealthVariant;
use service::quote::health::HealthQuoteShown;
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Verb, answered_by};
use crate::api::common::list::{list_ask, record_parameters};
use crate::api::quote::offered::{Offer, Offered, offers};
use crate::api::quote::recommendation::or_blank;
use crate::app::App;
use crate::caller::{Caller, QuoteRead};
use crate::error::{Code, Result};
use crate::number::{to_number, whole_rupees};
use crate::path::PathId;
use crate::query::Query;
use crate::response::json_with;
use crate::shape::describe;
use crate::template::{GAP, Gap, Template, amount, id, json, list as write_list, plain, small};
use crate::template_cache::VariantTemplates;

/// Bytes reserved for a quote: one of nineteen variants for three tenures has nine kilobytes.
const ROOM: usize = 10 * 1024;

pub(super) static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/business/health/quotes",
    id: "listQuotes",
    tag: "Health",
    summary: "List health quotes",
    description: "The partner's health quotes, newest first: those of a session, or those of up to eight days in Asia/Kolkata. Go on with next and the end_cursor of a page, back with prev and its start_cursor; a cursor carries its filter.",
    access: Access::Scope(Scope::QuoteRead),
    query: Some(|| describe(record_parameters)),
    gives: Gives::json::<QuotesAnswer<'static>>(200, "A page of quotes."),
    guide: "#10-read-stored-quotes",
    handler: || answered_by(list),
    ..Endpoint::PLAIN
};

/// Lists the partner's health quotes, newest first.
async fn list(State(app): State<App>, caller: Caller<QuoteRead>, query: Query) -> Result<Response> {
    let page = app.service.health_quotes.list(caller.partner, list_ask(query, record_parameters)).await?;
    let templates = TemplatesOfPage::of(&app, &page.records);
    let offers = page.records.iter().map(|shown| offers(&shown.quote, templates.of_quote(&shown.quote)));
    let offers: Vec<_> = offers.collect::<Result<_, _>>()?;
    let answer = QuotesAnswer {
        quotes: Gap,
        has_next: page.has_next,
        has_prev: page.has_prev,
        count: page.count,
        end_cursor: &page.end_cursor,
        start_cursor: &page.start_cursor,
        session_id: page.session.as_deref(),
    };
    let room = ROOM * (page.records.len() + 1);
    Ok(json_with(StatusCode::OK, room, |to| {
        Template::of(&answer).fill(to, |_, to| {
            write_list(
                to,
                page.records.iter().zip(&offers),
                |(HealthQuoteShown { quote, .. }, offers), to| {
                    STORED.fill(to, |gap, to| write(to, gap, quote, offers));
                },
            );
        });
    }))
}

pub(super) static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/business/health/quotes/{quote_id}",
    id: "getQuote",
    tag: "Health",
    summary: "Get a health quote",
    description: "One of the partner's health quotes, as far as its job has come.",
    access: Access::Scope(Scope::QuoteRead),
    gives: Gives::json::<StoredQuoteAnswer<'static>>(200, "The quote."),
    refuses: &[Code::R4040],
    guide: "#10-read-stored-quotes",
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Shows one of the partner's health quotes.
async fn get(State(app): State<App>, caller: Caller<QuoteRead>, id: PathId<kind::Quote>) -> Result<Response> {
    let shown = app.service.health_quotes.find(caller.partner, id.known("quote")?).await?;
    let HealthQuoteShown { quote, catalogue } = &shown;
    let templates = app.stored_templates.of(catalogue, templates);
    let offers = offers(quote, &templates)?;
    Ok(json_with(StatusCode::OK, ROOM, |to| ANSWER.fill(to, |gap, to| write(to, gap, quote, &offers))))
}

/// A page of quotes.
#[derive(Serialize, ToSchema)]
pub(crate) struct QuotesAnswer<'a> {
    /// The quotes, newest first.
    #[schema(value_type = Vec<StoredQuote<'static>>)]
    quotes: Gap,
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
    #[schema(value_type = Option<String>, required = true)]
    session_id: Gap,
    /// Its id: `quo_…`.
    #[schema(pattern = "^quo_[0-9a-z]{26}$")]
    quote_id: &'a str,
    /// Sum insured, in whole rupees.
    #[schema(example = "1000000")]
    sum_insured: &'a str,
    /// The customer's pincode.
    pincode: &'a str,
    /// Deductible, in whole rupees.
    #[schema(example = "0")]
    deductible: &'a str,
    /// How many variants are asked.
    #[schema(value_type = usize)]
    total_variants: Gap,
    /// How many are finished.
    #[schema(value_type = usize)]
    completed_variants: Gap,
    /// One item for each person.
    #[schema(value_type = Vec<StoredMember>)]
    member_details: Gap,
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
    #[schema(value_type = Vec<StoredRecommendation<'static>>)]
    recommendations: Gap,
}

/// A person of the family.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredMember {
    /// What the person is to the customer.
    #[schema(example = "self")]
    relation: &'static str,
    /// In years.
    #[schema(value_type = f64, minimum = 0, maximum = 120)]
    age: Gap,
}

/// A variant that is offered.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredRecommendation<'a> {
    /// Its id: `rec_…`.
    #[schema(pattern = "^rec_[0-9a-z]{26}$")]
    recommendation_id: &'a str,
    #[serde(flatten)]
    offered: Offered<'a>,
    /// What it costs by tenure, shortest first.
    #[schema(value_type = Vec<StoredPremium>)]
    premium_details: Gap,
    /// Whether this is the one recommended: at most one is, and none while variants are open.
    #[schema(value_type = bool)]
    recommended: Gap,
}

/// What a variant costs for so many years.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredPremium {
    /// Years.
    tenure: u8,
    /// Premium with tax for all of them, in rupees with two places.
    #[schema(example = "15702.00")]
    premium: &'static str,
}

/// A quote of which nothing is known.
const UNKNOWN: StoredQuote<'_> = StoredQuote {
    session_id: Gap,
    quote_id: GAP,
    sum_insured: GAP,
    pincode: GAP,
    deductible: GAP,
    total_variants: Gap,
    completed_variants: Gap,
    member_details: Gap,
    plan_type: GAP,
    customer_name: GAP,
    customer_phone: GAP,
    customer_gender: GAP,
    customer_email: GAP,
    recommendations: Gap,
};

/// The template of a quote in a page.
static STORED: LazyLock<Template> = LazyLock::new(|| Template::of(&UNKNOWN));

/// The template of a quote by itself.
static ANSWER: LazyLock<Template> = LazyLock::new(|| Template::of(&StoredQuoteAnswer { quote: UNKNOWN }));

/// The template of a person.
static MEMBER: LazyLock<Template> = LazyLock::new(|| Template::of(&StoredMember { relation: GAP, age: Gap }));

/// The templates of a page's quotes, each catalogue version once.
struct TemplatesOfPage(Vec<(CatalogueHash, Arc<VariantTemplates<Template>>)>);

impl TemplatesOfPage {
    fn of(app: &App, shown: &[HealthQuoteShown]) -> Self {
        let mut known = TemplatesOfPage(Vec::new());
        for HealthQuoteShown { catalogue, .. } in shown {
            let hash = catalogue.hash();
            if known.find(hash).is_none() {
                known.0.push((hash, app.stored_templates.of(catalogue, templates)));
            }
        }
        known
    }

    fn find(&self, hash: CatalogueHash) -> Option<&VariantTemplates<Template>> {
        self.0.iter().find_map(|(known, templates)| (*known == hash).then_some(&**templates))
    }

    /// Those of a quote of the page.
    fn of_quote(&self, quote: &HealthQuote) -> &VariantTemplates<Template> {
        self.find(quote.catalogue).expect("a quote is shown with its own catalogue version")
    }
}

/// The templates of every variant that may be offered.
fn templates(catalogue: &Catalogue) -> VariantTemplates<Template> {
    let variants = catalogue.all_health_variants().iter();
    variants.map(|variant| (variant.id, template_of(variant))).collect()
}

fn template_of(variant: &HealthVariant) -> Template {
    Template::of(&StoredRecommendation {
        recommendation_id: GAP,
        offered: Offered::of(variant),
        premium_details: Gap,
        recommended: Gap,
    })
}

/// The templates of what a variant costs, by years.
static PREMIUMS: LazyLock<Box<[Template]>> = LazyLock::new(|| (0..=u8::MAX).map(premium_for).collect());

fn premium_for(years: u8) -> Template {
    Template::of(&StoredPremium { tenure: years, premium: GAP })
}

/// Writes what stands in a gap of a quote's template.
fn write(to: &mut Vec<u8>, gap: usize, quote: &HealthQuote, offers: &[Offer<'_>]) {
    let (request, customer) = (&quote.request, &quote.request.customer);
    match gap {
        0 => match request.session {
            Some(session) => id(to, session),
            None => json(to, &()),
        },
        1 => id(to, quote.id),
        2 => plain(to, &whole_rupees(request.sum_insured)),
        3 => json(to, customer.pincode.reveal()),
        4 => plain(to, &whole_rupees(quote.deductible_used())),
        5 => json(to, &quote.total_variants()),
        6 => json(to, &quote.completed_variants()),
        7 => write_list(to, &request.members, |member, to| {
            MEMBER.fill(to, |gap, to| match gap {
                0 => plain(to, member.relation.word()),
                _ => match member.age.as_whole_years() {
                    Some(years) => small(to, years),
                    None => json(to, &to_number(member.age.as_decimal())),
                },
            });
        }),
        8 => plain(to, request.plan.reported()),
        9 => json(to, or_blank(customer.name.as_ref(), PersonalLine::reveal)),
        10 => json(to, or_blank(customer.phone.as_ref(), Mobile::reveal)),
        11 => json(to, or_blank(customer.gender.as_ref(), PersonalLine::reveal)),
        12 => json(to, or_blank(customer.email.as_ref(), Email::reveal)),
        _ => write_offers(to, quote, offers),
    }
}

/// Writes what is offered.
fn write_offers(to: &mut Vec<u8>, quote: &HealthQuote, offers: &[Offer<'_>]) {
    let recommended = quote.recommended().map(|(index, ..)| index);
    let premiums = &*PREMIUMS;
    write_list(to, offers, |Offer { index, template, offer }, to| {
        template.fill(to, |gap, to| match gap {
            0 => id(to, quote.item_id(*index)),
            1 => write_list(to, &offer.tenures, |TenurePrice { years, premium }, to| {
                premiums[usize::from(*years)].fill(to, |_, to| amount(to, premium.total()));
            }),
            _ => json(to, &(recommended == Some(*index))),
        });
    });
}
