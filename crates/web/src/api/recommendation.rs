//! `POST` and `GET /v1/business/health/recommendation`: a recommendation as a job (interface §2, §3; D8, D14 to D19, D51).

use std::cell::RefCell;
use std::sync::LazyLock;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::health_quote::{
    Age, Attribution, Customer, DEFAULT_SUM_INSURED, HealthQuote, HealthRequest, Member, PlanType, Porting,
    Relation,
};
use domain::id::{QuoteId, SessionId, kind};
use domain::money::Rupees;
use domain::person::{Email, HomePincode, IndianMobile, PersonalLine, PlatformId};
use serde::Serialize;
use serde_json::{Map, Number, Value, json};
use service::catalogue::HealthVariant;
use service::health_quote::HealthQuoteShown;
use service::idempotency::Answering;
use service::{Error, Faults};
use utoipa::ToSchema;

use super::forms::Offer;
use super::offered::Offered;
use crate::answer::{Payload, keepable, written};
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, QuoteRead, QuoteWrite};
use crate::error::Problem;
use crate::number::{AgeNumber, Amount, Flag, Identifier, NotNegative, amount, is_infinite, to_number};
use crate::once::Once;
use crate::path::PathId;
use crate::reader::{At, Fields};
use crate::shape::{PlainText, Shape, came, list, object, text};
use crate::template::{Gap, Template, json, list as write_list, write_to_last};

/// People of one family, at most.
const MOST_MEMBERS: usize = 50;

/// Pre-existing diseases of one request, at most.
const MOST_PEDS: usize = 100;

/// Keeps a job that prices and ranks every variant of the kind asked for.
pub(crate) async fn post(
    State(app): State<App>,
    caller: Caller<QuoteWrite>,
    once: Once,
    body: Body,
) -> Result<Response, Problem> {
    once.or_replay(&app, caller.partner, &body, async |attempt| {
        let asked = Asked::default();
        let (request, mut faults) = body.read_with_faults(|fields| health_request(fields, &asked))?;
        let Asked { attribution, session } = asked;
        app.service.may_attribute(caller.partner, &attribution.into_inner())?;
        if let Some(session) = session.into_inner() {
            judge_session(&app, &caller, &session, &mut faults).await?;
        }
        let request = request.filter(|_| faults.0.is_empty()).ok_or_else(|| Problem::invalid(faults))?;
        let make = |id: &QuoteId| {
            keepable(StatusCode::OK, &Payload { payload: JobAnswer { quote_id: id.to_string() } })
        };
        Ok(app.service.recommend(caller.partner, request, Answering::new(attempt, &make)).await?)
    })
    .await
}

/// Shows how far the job has come, and what it recommends once it is done.
pub(crate) async fn get(
    State(app): State<App>,
    caller: Caller<QuoteRead>,
    id: PathId<kind::Quote>,
) -> Result<Response, Problem> {
    let shown = app.service.health_quote(caller.partner, id.known("quote")?).await?;
    let HealthQuoteShown { quote, catalogue } = &shown;
    let forms = app.forms.of(catalogue);
    let ready = quote.ranking.is_some();
    let offers = if ready { forms.offers(quote)? } else { Vec::new() };
    let answer = Payload { payload: RecommendationJob::of(quote) };
    Ok(written(StatusCode::OK, |to| write_to_last(to, &answer, |to| write_offers(to, &offers))))
}

/// What must be judged of a request that may have faults elsewhere.
#[derive(Default)]
pub(crate) struct Asked {
    attribution: RefCell<Attribution>,
    session: RefCell<Option<String>>,
}

/// Notes a session that the partner does not have (D37).
async fn judge_session(
    app: &App,
    caller: &Caller<QuoteWrite>,
    named: &str,
    faults: &mut Faults,
) -> Result<(), Error> {
    let known = match named.parse::<SessionId>() {
        Ok(id) => app.service.has_session(caller.partner, id).await?,
        Err(_) => false,
    };
    if !known {
        let message =
            "The id of a session that does not exist was found; the id of one of your sessions is wanted.";
        faults.0.extend(Faults::one("session_id", message).0);
    }
    Ok(())
}

