//! What the use cases need of a store for the log of partners' requests (D100).

use std::borrow::Cow;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};

use super::Result;
use super::lists::Beyond;

/// A request that was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedRequest {
    /// When it was answered.
    pub at: Timestamp,
    pub method: Cow<'static, str>,
    /// Its route: a path of the contract, with the names of its parameters.
    pub route: Cow<'static, str>,
    /// The status of the answer.
    pub status: u16,
    /// The code of a refusal.
    pub code: Option<Cow<'static, str>>,
    /// How long it took, in microseconds.
    pub micros: u32,
    /// Its id, which the answer's header has in hexadecimal digits.
    pub id: Uuid,
}

/// Requests of one partner that are kept together, oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestBatch {
    /// Whose they are.
    pub partner: PartnerId,
    /// Its id, made when it is kept: batches are read newest first by it.
    pub id: Uuid,
    /// The requests, at least one.
    pub requests: Vec<LoggedRequest>,
}

#[async_trait]
pub trait RequestLogs: Send + Sync {
    /// Keeps batches.
    async fn log_requests(&self, batches: &[RequestBatch]) -> Result<()>;

    /// Batches of a partner: those up to an id, newest first, or those from an id on, oldest first; at most so many.
    async fn request_batches(
        &self,
        of: PartnerId,
        from: Beyond<Uuid>,
        most: usize,
    ) -> Result<Vec<RequestBatch>>;

    /// Removes a partner's batches that were made before an instant, and those behind its newest `kept` requests. Returns how many.
    async fn forget_requests(&self, of: PartnerId, before: Timestamp, kept: usize) -> Result<usize>;
}
