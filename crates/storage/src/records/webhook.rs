//! Database rows of webhook endpoints and their deliveries (D96). Addresses, secrets and the endpoints'
//! answers are encrypted.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{EventId, PartnerId, Uuid, WebhookEndpointId};
use domain::webhook::{
    Delivery, DeliveryState, EndpointHealth, EndpointState, WantedEvents, WebhookEndpoint,
};
use ports::storage::lists::Beyond;
use ports::storage::webhooks::{ATTEMPTS_KEPT, DeliveryPage, Held, Lane, Sent, Webhooks};
use ports::storage::{NewEvent, Result};

use super::bound::Bound;
use super::event::{self, EventRow};
use super::id_bytes;
use crate::audit::{UPKEEP, on};
use crate::body::{DeliveryBody, EndpointBody, decode, encode};
use crate::codes::Coded;
use crate::fields::{RowFields, first_id_at, values};
use crate::operation::{Guard, Operation, Statement, Stop, sql};
use crate::seal::Seal;
use crate::store::{Store, unless_changed};

const ENDPOINTS: &str = "webhook_endpoints";
const DELIVERIES: &str = "deliveries";

/// Code that stands for all event types.
const ALL_TYPES: i16 = 0;

pub(crate) struct EndpointRow {
    pub(crate) of: PartnerId,
    pub(crate) id: WebhookEndpointId,
    pub(crate) created_at: i64,
    pub(crate) state: i16,
    pub(crate) version: i32,
    pub(crate) body: Vec<u8>,
    /// Codes of the event types to which the endpoint subscribes. Empty while the endpoint is disabled.
    pub(crate) types: Vec<i16>,
}

impl EndpointRow {
    pub(crate) fn of(seal: &Seal, endpoint: &WebhookEndpoint) -> Result<Self> {
        let WebhookEndpoint {
            id,
            partner,
            created_at,
            url,
            description,
            wanted,
            secrets,
            state,
            disabled,
            version,
            health: _,
        } = endpoint;
        let body = EndpointBody {
            url: url.clone(),
            description: description.clone(),
            types: match wanted {
                WantedEvents::All => None,
                WantedEvents::Types(types) => Some(types.clone()),
            },
            secrets: secrets.clone(),
            disabled: *disabled,
        };
        let types = match (state, wanted) {
            (EndpointState::Disabled, _) => Vec::new(),
            (EndpointState::Enabled, WantedEvents::All) => vec![ALL_TYPES],
            (EndpointState::Enabled, WantedEvents::Types(types)) => {
                types.iter().map(|kind| kind.code().into()).collect()
            }
        };
        let bound = endpoint_bound(*partner, *id, *created_at, *state, *version);
        Ok(EndpointRow {
            of: *partner,
            id: *id,
            created_at: created_at.as_microsecond(),
            state: state.code().into(),
            version: *version as i32,
            body: seal.seal(ENDPOINTS, bound.as_ref(), &encode(&body))?,
            types,
        })
    }
}

fn endpoint_bound(
    of: PartnerId,
    id: WebhookEndpointId,
    created_at: Timestamp,
    state: EndpointState,
    version: u32,
) -> Bound {
    Bound::row(of, &id_bytes(id))
        .number(created_at.as_microsecond())
        .number(i16::from(state.code()))
        .number(version)
}

/// Columns of an endpoint, with the body still encrypted.
pub(crate) struct FoundEndpoint {
    pub(crate) of: PartnerId,
    pub(crate) id: WebhookEndpointId,
    pub(crate) created_at: Timestamp,
    pub(crate) state: EndpointState,
    pub(crate) version: u32,
    pub(crate) health: EndpointHealth,
    pub(crate) body: Vec<u8>,
}

impl FoundEndpoint {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(FoundEndpoint {
            of: row.get(0)?,
            id: row.get(1)?,
            created_at: row.get(2)?,
            state: row.get(3)?,
            version: row.get(4)?,
            health: health(row.from(5))?,
            body: row.get(8)?,
        })
    }
}

/// Reads the health of an endpoint: its recent failures.
pub(crate) fn health(row: RowFields<'_>) -> Result<EndpointHealth> {
    Ok(EndpointHealth { failures: row.get(0)?, failing_since: row.get(1)?, rests_until: row.get(2)? })
}

impl FoundEndpoint {
    pub(crate) fn open(self, seal: &Seal) -> Result<WebhookEndpoint> {
        let FoundEndpoint { of, id, created_at, state, version, health, body } = self;
        let bound = endpoint_bound(of, id, created_at, state, version);
        let EndpointBody { url, description, types, secrets, disabled } =
            decode(&seal.open(ENDPOINTS, bound.as_ref(), &body)?)?;
        Ok(WebhookEndpoint {
            id,
            partner: of,
            created_at,
            url,
            description,
            wanted: types.map_or(WantedEvents::All, WantedEvents::Types),
            secrets,
            state,
            disabled,
            version,
            health,
        })
    }
}

