//! The log of partners' requests (D100).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use service::storage::StorageError;
use service::storage::request_log::{RequestBatch, RequestLogs};

use super::Postgres;
use super::column::{get, id, most as at_most, uuid, values};
use crate::rows::first_id_at;
use crate::rows::request_log::{Row, open};

#[async_trait]
impl RequestLogs for Postgres {
    async fn log_requests(&self, batches: &[RequestBatch]) -> Result<(), StorageError> {
        let rows = batches.iter().map(|batch| Row::of(&self.seal, batch)).collect::<Result<Vec<_>, _>>()?;
        let of: Vec<Uuid> = rows.iter().map(|row| uuid(row.of)).collect();
        let ids: Vec<Uuid> = rows.iter().map(|row| uuid(row.id)).collect();
        let requests: Vec<i64> = rows.iter().map(|row| row.requests).collect();
        let bodies: Vec<&[u8]> = rows.iter().map(|row| row.body.as_slice()).collect();
        let add = include_str!("../../sql/request_log/add.postgres.sql");
        self.connections.write(add, values![of, ids, requests, bodies]).await?;
        Ok(())
    }

    async fn request_batches(
        &self,
        of: PartnerId,
        up_to: Uuid,
        most: usize,
    ) -> Result<Vec<RequestBatch>, StorageError> {
        let list = include_str!("../../sql/request_log/list.sql");
        let rows = self.connections.read(list, values![id(of), up_to, at_most(most)]).await?;
        rows.iter().map(|row| open(&self.seal, of, get(row, 0)?, get(row, 1)?)).collect()
    }

    async fn forget_requests(
        &self,
        of: PartnerId,
        before: Timestamp,
        kept: usize,
    ) -> Result<usize, StorageError> {
        let forget = include_str!("../../sql/request_log/forget.sql");
        let (of, first, kept) = (id(of), first_id_at(before), at_most(kept));
        let executed = self.connections.write(forget, values![of, first, of, kept]).await?;
        Ok(usize::try_from(executed.changed).unwrap_or(usize::MAX))
    }
}
