//! Catalogue versions: the running one, and the older versions that quotes still refer to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::{ArcSwap, ArcSwapOption};
use domain::date::Timestamp;
use domain::id::VariantId;
use domain::quote::CatalogueHash;
use domain::team::{GIVEN_FOR, Role};
use rating::{Catalogue, Files};
use tokio::sync::OnceCell;

pub use rating::{CreditVariant, HealthVariant, hash_of};

use crate::clock::Clock;
use crate::error::Result;
use crate::storage::{Fact, Installation, Storage, StorageError};

/// Catalogue with its files in the canonical form that the store holds.
pub struct Version {
    /// Catalogue compiled for pricing.
    pub catalogue: Arc<Catalogue>,
    /// Files of the catalogue in the canonical form, as stored.
    pub canonical: Vec<u8>,
}

impl Version {
    /// Compiles a catalogue's files.
    ///
    /// # Errors
    /// Every fault in the files.
    pub fn of(files: &Files) -> Result<Self, Vec<rating::CatalogueFault>> {
        Ok(Version { catalogue: Arc::new(Catalogue::load(files)?), canonical: files.canonical() })
    }
}

/// Catalogue that a process uses.
pub enum CatalogueChoice {
    /// A server's own catalogue. The store saves it and records that it runs.
    Own(Version),
    /// The catalogue that the servers of the store run, for a command. Nothing is written.
    Running(Arc<Catalogue>),
}

impl From<Version> for CatalogueChoice {
    fn from(version: Version) -> Self {
        CatalogueChoice::Own(version)
    }
}

/// Catalogue of the server that was started or reloaded last on this store. `None` if no server has run on
/// it.
///
/// # Errors
/// [`crate::Error::Storage`].
pub async fn running_on(storage: &dyn Installation) -> Result<Option<Arc<Catalogue>>> {
    let running = storage.remembered(Fact::RunningCatalogue).await?;
    match running.as_deref().and_then(CatalogueHash::parse) {
        Some(hash) => compile(storage, hash).await.map(Some),
        None => Ok(None),
    }
}

/// Catalogue version that one request compiles while others wait for the result.
type Compiled = Arc<OnceCell<Arc<Catalogue>>>;

/// Whether servers run only catalogues that the team approved (D141).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CatalogueReview {
    /// A team of two or more approves each catalogue here.
    #[default]
    Approval,
    /// The catalogue's folder is reviewed elsewhere, such as in a repository.
    Folder,
}

/// The running catalogue behind an atomic pointer, with older versions that requests needed.
pub struct Catalogues {
    storage: Arc<dyn Storage>,
    review: CatalogueReview,
    /// Version of this process's catalogue folder, if it is not approved and so does not run.
    unapproved: ArcSwapOption<CatalogueHash>,
    clock: Arc<dyn Clock>,
    running: ArcSwap<Catalogue>,
    older: Mutex<HashMap<CatalogueHash, Compiled>>,
    /// Text of the last catalogue announcement that this process has read.
    announced: Mutex<Option<String>>,
}

/// Most older catalogue versions in memory. Each takes a few hundred kilobytes.
const MOST_OLDER: usize = 64;

impl Catalogues {
    /// Starts a process with its first catalogue. Announcements from before the start are ignored.
    ///
    /// # Errors
    /// [`StorageError`] if the store cannot be reached.
    pub(crate) async fn open(
        storage: Arc<dyn Storage>,
        clock: Arc<dyn Clock>,
        choice: CatalogueChoice,
        review: CatalogueReview,
    ) -> Result<Self, StorageError> {
        let unapproved = ArcSwapOption::empty();
        let running = match choice {
            CatalogueChoice::Own(version) => {
                let hash = version.catalogue.hash();
                match approved(storage.as_ref(), review, clock.now()).await? {
                    Some(approved) if approved != hash => {
                        unapproved.store(Some(Arc::new(hash)));
                        let running = compile(storage.as_ref(), approved).await;
                        let running = running.map_err(|fault| {
                            StorageError::Damaged(format!(
                                "the approved catalogue cannot be used ({fault}). To start with the catalogue folder, set catalogue_source to folder"
                            ))
                        })?;
                        storage.remember(Fact::RunningCatalogue, &approved.to_string()).await?;
                        running
                    }
                    _ => {
                        storage.keep_catalogue(hash, &version.canonical, clock.now()).await?;
                        storage.remember(Fact::RunningCatalogue, &hash.to_string()).await?;
                        storage.remember(Fact::ApprovedCatalogue, &hash.to_string()).await?;
                        version.catalogue
                    }
                }
            }
            CatalogueChoice::Running(catalogue) => catalogue,
        };
        let announced = storage.remembered(Fact::Catalogue).await?;
        Ok(Catalogues {
            storage,
            review,
            unapproved,
            clock,
            running: ArcSwap::new(running),
            older: Mutex::new(HashMap::new()),
            announced: Mutex::new(announced),
        })
    }

