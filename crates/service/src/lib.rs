//! The use cases of covernote, and the traits they need from outside.
//!
//! Nothing here knows a status code, a database engine or a page. Time and randomness are handed in.

pub mod application;
pub mod catalogue;
pub mod certificate;
pub mod clock;
pub mod decision;
pub mod directory;
pub mod embedded_proposal;
pub mod embedded_quote;
pub mod error;
pub mod explain;
pub mod explain_health;
pub mod health_policy;
pub mod health_proposal;
pub mod health_quote;
pub mod idempotency;
pub mod import;
pub mod insurer;
pub mod journey;
pub mod keys;
pub mod line;
pub mod list;
pub mod partner;
pub mod policy_document;
pub mod proposal;
pub mod proposal_list;
pub mod session;
pub mod signing_key;
pub mod storage;
pub mod token;
pub mod work;

mod cursor;
mod recommendation;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use crate::catalogue::Catalogues;
use crate::clock::{Clock, Ids, Random};
use crate::directory::Directory;
use crate::insurer::Connectors;
use crate::storage::Storage;
use crate::token::SignatureCache;

pub use crate::error::{Error, Fault, Faults};
pub use crate::token::Caller;

/// Old answers dropped in one transaction.
const FORGOTTEN_AT_ONCE: usize = 500;

/// What an operator sets about the use cases.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address that partners call, without a slash at its end: issuer and audience of tokens, and the
    /// start of signed addresses.
    pub base_url: String,
    /// Longest wait for an insurer before its items become `is_error` (D22).
    pub insurer_deadline: Duration,
    /// Longest wait for an insurer in a job, before its variants are left out (D17).
    pub recommendation_deadline: Duration,
}

/// The use cases. One per process, shared by all requests.
pub struct Service {
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Random>,
    pub(crate) ids: Ids,
    pub(crate) catalogues: Catalogues,
    pub(crate) directory: Directory,
    pub(crate) signatures: SignatureCache,
    pub(crate) connectors: Arc<dyn Connectors>,
    /// Told when there is a job for the workers of this process.
    pub(crate) jobs_wait: Notify,
    pub(crate) settings: Settings,
}

impl Service {
    /// Opens the service on a store: keeps the catalogue version there, and reads partners and keys.
    ///
    /// # Errors
    /// [`storage::StorageError`] when the store is away or damaged.
    pub async fn open(
        storage: Arc<dyn Storage>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        connectors: Arc<dyn Connectors>,
        catalogue: catalogue::Version,
        settings: Settings,
    ) -> Result<Self, storage::StorageError> {
        storage.keep_catalogue(catalogue.catalogue.hash(), &catalogue.canonical, clock.now()).await?;
        let announced = storage.remembered(storage::Fact::Catalogue).await?;
        let directory = Directory::read(storage.as_ref(), &settings.base_url).await?;
        Ok(Service {
            ids: Ids::new(clock.clone(), random.clone()),
            catalogues: Catalogues::new(catalogue.catalogue, announced),
            directory,
            signatures: SignatureCache::new(),
            connectors,
            jobs_wait: Notify::new(),
            storage,
            clock,
            random,
            settings,
        })
    }

    /// Whether the store can be read; the reason where it cannot.
    ///
    /// # Errors
    /// [`storage::StorageError`] naming what is wrong.
    pub async fn ready(&self) -> Result<(), storage::StorageError> {
        self.storage.ready().await
    }

    /// Waits until the store can keep nothing any more whatever is tried: the process must end then. For ever where that
    /// does not come.
    pub async fn store_is_lost(&self) -> storage::StorageError {
        self.storage.is_lost().await
    }

    /// Looks whether partners or keys changed, and reads them again if so. Called every 2 seconds, so that a
    /// disabled partner or a revoked scope is known everywhere within 5.
    ///
    /// # Errors
    /// [`storage::StorageError`] when the store is away; what was known stays in force.
    pub async fn refresh_directory(&self) -> Result<(), storage::StorageError> {
        self.directory.refresh(self.storage.as_ref(), &self.settings.base_url).await
    }

    /// Drops kept answers whose day is over (D36). Returns how many.
    ///
    /// # Errors
    /// [`storage::StorageError`] when the store is away.
    pub async fn forget_old_answers(&self) -> Result<usize, storage::StorageError> {
        let before = idempotency::oldest_kept(self.clock.now());
        let mut forgotten = 0;
        loop {
            // A few at a time, so that requests' writes get in between.
            let some = self.storage.forget_kept_responses(before, FORGOTTEN_AT_ONCE).await?;
            forgotten += some;
            if some < FORGOTTEN_AT_ONCE {
                return Ok(forgotten);
            }
        }
    }

    /// Remembers the address that partners call, for commands that are not told it.
    ///
    /// # Errors
    /// [`storage::StorageError`].
    pub async fn remember_base_url(&self) -> Result<(), storage::StorageError> {
        self.storage.remember(storage::Fact::BaseUrl, &self.settings.base_url).await
    }

    /// Leaves the store whole in its final place, as the last thing before the process ends.
    ///
    /// # Errors
    /// [`storage::StorageError`]; nothing is lost then, it is only brought into place at the next start.
    pub async fn close(&self) -> Result<(), storage::StorageError> {
        self.storage.close().await
    }

    /// A name for one request, unlike any other's.
    pub fn request_id(&self) -> String {
        self.ids.uuid().simple().to_string()
    }
}
