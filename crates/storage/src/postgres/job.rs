//! Durable jobs: claimed under a lease, which is nothing but a later time to be due.

use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::Uuid;
use service::storage::StorageError;
use service::storage::jobs::{Job, JobFamily, JobKind, Jobs, Lease, PutOff};
use tokio_postgres::Row;

use super::Postgres;
use super::column::{
    Group, Value, get, get_coded, get_id, get_number, get_optional_instant, id, most as at_most, values,
};
use super::connections::Connections;
use crate::codes::Coded;
use crate::rows::proposal::JobRow;

/// The job that asks a proposal's insurer, as columns of a statement. Whether it ends is for the moves alone to say.
pub(super) struct Columns {
    kind: i16,
    due: Vec<i64>,
    ends: bool,
}

impl Columns {
    pub(super) fn of(job: &JobRow) -> Self {
        Columns { kind: job.kind, due: job.due.into_iter().collect(), ends: job.ends }
    }
}

impl Group for Columns {
    fn values(&self) -> Vec<Value<'_>> {
        values![self.kind, self.due, self.ends].to_vec()
    }
}

/// Who claims which jobs.
struct Claim {
    owner: Uuid,
    until: i64,
    now: i64,
    most: usize,
    kinds: Vec<i16>,
}

impl Claim {
    /// On one server, by one statement.
    async fn of_all(&self, connections: &Connections) -> Result<Vec<Row>, StorageError> {
        let claim = include_str!("../../sql/jobs/claim.postgres.sql");
        let most = at_most(self.most);
        Ok(connections.write(claim, values![self.owner, self.until, self.now, most, self.kinds]).await?.rows)
    }

    /// Over several nodes, where no row can be locked that is searched for on all: what is due is looked up, and claimed for each
    /// partner on its node. Of two who looked at the same time one gets it.
    async fn partner_by_partner(&self, connections: &Connections) -> Result<Vec<Row>, StorageError> {
        let look = include_str!("../../sql/jobs/candidates.citus.sql");
        let mut due: BTreeMap<Uuid, (Vec<i16>, Vec<Uuid>)> = BTreeMap::new();
        for row in connections.read(look, values![self.now, at_most(self.most), self.kinds]).await? {
            let (kinds, subjects) = due.entry(get(&row, 0)?).or_default();
            kinds.push(get(&row, 1)?);
            subjects.push(get(&row, 2)?);
        }
        let claim = include_str!("../../sql/jobs/claim_of_partner.citus.sql");
        let mut claimed = Vec::new();
        for (of, (kinds, subjects)) in due {
            let values = values![self.owner, self.until, self.now, of, kinds, subjects];
            match connections.write(claim, values).await {
                Ok(executed) => claimed.extend(executed.rows),
                // What was claimed already is held, and would else wait for its lease to end.
                Err(fault) if !claimed.is_empty() => {
                    tracing::warn!(
                        "jobs of a partner could not be claimed: {}",
                        StorageError::from(fault).into_why()
                    );
                }
                Err(fault) => return Err(fault.into()),
            }
        }
        Ok(claimed)
    }
}

#[async_trait]
impl Jobs for Postgres {
    async fn next_due(&self) -> Result<Option<Timestamp>, StorageError> {
        let found = self.connections.read_one(include_str!("../../sql/jobs/next_due.sql"), values![]).await?;
        found.map_or(Ok(None), |row| get_optional_instant(&row, 0))
    }

    async fn claim_jobs(
        &self,
        family: JobFamily,
        owner: Uuid,
        now: Timestamp,
        until: Timestamp,
        most: usize,
    ) -> Result<Vec<Lease>, StorageError> {
        let kinds: Vec<i16> = family.kinds().map(|kind| i16::from(kind.code())).collect();
        let claim = Claim { owner, until: until.as_microsecond(), now: now.as_microsecond(), most, kinds };
        let claimed = match self.connections.is_spread {
            false => claim.of_all(&self.connections).await?,
            true => claim.partner_by_partner(&self.connections).await?,
        };
        let lease = |row: &Row| {
            let job = Job { of: get_id(row, 0)?, kind: get_coded(row, 1)?, subject: get(row, 2)? };
            Ok(Lease {
                job,
                owner,
                attempt: get_number(row, 3)?,
                faults: get_number(row, 4)?,
                step: get_number(row, 5)?,
            })
        };
        claimed.iter().map(lease).collect()
    }

    async fn renew_leases(&self, leases: &[Lease], until: Timestamp) -> Result<usize, StorageError> {
        let renew = include_str!("../../sql/jobs/renew.postgres.sql");
        Ok(self
            .connections
            .write(
                renew,
                values![
                    until.as_microsecond(),
                    leases.iter().map(|lease| id(lease.job.of)).collect::<Vec<Uuid>>(),
                    leases.iter().map(|lease| lease.job.kind.code().into()).collect::<Vec<i16>>(),
                    leases.iter().map(|lease| lease.job.subject).collect::<Vec<Uuid>>(),
                    leases.iter().map(|lease| lease.owner).collect::<Vec<Uuid>>(),
                    leases.iter().map(|lease| lease.attempt as i32).collect::<Vec<i32>>(),
                ],
            )
            .await?
            .changed as usize)
    }

    async fn put_off(&self, lease: &Lease, how: PutOff) -> Result<bool, StorageError> {
        let Lease { job, owner, attempt, .. } = lease;
        let put_off = include_str!("../../sql/jobs/put_off.sql");
        Ok(self
            .connections
            .write(
                put_off,
                values![
                    how.due.as_microsecond(),
                    how.step as i32,
                    how.faults as i32,
                    id(job.of),
                    i16::from(job.kind.code()),
                    job.subject,
                    *owner,
                    *attempt as i32,
                ],
            )
            .await?
            .changed
            == 1)
    }

    async fn hand_back(&self, owner: Uuid, now: Timestamp) -> Result<usize, StorageError> {
        let hand_back = include_str!("../../sql/jobs/hand_back.sql");
        let executed = self.connections.write(hand_back, values![now.as_microsecond(), owner]).await?;
        Ok(executed.changed as usize)
    }

    async fn free_leases(&self, now: Timestamp) -> Result<usize, StorageError> {
        let free = include_str!("../../sql/jobs/free.sql");
        let executed = self.connections.write(free, values![now.as_microsecond()]).await?;
        Ok(executed.changed as usize)
    }

    async fn end_job(&self, lease: &Lease) -> Result<bool, StorageError> {
        let Lease { job, owner, attempt, .. } = lease;
        let end = include_str!("../../sql/jobs/end.sql");
        Ok(self
            .connections
            .write(end, values![id(job.of), i16::from(job.kind.code()), job.subject, *owner, *attempt as i32])
            .await?
            .changed
            == 1)
    }

    async fn job_for(&self, kind: JobKind, subject: Uuid) -> Result<Option<Job>, StorageError> {
        let find = include_str!("../../sql/jobs/find.sql");
        let found = self.connections.read_one(find, values![i16::from(kind.code()), subject]).await?;
        found.map(|row| Ok(Job { kind, of: get_id(&row, 0)?, subject })).transpose()
    }

    async fn count_jobs(&self) -> Result<Vec<(JobKind, u64)>, StorageError> {
        let rows = self.connections.read(include_str!("../../sql/jobs/count.sql"), values![]).await?;
        rows.iter().map(|row| Ok((get_coded(row, 0)?, get::<i64>(row, 1)?.unsigned_abs()))).collect()
    }
}
