//! Store operations for test partners (D97).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::PartnerId;

use super::Result;

#[async_trait]
pub trait TestData: Send + Sync {
    /// Makes all jobs of a partner due now, except jobs that a worker holds.
    async fn hurry_jobs(&self, of: PartnerId, now: Timestamp) -> Result<()>;

    /// Number of a partner's jobs that are due at an instant or held by a worker.
    async fn jobs_at_work(&self, of: PartnerId, now: Timestamp) -> Result<u64>;

    /// Deletes records of a partner, at most `most` of each kind. The partner, its secrets, endpoints and
    /// event counters stay. Returns the number of deleted records.
    async fn forget_test_data(&self, of: PartnerId, most: usize) -> Result<usize>;
}
