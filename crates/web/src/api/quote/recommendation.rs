//! `POST` and `GET /v1/business/health/recommendation`: starts a recommendation job, and reads its result
//! (interface §2, §3; D8, D14 to D19, D51).

use std::sync::LazyLock;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::health_quote::{
    Age, Attribution, Customer, DEFAULT_SUM_INSURED, HealthQuote, HealthRequest, Member, PlanType, Porting,
    Relation,
};
use domain::id::{SessionId, kind};
use domain::money::Rupees;
use domain::person::{Email, HomePincode, IndianMobile, PersonalLine, PlatformId};
use rating::Catalogue;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::{Map, Number, Value, json};
use service::catalogue::HealthVariant;
use service::quote::health::HealthQuoteShown;
use service::{Error, Faults};
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::example;
use crate::api::quote::offered::{Offer, Offered, offers};
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, QuoteRead, QuoteWrite};
use crate::error::{Code, Result};
use crate::idempotency::{IdempotencyKey, Lookup};
use crate::marker::is_infinite;
use crate::number::{AgeNumber, Amount, Boolean, Identifier, NotNegative, amount, to_number};
use crate::path::PathId;
use crate::reader::{FieldLocation, Fields, Shape};
use crate::response::{Payload, ROOM, json_with, respond, to_keep};
use crate::shape::{PlainText, describe, list, named, object, text};
use crate::template::{Gap, Template, json, list as write_list, small, write_to_last};
use crate::template_cache::VariantTemplates;

/// Maximum number of family members under `daughter` or `son`.
const MOST_MEMBERS: usize = 50;

/// Maximum number of pre-existing diseases in one request.
const MOST_PEDS: usize = 100;

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/business/health/recommendation",
    id: "generateRecommendation",
    tag: "Health",
    summary: "Generate a recommendation",
    description: "Starts a job that prices every health variant of this plan type and ranks the offers. The response has the job's id. Read the result with this id every 2 to 3 seconds, until the job ends.",
    access: Access::Scope(Scope::QuoteWrite),
    takes: Some(Takes::Json { schema: || describe(HealthDraft::read), example: example::recommendation }),
    gives: Gives::payload::<JobAnswer>(200, "The job's id."),
    idempotent: true,
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Starts a job that prices and ranks every variant of the requested plan type.
async fn post(
    State(app): State<App>,
    caller: Caller<QuoteWrite>,
    key: IdempotencyKey,
    body: Body,
) -> Result<Response> {
    let attempt = match key.look_up(&app, caller.partner, &body).await? {
        Lookup::New(attempt) => attempt,
        Lookup::Earlier(response) => return Ok(response),
    };
    let mut draft = body.draft(HealthDraft::read)?;
    app.service.health_quotes.may_attribute(caller.partner, &draft.parts.attribution())?;
    if let Some(named) = draft.parts.session_named()
        && !has_session(&app, &caller, named).await?
    {
        let message = "Must be the id of one of your sessions.";
        draft.faults.0.extend(Faults::one("session_id", message).0);
    }
    let request = draft.finish(HealthDraft::finish)?;
    let quote = app.service.health_quotes.make(caller.partner, request);
    let job = JobAnswer { quote_id: quote.id.to_string() };
    let response = to_keep(StatusCode::OK, &Payload { payload: job });
    let kept = attempt.response(&response, quote.created_at);
    let outcome = app.service.health_quotes.keep(quote, kept).await?;
    Ok(respond(response, outcome))
}

pub(super) static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/business/health/recommendation/{quote_id}",
    id: "getRecommendation",
    tag: "Health",
    summary: "Get a recommendation",
    description: "Returns the progress of the job: `completed_variants` of `total_variants`. If the status is `success`, the response has the offers, best first. If there is any offer, exactly one is recommended.",
    access: Access::Scope(Scope::QuoteRead),
    gives: Gives::payload::<RecommendationJob<'static>>(200, "The job."),
    refuses: &[Code::R4040],
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Shows the progress of the job, and the offers after the job's end.
async fn get(State(app): State<App>, caller: Caller<QuoteRead>, id: PathId<kind::Quote>) -> Result<Response> {
    let shown = app.service.health_quotes.find(caller.partner, id.known("quote")?).await?;
    let HealthQuoteShown { quote, catalogue } = &shown;
    let templates = app.recommended_templates.of(catalogue, templates);
    let ready = quote.ranking.is_some();
    let offers = if ready { offers(quote, &templates)? } else { Vec::new() };
    let answer = Payload { payload: RecommendationJob::of(quote) };
    Ok(json_with(StatusCode::OK, ROOM, |to| write_to_last(to, &answer, |to| write_offers(to, &offers))))
}

