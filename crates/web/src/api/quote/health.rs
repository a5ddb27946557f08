//! `GET /v1/business/health/quotes` and `…/quotes/{id}`: stored health quotes (interface §8, §9; D31 to D33,
//! D35, D42, D47).

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

/// Bytes reserved for the JSON of one quote. A quote with 19 variants and three tenures has 9 KB.
const ROOM: usize = 10 * 1024;

pub(super) static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/business/health/quotes",
    id: "listQuotes",
    tag: "Health",
    summary: "List health quotes",
    description: "Lists your health quotes, newest first. Filter by session, or by at most eight days in Asia/Kolkata: a filter is required. Send a page's `end_cursor` as `next` to get the following page, its `start_cursor` as `prev` to go back. A cursor includes the filter of its list.",
    access: Access::Scope(Scope::QuoteRead),
    query: Some(|| describe(record_parameters)),
    gives: Gives::json::<QuotesAnswer<'static>>(200, "A page of quotes."),
    handler: || answered_by(list),
    ..Endpoint::PLAIN
};

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
    description: "Returns a health quote with the results of its job so far.",
    access: Access::Scope(Scope::QuoteRead),
    gives: Gives::json::<StoredQuoteAnswer<'static>>(200, "The quote."),
    refuses: &[Code::R4040],
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

/// A page of health quotes.
#[derive(Serialize, ToSchema)]
pub(crate) struct QuotesAnswer<'a> {
    /// Quotes of this page, newest first.
    #[schema(value_type = Vec<StoredQuote<'static>>)]
    quotes: Gap,
    /// Whether the list has older quotes after this page.
    has_next: bool,
    /// Whether the list has newer quotes before this page.
    has_prev: bool,
    /// Number of all quotes that match the filter, on all pages.
    count: u64,
    /// Cursor to get the next page: send it as `next`. Empty if the page has no quotes and you did not send
    /// `prev`.
    end_cursor: &'a str,
    /// Cursor to get the previous page: send it as `prev`. Empty if the page has no quotes and you sent
    /// neither `next` nor `prev`.
    start_cursor: &'a str,
    /// Session id from the request. `null` if you did not filter by session.
    #[schema(required = true)]
    session_id: Option<&'a str>,
}

/// Response with one health quote.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredQuoteAnswer<'a> {
    /// The health quote.
    quote: StoredQuote<'a>,
}

/// A stored health quote. Its amounts are text.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredQuote<'a> {
    /// Id of the session in which the quote was made. `null` if there was no session.
    #[schema(value_type = Option<String>, required = true)]
    session_id: Gap,
    /// Id of the quote: `quo_…`.
    #[schema(pattern = "^quo_[0-9a-z]{26}$")]
    quote_id: &'a str,
    /// Sum insured, in whole rupees.
    #[schema(example = "1000000")]
    sum_insured: &'a str,
    /// Pincode (postal code) of the customer.
    pincode: &'a str,
    /// Deductible, in whole rupees.
    #[schema(example = "0")]
    deductible: &'a str,
    /// Number of variants that the quote's job prices.
    #[schema(value_type = usize)]
    total_variants: Gap,
    /// Number of variants that the quote's job has finished.
    #[schema(value_type = usize)]
    completed_variants: Gap,
    /// Family members, one item for each.
    #[schema(value_type = Vec<StoredMember>)]
    member_details: Gap,
    /// Kind of plan: `BASE` or `SUPER_TOP_UP`.
    #[schema(pattern = "^(BASE|SUPER_TOP_UP)$")]
    plan_type: &'static str,
    /// Name of the customer.
    customer_name: &'a str,
    /// Mobile number of the customer, 10 digits.
    customer_phone: &'a str,
    /// Gender of the customer, as in the request.
    customer_gender: &'a str,
    /// E-mail address of the customer.
    customer_email: &'a str,
    /// Offers that the job has found so far. Once all variants are finished, the best offer comes first.
    #[schema(value_type = Vec<StoredRecommendation<'static>>)]
    recommendations: Gap,
}

/// A family member.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredMember {
    /// Relation of the family member to the customer.
    #[schema(example = "self")]
    relation: &'static str,
    /// Age in years.
    #[schema(value_type = f64, minimum = 0, maximum = 120)]
    age: Gap,
}

/// An offered variant.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredRecommendation<'a> {
    /// Id of the offer: `rec_…`.
    #[schema(pattern = "^rec_[0-9a-z]{26}$")]
    recommendation_id: &'a str,
    #[serde(flatten)]
    offered: Offered<'a>,
    /// Premium of the variant for each tenure, shortest tenure first.
    #[schema(value_type = Vec<StoredPremium>)]
    premium_details: Gap,
    /// Whether this variant is the recommended one. At most one variant is recommended, and none while the
    /// job runs.
    #[schema(value_type = bool)]
    recommended: Gap,
}

/// Premium of a variant for one tenure.
#[derive(Serialize, ToSchema)]
pub(crate) struct StoredPremium {
    /// Tenure in years.
    tenure: u8,
    /// Premium with tax for the whole tenure, in rupees with two decimals.
    #[schema(example = "15702.00")]
    premium: &'static str,
}

/// A quote with gaps instead of values. The JSON templates are made from it.
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

/// JSON template of a quote in a list.
static STORED: LazyLock<Template> = LazyLock::new(|| Template::of(&UNKNOWN));

/// JSON template of the response with one quote.
static ANSWER: LazyLock<Template> = LazyLock::new(|| Template::of(&StoredQuoteAnswer { quote: UNKNOWN }));

/// JSON template of a family member.
static MEMBER: LazyLock<Template> = LazyLock::new(|| Template::of(&StoredMember { relation: GAP, age: Gap }));

/// Templates for the quotes of a page, once for each catalogue version that the quotes use.
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

    /// Templates for one quote of the page.
    fn of_quote(&self, quote: &HealthQuote) -> &VariantTemplates<Template> {
        self.find(quote.catalogue).expect("a quote is shown with its own catalogue version")
    }
}

/// JSON templates of all health variants of a catalogue.
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

/// JSON templates of the premium for a tenure, indexed by the number of years.
static PREMIUMS: LazyLock<Box<[Template]>> = LazyLock::new(|| (0..=u8::MAX).map(premium_for).collect());

fn premium_for(years: u8) -> Template {
    Template::of(&StoredPremium { tenure: years, premium: GAP })
}

/// Writes the value of one gap in a quote's template, by the gap's number.
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

/// Writes the offered variants.
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
