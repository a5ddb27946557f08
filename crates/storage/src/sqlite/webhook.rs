//! Endpoints, and deliveries to them.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{EventId, PartnerId, Uuid, WebhookEndpointId};
use domain::webhook::{Delivery, DeliveryState, EndpointHealth, WebhookEndpoint};
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::webhooks::{DeliveryPage, Held, Lane, Sent, Webhooks};
use service::storage::{NewEvent, StorageError};

use super::row::{by, fault, optional_instant};
use super::writer::Act;
use super::{Sqlite, event};
use crate::codes::Coded;
use crate::rows::event::EventRow;
use crate::rows::first_id_at;
use crate::rows::id_bytes;
use crate::rows::webhook::{AttemptRow, EndpointRow, FoundDelivery, FoundEndpoint};

fn execute(to: &Connection, statement: &str, values: impl rusqlite::Params) -> Result<usize, StorageError> {
    to.prepare_cached(statement).and_then(|mut prepared| prepared.execute(values)).map_err(fault)
}

/// Replaces the types that an endpoint asks for.
fn subscribe(to: &Connection, row: &EndpointRow) -> Result<(), StorageError> {
    let (of, id) = (id_bytes(row.of), id_bytes(row.id));
    execute(to, include_str!("../../sql/webhook_subscriptions/remove.sql"), params![of, id])?;
    for kind in &row.types {
        execute(to, include_str!("../../sql/webhook_subscriptions/add.sql"), params![of, id, kind])?;
    }
    Ok(())
}

/// Keeps how an attempt ended, with the health of its endpoint.
fn keep_attempt(
    to: &Connection,
    held: &Held,
    row: &AttemptRow,
) -> Result<Option<EndpointHealth>, StorageError> {
    let (of, endpoint) = (id_bytes(held.of), id_bytes(held.delivery.endpoint));
    let keep = include_str!("../../sql/deliveries/keep_attempt.sqlite.sql");
    let (event, owner) = (id_bytes(held.delivery.event), *held.owner.as_bytes());
    let values = params![row.state, row.due_at, row.tries, row.body, of, endpoint, event, owner, held.lease];
    if execute(to, keep, values)? == 0 {
        return Ok(None);
    }
    if row.is_taken {
        execute(to, include_str!("../../sql/webhook_endpoints/taken.sql"), params![of, endpoint])?;
        return Ok(Some(EndpointHealth::default()));
    }
    let failed = include_str!("../../sql/webhook_endpoints/failed.sql");
    let mut failed = to.prepare_cached(failed).map_err(fault)?;
    let values = params![row.at, row.rests_after, row.rests_until, of, endpoint];
    let health = failed.query_row(values, |row| {
        Ok(EndpointHealth {
            failures: row.get(0)?,
            failing_since: optional_instant(row, 1)?,
            rests_until: optional_instant(row, 2)?,
        })
    });
    Ok(Some(health.optional().map_err(fault)?.unwrap_or_default()))
}

#[async_trait]
impl Webhooks for Sqlite {
    async fn add_endpoint(&self, endpoint: &WebhookEndpoint, most: usize) -> Result<bool, StorageError> {
        let row = EndpointRow::of(&self.seal, endpoint)?;
        self.writer
            .decide(move |to| {
                let (of, id) = (id_bytes(row.of), id_bytes(row.id));
                let count = include_str!("../../sql/webhook_endpoints/count.sql");
                let count: i64 = to.query_row(count, params![of], |row| row.get(0)).map_err(fault)?;
                if count >= most as i64 {
                    return Ok(Act::Undo(false));
                }
                let add = include_str!("../../sql/webhook_endpoints/add.sql");
                execute(to, add, params![of, id, row.created_at, row.state, row.version, row.body])?;
                subscribe(to, &row)?;
                Ok(Act::Keep(true))
            })
            .await
    }

    async fn change_endpoint(
        &self,
        endpoint: &WebhookEndpoint,
        events: &[NewEvent],
    ) -> Result<bool, StorageError> {
        let next = WebhookEndpoint { version: endpoint.version + 1, ..endpoint.clone() };
        let (row, before) = (EndpointRow::of(&self.seal, &next)?, endpoint.version);
        let events = EventRow::all(&self.seal, endpoint.partner, events)?;
        self.writer
            .decide(move |to| {
                let change = include_str!("../../sql/webhook_endpoints/change.sql");
                let (of, id) = (id_bytes(row.of), id_bytes(row.id));
                if execute(to, change, params![row.state, row.version, row.body, of, id, before])? == 0 {
                    return Ok(Act::Undo(false));
                }
                subscribe(to, &row)?;
                event::note(to, &events)?;
                Ok(Act::Keep(true))
            })
            .await
    }

