//! `/v1/sandbox`: extra endpoints for test partners, for example to decide a claim as the insurer would. Live
//! partners get R4040 (D97).

use std::time::Duration;

use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use domain::access::Scope;
use domain::claim::{ClaimState, RefundsAfter};
use domain::event::EventType;
use domain::id::{PartnerId, kind};
use domain::person::PersonalLine;
use domain::premium::PaidAmount;
use domain::text::vocabulary;
use serde::Serialize;
use serde_json::json as object;
use service::claim::settlement::ClaimVerdict;
use service::proposal::operator::Verdict;
use service::sandbox::{ClaimDecision, PolicyDecided, SandboxClock};
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::app::App;
use crate::body::Body;
use crate::caller::{Business, Caller};
use crate::context::Admitted;
use crate::error::{Code, Problem, Result};
use crate::path::PathId;
use crate::reader::Fields;
use crate::response::{Payload, json};
use crate::shape::{Instant, PlainText, WholeNumber, describe, text, validated};

/// Endpoints, in the order of the OpenAPI document.
pub(super) static ENDPOINTS: &[&Endpoint] = &[&CLOCK, &ADVANCE, &PROPOSAL, &CLAIM, &POLICY, &FIRE, &DELETE];

const SECONDS_A_DAY: u64 = 24 * 3600;

/// A caller that is a test partner. A live partner gets R4040.
struct TestCaller {
    partner: PartnerId,
}

impl FromRequestParts<App> for TestCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let Caller { partner, .. } = Caller::<Business>::from_request_parts(parts, app).await?;
        match app.service.sandbox.enter(partner) {
            Ok(_) => Ok(TestCaller { partner }),
            Err(_) => Err(Problem::not_found_at_path()),
        }
    }
}

static CLOCK: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/sandbox/clock",
    id: "readSandboxClock",
    tag: "Sandbox",
    summary: "Read the clock",
    description: "Only for test partners. Returns your clock. Quotes, covers, premiums, claims and renewals use this clock. Ids, tokens, signed addresses, idempotency keys and timestamps of deliveries use real time.",
    access: Access::Scope(Scope::Business),
    gives: Gives::payload::<ClockShown>(200, "Your clock."),
    refuses: &[Code::R4040],
    handler: || answered_by(clock),
    ..Endpoint::PLAIN
};

/// Returns the test partner's clock.
async fn clock(State(app): State<App>, caller: TestCaller) -> Result<Response> {
    let payload = ClockShown::of(&app.service.sandbox.clock(caller.partner)?);
    Ok(json(StatusCode::OK, &Payload { payload }))
}

static ADVANCE: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/sandbox/clock",
    id: "advanceSandboxClock",
    tag: "Sandbox",
    summary: "Move the clock forward",
    description: "Only for test partners. Moves your clock forward by the sum of `days`, `hours`, `minutes` and `seconds`, or to the instant `to`, by at most 400 days at once. Everything that falls due happens before the response: late premiums, renewal reminders, ends of policies and of their days of grace. The clock never goes back, but removing the test data resets it to real time.",
    access: Access::Scope(Scope::Business),
    takes: Some(Takes::Json { schema: || describe(advance_asked), example: || object!({ "days": 30 }) }),
    gives: Gives::payload::<AdvancedShown>(200, "Your clock after the move."),
    refuses: &[Code::R4040],
    handler: || answered_by(advance),
    ..Endpoint::PLAIN
};

/// Moves the test partner's clock forward.
async fn advance(State(app): State<App>, caller: TestCaller, body: Body) -> Result<Response> {
    let asked = body.read(advance_asked)?;
    let sandbox = &app.service.sandbox;
    let by = match asked {
        AdvanceAsked::By(by) => by,
        AdvanceAsked::To(to) => {
            let now = sandbox.clock(caller.partner)?.now;
            let by = to.duration_since(now);
            if by.is_negative() {
                let message = format!("Must be after {now}: the clock only goes forward.");
                return Err(Problem::invalid(service::Faults::one("to", message)));
            }
            by.unsigned_abs()
        }
    };
    let advanced = sandbox.advance(caller.partner, by).await?;
    let payload = AdvancedShown {
        clock: ClockShown::of(&advanced.clock),
        events: advanced.told,
        settled: advanced.is_settled,
    };
    Ok(json(StatusCode::OK, &Payload { payload }))
}

/// Requested move of the test partner's clock: by a duration, or to an instant.
enum AdvanceAsked {
    By(Duration),
    To(domain::date::Timestamp),
}

