//! Workers, which run jobs under leases.
//!
//! Uses `decision`, `error`, `insurer`, `line`, `policy`, `quote`, `shared`, `statement`.
//!

pub mod calendar;
pub mod notice;

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use domain::id::Uuid;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::MissedTickBehavior;

use crate::decision::DecisionService;
use crate::decision::premium::PremiumService;
use crate::error::Error;
use crate::quote::recommendation::RecommendationService;
use crate::shared::Shared;
use crate::storage::StorageError;
use crate::storage::jobs::{JobFamily, JobKind, Lease, PutOff};
use crate::traces::{self, SpanKind};
use crate::work::notice::NoticeService;

/// Duration of a lease. If a process is killed, another process takes its job after this time.
pub const LEASE: Duration = Duration::from_secs(10);

/// Interval in which leases are renewed. Two renewals may fail before a lease lapses.
const RENEWAL: Duration = Duration::from_secs(3);

/// Interval in which workers look for due jobs without a signal: postponed jobs, and jobs of other processes.
const LOOK: Duration = Duration::from_millis(500);

/// Delay of a job after its first failure. The delay doubles with each further failure.
const AFTER_FAULT: Duration = Duration::from_secs(1);

/// Most doublings of the delay, which is then about 17 minutes.
const MOST_DOUBLINGS: u32 = 10;

/// A process may run this many recommendation jobs at once for each job of another kind.
const RECOMMENDATIONS_FOR_A_DECISION: usize = 4;

/// Most jobs of one kind that a process runs at once, if it runs at most `most` recommendation jobs.
fn most_of(family: JobFamily, most: usize) -> usize {
    match family {
        JobFamily::Recommendations => most,
        JobFamily::Decisions | JobFamily::Notices => most.div_ceil(RECOMMENDATIONS_FOR_A_DECISION),
    }
}

/// Running jobs of this process, each with its lease.
#[derive(Default)]
struct Held {
    tasks: JoinSet<()>,
    leases: HashMap<Id, Lease>,
}

impl Held {
    /// Number of running jobs of one kind.
    fn count(&self, family: JobFamily) -> usize {
        self.leases.values().filter(|lease| lease.job.kind.family() == family).count()
    }

    fn begin(&mut self, lease: Lease, work: impl Future<Output = ()> + Send + 'static) {
        self.leases.insert(self.tasks.spawn(work).id(), lease);
    }

    fn forget(&mut self, done: Result<(Id, ()), JoinError>) {
        let id = done.map_or_else(|fault| fault.id(), |(id, ())| id);
        self.leases.remove(&id);
    }

    fn forget_done(&mut self) {
        while let Some(done) = self.tasks.try_join_next_with_id() {
            self.forget(done);
        }
    }

    /// Waits until a job is done. If no job runs, it waits forever.
    async fn one_is_done(&mut self) {
        match self.tasks.join_next_with_id().await {
            Some(done) => self.forget(done),
            None => std::future::pending().await,
        }
    }
}

/// The workers of one process.
pub struct Workers {
    pub(crate) shared: Arc<Shared>,
    pub(crate) recommendations: Arc<RecommendationService>,
    pub(crate) decisions: Arc<DecisionService>,
    pub(crate) premiums: Arc<PremiumService>,
    pub(crate) notices: Arc<NoticeService>,
}

impl Workers {
    /// Frees the leases of ended processes. Call it only if no other process uses the store.
    ///
    /// # Errors
    /// [`StorageError`].
    pub async fn take_over(&self) -> Result<usize, StorageError> {
        self.shared.storage.free_leases(self.shared.partner_clock.real()).await
    }

    /// Runs jobs until `stop` resolves: at most `most` recommendation jobs at once, and a quarter as many of
    /// each other kind. Unfinished jobs are then handed back, and another process or the next start continues
    /// them. Saved results are not computed again.
    ///
    /// The future is boxed so that the code of the jobs is compiled in this crate, which is optimized for
    /// speed.
    pub fn work(
        self: Arc<Self>,
        most: usize,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> BoxFuture<'static, ()> {
        self.work_boxed(most, Box::pin(stop))
    }