    pub fn running(&self) -> Arc<Catalogue> {
        self.running.load_full()
    }

    /// Whether an insurer receives notices about its policies (D90). Uses the insurer's entry in the running
    /// catalogue, if any, otherwise `insurer`.
    pub(crate) fn is_told(&self, insurer: &rating::Insurer) -> bool {
        self.running().insurer(insurer.id).unwrap_or(insurer).is_told()
    }

    /// Runs a new catalogue. The previous one stays in memory for pending jobs and recent quotes.
    fn replace(&self, catalogue: Arc<Catalogue>) {
        let before = self.running.swap(catalogue);
        let mut older = self.older();
        older.insert(before.hash(), Arc::new(OnceCell::new_with(Some(before))));
    }

    fn older(&self) -> MutexGuard<'_, HashMap<CatalogueHash, Compiled>> {
        let mut older = self.older.lock().unwrap_or_else(PoisonError::into_inner);
        if older.len() >= MOST_OLDER {
            older.clear();
        }
        older
    }

    /// Catalogue version with this hash: the running version, one in memory, or one from the store. If
    /// several requests need the same version, only one of them compiles it.
    pub(crate) async fn version(&self, hash: CatalogueHash) -> Result<Arc<Catalogue>> {
        let running = self.running.load_full();
        if running.hash() == hash {
            return Ok(running);
        }
        let compiled = self.older().entry(hash).or_default().clone();
        let catalogue = compiled.get_or_try_init(|| compile(self.storage.as_ref(), hash)).await?;
        Ok(catalogue.clone())
    }

    /// Files of a catalogue version in the store.
    ///
    /// # Errors
    /// [`StorageError`].
    pub async fn files(&self, hash: CatalogueHash) -> Result<Files, StorageError> {
        kept_files(self.storage.as_ref(), hash).await
    }

    /// Version of this process's catalogue folder, if the team did not approve it, so that it does not run.
    pub fn unapproved(&self) -> Option<CatalogueHash> {
        let hash = self.unapproved.load().as_deref().copied();
        hash.filter(|hash| self.running.load().hash() != *hash)
    }

    /// Saves a new version of this process's catalogue folder, then prices new quotes with it. Returns `false` if the
    /// team must approve it first; the running catalogue then stays.
    ///
    /// # Errors
    /// [`StorageError`] if the version was not saved; the running catalogue stays.
    pub async fn run(&self, version: Version) -> Result<bool, StorageError> {
        let hash = version.catalogue.hash();
        let approved = approved(self.storage.as_ref(), self.review, self.clock.now()).await?;
        if approved.is_some_and(|approved| approved != hash) {
            self.unapproved.store(Some(Arc::new(hash)));
            return Ok(false);
        }
        self.storage.keep_catalogue(hash, &version.canonical, self.clock.now()).await?;
        self.storage.remember(Fact::ApprovedCatalogue, &hash.to_string()).await?;
        self.run_kept(version.catalogue).await.map(|()| true)
    }

    /// Saves a catalogue version and announces it to every process on this store.
    ///
    /// # Errors
    /// [`StorageError`] if the version was not saved; it is not announced then.
    pub async fn announce(&self, version: &Version) -> Result<(), StorageError> {
        let hash = version.catalogue.hash();
        let now = self.clock.now();
        // The time makes a repeated announcement different, so that a process that runs another version
        // sees it.
        let announced = format!("{hash} {}", now.as_microsecond());
        self.storage.announce_catalogue(hash, &version.canonical, now, &announced).await
    }

    /// Catalogue that was announced since the last call, unless it already runs. Announcements from before
    /// the start do not count: a process starts with the catalogue of its settings.
    ///
    /// # Errors
    /// [`crate::Error::Storage`]. The next call then tries again.
    pub async fn announced(&self) -> Result<Option<Arc<Catalogue>>> {
        let announced = self.storage.remembered(Fact::Catalogue).await?;
        if announced == *self.announced.lock().unwrap_or_else(PoisonError::into_inner) {
            return Ok(None);
        }
        let hash =
            announced.as_deref().and_then(|announced| CatalogueHash::parse(announced.split(' ').next()?));
        let Some(hash) = hash else { return Ok(None) };
        let catalogue = self.version(hash).await?;
        *self.announced.lock().unwrap_or_else(PoisonError::into_inner) = announced;
        Ok((self.running.load().hash() != hash).then_some(catalogue))
    }

    /// Whether the running catalogue is the last one that any process loaded or announced.
    pub(crate) async fn is_newest(&self) -> Result<bool, StorageError> {
        let running = self.running.load().hash();
        if self.storage.newest_catalogue().await? == Some(running) {
            return Ok(true);
        }
        let announced = self.storage.remembered(Fact::Catalogue).await?;
        let announced =
            announced.as_deref().and_then(|announced| CatalogueHash::parse(announced.split(' ').next()?));
        Ok(announced == Some(running))
    }

    /// Prices new quotes with a catalogue version that the store already has.
    ///
    /// # Errors
    /// [`StorageError`]; the running catalogue stays.
    pub async fn run_kept(&self, catalogue: Arc<Catalogue>) -> Result<(), StorageError> {
        self.storage.remember(Fact::RunningCatalogue, &catalogue.hash().to_string()).await?;
        self.replace(catalogue);
        Ok(())
    }
}

