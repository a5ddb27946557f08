//! What the use cases need of a store for journeys (D38).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use domain::journey::Journey;
use domain::session::Session;

use super::Result;
use super::events::NewEvent;

/// A journey whose customer was not seen for long.
#[derive(Debug, Clone)]
pub struct OldJourney {
    /// Whose customer it is.
    pub partner: PartnerId,
    pub id: Uuid,
    /// The version in which it was read.
    pub version: u32,
    /// The journey; `None` where it cannot be read any more.
    pub journey: Option<Journey>,
}

/// Journeys of a store.
#[async_trait]
pub trait Journeys: Send + Sync {
    /// The tokens of journeys whose customers were seen at this instant or later: with them, no other journey can be
    /// opened.
    async fn tokens_used(&self, since: Timestamp) -> Result<Vec<Uuid>>;

    /// Opens a journey, with the session that it begins where none was named. `false`: its token was used before, and
    /// nothing was done.
    async fn open_journey(&self, journey: &Journey, begins: Option<&Session>) -> Result<bool>;

    /// The journey of the browser whose cookie has this hash.
    async fn journey(&self, cookie: [u8; 32]) -> Result<Option<Journey>>;

    /// The cookie of the journey that a token opened, by its hash.
    async fn journey_opened_by(&self, of: PartnerId, token: Uuid) -> Result<Option<[u8; 32]>>;

    /// Keeps a journey as it stands now, unless it is no longer in the version before. `false`: it is not.
    async fn change_journey(&self, journey: &Journey) -> Result<bool>;

    /// Journeys that were last seen before an instant, the oldest first; at most `most`.
    async fn old_journeys(&self, before: Timestamp, most: usize) -> Result<Vec<OldJourney>>;

    /// Drops journeys whose customers did not come back since they were read, each with what its partner is told of it. Returns how
    /// many.
    async fn forget_journeys(&self, old: &[(OldJourney, Option<NewEvent>)]) -> Result<usize>;
}
