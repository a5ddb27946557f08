//! How often one journey may do what makes work, such as to ask for prices.

use std::num::NonZeroU32;
use std::time::Duration;

use domain::id::Uuid;
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::error::{Problem, Result};

/// Journeys after which those that ask no more are forgotten.
const MANY: usize = 10_000;

/// The limit of every journey in this process, for one kind of work.
pub(crate) struct JourneyLimit {
    limiter: RateLimiter<Uuid, HashMapStateStore<Uuid>, DefaultClock>,
    /// What a refusal says.
    detail: &'static str,
}

impl JourneyLimit {
    /// Of asking for prices: each time makes a quote and a job. A customer may go back and forth 30 times at once, and
    /// once in ten seconds after that.
    pub(crate) fn of_prices() -> Self {
        const BURST: NonZeroU32 = NonZeroU32::new(30).expect("not zero");
        JourneyLimit::new(BURST, Duration::from_secs(10), "Prices were asked for too often.")
    }

    /// Of sending forms: each is written. A customer may send 300 at once, and one in a second after that.
    pub(crate) fn of_forms() -> Self {
        const BURST: NonZeroU32 = NonZeroU32::new(300).expect("not zero");
        JourneyLimit::new(BURST, Duration::from_secs(1), "Forms were sent too often.")
    }

    fn new(burst: NonZeroU32, each: Duration, detail: &'static str) -> Self {
        let quota = Quota::with_period(each).expect("a period").allow_burst(burst);
        JourneyLimit { limiter: RateLimiter::hashmap(quota), detail }
    }

    /// Counts that a journey asks.
    ///
    /// # Errors
    /// A4290 with the time after which it may ask again.
    pub(crate) fn count(&self, journey: Uuid) -> Result<()> {
        if self.limiter.len() > MANY {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(&journey).map_err(|refused| {
            let wait = refused.wait_time_from(DefaultClock::default().now());
            Problem::too_often(self.detail, wait.as_secs() + 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_journey_has_a_limit_of_its_own() {
        for (limit, burst) in [(JourneyLimit::of_prices(), 30), (JourneyLimit::of_forms(), 300)] {
            let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
            assert_eq!((0..burst + 10).filter(|_| limit.count(one).is_ok()).count(), burst);
            assert!(limit.count(other).is_ok());
        }
    }
}
