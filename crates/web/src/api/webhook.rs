//! `/v1/webhooks/endpoints`: where a partner has its events delivered, and what became of the deliveries (D96).

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::on;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::access::Scope;
use domain::date::Timestamp;
use domain::event::EventType;
use domain::id::{EventId, kind};
use domain::text::FromText;
use domain::webhook::{
    Delivery, DeliveryAttempt, DeliveryState, DisabledBy, EndpointState, SigningSecret, WantedEvents,
    WebhookEndpoint,
};
use serde::Serialize;
use serde_json::{Value, json as object};
use service::webhook::{EndpointChange, LONGEST_OVERLAP, NewEndpoint, OVERLAP};
use utoipa::ToSchema;

use super::endpoint::{Access, Endpoint, Gives, Takes, Verb};
use super::event::Instant;
use super::list::limit;
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, Webhook};
use crate::context::Admitted;
use crate::error::{Code, Problem};
use crate::path::{PathId, PathIds};
use crate::query::Query;
use crate::reader::{FieldLocation, Fields, Shape};
use crate::response::{Payload, json};
use crate::shape::{Described, IdText, PlainText, describe, list, text};
use crate::wording::kind_of;

/// What every request of a partner to its endpoints may be refused with.
const REFUSES: &[Code] = &[Code::A4001, Code::A4030, Code::R4040];
const REFUSES_BODY: &[Code] =
    &[Code::V4000, Code::A4001, Code::A4030, Code::R4040, Code::S4090, Code::V4130, Code::V4150];

/// Longest address and longest description.
const LONGEST_URL: usize = 2000;
const LONGEST_DESCRIPTION: usize = 200;

/// What stands for every type.
const EVERY: &str = "*";

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/webhooks/endpoints",
    id: "addWebhookEndpoint",
    tag: "Events",
    summary: "Add an endpoint",
    description: "Has the partner's events delivered to an address: those of some types, or `*`. The answer alone has the secret with which messages are signed. At most 10 endpoints, each with an address of its own.",
    access: Access::Scope(Scope::Webhook),
    query: None,
    takes: Some(Takes::Json {
        schema: || describe(|fields| new_endpoint(fields, &any_address)),
        example: super::example::webhook_endpoint,
    }),
    gives: Gives::payload::<EndpointWithSecret>(201, "The endpoint with its secret."),
    refuses: &[Code::V4000, Code::A4001, Code::A4030, Code::S4090, Code::V4130, Code::V4150],
    deprecated: false,
    idempotent: false,
    guide: "events.md#endpoints",
    handler: |method| on(method, post),
};

/// Adds an endpoint.
async fn post(State(app): State<App>, caller: Caller<Webhook>, body: Body) -> Result<Response, Problem> {
    let judge = |url: &str| app.service.webhooks.judge(url);
    let new = body.read(|fields| new_endpoint(fields, &judge))?;
    let endpoint = app.service.webhooks.add(caller.partner, new).await?;
    Ok(json(StatusCode::CREATED, &Payload { payload: EndpointWithSecret::of(&endpoint) }))
}

/// Says what is wrong with an address.
type Judge<'j> = &'j dyn Fn(&str) -> Result<(), String>;

/// For readers that only describe themselves.
fn any_address(_: &str) -> Result<(), String> {
    Ok(())
}

/// Reads a new endpoint.
fn new_endpoint(fields: &mut Fields<'_>, judge: Judge<'_>) -> Option<NewEndpoint> {
    let url = fields.required("url", url());
    judge_url(fields, url.as_deref(), judge);
    let description = fields.optional("description", PlainText { longest: LONGEST_DESCRIPTION });
    let wanted = fields.required("types", list(text::<WantedType>(), 1, EventType::ALL.len()));
    let wanted = wanted.and_then(|types| wanted_events(fields, types));
    Some(NewEndpoint { url: url?, description: description?, wanted: wanted? })
}

