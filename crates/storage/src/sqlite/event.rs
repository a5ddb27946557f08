//! Events.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::event::{Event, EventType};
use domain::id::{EventId, PartnerId};
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::StorageError;
use service::storage::events::{EventPage, EventQuery, Events, NewEvent};

use super::Sqlite;
use super::row::{by, fault};
use super::writer::Writer;
use crate::codes::Coded;
use crate::rows::event::{EventRow, Found, ids_asked};
use crate::rows::{first_id_at, id_bytes};

/// Keeps events, each counted among those of its subject, with their deliveries.
pub(super) fn note(to: &Connection, events: &[EventRow]) -> Result<(), StorageError> {
    for event in events {
        let count = include_str!("../../sql/events/count.sqlite.sql");
        let mut count = to.prepare_cached(count).map_err(fault)?;
        let number: i64 =
            count.query_row(params![event.of, event.subject], |row| row.get(0)).map_err(fault)?;
        let add = include_str!("../../sql/events/add.sqlite.sql");
        let values = params![event.of, event.id, event.at, event.kind, event.subject, number, event.body];
        to.prepare_cached(add).map_err(fault)?.execute(values).map_err(fault)?;
        // A ping is its endpoint's alone.
        if event.kind != i16::from(EventType::EndpointPing.code()) {
            let send = include_str!("../../sql/deliveries/add.sqlite.sql");
            let values = params![event.id, event.at, event.of, event.kind];
            to.prepare_cached(send).map_err(fault)?.execute(values).map_err(fault)?;
        }
    }
    Ok(())
}

/// Removes rows of all partners whose ids were made before an instant, at most so many. Returns whether there were some.
pub(super) async fn forget_made_before(
    writer: &Writer,
    statement: &'static str,
    before: Timestamp,
    most: usize,
) -> Result<bool, StorageError> {
    let first = *first_id_at(before).as_bytes();
    writer
        .keep_by_one_statement(move |to| {
            let mut forget = to.prepare_cached(statement).map_err(fault)?;
            Ok(forget.execute(params![first, most as i64]).map_err(fault)? > 0)
        })
        .await
}

#[async_trait]
impl Events for Sqlite {
    async fn event(&self, of: PartnerId, event: EventId) -> Result<Option<Event>, StorageError> {
        self.readers.read(|from| {
            let mut read = from.prepare_cached(include_str!("../../sql/events/read.sql")).map_err(fault)?;
            let found = read.query_row(params![id_bytes(of), id_bytes(event)], by(Found::columns)).optional();
            found.map_err(fault)?.map(|found| found.open(&self.seal, of)).transpose()
        })
    }

    async fn events(&self, of: PartnerId, query: &EventQuery) -> Result<EventPage, StorageError> {
        let (first, before) = ids_asked(query);
        let (first, before) = (*first.as_bytes(), *before.as_bytes());
        let (of_partner, most) = (id_bytes(of), query.most as i64 + 1);
        let (kind, undelivered) = (query.kind.map(Coded::code), query.undelivered);
        let found: Vec<Event> = self.readers.read(|from| {
            let (list, values): (_, Vec<&dyn rusqlite::ToSql>) = match (&query.subject, &kind) {
                (Some(subject), _) => (
                    include_str!("../../sql/events/list_of_subject.sql"),
                    vec![&of_partner, &first, &before, subject.as_bytes(), &kind, &undelivered, &most],
                ),
                (None, Some(kind)) => (
                    include_str!("../../sql/events/list_of_type.sql"),
                    vec![&of_partner, &first, &before, kind, &undelivered, &most],
                ),
                (None, None) => (
                    include_str!("../../sql/events/list.sql"),
                    vec![&of_partner, &first, &before, &undelivered, &most],
                ),
            };
            let mut list = from.prepare_cached(list).map_err(fault)?;
            let found = list.query_map(&values[..], by(Found::columns)).map_err(fault)?;
            found.map(|found| found.map_err(fault)?.open(&self.seal, of)).collect()
        })?;
        Ok(EventPage::of(found, query.most))
    }

    async fn add_event(&self, of: PartnerId, event: &NewEvent) -> Result<(), StorageError> {
        let events = EventRow::all(&self.seal, of, std::slice::from_ref(event))?;
        self.writer.keep(move |to| note(to, &events)).await
    }

    async fn forget_events(&self, before: Timestamp, most: usize) -> Result<bool, StorageError> {
        let forget = include_str!("../../sql/events/forget.sqlite.sql");
        forget_made_before(&self.writer, forget, before, most).await
    }
}
