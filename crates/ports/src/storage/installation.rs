//! Store operations for the installation as a whole.

use std::time::Duration;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::quote::CatalogueHash;

use super::{Result, StorageError};

/// Facts that an installation stores about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// Base URL that partners call, as stored by the server that started last. Certificates contain this URL.
    BaseUrl,
    /// Hash of the catalogue version that the operator announced to all running processes.
    Catalogue,
    /// Hash of the catalogue version that was published last, or that a server with a team of one started with.
    ApprovedCatalogue,
    /// Present while nominees, appointees and claimants of older records have no tags.
    PeopleToIndex,
    /// Present while older rows have no proof.
    RowsToProve,
    /// Hash of the catalogue version of the server that was last started or reloaded. Commands use this
    /// version.
    RunningCatalogue,
    /// Result of the last removal of old records.
    LastRemoval,
    /// Unique id of this store.
    StoreId,
    /// Time at which a process last checked the store, by the clock of that process.
    LastSeen,
    /// Amount in whole rupees above which a payment needs a second operator's approval.
    ApprovalAbove,
}

/// State of the database server, as reported by that server.
#[derive(Debug, Clone, Copy)]
pub struct StoreServer {
    /// Time by the clock of the database server.
    pub now: Timestamp,
    /// Number of client sessions.
    pub sessions: u64,
    /// Maximum number of client sessions.
    pub most_sessions: u64,
}

impl Fact {
    pub const fn word(self) -> &'static str {
        match self {
            Fact::BaseUrl => "base_url",
            Fact::Catalogue => "catalogue",
            Fact::RunningCatalogue => "running_catalogue",
            Fact::ApprovedCatalogue => "approved_catalogue",
            Fact::PeopleToIndex => "people_to_index",
            Fact::RowsToProve => "rows_to_prove",
            Fact::LastRemoval => "last_removal",
            Fact::StoreId => "store_id",
            Fact::LastSeen => "last_seen",
            Fact::ApprovalAbove => "approval_above",
        }
    }
}

#[async_trait]
pub trait Installation: Send + Sync {
    /// Checks that the store can be written and read now.
    async fn ready(&self) -> Result<()>;

    /// Creates partitions for the coming months, if the engine partitions records by month.
    async fn make_months(&self, _at: Timestamp) -> Result<()> {
        Ok(())
    }

    /// State of the database server. `None` if the engine needs no server.
    async fn server(&self) -> Result<Option<StoreServer>>;

    /// Makes postponed jobs and deliveries due earlier, by the duration `by`, unless a worker holds them.
    /// Returns the number of changed jobs and deliveries.
    async fn bring_forward(&self, by: Duration, now: Timestamp) -> Result<u64>;

    /// Waits until the store can no longer be written at all, and returns the reason. The process must then
    /// end, and a new process must start from the stored state. Waits forever if the engine cannot fail in
    /// this way.
    async fn is_lost(&self) -> StorageError {
        std::future::pending().await
    }

    /// Moves data from the engine's log to its final place, as the last step before the process ends.
    async fn close(&self) -> Result<()>;

    /// Stores a catalogue version, and announces it to all processes. `announced`: value of [`Fact::Catalogue`].
    async fn announce_catalogue(
        &self,
        hash: CatalogueHash,
        canonical: &[u8],
        at: Timestamp,
        announced: &str,
    ) -> Result<()>;

    /// The catalogue version that was added last.
    async fn newest_catalogue(&self) -> Result<Option<CatalogueHash>>;

    /// Stores a fact for other processes that cannot read it from their settings.
    async fn remember(&self, fact: Fact, value: &str) -> Result<()>;

    /// The stored value of a fact.
    async fn remembered(&self, fact: Fact) -> Result<Option<String>>;

    /// Stores a catalogue version forever. If the version is stored already, nothing changes.
    async fn keep_catalogue(&self, hash: CatalogueHash, canonical: &[u8], at: Timestamp) -> Result<()>;

    /// Files of a catalogue version in canonical form.
    async fn catalogue(&self, hash: CatalogueHash) -> Result<Option<Vec<u8>>>;
}
