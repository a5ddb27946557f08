//! Events.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::event::Event;
use domain::id::{EventId, PartnerId, Uuid};
use service::storage::StorageError;
use service::storage::events::{EventPage, EventQuery, Events, NewEvent};

use super::column::{Group, Value, id, most as at_most, uuid, values};
use super::connections::Fault;
use super::transaction::Transaction;
use super::{Postgres, month};
use crate::codes::Coded;
use crate::fields::Fields;
use crate::rows::event::{EventRow, Found, ids_asked};

/// The statement of an act, of one text or several, with the end that keeps its events. Their values come first.
macro_rules! act_with_events {
    ($($act:literal),+) => {
        concat!($(include_str!($act),)+ include_str!("../../sql/events/within.postgres.sql"))
    };
}
pub(super) use act_with_events;

/// The statements of an act where tables are spread, with those that keep its events.
macro_rules! parts_with_events {
    ($($parts:literal),+) => {
        concat!($(include_str!($parts),)+ include_str!("../../sql/events/within.citus.sql"))
    };
}
pub(super) use parts_with_events;

/// Events as columns of a statement.
#[derive(Default)]
pub(super) struct Columns<'a> {
    of: Vec<Uuid>,
    ids: Vec<Uuid>,
    at: Vec<i64>,
    kinds: Vec<i16>,
    subjects: Vec<Uuid>,
    after: Vec<i64>,
    bodies: Vec<&'a [u8]>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(events: &'a [EventRow]) -> Self {
        let mut columns = Columns::default();
        for event in events {
            columns.of.push(uuid(event.of));
            columns.ids.push(uuid(event.id));
            columns.at.push(event.at);
            columns.kinds.push(event.kind);
            columns.subjects.push(uuid(event.subject));
            columns.after.push(event.after);
            columns.bodies.push(&event.body);
        }
        columns
    }
}

impl Group for Columns<'_> {
    fn values(&self) -> Vec<Value<'_>> {
        values![self.of, self.ids, self.at, self.kinds, self.subjects, self.after, self.bodies].to_vec()
    }
}

/// Keeps events within a transaction. Its last statement: from then on their subjects' counts are held.
pub(super) async fn note(within: &Transaction, events: &[EventRow]) -> Result<(), Fault> {
    if events.is_empty() {
        return Ok(());
    }
    let note = act_with_events!("../../sql/events/alone.postgres.sql");
    within.execute(note, &Columns::of(events).values()).await.map(|_| ())
}

#[async_trait]
impl Events for Postgres {
    async fn event(&self, of: PartnerId, event: EventId) -> Result<Option<Event>, StorageError> {
        let read = include_str!("../../sql/events/read.sql");
        let found = self.connections.read_one(read, values![id(of), id(event)]).await?;
        found.map(|row| Found::columns(Fields::of(&row))?.open(&self.seal, of)).transpose()
    }

    async fn events(&self, of: PartnerId, query: &EventQuery) -> Result<EventPage, StorageError> {
        let (first, before) = ids_asked(query);
        let (of_partner, most) = (id(of), at_most(query.most + 1));
        let (kind, undelivered) = (query.kind.map(|kind| i16::from(kind.code())), query.undelivered);
        let rows = match (query.subject, kind) {
            (Some(subject), _) => {
                let list = include_str!("../../sql/events/list_of_subject.sql");
                self.read_of_late(list, values![of_partner, first, before, subject, kind, undelivered, most])
                    .await?
            }
            (None, Some(kind)) => {
                let list = include_str!("../../sql/events/list_of_type.sql");
                self.read_of_late(list, values![of_partner, first, before, kind, undelivered, most]).await?
            }
            (None, None) => {
                let list = include_str!("../../sql/events/list.sql");
                self.read_of_late(list, values![of_partner, first, before, undelivered, most]).await?
            }
        };
        let found: Result<Vec<Event>, StorageError> =
            rows.iter().map(|row| Found::columns(Fields::of(row))?.open(&self.seal, of)).collect();
        Ok(EventPage::of(found?, query.most))
    }

    async fn add_event(&self, of: PartnerId, event: &NewEvent) -> Result<(), StorageError> {
        let events = EventRow::all(&self.seal, of, std::slice::from_ref(event))?;
        let within = Transaction::begin(&self.connections).await?;
        note(&within, &events).await?;
        Ok(within.commit().await?)
    }

    async fn forget_events(&self, before: Timestamp, most: usize) -> Result<bool, StorageError> {
        month::EVENTS.forget(&self.connections, before, most).await
    }
}
