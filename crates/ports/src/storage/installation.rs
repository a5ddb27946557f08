//! What the use cases need of a store as a whole: whether it works, and what the installation remembers about itself.

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
}

impl Fact {
    pub const fn word(self) -> &'static str {
        match self {
            Fact::BaseUrl => "base_url",
            Fact::Catalogue => "catalogue",
            Fact::RunningCatalogue => "running_catalogue",
            Fact::LastRemoval => "last_removal",
            Fact::StoreId => "store_id",
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
