//! Responses kept under idempotency keys (D36).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::PartnerId;
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::responses::{IdempotencyKeyHash, StoredResponse};
use service::storage::{Responses, StorageError};

use super::Sqlite;
use super::row::{fault, instant};
use crate::rows::id_bytes;
use crate::rows::kept_response::{Row, open};

/// Keeps the response, where there is one. `false`: another request with the same key was first.
pub(super) fn is_first(to: &Connection, response: Option<&Row>) -> Result<bool, StorageError> {
    let Some(response) = response else { return Ok(true) };
    let mut forget =
        to.prepare_cached(include_str!("../../sql/kept_responses/forget_one_old.sql")).map_err(fault)?;
    forget.execute(params![response.of, response.key, response.over_before()]).map_err(fault)?;
    let mut keep =
        to.prepare_cached(include_str!("../../sql/kept_responses/keep.sqlite.sql")).map_err(fault)?;
    let kept =
        keep.execute(params![response.of, response.key, response.kept_at, response.body]).map_err(fault)?;
    Ok(kept == 1)
}

#[async_trait]
impl Responses for Sqlite {
    async fn kept_response(
        &self,
        of: PartnerId,
        key: IdempotencyKeyHash,
        since: Timestamp,
    ) -> Result<Option<StoredResponse>, StorageError> {
        self.readers.read(|from| {
            let mut read =
                from.prepare_cached(include_str!("../../sql/kept_responses/read.sql")).map_err(fault)?;
            let values = params![id_bytes(of), key.0, since.as_microsecond()];
            let columns = |row: &rusqlite::Row<'_>| Ok((instant(row, 0)?, row.get::<_, Vec<u8>>(1)?));
            let found = read.query_row(values, columns).optional().map_err(fault)?;
            let Some((kept_at, sealed)) = found else { return Ok(None) };
            open(&self.seal, of, key, kept_at, &sealed).map(Some)
        })
    }

    async fn forget_kept_responses(&self, before: Timestamp, most: usize) -> Result<usize, StorageError> {
        let forget = include_str!("../../sql/kept_responses/forget_old.sql");
        self.writer
            .keep(move |to| to.execute(forget, params![before.as_microsecond(), most as i64]).map_err(fault))
            .await
    }
}
