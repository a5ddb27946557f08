//! Endpoints to which events are delivered (D96).

use std::time::Duration;

use clap::{Args, ValueEnum};
use domain::date::Timestamp;
use domain::event::EventType;
use domain::id::{EventId, PartnerId, WebhookEndpointId};
use domain::text::FromText;
use domain::webhook::{Delivery, DeliveryState, DisabledBy, SigningSecret, WantedEvents, WebhookEndpoint};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::access::signing_secret::secret_text;
use service::event::webhook::{EndpointChange, NewEndpoint};
use service::{Error, Service};
use utoipa::ToSchema;
use web::api::shown;

use crate::act::{About, Act, Needs, On, Result, Role, get, post, verbs};
use crate::answer::Answer;
use crate::arguments::bad;
use crate::record::{for_operator, minute, partner_name};

verbs! {
    /// Verbs of `covernote webhook` that work on a store
    WebhookVerb {
        List(ListEndpoints),
        Show(ShowEndpoint),
        Add(AddEndpoint),
        Set(SetEndpoint),
        Remove(RemoveEndpoint),
        Rotate(RotateSecret),
        Ping(PingEndpoint),
        Deliveries(ListDeliveries),
        Retry(RetryDelivery),
        Recover(RecoverEvents),
    }
}

/// List the endpoints that receive events, and show whether each endpoint accepts its events
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListEndpoints {
    /// Only endpoints of this partner: partner_id or client_id
    #[arg(long, value_name = "PARTNER")]
    partner: Option<String>,
}

impl Act for ListEndpoints {
    const ABOUT: About = get("webhook.list", "/webhooks", &[Role::Read, Role::Support]).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let endpoints = endpoints(&on.service, self.partner.as_deref()).await?;
        let row = |endpoint: &WebhookEndpoint| {
            let why = endpoint.disabled.map_or(String::new(), |(by, _)| format!(" by {by}"));
            let failing = endpoint.health.failing_since;
            vec![
                endpoint.id.to_string(),
                partner_name(on, endpoint.partner),
                endpoint.url.clone(),
                types_of(endpoint).join(" "),
                format!("{}{why}", endpoint.state),
                failing
                    .map_or(String::new(), |since| format!("has accepted nothing since {}", minute(since))),
            ]
        };
        let json = json!({ "endpoints": endpoints.iter().map(|endpoint| to_json(on, endpoint)).collect::<Vec<_>>() });
        let head = ["endpoint_id", "partner", "url", "types", "status", ""];
        Ok(Answer::of(json).table(&head, endpoints.iter().map(row)))
    }
}

/// Show an endpoint with its newest deliveries, without the text of its secrets
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowEndpoint {
    /// Endpoint id, whe_…
    id: String,
    /// Most deliveries to show, newest first
    #[arg(long, value_name = "N", default_value_t = 10)]
    #[serde(default = "ten")]
    most: usize,
}

const fn ten() -> usize {
    10
}

impl Act for ShowEndpoint {
    const ABOUT: About =
        get("webhook.show", "/webhooks/{id}", &[Role::Read, Role::Support]).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let endpoint = find(&on.service, &self.id).await?;
        let deliveries = on.service.webhooks.deliveries(endpoint.partner, endpoint.id, None, None, self.most);
        Ok(show(on, &endpoint, &deliveries.await?.deliveries))
    }
}

/// Add an endpoint of a partner; the output shows its secret once
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddEndpoint {
    /// Partner of the endpoint: partner_id or client_id
    #[arg(long, value_name = "PARTNER")]
    partner: String,
    /// URL that receives the events
    #[arg(long)]
    url: String,
    /// Event type to receive, or * for all types; may be repeated
    #[arg(long = "type", value_name = "TYPE", required = true)]
    types: Vec<String>,
    /// Description of the endpoint
    #[arg(long)]
    description: Option<String>,
}

impl Act for AddEndpoint {
    const ABOUT: About = post("webhook.add", "/webhooks", &[Role::Support]).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let of = on.service.partners.find(&self.partner).await?.partner.id;
        let new = NewEndpoint { url: self.url, description: self.description, wanted: wanted(&self.types)? };
        Ok(show_secret(on, &on.service.webhooks.add(of, new).await?))
    }
}

