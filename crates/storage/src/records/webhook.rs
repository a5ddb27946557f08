//! Database rows of webhook endpoints and their deliveries (D96). Addresses, secrets and the endpoints'
//! answers are encrypted.

use crate::records::row::{ToRow, row};
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
use crate::fields::{Coded, FromRow, RowFields, first_id_at, values};
use crate::operation::{Guard, Operation, Statement, Stop, sql};
use crate::seal::Seal;
use crate::store::{Store, unless_changed};

const ENDPOINTS: &str = "webhook_endpoints";
const DELIVERIES: &str = "deliveries";

/// Code that stands for all event types.
const ALL_TYPES: u8 = 0;

row! {
    /// Endpoint as stored in its row.
    EndpointRow in "webhook_endpoints/add" {
        partner_id: PartnerId,
        endpoint_id: WebhookEndpointId,
        created_at: Timestamp,
        state: EndpointState,
        version: u32,
    } free {
        body: Vec<u8>,
        failures: u32,
        failing_since: Option<Timestamp>,
        rests_until: Option<Timestamp>,
    }
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
            health,
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
        let EndpointHealth { failures, failing_since, rests_until } = *health;
        let mut row = EndpointRow {
            partner_id: *partner,
            endpoint_id: *id,
            created_at: *created_at,
            state: *state,
            version: *version,
            body: Vec::new(),
            failures,
            failing_since,
            rests_until,
        };
        row.body = seal.seal(ENDPOINTS, &row.bound(), &encode(&body))?;
        Ok(row)
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<WebhookEndpoint> {
        let EndpointBody { url, description, types, secrets, disabled } =
            decode(&seal.open(ENDPOINTS, &self.bound(), &self.body)?)?;
        let EndpointRow { created_at, state, version, failures, failing_since, rests_until, .. } = self;
        Ok(WebhookEndpoint {
            id: self.endpoint_id,
            partner: self.partner_id,
            created_at,
            url,
            description,
            wanted: types.map_or(WantedEvents::All, WantedEvents::Types),
            secrets,
            state,
            disabled,
            version,
            health: EndpointHealth { failures, failing_since, rests_until },
        })
    }

    /// Like [`EndpointRow::open`], for reading many endpoints. If this endpoint cannot be decrypted, logs
    /// an error and returns `None`.
    pub(crate) fn open_or_skip(self, seal: &Seal) -> Option<WebhookEndpoint> {
        let id = self.endpoint_id;
        let opened = self.open(seal);
        opened
            .inspect_err(|fault| {
                tracing::error!(endpoint.id = %id, "the webhook endpoint {id} cannot be read, so it gets no events: {fault}");
            })
            .ok()
    }
}

/// Codes of the event types to which an endpoint subscribes. Empty while the endpoint is disabled.
pub(crate) fn subscribed(endpoint: &WebhookEndpoint) -> Vec<u8> {
    match (endpoint.state, &endpoint.wanted) {
        (EndpointState::Disabled, _) => Vec::new(),
        (EndpointState::Enabled, WantedEvents::All) => vec![ALL_TYPES],
        (EndpointState::Enabled, WantedEvents::Types(types)) => {
            types.iter().map(|wanted| wanted.code()).collect()
        }
    }
}

row! {
    /// Delivery as stored in its row.
    DeliveryRow {
        partner_id: PartnerId,
        endpoint_id: WebhookEndpointId,
        event_id: EventId,
    } free {
        state: DeliveryState,
        due_at: Option<Timestamp>,
        tries: u32,
        body: Option<Vec<u8>>,
        lease: u32,
    }
}

impl DeliveryRow {
    pub(crate) fn open(self, seal: &Seal) -> Result<Delivery> {
        let attempts = match &self.body {
            None => Vec::new(),
            Some(body) => decode::<DeliveryBody>(&seal.open(DELIVERIES, &self.bound(), body)?)?.attempts,
        };
        let DeliveryRow { endpoint_id: endpoint, event_id: event, state, due_at, tries, .. } = self;
        Ok(Delivery { endpoint, event, state, due_at, tries, attempts })
    }

    /// Delivery that the worker `owner` holds now. If the delivery cannot be decrypted, logs an error and
    /// returns `None`.
    pub(crate) fn held_or_skipped(self, seal: &Seal, owner: Uuid) -> Option<Held> {
        let (of, event, lease) = (self.partner_id, self.event_id, self.lease);
        let opened = self.open(seal);
        let opened = opened.inspect_err(|fault| {
            tracing::error!(event.id = %event, "a webhook delivery of the event {event} cannot be read: {fault}");
        });
        Some(Held { of, delivery: opened.ok()?, owner, lease })
    }
}

/// Body of a delivery after another attempt.
fn attempted(seal: &Seal, held: &Held, sent: &Sent) -> Result<Vec<u8>> {
    let Delivery { endpoint, event, attempts, .. } = &held.delivery;
    let skipped = (attempts.len() + 1).saturating_sub(ATTEMPTS_KEPT);
    let attempts = attempts.iter().skip(skipped).chain([&sent.attempt]).cloned().collect();
    let bound = Bound::row(held.of, &id_bytes(*endpoint)).bytes(Some(&id_bytes(*event)));
    seal.seal(DELIVERIES, &bound, &encode(&DeliveryBody { attempts }))
}

