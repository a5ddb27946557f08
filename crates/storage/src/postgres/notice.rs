//! How far insurers were told of their policies.

use async_trait::async_trait;
use domain::id::{PartnerId, PolicyId};
use service::storage::jobs::Lease;
use service::storage::notices::Told;
use service::storage::{Notices, StorageError};

use super::Postgres;
use super::column::{get, id, values};
use crate::codes::Coded;

fn number(row: &tokio_postgres::Row, at: usize) -> Result<u16, StorageError> {
    Ok(u16::try_from(get::<i32>(row, at)?).unwrap_or(u16::MAX))
}

#[async_trait]
impl Notices for Postgres {
    async fn told(&self, of: PartnerId, policy: PolicyId) -> Result<Told, StorageError> {
        let read = include_str!("../../sql/insurer_notices/read.sql");
        let found = self.connections.read_one(read, values![id(of), id(policy)]).await?;
        found.map_or(Ok(Told::default()), |row| {
            Ok(Told {
                issued: get(&row, 0)?,
                endorsements: number(&row, 1)?,
                claims: number(&row, 2)?,
                withdrawn: number(&row, 3)?,
                cancelled: get(&row, 4)?,
            })
        })
    }

    async fn keep_told(&self, lease: &Lease, told: Told) -> Result<bool, StorageError> {
        let Lease { job, owner, attempt, .. } = lease;
        let keep = include_str!("../../sql/insurer_notices/keep.postgres.sql");
        let (endorsements, claims) = (i32::from(told.endorsements), i32::from(told.claims));
        let withdrawn = i32::from(told.withdrawn);
        let (of, kind, attempt) = (id(job.of), i16::from(job.kind.code()), *attempt as i32);
        let values = values![
            of,
            job.subject,
            told.issued,
            endorsements,
            claims,
            withdrawn,
            told.cancelled,
            kind,
            *owner,
            attempt
        ];
        let kept = self.connections.write(keep, values).await?;
        kept.rows.first().map_or(Ok(false), |row| get(row, 0))
    }
}
