//! `GET /v1/business/health/proposals` and `…/proposals/{id}`: deprecated operations that read health
//! proposals, for existing users (interface §10, §11; D9, D31 to D33, D35, D49, D50).

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::health_proposal::{
    HealthForm, HealthProposalStatus, InsuredMember, JourneyProposal, ProposalOrigin,
};
use domain::id::kind;
use domain::person::{Mobile, PersonalLine};
use serde::Serialize;
use serde_json::{Map, Value, json};
use service::proposal::health::HealthProposalShown;
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Verb, answered_by};
use crate::api::common::list::{list_ask, record_parameters};
use crate::app::App;
use crate::caller::{LegacyCaller, ProposalRead};
use crate::error::{Code, Problem, Result};
use crate::path::PathId;
use crate::query::Query;
use crate::response::json;
use crate::shape::describe;

pub(super) static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/business/health/proposals",
    id: "listProposalsLegacy",
    tag: "Health",
    summary: "List health proposals (deprecated)",
    description: "Only for partners that the operator marked as existing users. Lists your health proposals, newest first. The parameters are those of the list of health quotes.",
    access: Access::Scope(Scope::ProposalRead),
    query: Some(|| describe(record_parameters)),
    gives: Gives::json::<ProposalsAnswer<'static>>(200, "A page of proposals."),
    deprecated: true,
    handler: || answered_by(list),
    ..Endpoint::PLAIN
};

async fn list(State(app): State<App>, caller: LegacyCaller<ProposalRead>, query: Query) -> Result<Response> {
    let page = app.service.health_proposals.list(caller.partner, list_ask(query, record_parameters)).await?;
    let metadata = match &page.session {
        Some(session) => app.service.sessions.metadata(caller.partner, session).await?,
        None => BTreeMap::new(),
    };
    let proposals = page.records.iter().map(|shown| LegacyProposal::of(shown, by_section));
    let answer = ProposalsAnswer {
        proposals: proposals.collect::<Result<_, _>>()?,
        has_next: page.has_next,
        has_prev: page.has_prev,
        count: page.count,
        end_cursor: &page.end_cursor,
        start_cursor: &page.start_cursor,
        metadata: (!metadata.is_empty()).then_some(metadata),
        session_id: page.session.as_deref(),
    };
    Ok(json(StatusCode::OK, &answer))
}

pub(super) static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/business/health/proposals/{proposal_id}",
    id: "getProposalLegacy",
    tag: "Health",
    summary: "Get a health proposal (deprecated)",
    description: "Only for partners that the operator marked as existing users. Returns a health proposal.",
    access: Access::Scope(Scope::ProposalRead),
    gives: Gives::json::<ProposalAnswer<'static>>(200, "The proposal."),
    refuses: &[Code::R4040],
    deprecated: true,
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Shows one of the partner's health proposals.
async fn get(
    State(app): State<App>,
    caller: LegacyCaller<ProposalRead>,
    id: PathId<kind::Proposal>,
) -> Result<Response> {
    let shown = app.service.health_proposals.find(caller.partner, id.known("proposal")?).await?;
    Ok(json(StatusCode::OK, &ProposalAnswer { proposal: LegacyProposal::of(&shown, as_list)? }))
}

/// A page of health proposals.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProposalsAnswer<'a> {
    /// Proposals of this page, newest first. Their `form_responses` is an object with section names as keys.
    proposals: Vec<LegacyProposal<'a>>,
    /// Whether the list has older proposals after this page.
    has_next: bool,
    /// Whether the list has newer proposals before this page.
    has_prev: bool,
    /// Number of all proposals that match the filter, on all pages.
    count: u64,
    /// Cursor to get the next page: send it as `next`. Empty if the page has no proposals and you did not
    /// send `prev`.
    end_cursor: &'a str,
    /// Cursor to get the previous page: send it as `prev`. Empty if the page has no proposals and you sent
    /// neither `next` nor `prev`.
    start_cursor: &'a str,
    /// Metadata of the session in the request. Absent if you did not filter by session, or if the session has
    /// no metadata.
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<BTreeMap<String, String>>,
    /// Session id from the request. `null` if you did not filter by session.
    #[schema(required = true)]
    session_id: Option<&'a str>,
}