fn judge_url(fields: &mut Fields<'_>, url: Option<&str>, judge: Judge<'_>) {
    if let Some(Err(why)) = url.map(judge) {
        fields.fault("url", why);
    }
}

fn url() -> Described<PlainText> {
    let description = "An https address. Networks inside are refused unless the operator has opened them.";
    Described { of: PlainText { longest: LONGEST_URL }, description }
}

/// The events of a list of types.
fn wanted_events(fields: &mut Fields<'_>, types: Vec<WantedType>) -> Option<WantedEvents> {
    let mut named: Vec<EventType> = types.iter().filter_map(|wanted| wanted.0).collect();
    named.sort_unstable();
    named.dedup();
    match (named.is_empty(), named.len() == types.len()) {
        (true, _) if types.len() == 1 => Some(WantedEvents::All),
        (false, true) => Some(WantedEvents::Types(named)),
        _ => {
            fields.fault(
                "types",
                "A type twice, or * beside others, was found; each once, or * alone, is wanted.",
            );
            None
        }
    }
}

/// A type of events, or every one.
struct WantedType(Option<EventType>);

impl FromText for WantedType {
    const WANTED: &'static str = "the type of an event, or *";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        match text {
            EVERY => Ok(WantedType(None)),
            text => EventType::from_text(text).map(|kind| WantedType(Some(kind))),
        }
    }
}

pub(super) static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/webhooks/endpoints",
    id: "listWebhookEndpoints",
    tag: "Events",
    summary: "List endpoints",
    description: "The partner's endpoints, oldest first, with how deliveries to them went of late.",
    access: Access::Scope(Scope::Webhook),
    query: None,
    takes: None,
    gives: Gives::json::<EndpointList>(200, "The endpoints."),
    refuses: &[Code::A4001, Code::A4030],
    deprecated: false,
    idempotent: false,
    guide: "events.md#endpoints",
    handler: |method| on(method, list_all),
};

/// Lists the partner's endpoints.
async fn list_all(State(app): State<App>, caller: Caller<Webhook>) -> Result<Response, Problem> {
    let endpoints = app.service.webhooks.list(caller.partner).await?;
    let endpoints = endpoints.iter().map(EndpointShown::of).collect();
    Ok(json(StatusCode::OK, &EndpointList { endpoints }))
}

pub(super) static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/webhooks/endpoints/{endpoint_id}",
    id: "getWebhookEndpoint",
    tag: "Events",
    summary: "Get an endpoint",
    description: "One of the partner's endpoints, with how deliveries to it went of late.",
    access: Access::Scope(Scope::Webhook),
    query: None,
    takes: None,
    gives: Gives::payload::<EndpointShown>(200, "The endpoint."),
    refuses: REFUSES,
    deprecated: false,
    idempotent: false,
    guide: "events.md#endpoints",
    handler: |method| on(method, get),
};

/// Shows one of the partner's endpoints.
async fn get(
    State(app): State<App>,
    caller: Caller<Webhook>,
    id: PathId<kind::WebhookEndpoint>,
) -> Result<Response, Problem> {
    let endpoint = app.service.webhooks.find(caller.partner, id.known("endpoint")?).await?;
    Ok(json(StatusCode::OK, &Payload { payload: EndpointShown::of(&endpoint) }))
}

pub(super) static PATCH: Endpoint = Endpoint {
    method: Verb::Patch,
    path: "/v1/webhooks/endpoints/{endpoint_id}",
    id: "changeWebhookEndpoint",
    tag: "Events",
    summary: "Change an endpoint",
    description: "Changes what is named. One that is enabled again goes on with what was waiting; recover adds what happened meanwhile.",
    access: Access::Scope(Scope::Webhook),
    query: None,
    takes: Some(Takes::Json {
        schema: || describe(|fields| change(fields, &any_address)),
        example: || object!({ "status": "disabled" }),
    }),
    gives: Gives::payload::<EndpointShown>(200, "The endpoint as it stands now."),
    refuses: REFUSES_BODY,
    deprecated: false,
    idempotent: false,
    guide: "events.md#endpoints",
    handler: |method| on(method, patch),
};

