//! Endpoints to which events are delivered (D96).

use domain::vocabulary;
use std::time::Duration;

use domain::date::Timestamp;
use domain::event::EventType;
use domain::id::{EventId, PartnerId, WebhookEndpointId};
use domain::text::FromText;
use domain::webhook::{
    Delivery, DeliveryAttempt, DeliveryState, DisabledBy, SigningSecret, WantedEvents, WebhookEndpoint,
};
use service::access::signing_secret::secret_text;
use service::event::webhook::{EndpointChange, NewEndpoint};
use service::{Error, Service};

use crate::act::answer::Done;
use crate::act::arguments::bad;
use crate::act::fields::PartnerName;
use crate::act::input::{input, texts};
use crate::act::record::OfPartner;
use crate::act::shown::{answer, words};
use crate::act::{About, Act, Needs, On, Result, Role, get, post};

input! {
    /// List the endpoints that receive events, and show whether each endpoint accepts its events
    struct ListEndpoints {
        /// Only endpoints of this partner: partner_id or client_id
        partner: Option<PartnerName>,
    }
}

impl Act for ListEndpoints {
    const ABOUT: About = get("webhook.list", "/webhooks", &[Role::Read, Role::Support]).needs(Needs::Store);

    type Answer = Done<Endpoints>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let of = self.partner.as_ref().map(|partner| partner.0.as_str());
        let endpoints = endpoints(&on.service, of).await?;
        Ok(Done::of(Endpoints {
            endpoints: endpoints.iter().map(|one| EndpointOfPartner::of(on, one)).collect(),
        }))
    }
}

input! {
    /// Show an endpoint with its newest deliveries, without the text of its secrets
    struct ShowEndpoint {
        /// Endpoint id, whe_…
        id: WebhookEndpointId,
        /// Most deliveries to show, newest first
        most: usize = 10,
    }
}

impl Act for ShowEndpoint {
    const ABOUT: About =
        get("webhook.show", "/webhooks/{id}", &[Role::Read, Role::Support]).needs(Needs::Store);

    type Answer = Done<EndpointInFull>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let endpoint = find(&on.service, self.id).await?;
        let deliveries = on.service.webhooks.deliveries(endpoint.partner, endpoint.id, None, None, self.most);
        Ok(Done::of(EndpointInFull::of(on, &endpoint, &deliveries.await?.deliveries)))
    }
}

input! {
    /// Add an endpoint of a partner; the output shows its secret once
    struct AddEndpoint {
        /// Partner of the endpoint: partner_id or client_id
        partner: PartnerName,
        /// URL that receives the events
        url: String,
        /// Event type to receive, or * for all types; may be repeated
        #[flag(long = "type", value = "TYPE", is_required = true)]
        types: Vec<WantedType>,
        /// Description of the endpoint
        description: Option<String>,
    }
}

impl Act for AddEndpoint {
    const ABOUT: About = post("webhook.add", "/webhooks", &[Role::Support]).needs(Needs::Store);

    type Answer = Done<EndpointSecret>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let of = on.service.partners.find(&self.partner.0).await?.partner.id;
        let new = NewEndpoint { url: self.url, description: self.description, wanted: wanted(self.types)? };
        Ok(show_secret(on, &on.service.webhooks.add(of, new).await?))
    }
}

input! {
    /// Enable or disable an endpoint
    struct SetEndpoint {
        /// Endpoint id, whe_…
        id: WebhookEndpointId,
        /// Whether events are delivered to the endpoint
        status: EndpointStatus,
    }
}

impl Act for SetEndpoint {
    const ABOUT: About = post("webhook.set", "/webhooks/{id}/status", &[Role::Support]).needs(Needs::Store);

    type Answer = Done<EndpointOfPartner>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let endpoint = find(&on.service, self.id).await?;
        let enabled = Some(self.status == EndpointStatus::Enabled);
        let change = EndpointChange { enabled, ..EndpointChange::default() };
        let by = DisabledBy::Operator;
        let changed = on.service.webhooks.change(endpoint.partner, endpoint.id, &change, by).await?;
        Ok(Done::of(EndpointOfPartner::of(on, &changed)).saying(format!("{} is {}", self.id, changed.state)))
    }
}

input! {
    /// Remove an endpoint and its deliveries
    struct RemoveEndpoint {
        /// Endpoint id, whe_…
        id: WebhookEndpointId,
    }
}

impl Act for RemoveEndpoint {
    const ABOUT: About =
        post("webhook.remove", "/webhooks/{id}/removal", &[Role::Support]).irreversible().needs(Needs::Store);

