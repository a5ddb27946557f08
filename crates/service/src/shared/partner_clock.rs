//! Partner's clock: the real time, or a test partner's own time (D97).

use std::sync::Arc;

use domain::date::{Date, Timestamp, day_of};
use domain::id::PartnerId;

use crate::clock::Clock;
use crate::shared::directory::Directory;
use crate::storage::StorageError;

/// Gives each partner's time. Covers, premiums, claims and lists use the partner's time. Ids, tokens, signed
/// addresses, stored responses and waits for other machines use [`PartnerClock::real`].
#[derive(Clone)]
pub(crate) struct PartnerClock {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) directory: Arc<Directory>,
}

impl PartnerClock {
    /// Current instant of a partner.
    pub(crate) fn now(&self, of: PartnerId) -> Timestamp {
        let now = self.clock.now();
        let known = self.directory.known();
        let sandbox = known.partner(of).and_then(|partner| partner.sandbox);
        sandbox.map_or(now, |sandbox| now.checked_add(sandbox.ahead).unwrap_or(Timestamp::MAX))
    }

    /// Current day of a partner, in Asia/Kolkata.
    pub(crate) fn today(&self, of: PartnerId) -> Date {
        day_of(self.now(of))
    }

    /// Current instant of the real clock.
    pub(crate) fn real(&self) -> Timestamp {
        self.clock.now()
    }

    /// Whether a partner is a test partner.
    pub(crate) fn is_test(&self, of: PartnerId) -> bool {
        self.directory.known().partner(of).is_some_and(domain::partner::Partner::is_test)
    }

    /// Reads the clock of a test partner again, because another process may have moved it.
    pub(crate) async fn look(&self, of: PartnerId) -> Result<(), StorageError> {
        match self.is_test(of) {
            true => self.directory.refresh().await,
            false => Ok(()),
        }
    }
}
