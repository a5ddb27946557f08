//! `POST /v1/policies/{policy_id}/cancellation-quote` and `…/cancellation`: what would come back of a policy, and its
//! cancellation (D68, D69).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::cancellation::CancellationReason;
use domain::date::Date;
use domain::id::kind;
use domain::money::{PlainAmount, Rupees};
use domain::period::IsoDate;
use domain::person::PersonalLine;
use domain::proposal::Actor;
use rating::Step;
use serde::Serialize;
use service::policy::cancellation::{CancellationAsk, CancellationDraft, CancellationQuote};
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::example;
use crate::api::common::premium::PremiumSplit;
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, PolicyRead, PolicyWrite};
use crate::error::{Code, Result};
use crate::idempotency::{IdempotencyKey, Lookup};
use crate::path::PathId;
use crate::reader::Fields;
use crate::response::{Payload, json};
use crate::shape::{describe, text};

pub(super) static QUOTE: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/policies/{policy_id}/cancellation-quote",
    id: "quoteCancellation",
    tag: "Policies",
    summary: "Quote a cancellation",
    description: "What would come back if the policy were cancelled today, to the paisa and step by step, each step with the line of the catalogue that it follows. Nothing changes.",
    access: Access::Scope(Scope::PolicyRead),
    takes: Some(Takes::Json { schema: || describe(ask), example: example::cancellation_quote }),
    gives: Gives::payload::<CancellationQuoteShown>(200, "What would come back."),
    refuses: &[Code::S4000, Code::R4040, Code::S4090],
    guide: "policies.md#cancelling-a-policy",
    handler: || answered_by(quote),
    ..Endpoint::PLAIN
};

/// Says what would come back.
async fn quote(
    State(app): State<App>,
    caller: Caller<PolicyRead>,
    id: PathId<kind::Policy>,
    body: Body,
) -> Result<Response> {
    let ask = body.read(ask)?;
    let quote = app.service.cancellations.quote(caller.partner, id.known("policy")?, &ask).await?;
    Ok(json(StatusCode::OK, &Payload { payload: CancellationQuoteShown::of(&quote) }))
}

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/policies/{policy_id}/cancellation",
    id: "cancelPolicy",
    tag: "Policies",
    summary: "Cancel a policy",
    description: "Asks for the cancellation of the policy as of today. Where the operator or the insurer decides the product's proposals, it is CANCELLATION_REQUESTED until they confirm or refuse it, and the policy covers until then; elsewhere it is CANCELLED at once. `refund` is the total of the quote: another amount on this day is S4090, and nothing changes. The insurer pays the refund to the insured.",
    access: Access::Scope(Scope::PolicyWrite),
    takes: Some(Takes::Json { schema: || describe(request), example: example::cancellation }),
    gives: Gives::payload::<CancellationAnswer>(200, "It is asked for, or done."),
    refuses: &[Code::S4000, Code::R4040, Code::S4090],
    idempotent: true,
    guide: "policies.md#cancelling-a-policy",
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Asks for the cancellation.
async fn post(
    State(app): State<App>,
    caller: Caller<PolicyWrite>,
    id: PathId<kind::Policy>,
    key: IdempotencyKey,
    body: Body,
) -> Result<Response> {
    let attempt = match key.look_up(&app, caller.partner, &body).await? {
        Lookup::New(attempt) => attempt,
        Lookup::Earlier(response) => return Ok(response),
    };
    let (ask, refund) = body.read(request)?;
    let id = id.known("policy")?;
    let cancellations = &app.service.cancellations;
    let draft = cancellations.request(caller.partner, id, &ask, Some(refund)).await;
    let show = |draft: &CancellationDraft| CancellationAnswer {
        status: draft.state.word(),
        quote: CancellationQuoteShown::of(&draft.quote),
    };
    attempt
        .answer(&app, draft, StatusCode::OK, show, async |draft, kept| cancellations.keep(draft, kept).await)
        .await
}

/// Reads what is asked of a quote.
fn ask(fields: &mut Fields<'_>) -> Option<CancellationAsk> {
    let (reason, received_on) = read_ask(fields);
    fields.nothing_but(&["reason", "received_on"]);
    Some(CancellationAsk { reason: reason?, received_on: received_on?, by: Actor::Partner, note: None })
}

/// Reads a request with the refund that it expects.
fn request(fields: &mut Fields<'_>) -> Option<(CancellationAsk, Rupees)> {
    let (reason, received_on) = read_ask(fields);
    let refund = fields.required("refund", text::<PlainAmount>());
    let note = fields.optional("note", text::<PersonalLine>());
    fields.nothing_but(&["reason", "received_on", "refund", "note"]);
    let ask = CancellationAsk { reason: reason?, received_on: received_on?, by: Actor::Partner, note: note? };
    Some((ask, refund?.0))
}

fn read_ask(fields: &mut Fields<'_>) -> (Option<CancellationReason>, Option<Option<Date>>) {
    let reason = fields.required("reason", text::<CancellationReason>());
    let received_on = fields.optional("received_on", text::<IsoDate>());
    (reason, received_on.map(|day| day.map(|day| day.0)))
}

/// What would come back of a policy that is cancelled today.
#[derive(Serialize, ToSchema)]
pub(crate) struct CancellationQuoteShown {
    /// The policy.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// Why.
    reason: &'static str,
    /// The last day of cover: today in Asia/Kolkata.
    #[schema(format = "date")]
    effective_on: String,
    /// What comes back, from the insurer to the insured.
    refund: PremiumSplit,
    /// The day by which the insurer is to have paid it.
    #[schema(format = "date")]
    refund_due_on: String,
    /// How it came to that, in order.
    steps: Vec<RefundStep>,
    /// Where the rule comes from.
    source: String,
    /// Who confirms it: `partner` and `straight-through` mean that it is done at once.
    #[schema(pattern = "^(partner|operator|insurer|straight-through)$")]
    confirmed_by: &'static str,
}

/// One step towards a refund, or towards what is to be paid.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefundStep {
    /// What it does.
    step: String,
    /// Its factor; empty where it has none.
    factor: String,
    /// The amount after it, in rupees, as exact as it was calculated.
    amount: String,
    /// The line of the catalogue that it follows, as `file:line`. Null for a value of the policy.
    #[schema(required = true)]
    rule: Option<String>,
}

/// A cancellation.
#[derive(Serialize, ToSchema)]
pub(crate) struct CancellationAnswer {
    /// Where the policy stands now.
    #[schema(pattern = "^(CANCELLATION_REQUESTED|CANCELLED)$")]
    status: &'static str,
    #[serde(flatten)]
    quote: CancellationQuoteShown,
}

impl RefundStep {
    pub(super) fn of(step: &Step) -> Self {
        RefundStep {
            step: step.kind.to_string(),
            factor: step.factor.clone(),
            amount: step.exact_amount(),
            rule: step.location.as_ref().map(ToString::to_string),
        }
    }
}

impl CancellationQuoteShown {
    pub(crate) fn of(quote: &CancellationQuote) -> Self {
        CancellationQuoteShown {
            policy_id: quote.policy.to_string(),
            reason: quote.reason.word(),
            effective_on: quote.effective_on.to_string(),
            refund: PremiumSplit::of(quote.refund.refund),
            refund_due_on: quote.refund.due_on.to_string(),
            steps: quote.refund.steps.iter().map(RefundStep::of).collect(),
            source: quote.refund.source.clone(),
            confirmed_by: quote.confirmed_by.word(),
        }
    }
}
