//! Store operations for the status pages of applications.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId};

use super::Result;

/// Limit of attempts to renew the URL of a status page.
#[derive(Debug, Clone, Copy)]
pub struct TryLimit {
    /// Maximum number of attempts in the period.
    pub most: u32,
    /// Start of the period. Earlier attempts do not count.
    pub since: Timestamp,
}

#[async_trait]
pub trait StatusPages: Send + Sync {
    /// When the operator revoked the URLs of a proposal's status page. `None` if they were not revoked.
    async fn status_page_ended(&self, of: PartnerId, proposal: ProposalId) -> Result<Option<Timestamp>>;

    /// Revokes the URLs of a status page that were issued up to an instant.
    async fn end_status_page(&self, of: PartnerId, proposal: ProposalId, at: Timestamp) -> Result<()>;

    /// Counts an attempt to renew a status page's URL. `false`: the limit is reached, so the attempt is not
    /// counted. The limit also holds for simultaneous attempts.
    async fn count_status_page_try(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        at: Timestamp,
        limit: TryLimit,
    ) -> Result<bool>;
}
