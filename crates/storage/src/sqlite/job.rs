//! Durable jobs: claimed under a lease, which is nothing but a later time to be due.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use rusqlite::{Connection, OptionalExtension, Row, params};
use service::storage::StorageError;
use service::storage::jobs::{Job, JobFamily, JobKind, Jobs, Lease, PutOff};

use super::Sqlite;
use super::row::{coded, fault, id, optional_instant};
use crate::codes::Coded;
use crate::rows::id_bytes;

#[async_trait]
impl Jobs for Sqlite {
    async fn next_due(&self) -> Result<Option<Timestamp>, StorageError> {
        self.readers.read(|from| {
            let mut read = from.prepare_cached(include_str!("../../sql/jobs/next_due.sql")).map_err(fault)?;
            read.query_row((), |row| optional_instant(row, 0)).map_err(fault)
        })
    }

    async fn claim_jobs(
        &self,
        family: JobFamily,
        owner: Uuid,
        now: Timestamp,
        until: Timestamp,
        most: usize,
    ) -> Result<Vec<Lease>, StorageError> {
        self.writer.keep(move |to| claim(to, family, owner, now, until, most)).await
    }

    async fn renew_leases(&self, leases: &[Lease], until: Timestamp) -> Result<usize, StorageError> {
        let leases = leases.to_vec();
        self.writer
            .keep(move |to| {
                let mut renewed = 0;
                for Lease { job, owner, attempt, .. } in &leases {
                    let (of, kind) = (id_bytes(job.of), job.kind.code());
                    let until = until.as_microsecond();
                    let values = params![until, of, kind, job.subject.as_bytes(), owner.as_bytes(), attempt];
                    renewed += change(to, include_str!("../../sql/jobs/renew.sqlite.sql"), values)?;
                }
                Ok(renewed)
            })
            .await
    }

    async fn put_off(&self, lease: &Lease, how: PutOff) -> Result<bool, StorageError> {
        let lease = *lease;
        self.writer
            .keep(move |to| {
                let Lease { job, owner, attempt, .. } = lease;
                let values = params![
                    how.due.as_microsecond(),
                    how.step,
                    how.faults,
                    id_bytes(job.of),
                    job.kind.code(),
                    job.subject.as_bytes(),
                    owner.as_bytes(),
                    attempt
                ];
                change(to, include_str!("../../sql/jobs/put_off.sql"), values).map(|changed| changed == 1)
            })
            .await
    }

    async fn hand_back(&self, owner: Uuid, now: Timestamp) -> Result<usize, StorageError> {
        let hand_back = include_str!("../../sql/jobs/hand_back.sql");
        self.writer
            .keep(move |to| change(to, hand_back, params![now.as_microsecond(), owner.as_bytes()]))
            .await
    }

    async fn free_leases(&self, now: Timestamp) -> Result<usize, StorageError> {
        let free = include_str!("../../sql/jobs/free.sql");
        self.writer.keep(move |to| change(to, free, params![now.as_microsecond()])).await
    }

    async fn end_job(&self, lease: &Lease) -> Result<bool, StorageError> {
        let lease = *lease;
        self.writer.keep(move |to| end(to, &lease)).await
    }

    async fn job_for(&self, kind: JobKind, subject: Uuid) -> Result<Option<Job>, StorageError> {
        self.readers.read(|from| {
            let mut find = from.prepare_cached(include_str!("../../sql/jobs/find.sql")).map_err(fault)?;
            let of = find.query_row(params![kind.code(), subject.as_bytes()], |row| id(row, 0)).optional();
            Ok(of.map_err(fault)?.map(|of| Job { kind, of, subject }))
        })
    }

    async fn count_jobs(&self) -> Result<Vec<(JobKind, u64)>, StorageError> {
        self.readers.read(|from| {
            let mut count = from.prepare_cached(include_str!("../../sql/jobs/count.sql")).map_err(fault)?;
            let counts =
                count.query_map((), |row| Ok((coded(row, 0)?, row.get::<_, i64>(1)?.unsigned_abs())));
            counts.map_err(fault)?.collect::<Result<_, _>>().map_err(fault)
        })
    }
}

/// Begins a job for a record that has none of its kind.
pub(super) fn begin(
    to: &Connection,
    of: PartnerId,
    kind: i16,
    subject: [u8; 16],
    due: i64,
) -> Result<(), StorageError> {
    change(to, include_str!("../../sql/jobs/add.sqlite.sql"), params![id_bytes(of), kind, subject, due])
        .map(|_| ())
}

