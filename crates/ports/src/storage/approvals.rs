//! Store operations for operators' acts that wait for the approval of a second operator.

use async_trait::async_trait;
use domain::approval::{Approval, ApprovalState};
use domain::date::Timestamp;
use domain::id::ApprovalId;

use super::Result;

#[async_trait]
pub trait Approvals: Send + Sync {
    /// Adds an approval, or updates the stored one if its version is unchanged. `false`: the version has
    /// changed, so nothing was stored.
    async fn keep_approval(&self, approval: &Approval) -> Result<bool>;

    async fn approval(&self, id: ApprovalId) -> Result<Option<Approval>>;

    /// Approvals in the given state that expire after `after`, newest first. If `subject` is given: only
    /// approvals for that record.
    async fn approvals(
        &self,
        state: ApprovalState,
        subject: Option<&str>,
        after: Timestamp,
        most: usize,
    ) -> Result<Vec<Approval>>;

    /// Deletes approvals that expired before an instant, at most `most`. Returns their number.
    async fn forget_approvals(&self, before: Timestamp, most: usize) -> Result<usize>;
}
