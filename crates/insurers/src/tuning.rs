//! Limits for calls to an insurer that the catalogue does not set.

use std::time::Duration;

/// Settings of the circuit breaker, the retries and the answer size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tuning {
    /// Number of the latest calls in which the circuit breaker counts failures.
    pub window: usize,
    /// Number of failures among these calls at which the circuit breaker opens.
    pub failures: usize,
    /// Time that the circuit breaker stays open before it permits one trial call.
    pub open_for: Duration,
    /// Most attempts after the first one.
    pub retries: usize,
    /// Pause before the second attempt. Each further pause is twice as long. A random part of up to the same
    /// length is added.
    pub retry_pause: Duration,
    /// Largest body of an answer that is read, in bytes.
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