/// Changes an endpoint.
async fn patch(
    State(app): State<App>,
    caller: Caller<Webhook>,
    id: PathId<kind::WebhookEndpoint>,
    body: Body,
) -> Result<Response, Problem> {
    let judge = |url: &str| app.service.webhooks.judge(url);
    let change = body.read(|fields| change(fields, &judge))?;
    let id = id.known("endpoint")?;
    let endpoint = app.service.webhooks.change(caller.partner, id, &change, DisabledBy::Partner).await?;
    Ok(json(StatusCode::OK, &Payload { payload: EndpointShown::of(&endpoint) }))
}

/// Reads what is changed of an endpoint.
fn change(fields: &mut Fields<'_>, judge: Judge<'_>) -> Option<EndpointChange> {
    let url = fields.optional("url", url());
    judge_url(fields, url.as_ref().and_then(Option::as_deref), judge);
    let description = fields.optional("description", PlainText { longest: LONGEST_DESCRIPTION });
    let wanted = fields.optional("types", list(text::<WantedType>(), 1, EventType::ALL.len()));
    let state = fields.optional("status", text::<EndpointState>());
    let wanted = match wanted? {
        None => None,
        Some(types) => Some(wanted_events(fields, types)?),
    };
    Some(EndpointChange {
        url: url?,
        description: description?.map(Some),
        wanted,
        enabled: state?.map(|state| state == EndpointState::Enabled),
    })
}

pub(super) static DELETE: Endpoint = Endpoint {
    method: Verb::Delete,
    path: "/v1/webhooks/endpoints/{endpoint_id}",
    id: "removeWebhookEndpoint",
    tag: "Events",
    summary: "Remove an endpoint",
    description: "Nothing is delivered to it any more, and what became of its deliveries is gone.",
    access: Access::Scope(Scope::Webhook),
    query: None,
    takes: None,
    gives: Gives::empty_object(200, "It is removed."),
    refuses: REFUSES,
    deprecated: false,
    idempotent: false,
    guide: "events.md#endpoints",
    handler: |method| on(method, delete),
};

/// Removes an endpoint.
async fn delete(
    State(app): State<App>,
    caller: Caller<Webhook>,
    _: Admitted,
    id: PathId<kind::WebhookEndpoint>,
) -> Result<Response, Problem> {
    app.service.webhooks.remove(caller.partner, id.known("endpoint")?).await?;
    Ok(json(StatusCode::OK, &object!({})))
}

pub(super) static ROTATE: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/webhooks/endpoints/{endpoint_id}/rotate",
    id: "rotateWebhookSecret",
    tag: "Events",
    summary: "Give an endpoint another secret",
    description: "The answer alone has the new secret. Messages are signed with the one before as well for 24 hours, or as many as `overlap_hours` says, up to 168; 0 ends it at once.",
    access: Access::Scope(Scope::Webhook),
    query: None,
    takes: Some(Takes::Json { schema: || describe(overlap), example: || object!({ "overlap_hours": 24 }) }),
    gives: Gives::payload::<EndpointWithSecret>(200, "The endpoint with its new secret."),
    refuses: REFUSES_BODY,
    deprecated: false,
    idempotent: false,
    guide: "events.md#secrets",
    handler: |method| on(method, rotate),
};

/// Gives an endpoint another secret.
async fn rotate(
    State(app): State<App>,
    caller: Caller<Webhook>,
    id: PathId<kind::WebhookEndpoint>,
    body: Body,
) -> Result<Response, Problem> {
    let overlap = body.read(overlap)?;
    let endpoint = app.service.webhooks.rotate(caller.partner, id.known("endpoint")?, overlap).await?;
    Ok(json(StatusCode::OK, &Payload { payload: EndpointWithSecret::of(&endpoint) }))
}

