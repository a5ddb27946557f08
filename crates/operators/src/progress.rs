//! The progress of a long act, in the log of the process that runs it.

use std::time::{Duration, Instant};

/// Time between two lines.
const PERIOD: Duration = Duration::from_secs(5);

/// Logs now and then how far an act is.
pub(crate) struct Progress {
    act: &'static str,
    told: Instant,
}

impl Progress {
    /// Of an act that begins.
    pub(crate) fn of(act: &'static str) -> Self {
        Progress { act, told: Instant::now() }
    }

    /// The act has done so many rows, of `all` if that is known.
    pub(crate) fn tell(&mut self, rows: u64, all: Option<u64>) {
        if self.told.elapsed() < PERIOD {
            return;
        }
        self.told = Instant::now();
        let of = all.map_or(String::new(), |all| format!(" of {all}"));
        tracing::info!(rows, "{}: {rows}{of} rows are done", self.act);
    }
}
