//! Sessions (D37).

use async_trait::async_trait;
use domain::id::{PartnerId, SessionId};
use domain::session::Session;
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::{Kept, Once, Sessions, StorageError};

use super::row::{fault, id_bytes, instant};
use super::writer::Act;
use super::{Sqlite, answer};
use crate::body::{SessionBody, decode, encode};
use crate::seal::Seal;

pub(super) const TABLE: &str = "sessions";
pub(super) const VERSION: u8 = 1;

/// A session as it lies in the table.
pub(super) struct Row {
    of: [u8; 16],
    id: [u8; 16],
    created_at: i64,
    body: Vec<u8>,
}

impl Row {
    pub(super) fn of(seal: &Seal, session: &Session) -> Result<Self, StorageError> {
        let id = id_bytes(session.id);
        let body = SessionBody { metadata: session.metadata.clone().into_iter().collect() };
        Ok(Row {
            of: id_bytes(session.partner),
            id,
            created_at: session.created_at.as_microsecond(),
            body: seal.seal(TABLE, &id, &encode(VERSION, &body))?,
        })
    }

    pub(super) fn keep(&self, to: &Connection) -> Result<(), StorageError> {
        let Row { of, id, created_at, body } = self;
        let mut keep = to.prepare_cached(include_str!("../../sql/sessions/keep.sql")).map_err(fault)?;
        keep.execute(params![of, id, created_at, body]).map(|_| ()).map_err(fault)
    }
}

#[async_trait]
impl Sessions for Sqlite {
    async fn keep_session(&self, session: &Session, once: Option<&Once>) -> Result<Kept, StorageError> {
        let row = Row::of(&self.seal, session)?;
        let answer = answer::Row::of_once(&self.seal, session.partner, once)?;
        self.writer
            .decide(move |to| {
                if !answer::is_first(to, answer.as_ref())? {
                    return Ok(Act::Undo(Kept::Twin));
                }
                row.keep(to)?;
                Ok(Act::Keep(Kept::New))
            })
            .await
    }

    async fn session(&self, of: PartnerId, id: SessionId) -> Result<Option<Session>, StorageError> {
        self.readers.read(|from| {
            let mut read = from.prepare_cached(include_str!("../../sql/sessions/read.sql")).map_err(fault)?;
            let columns = |row: &rusqlite::Row<'_>| Ok((instant(row, 0)?, row.get::<_, Vec<u8>>(1)?));
            let found = read.query_row(params![id_bytes(of), id_bytes(id)], columns).optional();
            let Some((created_at, sealed)) = found.map_err(fault)? else { return Ok(None) };
            let body: SessionBody = decode(VERSION, &self.seal.open(TABLE, &id_bytes(id), &sealed)?)?;
            Ok(Some(Session { id, partner: of, created_at, metadata: body.metadata.into_iter().collect() }))
        })
    }
}
