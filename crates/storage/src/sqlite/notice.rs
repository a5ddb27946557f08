//! How far insurers were told of their policies.

use async_trait::async_trait;
use domain::id::{PartnerId, PolicyId};
use rusqlite::{OptionalExtension, params};
use service::storage::jobs::Lease;
use service::storage::notices::Told;
use service::storage::{Notices, StorageError};

use super::Sqlite;
use super::job::is_held;
use super::row::fault;
use crate::rows::id_bytes;

#[async_trait]
impl Notices for Sqlite {
    async fn told(&self, of: PartnerId, policy: PolicyId) -> Result<Told, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/insurer_notices/read.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let told = |row: &rusqlite::Row<'_>| {
                Ok(Told {
                    issued: row.get(0)?,
                    endorsements: row.get(1)?,
                    claims: row.get(2)?,
                    withdrawn: row.get(3)?,
                    cancelled: row.get(4)?,
                })
            };
            let found = read.query_row(params![id_bytes(of), id_bytes(policy)], told).optional();
            Ok(found.map_err(fault)?.unwrap_or_default())
        })
    }

    async fn keep_told(&self, lease: &Lease, told: Told) -> Result<bool, StorageError> {
        let lease = *lease;
        self.writer
            .keep(move |to| {
                let keep = include_str!("../../sql/insurer_notices/keep.sqlite.sql");
                let mut keep = to.prepare_cached(keep).map_err(fault)?;
                let (of, policy) = (id_bytes(lease.job.of), lease.job.subject.as_bytes());
                let Told { issued, endorsements, claims, withdrawn, cancelled } = told;
                let values = params![of, policy, issued, endorsements, claims, withdrawn, cancelled];
                keep.execute(values).map_err(fault)?;
                is_held(to, &lease)
            })
            .await
    }
}
