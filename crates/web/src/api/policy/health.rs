//! `GET /v1/business/health/policies` and `…/policies/{id}`: deprecated operations that read health policies,
//! for existing users (interface §12, §13; D9, D31 to D35, D54).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::bank::BankAccount;
use domain::date::day_of;
use domain::health_policy::PolicyOrigin;
use domain::health_proposal::{HealthProposer, HomeAddress};
use domain::person::{Mobile, PersonalLine};
use serde::Serialize;
use service::policy::health::HealthPolicyShown;
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Verb, answered_by};
use crate::api::common::list::{list_ask, record_parameters};
use crate::api::proposal::health::PlanShown;
use crate::app::App;
use crate::caller::{Business, LegacyCaller};
use crate::error::{Code, Problem, Result};
use crate::number::whole_rupees;
use crate::path::PathText;
use crate::query::Query;
use crate::response::json;
use crate::shape::describe;

pub(super) static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/business/health/policies",
    id: "listPoliciesLegacy",
    tag: "Health",
    summary: "List health policies (deprecated)",
    description: "Only for partners that the operator marked as existing users. Lists your health policies by day of issue, newest first. The parameters are those of the list of health quotes. Without a filter, it lists all policies.",
    access: Access::Scope(Scope::Business),
    query: Some(|| describe(record_parameters)),
    gives: Gives::json::<PoliciesAnswer<'static>>(200, "A page of policies."),
    deprecated: true,
    handler: || answered_by(list),
    ..Endpoint::PLAIN
};

async fn list(State(app): State<App>, caller: LegacyCaller<Business>, query: Query) -> Result<Response> {
    let page = app.service.health_policies.list(caller.partner, list_ask(query, record_parameters)).await?;
    let answer = PoliciesAnswer {
        policies: page.records.iter().map(LegacyPolicy::of).collect::<Result<_, _>>()?,
        has_next: page.has_next,
        has_prev: page.has_prev,
        count: page.count,
        total_count: page.count,
        end_cursor: &page.end_cursor,
        start_cursor: &page.start_cursor,
        session_id: page.session.as_deref(),
    };
    Ok(json(StatusCode::OK, &answer))
}

pub(super) static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/business/health/policies/{*policy_id}",
    id: "getPolicyLegacy",
    tag: "Health",
    summary: "Get a health policy (deprecated)",
    description: "Only for partners that the operator marked as existing users. The id is this service's policy id, or the insurer's policy number, which can have any characters.",
    access: Access::Scope(Scope::Business),
    gives: Gives::json::<PolicyAnswer<'static>>(200, "The policy."),
    refuses: &[Code::R4040],
    deprecated: true,
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Shows one of the partner's health policies, by this service's id or the insurer's policy number (D54).
async fn get(
    State(app): State<App>,
    caller: LegacyCaller<Business>,
    PathText(named): PathText,
) -> Result<Response> {
    let shown = app.service.health_policies.find(caller.partner, &named).await?;
    Ok(json(StatusCode::OK, &PolicyAnswer { policy: LegacyPolicy::of(&shown)? }))
}

/// A page of health policies.
#[derive(Serialize, ToSchema)]
pub(crate) struct PoliciesAnswer<'a> {
    /// Policies of this page, newest first.
    policies: Vec<LegacyPolicy<'a>>,
    /// Whether the list has older policies after this page.
    has_next: bool,
    /// Whether the list has newer policies before this page.
    has_prev: bool,
    /// Number of all policies that match the filter, on all pages.
    count: u64,
    /// Same as `count` (D34).
    total_count: u64,
    /// Cursor to get the next page: send it as `next`. Empty if the page has no policies and you did not send
    /// `prev`.
    end_cursor: &'a str,
    /// Cursor to get the previous page: send it as `prev`. Empty if the page has no policies and you sent
    /// neither `next` nor `prev`.
    start_cursor: &'a str,
    /// Session id from the request. `null` if you did not filter by session.
    #[schema(required = true)]
    session_id: Option<&'a str>,
}

/// Response with one health policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct PolicyAnswer<'a> {
    /// The health policy.
    policy: LegacyPolicy<'a>,
}

