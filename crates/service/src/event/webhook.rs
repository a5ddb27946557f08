//! Endpoints that receive a partner's events (D96).

use std::sync::Arc;
use std::time::Duration;

use domain::date::Timestamp;
use domain::event::{EventData, EventType};
use domain::id::{EventId, PartnerId, WebhookEndpointId};
use domain::webhook::{
    Delivery, DeliveryState, DisabledBy, EndpointHealth, EndpointState, SigningSecret, WantedEvents,
    WebhookEndpoint,
};

use crate::acting::{self, Allowance};
use crate::error::{ConflictReason, Error, Result};
use crate::event::EventMaker;
use crate::shared::Shared;
use crate::storage::EventQuery;
use crate::storage::lists::Beyond;
use crate::storage::webhooks::DeliveryPage;

/// Most endpoints of a partner.
pub const MOST_ENDPOINTS: usize = 10;

/// Most pings of an endpoint within [`PINGS_WITHIN`].
const MOST_PINGS: usize = 10;
/// Period in which the pings of an endpoint are counted.
const PINGS_WITHIN: Duration = Duration::from_mins(1);

/// How long a replaced secret still signs messages, if the request does not say how long.
pub const OVERLAP: Duration = Duration::from_hours(24);
/// Longest time for which a replaced secret may still sign messages.
pub const LONGEST_OVERLAP: Duration = Duration::from_hours(7 * 24);

/// Most secrets that sign an endpoint's messages at once.
const MOST_SECRETS: usize = 3;

/// How far back in time missed deliveries can be sent again.
pub const RECOVERED: Duration = Duration::from_hours(14 * 24);

/// Most deliveries that one request for recovery sends again.
pub const RECOVERED_AT_ONCE: usize = 10_000;

/// Most attempts to save a change of an endpoint while another request changes it.
const ATTEMPTS: usize = 8;

/// Endpoint to add.
#[derive(Debug, Clone)]
pub struct NewEndpoint {
    pub url: String,
    /// Partner's own description.
    pub description: Option<String>,
    /// Event types that the endpoint receives.
    pub wanted: WantedEvents,
}

/// Change of an endpoint. A field that is `None` stays as it is.
#[derive(Debug, Clone, Default)]
pub struct EndpointChange {
    pub url: Option<String>,
    /// New description. `Some(None)` removes the description.
    pub description: Option<Option<String>>,
    pub wanted: Option<WantedEvents>,
    pub enabled: Option<bool>,
}

/// Manages endpoints with their deliveries.
pub struct WebhookService {
    pub(crate) shared: Arc<Shared>,
    /// Held while an endpoint's pings are counted and one more is added.
    pub(crate) pinging: tokio::sync::Mutex<()>,
}

