//! Test partners' jobs and records (D97).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::PartnerId;
use service::storage::{StorageError, TestData};

use super::Postgres;
use super::column::{get, id, most as at_most, values};
use crate::rows::test_data::{TABLES, forget};

#[async_trait]
impl TestData for Postgres {
    async fn hurry_jobs(&self, of: PartnerId, now: Timestamp) -> Result<(), StorageError> {
        let hurry = include_str!("../../sql/jobs/hurry.sql");
        let now = now.as_microsecond();
        self.connections.write(hurry, values![now, id(of), now]).await?;
        Ok(())
    }

    async fn jobs_at_work(&self, of: PartnerId, now: Timestamp) -> Result<u64, StorageError> {
        let count = include_str!("../../sql/jobs/at_work.sql");
        let found = self.connections.read_one(count, values![id(of), now.as_microsecond()]).await?;
        found.map_or(Ok(0), |row| get::<i64>(&row, 0).map(i64::unsigned_abs))
    }

    async fn forget_test_data(&self, of: PartnerId, most: usize) -> Result<usize, StorageError> {
        let mut forgotten = 0;
        for (table, keys) in TABLES {
            let executed =
                self.connections.write(&forget(table, keys), values![id(of), at_most(most)]).await?;
            forgotten += usize::try_from(executed.changed).unwrap_or(usize::MAX);
        }
        Ok(forgotten)
    }
}