/// Enable or disable an endpoint
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SetEndpoint {
    /// Endpoint id, whe_…
    id: String,
    /// Whether events are delivered to the endpoint
    #[arg(long, value_enum)]
    status: EndpointStatus,
}

impl Act for SetEndpoint {
    const ABOUT: About = post("webhook.set", "/webhooks/{id}/status", &[Role::Support]).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let endpoint = find(&on.service, &self.id).await?;
        let enabled = Some(self.status == EndpointStatus::Enabled);
        let change = EndpointChange { enabled, ..EndpointChange::default() };
        let by = DisabledBy::Operator;
        let changed = on.service.webhooks.change(endpoint.partner, endpoint.id, &change, by).await?;
        Ok(Answer::of(to_json(on, &changed)).saying(format!("{} is {}", self.id, changed.state)))
    }
}

/// Remove an endpoint and its deliveries
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RemoveEndpoint {
    /// Endpoint id, whe_…
    id: String,
}

impl Act for RemoveEndpoint {
    const ABOUT: About =
        post("webhook.remove", "/webhooks/{id}/removal", &[Role::Support]).irreversible().needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let endpoint = find(&on.service, &self.id).await?;
        on.service.webhooks.remove(endpoint.partner, endpoint.id).await?;
        Ok(Answer::of(json!({ "endpoint_id": self.id })).saying(format!("{} is removed", self.id)))
    }
}

/// Give an endpoint a new secret; the output shows it once
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RotateSecret {
    /// Endpoint id, whe_…
    id: String,
    /// Hours in which events are also signed with the previous secret, 0 to 168
    #[arg(long, value_name = "HOURS", default_value_t = 24, value_parser = clap::value_parser!(u32).range(0..=168))]
    #[serde(default = "day")]
    overlap_hours: u32,
}

/// Default of `overlap_hours`.
const fn day() -> u32 {
    24
}

impl Act for RotateSecret {
    const ABOUT: About =
        post("webhook.rotate", "/webhooks/{id}/rotation", &[Role::Support]).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let endpoint = find(&on.service, &self.id).await?;
        let overlap = Duration::from_hours(self.overlap_hours.into());
        Ok(show_secret(on, &on.service.webhooks.rotate(endpoint.partner, endpoint.id, overlap).await?))
    }
}

/// Send the event endpoint.ping to an endpoint
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PingEndpoint {
    /// Endpoint id, whe_…
    id: String,
}

impl Act for PingEndpoint {
    const ABOUT: About = post("webhook.ping", "/webhooks/{id}/ping", &[Role::Support]).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let endpoint = find(&on.service, &self.id).await?;
        let event = on.service.webhooks.ping(endpoint.partner, endpoint.id).await?;
        let json = json!({ "endpoint_id": self.id, "event_id": event.to_string() });
        Ok(Answer::of(json).saying(format!("{event} will be sent to {}", self.id)))
    }
}

/// List deliveries to an endpoint, newest first; only the partner can read the endpoint's answers
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ListDeliveries {
    /// Endpoint id, whe_…
    id: String,
    /// Only deliveries with this status
    #[arg(long, value_enum)]
    status: Option<DeliveryStatus>,
    /// Most deliveries to list
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for ListDeliveries {
    const ABOUT: About = get("webhook.deliveries", "/webhooks/{id}/deliveries", &[Role::Read, Role::Support])
        .needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let endpoint = find(&on.service, &self.id).await?;
        let (of, state) = (endpoint.partner, self.status.map(state_of));
        let page = on.service.webhooks.deliveries(of, endpoint.id, state, None, self.most).await?;
        let shown: Vec<Value> = page.deliveries.iter().map(delivery_to_json).collect();
        Ok(table(Answer::of(json!({ "deliveries": shown })), &page.deliveries))
    }
}

/// Send an event to an endpoint again
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RetryDelivery {
    /// Endpoint id, whe_…
    id: String,
    /// Event id, evt_…
    event: String,
}

impl Act for RetryDelivery {
    const ABOUT: About = post("webhook.retry", "/webhooks/{id}/deliveries/{event}/retry", &[Role::Support])
        .needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let endpoint = find(&on.service, &self.id).await?;
        on.service.webhooks.retry(endpoint.partner, endpoint.id, read_event(&self.event)?).await?;
        let json = json!({ "endpoint_id": self.id, "event_id": self.event });
        Ok(Answer::of(json).saying(format!("{} will be sent to {}", self.event, self.id)))
    }
}

