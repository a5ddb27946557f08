//! Rate limit of one journey for expensive work, such as prices.

use std::num::NonZeroU32;
use std::time::Duration;

use domain::id::Uuid;
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::error::{Problem, Result};

/// If more journeys than this are known, inactive ones are removed.
const MANY: usize = 10_000;

/// Rate limits of all journeys in this process, for one kind of work.
pub(crate) struct JourneyLimit {
    limiter: RateLimiter<Uuid, HashMapStateStore<Uuid>, DefaultClock>,
    /// Error message if a request is refused.
    detail: &'static str,
}

impl JourneyLimit {
    /// Limit for requests for prices, because each one makes a quote and a job: 30 at once, then one every
    /// ten seconds.
    pub(crate) fn of_prices() -> Self {
        const BURST: NonZeroU32 = NonZeroU32::new(30).expect("not zero");
        JourneyLimit::new(BURST, Duration::from_secs(10), "Prices were requested too often.")
    }

    /// Limit for submitted forms, because each one is stored: 300 at once, then one every second.
    pub(crate) fn of_forms() -> Self {
        const BURST: NonZeroU32 = NonZeroU32::new(300).expect("not zero");
        JourneyLimit::new(BURST, Duration::from_secs(1), "Forms were sent too often.")
    }

    fn new(burst: NonZeroU32, each: Duration, detail: &'static str) -> Self {
        let quota = Quota::with_period(each).expect("a period").allow_burst(burst);
        JourneyLimit { limiter: RateLimiter::hashmap(quota), detail }
    }

    /// Counts a request of the journey.
    ///
    /// # Errors
    /// A4290 if the limit is reached, with the time until the next request is allowed.
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
    fn each_journey_has_its_own_rate_limit() {
        for (limit, burst) in [(JourneyLimit::of_prices(), 30), (JourneyLimit::of_forms(), 300)] {
            let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
            assert_eq!((0..burst + 10).filter(|_| limit.count(one).is_ok()).count(), burst);
            assert!(limit.count(other).is_ok());
        }
    }
}