    type Answer = Done<EndpointRemoved>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let endpoint = find(&on.service, self.id).await?;
        on.service.webhooks.remove(endpoint.partner, endpoint.id).await?;
        Ok(Done::of(EndpointRemoved { endpoint_id: self.id }).saying(format!("{} is removed", self.id)))
    }
}

input! {
    /// Give an endpoint a new secret; the output shows it once
    struct RotateSecret {
        /// Endpoint id, whe_…
        id: WebhookEndpointId,
        /// Hours in which events are also signed with the previous secret, 0 to 168
        #[flag(value = "HOURS", range = (0, 168))]
        overlap_hours: u32 = 24,
    }
}

impl Act for RotateSecret {
    const ABOUT: About =
        post("webhook.rotate", "/webhooks/{id}/rotation", &[Role::Support]).needs(Needs::Store);

    type Answer = Done<EndpointSecret>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let endpoint = find(&on.service, self.id).await?;
        let overlap = Duration::from_hours(self.overlap_hours.into());
        Ok(show_secret(on, &on.service.webhooks.rotate(endpoint.partner, endpoint.id, overlap).await?))
    }
}

input! {
    /// Send the event endpoint.ping to an endpoint
    struct PingEndpoint {
        /// Endpoint id, whe_…
        id: WebhookEndpointId,
    }
}

impl Act for PingEndpoint {
    const ABOUT: About = post("webhook.ping", "/webhooks/{id}/ping", &[Role::Support]).needs(Needs::Store);

    type Answer = Done<EventSent>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let endpoint = find(&on.service, self.id).await?;
        let event = on.service.webhooks.ping(endpoint.partner, endpoint.id).await?;
        let note = format!("{event} will be sent to {}", self.id);
        Ok(Done::of(EventSent { endpoint_id: self.id, event_id: event }).saying(note))
    }
}

input! {
    /// List deliveries to an endpoint, newest first; only the partner can read the endpoint's answers
    struct ListDeliveries {
        /// Endpoint id, whe_…
        id: WebhookEndpointId,
        /// Only deliveries with this status
        status: Option<DeliveryState>,
        /// Most deliveries to list
        most: usize = 50,
    }
}

impl Act for ListDeliveries {
    const ABOUT: About = get("webhook.deliveries", "/webhooks/{id}/deliveries", &[Role::Read, Role::Support])
        .needs(Needs::Store);

    type Answer = Done<Deliveries>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let endpoint = find(&on.service, self.id).await?;
        let (of, state) = (endpoint.partner, self.status);
        let page = on.service.webhooks.deliveries(of, endpoint.id, state, None, self.most).await?;
        Ok(Done::of(Deliveries { deliveries: page.deliveries.iter().map(DeliveryToEndpoint::of).collect() }))
    }
}

input! {
    /// Send an event to an endpoint again
    struct RetryDelivery {
        /// Endpoint id, whe_…
        id: WebhookEndpointId,
        /// Event id, evt_…
        event: EventId,
    }
}

impl Act for RetryDelivery {
    const ABOUT: About = post("webhook.retry", "/webhooks/{id}/deliveries/{event}/retry", &[Role::Support])
        .needs(Needs::Store);

    type Answer = Done<EventSent>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let endpoint = find(&on.service, self.id).await?;
        on.service.webhooks.retry(endpoint.partner, endpoint.id, self.event).await?;
        let note = format!("{} will be sent to {}", self.event, self.id);
        Ok(Done::of(EventSent { endpoint_id: self.id, event_id: self.event }).saying(note))
    }
}

input! {
    /// Send every event again that an endpoint has not accepted
    struct RecoverEvents {
        /// Endpoint id, whe_…
        id: WebhookEndpointId,
        /// Time of the oldest event to send, such as 2026-11-20T00:00:00Z, at most 14 days ago
        #[flag(value = "INSTANT")]
        since: Instant,
    }
}

impl Act for RecoverEvents {
    const ABOUT: About =
        post("webhook.recover", "/webhooks/{id}/recovery", &[Role::Support]).needs(Needs::Store);

