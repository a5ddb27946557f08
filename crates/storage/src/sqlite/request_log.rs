//! The log of partners' requests (D100).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use rusqlite::params;
use service::storage::StorageError;
use service::storage::request_log::{RequestBatch, RequestLogs};

use super::Sqlite;
use super::row::fault;
use crate::rows::first_id_at;
use crate::rows::id_bytes;
use crate::rows::request_log::{Row, open};

#[async_trait]
impl RequestLogs for Sqlite {
    async fn log_requests(&self, batches: &[RequestBatch]) -> Result<(), StorageError> {
        let rows = batches.iter().map(|batch| Row::of(&self.seal, batch)).collect::<Result<Vec<_>, _>>()?;
        self.writer
            .keep(move |to| {
                let add = include_str!("../../sql/request_log/add.sqlite.sql");
                let mut add = to.prepare_cached(add).map_err(fault)?;
                for Row { of, id, requests, body } in &rows {
                    add.execute(params![of, id, requests, body]).map_err(fault)?;
                }
                Ok(())
            })
            .await
    }

    async fn request_batches(
        &self,
        of: PartnerId,
        up_to: Uuid,
        most: usize,
    ) -> Result<Vec<RequestBatch>, StorageError> {
        self.readers.read(|from| {
            let list = include_str!("../../sql/request_log/list.sql");
            let mut list = from.prepare_cached(list).map_err(fault)?;
            let values = params![id_bytes(of), up_to.as_bytes(), most as i64];
            let columns =
                |row: &rusqlite::Row<'_>| Ok((Uuid::from_bytes(row.get(0)?), row.get::<_, Vec<u8>>(1)?));
            let found = list.query_map(values, columns).map_err(fault)?;
            let batch = |found: rusqlite::Result<(Uuid, Vec<u8>)>| {
                let (id, body) = found.map_err(fault)?;
                open(&self.seal, of, id, &body)
            };
            found.map(batch).collect()
        })
    }

    async fn forget_requests(
        &self,
        of: PartnerId,
        before: Timestamp,
        kept: usize,
    ) -> Result<usize, StorageError> {
        let (of, first) = (id_bytes(of), *first_id_at(before).as_bytes());
        self.writer
            .keep(move |to| {
                let forget = include_str!("../../sql/request_log/forget.sql");
                let values = params![of, first, of, kept as i64];
                to.prepare_cached(forget).map_err(fault)?.execute(values).map_err(fault)
            })
            .await
    }
}
