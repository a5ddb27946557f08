//! What the use cases need of a store for webhooks: endpoints, and the deliveries to them. A delivery is made in the transaction of its
//! event, for every endpoint that asks for its type (D96).
//!
//! Who sends a delivery holds it: its due time is the end of that. Deliveries are claimed by endpoint, so that none waits for another
//! endpoint's.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{EventId, PartnerId, Uuid, WebhookEndpointId};
use domain::webhook::{Delivery, DeliveryAttempt, DeliveryState, EndpointHealth, WebhookEndpoint};

use super::Result;
use super::events::NewEvent;
use super::lists::Beyond;

/// Most attempts that are kept of a delivery.
pub const ATTEMPTS_KEPT: usize = 16;

/// An endpoint with deliveries that are to be sent.
#[derive(Debug, Clone)]
pub struct Lane {
    pub endpoint: WebhookEndpoint,
    /// When the first of those is due that were never sent.
    pub first_due: Option<Timestamp>,
    /// When the first of those is due that are sent again.
    pub again_due: Option<Timestamp>,
}

/// A delivery that somebody sends.
#[derive(Debug, Clone)]
pub struct Held {
    /// Whose it is.
    pub of: PartnerId,
    pub delivery: Delivery,
    /// Who holds it.
    pub owner: Uuid,
    /// Counts its holders.
    pub lease: u32,
}

/// How an attempt ended.
#[derive(Debug, Clone)]
pub struct Sent {
    /// Where the delivery stands now.
    pub state: DeliveryState,
    /// When it is sent next.
    pub due_at: Option<Timestamp>,
    pub attempt: DeliveryAttempt,
    /// From how many attempts in a row on that are not taken the endpoint rests, and until when.
    pub rests: (u32, Timestamp),
}

/// A page of deliveries, newest first.
#[derive(Debug, Clone, Default)]
pub struct DeliveryPage {
    pub deliveries: Vec<Delivery>,
    /// Whether there are more, in the direction in which it was asked for.
    pub has_more: bool,
}

impl DeliveryPage {
    /// A page of what was found when one more than it has was asked for.
    pub fn of(mut deliveries: Vec<Delivery>, most: usize) -> Self {
        let has_more = deliveries.len() > most;
        deliveries.truncate(most);
        DeliveryPage { deliveries, has_more }
    }
}

/// Endpoints and deliveries.
#[async_trait]
pub trait Webhooks: Send + Sync {
    /// Keeps a new endpoint, unless its partner has `most` already. `false`: it has.
    async fn add_endpoint(&self, endpoint: &WebhookEndpoint, most: usize) -> Result<bool>;

    /// Keeps an endpoint as it stands now, only while it is still in its version: the next one is kept. Its health begins anew.
    /// `false`: somebody was first, and nothing was done.
    async fn change_endpoint(&self, endpoint: &WebhookEndpoint, events: &[NewEvent]) -> Result<bool>;

    /// Removes an endpoint with its deliveries. `false`: there is none.
    async fn remove_endpoint(&self, of: PartnerId, id: WebhookEndpointId) -> Result<bool>;

    /// A partner's endpoints, oldest first.
    async fn endpoints(&self, of: PartnerId) -> Result<Vec<WebhookEndpoint>>;

    /// Endpoints with deliveries to be sent, that are enabled and do not rest.
    async fn lanes(&self, now: Timestamp) -> Result<Vec<Lane>>;

    /// The oldest event that some endpoint has still to take, whether it is enabled or rests. `None`: there is none.
    async fn oldest_pending(&self) -> Result<Option<EventId>>;

    /// Claims deliveries to an endpoint that are due, those that were never sent or those that are sent again, until an instant.
    async fn claim_deliveries(
        &self,
        endpoint: (PartnerId, WebhookEndpointId),
        again: bool,
        owner: Uuid,
        now: Timestamp,
        until: Timestamp,
        most: usize,
    ) -> Result<Vec<Held>>;

    /// Keeps how an attempt ended, with how deliveries to its endpoint went of late. `None`: somebody else holds it, and nothing was
    /// done.
    async fn keep_attempt(&self, held: &Held, sent: &Sent) -> Result<Option<EndpointHealth>>;

    /// Holds every delivery of an owner until an instant. Returns how many.
    async fn renew_deliveries(&self, owner: Uuid, until: Timestamp) -> Result<usize>;

    /// Gives back every delivery that the owner holds, due at once. Returns how many.
    async fn hand_back_deliveries(&self, owner: Uuid, now: Timestamp) -> Result<usize>;

    /// Frees every delivery whoever holds it, for a process that knows that it is alone. Returns how many.
    async fn free_deliveries(&self, now: Timestamp) -> Result<usize>;

    /// Makes an event due at an endpoint, whatever became of its delivery before.
    async fn deliver_again(
        &self,
        endpoint: (PartnerId, WebhookEndpointId),
        event: EventId,
        now: Timestamp,
    ) -> Result<()>;

    /// Keeps an event that is for an endpoint alone, and makes it due there.
    async fn ping(&self, endpoint: (PartnerId, WebhookEndpointId), ping: &NewEvent) -> Result<()>;

    /// Makes events of a partner due at an endpoint that asks for their types: those made at an instant or later that were not taken
    /// there, the oldest first; at most `most`. Returns how many.
    async fn recover_deliveries(
        &self,
        endpoint: &WebhookEndpoint,
        since: Timestamp,
        now: Timestamp,
        most: usize,
    ) -> Result<usize>;

    /// A page of deliveries to an endpoint, newest first; of one state where it is given; of events beyond one.
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

    /// Removes deliveries of a partner's events that were made before an instant, at most so many at once. Returns how many.
    async fn forget_deliveries(&self, of: PartnerId, before: Timestamp, most: usize) -> Result<usize>;
}
