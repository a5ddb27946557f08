//! What the use cases need of a store as a whole: whether it works, and what the installation remembers about itself.

use std::time::Duration;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::quote::CatalogueHash;

use super::{Result, StorageError};

/// What an installation remembers about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// The address that partners call, as the last server knew it: it stands in certificates.
    BaseUrl,
    /// The hash of the catalogue version that the operator announced to every running process.
    Catalogue,
    /// The hash of the catalogue version that the server runs which was started or reloaded last: commands work by it.
    RunningCatalogue,
    /// What the last removal of old records came to.
    LastRemoval,
    /// What tells this store from every other one.
    StoreId,
    /// What time it was by the clock of the process that looked last.
    LastSeen,
}

/// What the server of a store says of itself.
#[derive(Debug, Clone, Copy)]
pub struct StoreServer {
    /// What time it is there.
    pub now: Timestamp,
    /// Sessions of clients.
    pub sessions: u64,
    /// The most that it lets in.
    pub most_sessions: u64,
}

impl Fact {
    pub const fn word(self) -> &'static str {
        match self {
            Fact::BaseUrl => "base_url",
            Fact::Catalogue => "catalogue",
            Fact::RunningCatalogue => "running_catalogue",
            Fact::LastRemoval => "last_removal",
            Fact::StoreId => "store_id",
            Fact::LastSeen => "last_seen",
        }
    }
}

/// The store as a whole.
#[async_trait]
pub trait Installation: Send + Sync {
    /// Whether it can be written and read now.
    async fn ready(&self) -> Result<()>;

    /// Makes room for records of the months to come, where the engine divides them by months.
    async fn make_months(&self, _at: Timestamp) -> Result<()> {
        Ok(())
    }

    /// The server of the store. `None` if it has none.
    async fn server(&self) -> Result<Option<StoreServer>>;

    /// Makes jobs and deliveries that are put off, and that nobody holds, due earlier by a duration. Returns how many.
    async fn bring_forward(&self, by: Duration, now: Timestamp) -> Result<u64>;

    /// Waits until nothing can be kept any more whatever is tried, and returns why: the process must end, and the next
    /// one begin with what is really there. Waits for ever where that cannot be.
    async fn is_lost(&self) -> StorageError {
        std::future::pending().await
    }

    /// Brings what was written into its final place, as the last thing before the process ends.
    async fn close(&self) -> Result<()>;

    /// The catalogue version that was kept last for the first time.
    async fn newest_catalogue(&self) -> Result<Option<CatalogueHash>>;

    /// Remembers a fact about this installation, for processes that do not know it from their settings.
    async fn remember(&self, fact: Fact, value: &str) -> Result<()>;

    /// What was last remembered.
    async fn remembered(&self, fact: Fact) -> Result<Option<String>>;

    /// Keeps a catalogue version for ever. Keeping it again changes nothing.
    async fn keep_catalogue(&self, hash: CatalogueHash, canonical: &[u8], at: Timestamp) -> Result<()>;

    /// The files of a catalogue version in canonical form.
    async fn catalogue(&self, hash: CatalogueHash) -> Result<Option<Vec<u8>>>;
}
