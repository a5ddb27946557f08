//! Endpoints, and deliveries to them.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{EventId, PartnerId, Uuid, WebhookEndpointId};
use domain::webhook::{Delivery, DeliveryState, EndpointHealth, WebhookEndpoint};
use service::storage::webhooks::{DeliveryPage, Held, Lane, Sent, Webhooks};
use service::storage::{NewEvent, StorageError};
use tokio_postgres::Row;

use super::column::{get, id, most as at_most, read, values};
use super::connections::Fault;
use super::transaction::Transaction;
use super::{Postgres, event};
use crate::codes::Coded;
use crate::fields::Fields;
use crate::rows::event::EventRow;
use crate::rows::first_id_at;
use crate::rows::webhook::{AttemptRow, EndpointRow, FoundDelivery, FoundEndpoint, health};

/// Replaces the types that an endpoint asks for.
async fn subscribe(within: &Transaction, row: &EndpointRow) -> Result<(), Fault> {
    let (of, endpoint) = (id(row.of), id(row.id));
    let remove = include_str!("../../sql/webhook_subscriptions/remove.sql");
    within.execute(remove, values![of, endpoint]).await?;
    for kind in &row.types {
        let add = include_str!("../../sql/webhook_subscriptions/add.sql");
        within.execute(add, values![of, endpoint, *kind]).await?;
    }
    Ok(())
}

#[async_trait]
impl Webhooks for Postgres {
    async fn add_endpoint(&self, endpoint: &WebhookEndpoint, most: usize) -> Result<bool, StorageError> {
        let row = EndpointRow::of(&self.seal, endpoint)?;
        let (of, endpoint) = (id(row.of), id(row.id));
        let within = Transaction::begin(&self.connections).await?;
        // Two at once are counted one after the other.
        within.execute(include_str!("../../sql/partners/hold.postgres.sql"), values![of]).await?;
        let count = include_str!("../../sql/webhook_endpoints/count.sql");
        let count = within.execute(count, values![of]).await?.rows;
        if count.first().map_or(Ok(0), |row| get::<i64>(row, 0))? >= at_most(most) {
            within.undo().await?;
            return Ok(false);
        }
        let add = include_str!("../../sql/webhook_endpoints/add.sql");
        within.execute(add, values![of, endpoint, row.created_at, row.state, row.version, row.body]).await?;
        subscribe(&within, &row).await?;
        within.commit().await?;
        Ok(true)
    }

    async fn change_endpoint(
        &self,
        endpoint: &WebhookEndpoint,
        events: &[NewEvent],
    ) -> Result<bool, StorageError> {
        let next = WebhookEndpoint { version: endpoint.version + 1, ..endpoint.clone() };
        let (row, before) = (EndpointRow::of(&self.seal, &next)?, endpoint.version as i32);
        let events = EventRow::all(&self.seal, endpoint.partner, events)?;
        let (of, endpoint) = (id(row.of), id(row.id));
        let within = Transaction::begin(&self.connections).await?;
        let change = include_str!("../../sql/webhook_endpoints/change.sql");
        let values = values![row.state, row.version, row.body, of, endpoint, before];
        if within.execute(change, values).await?.changed == 0 {
            within.undo().await?;
            return Ok(false);
        }
        subscribe(&within, &row).await?;
        event::note(&within, &events).await?;
        within.commit().await?;
        Ok(true)
    }

    async fn remove_endpoint(
        &self,
        of: PartnerId,
        endpoint: WebhookEndpointId,
    ) -> Result<bool, StorageError> {
        let (of, endpoint) = (id(of), id(endpoint));
        let within = Transaction::begin(&self.connections).await?;
        for remove in [
            include_str!("../../sql/deliveries/remove.sql"),
            include_str!("../../sql/webhook_subscriptions/remove.sql"),
        ] {
            within.execute(remove, values![of, endpoint]).await?;
        }
        let remove = include_str!("../../sql/webhook_endpoints/remove.sql");
        let removed = within.execute(remove, values![of, endpoint]).await?.changed > 0;
        within.commit().await?;
        Ok(removed)
    }

    async fn endpoints(&self, of: PartnerId) -> Result<Vec<WebhookEndpoint>, StorageError> {
        let list = include_str!("../../sql/webhook_endpoints/of_partner.sql");
        let rows = self.connections.read(list, values![id(of)]).await?;
        rows.iter().map(|row| FoundEndpoint::columns(Fields::of(row))?.open(&self.seal)).collect()
    }

    async fn lanes(&self, now: Timestamp) -> Result<Vec<Lane>, StorageError> {
        let list = self.connections.choose(
            include_str!("../../sql/webhook_endpoints/lanes.sql"),
            include_str!("../../sql/webhook_endpoints/lanes.citus.sql"),
        );
        let rows = self.connections.read(list, values![now.as_microsecond()]).await?;
        let lane = |row: &Row| {
            let found = || {
                let row = Fields::of(row);
                Ok((FoundEndpoint::columns(row)?, row.get(9)?, row.get(10)?))
            };
            let (endpoint, first_due, again_due) = match found() {
                Ok(found) => found,
                Err(fault) => return Some(Err(fault)),
            };
            Some(Ok(Lane { endpoint: endpoint.open_or_skip(&self.seal)?, first_due, again_due }))
        };
        rows.iter().filter_map(lane).collect()
    }

