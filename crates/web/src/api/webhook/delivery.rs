//! Deliveries of events to a partner's webhook endpoints: shows their results, and sends events again (D96).

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
use crate::shape::{IdText, Instant, describe, described, text};

pub(super) static DELIVERIES: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/webhooks/endpoints/{endpoint_id}/deliveries",
    id: "listWebhookDeliveries",
    tag: "Events",
    summary: "List deliveries",
    description: "Lists the events of the last 30 days for an endpoint, newest first, each with its latest delivery attempts.",
    access: Access::Scope(Scope::Webhook),
    query: Some(|| describe(delivery_parameters)),
    gives: Gives::json::<DeliveryList>(200, "A page of deliveries."),
    refuses: &[Code::R4040],
    handler: || answered_by(deliveries),
    ..Endpoint::PLAIN
};

/// Lists the deliveries to a webhook endpoint.
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

/// Reads the query parameters of the list. Invalid parameters are left out; `fields` records their faults.
fn delivery_parameters(fields: &mut Fields<'_>) -> (Option<DeliveryState>, Option<Beyond<EventId>>, usize) {
    let state = described::<DeliveryState>("Only deliveries with this status.");
    let state = fields.optional("status", state).flatten();
    let from = beyond(fields, || {
        IdText::<kind::Event>::of("a cursor from a page of this list, evt_ and 26 characters")
    });
    (state, from, limit(fields).unwrap_or(service::list::PAGE).into())
}

pub(super) static RETRY: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/webhooks/endpoints/{endpoint_id}/deliveries/{event_id}/retry",
    id: "retryWebhookDelivery",
    tag: "Events",
    summary: "Send a delivery again",
    description: "Sends the event to the endpoint again now, whatever its delivery status. If the attempt fails, the usual retry schedule follows.",
    access: Access::Scope(Scope::Webhook),
    gives: Gives::payload::<DeliveryShown>(202, "The event will be sent."),
    refuses: &[Code::R4040, Code::S4090],
    handler: || answered_by(retry),
    ..Endpoint::PLAIN
};

/// Sends an event to a webhook endpoint again.
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
    summary: "Send missed events",
    description: "Sends all events since the instant `since` that the endpoint subscribes to and has not accepted. `since` is at most 14 days ago. One request sends at most 10,000 events, oldest first. New events are sent before them.",
    access: Access::Scope(Scope::Webhook),
    takes: Some(Takes::Json {
        schema: || describe(since),
        example: || object!({ "since": "2026-11-20T00:00:00Z" }),
    }),
    gives: Gives::payload::<RecoveredShown>(202, "The events will be sent."),
    refuses: &[Code::R4040, Code::S4090],
    handler: || answered_by(recover),
    ..Endpoint::PLAIN
};

/// Sends the events that the endpoint missed, starting from a time.
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

/// Reads `since` from the body: the time of the first event to send.
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
    description: "Sends an event again to every enabled endpoint that subscribes to its type, whatever its delivery status.",
    access: Access::Scope(Scope::Webhook),
    gives: Gives::payload::<ReplayedShown>(202, "The event will be sent."),
    refuses: &[Code::R4040],
    handler: || answered_by(replay),
    ..Endpoint::PLAIN
};

/// Sends an event again to all endpoints that subscribe to its type.
async fn replay(
    State(app): State<App>,
    caller: Caller<Webhook>,
    _: Admitted,
    id: PathId<kind::Event>,
) -> Result<Response> {
    let endpoints = app.service.webhooks.replay(caller.partner, id.known("event")?).await?;
    Ok(json(StatusCode::ACCEPTED, &Payload { payload: ReplayedShown { endpoints } }))
}

/// Result of the request to send missed events.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecoveredShown {
    /// Number of missed events that will be sent. If it is 10,000, there can be more: repeat the request
    /// after these are delivered.
    deliveries: usize,
}

/// Result of the request to send an event again.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReplayedShown {
    /// Number of endpoints to which the event will be sent.
    endpoints: usize,
}

/// A page of deliveries.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeliveryList {
    /// Deliveries of this page, newest first.
    deliveries: Vec<DeliveryShown>,
    #[serde(flatten)]
    ends: UncountedEnds,
}

/// Delivery of one event to one endpoint.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookDelivery)]
pub(crate) struct DeliveryShown {
    /// Id of the event: `evt_…`.
    #[schema(pattern = "^evt_[0-9a-z]{26}$")]
    event_id: String,
    /// Status of the delivery. `pending`: not accepted yet. `delivered`: accepted. `failed`: not accepted in
    /// any scheduled attempt.
    #[schema(pattern = "^(pending|delivered|failed)$")]
    status: &'static str,
    /// Time of the next delivery attempt. `null` if none is planned.
    #[schema(required = true, format = "date-time")]
    next_attempt_at: Option<String>,
    /// Latest delivery attempts, oldest first.
    attempts: Vec<AttemptShown>,
}

/// An attempt to deliver an event.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookAttempt)]
pub(crate) struct AttemptShown {
    /// Time when the attempt started.
    #[schema(format = "date-time")]
    at: String,
    /// Duration of the attempt, in milliseconds.
    milliseconds: u32,
    /// HTTP status of your server's response. `null` if there was no response.
    #[schema(required = true)]
    status_code: Option<u16>,
    /// Beginning of your server's response body, at most 2 KiB. `null` if there was no response.
    #[schema(required = true)]
    answer: Option<String>,
    /// Why there was no response. `null` if there was a response.
    #[schema(required = true)]
    error: Option<String>,
}

/// Why there was no response, without details that only the operator may know, such as network addresses.
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