/// Replaces the event types to which an endpoint subscribes.
fn subscribe(to: &mut dyn Operation, endpoint: &WebhookEndpoint) {
    let WebhookEndpoint { partner, id, .. } = endpoint;
    to.execute(sql!("webhook_subscriptions/remove"), values![partner, id]);
    for code in subscribed(endpoint) {
        to.execute(sql!("webhook_subscriptions/add"), values![partner, id, code]);
    }
}

/// Writes the result of an attempt and the health of its endpoint. The endpoint's row comes last, because
/// other operations wait for that row.
async fn keep_attempt(
    to: &mut dyn Operation,
    held: &Held,
    sent: &Sent,
    body: &[u8],
) -> Result<EndpointHealth, Stop> {
    let Held { of, delivery: Delivery { endpoint, event, tries, .. }, owner, lease } = held;
    let values = values![sent.state, sent.due_at, tries + 1, body, of, endpoint, event, owner, lease];
    to.require(sql!("deliveries/keep_attempt"), values, Guard::Version);
    if sent.attempt.is_taken() {
        to.execute_last(sql!("webhook_endpoints/taken"), values![of, endpoint], None);
        return Ok(EndpointHealth::default());
    }
    let (rests_after, rests_until) = sent.rests;
    let values = values![sent.attempt.at, rests_after, rests_until, of, endpoint];
    let health = |row: RowFields<'_>| {
        let (failures, failing_since, rests_until) = FromRow::columns(row)?;
        Ok(EndpointHealth { failures, failing_since, rests_until })
    };
    let failed = to.all_of_each(sql!("webhook_endpoints/failed"), &[values.to_vec()], health, true).await?;
    Ok(failed.into_iter().next().unwrap_or_default())
}

#[async_trait]
impl Webhooks for Store {
    async fn add_endpoint(&self, endpoint: &WebhookEndpoint, most: usize) -> Result<bool> {
        let added = self.act(
            on("endpoint.add", endpoint.id),
            (EndpointRow::of(&self.seal, endpoint)?, endpoint.clone(), most),
            |(row, endpoint, most), to| {
                Box::pin(async move {
                    let of = values![endpoint.partner];
                    // This lock makes simultaneous requests count one after the other.
                    to.execute(sql!(locked "partners/hold"), of);
                    let count: Option<u64> =
                        to.first(sql!("webhook_endpoints/count"), of, |row| row.get(0)).await?;
                    if count.unwrap_or_default() >= *most as u64 {
                        to.undo();
                        return Ok(false);
                    }
                    to.execute(sql!("webhook_endpoints/add"), &row.values());
                    subscribe(to, endpoint);
                    Ok(true)
                })
            },
        );
        Ok(added.await?)
    }

    async fn change_endpoint(&self, endpoint: &WebhookEndpoint, events: &[NewEvent]) -> Result<bool> {
        let next = WebhookEndpoint { version: endpoint.version + 1, ..endpoint.clone() };
        let events = EventRow::all(&self.seal, endpoint.partner, events)?;
        let given = (EndpointRow::of(&self.seal, &next)?.body, next, events);
        let changed = self.act(on("endpoint.change", endpoint.id), given, |(body, next, events), to| {
            Box::pin(async move {
                let WebhookEndpoint { partner, id, state, version, .. } = next;
                let values = values![state, version, body, partner, id, version - 1];
                to.require(sql!("webhook_endpoints/change"), values, Guard::Version);
                subscribe(to, next);
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
        let open = |row: RowFields<'_>| EndpointRow::columns(row)?.open(&self.seal);
        self.all(sql!("webhook_endpoints/of_partner"), values![of], open).await
    }

    async fn lanes(&self, now: Timestamp) -> Result<Vec<Lane>> {
        let lane = |row: RowFields<'_>| {
            let (first_due, again_due) = (row.named("first_due")?, row.named("again_due")?);
            let endpoint = EndpointRow::columns(row)?.open_or_skip(&self.seal);
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
                to.all_of_each(claim, &[values.to_vec()], DeliveryRow::columns, true).await
            })
        });
        let claimed = claimed.await?;
        Ok(claimed.into_iter().filter_map(|found| found.held_or_skipped(&self.seal, owner)).collect())
    }

    async fn keep_attempt(&self, held: &Held, sent: &Sent) -> Result<Option<EndpointHealth>> {
        let given = (held.clone(), sent.clone(), attempted(&self.seal, held, sent)?);
        let kept =
            self.act(UPKEEP, given, |(held, sent, body), to| Box::pin(keep_attempt(to, held, sent, body)));
        match kept.await {
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
        let values = values![of, endpoint, position, state, most + 1];
        let open = |row: RowFields<'_>| DeliveryRow::columns(row)?.open(&self.seal);
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
        let open = |row: RowFields<'_>| DeliveryRow::columns(row)?.open(&self.seal);
        self.first(sql!("deliveries/read"), values![of, endpoint, event], open).await
    }

    async fn forget_deliveries(&self, of: PartnerId, before: Timestamp, most: usize) -> Result<usize> {
        Ok(self.write(sql!("deliveries/forget"), values![of, first_id_at(before), most]).await? as usize)
    }
}
