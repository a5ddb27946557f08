//! `GET /v1/proposals` and `GET /v1/proposals/{proposal_id}`: a partner's proposals of both lines of business
//! (D80).
//!
//! Uses `access`, `common`.

pub(crate) mod embedded;
pub(crate) mod health;
pub(crate) mod insurer_decision;
pub(crate) mod payment_callback;
pub(crate) mod premium_receipt;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::id::kind;
use domain::line::LineOfBusiness;
use domain::person::PersonalLine;
use domain::premium::PremiumState;
use serde::Serialize;
use service::proposal::read::{Awaits, Moved, Payment, ProposalReading, ProposalShown};
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Verb, answered_by};
use crate::api::common::list::{PageEnds, list_ask, proposal_parameters};
use crate::api::common::premium::PremiumSplit;
use crate::app::App;
use crate::caller::{Caller, PolicyRead};
use crate::error::{Code, Result};
use crate::path::PathId;
use crate::query::Query;
use crate::response::{Payload, json};
use crate::shape::describe;

/// Endpoints, in the order of the OpenAPI document.
pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &embedded::POST,
    &embedded::STATUS,
    &embedded::PUT,
    &embedded::PATCH,
    &LIST,
    &GET,
    &health::LIST,
    &health::GET,
    &premium_receipt::POST,
    &payment_callback::POST,
    &insurer_decision::POST,
    &premium_receipt::INSURER_POST,
];

static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/proposals",
    id: "listProposals",
    tag: "Policies",
    summary: "List proposals",
    description: "Lists your proposals of both lines of business by day of creation, newest first. Filter by days, by session, or by reference: a filter is required. Each proposal has its status, the missing steps and who must take them, and the policy once it exists.",
    access: Access::Scope(Scope::PolicyRead),
    query: Some(|| describe(proposal_parameters)),
    gives: Gives::json::<ProposalPage>(200, "A page of proposals."),
    handler: || answered_by(list),
    ..Endpoint::PLAIN
};

/// Lists the partner's proposals.
async fn list(State(app): State<App>, caller: Caller<PolicyRead>, query: Query) -> Result<Response> {
    let page = app.service.proposal_reads.list(caller.partner, list_ask(query, proposal_parameters)).await?;
    let (ends, records) = PageEnds::of(page);
    let answer = ProposalPage { proposals: records.iter().map(ProposalSummary::of).collect(), ends };
    Ok(json(StatusCode::OK, &answer))
}

static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/proposals/{proposal_id}",
    id: "getProposal",
    tag: "Policies",
    summary: "Get a proposal",
    description: "Returns a proposal of either line of business: its status, the missing steps and who must take them, the policy once it exists, and every status change.",
    access: Access::Scope(Scope::PolicyRead),
    gives: Gives::payload::<ProposalDetail>(200, "The proposal."),
    refuses: &[Code::R4040],
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Shows one of the partner's proposals.
async fn get(
    State(app): State<App>,
    caller: Caller<PolicyRead>,
    id: PathId<kind::Proposal>,
) -> Result<Response> {
    let view = app.service.proposal_reads.view(caller.partner, id.known("proposal")?).await?;
    Ok(json(StatusCode::OK, &Payload { payload: ProposalDetail::of(&view) }))
}

/// A page of proposals.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProposalPage {
    /// Proposals of this page, newest first.
    proposals: Vec<ProposalSummary>,
    #[serde(flatten)]
    ends: PageEnds,
}

