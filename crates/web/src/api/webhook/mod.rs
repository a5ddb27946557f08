//! `/v1/webhooks/endpoints`: a partner's webhook endpoints, which receive its events (D96).
//!
//! Uses `common`.

pub(crate) mod delivery;

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::event::EventType;
use domain::id::kind;
use domain::text::FromText;
use domain::webhook::{DisabledBy, EndpointState, SigningSecret, WantedEvents, WebhookEndpoint};
use serde::Serialize;
use serde_json::{Value, json as object};
use service::access::signing_secret::secret_text;
use service::event::webhook::{EndpointChange, LONGEST_OVERLAP, NewEndpoint, OVERLAP};
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::example;
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, Webhook};
use crate::context::Admitted;
use crate::error::{Code, Result};
use crate::path::PathId;
use crate::reader::{FieldLocation, Fields, Shape};
use crate::response::{Payload, json};
use crate::shape::{Described, PlainText, describe, list, text};

/// Endpoints, in the order of the OpenAPI document.
pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &POST,
    &LIST,
    &GET,
    &PATCH,
    &DELETE,
    &ROTATE,
    &PING,
    &delivery::DELIVERIES,
    &delivery::RETRY,
    &delivery::RECOVER,
    &delivery::REPLAY,
];

/// Maximum length of an endpoint's address, in characters.
const LONGEST_URL: usize = 2000;
const LONGEST_DESCRIPTION: usize = 200;

/// Word in `types` that means all event types.
const EVERY: &str = "*";

static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/webhooks/endpoints",
    id: "addWebhookEndpoint",
    tag: "Events",
    summary: "Add an endpoint",
    description: "Adds an endpoint: an address that receives your events of some types, or of all types with `*`. Only this response shows the secret with which messages are signed. You can have at most 10 endpoints with different addresses.",
    access: Access::Scope(Scope::Webhook),
    takes: Some(Takes::Json {
        schema: || describe(|fields| new_endpoint(fields, &any_address)),
        example: example::webhook_endpoint,
    }),
    gives: Gives::payload::<EndpointWithSecret>(201, "The endpoint with its secret."),
    refuses: &[Code::S4090],
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Adds a webhook endpoint.
async fn post(State(app): State<App>, caller: Caller<Webhook>, body: Body) -> Result<Response> {
    let judge = |url: &str| app.service.webhooks.judge(url);
    let new = body.read(|fields| new_endpoint(fields, &judge))?;
    let endpoint = app.service.webhooks.add(caller.partner, new).await?;
    Ok(json(StatusCode::CREATED, &Payload { payload: EndpointWithSecret::of(&endpoint) }))
}

/// Checks the address of an endpoint. The error says what is wrong.
type Judge<'j> = &'j dyn Fn(&str) -> Result<(), String>;

/// Accepts every address, if the body is only described and not read.
fn any_address(_: &str) -> Result<(), String> {
    Ok(())
}

/// Reads the body of a request that adds an endpoint. `judge` checks the address.
fn new_endpoint(fields: &mut Fields<'_>, judge: Judge<'_>) -> Option<NewEndpoint> {
    let url = fields.required("url", url());
    judge_url(fields, url.as_deref(), judge);
    let description = fields.optional("description", PlainText::line(LONGEST_DESCRIPTION));
    let wanted = fields.required("types", list(text::<WantedType>(), 1, EventType::ALL.len()));
    let wanted = wanted.and_then(|types| wanted_events(fields, types));
    fields.nothing_but(&["url", "description", "types"]);
    Some(NewEndpoint { url: url?, description: description?, wanted: wanted? })
}

fn judge_url(fields: &mut Fields<'_>, url: Option<&str>, judge: Judge<'_>) {
    if let Some(Err(why)) = url.map(judge) {
        fields.fault("url", why);
    }
}

fn url() -> Described<PlainText> {
    let description = "An https address. Private networks are refused unless the operator allows them.";
    Described { of: PlainText::line(LONGEST_URL), description }
}

/// Event types to which an endpoint subscribes, from the list in the request.
fn wanted_events(fields: &mut Fields<'_>, types: Vec<WantedType>) -> Option<WantedEvents> {
    let mut named: Vec<EventType> = types.iter().filter_map(|wanted| wanted.0).collect();
    named.sort_unstable();
    named.dedup();
    match (named.is_empty(), named.len() == types.len()) {
        (true, _) if types.len() == 1 => Some(WantedEvents::All),
        (false, true) => Some(WantedEvents::Types(named)),
        _ => {
            fields.fault("types", "List each type once, or only *.");
            None
        }
    }
}

/// An item of `types`: an event type, or `None` for all types.
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

static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/webhooks/endpoints",
    id: "listWebhookEndpoints",
    tag: "Events",
    summary: "List endpoints",
    description: "Lists your endpoints, oldest first, each with its number of failed delivery attempts.",
    access: Access::Scope(Scope::Webhook),
    gives: Gives::json::<EndpointList>(200, "The endpoints."),
    handler: || answered_by(list_all),
    ..Endpoint::PLAIN
};

