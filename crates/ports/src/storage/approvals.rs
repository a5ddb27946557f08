//! What the use cases need of a store for acts that wait for a second operator.

use async_trait::async_trait;
use domain::approval::{Approval, ApprovalState};
use domain::date::Timestamp;
use domain::id::ApprovalId;

use super::Result;

/// Acts that wait for a second operator.
#[async_trait]
pub trait Approvals: Send + Sync {
    /// Adds an approval, or changes one in the version that was read. `false`: it was changed meanwhile.
    async fn keep_approval(&self, approval: &Approval) -> Result<bool>;

    async fn approval(&self, id: ApprovalId) -> Result<Option<Approval>>;

    /// Approvals in a state that expire after an instant, of a record if one is named, the newest first.
    async fn approvals(
        &self,
        state: ApprovalState,
        subject: Option<&str>,
        after: Timestamp,
        most: usize,
    ) -> Result<Vec<Approval>>;

    /// Removes approvals that expired before an instant, at most so many. Returns how many.
    async fn forget_approvals(&self, before: Timestamp, most: usize) -> Result<usize>;
}
