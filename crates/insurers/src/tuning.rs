//! The figures of a connection that no catalogue sets.

use std::time::Duration;

/// How long an insurer is waited for again, when it is left alone, how much it may say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tuning {
    /// Calls that the breaker looks back on.
    pub window: usize,
    /// Failed ones among them after which the insurer is left alone.
    pub failures: usize,
    /// How long it is left alone before one call is let through to try.
    pub rest: Duration,
    /// Attempts after the first.
    pub retries: usize,
    /// The pause before the second attempt; it doubles each time, and a random part of up to the same length is added.
    pub pause: Duration,
    /// Bytes of an answer's body, at most.
    pub largest_answer: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning {
            window: 40,
            failures: 20,
            rest: Duration::from_secs(10),
            retries: 2,
            pause: Duration::from_millis(50),
            largest_answer: 1024 * 1024,
        }
    }
}
