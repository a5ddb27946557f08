//! Time and randomness as injected traits.
//!
//! Ids are made from both.

use std::sync::{Arc, Mutex, PoisonError};

use domain::date::Timestamp;
use domain::id::{Id, Kind, Uuid};

/// Source of the current time.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;
}

/// Source of random bytes that are good enough for keys.
pub trait Random: Send + Sync {
    fn fill(&self, bytes: &mut [u8]);
}

/// Generator of UUIDv7 ids. `rand_a` has the microseconds within the millisecond (RFC 9562 §6.2, method 3),
/// so ids sort by microsecond.
#[derive(Clone)]
pub struct Ids {
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
    /// Last id from [`Ids::next`].
    last: Arc<Mutex<Uuid>>,
}

impl Ids {
    pub fn new(clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        Ids { clock, random, last: Arc::default() }
    }

    pub fn make<K: Kind>(&self) -> Id<K> {
        Id::from_uuid(self.uuid())
    }

    /// A new id for a record that was made at `at`, so that ids sort in the order of creation.
    pub fn make_at<K: Kind>(&self, at: Timestamp) -> Id<K> {
        Id::from_uuid(self.uuid_at(at))
    }

    /// Current time of the clock that ids use.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub fn uuid(&self) -> Uuid {
        self.uuid_at(self.clock.now())
    }

    /// A new UUIDv7, greater than all ids from this method in this process.
    pub fn next(&self) -> Uuid {
        let new = self.uuid();
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        *last = if new > *last { new } else { Uuid::from_u128(last.as_u128() + 1) };
        *last
    }

    fn uuid_at(&self, at: Timestamp) -> Uuid {
        let micros = u64::try_from(at.as_microsecond()).unwrap_or(0);
        let (millis, within) = (micros / 1000, micros % 1000);
        let fraction = within * 4096 / 1000;
        let mut random = [0_u8; 8];
        self.random.fill(&mut random);
        let low = u64::from_be_bytes(random) & (u64::MAX >> 2);
        let high = (millis << 16) | 0x7000 | fraction;
        Uuid::from_u64_pair(high, low | (0b10 << 62))
    }
}

/// Unix time in milliseconds at which an id of [`Ids`] was made.
pub fn millisecond_of(id: Uuid) -> i64 {
    (id.as_u128() >> 80) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Frozen(i64);
    impl Clock for Frozen {
        fn now(&self) -> Timestamp {
            Timestamp::from_microsecond(self.0).expect("in range")
        }
    }
    struct Ones;
    impl Random for Ones {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(0xff);
        }
    }

    #[test]
    fn an_id_is_a_uuid_of_version_7_that_sorts_by_microseconds() {
        let at = |micros| Ids::new(Arc::new(Frozen(micros)), Arc::new(Ones)).uuid(); // D20
        let (earlier, later) = (at(1_795_000_000_000_500), at(1_795_000_000_000_501));
        assert_eq!(earlier.get_version_num(), 7);
        assert_eq!(earlier.get_variant(), domain::id::Variant::RFC4122);
        assert!(earlier < later);
    }
}
