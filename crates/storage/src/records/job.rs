//! Durable jobs. A worker that claims a job gets a lease: the job's due time moves to the end of the lease.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::Uuid;
use ports::storage::Result;
use ports::storage::jobs::{Job, JobFamily, JobKind, Jobs, Lease, PutOff, StuckJob};

use crate::audit::UPKEEP;
use crate::fields::{Coded, FromRow, RowFields, ToValue, Value, values};
use crate::operation::{Guard, Operation, Stop, sql};
use crate::store::Store;

/// Adds a job for a record, unless the record already has a job of this kind.
pub(crate) fn begin(to: &mut dyn Operation, of: [u8; 16], kind: i16, subject: [u8; 16], due: i64) {
    to.execute(sql!("jobs/add"), values![of, kind, subject, due]);
}

/// Adds a job that is due, or makes the existing job due again. A worker that holds the job loses its lease.
pub(crate) fn begin_anew(to: &mut dyn Operation, of: [u8; 16], kind: i16, subject: [u8; 16], due: i64) {
    to.execute(sql!("jobs/wake"), values![of, kind, subject, due]);
}

/// Removes a job, even if a worker holds it. For jobs that are no longer needed.
pub(crate) fn end_for(to: &mut dyn Operation, of: [u8; 16], kind: i16, subject: [u8; 16]) {
    to.execute(sql!("jobs/end_for"), values![of, kind, subject]);
}

/// Removes a job. If the lease on the job is lost, the operation stops.
pub(crate) fn end(to: &mut dyn Operation, lease: &Lease) {
    to.require(sql!("jobs/end"), &held(lease), Guard::Version);
}

/// Locks a job until the operation ends, so that no other worker can claim it. If the lease on the job is
/// lost, the operation stops.
pub(crate) fn hold(to: &mut dyn Operation, lease: &Lease) {
    to.require(sql!("jobs/hold"), &held(lease), Guard::Version);
}

/// Ends an operation. Returns whether the worker still holds its lease on the job.
pub(crate) async fn finish_if_held(to: &mut dyn Operation, lease: &Lease) -> Result<bool, Stop> {
    Ok(to.finish_changing(sql!("jobs/is_held"), &[held(lease).to_vec()]).await? > 0)
}

/// Values that identify a job and the lease on it.
fn held(Lease { job, owner, attempt, .. }: &Lease) -> [Value<'_>; 5] {
    *values![job.of, job.kind.code(), job.subject, owner, attempt]
}

/// Lowest and highest code of the job kinds of a family. No kind of another family has a code between them.
fn kinds_of(family: JobFamily) -> (u8, u8) {
    let codes = || family.kinds().map(JobKind::code);
    (codes().min().unwrap_or_default(), codes().max().unwrap_or_default())
}

fn lease(row: RowFields<'_>, owner: Uuid) -> Result<Lease> {
    let job = Job { of: row.get(0)?, kind: row.get(1)?, subject: row.get(2)? };
    Ok(Lease { job, owner, attempt: row.get(3)?, faults: row.get(4)?, step: row.get(5)? })
}

/// Partner, kind and subject of a job.
type JobKey = ([u8; 16], i16, [u8; 16]);

#[async_trait]
impl Jobs for Store {
    async fn next_due(&self) -> Result<Option<Timestamp>> {
        Ok(self.first(sql!("jobs/next_due"), values![], |row| row.get(0)).await?.flatten())
    }

    async fn claim_jobs(
        &self,
        family: JobFamily,
        owner: Uuid,
        now: Timestamp,
        until: Timestamp,
        most: usize,
    ) -> Result<Vec<Lease>> {
        let (least, last) = kinds_of(family);
        let key = FromRow::columns;
        let mut due: Vec<JobKey> =
            self.all(sql!("jobs/candidates"), values![now, least, last, most], key).await?;
        if due.is_empty() {
            return Ok(Vec::new());
        }
        // Every worker claims in the same order, so that no two wait for each other.
        due.sort_unstable();
        let claimed = self.act(UPKEEP, (owner, now, until, due), |(owner, now, until, due), to| {
            Box::pin(async move {
                let of_job = due
                    .iter()
                    .map(|(of, kind, subject)| values![owner, until, of, kind, subject, now].to_vec());
                let sets: Vec<_> = of_job.collect();
                to.all_of_each(sql!("jobs/claim"), &sets, |row| lease(row, *owner), true).await
            })
        });
        Ok(claimed.await?)
    }

    async fn renew_leases(&self, leases: &[Lease], until: Timestamp) -> Result<usize> {
        let renewed = self.act(UPKEEP, (leases.to_vec(), until), |(leases, until), to| {
            Box::pin(async move {
                let values = |lease| [&[until.to_value()], &held(lease)[..]].concat();
                let sets: Vec<_> = leases.iter().map(values).collect();
                to.finish_changing(sql!("jobs/renew"), &sets).await
            })
        });
        Ok(renewed.await? as usize)
    }

    async fn put_off(&self, lease: &Lease, how: PutOff) -> Result<bool> {
        let values = [values![how.due, how.step, how.faults], &held(lease)[..]].concat();
        Ok(self.write(sql!("jobs/put_off"), &values).await? == 1)
    }

    async fn hand_back(&self, owner: Uuid, now: Timestamp) -> Result<usize> {
        Ok(self.write(sql!("jobs/hand_back"), values![now, owner]).await? as usize)
    }

    async fn free_leases(&self, now: Timestamp) -> Result<usize> {
        Ok(self.write(sql!("jobs/hand_back"), values![now, None::<Uuid>]).await? as usize)
    }

    async fn end_job(&self, lease: &Lease) -> Result<bool> {
        Ok(self.write(sql!("jobs/end"), &held(lease)).await? == 1)
    }

    async fn job_for(&self, kind: JobKind, subject: Uuid) -> Result<Option<Job>> {
        let job = |row: RowFields<'_>| Ok(Job { kind, of: row.get(0)?, subject });
        self.first(sql!("jobs/find"), values![kind.code(), subject], job).await
    }

    async fn stuck_jobs(&self, due_before: Timestamp, faults: u32, most: usize) -> Result<Vec<StuckJob>> {
        let stuck = |row: RowFields<'_>| {
            let job = Job { of: row.get(0)?, kind: row.get(1)?, subject: row.get(2)? };
            Ok(StuckJob { job, due: row.get(3)?, faults: row.get(4)? })
        };
        self.all(sql!("jobs/stuck"), values![due_before, faults, most], stuck).await
    }

    async fn count_jobs(&self) -> Result<Vec<(JobKind, u64)>> {
        self.all(sql!("jobs/count"), values![], FromRow::columns).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_codes_of_the_job_kinds_of_a_family_are_contiguous() {
        for family in JobFamily::ALL {
            let (least, most) = kinds_of(*family);
            for kind in JobKind::ALL {
                let is_between = (least..=most).contains(&kind.code());
                assert_eq!(is_between, kind.family() == *family, "{kind:?} and {family:?}");
            }
        }
    }
}