/// Reads how far the test partner's clock must move: by a duration, or to an instant.
fn advance_asked(fields: &mut Fields<'_>) -> Option<AdvanceAsked> {
    let mut part = |name: &str, wanted, seconds: u64| {
        let number = fields.optional(name, WholeNumber { wanted })?;
        Some(number.map(|number| u64::from(number).saturating_mul(seconds)))
    };
    let days = part("days", "a whole number of days above zero", SECONDS_A_DAY);
    let hours = part("hours", "a whole number of hours above zero", 3600);
    let minutes = part("minutes", "a whole number of minutes above zero", 60);
    let seconds = part("seconds", "a whole number of seconds above zero", 1);
    let to = fields.optional("to", text::<Instant>());
    fields.nothing_but(&["days", "hours", "minutes", "seconds", "to"]);
    let parts = [days?, hours?, minutes?, seconds?];
    let sum: u64 = parts.iter().flatten().fold(0, |sum, part| sum.saturating_add(*part));
    let is_by = parts.iter().any(Option::is_some);
    match (is_by, to?) {
        (true, None) => Some(AdvanceAsked::By(Duration::from_secs(sum))),
        (false, Some(to)) => Some(AdvanceAsked::To(to.0)),
        (true, Some(_)) => {
            fields
                .fault("to", "Send an instant (to) or a duration (days, hours, minutes, seconds), not both.");
            None
        }
        (false, None) => {
            fields.fault("days", "Required: an instant (to) or a duration (days, hours, minutes, seconds).");
            None
        }
    }
}

vocabulary! {
    /// Decision on a proposal.
    ProposalVerdict, "one of ACCEPT, REJECT" {
        /// Accepts the proposal. The policy is issued once its premium is received.
        Accept = "ACCEPT",
        /// Refuses the proposal. No policy is issued.
        Reject = "REJECT",
    }
}

vocabulary! {
    /// Decision on a requested cancellation or endorsement.
    RequestVerdict, "one of CONFIRM, REFUSE" {
        /// Carries out the requested cancellation or endorsement.
        Confirm = "CONFIRM",
        /// Refuses the requested cancellation or endorsement. The policy stays unchanged.
        Refuse = "REFUSE",
    }
}

/// Reads the optional reason of a decision.
fn reason(fields: &mut Fields<'_>) -> Option<Option<PersonalLine>> {
    let reason = fields.optional("reason", PlainText::of(2000))?;
    Some(reason.as_deref().and_then(PersonalLine::of_words))
}

static PROPOSAL: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/sandbox/proposals/{proposal_id}/decide",
    id: "decideSandboxProposal",
    tag: "Sandbox",
    summary: "Decide a proposal",
    description: "Only for test partners. Decides a submitted proposal, as its insurer or the operator would. An accepted proposal waits until its premium is received.",
    access: Access::Scope(Scope::Business),
    takes: Some(Takes::Json {
        schema: || describe(proposal_verdict),
        example: || object!({ "decision": "ACCEPT" }),
    }),
    gives: Gives::payload::<ProposalDecided>(200, "The proposal was decided."),
    refuses: &[Code::R4040, Code::S4000, Code::S4090],
    handler: || answered_by(decide_proposal),
    ..Endpoint::PLAIN
};

/// Decides a proposal.
async fn decide_proposal(
    State(app): State<App>,
    caller: TestCaller,
    id: PathId<kind::Proposal>,
    body: Body,
) -> Result<Response> {
    let verdict = body.read(proposal_verdict)?;
    let id = id.known("proposal")?;
    let decided = app.service.sandbox.decide_proposal(caller.partner, id, verdict).await?;
    let payload = ProposalDecided {
        proposal_id: id.to_string(),
        status: decided.status,
        waits_for_premium: decided.waits_for.is_some(),
    };
    Ok(json(StatusCode::OK, &Payload { payload }))
}

fn proposal_verdict(fields: &mut Fields<'_>) -> Option<Verdict> {
    let decision = fields.required("decision", text::<ProposalVerdict>());
    let reason = reason(fields);
    fields.nothing_but(&["decision", "reason"]);
    Some(Verdict::of(decision? == ProposalVerdict::Accept, reason?))
}