/// A health policy. Amounts are rupees, as text.
#[derive(Serialize, ToSchema)]
pub(crate) struct LegacyPolicy<'a> {
    /// Id of the session in which the policy was sold. `null` if there was no session.
    #[schema(required = true)]
    session_id: Option<String>,
    /// Id of the policy: `pol_…`.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// Policy number of this service.
    policy_number: &'a str,
    /// Policy number of the insurer. Same as `policy_number` if the insurer has no number of its own.
    insurer_policy_number: &'a str,
    /// Status of the policy: `ISSUED`, or another one such as `CANCELLED`. An imported policy can have a
    /// status of its original system.
    status: &'a str,
    /// Day on which the policy was issued.
    #[schema(example = "2026-11-20")]
    issuance_date: String,
    /// Last day of cover.
    #[schema(example = "2027-11-19")]
    expiry_date: String,
    /// Sum insured, in whole rupees.
    #[schema(example = "1000000")]
    sum_insured: String,
    /// `FRESH` or `PORTABILITY`. An imported policy can have a type of its original system.
    policy_type: &'a str,
    /// Length of the cover, in years.
    tenure: u8,
    /// Premium with tax, in rupees with two decimals.
    #[schema(example = "15702.00")]
    gross_premium: String,
    /// Address of the insurer's logo.
    insurer_logo: &'a str,
    #[serde(flatten)]
    plan: PlanShown<'a>,
    /// Id of the policy that came before this policy, if any.
    #[schema(required = true)]
    previous_policy_id: Option<&'a str>,
    /// The policyholder's details.
    proposer_details: ProposerDetails<'a>,
    /// People whom the policy covers.
    insured_members: Vec<MemberShown<'a>>,
    /// Nominees: people who receive the insurer's payment if the policyholder cannot.
    nominees: Vec<NomineeShown<'a>>,
    /// Extra benefits (riders) beside the plan.
    riders: Vec<RiderShown<'a>>,
    /// Id of the proposal from which the policy was issued.
    #[schema(required = true)]
    proposal_id: Option<String>,
    /// Id of the quote from which the policy was sold.
    #[schema(required = true)]
    quote_id: Option<String>,
}

/// A policyholder. The fields of address and bank account appear twice: flat and nested (D34).
#[derive(Serialize, ToSchema)]
pub(crate) struct ProposerDetails<'a> {
    name: &'a str,
    phone: &'a str,
    #[schema(example = "1990-06-15")]
    dob: String,
    #[schema(required = true)]
    email: Option<&'a str>,
    #[serde(flatten)]
    address_flat: AddressShown<'a>,
    #[serde(flatten)]
    bank_flat: BankShown<'a>,
    address: AddressShown<'a>,
    #[schema(required = true)]
    bank_details: Option<BankShown<'a>>,
}

#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct AddressShown<'a> {
    address_line_1: &'a str,
    #[schema(required = true)]
    address_line_2: Option<&'a str>,
    city: &'a str,
    state: &'a str,
    country: &'a str,
    pincode: &'a str,
}

#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct BankShown<'a> {
    #[schema(required = true)]
    bank_id: Option<&'a str>,
    #[schema(required = true)]
    bank_account_number: Option<&'a str>,
    #[schema(required = true)]
    bank_name: Option<&'a str>,
    #[schema(required = true)]
    branch_id: Option<&'a str>,
    #[schema(required = true)]
    branch_name: Option<&'a str>,
    #[schema(required = true)]
    ifsc_code: Option<&'a str>,
}

/// A person whom the policy covers.
#[derive(Serialize, ToSchema)]
pub(crate) struct MemberShown<'a> {
    #[schema(pattern = "^mem_[0-9a-z]{26}$")]
    member_id: String,
    dob: String,
    gender: &'a str,
    name: &'a str,
    relationship: &'a str,
    /// Names of the member's pre-existing diseases. Can be empty.
    pre_existing_diseases: Vec<&'a str>,
}

/// A nominee of the policyholder.
#[derive(Serialize, ToSchema)]
pub(crate) struct NomineeShown<'a> {
    #[schema(pattern = "^nom_[0-9a-z]{26}$")]
    nominee_id: String,
    nominee_name: &'a str,
    relationship: &'a str,
    #[schema(required = true)]
    nominee_phone: Option<&'a str>,
}

/// An extra benefit (rider) beside the plan.
#[derive(Serialize, ToSchema)]
pub(crate) struct RiderShown<'a> {
    id: &'a str,
    name: &'a str,
}

