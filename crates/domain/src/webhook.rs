//! Webhooks: delivery of events to partners (D96).

use std::fmt;

use crate::date::Timestamp;
use crate::event::EventType;
use crate::id::{EventId, PartnerId, WebhookEndpointId};
use crate::text::vocabulary;

vocabulary! {
    EndpointState, "one of enabled, disabled" {
        Enabled = "enabled",
        Disabled = "disabled",
    }
}

vocabulary! {
    /// Why an endpoint is disabled.
    DisabledBy, "one of partner, operator, gone, failing" {
        Partner = "partner",
        Operator = "operator",
        /// The endpoint responded with HTTP status 410 (Gone).
        Gone = "gone",
        /// The endpoint accepted no event for five days.
        Failing = "failing",
    }
}

vocabulary! {
    DeliveryState, "one of pending, delivered, failed" {
        /// Waits for its first or next attempt.
        Pending = "pending",
        /// Accepted by the endpoint.
        Delivered = "delivered",
        /// Every attempt of the schedule failed.
        Failed = "failed",
    }
}

/// Event types that an endpoint receives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedEvents {
    /// All types, including types added later.
    All,
    /// Only these types.
    Types(Vec<EventType>),
}

/// Secret that signs messages to an endpoint.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret {
    pub bytes: [u8; 32],
    /// Time from which this secret is used.
    pub since: Timestamp,
    /// Time until which this secret is used, if another secret replaced it.
    pub until: Option<Timestamp>,
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "SigningSecret(since {})", self.since)
    }
}

/// Recent results of deliveries to an endpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EndpointHealth {
    /// Number of consecutive failed attempts.
    pub failures: u32,
    /// Time of the first of the consecutive failures.
    pub failing_since: Option<Timestamp>,
    /// Nothing is sent to the endpoint before this time.
    pub rests_until: Option<Timestamp>,
}

/// URL to which events of a partner are delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookEndpoint {
    pub id: WebhookEndpointId,
    /// Partner that owns the endpoint.
    pub partner: PartnerId,
    pub created_at: Timestamp,
    pub url: String,
    /// Partner's own description.
    pub description: Option<String>,
    /// Event types that the endpoint receives.
    pub wanted: WantedEvents,
    /// Signing secrets, newest first.
    pub secrets: Vec<SigningSecret>,
    pub state: EndpointState,
    /// Why and since when the endpoint is disabled. `None` if the endpoint is enabled.
    pub disabled: Option<(DisabledBy, Timestamp)>,
    /// Version number, from 1; each stored change adds 1.
    pub version: u32,
    /// Recent results of deliveries. A change of these results does not change `version`.
    pub health: EndpointHealth,
}

impl WebhookEndpoint {
    /// Secrets that sign messages at `now`, newest first.
    pub fn live_secrets(&self, now: Timestamp) -> impl Iterator<Item = &SigningSecret> {
        self.secrets.iter().filter(move |secret| secret.until.is_none_or(|until| now < until))
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryAttempt {
    pub at: Timestamp,
    /// Duration of the attempt in milliseconds.
    pub millis: u32,
    /// HTTP status of the response. `None` if there was no complete response.
    pub status: Option<u16>,
    /// Beginning of the response, or the reason why there was no response.
    pub answer: String,
}

impl DeliveryAttempt {
    /// Whether the endpoint accepted the event: status 200 to 299.
    pub fn is_taken(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }
}

/// An event on its way to an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    pub endpoint: WebhookEndpointId,
    pub event: EventId,
    pub state: DeliveryState,
    /// Time of the next attempt. `None` if there will be none.
    pub due_at: Option<Timestamp>,
    /// Number of attempts since the delivery was created or last requested again.
    pub tries: u32,
    /// Latest attempts, oldest first.
    pub attempts: Vec<DeliveryAttempt>,
}
