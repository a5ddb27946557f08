//! Store operations for webhooks (D96).
//!
//! A delivery is created in the transaction of its event, for every endpoint that receives this type of
//! event.
//!
//! A sender claims a delivery by moving its due time. Until that time, the delivery belongs to this sender.
//! Deliveries are claimed by endpoint, so that no endpoint waits for another.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{EventId, PartnerId, Uuid, WebhookEndpointId};
use domain::webhook::{Delivery, DeliveryAttempt, DeliveryState, EndpointHealth, WebhookEndpoint};

use super::Result;
use super::events::NewEvent;
use super::lists::Beyond;

/// Maximum number of stored attempts per delivery. Older attempts are dropped.
pub const ATTEMPTS_KEPT: usize = 16;

/// An endpoint with deliveries to send.
#[derive(Debug, Clone)]
pub struct Lane {
    pub endpoint: WebhookEndpoint,
    /// Due time of the earliest delivery that was never attempted.
    pub first_due: Option<Timestamp>,
    /// Due time of the earliest delivery that is attempted again.
    pub again_due: Option<Timestamp>,
}

/// A delivery that a sender holds.
#[derive(Debug, Clone)]
pub struct Held {
    /// Partner of the endpoint.
    pub of: PartnerId,
    pub delivery: Delivery,
    /// Id of the sender that holds the delivery.
    pub owner: Uuid,
    /// Number of times that the delivery was claimed.
    pub lease: u32,
}

/// Result of an attempt to deliver an event.
#[derive(Debug, Clone)]
pub struct Sent {
    /// New state of the delivery.
    pub state: DeliveryState,
    /// Time of the next attempt. `None` if there will be none.
    pub due_at: Option<Timestamp>,
    pub attempt: DeliveryAttempt,
    /// Number of consecutive failures from which nothing is sent to the endpoint for a while, and the end of
    /// that pause.
    pub rests: (u32, Timestamp),
}

/// A page of deliveries, newest first.
#[derive(Debug, Clone, Default)]
pub struct DeliveryPage {
    pub deliveries: Vec<Delivery>,
    /// Whether more deliveries match, in the direction of the query.
    pub has_more: bool,
}

impl DeliveryPage {
    /// A page of at most `most` deliveries. The query reads one delivery more than `most`, which shows
    /// whether there are more.
    pub fn of(mut deliveries: Vec<Delivery>, most: usize) -> Self {
        let has_more = deliveries.len() > most;
        deliveries.truncate(most);
        DeliveryPage { deliveries, has_more }
    }
}

#[async_trait]
pub trait Webhooks: Send + Sync {
    /// Stores a new endpoint. `false`: its partner has `most` endpoints already, so nothing was stored.
    async fn add_endpoint(&self, endpoint: &WebhookEndpoint, most: usize) -> Result<bool>;

    /// Stores a changed endpoint if its version is unchanged, increases the version, and resets the
    /// endpoint's health. `false`: the endpoint was changed meanwhile, so nothing was stored.
    async fn change_endpoint(&self, endpoint: &WebhookEndpoint, events: &[NewEvent]) -> Result<bool>;

    /// Deletes an endpoint with its deliveries. `false`: there is no such endpoint.
    async fn remove_endpoint(&self, of: PartnerId, id: WebhookEndpointId) -> Result<bool>;

    /// A partner's endpoints, oldest first.
    async fn endpoints(&self, of: PartnerId) -> Result<Vec<WebhookEndpoint>>;

    /// Enabled endpoints that have deliveries to send, and that are not paused after failures.
    async fn lanes(&self, now: Timestamp) -> Result<Vec<Lane>>;

    /// Id of the oldest event with a pending delivery, even if its endpoint is disabled or paused. `None` if
    /// there is none.
    async fn oldest_pending(&self) -> Result<Option<EventId>>;

    /// Claims due deliveries to an endpoint until `until`. `again`: deliveries that were attempted before;
    /// otherwise, deliveries that were never attempted.
    async fn claim_deliveries(
        &self,
        endpoint: (PartnerId, WebhookEndpointId),
        again: bool,
        owner: Uuid,
        now: Timestamp,
        until: Timestamp,
        most: usize,
    ) -> Result<Vec<Held>>;

    /// Stores the result of an attempt, and returns the endpoint's new health. `None`: another sender holds
    /// the delivery, so nothing was stored.
    async fn keep_attempt(&self, held: &Held, sent: &Sent) -> Result<Option<EndpointHealth>>;

    /// Extends all claims of a sender to `until`. Returns the number of its deliveries.
    async fn renew_deliveries(&self, owner: Uuid, until: Timestamp) -> Result<usize>;

    /// Releases all deliveries of a sender. They are due at once. Returns the number of deliveries.
    async fn hand_back_deliveries(&self, owner: Uuid, now: Timestamp) -> Result<usize>;

    /// Releases the deliveries of all senders. Call this only if no other process runs. Returns the number of
    /// deliveries.
    async fn free_deliveries(&self, now: Timestamp) -> Result<usize>;

    /// Makes the delivery of an event to an endpoint due now, whatever state the delivery is in.
    async fn deliver_again(
        &self,
        endpoint: (PartnerId, WebhookEndpointId),
        event: EventId,
        now: Timestamp,
    ) -> Result<()>;

    /// Stores an event for one endpoint only, and makes its delivery due now.
    async fn ping(&self, endpoint: (PartnerId, WebhookEndpointId), ping: &NewEvent) -> Result<()>;

    /// Makes deliveries to an endpoint due again: of events that were made at `since` or later and that the
    /// endpoint has not accepted. Only event types that the endpoint receives; oldest first; at most `most`.
    /// Returns the number of these deliveries.
    async fn recover_deliveries(
        &self,
        endpoint: &WebhookEndpoint,
        since: Timestamp,
        now: Timestamp,
        most: usize,
    ) -> Result<usize>;

    /// A page of deliveries to an endpoint, newest first. If `state` is given: only deliveries in that state.
    /// `from`: start of the page.
    async fn deliveries(
        &self,
        endpoint: (PartnerId, WebhookEndpointId),
        state: Option<DeliveryState>,
        from: Option<Beyond<EventId>>,
        most: usize,
    ) -> Result<DeliveryPage>;

    async fn delivery(
        &self,
        endpoint: (PartnerId, WebhookEndpointId),
        event: EventId,
    ) -> Result<Option<Delivery>>;

    /// Deletes deliveries of a partner's events made before an instant, at most `most`. Returns their number.
    async fn forget_deliveries(&self, of: PartnerId, before: Timestamp, most: usize) -> Result<usize>;
}