static CLAIM: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/sandbox/claims/{claim_id}/decide",
    id: "decideSandboxClaim",
    tag: "Sandbox",
    summary: "Decide a claim",
    description: "Only for test partners. Changes the status of a claim, as its insurer would. APPROVED needs `approved_amount`. REJECTED and REPUDIATED need a `reason`. PAID pays the amount that is owed on the day of your clock.",
    access: Access::Scope(Scope::Business),
    takes: Some(Takes::Json {
        schema: || describe(claim_decision),
        example: || object!({ "status": "UNDER_ASSESSMENT" }),
    }),
    gives: Gives::payload::<ClaimDecided>(200, "The claim has its new status."),
    refuses: &[Code::R4040, Code::S4000, Code::S4090],
    handler: || answered_by(decide_claim),
    ..Endpoint::PLAIN
};

/// Decides a claim, or pays it.
async fn decide_claim(
    State(app): State<App>,
    caller: TestCaller,
    id: PathId<kind::Claim>,
    body: Body,
) -> Result<Response> {
    let decision = body.read(claim_decision)?;
    let claim = app.service.sandbox.decide_claim(caller.partner, id.known("claim")?, decision).await?;
    let payload = ClaimDecided { claim_id: claim.id.to_string(), status: claim.state.word() };
    Ok(json(StatusCode::OK, &Payload { payload }))
}

fn claim_decision(fields: &mut Fields<'_>) -> Option<ClaimDecision> {
    let status = fields.required("status", text::<ClaimState>());
    let approved = fields.optional("approved_amount", text::<PaidAmount>());
    let refunds = fields.optional("refunds", text::<RefundsAfter>());
    let reason = reason(fields);
    fields.nothing_but(&["status", "approved_amount", "refunds", "reason"]);
    let (state, approved, refunds, reason) = (status?, approved?, refunds?, reason?);
    Some(match state {
        ClaimState::Paid => ClaimDecision::Paid,
        state => {
            let approved = approved.map(|amount| amount.0);
            ClaimDecision::Stands(ClaimVerdict { state, approved, refunds, reason })
        }
    })
}

static POLICY: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/sandbox/policies/{policy_id}/decide",
    id: "decideSandboxPolicy",
    tag: "Sandbox",
    summary: "Decide a cancellation or endorsement",
    description: "Only for test partners. Confirms or refuses the requested cancellation of a policy, as the insurer or the operator would. If no cancellation is requested, decides the policy's waiting endorsement. Confirming an endorsement also pays its charge.",
    access: Access::Scope(Scope::Business),
    takes: Some(Takes::Json {
        schema: || describe(request_verdict),
        example: || object!({ "decision": "CONFIRM" }),
    }),
    gives: Gives::payload::<PolicyDecidedShown>(200, "The request was decided."),
    refuses: &[Code::R4040, Code::S4000, Code::S4090],
    handler: || answered_by(decide_policy),
    ..Endpoint::PLAIN
};

/// Decides the requested cancellation of a policy. If there is none, decides the policy's open endorsement.
async fn decide_policy(
    State(app): State<App>,
    caller: TestCaller,
    id: PathId<kind::Policy>,
    body: Body,
) -> Result<Response> {
    let (verdict, reason) = body.read(request_verdict)?;
    let (id, confirms) = (id.known("policy")?, verdict == RequestVerdict::Confirm);
    let decided = app.service.sandbox.decide_policy(caller.partner, id, confirms, reason).await?;
    let (status, endorsement) = match decided {
        PolicyDecided::Cancellation(state) => (Some(state.word()), None),
        PolicyDecided::Endorsement(number) => (None, Some(number)),
    };
    let payload = PolicyDecidedShown { policy_id: id.to_string(), status, endorsement };
    Ok(json(StatusCode::OK, &Payload { payload }))
}

fn request_verdict(fields: &mut Fields<'_>) -> Option<(RequestVerdict, Option<PersonalLine>)> {
    let decision = fields.required("decision", text::<RequestVerdict>());
    let reason = reason(fields);
    fields.nothing_but(&["decision", "reason"]);
    Some((decision?, reason?))
}

static FIRE: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/sandbox/webhooks/fire",
    id: "fireSandboxEvent",
    tag: "Sandbox",
    summary: "Send an event",
    description: "Only for test partners. Sends an event of this type about an invented record. The event is listed and signed like a real event, and delivered to every endpoint that subscribes to its type. For `endpoint.ping`, use `POST /v1/webhooks/endpoints/{endpoint_id}/ping`.",
    access: Access::Scope(Scope::Business),
    takes: Some(Takes::Json { schema: || describe(fired), example: || object!({ "type": "policy.issued" }) }),
    gives: Gives::payload::<FiredShown>(202, "The event will be delivered."),
    refuses: &[Code::R4040],
    handler: || answered_by(fire),
    ..Endpoint::PLAIN
};

