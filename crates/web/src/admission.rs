//! Admission control: so many requests are worked on at once. One more is refused before anything is done for it,
//! because waiting would only make all responses late.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::sleep;

use crate::error::Problem;

/// How long a refusal is held back, at least and at most. A client that asks again at once has to wait that long, and so
/// takes next to nothing of what is left for the others: to refuse costs a third of what a quote costs. The times
/// differ, so that not all refused clients come back together.
const HELD_BACK: Range<Duration> = Duration::from_millis(100)..Duration::from_millis(200);

/// How often the log says how many requests were refused.
const LOG_INTERVAL: Duration = Duration::from_secs(1);

/// A limit of requests that are worked on at once.
pub(crate) struct ConcurrencyLimit {
    permits: Semaphore,
    /// Requests refused since the log last said so.
    refused: Arc<AtomicU64>,
}

impl ConcurrencyLimit {
    /// A limit of so many requests.
    pub(crate) fn of(requests: usize) -> Self {
        ConcurrencyLimit { permits: Semaphore::new(requests), refused: Arc::default() }
    }

    /// Admits a request, where the limit is not reached. The permit is given back when it is dropped.
    pub(crate) fn admit(&self) -> Option<SemaphorePermit<'_>> {
        self.permits.try_acquire().ok()
    }

    /// Refuses a request that was not admitted. The refusal comes after a delay.
    pub(crate) async fn refuse(&self) -> Problem {
        let before = self.refused.fetch_add(1, Ordering::Relaxed);
        if before == 0 {
            tokio::spawn(log_refusals(self.refused.clone()));
        }
        // Evenly over the range, whichever refusals one looks at: 37 and 100 have no divisor in common.
        let part = (before * 37 % 100) as u32;
        sleep(HELD_BACK.start + (HELD_BACK.end - HELD_BACK.start) / 100 * part).await;
        Problem::overloaded()
    }
}

/// Logs in a while how many requests were refused until then. A line for each would be more work than a refusal saves.
async fn log_refusals(refused: Arc<AtomicU64>) {
    sleep(LOG_INTERVAL).await;
    let refused = refused.swap(0, Ordering::Relaxed);
    tracing::warn!(
        requests.refused = refused,
        "requests refused, since as many as may be were at work: {refused}"
    );
}