/// Begins a job that is due, or makes the one there is due again.
pub(super) fn begin_anew(
    to: &Connection,
    of: [u8; 16],
    kind: i16,
    subject: [u8; 16],
    due: i64,
) -> Result<(), StorageError> {
    change(to, include_str!("../../sql/jobs/wake.sql"), params![of, kind, subject, due]).map(|_| ())
}

/// Whether a lease still holds: what is written under one that was lost must be undone.
pub(super) fn is_held(to: &Connection, lease: &Lease) -> Result<bool, StorageError> {
    let Lease { job, owner, attempt, .. } = lease;
    let mut look = to.prepare_cached(include_str!("../../sql/jobs/is_held.sqlite.sql")).map_err(fault)?;
    let values =
        params![id_bytes(job.of), job.kind.code(), job.subject.as_bytes(), owner.as_bytes(), attempt];
    look.exists(values).map_err(fault)
}

/// Ends a job. `false`: the lease was lost.
pub(super) fn end(to: &Connection, lease: &Lease) -> Result<bool, StorageError> {
    let Lease { job, owner, attempt, .. } = lease;
    let values =
        params![id_bytes(job.of), job.kind.code(), job.subject.as_bytes(), owner.as_bytes(), attempt];
    change(to, include_str!("../../sql/jobs/end.sql"), values).map(|gone| gone == 1)
}

/// Ends a job whoever holds it: what it was for is done.
pub(super) fn end_for(
    to: &Connection,
    of: PartnerId,
    kind: i16,
    subject: [u8; 16],
) -> Result<(), StorageError> {
    change(to, include_str!("../../sql/jobs/end_for.sqlite.sql"), params![id_bytes(of), kind, subject])
        .map(|_| ())
}

/// A job that is due, with what decides whose turn it is.
struct Due {
    turn: i64,
    due_at: i64,
    of: [u8; 16],
    kind: i64,
    subject: [u8; 16],
}

fn claim(
    to: &Connection,
    family: JobFamily,
    owner: Uuid,
    now: Timestamp,
    until: Timestamp,
    most: usize,
) -> Result<Vec<Lease>, StorageError> {
    let mut due = due_jobs(to, family, now, most).map_err(fault)?;
    due.sort_by_key(|due| (due.turn, due.due_at));
    let mut claim = to.prepare_cached(include_str!("../../sql/jobs/claim.sqlite.sql")).map_err(fault)?;
    let lease = |row: &Row<'_>| {
        let job = Job { of: id(row, 0)?, kind: coded(row, 1)?, subject: Uuid::from_bytes(row.get(2)?) };
        Ok(Lease { job, owner, attempt: row.get(3)?, faults: row.get(4)?, step: row.get(5)? })
    };
    let claimed = due.iter().take(most).map(|due| {
        let values = params![owner.as_bytes(), until.as_microsecond(), due.of, due.kind, due.subject];
        claim.query_row(values, lease).map_err(fault)
    });
    claimed.collect()
}

/// The first jobs of each partner that are due. A partner is looked at by an index, however many jobs another has.
fn due_jobs(from: &Connection, family: JobFamily, now: Timestamp, most: usize) -> rusqlite::Result<Vec<Due>> {
    let mut partners = from.prepare_cached(include_str!("../../sql/jobs/partners.sqlite.sql"))?;
    let partners: Vec<[u8; 16]> = partners.query_map((), |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut list = from.prepare_cached(include_str!("../../sql/jobs/due.sqlite.sql"))?;
    let (least, most_kind) = kinds_of(family);
    let mut found = Vec::new();
    for of in partners {
        let values = params![of, now.as_microsecond(), least, most_kind, most as i64];
        let due = |row: &Row<'_>| {
            let (kind, subject, due_at, turn) = (row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?);
            Ok(Due { turn, due_at, of, kind, subject })
        };
        for due in list.query_map(values, due)? {
            found.push(due?);
        }
    }
    Ok(found)
}

/// The least and the most code of a family's kinds. No other family's lies between them.
fn kinds_of(family: JobFamily) -> (u8, u8) {
    let codes = || family.kinds().map(JobKind::code);
    (codes().min().unwrap_or_default(), codes().max().unwrap_or_default())
}

fn change(to: &Connection, statement: &str, values: impl rusqlite::Params) -> Result<usize, StorageError> {
    to.prepare_cached(statement).and_then(|mut change| change.execute(values)).map_err(fault)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_of_a_family_lie_side_by_side() {
        for family in JobFamily::ALL {
            let (least, most) = kinds_of(*family);
            for kind in JobKind::ALL {
                let is_between = (least..=most).contains(&kind.code());
                assert_eq!(is_between, kind.family() == *family, "{kind:?} and {family:?}");
            }
        }
    }
}