/// Whether the session id from the request is one of the partner's sessions (D37).
async fn has_session(app: &App, caller: &Caller<QuoteWrite>, named: &str) -> Result<bool, Error> {
    match named.parse::<SessionId>() {
        Ok(id) => app.service.sessions.exists(caller.partner, id).await,
        Err(_) => Ok(false),
    }
}

/// Parsed body of a recommendation request, possibly with faults. Outer `None`: a fault. Inner `None`: an
/// absent field.
pub(crate) struct HealthDraft {
    lead: Option<PlatformId>,
    user: Option<PlatformId>,
    customer: Option<Customer>,
    members: Option<Vec<Member>>,
    has_ped: Option<bool>,
    selected_peds: Option<Option<Vec<String>>>,
    plan: Option<Option<PlanType>>,
    sum_insured: Option<Option<Rupees>>,
    deductible: Option<Option<Rupees>>,
    partner: Option<Option<String>>,
    enterprise: Option<Option<String>>,
    is_porting: Option<Option<bool>>,
    porting_tenure: Option<Option<Decimal>>,
    session: Option<Option<String>>,
}

impl HealthDraft {
    /// Reads the body of a recommendation request.
    pub(crate) fn read(fields: &mut Fields<'_>) -> Self {
        let years =
            NotNegative { wanted: "the years that the customer's present policy has run, zero or more" };
        HealthDraft {
            lead: fields.required("lead_id", text()),
            user: fields.required("user_id", text()),
            customer: fields.required("customer", named("Customer", object(customer))),
            members: fields.required("members", named("Members", Members)),
            has_ped: fields.required("hasPED", Boolean),
            selected_peds: fields.optional("selectedPEDs", list(Identifier, 0, MOST_PEDS)),
            plan: fields.optional("plan_type", text()),
            sum_insured: fields.optional("sum_insured", Amount),
            deductible: fields.optional("deductible", Amount),
            partner: fields.optional("partner_id", PlainText::line(100)),
            enterprise: fields.optional("enterprise_id", PlainText::line(100)),
            is_porting: fields.optional("is_porting", Boolean),
            porting_tenure: fields.optional("porting_tenure", years),
            session: fields.optional("session_id", PlainText::line(100)),
        }
    }

    /// Valid part of `partner_id` and `enterprise_id`, for the check whether the partner may send them (D8).
    fn attribution(&self) -> Attribution {
        let (partner, enterprise) = (self.partner.clone(), self.enterprise.clone());
        Attribution { partner: partner.flatten(), enterprise: enterprise.flatten() }
    }

    /// Session id from the request, valid or not.
    fn session_named(&self) -> Option<&str> {
        self.session.as_ref()?.as_deref()
    }

    /// Returns the request, or `None` if a part has a fault.
    fn finish(self) -> Option<HealthRequest> {
        let above_zero = |rupees: &Rupees| *rupees > Rupees::ZERO;
        let (tenure, is_porting) = (self.porting_tenure?, self.is_porting?.unwrap_or(false));
        Some(HealthRequest {
            lead: Some(self.lead?),
            user: Some(self.user?),
            session: self.session?.and_then(|named| named.parse().ok()),
            customer: self.customer?,
            members: self.members?,
            has_ped: self.has_ped?,
            selected_peds: self.selected_peds?.unwrap_or_default(),
            plan: self.plan?.unwrap_or(PlanType::Base),
            sum_insured: self.sum_insured?.filter(above_zero).unwrap_or(DEFAULT_SUM_INSURED),
            deductible: self.deductible?.filter(above_zero),
            porting: is_porting.then_some(Porting { tenure }),
            attribution: Attribution { partner: self.partner?, enterprise: self.enterprise? },
            covered_since: None,
        })
    }
}

fn customer(fields: &mut Fields<'_>) -> Option<Customer> {
    let name = fields.required("name", text::<PersonalLine>());
    let gender = fields.required("gender", text::<PersonalLine>());
    let phone = fields.required("phoneNumber", text::<IndianMobile>());
    let pincode = fields.required("pinCode", text::<HomePincode>());
    let email = fields.required("email", text::<Email>());
    Some(Customer {
        name: Some(name?),
        gender: Some(gender?),
        phone: Some(phone?.0),
        pincode: pincode?,
        email: Some(email?),
    })
}

/// Shape of the family: an object with relations to the customer as keys (D15).
struct Members;

const MEMBERS: &str =
    "an object with at least one person under self, spouse, father, mother, daughter or son";