    fn work_boxed(self: Arc<Self>, most: usize, stop: BoxFuture<'static, ()>) -> BoxFuture<'static, ()> {
        Box::pin(self.work_until(most, stop))
    }

    async fn work_until(self: Arc<Self>, most: usize, mut stop: BoxFuture<'static, ()>) {
        let owner = self.shared.ids.uuid();
        let mut held = Held::default();
        let mut look = tokio::time::interval(LOOK);
        let mut renewal = tokio::time::interval(RENEWAL);
        look.set_missed_tick_behavior(MissedTickBehavior::Skip);
        renewal.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            held.forget_done();
            let room = |family| most_of(family, most).saturating_sub(held.count(family));
            match self.claim(owner, room).await {
                Ok(leases) => {
                    for lease in leases {
                        held.begin(lease, Arc::clone(&self).work_on(lease));
                    }
                }
                Err(fault) => tracing::warn!("jobs could not be claimed: {fault}"),
            }
            metrics::gauge!("covernote_jobs_held").set(held.leases.len() as f64);
            tokio::select! {
                () = &mut stop => break,
                () = self.shared.job_signal.heard() => {}
                () = held.one_is_done() => {}
                _ = look.tick() => {}
                _ = renewal.tick() => self.renew(&held).await,
            }
        }
        held.tasks.shutdown().await;
        match self.shared.storage.hand_back(owner, self.shared.partner_clock.real()).await {
            Ok(0) => {}
            Ok(jobs) => tracing::info!(jobs, "jobs handed back: {jobs}"),
            Err(fault) => tracing::warn!(
                "jobs could not be handed back; they continue when their leases lapse: {fault}"
            ),
        }
    }

    /// Claims jobs that are due. It looks for due jobs first, because a claim is a write even if no job is
    /// due.
    async fn claim(
        &self,
        owner: Uuid,
        room: impl Fn(JobFamily) -> usize,
    ) -> Result<Vec<Lease>, StorageError> {
        let now = self.shared.partner_clock.real();
        let due = self.shared.storage.next_due().await?.filter(|due| *due <= now);
        let late = due.map_or(0.0, |due| now.duration_since(due).as_secs_f64());
        metrics::gauge!("covernote_jobs_late_seconds").set(late);
        let mut claimed = Vec::new();
        for family in JobFamily::ALL.iter().filter(|_| due.is_some()) {
            match room(*family) {
                0 => {}
                most => claimed
                    .extend(self.shared.storage.claim_jobs(*family, owner, now, now + LEASE, most).await?),
            }
        }
        Ok(claimed)
    }

    /// Renews the leases of running jobs. If a job ended but the store was not told, its lease is no longer
    /// renewed and lapses.
    async fn renew(&self, held: &Held) {
        let leases: Vec<Lease> = held.leases.values().copied().collect();
        if leases.is_empty() {
            return;
        }
        if let Err(fault) =
            self.shared.storage.renew_leases(&leases, self.shared.partner_clock.real() + LEASE).await
        {
            tracing::warn!("leases of jobs could not be renewed: {fault}");
        }
    }

    /// Runs one job. If it fails or panics, only this job is affected, and it continues later.
    async fn work_on(self: Arc<Self>, lease: Lease) {
        let asked = traces::asked_for(lease.job.subject);
        let name = || format!("job {}", lease.job.kind.word());
        traces::begin(asked, SpanKind::Consumer, name, self.try_job(&lease)).await;
    }

    async fn try_job(&self, lease: &Lease) {
        let kind = lease.job.kind.word();
        let work = async {
            self.shared.partner_clock.look(lease.job.of).await?;
            match lease.job.kind {
                JobKind::Recommendation => self.recommendations.work_on(lease).await,
                JobKind::Decision(line) => self.decisions.work_on(line, lease).await,
                JobKind::Premium(line) => self.premiums.work_on(line, lease).await,
                JobKind::Notice => self.notices.work_on(lease).await,
            }
        };
        let met = match AssertUnwindSafe(Box::pin(work)).catch_unwind().await {
            Ok(Ok(())) => None,
            Ok(Err(fault)) => Some(fault),
            Err(_) => Some(Error::Internal("the job panicked".into())),
        };
        let outcome = if met.is_some() { "failed" } else { "done" };
        metrics::counter!("covernote_jobs_total", "kind" => kind, "outcome" => outcome).increment(1);
        traces::note("job.record", lease.job.record());
        if let Some(fault) = met {
            traces::fail(&fault);
            tell(lease, &fault);
            // If the store cannot be reached, it will come back. This does not count as a failure of the job.
            let away = matches!(fault, Error::Storage(StorageError::Away(_)));
            let faults = lease.faults.saturating_add(u32::from(!away));
            let doubled = 2_u32.pow(faults.saturating_sub(1).min(MOST_DOUBLINGS));
            let how = PutOff {
                due: self.shared.partner_clock.real() + AFTER_FAULT * doubled,
                step: lease.step,
                faults,
            };
            if let Err(fault) = self.shared.storage.put_off(lease, how).await {
                tracing::warn!("a job could not be postponed; it continues when its lease lapses: {fault}");
            }
        }
    }
}

fn tell(lease: &Lease, fault: &Error) {
    let (kind, subject) = (lease.job.kind.word(), lease.job.record());
    tracing::error!(
        partner.id = %lease.job.of,
        job.kind = kind,
        job.subject = subject,
        error.cause = %fault,
        "the {kind} job of {subject} failed and continues later: {fault}"
    );
}
