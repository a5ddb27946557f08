//! What the use cases need of a store for durable jobs. A job is kept in the transaction of what it is for, and is
//! gone in the transaction of its last result: nothing in between can lose it.
//!
//! Who works on a job holds a lease. Until the lease lapses nobody else may claim the job; renewed in time, it never
//! lapses. What is written under a lease that was lost is undone as a whole.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, PolicyId, ProposalId, QuoteId, Uuid};
use domain::line::LineOfBusiness;

use super::Result;

/// What a job does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobKind {
    /// Prices the variants of a health quote, then ranks them.
    Recommendation,
    /// Hands a proposal of a line of business to its insurer, then asks what was decided.
    Decision(LineOfBusiness),
    /// Issues the policy of a proposal whose decision waited for its premium (D63).
    Premium(LineOfBusiness),
    /// Tells an insurer what happened to one of its policies (D90).
    Notice,
}

impl JobKind {
    /// Every kind.
    pub const ALL: &'static [JobKind] = &[
        JobKind::Recommendation,
        JobKind::Decision(LineOfBusiness::CreditLife),
        JobKind::Decision(LineOfBusiness::Health),
        JobKind::Premium(LineOfBusiness::CreditLife),
        JobKind::Premium(LineOfBusiness::Health),
        JobKind::Notice,
    ];

    /// Its word, for logs and metrics.
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

/// Jobs that have workers of their own, so that none of one family waits for those of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum JobFamily {
    Recommendations,
    /// Decisions of insurers about proposals, and policies whose premium has come.
    Decisions,
    /// What insurers are told: an insurer that takes none holds up nobody's policy.
    Notices,
}

impl JobKind {
    /// The family that it belongs to.
    pub const fn family(self) -> JobFamily {
        match self {
            JobKind::Recommendation => JobFamily::Recommendations,
            JobKind::Decision(_) | JobKind::Premium(_) => JobFamily::Decisions,
            JobKind::Notice => JobFamily::Notices,
        }
    }
}

impl JobFamily {
    /// Every family.
    pub const ALL: &'static [JobFamily] =
        &[JobFamily::Recommendations, JobFamily::Decisions, JobFamily::Notices];

    pub fn kinds(self) -> impl Iterator<Item = JobKind> {
        JobKind::ALL.iter().copied().filter(move |kind| kind.family() == self)
    }
}

/// A job: what is to be done for which record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// What it does.
    pub kind: JobKind,
    /// Whose record it is for.
    pub of: PartnerId,
    /// The record's id: one job of a kind for each.
    pub subject: Uuid,
}

impl Job {
    /// The id of its record, as people read it.
    pub fn record(&self) -> String {
        match self.kind {
            JobKind::Recommendation => QuoteId::from_uuid(self.subject).to_string(),
            JobKind::Decision(_) | JobKind::Premium(_) => ProposalId::from_uuid(self.subject).to_string(),
            JobKind::Notice => PolicyId::from_uuid(self.subject).to_string(),
        }
    }
}

/// A job that somebody holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    pub job: Job,
    /// Who holds it: a process, by a number of its own.
    pub owner: Uuid,
    /// Counts the claims from 1: a holder that lost its lease is told apart from itself after another claim.
    pub attempt: u32,
    /// How often work on it met a fault that was not the store's being away.
    pub faults: u32,
    /// How far the work came, where it has several steps.
    pub step: u32,
}

/// A job that does not come to its end.
#[derive(Debug, Clone, Copy)]
pub struct StuckJob {
    pub job: Job,
    /// When it is tried next, or since when it is due.
    pub due: Timestamp,
    /// How often in a row work on it met a fault.
    pub faults: u32,
}

/// When and how a job that is not finished goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PutOff {
    /// Not before.
    pub due: Timestamp,
    /// The step to begin with.
    pub step: u32,
    /// Faults so far.
    pub faults: u32,
}

/// Jobs of a store.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// When the next job is due or its lease lapses; `None` where there is no job.
    async fn next_due(&self) -> Result<Option<Timestamp>>;

    /// Claims jobs of a family that are due or whose lease lapsed, until an instant. Partners take turns: the one of whom
    /// fewest jobs are held comes first. Of one partner's jobs the longest due comes first.
    async fn claim_jobs(
        &self,
        family: JobFamily,
        owner: Uuid,
        now: Timestamp,
        until: Timestamp,
        most: usize,
    ) -> Result<Vec<Lease>>;

    /// Renews those of these leases that still hold. Returns how many. One that nobody works on must not be among them:
    /// only by lapsing does it come to somebody who does.
    async fn renew_leases(&self, leases: &[Lease], until: Timestamp) -> Result<usize>;

    /// Gives a job back, to be gone on with later. `false`: the lease was lost, and nothing was done.
    async fn put_off(&self, lease: &Lease, how: PutOff) -> Result<bool>;

    /// Gives back every job that the owner holds, due at once: it is leaving. Returns how many.
    async fn hand_back(&self, owner: Uuid, now: Timestamp) -> Result<usize>;

    /// Frees every lease whoever holds it, for a process that knows that it is alone. Returns how many.
    async fn free_leases(&self, now: Timestamp) -> Result<usize>;

    /// Ends a job that has nothing left to do. `false`: the lease was lost, and nothing was done.
    async fn end_job(&self, lease: &Lease) -> Result<bool>;

    /// The job of a kind for a record, whosever it is.
    async fn job_for(&self, kind: JobKind, subject: Uuid) -> Result<Option<Job>>;

    /// Jobs that have been due since before an instant, or met so many faults, the longest due first; at most `most`. Those of test
    /// partners are left out.
    async fn stuck_jobs(&self, due_before: Timestamp, faults: u32, most: usize) -> Result<Vec<StuckJob>>;

    /// How many jobs of each kind there are. A kind that has none may be missing.
    async fn count_jobs(&self) -> Result<Vec<(JobKind, u64)>>;
}