/// Makes a test event about an invented record.
async fn fire(State(app): State<App>, caller: TestCaller, body: Body) -> Result<Response> {
    let kind = body.read(fired)?;
    let event = app.service.sandbox.fire(caller.partner, kind).await?;
    Ok(json(StatusCode::ACCEPTED, &Payload { payload: FiredShown { event_id: event.to_string() } }))
}

fn fired(fields: &mut Fields<'_>) -> Option<EventType> {
    let no_ping = validated(|kind: EventType| (kind != EventType::EndpointPing).then_some(kind))
        .wanted_as("the type of an event, such as policy.issued, other than endpoint.ping");
    let kind = fields.required("type", no_ping);
    fields.nothing_but(&["type"]);
    kind
}

static DELETE: Endpoint = Endpoint {
    method: Verb::Delete,
    path: "/v1/sandbox/data",
    id: "removeSandboxData",
    tag: "Sandbox",
    summary: "Remove the test data",
    description: "Only for test partners. Removes all your test data, and resets your clock to real time. Secrets, tokens and endpoints stay. If `complete` is false, send the request again.",
    access: Access::Scope(Scope::Business),
    gives: Gives::payload::<RemovedShown>(200, "Test data was removed."),
    refuses: &[Code::R4040],
    handler: || answered_by(delete),
    ..Endpoint::PLAIN
};

/// Removes the test partner's data.
async fn delete(State(app): State<App>, caller: TestCaller, _: Admitted) -> Result<Response> {
    let (records, complete) = app.service.sandbox.forget(caller.partner).await?;
    Ok(json(StatusCode::OK, &Payload { payload: RemovedShown { records, complete } }))
}

/// Your clock, as a test partner.
#[derive(Serialize, ToSchema)]
#[schema(as = SandboxClock)]
pub(crate) struct ClockShown {
    /// Time that your clock shows.
    #[schema(format = "date-time")]
    now: String,
    /// Real time of the server.
    #[schema(format = "date-time")]
    real_time: String,
    /// Seconds by which your clock is ahead of real time.
    ahead_seconds: u64,
}

impl ClockShown {
    fn of(clock: &SandboxClock) -> Self {
        ClockShown {
            now: clock.now.to_string(),
            real_time: clock.real.to_string(),
            ahead_seconds: clock.ahead.as_secs(),
        }
    }
}

/// Result of moving your clock.
#[derive(Serialize, ToSchema)]
#[schema(as = SandboxClockAdvanced)]
pub(crate) struct AdvancedShown {
    #[serde(flatten)]
    clock: ClockShown,
    /// Number of events that the move of the clock caused, such as renewal reminders and ends of policies.
    events: u64,
    /// Whether all work that fell due is done. If `false`, the work continues after this response.
    settled: bool,
}

/// Result of deciding a proposal.
#[derive(Serialize, ToSchema)]
#[schema(as = SandboxProposalDecided)]
pub(crate) struct ProposalDecided {
    /// Id of the proposal: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: String,
    /// New status of the proposal.
    status: &'static str,
    /// Whether the proposal is accepted, but still waits for its premium.
    waits_for_premium: bool,
}

/// Result of deciding a claim.
#[derive(Serialize, ToSchema)]
#[schema(as = SandboxClaimDecided)]
pub(crate) struct ClaimDecided {
    /// Id of the claim: `clm_…`.
    #[schema(pattern = "^clm_[0-9a-z]{26}$")]
    claim_id: String,
    /// New status of the claim.
    status: &'static str,
}

/// Result of deciding a cancellation or an endorsement.
#[derive(Serialize, ToSchema)]
#[schema(as = SandboxPolicyDecided)]
pub(crate) struct PolicyDecidedShown {
    /// Id of the policy: `pol_…`.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// New status of the policy. `null` if an endorsement was decided.
    #[schema(required = true)]
    status: Option<&'static str>,
    /// Number of the endorsement that was decided. `null` if a cancellation was decided.
    #[schema(required = true)]
    endorsement: Option<u16>,
}

/// An event made in the sandbox.
#[derive(Serialize, ToSchema)]
#[schema(as = SandboxEventFired)]
pub(crate) struct FiredShown {
    /// Id of the event: `evt_…`.
    #[schema(pattern = "^evt_[0-9a-z]{26}$")]
    event_id: String,
}

/// Result of removing the test data.
#[derive(Serialize, ToSchema)]
#[schema(as = SandboxDataRemoved)]
pub(crate) struct RemovedShown {
    /// Number of database rows that were removed.
    records: usize,
    /// Whether all test data is removed. If `false`, send the request again.
    complete: bool,
}
