//! Pages with the status of applications.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId};
use service::storage::status_pages::TryLimit;
use service::storage::{StatusPages, StorageError};

use super::Postgres;
use super::column::{get_optional_instant, id, values};

#[async_trait]
impl StatusPages for Postgres {
    async fn status_page_ended(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<Timestamp>, StorageError> {
        let read = include_str!("../../sql/status_pages/ended.sql");
        let found = self.connections.read_one(read, values![id(of), id(proposal)]).await?;
        found.map_or(Ok(None), |row| get_optional_instant(&row, 0))
    }

    async fn end_status_page(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let end = include_str!("../../sql/status_pages/end.sql");
        self.connections.write(end, values![id(of), id(proposal), at.as_microsecond()]).await?;
        Ok(())
    }

    async fn count_status_page_try(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        at: Timestamp,
        TryLimit { most, since }: TryLimit,
    ) -> Result<bool, StorageError> {
        let count = include_str!("../../sql/status_pages/count_try.sql");
        let (at, since, most) = (at.as_microsecond(), since.as_microsecond(), most as i32);
        let counted = self.connections.write(count, values![id(of), id(proposal), at, since, most]).await?;
        Ok(!counted.rows.is_empty())
    }
}