/// Summary of a proposal. Amounts are rupees with two decimals, as text.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProposalSummary {
    /// Id of the proposal: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: String,
    /// Line of business: `credit-life` or `health`.
    #[schema(pattern = "^(credit-life|health)$")]
    line: &'static str,
    /// Status of the proposal. Each line of business has its own statuses.
    #[schema(
        pattern = "^(DRAFT|PENDING|COMPLETED|REJECTED|INITIATED|SUBMITTED|UNDERWRITING|CANCELLED|ACCEPTED|OFFLINE)$"
    )]
    status: &'static str,
    /// Time since which the proposal has this status.
    #[schema(format = "date-time")]
    status_since: String,
    /// Reason for the last status change, in the words of the party that made it. `null` if none was given.
    #[schema(required = true)]
    reason: Option<String>,
    /// Steps that are missing before the policy is issued. Empty if the proposal has its final status.
    awaits: Vec<AwaitsShown>,
    /// Premium of the proposal, without and with tax.
    premium: PremiumSplit,
    /// How the premium reaches the insurer: `deposit` (from a deposit with the insurer), `link` (the
    /// insurer's payment link), `here` (a payment page of this service) or `partner` (you collect and pay
    /// it). `null` before the submission, after a refusal, and for an imported proposal.
    #[schema(required = true, pattern = "^(deposit|link|here|partner)$")]
    paid_by: Option<&'static str>,
    /// State of the premium. `null` if none is recorded. A premium from a deposit is recorded only when the
    /// policy is issued.
    #[schema(required = true)]
    premium_state: Option<&'static str>,
    /// Id of the policy: `pol_…`. `null` until the policy is issued.
    #[schema(required = true, pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: Option<String>,
    /// Name of the insurer. `null` for an imported proposal.
    #[schema(required = true)]
    insurer: Option<String>,
    /// Name of the product. `null` for an imported proposal.
    #[schema(required = true)]
    product: Option<String>,
    /// Id of the variant in the catalogue. For an imported proposal, the id in the imported record.
    variant_id: String,
    /// Id of the quote. For an imported proposal, the id in the imported record.
    quote_id: String,
    /// Time when the proposal was created.
    #[schema(format = "date-time")]
    created_at: String,
    /// Id of the session in which the proposal was made. `null` if there was no session.
    #[schema(required = true)]
    session_id: Option<String>,
    /// Your reference for the sale, such as the loan account number.
    #[schema(required = true)]
    reference: Option<String>,
}

/// A step that is missing before a proposal becomes a policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct AwaitsShown {
    /// Missing step: `SUBMISSION` of the proposal, `DECISION` on it, or payment of the `PREMIUM`.
    #[schema(pattern = "^(SUBMISSION|DECISION|PREMIUM)$")]
    what: &'static str,
    /// Who must take the step: `partner`, `operator`, `insurer`, `customer` or `service`.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    from: &'static str,
}

/// A proposal with all its status changes.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProposalDetail {
    #[serde(flatten)]
    summary: ProposalSummary,
    /// Every status change, oldest first. The first one is the creation of the proposal.
    history: Vec<ProposalMove>,
}

/// A status change of a proposal.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProposalMove {
    /// Time of the status change.
    #[schema(format = "date-time")]
    at: String,
    /// Who changed the status: `partner`, `operator`, `insurer`, `service` or `customer`.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    by: &'static str,
    /// Status before the change. `null` for the creation of the proposal.
    #[schema(required = true)]
    from: Option<&'static str>,
    /// Status after the change.
    to: &'static str,
    /// Reason for the change, in the words of the party in `by`. `null` if none was given.
    #[schema(required = true)]
    reason: Option<String>,
}

impl ProposalSummary {
    fn of(shown: &ProposalShown) -> Self {
        let reason = shown.reason.as_ref().map(PersonalLine::reveal);
        let sold = shown.sold.as_ref();
        ProposalSummary {
            proposal_id: shown.id.to_string(),
            line: LineOfBusiness::word(shown.line),
            status: shown.status,
            status_since: shown.status_since.to_string(),
            reason: reason.map(str::to_owned),
            awaits: shown.awaits.iter().map(AwaitsShown::of).collect(),
            premium: PremiumSplit::of(shown.premium),
            paid_by: shown.payment.map(|Payment { route, .. }| route.word()),
            premium_state: shown.payment.and_then(|Payment { state, .. }| state.map(PremiumState::word)),
            policy_id: shown.policy.map(|policy| policy.to_string()),
            insurer: sold.map(|sold| sold.insurer.clone()),
            product: sold.map(|sold| sold.product.clone()),
            variant_id: shown.variant_id.clone(),
            quote_id: shown.quote_id.clone(),
            created_at: shown.created_at.to_string(),
            session_id: shown.session.clone(),
            reference: shown.reference.as_ref().map(|reference| reference.reveal().to_owned()),
        }
    }
}

impl AwaitsShown {
    fn of(awaits: &Awaits) -> Self {
        AwaitsShown { what: awaits.what.word(), from: awaits.from.word() }
    }
}

impl ProposalDetail {
    fn of(view: &ProposalReading) -> Self {
        let made = |made: &Moved| ProposalMove {
            at: made.at.to_string(),
            by: made.by.word(),
            from: made.from,
            to: made.to,
            reason: made.reason.as_ref().map(|reason| reason.reveal().to_owned()),
        };
        ProposalDetail {
            summary: ProposalSummary::of(&view.shown),
            history: view.history.iter().map(made).collect(),
        }
    }
}