impl FoundEndpoint {
    /// Like [`FoundEndpoint::open`], for reading many endpoints. If this endpoint cannot be decrypted, logs
    /// an error and returns `None`.
    pub(crate) fn open_or_skip(self, seal: &Seal) -> Option<WebhookEndpoint> {
        let id = self.id;
        let opened = self.open(seal);
        opened
            .inspect_err(|fault| {
                tracing::error!(endpoint.id = %id, "the webhook endpoint {id} cannot be read, so it gets no events: {fault}");
            })
            .ok()
    }
}

fn delivery_bound(of: PartnerId, endpoint: WebhookEndpointId, event: EventId) -> Bound {
    Bound::row(of, &id_bytes(endpoint)).bytes(Some(&id_bytes(event)))
}

/// Columns of a delivery, with the body still encrypted.
pub(crate) struct FoundDelivery {
    pub(crate) of: PartnerId,
    pub(crate) endpoint: WebhookEndpointId,
    pub(crate) event: EventId,
    pub(crate) state: DeliveryState,
    pub(crate) due_at: Option<Timestamp>,
    pub(crate) tries: u32,
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) lease: u32,
}

impl FoundDelivery {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(FoundDelivery {
            of: row.get(0)?,
            endpoint: row.get(1)?,
            event: row.get(2)?,
            state: row.get(3)?,
            due_at: row.get(4)?,
            tries: row.get(5)?,
            body: row.get(6)?,
            lease: row.get(7)?,
        })
    }
}

impl FoundDelivery {
    pub(crate) fn open(self, seal: &Seal) -> Result<Delivery> {
        let FoundDelivery { of, endpoint, event, state, due_at, tries, body, lease: _ } = self;
        let attempts = match body {
            None => Vec::new(),
            Some(body) => {
                let body = seal.open(DELIVERIES, delivery_bound(of, endpoint, event).as_ref(), &body)?;
                decode::<DeliveryBody>(&body)?.attempts
            }
        };
        Ok(Delivery { endpoint, event, state, due_at, tries, attempts })
    }
}

impl FoundDelivery {
    /// Delivery that the worker `owner` holds now. If the delivery cannot be decrypted, logs an error and
    /// returns `None`.
    pub(crate) fn held_or_skipped(self, seal: &Seal, owner: Uuid) -> Option<Held> {
        let (of, event, lease) = (self.of, self.event, self.lease);
        let opened = self.open(seal);
        let opened = opened.inspect_err(|fault| {
            tracing::error!(event.id = %event, "a webhook delivery of the event {event} cannot be read: {fault}");
        });
        Some(Held { of, delivery: opened.ok()?, owner, lease })
    }
}

/// Changes of a delivery and its endpoint after another attempt.
pub(crate) struct AttemptRow {
    pub(crate) state: i16,
    pub(crate) due_at: Option<i64>,
    pub(crate) tries: i32,
    pub(crate) body: Vec<u8>,
    pub(crate) is_taken: bool,
    pub(crate) at: i64,
    pub(crate) rests_after: i32,
    pub(crate) rests_until: i64,
}

impl AttemptRow {
    pub(crate) fn of(seal: &Seal, held: &Held, sent: &Sent) -> Result<Self> {
        let Delivery { endpoint, event, tries, attempts, .. } = &held.delivery;
        let skipped = (attempts.len() + 1).saturating_sub(ATTEMPTS_KEPT);
        let attempts = attempts.iter().skip(skipped).chain([&sent.attempt]).cloned().collect();
        let bound = delivery_bound(held.of, *endpoint, *event);
        Ok(AttemptRow {
            state: sent.state.code().into(),
            due_at: sent.due_at.map(Timestamp::as_microsecond),
            tries: *tries as i32 + 1,
            body: seal.seal(DELIVERIES, bound.as_ref(), &encode(&DeliveryBody { attempts }))?,
            is_taken: sent.attempt.is_taken(),
            at: sent.attempt.at.as_microsecond(),
            rests_after: sent.rests.0 as i32,
            rests_until: sent.rests.1.as_microsecond(),
        })
    }
}

/// Replaces the event types to which an endpoint subscribes.
fn subscribe(to: &mut dyn Operation, row: &EndpointRow) {
    to.execute(sql!("webhook_subscriptions/remove"), values![row.of, row.id]);
    for kind in &row.types {
        to.execute(sql!("webhook_subscriptions/add"), values![row.of, row.id, kind]);
    }
}

