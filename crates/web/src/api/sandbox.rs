//! `/v1/sandbox`: what test partners have beside everybody's, so that nothing waits for others. For every other partner there is
//! nothing at these paths (D97).

use std::time::Duration;

use axum::extract::{FromRequestParts, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use domain::access::Scope;
use domain::claim::ClaimState;
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

/// Its endpoints, as the document goes through them.
pub(super) static ENDPOINTS: &[&Endpoint] = &[&CLOCK, &ADVANCE, &PROPOSAL, &CLAIM, &POLICY, &FIRE, &DELETE];

const SECONDS_A_DAY: u64 = 24 * 3600;

/// A test partner.
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
    description: "For test partners alone. Quotes, covers, premiums, claims and renewals go by this clock; ids, tokens, signed addresses, idempotency keys and the timestamps of deliveries go by the time itself.",
    access: Access::Scope(Scope::Business),
    gives: Gives::payload::<ClockShown>(200, "Where the clock stands."),
    refuses: &[Code::R4040],
    guide: "sandbox.md#the-clock",
    handler: || answered_by(clock),
    ..Endpoint::PLAIN
};

/// Shows the clock.
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
    description: "For test partners alone: by days, hours, minutes and seconds together, or to an instant; by at most 400 days at once. Whatever falls due by it happens before the answer: payments that come late, reminders to renew, ends and lapses of policies. It never goes back; removing the test data sets it to the time.",
    access: Access::Scope(Scope::Business),
    takes: Some(Takes::Json { schema: || describe(advance_asked), example: || object!({ "days": 30 }) }),
    gives: Gives::payload::<AdvancedShown>(200, "It was moved."),
    refuses: &[Code::R4040],
    guide: "sandbox.md#the-clock",
    handler: || answered_by(advance),
    ..Endpoint::PLAIN
};

/// Moves the clock.
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

/// How a clock is to be moved.
enum AdvanceAsked {
    By(Duration),
    To(domain::date::Timestamp),
}

/// Reads how a clock is to be moved.
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
            fields.fault("to", "Send to alone, or days, hours, minutes and seconds.");
            None
        }
        (false, None) => {
            fields.fault("days", "Required: to, or days, hours, minutes or seconds.");
            None
        }
    }
}

vocabulary! {
    /// What is decided of a proposal.
    ProposalVerdict, "one of ACCEPT, REJECT" {
        /// The policy is issued.
        Accept = "ACCEPT",
        /// There is no policy.
        Reject = "REJECT",
    }
}

vocabulary! {
    /// What is decided of a request.
    RequestVerdict, "one of CONFIRM, REFUSE" {
        /// It is done.
        Confirm = "CONFIRM",
        /// The policy goes on as it is.
        Refuse = "REFUSE",
    }
}

/// Reads why something is decided so.
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
    description: "For test partners alone: decides a submitted proposal of any line, as its insurer or the operator would. An acceptance whose premium has not come waits for it.",
    access: Access::Scope(Scope::Business),
    takes: Some(Takes::Json {
        schema: || describe(proposal_verdict),
        example: || object!({ "decision": "ACCEPT" }),
    }),
    gives: Gives::payload::<ProposalDecided>(200, "It is decided."),
    refuses: &[Code::R4040, Code::S4000, Code::S4090],
    guide: "sandbox.md#deciding",
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
    description: "For test partners alone: moves a claim as its insurer would. APPROVED needs `approved_amount`, REJECTED and REPUDIATED a `reason`. PAID pays what is owed on the day of your clock.",
    access: Access::Scope(Scope::Business),
    takes: Some(Takes::Json {
        schema: || describe(claim_decision),
        example: || object!({ "status": "UNDER_ASSESSMENT" }),
    }),
    gives: Gives::payload::<ClaimDecided>(200, "It is decided."),
    refuses: &[Code::R4040, Code::S4000, Code::S4090],
    guide: "sandbox.md#deciding",
    handler: || answered_by(decide_claim),
    ..Endpoint::PLAIN
};

/// Decides a claim.
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
    let reason = reason(fields);
    fields.nothing_but(&["status", "approved_amount", "reason"]);
    let (state, approved, reason) = (status?, approved?, reason?);
    Some(match state {
        ClaimState::Paid => ClaimDecision::Paid,
        state => {
            ClaimDecision::Stands(ClaimVerdict { state, approved: approved.map(|amount| amount.0), reason })
        }
    })
}

static POLICY: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/sandbox/policies/{policy_id}/decide",
    id: "decideSandboxPolicy",
    tag: "Sandbox",
    summary: "Decide what was asked for a policy",
    description: "For test partners alone: confirms or refuses the cancellation of a policy that was asked for, else its endorsement, as the insurer or the operator would. What an endorsement costs is paid then.",
    access: Access::Scope(Scope::Business),
    takes: Some(Takes::Json {
        schema: || describe(request_verdict),
        example: || object!({ "decision": "CONFIRM" }),
    }),
    gives: Gives::payload::<PolicyDecidedShown>(200, "It is decided."),
    refuses: &[Code::R4040, Code::S4000, Code::S4090],
    guide: "sandbox.md#deciding",
    handler: || answered_by(decide_policy),
    ..Endpoint::PLAIN
};

