//! The system's clock.

use domain::date::Timestamp;
use service::clock::Clock;

/// The system's clock.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, reason = "the system's clock enters here")]
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}
