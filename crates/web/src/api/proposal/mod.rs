//! `GET /v1/proposals` and `GET /v1/proposals/{proposal_id}`: proposals of every line as their partner reads them (D80).
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

/// Its endpoints, as the document goes through them.
pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &embedded::POST,
    &embedded::STATUS,
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
    description: "The partner's proposals of every line by the day of creation, newest first: those of some days, of a session, or under a reference. Each says where it stands and since when, what is missing and from whom, and its policy once there is one.",
    access: Access::Scope(Scope::PolicyRead),
    query: Some(|| describe(proposal_parameters)),
    gives: Gives::json::<ProposalPage>(200, "A page of proposals."),
    guide: "policies.md#reading-proposals",
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
    description: "Where one of the partner's proposals of any line stands, what is missing and from whom, its policy once there is one, and every move that it made.",
    access: Access::Scope(Scope::PolicyRead),
    gives: Gives::payload::<ProposalDetail>(200, "The proposal."),
    refuses: &[Code::R4040],
    guide: "policies.md#reading-proposals",
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
    /// The proposals, newest first.
    proposals: Vec<ProposalSummary>,
    #[serde(flatten)]
    ends: PageEnds,
}

/// A proposal in short. Amounts are rupees with two decimals, as text.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProposalSummary {
    /// Its id: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: String,
    /// `credit-life` or `health`.
    #[schema(pattern = "^(credit-life|health)$")]
    line: &'static str,
    /// Where it stands, in the words of its line.
    #[schema(
        pattern = "^(DRAFT|PENDING|COMPLETED|REJECTED|INITIATED|SUBMITTED|UNDERWRITING|CANCELLED|ACCEPTED|OFFLINE)$"
    )]
    status: &'static str,
    /// Since when.
    #[schema(format = "date-time")]
    status_since: String,
    /// Why it was last moved, in the words of who moved it.
    #[schema(required = true)]
    reason: Option<String>,
    /// What is missing before it becomes a policy; empty once it is decided.
    awaits: Vec<AwaitsShown>,
    /// Its premium.
    premium: PremiumSplit,
    /// How its premium comes: `deposit`, `link`, `here` or `partner`. Null where it is not submitted, was refused or was imported.
    #[schema(required = true, pattern = "^(deposit|link|here|partner)$")]
    paid_by: Option<&'static str>,
    /// Where its premium stands. Null where nothing is noted of it: a deposit is drawn when the policy is issued.
    #[schema(required = true)]
    premium_state: Option<&'static str>,
    /// Its policy, once there is one.
    #[schema(required = true, pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: Option<String>,
    /// Name of the insurer. Null for an imported one.
    #[schema(required = true)]
    insurer: Option<String>,
    /// Name of the product. Null for an imported one.
    #[schema(required = true)]
    product: Option<String>,
    /// The variant's id in the catalogue; of an imported one as its record has it.
    variant_id: String,
    /// The quote that it was made from, likewise.
    quote_id: String,
    /// When it was created.
    #[schema(format = "date-time")]
    created_at: String,
    /// The session that it belongs to.
    #[schema(required = true)]
    session_id: Option<String>,
    /// What you call the sale, such as the loan's account.
    #[schema(required = true)]
    reference: Option<String>,
}

/// What is missing, and from whom.
#[derive(Serialize, ToSchema)]
pub(crate) struct AwaitsShown {
    /// `SUBMISSION`, `DECISION` or `PREMIUM`.
    #[schema(pattern = "^(SUBMISSION|DECISION|PREMIUM)$")]
    what: &'static str,
    /// From `partner`, `operator`, `insurer`, `customer` or `service`.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    from: &'static str,
}

/// A proposal with its history.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProposalDetail {
    #[serde(flatten)]
    summary: ProposalSummary,
    /// Every move, oldest first, the creation included.
    history: Vec<ProposalMove>,
}

/// A move of a proposal.
#[derive(Serialize, ToSchema)]
pub(crate) struct ProposalMove {
    /// When.
    #[schema(format = "date-time")]
    at: String,
    /// Who: `partner`, `operator`, `insurer`, `service` or `customer`.
    #[schema(pattern = "^(partner|operator|insurer|service|customer)$")]
    by: &'static str,
    /// From where. Null for the creation.
    #[schema(required = true)]
    from: Option<&'static str>,
    /// To where.
    to: &'static str,
    /// Why, in the words of who moved it.
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