    type Answer = Done<EventsSent>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let endpoint = find(&on.service, self.id).await?;
        let count = on.service.webhooks.recover(endpoint.partner, endpoint.id, self.since.0).await?;
        let note = format!("{count} events will be sent to {}", self.id);
        Ok(Done::of(EventsSent { endpoint_id: self.id, events: count }).saying(note))
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
async fn find(service: &Service, id: WebhookEndpointId) -> Result<WebhookEndpoint> {
    let found = endpoints(service, None).await?.into_iter().find(|endpoint| endpoint.id == id);
    found.ok_or_else(|| Error::Unknown { what: "endpoint", id: id.to_string() }.into())
}

/// A type of event, or `*` for all types.
pub(crate) struct WantedType(Option<EventType>);

impl FromText for WantedType {
    const WANTED: &'static str = "a type of event such as policy.issued, or * alone";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        if text == "*" {
            Ok(WantedType(None))
        } else {
            EventType::from_text(text).map(|kind| WantedType(Some(kind)))
        }
    }
}

/// An instant in the form of RFC 3339.
pub(crate) struct Instant(Timestamp);

impl FromText for Instant {
    const WANTED: &'static str = "an instant such as 2026-11-20T00:00:00Z";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        text.parse().map(Instant).map_err(|_| "text that is not such an instant")
    }
}

/// # Errors
/// If `*` is not alone.
fn wanted(types: Vec<WantedType>) -> Result<WantedEvents> {
    let count = types.len();
    let mut named: Vec<EventType> = types.into_iter().filter_map(|WantedType(kind)| kind).collect();
    named.sort_unstable();
    match (count, named.len()) {
        (1, 0) => Ok(WantedEvents::All),
        (count, known) if count == known => {
            named.dedup();
            Ok(WantedEvents::Types(named))
        }
        _ => Err(bad("types: Must be * alone, or types of events.")),
    }
}

fn types_of(endpoint: &WebhookEndpoint) -> Vec<&'static str> {
    match &endpoint.wanted {
        WantedEvents::All => vec!["*"],
        WantedEvents::Types(types) => types.iter().map(|kind| kind.word()).collect(),
    }
}

fn show_secret(on: &On, endpoint: &WebhookEndpoint) -> Done<EndpointSecret> {
    let secret = endpoint.secrets.first().map(|secret| secret_text(&secret.bytes)).unwrap_or_default();
    Done::of(EndpointSecret { secret, endpoint: EndpointOfPartner::of(on, endpoint) })
        .saying("The secret is shown only now.")
}

/// End of the pause in which nothing is sent to the endpoint. `None` if there is no pause now.
fn resting(endpoint: &WebhookEndpoint, now: Timestamp) -> Option<Timestamp> {
    endpoint.health.rests_until.filter(|until| *until > now)
}

fn age_in_days(secret: &SigningSecret, now: Timestamp) -> i64 {
    now.duration_since(secret.since).as_hours().max(0) / 24
}

vocabulary! {
    /// Whether events are delivered to an endpoint
    EndpointStatus, "one of enabled, disabled" {
        /// Events are delivered to the endpoint
        Enabled = "enabled",
        /// Events are not delivered to the endpoint
        Disabled = "disabled",
    }
}

texts!(DeliveryState, EndpointStatus, Instant, WantedType);
words!(DeliveryState);

answer! {
    /// Endpoints that receive events
    struct Endpoints {
        /// Endpoints
        #[shown(columns = ["endpoint_id", "partner_name", "url", "types", "status", "disabled_by", "failing_since"])]
        endpoints: Vec<EndpointOfPartner>,
    }
}

answer! {
    /// An endpoint with its partner
    struct EndpointOfPartner {
        /// Id of the endpoint
        endpoint_id: WebhookEndpointId,
        /// Address to which events are sent
        url: String,
        /// Description
        description: Option<String>,
        /// Event types that it receives, or only * for all
        types: Vec<&'static str>,
        /// Status: enabled or disabled
        status: &'static str,
        /// Why it is disabled
        disabled_by: Option<&'static str>,
        /// When it was disabled
        disabled_at: Option<Timestamp>,
        /// When it was added
        created_at: Timestamp,
        /// Number of failed attempts in a row
        failures: u32,
        /// When it began to accept nothing
        #[shown(label = "accepts nothing since")]
        failing_since: Option<Timestamp>,
    } with {
        of: OfPartner,
    }
}

impl EndpointOfPartner {
    fn of(on: &On, endpoint: &WebhookEndpoint) -> Self {
        EndpointOfPartner {
            endpoint_id: endpoint.id,
            url: endpoint.url.clone(),
            description: endpoint.description.clone(),
            types: types_of(endpoint),
            status: endpoint.state.word(),
            disabled_by: endpoint.disabled.map(|(by, _)| by.word()),
            disabled_at: endpoint.disabled.map(|(_, at)| at),
            created_at: endpoint.created_at,
            failures: endpoint.health.failures,
            failing_since: endpoint.health.failing_since,
            of: OfPartner::of(on, endpoint.partner),
        }
    }
}

