//! Database rows of work items.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::work_item::WorkItem;
use ports::storage::{Result, WorkItems};

use crate::audit::on;
use crate::body::{WorkItemBody, decode, encode};
use crate::fields::{FromRow, RowFields, values};
use crate::operation::sql;
use crate::records::row::{ToRow, row};
use crate::seal::Seal;
use crate::store::Store;

const TABLE: &str = "work_items";

row! {
    /// Work item as stored in its row.
    Row in "work_items/add" {
        task: String,
        changed_at: Timestamp,
        version: u32,
    } free {
        body: Vec<u8>,
    }
}

impl Row {
    /// Row for the next version of a work item.
    fn next(seal: &Seal, item: &WorkItem) -> Result<Self> {
        let WorkItem { task, owner, snoozed_until, notes, changed_at, version } = item.clone();
        let body = WorkItemBody { owner, snoozed_until, notes };
        let mut row = Row { task, changed_at, version: version + 1, body: Vec::new() };
        row.body = seal.seal(TABLE, &row.bound(), &encode(&body))?;
        Ok(row)
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<WorkItem> {
        let body = seal.open(TABLE, &self.bound(), &self.body)?;
        let WorkItemBody { owner, snoozed_until, notes } = decode(&body)?;
        let Row { task, changed_at, version, .. } = self;
        Ok(WorkItem { task, owner, snoozed_until, notes, changed_at, version })
    }
}

#[async_trait]
impl WorkItems for Store {
    async fn keep_work_item(&self, item: &WorkItem, act: &'static str) -> Result<bool> {
        let row = Row::next(&self.seal, item)?;
        match row.version {
            1 => self.change(on(act, &row.task), sql!("work_items/add"), &row.values()).await,
            _ => {
                let values = values![row.changed_at, row.version, row.body, row.task];
                self.change(on(act, &row.task), sql!("work_items/change"), values).await
            }
        }
    }

    async fn work_item(&self, task: &str) -> Result<Option<WorkItem>> {
        self.first(sql!("work_items/read"), values![task], |row| Row::columns(row)?.open(&self.seal)).await
    }

    async fn work_items(&self, most: usize) -> Result<Vec<WorkItem>> {
        let open = |row: RowFields<'_>| Row::columns(row)?.open(&self.seal);
        self.all(sql!("work_items/list"), values![most], open).await
    }

    async fn forget_work_items(&self, before: Timestamp, most: usize) -> Result<usize> {
        Ok(self.write(sql!("work_items/forget"), values![before, most]).await? as usize)
    }
}
