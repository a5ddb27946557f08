//! What the use cases need of a store for test partners: their jobs hurried, their records removed (D97).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::PartnerId;

use super::Result;

/// Records of test partners.
#[async_trait]
pub trait TestData: Send + Sync {
    /// Makes every job of a partner due that nobody holds.
    async fn hurry_jobs(&self, of: PartnerId, now: Timestamp) -> Result<()>;

    /// How many jobs of a partner are due at an instant, or held by somebody.
    async fn jobs_at_work(&self, of: PartnerId, now: Timestamp) -> Result<u64>;

    /// Removes records of a partner, at most so many of each kind; what it is, its secrets, its endpoints and the counts of its
    /// events stay. Returns how many.
    async fn forget_test_data(&self, of: PartnerId, most: usize) -> Result<usize>;
}
