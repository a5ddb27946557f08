//! Rows of answers kept under idempotency keys (D36).

use domain::date::Timestamp;
use domain::id::PartnerId;
use service::idempotency::{AnswerKey, KEPT_FOR, KeptAnswer};
use service::storage::{Once, StorageError};

use super::id_bytes;
use crate::seal::Seal;

const TABLE: &str = "answers";

/// A kept answer. The sealed body is the hash of the request's body, then the answer.
pub(crate) struct Row {
    pub(crate) of: [u8; 16],
    pub(crate) key: [u8; 32],
    pub(crate) kept_at: i64,
    pub(crate) body: Vec<u8>,
}

impl Row {
    pub(crate) fn of_once(
        seal: &Seal,
        of: PartnerId,
        once: Option<&Once>,
    ) -> Result<Option<Self>, StorageError> {
        let Some(Once { key, answer }) = once else { return Ok(None) };
        let plain = [&answer.body, answer.answer.as_slice()].concat();
        let body = seal.seal(TABLE, &bound_to(of, *key), &plain)?;
        Ok(Some(Row { of: id_bytes(of), key: key.0, kept_at: answer.kept_at.as_microsecond(), body }))
    }

    /// The instant before which an answer under the same key was kept whose day is over.
    pub(crate) fn over_before(&self) -> i64 {
        self.kept_at - KEPT_FOR * 1_000_000
    }
}

/// Opens a kept answer.
pub(crate) fn open(
    seal: &Seal,
    of: PartnerId,
    key: AnswerKey,
    kept_at: Timestamp,
    sealed: &[u8],
) -> Result<KeptAnswer, StorageError> {
    let plain = seal.open(TABLE, &bound_to(of, key), sealed)?;
    let (body, answer) = plain
        .split_first_chunk::<32>()
        .ok_or_else(|| StorageError::Damaged("a kept answer is cut short".into()))?;
    Ok(KeptAnswer { body: *body, answer: answer.to_vec(), kept_at })
}

/// What a kept answer is bound to.
fn bound_to(of: PartnerId, key: AnswerKey) -> Vec<u8> {
    [&id_bytes(of)[..], &key.0].concat()
}
