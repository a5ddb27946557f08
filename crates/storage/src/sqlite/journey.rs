//! Journeys, found by the hash of what the browser's cookie holds (D38).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use domain::journey::Journey;
use domain::session::Session;
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::{Journeys, StorageError};

use super::row::{fault, id, id_bytes, instant};
use super::writer::Act;
use super::{Sqlite, session};
use crate::body::{JourneyBody, decode, encode};
use crate::seal::Seal;

pub(super) const TABLE: &str = "journeys";
pub(super) const VERSION: u8 = 1;

/// A journey as it lies in the table.
pub(super) struct Row {
    of: [u8; 16],
    id: [u8; 16],
    token: [u8; 16],
    cookie: [u8; 32],
    seen_at: i64,
    version: u32,
    body: Vec<u8>,
}

impl Row {
    pub(super) fn of(seal: &Seal, journey: &Journey) -> Result<Self, StorageError> {
        let id = *journey.id.as_bytes();
        Ok(Row {
            of: id_bytes(journey.partner),
            id,
            token: *journey.token.as_bytes(),
            cookie: journey.cookie,
            seen_at: journey.seen_at.as_microsecond(),
            version: journey.version,
            body: seal.seal(TABLE, &id, &encode(VERSION, &JourneyBody::of(journey)))?,
        })
    }

    /// Replaces the version before. `false`: it is another one by now.
    pub(super) fn change(&self, to: &Connection) -> Result<bool, StorageError> {
        let mut change = to.prepare_cached(include_str!("../../sql/journeys/change.sql")).map_err(fault)?;
        let before = self.version.wrapping_sub(1);
        let values = params![self.seen_at, self.version, self.body, self.of, self.id, before];
        Ok(change.execute(values).map_err(fault)? == 1)
    }
}

#[async_trait]
impl Journeys for Sqlite {
    async fn open_journey(&self, journey: &Journey, begins: Option<&Session>) -> Result<bool, StorageError> {
        let row = Row::of(&self.seal, journey)?;
        let begins = begins.map(|session| session::Row::of(&self.seal, session)).transpose()?;
        self.writer
            .decide(move |to| {
                let mut open =
                    to.prepare_cached(include_str!("../../sql/journeys/open.sql")).map_err(fault)?;
                let Row { of, id, token, cookie, seen_at, version, body } = &row;
                if open.execute(params![of, id, token, cookie, seen_at, version, body]).map_err(fault)? == 0 {
                    return Ok(Act::Undo(false));
                }
                begins.as_ref().map_or(Ok(()), |session| session.keep(to))?;
                Ok(Act::Keep(true))
            })
            .await
    }

    async fn journey(&self, cookie: [u8; 32]) -> Result<Option<Journey>, StorageError> {
        self.readers.read(|from| {
            let mut read = from.prepare_cached(include_str!("../../sql/journeys/read.sql")).map_err(fault)?;
            let columns = |row: &rusqlite::Row<'_>| {
                let uuid = |column| row.get::<_, [u8; 16]>(column).map(Uuid::from_bytes);
                Ok((
                    id(row, 0)?,
                    uuid(1)?,
                    uuid(2)?,
                    instant(row, 3)?,
                    row.get::<_, u32>(4)?,
                    row.get::<_, Vec<u8>>(5)?,
                ))
            };
            let found = read.query_row([cookie], columns).optional().map_err(fault)?;
            let Some((partner, id, token, seen_at, version, sealed)) = found else { return Ok(None) };
            let body: JourneyBody = decode(VERSION, &self.seal.open(TABLE, id.as_bytes(), &sealed)?)?;
            Ok(Some(Journey {
                id,
                partner,
                session: body.session,
                token,
                cookie,
                opened_at: body.opened_at,
                seen_at,
                version,
                language: body.language,
                user: body.user,
                return_url: body.return_url,
                answers: body.answers,
            }))
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
        self.writer.keep(move |to| row.change(to)).await
    }

    async fn forget_journeys(&self, before: Timestamp, most: usize) -> Result<usize, StorageError> {
        let forget = include_str!("../../sql/journeys/forget_old.sql");
        self.writer
            .keep(move |to| to.execute(forget, params![before.as_microsecond(), most as i64]).map_err(fault))
            .await
    }
}
