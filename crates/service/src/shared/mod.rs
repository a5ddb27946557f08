//! State of every use case: store, clock, ids, catalogues, partners and keys in memory, connections to
//! insurers.
//!
//! Uses `catalogue`, `error`, `insurer`, `outside`.
//!

pub mod claim_limits;
pub(crate) mod connections;
pub mod directory;
pub mod idempotency;
pub(crate) mod job_signal;
pub(crate) mod partner_clock;
pub mod retention;
pub mod settings;
pub(crate) mod token_key;
pub mod used_tokens;

use std::sync::Arc;

use self::connections::Connections;
use self::directory::Directory;
use self::idempotency::Idempotency;
use self::job_signal::JobSignal;
use self::partner_clock::PartnerClock;
use self::settings::Settings;
use self::used_tokens::UsedTokens;
use crate::catalogue::{CatalogueChoice, Catalogues};
use crate::clock::{Clock, Ids, Random};
use crate::insurer::Connectors;
use crate::storage::{Storage, StorageError};

/// State that every use case needs. Each process has one.
pub struct Shared {
    /// The running catalogue and its older versions.
    pub catalogues: Arc<Catalogues>,
    /// Partners and keys in memory.
    pub directory: Arc<Directory>,
    /// Stored responses, by idempotency key.
    pub idempotency: Idempotency,
    /// Tokens that opened a journey.
    pub used_tokens: UsedTokens,
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Time of each partner. The clock of a test partner may be ahead (D97).
    pub(crate) partner_clock: PartnerClock,
    pub(crate) random: Arc<dyn Random>,
    pub(crate) ids: Ids,
    pub(crate) connections: Connections,
    pub(crate) job_signal: JobSignal,
    pub(crate) settings: Settings,
}

impl Shared {
    /// Saves a server's own catalogue in the store, then reads the partners and keys.
    pub(crate) async fn open(
        storage: Arc<dyn Storage>,
        clock: Arc<dyn Clock>,
        random: Arc<dyn Random>,
        connectors: Arc<dyn Connectors>,
        catalogue: CatalogueChoice,
        settings: Settings,
    ) -> Result<Self, StorageError> {
        let catalogues = Arc::new(
            Catalogues::open(storage.clone(), clock.clone(), catalogue, settings.catalogue_review).await?,
        );
        let directory =
            Directory::open(storage.clone(), storage.clone(), clock.clone(), settings.base_url.clone())
                .await?;
        let directory = Arc::new(directory);
        let partner_clock = PartnerClock { clock: clock.clone(), directory: directory.clone() };
        Ok(Shared {
            idempotency: Idempotency {
                storage: storage.clone(),
                directory: directory.clone(),
                clock: clock.clone(),
            },
            used_tokens: UsedTokens::new(storage.clone(), clock.clone()),
            connections: Connections {
                connectors,
                catalogues: catalogues.clone(),
                clock: partner_clock.clone(),
            },
            ids: Ids::new(clock.clone(), random.clone()),
            job_signal: JobSignal::default(),
            catalogues,
            directory,
            storage,
            clock,
            partner_clock,
            random,
            settings,
        })
    }
}
