//! Answers kept under idempotency keys (D36).

use domain::date::Timestamp;
use domain::id::PartnerId;
use rusqlite::{Connection, OptionalExtension, params};
use service::idempotency::{AnswerKey, KEPT_FOR, KeptAnswer};
use service::storage::{Once, StorageError};

use super::row::{fault, id_bytes, instant};
use crate::seal::Seal;

const TABLE: &str = "answers";

/// A kept answer as it lies in the table. The sealed body is the body's hash, then the answer.
pub(super) struct Row {
    of: [u8; 16],
    key: [u8; 32],
    kept_at: i64,
    body: Vec<u8>,
}

impl Row {
    pub(super) fn of_once(
        seal: &Seal,
        of: PartnerId,
        once: Option<&Once>,
    ) -> Result<Option<Self>, StorageError> {
        let Some(Once { key, answer }) = once else { return Ok(None) };
        let plain = [&answer.body, answer.answer.as_slice()].concat();
        let body = seal.seal(TABLE, &row_of(of, *key), &plain)?;
        Ok(Some(Row { of: id_bytes(of), key: key.0, kept_at: answer.kept_at.as_microsecond(), body }))
    }
}

/// What a kept answer is bound to.
fn row_of(of: PartnerId, key: AnswerKey) -> Vec<u8> {
    [&id_bytes(of)[..], &key.0].concat()
}

/// Keeps the answer, where there is one. `false`: another request with the same key was first.
pub(super) fn is_first(to: &Connection, answer: Option<&Row>) -> Result<bool, StorageError> {
    let Some(answer) = answer else { return Ok(true) };
    let mut forget =
        to.prepare_cached(include_str!("../../sql/answers/forget_one_old.sql")).map_err(fault)?;
    forget.execute(params![answer.of, answer.key, answer.kept_at - KEPT_FOR * 1_000_000]).map_err(fault)?;
    let mut keep = to.prepare_cached(include_str!("../../sql/answers/keep.sql")).map_err(fault)?;
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
    let (body, answer) = open(seal, of, key, &sealed)?;
    Ok(Some(KeptAnswer { body, answer, kept_at }))
}

/// The body's hash and the answer.
pub(super) fn open(
    seal: &Seal,
    of: PartnerId,
    key: AnswerKey,
    sealed: &[u8],
) -> Result<([u8; 32], Vec<u8>), StorageError> {
    let plain = seal.open(TABLE, &row_of(of, key), sealed)?;
    let (body, answer) = plain
        .split_first_chunk::<32>()
        .ok_or_else(|| StorageError::Damaged("a kept answer is cut short".into()))?;
    Ok((*body, answer.to_vec()))
}

pub(super) fn forget(to: &Connection, before: Timestamp, most: usize) -> Result<usize, StorageError> {
    let forget = include_str!("../../sql/answers/forget_old.sql");
    to.execute(forget, params![before.as_microsecond(), most as i64]).map_err(fault)
}