/// Lists the partner's webhook endpoints.
async fn list_all(State(app): State<App>, caller: Caller<Webhook>) -> Result<Response> {
    let endpoints = app.service.webhooks.list(caller.partner).await?;
    let endpoints = endpoints.iter().map(EndpointShown::of).collect();
    Ok(json(StatusCode::OK, &EndpointList { endpoints }))
}

static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/webhooks/endpoints/{endpoint_id}",
    id: "getWebhookEndpoint",
    tag: "Events",
    summary: "Get an endpoint",
    description: "Returns an endpoint with its number of failed delivery attempts.",
    access: Access::Scope(Scope::Webhook),
    gives: Gives::payload::<EndpointShown>(200, "The endpoint."),
    refuses: &[Code::R4040],
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Shows one of the partner's webhook endpoints.
async fn get(
    State(app): State<App>,
    caller: Caller<Webhook>,
    id: PathId<kind::WebhookEndpoint>,
) -> Result<Response> {
    let endpoint = app.service.webhooks.find(caller.partner, id.known("endpoint")?).await?;
    Ok(json(StatusCode::OK, &Payload { payload: EndpointShown::of(&endpoint) }))
}

static PATCH: Endpoint = Endpoint {
    method: Verb::Patch,
    path: "/v1/webhooks/endpoints/{endpoint_id}",
    id: "changeWebhookEndpoint",
    tag: "Events",
    summary: "Change an endpoint",
    description: "Changes the fields that you send. An endpoint that is enabled again gets the events that were waiting. To send events that happened while it was disabled, use `POST /v1/webhooks/endpoints/{endpoint_id}/recover`.",
    access: Access::Scope(Scope::Webhook),
    takes: Some(Takes::Json {
        schema: || describe(|fields| change(fields, &any_address)),
        example: || object!({ "status": "disabled" }),
    }),
    gives: Gives::payload::<EndpointShown>(200, "The changed endpoint."),
    refuses: &[Code::R4040, Code::S4090],
    handler: || answered_by(patch),
    ..Endpoint::PLAIN
};

/// Changes a webhook endpoint.
async fn patch(
    State(app): State<App>,
    caller: Caller<Webhook>,
    id: PathId<kind::WebhookEndpoint>,
    body: Body,
) -> Result<Response> {
    let judge = |url: &str| app.service.webhooks.judge(url);
    let change = body.read(|fields| change(fields, &judge))?;
    let id = id.known("endpoint")?;
    let endpoint = app.service.webhooks.change(caller.partner, id, &change, DisabledBy::Partner).await?;
    Ok(json(StatusCode::OK, &Payload { payload: EndpointShown::of(&endpoint) }))
}

/// Reads the body of a request that changes an endpoint. `judge` checks the address.
fn change(fields: &mut Fields<'_>, judge: Judge<'_>) -> Option<EndpointChange> {
    let url = fields.optional("url", url());
    judge_url(fields, url.as_ref().and_then(Option::as_deref), judge);
    let description = fields.optional("description", PlainText::line(LONGEST_DESCRIPTION));
    let wanted = fields.optional("types", list(text::<WantedType>(), 1, EventType::ALL.len()));
    let state = fields.optional("status", text::<EndpointState>());
    fields.nothing_but(&["url", "description", "types", "status"]);
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

static DELETE: Endpoint = Endpoint {
    method: Verb::Delete,
    path: "/v1/webhooks/endpoints/{endpoint_id}",
    id: "removeWebhookEndpoint",
    tag: "Events",
    summary: "Remove an endpoint",
    description: "Removes an endpoint and the history of its deliveries. The endpoint gets no more events.",
    access: Access::Scope(Scope::Webhook),
    gives: Gives::empty_object(200, "The endpoint is removed."),
    refuses: &[Code::R4040],
    handler: || answered_by(delete),
    ..Endpoint::PLAIN
};

/// Removes a webhook endpoint.
async fn delete(
    State(app): State<App>,
    caller: Caller<Webhook>,
    _: Admitted,
    id: PathId<kind::WebhookEndpoint>,
) -> Result<Response> {
    app.service.webhooks.remove(caller.partner, id.known("endpoint")?).await?;
    Ok(json(StatusCode::OK, &object!({})))
}

static ROTATE: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/webhooks/endpoints/{endpoint_id}/rotate",
    id: "rotateWebhookSecret",
    tag: "Events",
    summary: "Rotate an endpoint's secret",
    description: "Gives the endpoint a new secret, which only this response shows. For `overlap_hours`, messages are also signed with the old secret: 24 hours by default, at most 168. With 0, the old secret stops at once.",
    access: Access::Scope(Scope::Webhook),
    takes: Some(Takes::Json { schema: || describe(overlap), example: || object!({ "overlap_hours": 24 }) }),
    gives: Gives::payload::<EndpointWithSecret>(200, "The endpoint with its new secret."),
    refuses: &[Code::R4040, Code::S4090],
    handler: || answered_by(rotate),
    ..Endpoint::PLAIN
};

