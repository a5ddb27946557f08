//! Journeys, found by the hash of what the browser's cookie holds (D38).

use std::collections::HashSet;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use domain::journey::Journey;
use domain::session::Session;
use service::storage::journeys::OldJourney;
use service::storage::{Journeys, NewEvent, StorageError};

use super::column::{Group, Value, get, id, most as at_most, uuid, values};
use super::transaction::Transaction;
use super::{Postgres, event};
use crate::fields::Fields;
use crate::rows;
use crate::rows::event::EventRow;
use crate::rows::journey::{Found, Row};

/// Journeys that are changed, as columns of a statement: none or one.
#[derive(Default)]
pub(super) struct Columns<'a> {
    ids: Vec<Uuid>,
    seen_at: Vec<i64>,
    versions: Vec<i32>,
    bodies: Vec<&'a [u8]>,
    before: Vec<i32>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(journey: Option<&'a Row>) -> Self {
        let mut columns = Columns::default();
        if let Some(journey) = journey {
            columns.ids.push(uuid(journey.id));
            columns.seen_at.push(journey.seen_at);
            columns.versions.push(journey.version as i32);
            columns.bodies.push(&journey.body);
            columns.before.push(journey.before() as i32);
        }
        columns
    }
}

impl Group for Columns<'_> {
    fn values(&self) -> Vec<Value<'_>> {
        values![self.ids, self.seen_at, self.versions, self.bodies, self.before].to_vec()
    }
}

#[async_trait]
impl Journeys for Postgres {
    async fn open_journey(&self, journey: &Journey, begins: Option<&Session>) -> Result<bool, StorageError> {
        let row = Row::of(&self.seal, journey)?;
        let open = include_str!("../../sql/journeys/open.postgres.sql");
        let begins = begins.map(|session| rows::session::Row::of(&self.seal, session)).transpose()?;
        let begun = || begins.iter();
        let (of, id, token) = (uuid(row.of), uuid(row.id), uuid(row.token));
        let (cookie, version) = (&row.cookie[..], row.version as i32);
        let partners: Vec<Uuid> = begun().map(|session| uuid(session.of)).collect();
        let sessions: Vec<Uuid> = begun().map(|session| uuid(session.id)).collect();
        let created_at: Vec<i64> = begun().map(|session| session.created_at).collect();
        let bodies: Vec<&[u8]> = begun().map(|session| session.body.as_slice()).collect();
        let values = [
            values![of, id, token, cookie, row.seen_at, version, row.body].to_vec(),
            values![partners, sessions, created_at, bodies].to_vec(),
        ]
        .concat();
        Ok(!self.connections.write(open, &values).await?.rows.is_empty())
    }

    async fn tokens_used(&self, since: Timestamp) -> Result<Vec<Uuid>, StorageError> {
        let read = include_str!("../../sql/journeys/tokens_used.sql");
        let found = self.connections.read(read, values![since.as_microsecond()]).await?;
        found.iter().map(|row| get(row, 0)).collect()
    }

    async fn journey(&self, cookie: [u8; 32]) -> Result<Option<Journey>, StorageError> {
        let read = include_str!("../../sql/journeys/read.sql");
        let found = self.connections.read_one(read, values![&cookie[..]]).await?;
        let Some(row) = found else { return Ok(None) };
        Found::columns(Fields::of(&row))?.open(&self.seal, cookie).map(Some)
    }

    async fn journey_opened_by(&self, of: PartnerId, token: Uuid) -> Result<Option<[u8; 32]>, StorageError> {
        let read = include_str!("../../sql/journeys/opened_by.sql");
        let found = self.connections.read_one(read, values![id(of), token]).await?;
        found.map(|row| Fields::of(&row).get(0)).transpose()
    }

    async fn change_journey(&self, journey: &Journey) -> Result<bool, StorageError> {
        let row = Row::of(&self.seal, journey)?;
        let change = include_str!("../../sql/journeys/change.sql");
        Ok(self
            .connections
            .write(
                change,
                values![
                    row.seen_at,
                    row.version as i32,
                    row.body,
                    uuid(row.of),
                    uuid(row.id),
                    row.before() as i32,
                ],
            )
            .await?
            .changed
            == 1)
    }

    async fn old_journeys(&self, before: Timestamp, most: usize) -> Result<Vec<OldJourney>, StorageError> {
        let read = include_str!("../../sql/journeys/old.sql");
        let rows = self.connections.read(read, values![before.as_microsecond(), at_most(most)]).await?;
        let old = |row: &tokio_postgres::Row| {
            Ok(Found::columns(Fields::of(row))?.old(&self.seal, Fields::of(row).get(6)?))
        };
        rows.iter().map(old).collect()
    }

    async fn forget_journeys(&self, old: &[(OldJourney, Option<NewEvent>)]) -> Result<usize, StorageError> {
        let of: Vec<Uuid> = old.iter().map(|(old, _)| id(old.partner)).collect();
        let ids: Vec<Uuid> = old.iter().map(|(old, _)| old.id).collect();
        let versions: Vec<i32> = old.iter().map(|(old, _)| old.version as i32).collect();
        let within = Transaction::begin(&self.connections).await?;
        let forget = include_str!("../../sql/journeys/forget.postgres.sql");
        let rows = within.execute(forget, values![of, ids, versions]).await?.rows;
        let forgotten: HashSet<Uuid> = rows.iter().map(|row| get(row, 0)).collect::<Result<_, _>>()?;
        let told = old.iter().filter(|(old, _)| forgotten.contains(&old.id));
        let told: Vec<_> = told.filter_map(|(old, event)| Some((old.partner, event.clone()?))).collect();
        event::note(&within, &EventRow::of_partners(&self.seal, &told)?).await?;
        within.commit().await?;
        Ok(forgotten.len())
    }
}