/// Writes the result of an attempt and the health of its endpoint. The endpoint's row comes last, because
/// other operations wait for that row.
async fn keep_attempt(to: &mut dyn Operation, held: &Held, row: &AttemptRow) -> Result<EndpointHealth, Stop> {
    let (of, endpoint, event) = (held.of, held.delivery.endpoint, held.delivery.event);
    let AttemptRow { state, due_at, tries, body, is_taken, at, rests_after, rests_until } = row;
    let values = values![state, due_at, tries, body, of, endpoint, event, held.owner, held.lease];
    to.require(sql!("deliveries/keep_attempt"), values, Guard::Version);
    if *is_taken {
        to.execute_last(sql!("webhook_endpoints/taken"), values![of, endpoint], None);
        return Ok(EndpointHealth::default());
    }
    let values = values![at, rests_after, rests_until, of, endpoint];
    let failed = to.all_of_each(sql!("webhook_endpoints/failed"), &[values.to_vec()], health, true).await?;
    Ok(failed.into_iter().next().unwrap_or_default())
}

#[async_trait]
impl Webhooks for Store {
    async fn add_endpoint(&self, endpoint: &WebhookEndpoint, most: usize) -> Result<bool> {
        let added = self.act(
            on("endpoint.add", endpoint.id),
            (EndpointRow::of(&self.seal, endpoint)?, most),
            |(row, most), to| {
                Box::pin(async move {
                    // This lock makes simultaneous requests count one after the other.
                    to.execute(sql!(locked "partners/hold"), values![row.of]);
                    let count: Option<u64> =
                        to.first(sql!("webhook_endpoints/count"), values![row.of], |row| row.get(0)).await?;
                    if count.unwrap_or_default() >= *most as u64 {
                        to.undo();
                        return Ok(false);
                    }
                    let values = values![row.of, row.id, row.created_at, row.state, row.version, row.body];
                    to.execute(sql!("webhook_endpoints/add"), values);
                    subscribe(to, row);
                    Ok(true)
                })
            },
        );
        Ok(added.await?)
    }

    async fn change_endpoint(&self, endpoint: &WebhookEndpoint, events: &[NewEvent]) -> Result<bool> {
        let next = WebhookEndpoint { version: endpoint.version + 1, ..endpoint.clone() };
        let events = EventRow::all(&self.seal, endpoint.partner, events)?;
        let given = (EndpointRow::of(&self.seal, &next)?, endpoint.version, events);
        let changed = self.act(on("endpoint.change", endpoint.id), given, |(row, before, events), to| {
            Box::pin(async move {
                let values = values![row.state, row.version, row.body, row.of, row.id, before];
                to.require(sql!("webhook_endpoints/change"), values, Guard::Version);
                subscribe(to, row);
                event::note(to, events);
                Ok(())
            })
        });
        unless_changed(changed.await)
    }

    async fn remove_endpoint(&self, of: PartnerId, id: WebhookEndpointId) -> Result<bool> {
        let removed = self.act(on("endpoint.remove", id), (of, id), |(of, id), to| {
            Box::pin(async move {
                to.execute(sql!("deliveries/remove"), values![of, id]);
                to.execute(sql!("webhook_subscriptions/remove"), values![of, id]);
                let sets = [values![of, id].to_vec()];
                Ok(to.finish_changing(sql!("webhook_endpoints/remove"), &sets).await? > 0)
            })
        });
        Ok(removed.await?)
    }

    async fn endpoints(&self, of: PartnerId) -> Result<Vec<WebhookEndpoint>> {
        let open = |row: RowFields<'_>| FoundEndpoint::columns(row)?.open(&self.seal);
        self.all(sql!("webhook_endpoints/of_partner"), values![of], open).await
    }

