//! The places of requests at work. Who finds none is refused before anything is done for it: to wait for one would only
//! make all answers late.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::sleep;

use crate::error::Problem;

/// How long a refusal is held back, at least and at most. Who asks again at once has to wait that long, and so takes next to
/// nothing of what is left for the others: to refuse costs a third of what a quote costs. Not all come back together.
const HELD_BACK: Range<Duration> = Duration::from_millis(100)..Duration::from_millis(200);

/// How often it is told how many were refused.
const TOLD: Duration = Duration::from_secs(1);

/// Places of requests at work.
pub(crate) struct Places {
    free: Semaphore,
    /// Refused since it was told last.
    refused: Arc<AtomicU64>,
}

impl Places {
    /// So many places.
    pub(crate) fn of(number: usize) -> Self {
        Places { free: Semaphore::new(number), refused: Arc::default() }
    }

    /// Takes a place, where one is free. It is given back when it is dropped.
    pub(crate) fn take(&self) -> Option<SemaphorePermit<'_>> {
        self.free.try_acquire().ok()
    }

    /// What a request is told that found no place, when it is time to tell it.
    pub(crate) async fn refuse(&self) -> Problem {
        let before = self.refused.fetch_add(1, Ordering::Relaxed);
        if before == 0 {
            tokio::spawn(tell(self.refused.clone()));
        }
        // Evenly over the range, wherever one looks: 37 and 100 have no divisor in common.
        let part = (before * 37 % 100) as u32;
        sleep(HELD_BACK.start + (HELD_BACK.end - HELD_BACK.start) / 100 * part).await;
        Problem::crowded()
    }
}

/// Tells in a while how many were refused until then. A line for each would be more work than is to be spared.
async fn tell(refused: Arc<AtomicU64>) {
    sleep(TOLD).await;
    let refused = refused.swap(0, Ordering::Relaxed);
    tracing::warn!(
        requests.refused = refused,
        "requests refused, since as many as may be were at work: {refused}"
    );
}