/// Response with one health proposal.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProposalAnswer<'a> {
    /// The health proposal. Its `form_responses` is a list of sections.
    proposal: LegacyProposal<'a>,
}

/// A health proposal. Amounts are rupees with two decimals, as text.
#[derive(Serialize, ToSchema)]
pub(crate) struct LegacyProposal<'a> {
    /// Id of the proposal: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: String,
    /// Id of the session in which the proposal was made. `null` if there was no session.
    #[schema(required = true)]
    session_id: Option<String>,
    /// Name of the proposer.
    name: &'a str,
    /// Mobile number of the proposer, 10 digits.
    phone: &'a str,
    /// E-mail address of the proposer.
    email: &'a str,
    #[serde(flatten)]
    plan: PlanShown<'a>,
    /// Length of the cover, in years.
    tenure: u8,
    /// Premium without tax, in rupees.
    #[schema(example = "15702.00")]
    net_premium: String,
    /// Premium with tax, in rupees.
    #[schema(example = "15702.00")]
    gross_premium: String,
    /// Status of the proposal.
    #[schema(pattern = "^(INITIATED|PENDING|SUBMITTED|UNDERWRITING|CANCELLED|ACCEPTED|REJECTED|OFFLINE)$")]
    status: &'static str,
    /// Answers in the application form. In the list, this is an object with section names as keys. In the
    /// response with one proposal, it is a list of objects with `section_name` and `response_data`. The
    /// sections of this service are proposer, insured, nominee and health.
    // Not `oneOf` an object and a list (D49): openapi-generator's Java code for it does not compile.
    #[schema(value_type = Value)]
    form_responses: Value,
    /// Id that the insurer gave the proposal, if any.
    #[schema(required = true)]
    insurer_proposal_id: Option<&'a str>,
    /// Id of the quote from which the proposal was made.
    quote_id: String,
    /// Reason why the proposal was cancelled, if it was.
    #[schema(required = true)]
    cancelled_reason: Option<&'a str>,
    /// Reason why the proposal was rejected, if it was.
    #[schema(required = true)]
    rejection_reason: Option<&'a str>,
}

/// Insurer, product and variant of a proposal or policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlanShown<'a> {
    /// Name of the insurer.
    insurer_name: &'a str,
    /// Id of the insurer.
    insurer_id: String,
    /// Name of the product.
    product_name: &'a str,
    /// Id of the product.
    product_id: String,
    /// Name of the variant.
    variant_name: &'a str,
    /// Id of the variant.
    variant_id: String,
}

impl<'a> PlanShown<'a> {
    pub(crate) fn of_variant(variant: &'a service::catalogue::HealthVariant) -> Self {
        let (insurer, product) = (variant.insurer(), &variant.product);
        PlanShown {
            insurer_name: &insurer.name,
            insurer_id: insurer.id.to_string(),
            product_name: &product.name,
            product_id: product.id.to_string(),
            variant_name: &variant.name,
            variant_id: variant.id.to_string(),
        }
    }

    pub(crate) fn of_named(plan: &'a domain::health_proposal::NamedPlan) -> Self {
        PlanShown {
            insurer_name: &plan.insurer_name,
            insurer_id: plan.insurer_id.clone(),
            product_name: &plan.product_name,
            product_id: plan.product_id.clone(),
            variant_name: &plan.variant_name,
            variant_id: plan.variant_id.clone(),
        }
    }
}

/// Name of a form section, and the answers in it.
type Section = (String, Value);

/// Form answers as the list shows them: an object with section names as keys (D49).
fn by_section(sections: Vec<Section>) -> Value {
    sections.into_iter().collect::<Map<_, _>>().into()
}

/// Form answers as the response with one proposal shows them: a list of sections (D49).
fn as_list(sections: Vec<Section>) -> Value {
    let section = |(name, data): Section| json!({ "section_name": name, "response_data": data });
    sections.into_iter().map(section).collect::<Vec<_>>().into()
}

