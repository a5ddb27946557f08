//! Answers kept under idempotency keys (D36).

use domain::date::Timestamp;
use domain::id::PartnerId;
use rusqlite::{Connection, OptionalExtension, params};
use service::idempotency::{AnswerKey, KeptAnswer};
use service::storage::StorageError;

use super::row::{fault, instant};
use crate::rows::answer::{Row, open};
use crate::rows::id_bytes;
use crate::seal::Seal;

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

pub(super) fn read(
    from: &Connection,
    seal: &Seal,
    of: PartnerId,
    key: AnswerKey,
    since: Timestamp,
) -> Result<Option<KeptAnswer>, StorageError> {
    let mut read = from.prepare_cached(include_str!("../../sql/answers/read.sql")).map_err(fault)?;
    let values = params![id_bytes(of), key.0, since.as_microsecond()];
    let found = read.query_row(values, |row| Ok((instant(row, 0)?, row.get::<_, Vec<u8>>(1)?))).optional();
    let Some((kept_at, sealed)) = found.map_err(fault)? else { return Ok(None) };
    open(seal, of, key, kept_at, &sealed).map(Some)
}

pub(super) fn forget(to: &Connection, before: Timestamp, most: usize) -> Result<usize, StorageError> {
    let forget = include_str!("../../sql/answers/forget_old.sql");
    to.execute(forget, params![before.as_microsecond(), most as i64]).map_err(fault)
}