/// Send every event again that an endpoint has not accepted
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecoverEvents {
    /// Endpoint id, whe_…
    id: String,
    /// Time of the oldest event to send, such as 2026-11-20T00:00:00Z, at most 14 days ago
    #[arg(long, value_name = "INSTANT")]
    since: String,
}

impl Act for RecoverEvents {
    const ABOUT: About =
        post("webhook.recover", "/webhooks/{id}/recovery", &[Role::Support]).needs(Needs::Store);

    async fn run(self, on: &On) -> Result<Answer> {
        let endpoint = find(&on.service, &self.id).await?;
        let since = &self.since;
        let from: Timestamp = since.parse().map_err(|_| {
            bad(format!("--since: must be an instant such as 2026-11-20T00:00:00Z, not {since:?}"))
        })?;
        let count = on.service.webhooks.recover(endpoint.partner, endpoint.id, from).await?;
        let json = json!({ "endpoint_id": self.id, "events": count });
        Ok(Answer::of(json).saying(format!("{count} events will be sent to {}", self.id)))
    }
}

/// Endpoints of one partner, or of all partners.
async fn endpoints(service: &Service, of: Option<&str>) -> Result<Vec<WebhookEndpoint>> {
    let partners: Vec<PartnerId> = match of {
        Some(named) => vec![service.partners.find(named).await?.partner.id],
        None => service.partners.all().await?.into_iter().map(|record| record.partner.id).collect(),
    };
    let mut found = Vec::new();
    for partner in partners {
        found.extend(service.webhooks.list(partner).await?);
    }
    Ok(found)
}

/// Finds an endpoint by its id, whichever partner owns the endpoint.
async fn find(service: &Service, id: &str) -> Result<WebhookEndpoint> {
    let wanted: Option<WebhookEndpointId> = id.parse().ok();
    let found = endpoints(service, None).await?.into_iter().find(|endpoint| Some(endpoint.id) == wanted);
    found.ok_or_else(|| Error::Unknown { what: "endpoint", id: id.to_owned() }.into())
}

fn read_event(id: &str) -> Result<EventId> {
    id.parse().map_err(|_| Error::Unknown { what: "delivery", id: id.to_owned() }.into())
}

fn wanted(types: &[String]) -> Result<WantedEvents> {
    if types.len() == 1 && types[0] == "*" {
        return Ok(WantedEvents::All);
    }
    let read = types.iter().map(|word| {
        EventType::from_text(word).map_err(|_| {
            bad(format!("--type: must be a type of event such as policy.issued, or * alone, not {word:?}"))
        })
    });
    let mut types: Vec<EventType> = read.collect::<Result<_, _>>()?;
    types.sort_unstable();
    types.dedup();
    Ok(WantedEvents::Types(types))
}

fn types_of(endpoint: &WebhookEndpoint) -> Vec<&'static str> {
    match &endpoint.wanted {
        WantedEvents::All => vec!["*"],
        WantedEvents::Types(types) => types.iter().map(|kind| kind.word()).collect(),
    }
}

/// JSON of an endpoint, with its partner.
fn to_json(on: &On, endpoint: &WebhookEndpoint) -> Value {
    for_operator(on, shown::webhook_endpoint(endpoint), endpoint.partner, &[])
}

/// JSON of a delivery, without the endpoint's answers.
fn delivery_to_json(delivery: &Delivery) -> Value {
    let mut printed = shown::delivery(delivery);
    for attempt in printed["attempts"].as_array_mut().into_iter().flatten() {
        attempt.as_object_mut().map(|attempt| attempt.remove("answer"));
    }
    printed
}

/// Time of a delivery's last attempt, with the HTTP status of the answer, if any.
fn last(delivery: &Delivery) -> Option<(Timestamp, Option<u16>)> {
    delivery.attempts.last().map(|attempt| (attempt.at, attempt.status))
}

/// Adds a table of deliveries to the answer.
fn table(answer: Answer, deliveries: &[Delivery]) -> Answer {
    let row = |delivery: &Delivery| {
        vec![
            delivery.event.to_string(),
            delivery.state.to_string(),
            delivery.tries.to_string(),
            last(delivery).map_or(String::new(), |(at, _)| minute(at)),
            last(delivery).map_or(String::new(), |(_, status)| {
                status.map_or("no answer".to_owned(), |status| status.to_string())
            }),
            delivery.due_at.map_or(String::new(), minute),
        ]
    };
    answer.table(
        &["event_id", "status", "tries", "last attempt", "answered", "next attempt"],
        deliveries.iter().map(row),
    )
}

