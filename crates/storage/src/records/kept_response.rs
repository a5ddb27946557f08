//! Database rows of responses that are stored under idempotency keys (D36).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::PartnerId;
use ports::storage::responses::{IdempotencyKeyHash, KEPT_FOR, StoredResponse};
use ports::storage::{Kept, KeyedResponse, Responses, Result, StorageError};

use super::bound::Bound;
use super::id_bytes;
use crate::audit::Companion;
use crate::fields::{RowFields, values};
use crate::operation::{Guard, Operation, Stop, sql};
use crate::seal::Seal;
use crate::store::Store;

const TABLE: &str = "kept_responses";

/// Stored response. Its encrypted body has the hash of the request's body, followed by the response.
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
    ) -> Result<Option<Self>> {
        let Some(KeyedResponse { key, response }) = response else { return Ok(None) };
        let plain = [&response.body, response.bytes.as_slice()].concat();
        let body = seal.seal(TABLE, bound(of, *key, response.kept_at).as_ref(), &plain)?;
        Ok(Some(Row { of: id_bytes(of), key: key.0, kept_at: response.kept_at.as_microsecond(), body }))
    }

    /// Instant in microseconds: an older response under the same idempotency key has expired.
    pub(crate) fn over_before(&self) -> i64 {
        self.kept_at - KEPT_FOR * 1_000_000
    }
}

/// Decrypts a stored response.
pub(crate) fn open(
    seal: &Seal,
    of: PartnerId,
    key: IdempotencyKeyHash,
    kept_at: Timestamp,
    sealed: &[u8],
) -> Result<StoredResponse> {
    let plain = seal.open(TABLE, bound(of, key, kept_at).as_ref(), sealed)?;
    let (body, bytes) = plain
        .split_first_chunk::<32>()
        .ok_or_else(|| StorageError::Damaged("a stored response is incomplete".into()))?;
    Ok(StoredResponse { body: *body, bytes: bytes.to_vec(), kept_at })
}

/// Columns to which an encrypted response is bound, so that a change of a column is detected.
fn bound(of: PartnerId, key: IdempotencyKeyHash, kept_at: Timestamp) -> Bound {
    Bound::row(of, &key.0).number(kept_at.as_microsecond())
}

/// Statement that stores the response of an operator's act.
pub(crate) fn companion(row: &Row) -> Companion {
    let values = values![row.of, row.key, row.kept_at, row.body, row.over_before()];
    Companion::new(sql!("kept_responses/keep"), values)
}

/// Stores the response of an operation, if any, as its first statement. If another request with the same
/// idempotency key came first, the operation stops.
pub(crate) fn keep(to: &mut dyn Operation, response: Option<&Row>) {
    if let Some(row) = response {
        let values = values![row.of, row.key, row.kept_at, row.body, row.over_before()];
        to.require(sql!("kept_responses/keep"), values, Guard::Response);
    }
}

/// Result of an operation: [`Kept::Twin`] if another request with the same idempotency key came first.
pub(crate) fn unless_twin(kept: Result<(), Stop>) -> Result<Kept> {
    match kept {
        Err(Stop::Guard(Guard::Response)) => Ok(Kept::Twin),
        kept => Ok(kept.map(|()| Kept::New)?),
    }
}

#[async_trait]
impl Responses for Store {
    async fn kept_response(
        &self,
        of: PartnerId,
        key: IdempotencyKeyHash,
        since: Timestamp,
    ) -> Result<Option<StoredResponse>> {
        let response = |row: RowFields<'_>| open(&self.seal, of, key, row.get(0)?, row.get(1)?);
        self.first(sql!("kept_responses/read"), values![of, key.0, since], response).await
    }

    async fn complete_response(&self, of: PartnerId, response: &KeyedResponse) -> Result<()> {
        let Some(row) = Row::of_response(&self.seal, of, Some(response))? else { return Ok(()) };
        let values = values![row.body, row.of, row.key, row.kept_at];
        self.write(sql!("kept_responses/complete"), values).await.map(|_| ())
    }

    async fn forget_kept_responses(&self, before: Timestamp, most: usize) -> Result<usize> {
        let forgotten = self.write(sql!("kept_responses/forget_old"), values![before, most]).await?;
        Ok(forgotten as usize)
    }
}
