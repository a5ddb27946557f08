//! Clock of the operating system.

use domain::date::Timestamp;
use ports::clock::Clock;

/// System clock in microseconds, the precision of the stores. So an instant has the same value in a response
/// and in the store.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, reason = "the system's clock enters here")]
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_clock_gives_times_in_whole_microseconds() {
        let nanoseconds = (0..100).map(|_| SystemClock.now().as_nanosecond() % 1000);
        assert_eq!(nanoseconds.sum::<i128>(), 0);
    }
}