    async fn lanes(&self, now: Timestamp) -> Result<Vec<Lane>> {
        let lane = |row: RowFields<'_>| {
            let (first_due, again_due) = (row.get(9)?, row.get(10)?);
            let endpoint = FoundEndpoint::columns(row)?.open_or_skip(&self.seal);
            Ok(endpoint.map(|endpoint| Lane { endpoint, first_due, again_due }))
        };
        let lanes = self.all(sql!("webhook_endpoints/lanes"), values![now], lane).await?;
        Ok(lanes.into_iter().flatten().collect())
    }

    async fn claim_deliveries(
        &self,
        (of, endpoint): (PartnerId, WebhookEndpointId),
        again: bool,
        owner: Uuid,
        now: Timestamp,
        until: Timestamp,
        most: usize,
    ) -> Result<Vec<Held>> {
        let given = (until, owner, of, endpoint, i16::from(again), now, most);
        let claimed = self.act(UPKEEP, given, |(until, owner, of, endpoint, again, now, most), to| {
            Box::pin(async move {
                let claim: Statement<'_> = sql!(by engine "deliveries/claim");
                let values = values![until, owner, of, endpoint, again, now, most];
                to.all_of_each(claim, &[values.to_vec()], FoundDelivery::columns, true).await
            })
        });
        let claimed = claimed.await?;
        Ok(claimed.into_iter().filter_map(|found| found.held_or_skipped(&self.seal, owner)).collect())
    }

    async fn keep_attempt(&self, held: &Held, sent: &Sent) -> Result<Option<EndpointHealth>> {
        let given = (held.clone(), AttemptRow::of(&self.seal, held, sent)?);
        match self.act(UPKEEP, given, |(held, row), to| Box::pin(keep_attempt(to, held, row))).await {
            Err(Stop::Guard(Guard::Version)) => Ok(None),
            kept => Ok(kept.map(Some)?),
        }
    }

    async fn renew_deliveries(&self, owner: Uuid, until: Timestamp) -> Result<usize> {
        Ok(self.write(sql!("deliveries/renew"), values![until, owner]).await? as usize)
    }

    async fn hand_back_deliveries(&self, owner: Uuid, now: Timestamp) -> Result<usize> {
        Ok(self.write(sql!("deliveries/hand_back"), values![now, owner]).await? as usize)
    }

    async fn free_deliveries(&self, now: Timestamp) -> Result<usize> {
        Ok(self.write(sql!("deliveries/free"), values![now]).await? as usize)
    }

    async fn deliver_again(
        &self,
        (of, endpoint): (PartnerId, WebhookEndpointId),
        event: EventId,
        now: Timestamp,
    ) -> Result<()> {
        self.write(sql!("deliveries/again"), values![of, endpoint, event, now]).await.map(|_| ())
    }

    async fn ping(&self, (of, endpoint): (PartnerId, WebhookEndpointId), ping: &NewEvent) -> Result<()> {
        let events = EventRow::all(&self.seal, of, std::slice::from_ref(ping))?;
        let sent = self.act(
            UPKEEP,
            (of, endpoint, ping.id, ping.at, events),
            |(of, endpoint, id, at, events), to| {
                Box::pin(async move {
                    event::note(to, events);
                    to.execute(sql!("deliveries/again"), values![of, endpoint, id, at]);
                    Ok(())
                })
            },
        );
        Ok(sent.await?)
    }

    async fn recover_deliveries(
        &self,
        endpoint: &WebhookEndpoint,
        since: Timestamp,
        now: Timestamp,
        most: usize,
    ) -> Result<usize> {
        let values = values![now, endpoint.partner, endpoint.id, first_id_at(since), most];
        Ok(self.write(sql!("deliveries/recover"), values).await? as usize)
    }

    async fn oldest_pending(&self) -> Result<Option<EventId>> {
        let oldest: Vec<Option<EventId>> =
            self.all(sql!("webhook_endpoints/oldest_pending"), values![], |row| row.get(0)).await?;
        Ok(oldest.into_iter().flatten().min())
    }

    async fn deliveries(
        &self,
        (of, endpoint): (PartnerId, WebhookEndpointId),
        state: Option<DeliveryState>,
        from: Option<Beyond<EventId>>,
        most: usize,
    ) -> Result<DeliveryPage> {
        let position = from.map_or(Uuid::max(), |from| from.position().uuid());
        let values = values![of, endpoint, position, state.map(Coded::code), most + 1];
        let open = |row: RowFields<'_>| FoundDelivery::columns(row)?.open(&self.seal);
        let list = match state {
            Some(state) if state != DeliveryState::Delivered => sql!(by engine "deliveries/list_of_state"),
            _ => sql!("deliveries/list"),
        };
        let Some(Beyond::Before(_)) = from else {
            return Ok(DeliveryPage::of(self.all(list, values, open).await?, most));
        };
        let newer = list.reversed(&[("event_id < $3", "event_id > $3"), (" desc", " asc")]);
        let mut page = DeliveryPage::of(self.all(newer.statement(), values, open).await?, most);
        page.deliveries.reverse();
        Ok(page)
    }

    async fn delivery(
        &self,
        (of, endpoint): (PartnerId, WebhookEndpointId),
        event: EventId,
    ) -> Result<Option<Delivery>> {
        let open = |row: RowFields<'_>| FoundDelivery::columns(row)?.open(&self.seal);
        self.first(sql!("deliveries/read"), values![of, endpoint, event], open).await
    }

    async fn forget_deliveries(&self, of: PartnerId, before: Timestamp, most: usize) -> Result<usize> {
        Ok(self.write(sql!("deliveries/forget"), values![of, first_id_at(before), most]).await? as usize)
    }
}
