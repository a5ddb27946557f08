//! Store operations for the log of partners' requests (D100).

use std::borrow::Cow;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};

use super::Result;
use super::lists::Beyond;

/// A completed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedRequest {
    /// Time of the response.
    pub at: Timestamp,
    pub method: Cow<'static, str>,
    /// Path in the API contract, with the names of its parameters instead of their values.
    pub route: Cow<'static, str>,
    /// HTTP status of the response.
    pub status: u16,
    /// Error code, if the request was refused.
    pub code: Option<Cow<'static, str>>,
    /// Duration in microseconds.
    pub micros: u32,
    /// Request id. The header of the response has the same id in hexadecimal digits.
    pub id: Uuid,
}

/// Requests of one partner that are stored together, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestBatch {
    pub partner: PartnerId,
    /// Id made when the batch is stored. Batches are read newest first by this id.
    pub id: Uuid,
    /// Requests of the batch, oldest first; at least one.
    pub requests: Vec<LoggedRequest>,
}

#[async_trait]
pub trait RequestLogs: Send + Sync {
    async fn log_requests(&self, batches: &[RequestBatch]) -> Result<()>;

    /// Batches of a partner. `from`: either up to a batch id, newest first, or from a batch id on, oldest
    /// first. At most `most`.
    async fn request_batches(
        &self,
        of: PartnerId,
        from: Beyond<Uuid>,
        most: usize,
    ) -> Result<Vec<RequestBatch>>;

    /// Deletes a partner's batches that were made before an instant, and batches beyond the partner's newest
    /// `kept` requests. Returns the number of deleted batches.
    async fn forget_requests(&self, of: PartnerId, before: Timestamp, kept: usize) -> Result<usize>;
}
