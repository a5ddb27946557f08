//! Rows of responses kept under idempotency keys (D36).

use domain::date::Timestamp;
use domain::id::PartnerId;
use service::storage::responses::{IdempotencyKeyHash, KEPT_FOR, StoredResponse};
use service::storage::{KeyedResponse, StorageError};

use super::bound::Bound;
use super::id_bytes;
use crate::seal::Seal;

const TABLE: &str = "kept_responses";

/// A kept response. The sealed body is the hash of the request's body, then the response.
pub(crate) struct Row {
    pub(crate) of: [u8; 16],
    pub(crate) key: [u8; 32],
    pub(crate) kept_at: i64,
    pub(crate) body: Vec<u8>,
}

impl Row {
    pub(crate) fn of_response(
        seal: &Seal,
        of: PartnerId,
        response: Option<&KeyedResponse>,
    ) -> Result<Option<Self>, StorageError> {
        let Some(KeyedResponse { key, response }) = response else { return Ok(None) };
        let plain = [&response.body, response.bytes.as_slice()].concat();
        let body = seal.seal(TABLE, bound(of, *key, response.kept_at).as_ref(), &plain)?;
        Ok(Some(Row { of: id_bytes(of), key: key.0, kept_at: response.kept_at.as_microsecond(), body }))
    }

    /// The instant before which a response under the same key was kept whose day is over.
    pub(crate) fn over_before(&self) -> i64 {
        self.kept_at - KEPT_FOR * 1_000_000
    }
}

/// Opens a kept response.
pub(crate) fn open(
    seal: &Seal,
    of: PartnerId,
    key: IdempotencyKeyHash,
    kept_at: Timestamp,
    sealed: &[u8],
) -> Result<StoredResponse, StorageError> {
    let plain = seal.open(TABLE, bound(of, key, kept_at).as_ref(), sealed)?;
    let (body, bytes) = plain
        .split_first_chunk::<32>()
        .ok_or_else(|| StorageError::Damaged("a kept response is cut short".into()))?;
    Ok(StoredResponse { body: *body, bytes: bytes.to_vec(), kept_at })
}

/// What a kept response is bound to.
fn bound(of: PartnerId, key: IdempotencyKeyHash, kept_at: Timestamp) -> Bound {
    Bound::row(of, &key.0).number(kept_at.as_microsecond())
}
