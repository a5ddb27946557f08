//! What the use cases need of a store for responses kept under idempotency keys (D36).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::PartnerId;

use super::Result;

/// How long a response is kept, in seconds.
pub const KEPT_FOR: i64 = 24 * 60 * 60;

/// What a response is kept under: a keyed hash of method, path and key. The partner stands beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdempotencyKeyHash(pub [u8; 32]);

/// A response as the store keeps it.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredResponse {
    /// A keyed hash of the request's body.
    pub body: [u8; 32],
    /// The response's bytes, opaque here.
    pub bytes: Vec<u8>,
    /// When it was kept.
    pub kept_at: Timestamp,
}

impl std::fmt::Debug for StoredResponse {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str("StoredResponse(…)")
    }
}

/// A response to keep under an idempotency key, in the same transaction as the work's record.
#[derive(Debug, Clone)]
pub struct KeyedResponse {
    pub key: IdempotencyKeyHash,
    /// What to keep.
    pub response: StoredResponse,
}

/// How a keeping ended where an idempotency key may decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It was kept.
    New,
    /// Another request with the same key was first; nothing was kept.
    Twin,
}

/// Kept responses of a store.
#[async_trait]
pub trait Responses: Send + Sync {
    /// The response kept under an idempotency key, unless it was kept before `since`.
    async fn kept_response(
        &self,
        of: PartnerId,
        key: IdempotencyKeyHash,
        since: Timestamp,
    ) -> Result<Option<StoredResponse>>;

    /// Drops responses kept before an instant, at most so many at once. Returns how many.
    async fn forget_kept_responses(&self, before: Timestamp, most: usize) -> Result<usize>;
}