/// Reads the body of a recommendation request.
pub(crate) fn health_request(fields: &mut Fields<'_>, asked: &Asked) -> Option<HealthRequest> {
    let lead = fields.required("lead_id", text::<PlatformId>());
    let user = fields.required("user_id", text::<PlatformId>());
    let customer = fields.required("customer", object(customer));
    let members = fields.required("members", Members);
    let has_ped = fields.required("hasPED", Flag);
    let selected_peds = fields.optional("selectedPEDs", list(Identifier, 0, MOST_PEDS));
    let plan = fields.optional("plan_type", text::<PlanType>());
    let sum_insured = fields.optional("sum_insured", Amount);
    let deductible = fields.optional("deductible", Amount);
    let partner = fields.optional("partner_id", PlainText { longest: 100 });
    let enterprise = fields.optional("enterprise_id", PlainText { longest: 100 });
    let attribution =
        Attribution { partner: partner.clone().flatten(), enterprise: enterprise.clone().flatten() };
    asked.attribution.replace(attribution.clone());
    let is_porting = fields.optional("is_porting", Flag);
    let porting_tenure = fields.optional(
        "porting_tenure",
        NotNegative { wanted: "the years that the policy at hand has run, not negative," },
    );
    let session = fields.optional("session_id", PlainText { longest: 100 });
    asked.session.replace(session.clone().flatten());
    let above_zero = |rupees: &Rupees| *rupees > Rupees::ZERO;
    Some(HealthRequest {
        lead: Some(lead?),
        user: Some(user?),
        session: session?.and_then(|named| named.parse().ok()),
        customer: customer?,
        members: members?,
        has_ped: has_ped?,
        selected_peds: selected_peds?.unwrap_or_default(),
        plan: plan?.unwrap_or(PlanType::Base),
        sum_insured: sum_insured?.filter(above_zero).unwrap_or(DEFAULT_SUM_INSURED),
        deductible: deductible?.filter(above_zero),
        porting: {
            let tenure = porting_tenure?;
            is_porting?.unwrap_or(false).then_some(Porting { tenure })
        },
        attribution: partner.and(enterprise).map(|_| attribution)?,
    })
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

/// The family: people by what they are to the customer (D15). Its keys are data, and there are six.
struct Members;

const MEMBERS: &str =
    "an object with at least one person under self, spouse, father, mother, daughter or son";

impl Shape for Members {
    type Value = Vec<Member>;

    fn read(&self, value: &Value, at: &mut At<'_>) -> Option<Vec<Member>> {
        let Some(families) = value.as_object().filter(|object| !is_infinite(object)) else {
            at.fault(came(value), MEMBERS);
            return None;
        };
        let known = |key: &String| Relation::ALL.iter().any(|relation| relation.word() == key);
        let mut sound = true;
        for key in families.keys().filter(|key| !known(key)) {
            let wanted = "one of self, spouse, father, mother, daughter, son";
            at.field(key).fault("a relation that is none of the allowed words", wanted);
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
            at.fault("an object without any person", MEMBERS);
            sound = false;
        }
        sound.then_some(members)
    }

    fn wanted(&self) -> String {
        MEMBERS.to_owned()
    }

    fn schema(&self) -> Value {
        let person =
            json!({ "type": "object", "properties": { "age": AgeNumber.schema() }, "required": ["age"] });
        let people = |relation: &Relation| {
            let most = if relation.may_repeat() { MOST_MEMBERS } else { 1 };
            let people = json!({ "type": ["array", "null"], "items": person, "maxItems": most });
            (relation.word().to_owned(), people)
        };
        let properties: Map<String, Value> = Relation::ALL.iter().map(people).collect();
        json!({ "type": "object", "properties": properties, "additionalProperties": false, "minProperties": 1 })
    }
}

fn people_of(relation: Relation, people: &Value, at: &mut At<'_>) -> Option<Vec<Member>> {
    let most = if relation.may_repeat() { MOST_MEMBERS } else { 1 };
    let ages = list(object(|fields: &mut Fields<'_>| fields.required("age", AgeNumber)), 0, most);
    let ages: Vec<Age> = ages.read(people, at)?;
    Some(ages.into_iter().map(|age| Member { relation, age }).collect())
}

/// A job that was kept.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobAnswer {
    /// Its id, to poll for the result: `quo_…`.
    #[schema(pattern = "^quo_[0-9a-z]{26}$")]
    quote_id: String,
}

/// A recommendation job.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecommendationJob<'a> {
    /// Its id: `quo_…`.
    #[schema(pattern = "^quo_[0-9a-z]{26}$")]
    quote_id: String,
    /// Id of the recommendation, once it is ready: `rec_…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^rec_[0-9a-z]{26}$")]
    id: Option<String>,
    /// `pending` or `success`.
    #[schema(example = "success", pattern = "^(pending|success)$")]
    status: &'static str,
    /// How many variants are asked.
    total_variants: usize,
    /// How many are finished, those that are not offered included.
    completed_variants: usize,
    /// Sum insured used, in rupees.
    #[schema(value_type = f64)]
    sum_insured: Number,
    /// The customer's pincode.
    pincode: &'a str,
    /// Deductible used, in rupees; once ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    deductible: Option<Number>,
    /// Co-pay of the recommended variant, in percent; once ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    copay: Option<u8>,
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
    /// The family as it was sent; once ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    member_details: Option<MembersAnswer>,
    /// Empty while pending; then what is offered, best first.
    #[schema(value_type = Vec<VariantAnswer<'static>>)]
    new_recommendations: Gap,
}

/// People by what they are to the customer.
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

/// A person's age.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgeAnswer {
    /// In years.
    #[schema(value_type = f64, minimum = 0, maximum = 120)]
    age: Number,
}

