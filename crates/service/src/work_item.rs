//! What the team notes about waiting tasks: who does a task, until when it is put aside, notes.
//!
//! Uses `error`, `shared`.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use domain::work_item::WorkItem;

use crate::error::{Error, Result};
use crate::shared::Shared;

/// Most work items that are read.
const MOST: usize = 10_000;

/// How often a change is tried again if another operator changed the work item meanwhile.
const ATTEMPTS: usize = 5;

/// How long a work item is kept after its last change.
const KEPT: Duration = Duration::from_hours(180 * 24);

/// Work items that are deleted at once.
const AT_ONCE: usize = 1000;

/// Stores work items.
pub struct WorkItemService {
    pub(crate) shared: Arc<Shared>,
}

impl WorkItemService {
    /// Work items by task.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn all(&self) -> Result<HashMap<String, WorkItem>> {
        let all = self.shared.storage.work_items(MOST).await?;
        Ok(all.into_iter().map(|item| (item.task.clone(), item)).collect())
    }

    /// The work item of a task.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn of(&self, task: &str) -> Result<WorkItem> {
        Ok(self.shared.storage.work_item(task).await?.unwrap_or_else(|| WorkItem::new(task.to_owned())))
    }

    /// Changes the work item of a task. `act`: name of the change for the audit trail.
    ///
    /// # Errors
    /// [`Error::Storage`]; [`Error::Conflict`] if others change it all the time.
    pub async fn change(
        &self,
        task: &str,
        act: &'static str,
        change: impl Fn(&mut WorkItem),
    ) -> Result<WorkItem> {
        for _ in 0..ATTEMPTS {
            let mut item = self.of(task).await?;
            change(&mut item);
            item.changed_at = self.shared.clock.now();
            if self.shared.storage.keep_work_item(&item, act).await? {
                return Ok(item);
            }
        }
        Err(Error::conflict("Another operator changed this task. Try again.".into()))
    }

    /// Deletes work items that nobody changed for a long time.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn forget(&self) -> Result<()> {
        let before = self.shared.clock.now() - KEPT;
        while self.shared.storage.forget_work_items(before, AT_ONCE).await? == AT_ONCE {}
        Ok(())
    }
}