/// The only catalogue version that may run, because the team approved it last; at first, the one that ran last. `None`
/// if any may run.
async fn approved(
    storage: &dyn Storage,
    review: CatalogueReview,
    now: Timestamp,
) -> Result<Option<CatalogueHash>, StorageError> {
    if review == CatalogueReview::Folder {
        return Ok(None);
    }
    let (team, since) = (storage.operators().await?, now - GIVEN_FOR);
    if team.iter().filter(|one| one.counts_as_approver(&[Role::Catalogue], since)).count() < 2 {
        return Ok(None);
    }
    let approved = match storage.remembered(Fact::ApprovedCatalogue).await? {
        Some(approved) => Some(approved),
        None => storage.remembered(Fact::RunningCatalogue).await?,
    };
    Ok(approved.as_deref().and_then(CatalogueHash::parse))
}

/// Compiles a version from the store, on a thread for blocking work.
async fn compile(storage: &dyn Installation, hash: CatalogueHash) -> Result<Arc<Catalogue>> {
    let files = kept_files(storage, hash).await?;
    let compiling = tokio::task::spawn_blocking(move || {
        Catalogue::load(&files).map_err(|_| damaged(hash, "can no longer be loaded"))
    });
    let compiled = compiling.await.map_err(|_| damaged(hash, "caused a panic while loading"))?;
    Ok(Arc::new(compiled?))
}

async fn kept_files(storage: &dyn Installation, hash: CatalogueHash) -> Result<Files, StorageError> {
    let canonical = storage.catalogue(hash).await?.ok_or_else(|| damaged(hash, "is not in the store"))?;
    Files::from_canonical(&canonical).map_err(|_| damaged(hash, "cannot be read"))
}

fn damaged(hash: CatalogueHash, what: &str) -> StorageError {
    StorageError::Damaged(format!("catalogue version {hash} {what}"))
}

/// Error for a record whose variant is missing in its catalogue version.
pub(crate) fn lost_variant(variant: VariantId) -> StorageError {
    StorageError::Damaged(format!("variant {variant} is not in its catalogue version"))
}
