//! Store operations for responses with idempotency keys (D36).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::PartnerId;

use super::Result;

/// How long a response is stored, in seconds.
pub const KEPT_FOR: i64 = 24 * 60 * 60;

/// Key of a stored response: keyed hash of method, path and idempotency key. The partner is stored beside
/// this key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdempotencyKeyHash(pub [u8; 32]);

/// Response that is stored under an idempotency key.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredResponse {
    /// Keyed hash of the request body.
    pub body: [u8; 32],
    /// Bytes of the response. The store does not know their format.
    pub bytes: Vec<u8>,
    /// When the response was stored.
    pub kept_at: Timestamp,
}

impl std::fmt::Debug for StoredResponse {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("StoredResponse(…)")
    }
}

/// A response to store under an idempotency key, in the same transaction as its record.
#[derive(Debug, Clone)]
pub struct KeyedResponse {
    pub key: IdempotencyKeyHash,
    pub response: StoredResponse,
}

/// Result of storing a record whose request may have an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// The record was stored.
    New,
    /// The record was not stored: another request with the same key came first.
    Twin,
}

#[async_trait]
pub trait Responses: Send + Sync {
    /// Response that is stored under an idempotency key. `None` if no response is stored, or if it was stored
    /// before `since`.
    async fn kept_response(
        &self,
        of: PartnerId,
        key: IdempotencyKeyHash,
        since: Timestamp,
    ) -> Result<Option<StoredResponse>>;

    /// Replaces the bytes of a response that was stored empty, because it was not known yet.
    async fn complete_response(&self, of: PartnerId, response: &KeyedResponse) -> Result<()>;

    /// Deletes responses stored before an instant, at most `most`. Returns their number.
    async fn forget_kept_responses(&self, before: Timestamp, most: usize) -> Result<usize>;
}
