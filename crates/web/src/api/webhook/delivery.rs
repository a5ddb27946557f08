//! Deliveries: what became of the events for a partner's endpoints, and sending them again (D96).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::date::Timestamp;
use domain::id::{EventId, kind};
use domain::webhook::{Delivery, DeliveryAttempt, DeliveryState};
use serde::Serialize;
use serde_json::json as object;
use service::storage::lists::Beyond;
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::list::{UncountedEnds, beyond, limit};
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, Webhook};
use crate::context::Admitted;
use crate::error::{Code, Problem, Result};
use crate::path::{PathId, PathIds};
use crate::query::Query;
use crate::reader::Fields;
use crate::response::{Payload, json};
use crate::shape::{Described, IdText, Instant, describe, text};

pub(super) static DELIVERIES: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/webhooks/endpoints/{endpoint_id}/deliveries",
    id: "listWebhookDeliveries",
    tag: "Events",
    summary: "List deliveries",
    description: "The events of the last 30 days that are or were to be delivered to an endpoint, newest first, each with its latest attempts.",
    access: Access::Scope(Scope::Webhook),
    query: Some(|| describe(delivery_parameters)),
    gives: Gives::json::<DeliveryList>(200, "A page of deliveries."),
    refuses: &[Code::R4040],
    guide: "events.md#deliveries",
    handler: || answered_by(deliveries),
    ..Endpoint::PLAIN
};

/// Lists deliveries to an endpoint.
async fn deliveries(
    State(app): State<App>,
    caller: Caller<Webhook>,
    id: PathId<kind::WebhookEndpoint>,
    query: Query,
) -> Result<Response> {
    let ((state, from, most), faults) = query.read(delivery_parameters);
    if !faults.0.is_empty() {
        return Err(Problem::invalid(faults));
    }
    let id = id.known("endpoint")?;
    let page = app.service.webhooks.deliveries(caller.partner, id, state, from, most).await?;
    let ends = page.deliveries.first().zip(page.deliveries.last());
    let ends = UncountedEnds::of(from, page.has_more, ends.map(|(first, last)| (first.event, last.event)));
    let deliveries = page.deliveries.iter().map(DeliveryShown::of).collect();
    Ok(json(StatusCode::OK, &DeliveryList { deliveries, ends }))
}

/// Reads the parameters of the list. One with a fault is left out.
fn delivery_parameters(fields: &mut Fields<'_>) -> (Option<DeliveryState>, Option<Beyond<EventId>>, usize) {
    let state = Described { of: text::<DeliveryState>(), description: "Those that stand so alone." };
    let state = fields.optional("status", state).flatten();
    let from = beyond(fields, || IdText::<kind::Event>::of("a cursor of a page, evt_ and 26 characters,"));
    (state, from, limit(fields).unwrap_or(service::list::PAGE).into())
}

pub(super) static RETRY: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/webhooks/endpoints/{endpoint_id}/deliveries/{event_id}/retry",
    id: "retryWebhookDelivery",
    tag: "Events",
    summary: "Send a delivery again",
    description: "Sends the event again now, whatever became of it, and from there on by the schedule.",
    access: Access::Scope(Scope::Webhook),
    gives: Gives::payload::<DeliveryShown>(202, "It is on its way."),
    refuses: &[Code::R4040, Code::S4090],
    guide: "events.md#deliveries",
    handler: || answered_by(retry),
    ..Endpoint::PLAIN
};

/// Sends a delivery again.
async fn retry(
    State(app): State<App>,
    caller: Caller<Webhook>,
    _: Admitted,
    ids: PathIds<kind::WebhookEndpoint, kind::Event>,
) -> Result<Response> {
    let (endpoint, event) = ids.known("endpoint", "delivery")?;
    let delivery = app.service.webhooks.retry(caller.partner, endpoint, event).await?;
    Ok(json(StatusCode::ACCEPTED, &Payload { payload: DeliveryShown::of(&delivery) }))
}

pub(super) static RECOVER: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/webhooks/endpoints/{endpoint_id}/recover",
    id: "recoverWebhookDeliveries",
    tag: "Events",
    summary: "Send what was missed",
    description: "Sends every event since an instant, at most 14 days ago, that the endpoint asks for and has not taken: 10,000 with one request, the oldest first, behind what happens meanwhile.",
    access: Access::Scope(Scope::Webhook),
    takes: Some(Takes::Json {
        schema: || describe(since),
        example: || object!({ "since": "2026-11-20T00:00:00Z" }),
    }),
    gives: Gives::payload::<RecoveredShown>(202, "They are on their way."),
    refuses: &[Code::R4040, Code::S4090],
    guide: "events.md#deliveries",
    handler: || answered_by(recover),
    ..Endpoint::PLAIN
};

