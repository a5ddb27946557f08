//! Progress of a long operator's action, in the log of the process that runs the action.

use std::time::{Duration, Instant};

/// Shortest time between two log lines about progress.
const PERIOD: Duration = Duration::from_secs(5);

/// Logs the progress of an operator's action, at most once in 5 seconds.
pub(crate) struct Progress {
    act: &'static str,
    told: Instant,
}

impl Progress {
    pub(crate) fn of(act: &'static str) -> Self {
        Progress { act, told: Instant::now() }
    }

    /// Logs the number of finished rows, and the total number `all` if it is known.
    pub(crate) fn tell(&mut self, rows: u64, all: Option<u64>) {
        if self.told.elapsed() < PERIOD {
            return;
        }
        self.told = Instant::now();
        let of = all.map_or(String::new(), |all| format!(" of {all}"));
        tracing::info!(rows, "{}: {rows}{of} rows are done", self.act);
    }
}
