//! `/v1/webhooks/endpoints`: where a partner has its events delivered (D96).
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
use crate::wording::kind_of;

/// Its endpoints, as the document goes through them.
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

/// Longest address and longest description.
const LONGEST_URL: usize = 2000;
const LONGEST_DESCRIPTION: usize = 200;

/// What stands for every type.
const EVERY: &str = "*";

static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/webhooks/endpoints",
    id: "addWebhookEndpoint",
    tag: "Events",
    summary: "Add an endpoint",
    description: "Has the partner's events delivered to an address: those of some types, or `*`. The answer alone has the secret with which messages are signed. At most 10 endpoints, each with an address of its own.",
    access: Access::Scope(Scope::Webhook),
    takes: Some(Takes::Json {
        schema: || describe(|fields| new_endpoint(fields, &any_address)),
        example: example::webhook_endpoint,
    }),
    gives: Gives::payload::<EndpointWithSecret>(201, "The endpoint with its secret."),
    refuses: &[Code::S4090],
    guide: "events.md#endpoints",
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Adds an endpoint.
async fn post(State(app): State<App>, caller: Caller<Webhook>, body: Body) -> Result<Response> {
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
    let description = "An https address. Networks inside are refused unless the operator has opened them.";
    Described { of: PlainText::line(LONGEST_URL), description }
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
            fields.fault("types", "List each type once, or * alone.");
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

static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/webhooks/endpoints",
    id: "listWebhookEndpoints",
    tag: "Events",
    summary: "List endpoints",
    description: "The partner's endpoints, oldest first, with how deliveries to them went of late.",
    access: Access::Scope(Scope::Webhook),
    gives: Gives::json::<EndpointList>(200, "The endpoints."),
    guide: "events.md#endpoints",
    handler: || answered_by(list_all),
    ..Endpoint::PLAIN
};

/// Lists the partner's endpoints.
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
    description: "One of the partner's endpoints, with how deliveries to it went of late.",
    access: Access::Scope(Scope::Webhook),
    gives: Gives::payload::<EndpointShown>(200, "The endpoint."),
    refuses: &[Code::R4040],
    guide: "events.md#endpoints",
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Shows one of the partner's endpoints.
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
    description: "Changes what is named. One that is enabled again goes on with what was waiting; recover adds what happened meanwhile.",
    access: Access::Scope(Scope::Webhook),
    takes: Some(Takes::Json {
        schema: || describe(|fields| change(fields, &any_address)),
        example: || object!({ "status": "disabled" }),
    }),
    gives: Gives::payload::<EndpointShown>(200, "The endpoint as it stands now."),
    refuses: &[Code::R4040, Code::S4090],
    guide: "events.md#endpoints",
    handler: || answered_by(patch),
    ..Endpoint::PLAIN
};

/// Changes an endpoint.
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

/// Reads what is changed of an endpoint.
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
    description: "Nothing is delivered to it any more, and what became of its deliveries is gone.",
    access: Access::Scope(Scope::Webhook),
    gives: Gives::empty_object(200, "It is removed."),
    refuses: &[Code::R4040],
    guide: "events.md#endpoints",
    handler: || answered_by(delete),
    ..Endpoint::PLAIN
};

/// Removes an endpoint.
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
    summary: "Give an endpoint another secret",
    description: "The answer alone has the new secret. Messages are signed with the one before as well for 24 hours, or as many as `overlap_hours` says, up to 168; 0 ends it at once.",
    access: Access::Scope(Scope::Webhook),
    takes: Some(Takes::Json { schema: || describe(overlap), example: || object!({ "overlap_hours": 24 }) }),
    gives: Gives::payload::<EndpointWithSecret>(200, "The endpoint with its new secret."),
    refuses: &[Code::R4040, Code::S4090],
    guide: "events.md#secrets",
    handler: || answered_by(rotate),
    ..Endpoint::PLAIN
};

/// Gives an endpoint another secret.
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

/// Reads how long the secret before goes on.
fn overlap(fields: &mut Fields<'_>) -> Option<Duration> {
    let hours = fields.optional("overlap_hours", Hours);
    fields.nothing_but(&["overlap_hours"]);
    Some(hours?.map_or(OVERLAP, |hours| Duration::from_hours(hours.into())))
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

static PING: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/webhooks/endpoints/{endpoint_id}/ping",
    id: "pingWebhookEndpoint",
    tag: "Events",
    summary: "Try an endpoint",
    description: "Has an event `endpoint.ping` sent to this endpoint alone, at most ten times in a minute. Its delivery says what came of it.",
    access: Access::Scope(Scope::Webhook),
    gives: Gives::payload::<SentShown>(202, "It is on its way."),
    refuses: &[Code::R4040, Code::S4090, Code::A4290],
    guide: "events.md#deliveries",
    handler: || answered_by(ping),
    ..Endpoint::PLAIN
};

/// Tries an endpoint.
async fn ping(
    State(app): State<App>,
    caller: Caller<Webhook>,
    _: Admitted,
    id: PathId<kind::WebhookEndpoint>,
) -> Result<Response> {
    let event = app.service.webhooks.ping(caller.partner, id.known("endpoint")?).await?;
    Ok(json(StatusCode::ACCEPTED, &Payload { payload: SentShown { event_id: event.to_string() } }))
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
        let text = |secret: &SigningSecret| secret_text(&secret.bytes);
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
