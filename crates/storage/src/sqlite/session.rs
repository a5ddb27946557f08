//! Sessions (D37).

use async_trait::async_trait;
use domain::id::{PartnerId, SessionId};
use domain::session::Session;
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::{Kept, KeyedResponse, Sessions, StorageError};

use super::row::{fault, instant};
use super::writer::Act;
use super::{Sqlite, kept_response};
use crate::rows::session::{Row, open};
use crate::rows::{self, id_bytes};

pub(super) fn keep(to: &Connection, session: &Row) -> Result<(), StorageError> {
    let Row { of, id, created_at, body } = session;
    let mut keep = to.prepare_cached(include_str!("../../sql/sessions/keep.sqlite.sql")).map_err(fault)?;
    keep.execute(params![of, id, created_at, body]).map(|_| ()).map_err(fault)
}

#[async_trait]
impl Sessions for Sqlite {
    async fn keep_session(
        &self,
        session: &Session,
        response: Option<&KeyedResponse>,
    ) -> Result<Kept, StorageError> {
        let row = Row::of(&self.seal, session)?;
        let response = rows::kept_response::Row::of_response(&self.seal, session.partner, response)?;
        self.writer
            .decide(move |to| {
                if !kept_response::is_first(to, response.as_ref())? {
                    return Ok(Act::Undo(Kept::Twin));
                }
                keep(to, &row)?;
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
            open(&self.seal, of, id, created_at, &sealed).map(Some)
        })
    }
}