/// Decides what was asked for a policy.
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
    description: "For test partners alone: an event of a type is made up of a subject that there is not, listed, and delivered to every endpoint that asks for its type, signed as every other. For endpoint.ping use the endpoint's own ping.",
    access: Access::Scope(Scope::Business),
    takes: Some(Takes::Json { schema: || describe(fired), example: || object!({ "type": "policy.issued" }) }),
    gives: Gives::payload::<FiredShown>(202, "It is on its way."),
    refuses: &[Code::R4040],
    guide: "sandbox.md#events",
    handler: || answered_by(fire),
    ..Endpoint::PLAIN
};

/// Sends an event.
async fn fire(State(app): State<App>, caller: TestCaller, body: Body) -> Result<Response> {
    let kind = body.read(fired)?;
    let event = app.service.sandbox.fire(caller.partner, kind).await?;
    Ok(json(StatusCode::ACCEPTED, &Payload { payload: FiredShown { event_id: event.to_string() } }))
}

fn fired(fields: &mut Fields<'_>) -> Option<EventType> {
    let no_ping = |kind: EventType| match kind {
        EventType::EndpointPing => Err("The type of a ping, which the endpoint's own ping sends"),
        kind => Ok(kind),
    };
    let kind = fields.required("type", validated(no_ping));
    fields.nothing_but(&["type"]);
    kind
}

static DELETE: Endpoint = Endpoint {
    method: Verb::Delete,
    path: "/v1/sandbox/data",
    id: "removeSandboxData",
    tag: "Sandbox",
    summary: "Remove the test data",
    description: "For test partners alone: removes everything that the partner did, and sets its clock to the time. Secrets, tokens and endpoints stay. Where `complete` is false, the same request goes on.",
    access: Access::Scope(Scope::Business),
    gives: Gives::payload::<RemovedShown>(200, "It is removed."),
    refuses: &[Code::R4040],
    guide: "sandbox.md#beginning-anew",
    handler: || answered_by(delete),
    ..Endpoint::PLAIN
};

/// Removes the test data.
async fn delete(State(app): State<App>, caller: TestCaller, _: Admitted) -> Result<Response> {
    let (records, complete) = app.service.sandbox.forget(caller.partner).await?;
    Ok(json(StatusCode::OK, &Payload { payload: RemovedShown { records, complete } }))
}

/// The clock of a test partner.
#[derive(Serialize, ToSchema)]
#[schema(as = SandboxClock)]
pub(crate) struct ClockShown {
    /// What it shows.
    #[schema(format = "date-time")]
    now: String,
    /// The time itself.
    #[schema(format = "date-time")]
    real_time: String,
    /// How far it is ahead.
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

/// What became of a move of the clock.
#[derive(Serialize, ToSchema)]
#[schema(as = SandboxClockAdvanced)]
pub(crate) struct AdvancedShown {
    #[serde(flatten)]
    clock: ClockShown,
    /// Events that came by the calendar.
    events: u64,
    /// Whether everything that fell due has happened. `false`: it goes on, for longer than an answer waits.
    settled: bool,
}

/// A proposal that was decided.
#[derive(Serialize, ToSchema)]
#[schema(as = SandboxProposalDecided)]
pub(crate) struct ProposalDecided {
    /// The proposal.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    proposal_id: String,
    /// Where it stands.
    status: &'static str,
    /// Whether it is accepted, and its policy waits for the premium.
    waits_for_premium: bool,
}

/// A claim that was decided.
#[derive(Serialize, ToSchema)]
#[schema(as = SandboxClaimDecided)]
pub(crate) struct ClaimDecided {
    /// The claim.
    #[schema(pattern = "^clm_[0-9a-z]{26}$")]
    claim_id: String,
    /// Where it stands.
    status: &'static str,
}

/// What was decided of a policy.
#[derive(Serialize, ToSchema)]
#[schema(as = SandboxPolicyDecided)]
pub(crate) struct PolicyDecidedShown {
    /// The policy.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// Where the policy stands, where its cancellation was decided.
    #[schema(required = true)]
    status: Option<&'static str>,
    /// The number of the endorsement that was decided.
    #[schema(required = true)]
    endorsement: Option<u16>,
}

/// An event that was sent.
#[derive(Serialize, ToSchema)]
#[schema(as = SandboxEventFired)]
pub(crate) struct FiredShown {
    /// The event.
    #[schema(pattern = "^evt_[0-9a-z]{26}$")]
    event_id: String,
}

/// What was removed.
#[derive(Serialize, ToSchema)]
#[schema(as = SandboxDataRemoved)]
pub(crate) struct RemovedShown {
    /// Rows of the store.
    records: usize,
    /// Whether that was all.
    complete: bool,
}
