//! How often one journey may ask for prices: each time makes a quote and a job.

use std::num::NonZeroU32;
use std::time::Duration;

use domain::id::Uuid;
use governor::clock::{Clock, DefaultClock};
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

use crate::error::Problem;

/// So often at once, such as by a customer who goes back and forth.
const BURST: NonZeroU32 = NonZeroU32::new(30).expect("not zero");

/// So much time for each one after that.
const EACH: Duration = Duration::from_secs(10);

/// Journeys after which those that ask no more are forgotten.
const MANY: usize = 10_000;

/// The limit of every journey in this process.
pub(crate) struct PricingLimit {
    limiter: RateLimiter<Uuid, HashMapStateStore<Uuid>, DefaultClock>,
}

impl Default for PricingLimit {
    fn default() -> Self {
        let quota = Quota::with_period(EACH).expect("a period").allow_burst(BURST);
        PricingLimit { limiter: RateLimiter::hashmap(quota) }
    }
}

impl PricingLimit {
    /// Counts that a journey asks for prices.
    ///
    /// # Errors
    /// A4290 with the time after which it may ask again.
    pub(crate) fn count(&self, journey: Uuid) -> Result<(), Problem> {
        if self.limiter.len() > MANY {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(&journey).map_err(|refused| {
            let wait = refused.wait_time_from(DefaultClock::default().now());
            Problem::too_often("Prices were asked for too often.", wait.as_secs() + 1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_journey_has_a_limit_of_its_own() {
        let limit = PricingLimit::default();
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        assert_eq!((0..100).filter(|_| limit.count(one).is_ok()).count(), BURST.get() as usize);
        assert!(limit.count(other).is_ok());
    }
}
