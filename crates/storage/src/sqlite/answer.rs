//! Answers kept under idempotency keys (D36).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::PartnerId;
use rusqlite::{Connection, OptionalExtension, params};
use service::idempotency::{AnswerKey, KeptAnswer};
use service::storage::{Responses, StorageError};

use super::Sqlite;
use super::row::{fault, instant};
use crate::rows::answer::{Row, open};
use crate::rows::id_bytes;

/// Keeps the answer, where there is one. `false`: another request with the same key was first.
pub(super) fn is_first(to: &Connection, answer: Option<&Row>) -> Result<bool, StorageError> {
    let Some(answer) = answer else { return Ok(true) };
    let mut forget =
        to.prepare_cached(include_str!("../../sql/answers/forget_one_old.sql")).map_err(fault)?;
    forget.execute(params![answer.of, answer.key, answer.over_before()]).map_err(fault)?;
    let mut keep = to.prepare_cached(include_str!("../../sql/answers/keep.sqlite.sql")).map_err(fault)?;
    let kept = keep.execute(params![answer.of, answer.key, answer.kept_at, answer.body]).map_err(fault)?;
    Ok(kept == 1)
}

#[async_trait]
impl Responses for Sqlite {
    async fn kept_answer(
        &self,
        of: PartnerId,
        key: AnswerKey,
        since: Timestamp,
    ) -> Result<Option<KeptAnswer>, StorageError> {
        self.readers.read(|from| {
            let mut read = from.prepare_cached(include_str!("../../sql/answers/read.sql")).map_err(fault)?;
            let values = params![id_bytes(of), key.0, since.as_microsecond()];
            let columns = |row: &rusqlite::Row<'_>| Ok((instant(row, 0)?, row.get::<_, Vec<u8>>(1)?));
            let found = read.query_row(values, columns).optional().map_err(fault)?;
            let Some((kept_at, sealed)) = found else { return Ok(None) };
            open(&self.seal, of, key, kept_at, &sealed).map(Some)
        })
    }

    async fn forget_answers(&self, before: Timestamp, most: usize) -> Result<usize, StorageError> {
        let forget = include_str!("../../sql/answers/forget_old.sql");
        self.writer
            .keep(move |to| to.execute(forget, params![before.as_microsecond(), most as i64]).map_err(fault))
            .await
    }
}