/// Reads how long the secret before goes on.
fn overlap(fields: &mut Fields<'_>) -> Option<Duration> {
    let hours = fields.optional("overlap_hours", Hours)?;
    Some(hours.map_or(OVERLAP, |hours| Duration::from_hours(hours.into())))
}

/// Hours for which two secrets sign.
struct Hours;

impl Hours {
    const MOST: u64 = LONGEST_OVERLAP.as_secs() / 3600;
}

impl Shape for Hours {
    type Value = u32;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<u32> {
        match value.as_u64() {
            Some(hours) if hours <= Hours::MOST => u32::try_from(hours).ok(),
            Some(_) => {
                at.mismatch("a greater number", &self.wanted());
                None
            }
            None => {
                at.mismatch(kind_of(value), &self.wanted());
                None
            }
        }
    }

    fn wanted(&self) -> String {
        format!("a whole number from 0 to {}", Hours::MOST)
    }

    fn schema(&self) -> Value {
        object!({ "type": "integer", "minimum": 0, "maximum": Hours::MOST, "default": OVERLAP.as_secs() / 3600 })
    }
}

pub(super) static PING: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/webhooks/endpoints/{endpoint_id}/ping",
    id: "pingWebhookEndpoint",
    tag: "Events",
    summary: "Try an endpoint",
    description: "Has an event `endpoint.ping` sent to this endpoint alone. Its delivery says what came of it.",
    access: Access::Scope(Scope::Webhook),
    query: None,
    takes: None,
    gives: Gives::payload::<SentShown>(202, "It is on its way."),
    refuses: &[Code::A4001, Code::A4030, Code::R4040, Code::S4090],
    deprecated: false,
    idempotent: false,
    guide: "events.md#deliveries",
    handler: |method| on(method, ping),
};

/// Tries an endpoint.
async fn ping(
    State(app): State<App>,
    caller: Caller<Webhook>,
    _: Admitted,
    id: PathId<kind::WebhookEndpoint>,
) -> Result<Response, Problem> {
    let event = app.service.webhooks.ping(caller.partner, id.known("endpoint")?).await?;
    Ok(json(StatusCode::ACCEPTED, &Payload { payload: SentShown { event_id: event.to_string() } }))
}

pub(super) static DELIVERIES: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/webhooks/endpoints/{endpoint_id}/deliveries",
    id: "listWebhookDeliveries",
    tag: "Events",
    summary: "List deliveries",
    description: "The events of the last 30 days that are or were to be delivered to an endpoint, newest first, each with its latest attempts.",
    access: Access::Scope(Scope::Webhook),
    query: Some(|| describe(delivery_parameters)),
    takes: None,
    gives: Gives::json::<DeliveryList>(200, "A page of deliveries."),
    refuses: &[Code::V4000, Code::A4001, Code::A4030, Code::R4040],
    deprecated: false,
    idempotent: false,
    guide: "events.md#deliveries",
    handler: |method| on(method, deliveries),
};

/// Lists deliveries to an endpoint.
async fn deliveries(
    State(app): State<App>,
    caller: Caller<Webhook>,
    id: PathId<kind::WebhookEndpoint>,
    query: Query,
) -> Result<Response, Problem> {
    let ((state, before, most), faults) = query.read(delivery_parameters);
    if !faults.0.is_empty() {
        return Err(Problem::invalid(faults));
    }
    let id = id.known("endpoint")?;
    let page = app.service.webhooks.deliveries(caller.partner, id, state, before, most).await?;
    let end_cursor = page.deliveries.last().map(|last| last.event.to_string()).unwrap_or_default();
    let deliveries = page.deliveries.iter().map(DeliveryShown::of).collect();
    Ok(json(StatusCode::OK, &DeliveryList { deliveries, has_next: page.has_more, end_cursor }))
}