    async fn claim_deliveries(
        &self,
        (of, endpoint): (PartnerId, WebhookEndpointId),
        again: bool,
        owner: Uuid,
        now: Timestamp,
        until: Timestamp,
        most: usize,
    ) -> Result<Vec<Held>, StorageError> {
        let claim = include_str!("../../sql/deliveries/claim.postgres.sql");
        let (until, now, of, endpoint) = (until.as_microsecond(), now.as_microsecond(), id(of), id(endpoint));
        let (again, most) = (i16::from(again), at_most(most));
        let values = values![until, owner, of, endpoint, again, now, most];
        let claimed = self.connections.write(claim, values).await?;
        let found: Result<Vec<FoundDelivery>, StorageError> = read(&claimed.rows, FoundDelivery::columns);
        Ok(found?.into_iter().filter_map(|found| found.held_or_skipped(&self.seal, owner)).collect())
    }

    async fn keep_attempt(&self, held: &Held, sent: &Sent) -> Result<Option<EndpointHealth>, StorageError> {
        let row = AttemptRow::of(&self.seal, held, sent)?;
        let (of, endpoint, event) = (id(held.of), id(held.delivery.endpoint), id(held.delivery.event));
        let keep = include_str!("../../sql/deliveries/keep_attempt.postgres.sql");
        let lease = held.lease as i32;
        let values = values![
            row.state,
            row.due_at,
            row.tries,
            row.body,
            of,
            endpoint,
            event,
            held.owner,
            lease,
            row.is_taken,
            row.at,
            row.rests_after,
            row.rests_until,
        ];
        let kept = self.connections.write(keep, values).await?;
        kept.rows.first().map(|row| health(Fields::of(row))).transpose()
    }

    async fn renew_deliveries(&self, owner: Uuid, until: Timestamp) -> Result<usize, StorageError> {
        let renew = include_str!("../../sql/deliveries/renew.sql");
        let done = self.connections.write(renew, values![until.as_microsecond(), owner]).await?;
        Ok(usize::try_from(done.changed).unwrap_or(usize::MAX))
    }

    async fn hand_back_deliveries(&self, owner: Uuid, now: Timestamp) -> Result<usize, StorageError> {
        let hand_back = include_str!("../../sql/deliveries/hand_back.sql");
        let done = self.connections.write(hand_back, values![now.as_microsecond(), owner]).await?;
        Ok(usize::try_from(done.changed).unwrap_or(usize::MAX))
    }

    async fn free_deliveries(&self, now: Timestamp) -> Result<usize, StorageError> {
        let free = include_str!("../../sql/deliveries/free.sql");
        let done = self.connections.write(free, values![now.as_microsecond()]).await?;
        Ok(usize::try_from(done.changed).unwrap_or(usize::MAX))
    }

    async fn deliver_again(
        &self,
        (of, endpoint): (PartnerId, WebhookEndpointId),
        event: EventId,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let again = include_str!("../../sql/deliveries/again.sql");
        let (of, endpoint, event, now) = (id(of), id(endpoint), id(event), now.as_microsecond());
        self.connections.write(again, values![of, endpoint, event, now]).await?;
        Ok(())
    }

    async fn ping(
        &self,
        (of, endpoint): (PartnerId, WebhookEndpointId),
        ping: &NewEvent,
    ) -> Result<(), StorageError> {
        let events = EventRow::all(&self.seal, of, std::slice::from_ref(ping))?;
        let within = Transaction::begin(&self.connections).await?;
        let again = include_str!("../../sql/deliveries/again.sql");
        let (of, endpoint, id, at) = (id(of), id(endpoint), id(ping.id), ping.at.as_microsecond());
        within.execute(again, values![of, endpoint, id, at]).await?;
        event::note(&within, &events).await?;
        Ok(within.commit().await?)
    }

    async fn recover_deliveries(
        &self,
        endpoint: &WebhookEndpoint,
        since: Timestamp,
        now: Timestamp,
        most: usize,
    ) -> Result<usize, StorageError> {
        let recover = include_str!("../../sql/deliveries/recover.sql");
        let (of, endpoint, first) = (id(endpoint.partner), id(endpoint.id), first_id_at(since));
        let (now, most) = (now.as_microsecond(), at_most(most));
        let done = self.connections.write(recover, values![now, of, endpoint, first, most]).await?;
        Ok(usize::try_from(done.changed).unwrap_or(usize::MAX))
    }

    async fn deliveries(
        &self,
        (of, endpoint): (PartnerId, WebhookEndpointId),
        state: Option<DeliveryState>,
        before: Option<EventId>,
        most: usize,
    ) -> Result<DeliveryPage, StorageError> {
        let before = before.map_or(Uuid::max(), |before| before.uuid());
        let state = state.map(|state| i16::from(state.code()));
        let list = include_str!("../../sql/deliveries/list.sql");
        let (of, endpoint, more) = (id(of), id(endpoint), at_most(most + 1));
        let rows = self.connections.read(list, values![of, endpoint, before, state, more]).await?;
        let found: Result<Vec<Delivery>, StorageError> =
            rows.iter().map(|row| FoundDelivery::columns(Fields::of(row))?.open(&self.seal)).collect();
        Ok(DeliveryPage::of(found?, most))
    }

    async fn delivery(
        &self,
        (of, endpoint): (PartnerId, WebhookEndpointId),
        event: EventId,
    ) -> Result<Option<Delivery>, StorageError> {
        let read = include_str!("../../sql/deliveries/read.sql");
        let found = self.connections.read_one(read, values![id(of), id(endpoint), id(event)]).await?;
        found.map(|row| FoundDelivery::columns(Fields::of(&row))?.open(&self.seal)).transpose()
    }

    async fn forget_deliveries(
        &self,
        of: PartnerId,
        before: Timestamp,
        most: usize,
    ) -> Result<usize, StorageError> {
        let forget = include_str!("../../sql/deliveries/forget.postgres.sql");
        let (of, first, most) = (id(of), first_id_at(before), at_most(most));
        let done = self.connections.write(forget, values![of, first, most]).await?;
        Ok(usize::try_from(done.changed).unwrap_or(usize::MAX))
    }
}
