//! The limits of a connection to an insurer that no catalogue sets.

use std::time::Duration;

/// Circuit breaker, retries and the size of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tuning {
    /// Number of latest calls that the circuit breaker counts.
    pub window: usize,
    /// Number of failed calls in the window that opens the circuit breaker.
    pub failures: usize,
    /// How long the circuit breaker stays open before it lets one trial call through.
    pub open_for: Duration,
    /// Number of attempts after the first.
    pub retries: usize,
    /// Pause before the second attempt. It doubles each time; a random part of up to the same length is added.
    pub retry_pause: Duration,
    /// Largest body of an answer, in bytes.
    pub max_answer_bytes: usize,
}

impl Default for Tuning {
    fn default() -> Self {
        Tuning {
            window: 40,
            failures: 20,
            open_for: Duration::from_secs(10),
            retries: 2,
            retry_pause: Duration::from_millis(50),
            max_answer_bytes: 1024 * 1024,
        }
    }
}
