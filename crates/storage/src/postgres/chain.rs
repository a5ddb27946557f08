//! Slots of the audit trail to which this process adds entries.
//!
//! Each slot has one chain of entries. The process caches the last entry of each chain. A new entry is added
//! only if the database has the same last entry. So the process notices if another process added an entry, or
//! if the server lost its last transactions.

use ports::clock::Random;
use tokio::sync::{Mutex, MutexGuard};

use super::fault::{Fault, FaultKind};
use crate::audit::Link;
use crate::operation::Guard;

/// Most transactions of this process that may commit at once. Each of them needs its own lane of slots.
const LANES: i16 = 16;

/// Number of slots in a lane. A process draws one of them at random: there are so many that two processes
/// seldom draw the same.
const SLOTS_OF_LANE: i16 = 64;

/// Most tries to add an entry. A try fails if another process added an entry to the slot meanwhile.
pub(crate) const CHAIN_TRIES: u32 = 12;

/// Slot of the audit trail to which this process adds entries.
pub(crate) struct Chain {
    pub(crate) slot: i16,
    /// Last entry of the slot's chain. `None` if this process does not know the last entry.
    pub(crate) end: Option<Link>,
}

impl Chain {
    /// Notes that `end` became the last entry, or that its transaction failed with `fault`. If another
    /// process added an entry to the slot, moves to another slot.
    pub(crate) fn went_on(&mut self, end: Link, fault: Option<&Fault>) {
        self.end = fault.is_none().then_some(end);
        if fault.is_some_and(|fault| fault.kind == FaultKind::Guarded(Guard::Chain)) {
            let lane = self.slot / SLOTS_OF_LANE;
            self.slot = lane * SLOTS_OF_LANE + (self.slot + 1) % SLOTS_OF_LANE;
        }
    }
}

/// Slots of the audit trail, one for each transaction that may commit at once.
pub(crate) struct Chains(Vec<Mutex<Chain>>);

impl Chains {
    /// Draws a random slot of the audit trail for each lane.
    pub(crate) fn draw(random: &dyn Random) -> Self {
        let mut drawn = [0; LANES as usize];
        random.fill(&mut drawn);
        let slot = |(lane, drawn): (i16, u8)| lane * SLOTS_OF_LANE + i16::from(drawn) % SLOTS_OF_LANE;
        let chain = |drawn| Mutex::new(Chain { slot: slot(drawn), end: None });
        Chains((0..LANES).zip(drawn).map(chain).collect())
    }

    /// Placeholder for connections that write no audit entries.
    pub(crate) fn none() -> Self {
        Chains(vec![Mutex::new(Chain { slot: 0, end: None })])
    }

    /// Slot that no other transaction of this process holds. If all slots are held, waits for the first one.
    pub(crate) async fn take(&self) -> MutexGuard<'_, Chain> {
        match self.0.iter().find_map(|chain| chain.try_lock().ok()) {
            Some(free) => free,
            None => self.0[0].lock().await,
        }
    }
}