answer! {
    /// An endpoint with its newest deliveries
    struct EndpointInFull {
        /// End of the pause in which nothing is sent
        #[shown(label = "paused until")]
        rests_until: Option<Timestamp>,
        /// Its secrets, without their texts
        secrets: Vec<EndpointKey>,
        /// Newest deliveries
        #[shown(columns = ["event_id", "status", "tries", "last_attempt_at", "last_status", "next_attempt_at"])]
        deliveries: Vec<DeliveryToEndpoint>,
    } with {
        endpoint: EndpointOfPartner,
    }
}

answer! {
    /// A signing secret without its text
    struct EndpointKey {
        /// When it was made
        since: Timestamp,
        /// Until when it also signs
        until: Option<Timestamp>,
        /// Age in days
        age_days: i64,
    }
}

impl EndpointInFull {
    fn of(on: &On, endpoint: &WebhookEndpoint, deliveries: &[Delivery]) -> Self {
        let now = on.service.installation.now();
        let secret = |secret: &SigningSecret| EndpointKey {
            since: secret.since,
            until: secret.until,
            age_days: age_in_days(secret, now),
        };
        EndpointInFull {
            rests_until: resting(endpoint, now),
            secrets: endpoint.live_secrets(now).map(secret).collect(),
            deliveries: deliveries.iter().map(DeliveryToEndpoint::of).collect(),
            endpoint: EndpointOfPartner::of(on, endpoint),
        }
    }
}

answer! {
    /// Deliveries to an endpoint
    struct Deliveries {
        /// Deliveries, newest first
        #[shown(columns = ["event_id", "status", "tries", "last_attempt_at", "last_status", "next_attempt_at"])]
        deliveries: Vec<DeliveryToEndpoint>,
    }
}

answer! {
    /// A delivery, without the endpoint's answers, which only the partner can read
    struct DeliveryToEndpoint {
        /// Id of the event
        event_id: EventId,
        /// Status
        status: DeliveryState,
        /// Number of attempts
        tries: u32,
        /// When the last attempt was
        #[shown(label = "last attempt")]
        last_attempt_at: Option<Timestamp>,
        /// HTTP status of the answer to it
        #[shown(label = "answered")]
        last_status: Option<u16>,
        /// When the next attempt is
        #[shown(label = "next attempt")]
        next_attempt_at: Option<Timestamp>,
        /// Latest attempts, oldest first
        attempts: Vec<AttemptOfDelivery>,
    }
}

answer! {
    /// An attempt to deliver an event
    struct AttemptOfDelivery {
        /// When it started
        at: Timestamp,
        /// Duration in milliseconds
        milliseconds: u32,
        /// HTTP status of the answer
        status_code: Option<u16>,
        /// Why there was no answer
        error: Option<String>,
    }
}

impl DeliveryToEndpoint {
    fn of(delivery: &Delivery) -> Self {
        let attempt = |attempt: &DeliveryAttempt| AttemptOfDelivery {
            at: attempt.at,
            milliseconds: attempt.millis,
            status_code: attempt.status,
            error: attempt.status.is_none().then(|| attempt.answer.clone()),
        };
        let last = delivery.attempts.last();
        DeliveryToEndpoint {
            event_id: delivery.event,
            status: delivery.state,
            tries: delivery.tries,
            last_attempt_at: last.map(|attempt| attempt.at),
            last_status: last.and_then(|attempt| attempt.status),
            next_attempt_at: delivery.due_at,
            attempts: delivery.attempts.iter().map(attempt).collect(),
        }
    }
}

answer! {
    /// An endpoint with its new secret
    struct EndpointSecret {
        /// Secret, which is shown only now
        secret: String,
    } with {
        endpoint: EndpointOfPartner,
    }
}

answer! {
    /// A removed endpoint
    struct EndpointRemoved {
        /// Id of the endpoint
        endpoint_id: WebhookEndpointId,
    }
}

answer! {
    /// An event that will be sent
    struct EventSent {
        /// Id of the endpoint
        endpoint_id: WebhookEndpointId,
        /// Id of the event
        event_id: EventId,
    }
}

answer! {
    /// Events that will be sent
    struct EventsSent {
        /// Id of the endpoint
        endpoint_id: WebhookEndpointId,
        /// Number of events
        events: usize,
    }
}
