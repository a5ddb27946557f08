//! Test partners' jobs and records (D97).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::PartnerId;
use rusqlite::params;
use service::storage::{StorageError, TestData};

use super::Sqlite;
use super::row::fault;
use crate::rows::id_bytes;
use crate::rows::test_data::{TABLES, forget};

#[async_trait]
impl TestData for Sqlite {
    async fn hurry_jobs(&self, of: PartnerId, now: Timestamp) -> Result<(), StorageError> {
        let (of, now) = (id_bytes(of), now.as_microsecond());
        self.writer
            .keep(move |to| {
                let hurry = include_str!("../../sql/jobs/hurry.sql");
                to.execute(hurry, params![now, of, now]).map(|_| ()).map_err(fault)
            })
            .await
    }

    async fn jobs_at_work(&self, of: PartnerId, now: Timestamp) -> Result<u64, StorageError> {
        self.readers.read(|from| {
            let count = include_str!("../../sql/jobs/at_work.sql");
            let values = params![id_bytes(of), now.as_microsecond()];
            let count: i64 = from.query_row(count, values, |row| row.get(0)).map_err(fault)?;
            Ok(count.unsigned_abs())
        })
    }

    async fn forget_test_data(&self, of: PartnerId, most: usize) -> Result<usize, StorageError> {
        let mut forgotten = 0;
        for (table, keys) in TABLES {
            let (of, statement) = (id_bytes(of), forget(table, keys));
            forgotten += self
                .writer
                .keep(move |to| to.execute(&statement, params![of, most as i64]).map_err(fault))
                .await?;
        }
        Ok(forgotten)
    }
}