/// Sends what was missed.
async fn recover(
    State(app): State<App>,
    caller: Caller<Webhook>,
    id: PathId<kind::WebhookEndpoint>,
    body: Body,
) -> Result<Response> {
    let since = body.read(since)?;
    let count = app.service.webhooks.recover(caller.partner, id.known("endpoint")?, since).await?;
    Ok(json(StatusCode::ACCEPTED, &Payload { payload: RecoveredShown { deliveries: count } }))
}

/// Reads since when.
fn since(fields: &mut Fields<'_>) -> Option<Timestamp> {
    let since = fields.required("since", text::<Instant>());
    fields.nothing_but(&["since"]);
    since.map(|instant| instant.0)
}

pub(super) static REPLAY: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/events/{event_id}/replay",
    id: "replayEvent",
    tag: "Events",
    summary: "Send an event again",
    description: "Sends an event again to every enabled endpoint that asks for its type, whatever became of it there.",
    access: Access::Scope(Scope::Webhook),
    gives: Gives::payload::<ReplayedShown>(202, "It is on its way."),
    refuses: &[Code::R4040],
    guide: "events.md#deliveries",
    handler: || answered_by(replay),
    ..Endpoint::PLAIN
};

/// Sends an event again.
async fn replay(
    State(app): State<App>,
    caller: Caller<Webhook>,
    _: Admitted,
    id: PathId<kind::Event>,
) -> Result<Response> {
    let endpoints = app.service.webhooks.replay(caller.partner, id.known("event")?).await?;
    Ok(json(StatusCode::ACCEPTED, &Payload { payload: ReplayedShown { endpoints } }))
}

/// How much is sent again.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecoveredShown {
    /// Events that are on their way. 10,000: there may be more, which the same request sends once these have arrived.
    deliveries: usize,
}

/// How many endpoints an event is sent to again.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReplayedShown {
    /// Enabled endpoints that ask for its type.
    endpoints: usize,
}

/// A page of deliveries.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeliveryList {
    /// The deliveries, newest first.
    deliveries: Vec<DeliveryShown>,
    #[serde(flatten)]
    ends: UncountedEnds,
}

/// An event on its way to an endpoint.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookDelivery)]
pub(crate) struct DeliveryShown {
    /// The event.
    #[schema(pattern = "^evt_[0-9a-z]{26}$")]
    event_id: String,
    /// `pending`, `delivered`, or `failed`: sent as often as the schedule says, and not taken.
    #[schema(pattern = "^(pending|delivered|failed)$")]
    status: &'static str,
    /// When it is sent next. `null` where it is not.
    #[schema(required = true, format = "date-time")]
    next_attempt_at: Option<String>,
    /// The latest attempts, oldest first.
    attempts: Vec<AttemptShown>,
}

/// An attempt to deliver an event.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookAttempt)]
pub(crate) struct AttemptShown {
    /// When it began.
    #[schema(format = "date-time")]
    at: String,
    /// Its length.
    milliseconds: u32,
    /// The status of the answer. `null`: there was none.
    #[schema(required = true)]
    status_code: Option<u16>,
    /// The beginning of the server's answer, at most 2 KiB. `null`: there was none.
    #[schema(required = true)]
    answer: Option<String>,
    /// Why there was no answer, such as `it cannot be reached`. `null`: there was one.
    #[schema(required = true)]
    error: Option<String>,
}

/// Why there was no answer, without what only the operator may know, such as addresses of its network.
fn without_cause(error: &str) -> String {
    error.split(':').next().unwrap_or_default().to_owned()
}

impl DeliveryShown {
    pub(crate) fn of(delivery: &Delivery) -> Self {
        let attempt = |attempt: &DeliveryAttempt| AttemptShown {
            at: attempt.at.to_string(),
            milliseconds: attempt.millis,
            status_code: attempt.status,
            answer: attempt.status.map(|_| attempt.answer.clone()),
            error: attempt.status.is_none().then(|| without_cause(&attempt.answer)),
        };
        DeliveryShown {
            event_id: delivery.event.to_string(),
            status: delivery.state.word(),
            next_attempt_at: delivery.due_at.map(|due| due.to_string()),
            attempts: delivery.attempts.iter().map(attempt).collect(),
        }
    }
}