/// Reads the parameters of the list. One with a fault is left out.
fn delivery_parameters(fields: &mut Fields<'_>) -> (Option<DeliveryState>, Option<EventId>, usize) {
    let state = Described { of: text::<DeliveryState>(), description: "Those that stand so alone." };
    let next = IdText::<kind::Event>::of("the end_cursor of a page, evt_ and 26 characters,");
    let next = Described { of: next, description: "The end_cursor of a page: goes on behind it." };
    let (state, before) =
        (fields.optional("status", state).flatten(), fields.optional("next", next).flatten());
    (state, before, limit(fields).unwrap_or(service::list::PAGE).into())
}

pub(super) static RETRY: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/webhooks/endpoints/{endpoint_id}/deliveries/{event_id}/retry",
    id: "retryWebhookDelivery",
    tag: "Events",
    summary: "Send a delivery again",
    description: "Sends the event again now, whatever became of it, and from there on by the schedule.",
    access: Access::Scope(Scope::Webhook),
    query: None,
    takes: None,
    gives: Gives::payload::<DeliveryShown>(202, "It is on its way."),
    refuses: &[Code::A4001, Code::A4030, Code::R4040, Code::S4090],
    deprecated: false,
    idempotent: false,
    guide: "events.md#deliveries",
    handler: |method| on(method, retry),
};

/// Sends a delivery again.
async fn retry(
    State(app): State<App>,
    caller: Caller<Webhook>,
    _: Admitted,
    ids: PathIds<kind::WebhookEndpoint, kind::Event>,
) -> Result<Response, Problem> {
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
    query: None,
    takes: Some(Takes::Json {
        schema: || describe(since),
        example: || object!({ "since": "2026-11-20T00:00:00Z" }),
    }),
    gives: Gives::payload::<RecoveredShown>(202, "They are on their way."),
    refuses: REFUSES_BODY,
    deprecated: false,
    idempotent: false,
    guide: "events.md#deliveries",
    handler: |method| on(method, recover),
};

/// Sends what was missed.
async fn recover(
    State(app): State<App>,
    caller: Caller<Webhook>,
    id: PathId<kind::WebhookEndpoint>,
    body: Body,
) -> Result<Response, Problem> {
    let since = body.read(since)?;
    let count = app.service.webhooks.recover(caller.partner, id.known("endpoint")?, since).await?;
    Ok(json(StatusCode::ACCEPTED, &Payload { payload: RecoveredShown { deliveries: count } }))
}

/// Reads since when.
fn since(fields: &mut Fields<'_>) -> Option<Timestamp> {
    fields.required("since", text::<Instant>()).map(|instant| instant.0)
}

pub(super) static REPLAY: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/events/{event_id}/replay",
    id: "replayEvent",
    tag: "Events",
    summary: "Send an event again",
    description: "Sends an event again to every enabled endpoint that asks for its type, whatever became of it there.",
    access: Access::Scope(Scope::Webhook),
    query: None,
    takes: None,
    gives: Gives::payload::<ReplayedShown>(202, "It is on its way."),
    refuses: REFUSES,
    deprecated: false,
    idempotent: false,
    guide: "events.md#deliveries",
    handler: |method| on(method, replay),
};

/// Sends an event again.
async fn replay(
    State(app): State<App>,
    caller: Caller<Webhook>,
    _: Admitted,
    id: PathId<kind::Event>,
) -> Result<Response, Problem> {
    let endpoints = app.service.webhooks.replay(caller.partner, id.known("event")?).await?;
    Ok(json(StatusCode::ACCEPTED, &Payload { payload: ReplayedShown { endpoints } }))
}

/// A partner's endpoints.
#[derive(Serialize, ToSchema)]
pub(crate) struct EndpointList {
    /// The endpoints, oldest first.
    endpoints: Vec<EndpointShown>,
}

