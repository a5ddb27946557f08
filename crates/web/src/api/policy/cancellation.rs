//! `POST /v1/policies/{policy_id}/cancellation-quote` and `…/cancellation`: calculates the refund of a
//! cancellation, and cancels a policy (D68, D69).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::cancellation::CancellationReason;
use domain::date::Date;
use domain::id::kind;
use domain::money::{PlainAmount, Rupees};
use domain::period::IsoDate;
use domain::proposal::Actor;
use rating::Step;
use serde::Serialize;
use service::policy::cancellation::{CancellationAsk, CancellationDraft, CancellationQuote};
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::example;
use crate::api::common::policy_fields::read_note;
use crate::api::common::premium::PremiumSplit;
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, PolicyRead, PolicyWrite};
use crate::error::{Code, Result};
use crate::idempotency::{IdempotencyKey, Lookup};
use crate::path::PathId;
use crate::reader::Fields;
use crate::response::{Payload, json};
use crate::shape::{describe, described, text};

pub(super) static QUOTE: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/policies/{policy_id}/cancellation-quote",
    id: "quoteCancellation",
    tag: "Policies",
    summary: "Quote a cancellation",
    description: "Returns the refund if the policy were cancelled today, to the paisa. Each step of the calculation names the catalogue line with its rule. Changes nothing.",
    access: Access::Scope(Scope::PolicyRead),
    takes: Some(Takes::Json { schema: || describe(ask), example: example::cancellation_quote }),
    gives: Gives::payload::<CancellationQuoteShown>(200, "The refund."),
    refuses: &[Code::S4000, Code::R4040, Code::S4090],
    handler: || answered_by(quote),
    ..Endpoint::PLAIN
};

/// Calculates the refund if the policy were cancelled today.
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
    description: "Requests the cancellation of the policy as of today. If the operator or the insurer decides the product's proposals, the policy is CANCELLATION_REQUESTED and still covers until they confirm or refuse. Otherwise it is CANCELLED at once. `refund` is the total of the quote. If the refund has changed since the quote, the response is S4090 and nothing changes. The insurer pays the refund to the insured.",
    access: Access::Scope(Scope::PolicyWrite),
    takes: Some(Takes::Json { schema: || describe(request), example: example::cancellation }),
    gives: Gives::payload::<CancellationAnswer>(200, "The cancellation is requested or done."),
    refuses: &[Code::S4000, Code::R4040, Code::S4090],
    idempotent: true,
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Requests the cancellation of a policy.
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

/// Reads the body of a cancellation quote.
fn ask(fields: &mut Fields<'_>) -> Option<CancellationAsk> {
    let (reason, received_on) = read_reason_and_receipt(fields);
    fields.nothing_but(&["reason", "received_on"]);
    Some(CancellationAsk { reason: reason?, received_on: received_on?, by: Actor::Partner, note: None })
}

/// Reads the body of a cancellation. Returns the request and the refund that the partner expects.
fn request(fields: &mut Fields<'_>) -> Option<(CancellationAsk, Rupees)> {
    let (reason, received_on) = read_reason_and_receipt(fields);
    let refund = fields.required(
        "refund",
        described::<PlainAmount>("Total of the cancellation quote, in rupees. Another total is refused."),
    );
    let note = read_note(fields);
    fields.nothing_but(&["reason", "received_on", "refund", "note"]);
    let ask = CancellationAsk { reason: reason?, received_on: received_on?, by: Actor::Partner, note: note? };
    Some((ask, refund?.0))
}

/// Reads the fields that a cancellation and its quote have in common. A field with a fault is `None`; the inner
/// `None` is an absent day.
fn read_reason_and_receipt(fields: &mut Fields<'_>) -> (Option<CancellationReason>, Option<Option<Date>>) {
    let reason = fields.required("reason", text::<CancellationReason>());
    let received_on = fields.optional(
        "received_on",
        described::<IsoDate>(
            "Day on which the customer received the policy, YYYY-MM-DD. \
             Default: the first download of the certificate, else the day of issue.",
        ),
    );
    (reason, received_on.map(|day| day.map(|day| day.0)))
}

/// Refund of a policy if it were cancelled today.
#[derive(Serialize, ToSchema)]
pub struct CancellationQuoteShown {
    /// Id of the policy: `pol_…`.
    #[schema(pattern = "^pol_[0-9a-z]{26}$")]
    policy_id: String,
    /// Reason of the cancellation.
    reason: &'static str,
    /// Last day of cover: today in Asia/Kolkata.
    #[schema(format = "date")]
    effective_on: String,
    /// Refund that the insurer pays to the insured.
    refund: PremiumSplit,
    /// Day by which the insurer must pay the refund.
    #[schema(format = "date")]
    refund_due_on: String,
    /// Steps of the refund's calculation, in order.
    steps: Vec<RefundStep>,
    /// Source of the refund rule, such as a regulation, as the catalogue cites it.
    source: String,
    /// Who confirms the cancellation. If `partner` or `straight-through`, the cancellation takes effect at
    /// once.
    #[schema(pattern = "^(partner|operator|insurer|straight-through)$")]
    confirmed_by: &'static str,
}

/// A step in the calculation of a premium, charge or refund.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefundStep {
    /// Description of the step, for people.
    step: String,
    /// Factor of the step, such as `+10 %`. Empty if the step has no factor.
    factor: String,
    /// Amount after the step, in rupees with two to four decimals.
    amount: String,
    /// Catalogue line with the rule of this step, as `file:line`. `null` if the step uses a value of the
    /// policy.
    #[schema(required = true)]
    rule: Option<String>,
}

/// Result of cancelling a policy.
#[derive(Serialize, ToSchema)]
pub(crate) struct CancellationAnswer {
    /// Status of the policy after the request.
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
    /// The quote as the partners' API shows it.
    pub fn of(quote: &CancellationQuote) -> Self {
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
