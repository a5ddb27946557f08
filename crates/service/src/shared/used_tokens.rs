//! Tokens that opened a journey. They were visible in an address, so they are no longer valid as bearer
//! tokens (D2).

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use domain::date::Timestamp;
use domain::id::Uuid;

use crate::clock::{Clock, millisecond_of};
use crate::error::Result;
use crate::storage::Journeys;

/// Lifetime of a token, in seconds (interface, Limits).
pub const LIFETIME: i64 = 3600;

/// Each read of used tokens overlaps the previous read by this time, because another process may have a slow
/// clock, or end its transaction late.
const OVERLAP: Duration = Duration::from_secs(30);

/// Used tokens that have not expired yet, as this process knows them.
pub struct UsedTokens {
    storage: Arc<dyn Journeys>,
    clock: Arc<dyn Clock>,
    known: ArcSwap<HashSet<Uuid>>,
    looked_at: Mutex<Option<Timestamp>>,
}

impl UsedTokens {
    pub(crate) fn new(storage: Arc<dyn Journeys>, clock: Arc<dyn Clock>) -> Self {
        UsedTokens { storage, clock, known: ArcSwap::default(), looked_at: Mutex::new(None) }
    }

    pub(crate) fn contains(&self, token: Uuid) -> bool {
        self.known.load().contains(&token)
    }

    /// Records that a token opened a journey in this process.
    pub(crate) fn add(&self, token: Uuid) {
        self.known.rcu(|known| known.iter().copied().chain([token]).collect::<HashSet<_>>());
    }

    /// Reads the tokens that opened journeys in other processes, and removes expired tokens. This is called
    /// every 2 seconds, so that every process refuses a used token within 5 seconds.
    ///
    /// # Errors
    /// [`crate::Error::Storage`]; earlier data stays in use.
    pub async fn refresh(&self) -> Result<()> {
        let now = self.clock.now();
        let oldest = now - Duration::from_secs(LIFETIME.unsigned_abs());
        let looked_at = *self.looked_at.lock().unwrap_or_else(PoisonError::into_inner);
        let since = looked_at.map_or(oldest, |at| (at - OVERLAP).max(oldest));
        let found = self.storage.tokens_used(since).await?;
        let is_live = |token: &Uuid| millisecond_of(*token) >= oldest.as_millisecond();
        self.known.rcu(|known| known.iter().chain(&found).copied().filter(is_live).collect::<HashSet<_>>());
        *self.looked_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
        Ok(())
    }
}
