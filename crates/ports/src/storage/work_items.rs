//! Store operations for what the team notes about waiting tasks.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::work_item::WorkItem;

use super::Result;

#[async_trait]
pub trait WorkItems: Send + Sync {
    /// Adds a work item, or updates the stored one if its version is unchanged. `act`: name of the change for the audit
    /// trail. `false`: the version has changed, so nothing was stored.
    async fn keep_work_item(&self, item: &WorkItem, act: &'static str) -> Result<bool>;

    async fn work_item(&self, task: &str) -> Result<Option<WorkItem>>;

    /// Work items, the last changed first.
    async fn work_items(&self, most: usize) -> Result<Vec<WorkItem>>;

    /// Deletes work items that were changed before an instant, at most `most`. Returns their number.
    async fn forget_work_items(&self, before: Timestamp, most: usize) -> Result<usize>;
}
