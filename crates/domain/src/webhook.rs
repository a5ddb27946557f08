//! Webhooks: where a partner has events delivered, and what became of each delivery (D96).

use std::fmt;

use crate::date::Timestamp;
use crate::event::EventType;
use crate::id::{EventId, PartnerId, WebhookEndpointId};
use crate::text::vocabulary;

vocabulary! {
    /// Whether events are delivered to an endpoint.
    EndpointState, "one of enabled, disabled" {
        /// They are.
        Enabled = "enabled",
        /// They are not.
        Disabled = "disabled",
    }
}

vocabulary! {
    /// Why an endpoint is disabled.
    DisabledBy, "one of partner, operator, gone, failing" {
        /// Its partner disabled it.
        Partner = "partner",
        /// The operator did.
        Operator = "operator",
        /// It answered 410.
        Gone = "gone",
        /// For five days it took nothing.
        Failing = "failing",
    }
}

vocabulary! {
    /// What became of a delivery.
    DeliveryState, "one of pending, delivered, failed" {
        /// It is to be sent, for the first time or again.
        Pending = "pending",
        /// The endpoint took it.
        Delivered = "delivered",
        /// It was sent as often as the schedule says, and not taken.
        Failed = "failed",
    }
}

/// Which events an endpoint asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WantedEvents {
    /// Every one, types that come later included.
    All,
    /// Those of these types.
    Types(Vec<EventType>),
}

/// A secret with which messages to an endpoint are signed.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret {
    pub bytes: [u8; 32],
    /// Since when it signs.
    pub since: Timestamp,
    /// Until when, where another one has replaced it.
    pub until: Option<Timestamp>,
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "SigningSecret(since {})", self.since)
    }
}

/// How deliveries to an endpoint went of late.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EndpointHealth {
    /// Attempts in a row that were not taken.
    pub failures: u32,
    /// The first of these.
    pub failing_since: Option<Timestamp>,
    /// Until when nothing is sent.
    pub rests_until: Option<Timestamp>,
}

/// Where a partner has events delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookEndpoint {
    pub id: WebhookEndpointId,
    /// Whose it is.
    pub partner: PartnerId,
    /// When it was made.
    pub created_at: Timestamp,
    /// Its address.
    pub url: String,
    /// What its partner calls it.
    pub description: Option<String>,
    /// Which events it asks for.
    pub wanted: WantedEvents,
    /// Its secrets, the newest first.
    pub secrets: Vec<SigningSecret>,
    /// Whether events are delivered to it.
    pub state: EndpointState,
    /// Why it is disabled, and since when.
    pub disabled: Option<(DisabledBy, Timestamp)>,
    /// How often it was changed, from 1 on.
    pub version: u32,
    /// How deliveries went of late. Kept beside it, not with its version.
    pub health: EndpointHealth,
}

impl WebhookEndpoint {
    /// The secrets that sign at an instant, the newest first.
    pub fn live_secrets(&self, now: Timestamp) -> impl Iterator<Item = &SigningSecret> {
        self.secrets.iter().filter(move |secret| secret.until.is_none_or(|until| now < until))
    }
}

/// One attempt to deliver an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliveryAttempt {
    /// When it began.
    pub at: Timestamp,
    /// Its length in milliseconds.
    pub millis: u32,
    /// The status of the answer. `None`: there was no complete answer.
    pub status: Option<u16>,
    /// The beginning of the answer, or why there was none.
    pub answer: String,
}

impl DeliveryAttempt {
    /// Whether the endpoint took the event.
    pub fn is_taken(&self) -> bool {
        self.status.is_some_and(|status| (200..300).contains(&status))
    }
}

/// An event on its way to an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Where to.
    pub endpoint: WebhookEndpointId,
    pub event: EventId,
    /// What became of it.
    pub state: DeliveryState,
    /// When it is sent next.
    pub due_at: Option<Timestamp>,
    /// How often it was sent since it was made or asked for again.
    pub tries: u32,
    /// The latest attempts, oldest first.
    pub attempts: Vec<DeliveryAttempt>,
}