    async fn remove_endpoint(&self, of: PartnerId, id: WebhookEndpointId) -> Result<bool, StorageError> {
        let (of, id) = (id_bytes(of), id_bytes(id));
        self.writer
            .keep(move |to| {
                execute(to, include_str!("../../sql/deliveries/remove.sql"), params![of, id])?;
                execute(to, include_str!("../../sql/webhook_subscriptions/remove.sql"), params![of, id])?;
                let remove = include_str!("../../sql/webhook_endpoints/remove.sql");
                Ok(execute(to, remove, params![of, id])? > 0)
            })
            .await
    }

    async fn endpoints(&self, of: PartnerId) -> Result<Vec<WebhookEndpoint>, StorageError> {
        self.readers.read(|from| {
            let list = include_str!("../../sql/webhook_endpoints/of_partner.sql");
            let mut list = from.prepare_cached(list).map_err(fault)?;
            let found = list.query_map(params![id_bytes(of)], by(FoundEndpoint::columns)).map_err(fault)?;
            found.map(|found| found.map_err(fault)?.open(&self.seal)).collect()
        })
    }

    async fn lanes(&self, now: Timestamp) -> Result<Vec<Lane>, StorageError> {
        self.readers.read(|from| {
            let list = include_str!("../../sql/webhook_endpoints/lanes.sql");
            let mut list = from.prepare_cached(list).map_err(fault)?;
            let columns = by(|row| Ok((FoundEndpoint::columns(row)?, row.get(9)?, row.get(10)?)));
            let found = list.query_map(params![now.as_microsecond()], columns).map_err(fault)?;
            let lane = |found: rusqlite::Result<(FoundEndpoint, _, _)>| {
                let (endpoint, first_due, again_due) = match found.map_err(fault) {
                    Ok(found) => found,
                    Err(fault) => return Some(Err(fault)),
                };
                Some(Ok(Lane { endpoint: endpoint.open_or_skip(&self.seal)?, first_due, again_due }))
            };
            found.filter_map(lane).collect()
        })
    }

    async fn claim_deliveries(
        &self,
        (_, endpoint): (PartnerId, WebhookEndpointId),
        again: bool,
        owner: Uuid,
        now: Timestamp,
        until: Timestamp,
        most: usize,
    ) -> Result<Vec<Held>, StorageError> {
        let seal = self.seal.clone();
        self.writer
            .keep(move |to| {
                let claim = include_str!("../../sql/deliveries/claim.sqlite.sql");
                let mut claim = to.prepare_cached(claim).map_err(fault)?;
                let values = params![
                    until.as_microsecond(),
                    owner.as_bytes(),
                    id_bytes(endpoint),
                    i16::from(again),
                    now.as_microsecond(),
                    most as i64
                ];
                let found = claim.query_map(values, by(FoundDelivery::columns)).map_err(fault)?;
                let found: Vec<FoundDelivery> = found.collect::<Result<_, _>>().map_err(fault)?;
                Ok(found.into_iter().filter_map(|found| found.held_or_skipped(&seal, owner)).collect())
            })
            .await
    }

    async fn keep_attempt(&self, held: &Held, sent: &Sent) -> Result<Option<EndpointHealth>, StorageError> {
        let (held, row) = (held.clone(), AttemptRow::of(&self.seal, held, sent)?);
        self.writer.keep(move |to| keep_attempt(to, &held, &row)).await
    }

    async fn renew_deliveries(&self, owner: Uuid, until: Timestamp) -> Result<usize, StorageError> {
        let values = (until.as_microsecond(), *owner.as_bytes());
        self.writer
            .keep_by_one_statement(move |to| {
                execute(to, include_str!("../../sql/deliveries/renew.sql"), params![values.0, values.1])
            })
            .await
    }