/// A variant that is offered.
#[derive(Serialize, ToSchema)]
pub(crate) struct VariantAnswer<'a> {
    #[serde(flatten)]
    offered: Offered<'a>,
    /// What a customer should know about the variant.
    variant_description: &'a str,
    /// Whether this is the one recommended: wherever anything is offered, exactly one is.
    #[schema(value_type = bool)]
    recommended: Gap,
    /// Whether it can be bought online.
    online: bool,
    /// What it costs by tenure, shortest first.
    #[schema(value_type = Vec<TenureAnswer>)]
    tenure_map: Gap,
    /// The variant that this one builds upon, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent_variant_id: Option<String>,
    /// Ids of the tags that it can be filtered by.
    filter_tags_ids: &'a [String],
}

/// What a variant costs for so many years.
#[derive(Serialize, ToSchema)]
pub(crate) struct TenureAnswer {
    /// Years.
    #[schema(value_type = u8)]
    tenure: Gap,
    /// Premium with tax for all of them, in rupees.
    #[schema(value_type = f64)]
    premium: Gap,
    /// Deductible in a year, in rupees.
    #[schema(value_type = f64)]
    deductible: Gap,
}

/// A customer's fact, `""` where a journey has not yet asked for it (D51).
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

/// The form of a variant that is offered.
pub(super) fn form(variant: &HealthVariant) -> Template {
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

/// The form of what a variant costs.
static TENURE: LazyLock<Template> =
    LazyLock::new(|| Template::of(&TenureAnswer { tenure: Gap, premium: Gap, deductible: Gap }));

/// Writes what is offered; the first is the one recommended.
fn write_offers(to: &mut Vec<u8>, offers: &[Offer<'_>]) {
    write_list(to, offers.iter().enumerate(), |(rank, Offer { forms, offer, .. }), to| {
        forms.recommended.fill(to, |gap, to| match gap {
            0 => json(to, &(rank == 0)),
            _ => write_list(to, &offer.tenures, |price, to| {
                TENURE.fill(to, |gap, to| match gap {
                    0 => json(to, &price.years),
                    1 => json(to, &amount(price.premium.total())),
                    _ => json(to, &amount(offer.deductible)),
                });
            }),
        });
    });
}
