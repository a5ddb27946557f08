//! Store operations for durable jobs.
//!
//! A job is created in the transaction of the change that causes it. It is deleted in the transaction of its
//! last result. So it cannot be lost.
//!
//! A worker holds a job by a lease. No other worker can claim the job until the lease lapses; a lease that is
//! renewed in time does not lapse. Writes under a lost lease are rolled back.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, PolicyId, ProposalId, QuoteId, Uuid};
use domain::line::LineOfBusiness;

use super::Result;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobKind {
    /// Prices the variants of a health quote, then ranks them.
    Recommendation,
    /// Sends a proposal to its insurer, then asks for the decision.
    Decision(LineOfBusiness),
    /// Issues the policy of a proposal whose decision waited for its premium (D63).
    Premium(LineOfBusiness),
    /// Reports changes of a policy to its insurer (D90).
    Notice,
}

impl JobKind {
    pub const ALL: &'static [JobKind] = &[
        JobKind::Recommendation,
        JobKind::Decision(LineOfBusiness::CreditLife),
        JobKind::Decision(LineOfBusiness::Health),
        JobKind::Premium(LineOfBusiness::CreditLife),
        JobKind::Premium(LineOfBusiness::Health),
        JobKind::Notice,
    ];

    /// Word for logs and metrics.
    pub const fn word(self) -> &'static str {
        match self {
            JobKind::Recommendation => "recommendation",
            JobKind::Decision(LineOfBusiness::CreditLife) => "decision",
            JobKind::Decision(LineOfBusiness::Health) => "health_decision",
            JobKind::Premium(LineOfBusiness::CreditLife) => "premium",
            JobKind::Premium(LineOfBusiness::Health) => "health_premium",
            JobKind::Notice => "notice",
        }
    }
}

/// Group of job kinds with its own workers, so that no group waits for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobFamily {
    Recommendations,
    /// Insurers' decisions on proposals, and policies whose premium was received.
    Decisions,
    /// Notices to insurers. Separate from decisions, so that an insurer that accepts no notices delays no
    /// policy.
    Notices,
}

impl JobKind {
    pub const fn family(self) -> JobFamily {
        match self {
            JobKind::Recommendation => JobFamily::Recommendations,
            JobKind::Decision(_) | JobKind::Premium(_) => JobFamily::Decisions,
            JobKind::Notice => JobFamily::Notices,
        }
    }
}

impl JobFamily {
    pub const ALL: &'static [JobFamily] =
        &[JobFamily::Recommendations, JobFamily::Decisions, JobFamily::Notices];

    pub fn kinds(self) -> impl Iterator<Item = JobKind> {
        JobKind::ALL.iter().copied().filter(move |kind| kind.family() == self)
    }
}

/// Work to do for one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    pub kind: JobKind,
    /// Partner of the record.
    pub of: PartnerId,
    /// Id of the record. One record has at most one job of each kind.
    pub subject: Uuid,
}

impl Job {
    /// Id of the record, with its prefix.
    pub fn record(&self) -> String {
        match self.kind {
            JobKind::Recommendation => QuoteId::from_uuid(self.subject).to_string(),
            JobKind::Decision(_) | JobKind::Premium(_) => ProposalId::from_uuid(self.subject).to_string(),
            JobKind::Notice => PolicyId::from_uuid(self.subject).to_string(),
        }
    }
}

/// A job that a worker holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    pub job: Job,
    /// Id of the process that holds the job.
    pub owner: Uuid,
    /// Number of times that the job was claimed, from 1. A lost lease has an old number, so its writes are
    /// refused, even if the same process claims the job again.
    pub attempt: u32,
    /// Number of faults in this job's work, without those caused by an unavailable store.
    pub faults: u32,
    /// Next step of a job with several steps.
    pub step: u32,
}

/// A job that is overdue or failing.
#[derive(Debug, Clone, Copy)]
pub struct StuckJob {
    pub job: Job,
    /// Time of the next attempt. If that time has passed: since when the job is due.
    pub due: Timestamp,
    /// Number of consecutive faults.
    pub faults: u32,
}

/// When and how an unfinished job continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PutOff {
    /// Earliest time to continue.
    pub due: Timestamp,
    /// Step with which the job continues.
    pub step: u32,
    /// Number of faults in this job's work so far.
    pub faults: u32,
}

#[async_trait]
pub trait Jobs: Send + Sync {
    /// Time at which the next job is due or a lease lapses. `None` if there is no job.
    async fn next_due(&self) -> Result<Option<Timestamp>>;

    /// Claims jobs of one family until `until`: due jobs, and jobs with a lapsed lease. The partner with the
    /// fewest held jobs comes first. Among one partner's jobs, the job that is due longest comes first.
    async fn claim_jobs(
        &self,
        family: JobFamily,
        owner: Uuid,
        now: Timestamp,
        until: Timestamp,
        most: usize,
    ) -> Result<Vec<Lease>>;

    /// Renews those leases that are still held. Returns the number of renewed leases. Do not pass a lease
    /// that no worker uses: such a lease must lapse, so that another worker can claim the job.
    async fn renew_leases(&self, leases: &[Lease], until: Timestamp) -> Result<usize>;

    /// Releases a job, which continues later. `false`: the lease is lost, so nothing was done.
    async fn put_off(&self, lease: &Lease, how: PutOff) -> Result<bool>;

    /// Releases all jobs of a process that stops. The jobs are due at once. Returns the number of jobs.
    async fn hand_back(&self, owner: Uuid, now: Timestamp) -> Result<usize>;

    /// Ends the leases of all processes. Call this only if no other process runs. Returns the number of
    /// leases.
    async fn free_leases(&self, now: Timestamp) -> Result<usize>;

    /// Deletes a finished job. `false`: the lease is lost, so nothing was done.
    async fn end_job(&self, lease: &Lease) -> Result<bool>;

    /// The job of this kind for a record of any partner.
    async fn job_for(&self, kind: JobKind, subject: Uuid) -> Result<Option<Job>>;

    /// Jobs due since before `due_before`, or with at least `faults` faults, longest due first; at most
    /// `most`. Without test partners' jobs.
    async fn stuck_jobs(&self, due_before: Timestamp, faults: u32, most: usize) -> Result<Vec<StuckJob>>;

    /// Number of jobs of each kind. A kind without jobs may be missing.
    async fn count_jobs(&self) -> Result<Vec<(JobKind, u64)>>;
}
