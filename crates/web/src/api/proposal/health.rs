//! `GET /v1/business/health/proposals` and `…/proposals/{id}`: health proposals, for existing users of these deprecated
//! reads (interface §10, §11; D9, D31 to D33, D35, D49, D50).

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
    description: "For partners that the operator marked as existing users alone. The partner's health proposals, newest first, with the parameters of the quotes' list.",
    access: Access::Scope(Scope::ProposalRead),
    query: Some(|| describe(record_parameters)),
    gives: Gives::json::<ProposalsAnswer<'static>>(200, "A page of proposals."),
    deprecated: true,
    guide: "#11-deprecated-reads",
    handler: || answered_by(list),
    ..Endpoint::PLAIN
};

/// Lists the partner's health proposals, newest first.
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
    description: "For partners that the operator marked as existing users alone.",
    access: Access::Scope(Scope::ProposalRead),
    gives: Gives::json::<ProposalAnswer<'static>>(200, "The proposal."),
    refuses: &[Code::R4040],
    deprecated: true,
    guide: "#11-deprecated-reads",
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

/// A page of proposals.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProposalsAnswer<'a> {
    /// The proposals, newest first; `form_responses` is an object keyed by section.
    proposals: Vec<LegacyProposal<'a>>,
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
    /// The session's, where a session was asked for and has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<BTreeMap<String, String>>,
    /// The session asked for.
    #[schema(required = true)]
    session_id: Option<&'a str>,
}

/// One proposal.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProposalAnswer<'a> {
    /// The proposal; `form_responses` is a list of sections.
    proposal: LegacyProposal<'a>,
}

/// A health proposal. Amounts are text in rupees with two places.
#[derive(Serialize, ToSchema)]
pub(crate) struct LegacyProposal<'a> {
    /// Its id: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: String,
    /// The session it belongs to.
    #[schema(required = true)]
    session_id: Option<String>,
    /// The proposer's name.
    name: &'a str,
    /// The proposer's mobile number, 10 digits.
    phone: &'a str,
    /// The proposer's e-mail address.
    email: &'a str,
    #[serde(flatten)]
    plan: PlanShown<'a>,
    /// Years of cover.
    tenure: u8,
    /// Premium without tax.
    #[schema(example = "15702.00")]
    net_premium: String,
    /// Premium with tax.
    #[schema(example = "15702.00")]
    gross_premium: String,
    /// Where it stands.
    #[schema(pattern = "^(INITIATED|PENDING|SUBMITTED|UNDERWRITING|CANCELLED|ACCEPTED|REJECTED|OFFLINE)$")]
    status: &'static str,
    /// What was answered: in the list an object keyed by section name, in the single read a list of objects with `section_name`
    /// and `response_data`. Sections of this service: proposer, insured, nominee, health.
    // No `oneOf` of an object and a list (D49): what openapi-generator makes of that in Java does not compile.
    #[schema(value_type = Value)]
    form_responses: Value,
    /// The insurer's own name for it.
    #[schema(required = true)]
    insurer_proposal_id: Option<&'a str>,
    /// The quote that it was made of.
    quote_id: String,
    /// Why it was cancelled.
    #[schema(required = true)]
    cancelled_reason: Option<&'a str>,
    /// Why it was rejected.
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

/// A section of what was answered.
type Section = (String, Value);

/// In the list: an object keyed by section name (D49).
fn by_section(sections: Vec<Section>) -> Value {
    sections.into_iter().collect::<Map<_, _>>().into()
}

/// In the single read: a list of sections (D49).
fn as_list(sections: Vec<Section>) -> Value {
    let section = |(name, data): Section| json!({ "section_name": name, "response_data": data });
    sections.into_iter().map(section).collect::<Vec<_>>().into()
}

impl<'a> LegacyProposal<'a> {
    fn of(shown: &'a HealthProposalShown, sections: fn(Vec<Section>) -> Value) -> Result<Self> {
        let proposal = &shown.proposal;
        let lost = || Problem::unexpected(format!("proposal {} has lost its variant", proposal.id));
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

/// What an imported record answered, as it was kept.
fn kept_sections(kept: &str) -> Result<Vec<Section>> {
    let read: Result<Map<String, Value>, _> = serde_json::from_str(kept);
    let read = read.map_err(|_| Problem::unexpected("kept form responses are no JSON"))?;
    Ok(read.into_iter().collect())
}

/// What was answered on the journey.
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