impl<'a> LegacyPolicy<'a> {
    fn of(shown: &'a HealthPolicyShown) -> Result<Self> {
        let policy = &shown.policy;
        let lost = || Problem::unexpected(format!("the cover or variant of policy {} is missing", policy.id));
        let cover = policy.cover.health().ok_or_else(lost)?;
        let (plan, insurer_logo, proposal_id, quote_id) = match &cover.origin {
            PolicyOrigin::Issued(issued) => {
                let variant = shown.catalogue.as_ref().ok_or_else(lost)?;
                let variant = variant.health_variant(issued.chosen.variant).ok_or_else(lost)?;
                (
                    PlanShown::of_variant(variant),
                    variant.insurer().logo.as_str(),
                    policy.proposal.map(|proposal| proposal.to_string()),
                    Some(issued.chosen.quote.to_string()),
                )
            }
            PolicyOrigin::Import(brought) => (
                PlanShown::of_named(&brought.plan),
                brought.plan.insurer_logo.as_str(),
                brought.proposal_id.clone(),
                brought.quote_id.clone(),
            ),
        };
        let riders = cover.riders.iter().map(|rider| RiderShown { id: &rider.id, name: &rider.name });
        let members = cover.members.iter().enumerate().map(|(index, member)| MemberShown {
            member_id: policy.member_id(index).to_string(),
            dob: member.born.reveal().to_string(),
            gender: member.gender.reveal(),
            name: member.name.reveal(),
            relationship: member.relationship.reveal(),
            pre_existing_diseases: member.illnesses.iter().map(PersonalLine::reveal).collect(),
        });
        let nominees = cover.nominees.iter().enumerate().map(|(index, nominee)| NomineeShown {
            nominee_id: policy.nominee_id(index).to_string(),
            nominee_name: nominee.name.reveal(),
            relationship: nominee.relationship.reveal(),
            nominee_phone: nominee.phone.as_ref().map(Mobile::reveal),
        });
        Ok(LegacyPolicy {
            session_id: policy.session.map(|session| session.to_string()),
            policy_id: policy.id.to_string(),
            policy_number: policy.number.as_str(),
            insurer_policy_number: policy.insurer_number.as_ref().unwrap_or(&policy.number).as_str(),
            status: match policy.state.covers() {
                true => cover.status.as_str(),
                false => policy.state.word(),
            },
            issuance_date: day_of(policy.issued_at).to_string(),
            expiry_date: cover.expires().to_string(),
            sum_insured: whole_rupees(policy.sum_insured),
            policy_type: cover.kind.as_str(),
            tenure: cover.tenure,
            gross_premium: policy.premium.total().to_string(),
            insurer_logo,
            plan,
            previous_policy_id: cover.previous.as_deref(),
            proposer_details: ProposerDetails::of(&cover.proposer),
            insured_members: members.collect(),
            nominees: nominees.collect(),
            riders: riders.collect(),
            proposal_id,
            quote_id,
        })
    }
}

fn revealed(line: &Option<PersonalLine>) -> Option<&str> {
    line.as_ref().map(PersonalLine::reveal)
}

impl<'a> ProposerDetails<'a> {
    fn of(proposer: &'a HealthProposer) -> Self {
        const NO_BANK: BankShown<'static> = BankShown {
            bank_id: None,
            bank_account_number: None,
            bank_name: None,
            branch_id: None,
            branch_name: None,
            ifsc_code: None,
        };
        let address = AddressShown::of(&proposer.address);
        let bank = proposer.bank.as_ref().map(BankShown::of);
        ProposerDetails {
            name: proposer.name.reveal(),
            phone: proposer.phone.reveal(),
            dob: proposer.born.reveal().to_string(),
            email: proposer.email.as_ref().map(|email| email.reveal()),
            address_flat: address.clone(),
            bank_flat: bank.clone().unwrap_or(NO_BANK),
            address,
            bank_details: bank,
        }
    }
}

impl<'a> AddressShown<'a> {
    fn of(address: &'a HomeAddress) -> Self {
        AddressShown {
            address_line_1: address.line_1.reveal(),
            address_line_2: revealed(&address.line_2),
            city: address.city.reveal(),
            state: address.state.reveal(),
            country: address.country.reveal(),
            pincode: address.pincode.reveal(),
        }
    }
}

impl<'a> BankShown<'a> {
    fn of(bank: &'a BankAccount) -> Self {
        BankShown {
            bank_id: revealed(&bank.bank_id),
            bank_account_number: revealed(&bank.account_number),
            bank_name: revealed(&bank.bank_name),
            branch_id: revealed(&bank.branch_id),
            branch_name: revealed(&bank.branch_name),
            ifsc_code: bank.ifsc.as_ref().map(|code| code.reveal()),
        }
    }
}