fn show_secret(on: &On, endpoint: &WebhookEndpoint) -> Answer {
    let secret = endpoint.secrets.first().map(|secret| secret_text(&secret.bytes)).unwrap_or_default();
    let mut printed = to_json(on, endpoint);
    printed["secret"] = secret.clone().into();
    let mut answer = Answer::of(printed);
    answer.data(format!("endpoint_id  {}\nsecret       {secret}", endpoint.id));
    answer.saying("The secret is shown only now.")
}

/// Answer with an endpoint and its newest deliveries, without the text of the endpoint's secrets.
fn show(on: &On, endpoint: &WebhookEndpoint, deliveries: &[Delivery]) -> Answer {
    let now = on.service.installation.now();
    let secret = |secret: &SigningSecret| {
        json!({
            "since": secret.since.to_string(), "until": secret.until.map(|until| until.to_string()),
            "age_days": age_in_days(secret, now),
        })
    };
    let mut shown = to_json(on, endpoint);
    shown["rests_until"] = resting(endpoint, now).map(|until| until.to_string()).into();
    shown["secrets"] = endpoint.live_secrets(now).map(secret).collect();
    shown["deliveries"] = deliveries.iter().map(delivery_to_json).collect::<Vec<Value>>().into();
    let mut answer = Answer::of(shown);
    let (id, partner) = (endpoint.id, endpoint.partner);
    let why = endpoint.disabled.map_or(String::new(), |(by, at)| format!(" by {by} since {}", minute(at)));
    let mut lines = vec![
        format!("endpoint_id  {id}"),
        format!("partner      {} ({partner})", partner_name(on, partner)),
        format!("url          {}", endpoint.url),
        format!("description  {}", endpoint.description.as_deref().unwrap_or_default()),
        format!("types        {}", types_of(endpoint).join(" ")),
        format!("created_at   {}", minute(endpoint.created_at)),
        format!("status       {}{why}", endpoint.state),
        format!("health       {}", health(endpoint, now)),
    ];
    lines.extend(endpoint.live_secrets(now).map(|secret| {
        let until = secret.until.map_or(String::new(), |until| format!(", signs until {until}"));
        format!("secret       {} days old, since {}{until}", age_in_days(secret, now), secret.since)
    }));
    lines.iter().for_each(|line| answer.data(line.trim_end()));
    if deliveries.is_empty() {
        answer.data("deliveries   none");
        return answer;
    }
    answer.data("");
    table(answer, deliveries)
}

/// Describes whether the endpoint accepts events.
fn health(endpoint: &WebhookEndpoint, now: Timestamp) -> String {
    let health = &endpoint.health;
    let Some(since) = health.failing_since else {
        return "the latest attempt was accepted, or there was none".into();
    };
    let rests = resting(endpoint, now).map_or(String::new(), |until| format!(", paused until {until}"));
    format!("has accepted nothing since {since}, failures in a row: {}{rests}", health.failures)
}

/// End of the pause in which nothing is sent to the endpoint. `None` if there is no pause now.
fn resting(endpoint: &WebhookEndpoint, now: Timestamp) -> Option<Timestamp> {
    endpoint.health.rests_until.filter(|until| *until > now)
}

fn age_in_days(secret: &SigningSecret, now: Timestamp) -> i64 {
    now.duration_since(secret.since).as_hours().max(0) / 24
}

/// Whether events are delivered to an endpoint
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EndpointStatus {
    /// Events are delivered to the endpoint
    Enabled,
    /// Events are not delivered to the endpoint
    Disabled,
}

/// Status of a delivery
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DeliveryStatus {
    /// The event will be sent, or sent again
    Pending,
    /// The endpoint accepted the event
    Delivered,
    /// Every attempt of the schedule to deliver the event failed
    Failed,
}

const fn state_of(status: DeliveryStatus) -> DeliveryState {
    match status {
        DeliveryStatus::Pending => DeliveryState::Pending,
        DeliveryStatus::Delivered => DeliveryState::Delivered,
        DeliveryStatus::Failed => DeliveryState::Failed,
    }
}
