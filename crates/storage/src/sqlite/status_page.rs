//! Pages with the status of applications.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId};
use rusqlite::{OptionalExtension, params};
use service::storage::status_pages::TryLimit;
use service::storage::{StatusPages, StorageError};

use super::Sqlite;
use super::row::{fault, optional_instant};
use crate::rows::id_bytes;

#[async_trait]
impl StatusPages for Sqlite {
    async fn status_page_ended(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<Timestamp>, StorageError> {
        self.readers.read(|from| {
            let mut read =
                from.prepare_cached(include_str!("../../sql/status_pages/ended.sql")).map_err(fault)?;
            let values = params![id_bytes(of), id_bytes(proposal)];
            let ended = read.query_row(values, |row| optional_instant(row, 0)).optional();
            ended.map(Option::flatten).map_err(fault)
        })
    }

    async fn end_status_page(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let end = include_str!("../../sql/status_pages/end.sql");
        let (of, proposal, at) = (id_bytes(of), id_bytes(proposal), at.as_microsecond());
        self.writer
            .keep(move |to| to.execute(end, params![of, proposal, at]).map(|_| ()).map_err(fault))
            .await
    }

    async fn count_status_page_try(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        at: Timestamp,
        TryLimit { most, since }: TryLimit,
    ) -> Result<bool, StorageError> {
        let count = include_str!("../../sql/status_pages/count_try.sql");
        let (of, proposal) = (id_bytes(of), id_bytes(proposal));
        let (at, since) = (at.as_microsecond(), since.as_microsecond());
        self.writer
            .keep(move |to| {
                let mut count = to.prepare_cached(count).map_err(fault)?;
                let counted =
                    count.query_row(params![of, proposal, at, since, most], |row| row.get::<_, u32>(0));
                Ok(counted.optional().map_err(fault)?.is_some())
            })
            .await
    }
}
