//! Journeys, found by the hash of what the browser's cookie holds (D38).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use domain::journey::Journey;
use domain::session::Session;
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::journeys::OldJourney;
use service::storage::{Journeys, NewEvent, StorageError};

use super::row::{by, fault};
use super::writer::Act;
use super::{Sqlite, event, session};
use crate::rows::event::EventRow;
use crate::rows::journey::{Found, Row};
use crate::rows::{self, id_bytes};

/// Replaces the version before. `false`: it is another one by now.
pub(super) fn change(to: &Connection, journey: &Row) -> Result<bool, StorageError> {
    let mut change = to.prepare_cached(include_str!("../../sql/journeys/change.sql")).map_err(fault)?;
    let Row { of, id, seen_at, version, body, .. } = journey;
    let values = params![seen_at, version, body, of, id, journey.before()];
    Ok(change.execute(values).map_err(fault)? == 1)
}

#[async_trait]
impl Journeys for Sqlite {
    async fn open_journey(&self, journey: &Journey, begins: Option<&Session>) -> Result<bool, StorageError> {
        let row = Row::of(&self.seal, journey)?;
        let begins = begins.map(|session| rows::session::Row::of(&self.seal, session)).transpose()?;
        self.writer
            .decide(move |to| {
                let mut open =
                    to.prepare_cached(include_str!("../../sql/journeys/open.sqlite.sql")).map_err(fault)?;
                let Row { of, id, token, cookie, seen_at, version, body } = &row;
                if open.execute(params![of, id, token, cookie, seen_at, version, body]).map_err(fault)? == 0 {
                    return Ok(Act::Undo(false));
                }
                begins.as_ref().map_or(Ok(()), |begins| session::keep(to, begins))?;
                Ok(Act::Keep(true))
            })
            .await
    }

    async fn tokens_used(&self, since: Timestamp) -> Result<Vec<Uuid>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/journeys/tokens_used.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let token = |row: &rusqlite::Row<'_>| row.get::<_, [u8; 16]>(0).map(Uuid::from_bytes);
            let found = read.query_map([since.as_microsecond()], token).map_err(fault)?;
            found.collect::<Result<_, _>>().map_err(fault)
        })
    }

    async fn journey(&self, cookie: [u8; 32]) -> Result<Option<Journey>, StorageError> {
        self.readers.read(|from| {
            let mut read = from.prepare_cached(include_str!("../../sql/journeys/read.sql")).map_err(fault)?;
            let found = read.query_row([cookie], by(Found::columns)).optional().map_err(fault)?;
            found.map(|found| found.open(&self.seal, cookie)).transpose()
        })
    }

    async fn journey_opened_by(&self, of: PartnerId, token: Uuid) -> Result<Option<[u8; 32]>, StorageError> {
        self.readers.read(|from| {
            let mut read =
                from.prepare_cached(include_str!("../../sql/journeys/opened_by.sql")).map_err(fault)?;
            read.query_row(params![id_bytes(of), token.as_bytes()], |row| row.get(0))
                .optional()
                .map_err(fault)
        })
    }

    async fn change_journey(&self, journey: &Journey) -> Result<bool, StorageError> {
        let row = Row::of(&self.seal, journey)?;
        self.writer.keep(move |to| change(to, &row)).await
    }

    async fn old_journeys(&self, before: Timestamp, most: usize) -> Result<Vec<OldJourney>, StorageError> {
        self.readers.read(|from| {
            let mut read = from.prepare_cached(include_str!("../../sql/journeys/old.sql")).map_err(fault)?;
            let columns = by(|row| Ok((Found::columns(row)?, row.get::<[u8; 32]>(6)?)));
            let found = read.query_map(params![before.as_microsecond(), most as i64], columns);
            found
                .map_err(fault)?
                .map(|found| found.map(|(found, cookie)| found.old(&self.seal, cookie)).map_err(fault))
                .collect()
        })
    }

    async fn forget_journeys(&self, old: &[(OldJourney, Option<NewEvent>)]) -> Result<usize, StorageError> {
        let row = |(old, event): &(OldJourney, Option<NewEvent>)| {
            Ok((
                id_bytes(old.partner),
                *old.id.as_bytes(),
                old.version,
                EventRow::all(&self.seal, old.partner, event.as_slice())?,
            ))
        };
        let rows = old.iter().map(row).collect::<Result<Vec<_>, StorageError>>()?;
        self.writer
            .keep(move |to| {
                let mut forgotten = 0;
                for (of, id, version, events) in &rows {
                    let forget = include_str!("../../sql/journeys/forget.sqlite.sql");
                    let mut forget = to.prepare_cached(forget).map_err(fault)?;
                    if forget.execute(params![of, id, version]).map_err(fault)? == 1 {
                        forgotten += 1;
                        event::note(to, events)?;
                    }
                }
                Ok(forgotten)
            })
            .await
    }
}
