//! Store operations for journeys (D38).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use domain::journey::Journey;
use domain::session::Session;

use super::Result;
use super::events::NewEvent;

/// Journey whose customer has not returned for a long time.
#[derive(Debug, Clone)]
pub struct OldJourney {
    /// Partner of the customer.
    pub partner: PartnerId,
    pub id: Uuid,
    /// Version of the journey that was read.
    pub version: u32,
    /// Content of the journey. `None` if the stored content cannot be read any more.
    pub journey: Option<Journey>,
}

#[async_trait]
pub trait Journeys: Send + Sync {
    /// Ids of the access tokens that opened journeys whose customers were seen at `since` or later. A token
    /// can open only one journey.
    async fn tokens_used(&self, since: Timestamp) -> Result<Vec<Uuid>>;

    /// Stores a new journey. `begins`: a new session, if the journey begins one. `false`: the token was used
    /// before, so nothing was stored.
    async fn open_journey(&self, journey: &Journey, begins: Option<&Session>) -> Result<bool>;

    /// Journey of the browser whose cookie has this hash.
    async fn journey(&self, cookie: [u8; 32]) -> Result<Option<Journey>>;

    /// Cookie hash of the journey that a token opened.
    async fn journey_opened_by(&self, of: PartnerId, token: Uuid) -> Result<Option<[u8; 32]>>;

    /// Stores a changed journey if the stored version is the previous one. `false`: the journey was changed
    /// meanwhile, so nothing was stored.
    async fn change_journey(&self, journey: &Journey) -> Result<bool>;

    /// Journeys last seen before an instant, oldest first; at most `most`.
    async fn old_journeys(&self, before: Timestamp, most: usize) -> Result<Vec<OldJourney>>;

    /// Deletes journeys whose customers have not returned since the journeys were read. Also stores the given
    /// events of these journeys. Returns the number of deleted journeys.
    async fn forget_journeys(&self, old: &[(OldJourney, Option<NewEvent>)]) -> Result<usize>;
}