impl<'a> LegacyProposal<'a> {
    fn of(shown: &'a HealthProposalShown, sections: fn(Vec<Section>) -> Value) -> Result<Self> {
        let proposal = &shown.proposal;
        let lost = || Problem::unexpected(format!("the variant of proposal {} is missing", proposal.id));
        let (name, phone, email, plan, quote_id, answered) = match &proposal.application.origin {
            ProposalOrigin::Journey(made) => {
                let proposer = &made.form.proposer;
                let variant = shown.catalogue.as_ref().ok_or_else(lost)?;
                let variant = variant.health_variant(made.chosen.variant).ok_or_else(lost)?;
                let email = proposer.email.as_ref().map_or("", |email| email.reveal());
                (
                    &proposer.name,
                    &proposer.phone,
                    email,
                    PlanShown::of_variant(variant),
                    made.chosen.quote.to_string(),
                    form_sections(made),
                )
            }
            ProposalOrigin::Import(brought) => (
                &brought.name,
                &brought.phone,
                brought.email.reveal(),
                PlanShown::of_named(&brought.plan),
                brought.quote_id.clone(),
                kept_sections(brought.form_responses.reveal())?,
            ),
        };
        let reason = proposal.reason.as_ref().map(PersonalLine::reveal);
        let reason_of = |status| reason.filter(|_| proposal.status == status);
        Ok(LegacyProposal {
            proposal_id: proposal.id.to_string(),
            session_id: proposal.session.map(|session| session.to_string()),
            name: name.reveal(),
            phone: phone.reveal(),
            email,
            plan,
            tenure: proposal.application.tenure,
            net_premium: proposal.premium.base().to_string(),
            gross_premium: proposal.premium.total().to_string(),
            status: proposal.status.word(),
            form_responses: sections(answered),
            insurer_proposal_id: proposal.insurer_reference.as_deref(),
            quote_id,
            cancelled_reason: reason_of(HealthProposalStatus::Cancelled),
            rejection_reason: reason_of(HealthProposalStatus::Rejected),
        })
    }
}

/// Form answers that were stored with an imported record.
fn kept_sections(kept: &str) -> Result<Vec<Section>> {
    let read: Result<Map<String, Value>, _> = serde_json::from_str(kept);
    let read = read.map_err(|_| Problem::unexpected("stored form responses are not JSON"))?;
    Ok(read.into_iter().collect())
}

/// Form answers of a proposal that was made in the hosted journey.
fn form_sections(made: &JourneyProposal) -> Vec<Section> {
    let HealthForm { proposer, gender, members, nominee } = &made.form;
    let line = |line: &Option<PersonalLine>| line.as_ref().map(|line| line.reveal().to_owned());
    let address = &proposer.address;
    let bank = proposer.bank.clone().unwrap_or_default();
    let insured = |(index, member): (usize, &InsuredMember)| {
        let data = json!({
            "name": member.name.reveal(),
            "dob": member.born.reveal().to_string(),
            "gender": member.gender.reveal(),
            "relationship": member.relationship.reveal(),
        });
        (format!("member_{}", index + 1), data)
    };
    let illnesses = |(index, member): (usize, &InsuredMember)| {
        let named: Vec<&str> = member.illnesses.iter().map(PersonalLine::reveal).collect();
        (format!("member_{}", index + 1), json!({ "pre_existing_diseases": named }))
    };
    let insured: Map<String, Value> = members.iter().enumerate().map(insured).collect();
    let health: Map<String, Value> = members.iter().enumerate().map(illnesses).collect();
    vec![
        (
            "proposer".into(),
            json!({
                "name": proposer.name.reveal(),
                "phone": proposer.phone.reveal(),
                "email": proposer.email.as_ref().map(|email| email.reveal()),
                "dob": proposer.born.reveal().to_string(),
                "gender": gender.reveal(),
                "address_line_1": address.line_1.reveal(),
                "address_line_2": line(&address.line_2),
                "city": address.city.reveal(),
                "state": address.state.reveal(),
                "country": address.country.reveal(),
                "pincode": address.pincode.reveal(),
                "bank_account_number": line(&bank.account_number),
                "bank_name": line(&bank.bank_name),
                "branch_name": line(&bank.branch_name),
                "ifsc_code": bank.ifsc.as_ref().map(|code| code.reveal().to_owned()),
            }),
        ),
        ("insured".into(), insured.into()),
        (
            "nominee".into(),
            json!({
                "name": nominee.name.reveal(),
                "relationship": nominee.relationship.reveal(),
                "phone": nominee.phone.as_ref().map(Mobile::reveal),
            }),
        ),
        ("health".into(), health.into()),
    ]
}
