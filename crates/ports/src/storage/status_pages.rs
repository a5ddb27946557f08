//! What the use cases need of a store for the pages with an application's status.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId};

use super::Result;

/// Tries within a time.
#[derive(Debug, Clone, Copy)]
pub struct TryLimit {
    /// How many.
    pub most: u32,
    /// Tries before this instant no longer count.
    pub since: Timestamp,
}

/// What became of the pages with applications' status.
#[async_trait]
pub trait StatusPages: Send + Sync {
    /// When the operator ended the addresses of a proposal's page that had been given out, if they did.
    async fn status_page_ended(&self, of: PartnerId, proposal: ProposalId) -> Result<Option<Timestamp>>;

    /// Ends the addresses that were given out until an instant.
    async fn end_status_page(&self, of: PartnerId, proposal: ProposalId, at: Timestamp) -> Result<()>;

    /// Counts a try to renew an address. `false`: there were as many as may be, and this one is not counted. Of tries
    /// that come at once, no more than these are granted.
    async fn count_status_page_try(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        at: Timestamp,
        limit: TryLimit,
    ) -> Result<bool>;
}