/// Gives a webhook endpoint a new signing secret.
async fn rotate(
    State(app): State<App>,
    caller: Caller<Webhook>,
    id: PathId<kind::WebhookEndpoint>,
    body: Body,
) -> Result<Response> {
    let overlap = body.read(overlap)?;
    let endpoint = app.service.webhooks.rotate(caller.partner, id.known("endpoint")?, overlap).await?;
    Ok(json(StatusCode::OK, &Payload { payload: EndpointWithSecret::of(&endpoint) }))
}

/// Reads for how long messages are also signed with the old secret.
fn overlap(fields: &mut Fields<'_>) -> Option<Duration> {
    let hours = fields.optional("overlap_hours", Hours);
    fields.nothing_but(&["overlap_hours"]);
    Some(hours?.map_or(OVERLAP, |hours| Duration::from_hours(hours.into())))
}

/// Shape of `overlap_hours`: hours in which messages are signed with the new and the old secret.
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
                at.invalid(&self.wanted());
                None
            }
            None => {
                at.mismatch(value, &self.wanted());
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

static PING: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/webhooks/endpoints/{endpoint_id}/ping",
    id: "pingWebhookEndpoint",
    tag: "Events",
    summary: "Test an endpoint",
    description: "Sends an event `endpoint.ping` to this endpoint only, at most ten times in a minute. The list of deliveries shows the result.",
    access: Access::Scope(Scope::Webhook),
    gives: Gives::payload::<SentShown>(202, "The event will be sent."),
    refuses: &[Code::R4040, Code::S4090, Code::A4290],
    handler: || answered_by(ping),
    ..Endpoint::PLAIN
};

/// Sends a test event to a webhook endpoint.
async fn ping(
    State(app): State<App>,
    caller: Caller<Webhook>,
    _: Admitted,
    id: PathId<kind::WebhookEndpoint>,
) -> Result<Response> {
    let event = app.service.webhooks.ping(caller.partner, id.known("endpoint")?).await?;
    Ok(json(StatusCode::ACCEPTED, &Payload { payload: SentShown { event_id: event.to_string() } }))
}

/// List of your webhook endpoints.
#[derive(Serialize, ToSchema)]
pub(crate) struct EndpointList {
    /// Webhook endpoints, oldest first.
    endpoints: Vec<EndpointShown>,
}

/// A webhook endpoint: an address that receives your events.
#[derive(Serialize, ToSchema)]
#[schema(as = WebhookEndpoint)]
pub(crate) struct EndpointShown {
    /// Id of the endpoint: `whe_…`.
    #[schema(pattern = "^whe_[0-9a-z]{26}$")]
    endpoint_id: String,
    /// Address (URL) to which events are sent.
    #[schema(example = "https://partner.example/hooks")]
    url: String,
    /// Your description of the endpoint.
    #[schema(required = true)]
    description: Option<String>,
    /// Event types that the endpoint subscribes to, or only `*` for all.
    types: Vec<&'static str>,
    /// Whether events are sent to the endpoint: `enabled` or `disabled`.
    #[schema(pattern = "^(enabled|disabled)$")]
    status: &'static str,
    /// Why the endpoint is disabled: by `partner` or `operator`, `gone` (the endpoint answered 410) or
    /// `failing` (the endpoint accepted nothing for five days). `null` if it is enabled.
    #[schema(required = true, pattern = "^(partner|operator|gone|failing)$")]
    disabled_by: Option<&'static str>,
    /// Time since which the endpoint is disabled. `null` if it is enabled.
    #[schema(required = true, format = "date-time")]
    disabled_at: Option<String>,
    /// Time when the endpoint was added.
    #[schema(format = "date-time")]
    created_at: String,
    /// Number of failed delivery attempts since the last successful one.
    failures: u32,
    /// Time of the first failed delivery attempt since the last successful one. `null` if none failed.
    #[schema(required = true, format = "date-time")]
    failing_since: Option<String>,
    /// Time when the newest signing secret was made.
    #[schema(format = "date-time")]
    secret_since: String,
}

impl EndpointShown {
    pub(crate) fn of(endpoint: &WebhookEndpoint) -> Self {
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

/// A webhook endpoint with its newest signing secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct EndpointWithSecret {
    #[serde(flatten)]
    endpoint: EndpointShown,
    /// Signing secret: `whsec_` and base64. Only this response shows it.
    #[schema(pattern = "^whsec_")]
    secret: String,
}

impl EndpointWithSecret {
    fn of(endpoint: &WebhookEndpoint) -> Self {
        let text = |secret: &SigningSecret| secret_text(&secret.bytes);
        let secret = endpoint.secrets.first().map(text).unwrap_or_default();
        EndpointWithSecret { endpoint: EndpointShown::of(endpoint), secret }
    }
}

/// An event that will be sent to the endpoint.
#[derive(Serialize, ToSchema)]
pub(crate) struct SentShown {
    /// Id of the event: `evt_…`.
    #[schema(pattern = "^evt_[0-9a-z]{26}$")]
    event_id: String,
}