impl Shape for Members {
    type Value = Vec<Member>;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<Vec<Member>> {
        let Some(families) = value.as_object().filter(|object| !is_infinite(object)) else {
            at.mismatch(value, MEMBERS);
            return None;
        };
        let known = |key: &String| Relation::ALL.iter().any(|relation| relation.word() == key);
        let mut sound = true;
        for key in families.keys().filter(|key| !known(key)) {
            let wanted = "one of self, spouse, father, mother, daughter, son";
            at.field(key).invalid(wanted);
            sound = false;
        }
        let mut members = Vec::new();
        for relation in Relation::ALL {
            let Some(people) = families.get(relation.word()).filter(|people| !people.is_null()) else {
                continue;
            };
            match people_of(*relation, people, &mut at.field(relation.word())) {
                Some(people) => members.extend(people),
                None => sound = false,
            }
        }
        if sound && members.is_empty() {
            at.invalid(MEMBERS);
            sound = false;
        }
        sound.then_some(members)
    }

    fn wanted(&self) -> String {
        MEMBERS.to_owned()
    }

    fn schema(&self) -> Value {
        let person = person().schema();
        let people = |relation: &Relation| {
            let most = if relation.may_repeat() { MOST_MEMBERS } else { 1 };
            let people = json!({ "type": ["array", "null"], "items": person, "maxItems": most });
            (relation.word().to_owned(), people)
        };
        let properties: Map<String, Value> = Relation::ALL.iter().map(people).collect();
        json!({ "type": "object", "properties": properties, "additionalProperties": false, "minProperties": 1 })
    }
}

/// Shape of a family member: an object whose `age` is read.
fn person() -> impl Shape<Value = Age> {
    named("FamilyMember", object(|fields: &mut Fields<'_>| fields.required("age", AgeNumber)))
}

fn people_of(relation: Relation, people: &Value, at: &mut FieldLocation<'_>) -> Option<Vec<Member>> {
    let most = if relation.may_repeat() { MOST_MEMBERS } else { 1 };
    let ages: Vec<Age> = list(person(), 0, most).read(people, at)?;
    Some(ages.into_iter().map(|age| Member { relation, age }).collect())
}

/// A started recommendation job.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobAnswer {
    /// Id of the quote. Read the result of the job with it: `quo_…`.
    #[schema(pattern = "^quo_[0-9a-z]{26}$")]
    quote_id: String,
}

/// A recommendation job, with its progress and its result.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecommendationJob<'a> {
    /// Id of the quote: `quo_…`.
    #[schema(pattern = "^quo_[0-9a-z]{26}$")]
    quote_id: String,
    /// Id of the recommendation: `rec_…`. Absent while the job is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^rec_[0-9a-z]{26}$")]
    id: Option<String>,
    /// Status of the job: `pending` or `success`.
    #[schema(example = "success", pattern = "^(pending|success)$")]
    status: &'static str,
    /// Number of variants that the job prices.
    total_variants: usize,
    /// Number of variants that the job has finished, including variants without an offer.
    completed_variants: usize,
    /// Sum insured for the recommendation, in rupees.
    #[schema(value_type = f64)]
    sum_insured: Number,
    /// Pincode (postal code) of the customer.
    pincode: &'a str,
    /// Deductible of the recommendation, in rupees. Absent while the job is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    deductible: Option<Number>,
    /// Co-pay of the recommended variant, in percent. Absent while the job is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    copay: Option<u8>,
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
    /// Family members, as in the request. Absent while the job is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    member_details: Option<MembersAnswer>,
    /// Offers, best first. Empty while the job is pending.
    #[schema(value_type = Vec<VariantAnswer<'static>>)]
    new_recommendations: Gap,
}

/// Family members, grouped by relation to the customer.
#[derive(Serialize, ToSchema, Default)]
pub(crate) struct MembersAnswer {
    #[serde(rename = "self", skip_serializing_if = "Vec::is_empty")]
    own: Vec<AgeAnswer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spouse: Vec<AgeAnswer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    father: Vec<AgeAnswer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mother: Vec<AgeAnswer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    daughter: Vec<AgeAnswer>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    son: Vec<AgeAnswer>,
}

/// Age of a family member.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgeAnswer {
    /// Age in years.
    #[schema(value_type = f64, minimum = 0, maximum = 120)]
    age: Number,
}

