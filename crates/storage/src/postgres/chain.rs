//! The slots of the audit trail that this process continues.
//!
//! It keeps the end of each in memory, and an entry is added only behind the end that the database has: so another process in the same slot,
//! or a server that lost its last transactions, is noticed.

use ports::clock::Random;
use tokio::sync::{Mutex, MutexGuard};

use super::fault::{Fault, FaultKind};
use crate::act::Guard;
use crate::audit::Link;

/// Transactions of this process that may end at once.
const LANES: i16 = 16;

/// Slots of a lane: two processes seldom draw the same.
const SLOTS_OF_LANE: i16 = 64;

/// Most tries to add an entry, of which each fails if another process continued the slot meanwhile.
pub(crate) const CHAIN_TRIES: u32 = 12;

/// A slot that this process continues.
pub(crate) struct Chain {
    pub(crate) slot: i16,
    /// Its last entry, if this process knows it.
    pub(crate) end: Option<Link>,
}

impl Chain {
    /// Notes what became of an entry that was to be its end.
    pub(crate) fn went_on(&mut self, end: Link, fault: Option<&Fault>) {
        self.end = fault.is_none().then_some(end);
        if fault.is_some_and(|fault| fault.kind == FaultKind::Guarded(Guard::Chain)) {
            let lane = self.slot / SLOTS_OF_LANE;
            self.slot = lane * SLOTS_OF_LANE + (self.slot + 1) % SLOTS_OF_LANE;
        }
    }
}

/// Slots, one for each transaction that may end at once.
pub(crate) struct Chains(Vec<Mutex<Chain>>);

impl Chains {
    /// Draws a slot for each lane.
    pub(crate) fn draw(random: &dyn Random) -> Self {
        let mut drawn = [0; LANES as usize];
        random.fill(&mut drawn);
        let slot = |(lane, drawn): (i16, u8)| lane * SLOTS_OF_LANE + i16::from(drawn) % SLOTS_OF_LANE;
        let chain = |drawn| Mutex::new(Chain { slot: slot(drawn), end: None });
        Chains((0..LANES).zip(drawn).map(chain).collect())
    }

    /// Those of connections that only read.
    pub(crate) fn none() -> Self {
        Chains(vec![Mutex::new(Chain { slot: 0, end: None })])
    }

    /// A slot that no other transaction continues.
    pub(crate) async fn take(&self) -> MutexGuard<'_, Chain> {
        match self.0.iter().find_map(|chain| chain.try_lock().ok()) {
            Some(free) => free,
            None => self.0[0].lock().await,
        }
    }
}