impl WebhookService {
    /// A partner's endpoints, oldest first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn list(&self, of: PartnerId) -> Result<Vec<WebhookEndpoint>> {
        Ok(self.shared.storage.endpoints(of).await?)
    }

    /// Endpoint of a partner by its id.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find(&self, of: PartnerId, id: WebhookEndpointId) -> Result<WebhookEndpoint> {
        let found = self.shared.storage.endpoints(of).await?.into_iter().find(|endpoint| endpoint.id == id);
        found.ok_or_else(|| unknown(id))
    }

    /// Adds an endpoint, with its first secret.
    ///
    /// # Errors
    /// [`Error::Invalid`] for an address that is refused; [`Error::Conflict`] if the partner has its maximum
    /// of endpoints, or one with this address.
    pub async fn add(&self, of: PartnerId, new: NewEndpoint) -> Result<WebhookEndpoint> {
        self.judge(&new.url).map_err(refused)?;
        if let Some(same) = self.list(of).await?.into_iter().find(|endpoint| endpoint.url == new.url) {
            return Err(Error::conflict_of(
                ConflictReason::MadeBefore,
                format!("The endpoint {} already has this address.", same.id),
            ));
        }
        let now = self.shared.clock.now();
        let endpoint = WebhookEndpoint {
            id: self.shared.ids.make(),
            partner: of,
            created_at: now,
            url: new.url,
            description: new.description,
            wanted: new.wanted,
            secrets: vec![self.new_secret(now)],
            state: EndpointState::Enabled,
            disabled: None,
            version: 1,
            health: EndpointHealth::default(),
        };
        match self.shared.storage.add_endpoint(&endpoint, MOST_ENDPOINTS).await? {
            true => Ok(endpoint),
            false => Err(Error::conflict_of(
                ConflictReason::LimitReached,
                format!("There are already {MOST_ENDPOINTS} endpoints, the maximum. Change or remove one."),
            )),
        }
    }

    /// Changes an endpoint. If the endpoint is enabled again, waiting deliveries continue.
    /// [`WebhookService::recover`] adds the deliveries that the endpoint missed.
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::Invalid`] for an address that is refused.
    pub async fn change(
        &self,
        of: PartnerId,
        id: WebhookEndpointId,
        change: &EndpointChange,
        by: DisabledBy,
    ) -> Result<WebhookEndpoint> {
        if let Some(url) = &change.url {
            self.judge(url).map_err(refused)?;
        }
        let now = self.shared.clock.now();
        self.changed(of, id, |endpoint| {
            endpoint.url = change.url.clone().unwrap_or_else(|| endpoint.url.clone());
            endpoint.description = change.description.clone().unwrap_or_else(|| endpoint.description.clone());
            endpoint.wanted = change.wanted.clone().unwrap_or_else(|| endpoint.wanted.clone());
            match (change.enabled, endpoint.state) {
                (Some(true), _) => (endpoint.state, endpoint.disabled) = (EndpointState::Enabled, None),
                (Some(false), EndpointState::Enabled) => {
                    (endpoint.state, endpoint.disabled) = (EndpointState::Disabled, Some((by, now)));
                }
                _ => {}
            }
        })
        .await
    }

    /// Removes an endpoint with the records of deliveries to it.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn remove(&self, of: PartnerId, id: WebhookEndpointId) -> Result<()> {
        match self.shared.storage.remove_endpoint(of, id).await? {
            true => Ok(()),
            false => Err(unknown(id)),
        }
    }

    /// Gives an endpoint a new secret that signs its messages. Earlier secrets also sign for `overlap`; if
    /// `overlap` is zero, they stop at once.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn rotate(
        &self,
        of: PartnerId,
        id: WebhookEndpointId,
        overlap: Duration,
    ) -> Result<WebhookEndpoint> {
        let now = self.shared.clock.now();
        let (secret, until) = (self.new_secret(now), now + overlap.min(LONGEST_OVERLAP));
        self.changed(of, id, |endpoint| {
            let live = endpoint.live_secrets(now).take(MOST_SECRETS - 1).cloned();
            let before = live.filter(|_| !overlap.is_zero()).map(|before| SigningSecret {
                until: Some(before.until.map_or(until, |ends| ends.min(until))),
                ..before
            });
            endpoint.secrets = std::iter::once(secret.clone()).chain(before).collect();
        })
        .await
    }

    /// Adds a ping event for an endpoint. Returns the event's id.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] if the endpoint is disabled; [`Error::LimitReached`].
    pub async fn ping(&self, of: PartnerId, id: WebhookEndpointId) -> Result<EventId> {
        let endpoint = self.enabled(of, id).await?;
        let now = self.shared.clock.now();
        // One ping at a time, so that each ping is counted before the next.
        let _alone = self.pinging.lock().await;
        let recent = EventQuery {
            kind: Some(EventType::EndpointPing),
            subject: Some(id.uuid()),
            since: Some(now - PINGS_WITHIN),
            most: MOST_PINGS,
            ..EventQuery::default()
        };
        let recent = self.shared.storage.events(of, &recent).await?.events;
        let first = recent.last().map_or(now, |first| first.at);
        let free_in = (first + PINGS_WITHIN).duration_since(now).as_secs().max(0).unsigned_abs() + 1;
        acting::allow(Allowance {
            name: "pings",
            most: MOST_PINGS as u64,
            window: PINGS_WITHIN.as_secs(),
            left: (MOST_PINGS as u64).saturating_sub(recent.len() as u64 + 1),
            resets_in: free_in,
        });
        if recent.len() == MOST_PINGS {
            let limit = format!("An endpoint gets at most {MOST_PINGS} pings a minute.");
            return Err(Error::LimitReached { limit, retry_after: free_in });
        }
        let ping = self.shared.events().of_endpoint(EventType::EndpointPing, &endpoint, now);
        self.shared.storage.ping((of, id), &ping).await?;
        Ok(ping.id)
    }

    /// A page of deliveries to an endpoint, newest first.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn deliveries(
        &self,
        of: PartnerId,
        id: WebhookEndpointId,
        state: Option<DeliveryState>,
        from: Option<Beyond<EventId>>,
        most: usize,
    ) -> Result<DeliveryPage> {
        self.find(of, id).await?;
        Ok(self.shared.storage.deliveries((of, id), state, from, most).await?)
    }

    /// Sends the event of a delivery again, whatever the delivery's state.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] if the endpoint is disabled.
    pub async fn retry(&self, of: PartnerId, id: WebhookEndpointId, event: EventId) -> Result<Delivery> {
        self.enabled(of, id).await?;
        let missing = || Error::Unknown { what: "delivery", id: event.to_string() };
        self.shared.storage.delivery((of, id), event).await?.ok_or_else(missing)?;
        self.shared.storage.deliver_again((of, id), event, self.shared.clock.now()).await?;
        self.shared.storage.delivery((of, id), event).await?.ok_or_else(missing)
    }

    /// Sends an event again to every enabled endpoint that receives its type. Returns the number of these
    /// endpoints.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn replay(&self, of: PartnerId, event: EventId) -> Result<usize> {
        let missing = || Error::Unknown { what: "event", id: event.to_string() };
        let kind = self.shared.storage.event(of, event).await?.ok_or_else(missing)?.kind;
        let mut sent = 0;
        for endpoint in self.list(of).await? {
            let is_wanted = match &endpoint.wanted {
                WantedEvents::All => kind != EventType::EndpointPing,
                WantedEvents::Types(types) => types.contains(&kind),
            };
            if is_wanted && endpoint.state == EndpointState::Enabled {
                self.shared.storage.deliver_again((of, endpoint.id), event, self.shared.clock.now()).await?;
                sent += 1;
            }
        }
        Ok(sent)
    }

    /// Sends an endpoint again the events that it has not accepted since `since`, at most
    /// [`RECOVERED_AT_ONCE`]. Returns the number of events.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Invalid`] if `since` is in the future or longer ago than [`RECOVERED`];
    /// [`Error::Conflict`] if the endpoint is disabled.
    pub async fn recover(&self, of: PartnerId, id: WebhookEndpointId, since: Timestamp) -> Result<usize> {
        let now = self.shared.clock.now();
        if since > now || now.duration_since(since).unsigned_abs() > RECOVERED {
            return Err(Error::invalid("since", "Must be within the last 14 days."));
        }
        let endpoint = self.enabled(of, id).await?;
        Ok(self.shared.storage.recover_deliveries(&endpoint, since, now, RECOVERED_AT_ONCE).await?)
    }

    async fn enabled(&self, of: PartnerId, id: WebhookEndpointId) -> Result<WebhookEndpoint> {
        let endpoint = self.find(of, id).await?;
        match endpoint.state {
            EndpointState::Enabled => Ok(endpoint),
            EndpointState::Disabled => {
                Err(Error::conflict(format!("The endpoint {id} is disabled. Enable it first.")))
            }
        }
    }

    /// Checks the URL of an endpoint without a DNS lookup.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn judge(&self, url: &str) -> Result<(), String> {
        self.shared.settings.carrier.judge(url)
    }

    fn new_secret(&self, since: Timestamp) -> SigningSecret {
        let mut bytes = [0; 32];
        self.shared.random.fill(&mut bytes);
        SigningSecret { bytes, since, until: None }
    }

    async fn changed(
        &self,
        of: PartnerId,
        id: WebhookEndpointId,
        change: impl Fn(&mut WebhookEndpoint),
    ) -> Result<WebhookEndpoint> {
        for _ in 0..ATTEMPTS {
            let mut endpoint = self.find(of, id).await?;
            change(&mut endpoint);
            endpoint.health = EndpointHealth::default();
            if self.shared.storage.change_endpoint(&endpoint, &[]).await? {
                return Ok(endpoint);
            }
        }
        Err(Error::conflict_of(
            ConflictReason::ChangedMeanwhile,
            "The endpoint is being changed by another request. Try again.".into(),
        ))
    }
}

impl EventMaker {
    /// Event about a partner's endpoint in its current state.
    pub(crate) fn of_endpoint(
        &self,
        kind: EventType,
        endpoint: &WebhookEndpoint,
        at: Timestamp,
    ) -> crate::storage::NewEvent {
        let data = EventData {
            status: Some(endpoint.state.word().to_owned()),
            kind: endpoint.disabled.map(|(by, _)| by.word().to_owned()),
            ..EventData::default()
        };
        self.make(kind, at, endpoint.id.uuid(), data)
    }
}

fn refused(why: String) -> Error {
    Error::invalid("url", why)
}

fn unknown(id: WebhookEndpointId) -> Error {
    Error::Unknown { what: "endpoint", id: id.to_string() }
}