/// An offered variant.
#[derive(Serialize, ToSchema)]
pub(crate) struct VariantAnswer<'a> {
    #[serde(flatten)]
    offered: Offered<'a>,
    /// Description of the variant for customers.
    variant_description: &'a str,
    /// Whether this variant is the recommended one. Exactly one offer is recommended.
    #[schema(value_type = bool)]
    recommended: Gap,
    /// Whether customers can buy the variant online.
    online: bool,
    /// Premium of the variant for each tenure, shortest tenure first.
    #[schema(value_type = Vec<TenureAnswer>)]
    tenure_map: Gap,
    /// Id of the base variant that this variant extends, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_variant_id: Option<String>,
    /// Ids of the variant's filter tags.
    filter_tags_ids: &'a [String],
}

/// Premium of a variant for one tenure.
#[derive(Serialize, ToSchema)]
pub(crate) struct TenureAnswer {
    /// Tenure in years.
    #[schema(value_type = u8)]
    tenure: Gap,
    /// Premium with tax for the whole tenure, in rupees.
    #[schema(value_type = f64)]
    premium: Gap,
    /// Deductible for a year, in rupees.
    #[schema(value_type = f64)]
    deductible: Gap,
}

/// A fact about the customer, or `""` if the hosted journey has not asked for it yet (D51).
pub(super) fn or_blank<T>(fact: Option<&T>, reveal: impl Fn(&T) -> &str) -> &str {
    fact.map_or("", reveal)
}

impl MembersAnswer {
    fn of(quote: &HealthQuote) -> Self {
        let mut answer = MembersAnswer::default();
        for member in &quote.request.members {
            let people = match member.relation {
                Relation::Own => &mut answer.own,
                Relation::Spouse => &mut answer.spouse,
                Relation::Father => &mut answer.father,
                Relation::Mother => &mut answer.mother,
                Relation::Daughter => &mut answer.daughter,
                Relation::Son => &mut answer.son,
            };
            people.push(AgeAnswer { age: to_number(member.age.as_decimal()) });
        }
        answer
    }
}

impl<'a> RecommendationJob<'a> {
    fn of(quote: &'a HealthQuote) -> Self {
        let ready = quote.ranking.is_some();
        let customer = &quote.request.customer;
        RecommendationJob {
            quote_id: quote.id.to_string(),
            id: ready.then(|| quote.recommendation_id().to_string()),
            status: quote.status().word(),
            total_variants: quote.total_variants(),
            completed_variants: quote.completed_variants(),
            sum_insured: amount(quote.request.sum_insured),
            pincode: customer.pincode.reveal(),
            deductible: ready.then(|| amount(quote.deductible_used())),
            copay: ready.then(|| quote.copay_percent()),
            plan_type: quote.request.plan.reported(),
            customer_name: or_blank(customer.name.as_ref(), PersonalLine::reveal),
            customer_phone: or_blank(customer.phone.as_ref(), domain::person::Mobile::reveal),
            customer_gender: or_blank(customer.gender.as_ref(), PersonalLine::reveal),
            customer_email: or_blank(customer.email.as_ref(), Email::reveal),
            member_details: ready.then(|| MembersAnswer::of(quote)),
            new_recommendations: Gap,
        }
    }
}

/// JSON templates of all health variants of a catalogue.
fn templates(catalogue: &Catalogue) -> VariantTemplates<Template> {
    let variants = catalogue.all_health_variants().iter();
    variants.map(|variant| (variant.id, template_of(variant))).collect()
}

fn template_of(variant: &HealthVariant) -> Template {
    Template::of(&VariantAnswer {
        offered: Offered::of(variant),
        variant_description: variant.description.english(),
        recommended: Gap,
        online: variant.online,
        tenure_map: Gap,
        parent_variant_id: variant.parent.map(|parent| parent.to_string()),
        filter_tags_ids: &variant.filter_tags,
    })
}

/// JSON template of the premium for one tenure.
static TENURE: LazyLock<Template> =
    LazyLock::new(|| Template::of(&TenureAnswer { tenure: Gap, premium: Gap, deductible: Gap }));

/// Writes the offers as JSON. The first offer is the recommended one.
fn write_offers(to: &mut Vec<u8>, offers: &[Offer<'_>]) {
    write_list(to, offers.iter().enumerate(), |(rank, Offer { template, offer, .. }), to| {
        template.fill(to, |gap, to| match gap {
            0 => json(to, &(rank == 0)),
            _ => write_list(to, &offer.tenures, |price, to| {
                TENURE.fill(to, |gap, to| match gap {
                    0 => small(to, price.years),
                    1 => json(to, &amount(price.premium.total())),
                    _ => json(to, &amount(offer.deductible)),
                });
            }),
        });
    });
}