    async fn hand_back_deliveries(&self, owner: Uuid, now: Timestamp) -> Result<usize, StorageError> {
        let values = (now.as_microsecond(), *owner.as_bytes());
        self.writer
            .keep_by_one_statement(move |to| {
                execute(to, include_str!("../../sql/deliveries/hand_back.sql"), params![values.0, values.1])
            })
            .await
    }

    async fn free_deliveries(&self, now: Timestamp) -> Result<usize, StorageError> {
        let now = now.as_microsecond();
        self.writer
            .keep_by_one_statement(move |to| {
                execute(to, include_str!("../../sql/deliveries/free.sql"), params![now])
            })
            .await
    }

    async fn deliver_again(
        &self,
        (of, endpoint): (PartnerId, WebhookEndpointId),
        event: EventId,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let (of, endpoint, event) = (id_bytes(of), id_bytes(endpoint), id_bytes(event));
        let again = move |to: &Connection| {
            let again = include_str!("../../sql/deliveries/again.sql");
            execute(to, again, params![of, endpoint, event, now.as_microsecond()]).map(|_| ())
        };
        self.writer.keep_by_one_statement(again).await
    }

    async fn ping(
        &self,
        (of, endpoint): (PartnerId, WebhookEndpointId),
        ping: &NewEvent,
    ) -> Result<(), StorageError> {
        let events = EventRow::all(&self.seal, of, std::slice::from_ref(ping))?;
        let (of, endpoint, id, at) =
            (id_bytes(of), id_bytes(endpoint), id_bytes(ping.id), ping.at.as_microsecond());
        self.writer
            .keep(move |to| {
                event::note(to, &events)?;
                let again = include_str!("../../sql/deliveries/again.sql");
                execute(to, again, params![of, endpoint, id, at]).map(|_| ())
            })
            .await
    }

    async fn recover_deliveries(
        &self,
        endpoint: &WebhookEndpoint,
        since: Timestamp,
        now: Timestamp,
        most: usize,
    ) -> Result<usize, StorageError> {
        let (of, id, first) =
            (id_bytes(endpoint.partner), id_bytes(endpoint.id), *first_id_at(since).as_bytes());
        self.writer
            .keep_by_one_statement(move |to| {
                let recover = include_str!("../../sql/deliveries/recover.sql");
                execute(to, recover, params![now.as_microsecond(), of, id, first, most as i64])
            })
            .await
    }

    async fn deliveries(
        &self,
        (of, endpoint): (PartnerId, WebhookEndpointId),
        state: Option<DeliveryState>,
        before: Option<EventId>,
        most: usize,
    ) -> Result<DeliveryPage, StorageError> {
        let before = before.map_or(Uuid::max(), |before| before.uuid());
        let found: Vec<Delivery> = self.readers.read(|from| {
            let list = include_str!("../../sql/deliveries/list.sql");
            let mut list = from.prepare_cached(list).map_err(fault)?;
            let state = state.map(Coded::code);
            let values = params![id_bytes(of), id_bytes(endpoint), before.as_bytes(), state, most as i64 + 1];
            let found = list.query_map(values, by(FoundDelivery::columns)).map_err(fault)?;
            found.map(|found| found.map_err(fault)?.open(&self.seal)).collect()
        })?;
        Ok(DeliveryPage::of(found, most))
    }

    async fn delivery(
        &self,
        (of, endpoint): (PartnerId, WebhookEndpointId),
        event: EventId,
    ) -> Result<Option<Delivery>, StorageError> {
        self.readers.read(|from| {
            let mut read =
                from.prepare_cached(include_str!("../../sql/deliveries/read.sql")).map_err(fault)?;
            let values = params![id_bytes(of), id_bytes(endpoint), id_bytes(event)];
            let found = read.query_row(values, by(FoundDelivery::columns)).optional().map_err(fault)?;
            found.map(|found| found.open(&self.seal)).transpose()
        })
    }

    async fn forget_deliveries(
        &self,
        of: PartnerId,
        before: Timestamp,
        most: usize,
    ) -> Result<usize, StorageError> {
        let (of, first) = (id_bytes(of), *first_id_at(before).as_bytes());
        self.writer
            .keep_by_one_statement(move |to| {
                let forget = include_str!("../../sql/deliveries/forget.sqlite.sql");
                execute(to, forget, params![of, first, most as i64])
            })
            .await
    }
}