/// An endpoint.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookEndpoint)]
pub(crate) struct EndpointShown {
    /// Its id: `whe_…`.
    #[schema(pattern = "^whe_[0-9a-z]{26}$")]
    endpoint_id: String,
    /// Its address.
    #[schema(example = "https://partner.example/hooks")]
    url: String,
    /// What you call it.
    #[schema(required = true)]
    description: Option<String>,
    /// The types that it asks for, or `*` alone.
    types: Vec<&'static str>,
    /// `enabled` or `disabled`.
    #[schema(pattern = "^(enabled|disabled)$")]
    status: &'static str,
    /// Why it is disabled: `partner`, `operator`, `gone` (it answered 410) or `failing` (for five days it took nothing).
    #[schema(required = true, pattern = "^(partner|operator|gone|failing)$")]
    disabled_by: Option<&'static str>,
    /// Since when.
    #[schema(required = true, format = "date-time")]
    disabled_at: Option<String>,
    /// When it was made.
    #[schema(format = "date-time")]
    created_at: String,
    /// Attempts in a row that it did not take.
    failures: u32,
    /// Since when it takes nothing.
    #[schema(required = true, format = "date-time")]
    failing_since: Option<String>,
    /// When its newest secret was made.
    #[schema(format = "date-time")]
    secret_since: String,
}

impl EndpointShown {
    fn of(endpoint: &WebhookEndpoint) -> Self {
        EndpointShown {
            endpoint_id: endpoint.id.to_string(),
            url: endpoint.url.clone(),
            description: endpoint.description.clone(),
            types: match &endpoint.wanted {
                WantedEvents::All => vec![EVERY],
                WantedEvents::Types(types) => types.iter().map(|kind| kind.word()).collect(),
            },
            status: endpoint.state.word(),
            disabled_by: endpoint.disabled.map(|(by, _)| by.word()),
            disabled_at: endpoint.disabled.map(|(_, at)| at.to_string()),
            created_at: endpoint.created_at.to_string(),
            failures: endpoint.health.failures,
            failing_since: endpoint.health.failing_since.map(|since| since.to_string()),
            secret_since: endpoint
                .secrets
                .first()
                .map_or(endpoint.created_at, |secret| secret.since)
                .to_string(),
        }
    }
}

/// An endpoint with the secret that it got now.
#[derive(Serialize, ToSchema)]
pub(crate) struct EndpointWithSecret {
    #[serde(flatten)]
    endpoint: EndpointShown,
    /// The secret, which is shown this once: `whsec_` and base64.
    #[schema(pattern = "^whsec_")]
    secret: String,
}

impl EndpointWithSecret {
    fn of(endpoint: &WebhookEndpoint) -> Self {
        let text = |secret: &SigningSecret| format!("whsec_{}", STANDARD.encode(secret.bytes));
        let secret = endpoint.secrets.first().map(text).unwrap_or_default();
        EndpointWithSecret { endpoint: EndpointShown::of(endpoint), secret }
    }
}

/// An event that is on its way.
#[derive(Serialize, ToSchema)]
pub(crate) struct SentShown {
    /// Its id.
    #[schema(pattern = "^evt_[0-9a-z]{26}$")]
    event_id: String,
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
    /// Whether older ones follow.
    has_next: bool,
    /// What to send as `next`; empty on an empty page.
    end_cursor: String,
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
    /// The beginning of the answer, at most 2 KiB; or why there was none.
    answer: String,
}

impl DeliveryShown {
    fn of(delivery: &Delivery) -> Self {
        let attempt = |attempt: &DeliveryAttempt| AttemptShown {
            at: attempt.at.to_string(),
            milliseconds: attempt.millis,
            status_code: attempt.status,
            answer: attempt.answer.clone(),
        };
        DeliveryShown {
            event_id: delivery.event.to_string(),
            status: delivery.state.word(),
            next_attempt_at: delivery.due_at.map(|due| due.to_string()),
            attempts: delivery.attempts.iter().map(attempt).collect(),
        }
    }
}
