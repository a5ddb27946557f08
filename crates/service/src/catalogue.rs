//! Catalogue versions: the running one, and the older ones that quotes still refer to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use domain::id::VariantId;
use domain::quote::CatalogueHash;
use rating::{Catalogue, Files};
use tokio::sync::OnceCell;

pub use rating::{CreditVariant, HealthVariant, hash_of};

use crate::clock::Clock;
use crate::error::Result;
use crate::storage::{Fact, Installation, StorageError};

/// A catalogue with its files in canonical form, as the store keeps them.
pub struct Version {
    /// Compiled for pricing.
    pub catalogue: Arc<Catalogue>,
    /// Its files.
    pub canonical: Vec<u8>,
}

impl Version {
    /// Compiles a catalogue's files.
    ///
    /// # Errors
    /// Every fault of the files.
    pub fn of(files: &Files) -> Result<Self, Vec<rating::CatalogueFault>> {
        Ok(Version { catalogue: Arc::new(Catalogue::load(files)?), canonical: files.canonical() })
    }
}

/// By which catalogue a process works.
pub enum CatalogueChoice {
    /// By one of its own, as a server does: the store keeps it, and remembers that it runs.
    Own(Version),
    /// By the one that the store's servers run, as a command does. Nothing is written.
    Running(Arc<Catalogue>),
}

impl From<Version> for CatalogueChoice {
    fn from(version: Version) -> Self {
        CatalogueChoice::Own(version)
    }
}

/// The catalogue that the server of a store runs that was started or reloaded last. `None`: no server has run on it.
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

/// A version that one request compiles while others wait for it.
type Compiled = Arc<OnceCell<Arc<Catalogue>>>;

/// The running catalogue behind one atomic pointer, and older versions once they were asked for.
pub struct Catalogues {
    storage: Arc<dyn Installation>,
    clock: Arc<dyn Clock>,
    running: ArcSwap<Catalogue>,
    older: Mutex<HashMap<CatalogueHash, Compiled>>,
    /// What the operator announced last, as this process knows it.
    announced: Mutex<Option<String>>,
}

/// Older versions kept compiled at once; they are a few hundred kilobytes each.
const MOST_OLDER: usize = 64;

impl Catalogues {
    /// Runs the catalogue that a process starts with. What was announced before is no longer news.
    ///
    /// # Errors
    /// [`StorageError`] when the store is away.
    pub(crate) async fn open(
        storage: Arc<dyn Installation>,
        clock: Arc<dyn Clock>,
        choice: CatalogueChoice,
    ) -> Result<Self, StorageError> {
        let running = match choice {
            CatalogueChoice::Own(version) => {
                let hash = version.catalogue.hash();
                storage.keep_catalogue(hash, &version.canonical, clock.now()).await?;
                storage.remember(Fact::RunningCatalogue, &hash.to_string()).await?;
                version.catalogue
            }
            CatalogueChoice::Running(catalogue) => catalogue,
        };
        let announced = storage.remembered(Fact::Catalogue).await?;
        Ok(Catalogues {
            storage,
            clock,
            running: ArcSwap::new(running),
            older: Mutex::new(HashMap::new()),
            announced: Mutex::new(announced),
        })
    }

    pub fn running(&self) -> Arc<Catalogue> {
        self.running.load_full()
    }

    /// Whether an insurer is told of its policies (D90): as the running catalogue has it, else as it was given.
    pub(crate) fn is_told(&self, insurer: &rating::Insurer) -> bool {
        self.running().insurer(insurer.id).unwrap_or(insurer).is_told()
    }

    /// Runs a new one. Pending jobs and young quotes want the one before next: it stays at hand.
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

    /// The version of a hash: the running one, one seen before, or the store's, which one request compiles for all.
    pub(crate) async fn version(&self, hash: CatalogueHash) -> Result<Arc<Catalogue>> {
        let running = self.running.load_full();
        if running.hash() == hash {
            return Ok(running);
        }
        let compiled = self.older().entry(hash).or_default().clone();
        let catalogue = compiled.get_or_try_init(|| compile(self.storage.as_ref(), hash)).await?;
        Ok(catalogue.clone())
    }

    /// Keeps a new catalogue version, then prices new quotes by it.
    ///
    /// # Errors
    /// [`StorageError`] when it could not be kept: the running one stays.
    pub async fn run(&self, version: Version) -> Result<(), StorageError> {
        let hash = version.catalogue.hash();
        self.storage.keep_catalogue(hash, &version.canonical, self.clock.now()).await?;
        self.run_kept(version.catalogue).await
    }

    /// Keeps a catalogue version and announces it to every process that runs on this store.
    ///
    /// # Errors
    /// [`StorageError`] when it could not be kept: nothing is announced then.
    pub async fn announce(&self, version: &Version) -> Result<(), StorageError> {
        let hash = version.catalogue.hash();
        self.storage.keep_catalogue(hash, &version.canonical, self.clock.now()).await?;
        // With its moment, so that the same version announced again is news to a process that runs another one.
        let announced = format!("{hash} {}", self.clock.now().as_microsecond());
        self.storage.remember(Fact::Catalogue, &announced).await
    }

    /// The catalogue that was announced since this process last looked, unless it runs already. What was announced before
    /// it started is not news: a process starts with the catalogue of its own settings.
    ///
    /// # Errors
    /// [`crate::Error::Storage`]; it is news again the next time.
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

    /// Whether the running catalogue is the one that was announced or loaded last, by whichever process.
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

    /// Prices new quotes by a version that the store has.
    ///
    /// # Errors
    /// [`StorageError`]: the running one stays.
    pub async fn run_kept(&self, catalogue: Arc<Catalogue>) -> Result<(), StorageError> {
        self.storage.remember(Fact::RunningCatalogue, &catalogue.hash().to_string()).await?;
        self.replace(catalogue);
        Ok(())
    }
}

/// Compiles a version of the store, on a thread that may take its time.
async fn compile(storage: &dyn Installation, hash: CatalogueHash) -> Result<Arc<Catalogue>> {
    let canonical = storage.catalogue(hash).await?.ok_or_else(|| damaged(hash, "is not in the store"))?;
    let compiling = tokio::task::spawn_blocking(move || {
        let files = Files::from_canonical(&canonical).map_err(|_| damaged(hash, "cannot be read"))?;
        Catalogue::load(&files).map_err(|_| damaged(hash, "no longer loads"))
    });
    let compiled = compiling.await.map_err(|_| damaged(hash, "panicked while it was loaded"))?;
    Ok(Arc::new(compiled?))
}

fn damaged(hash: CatalogueHash, what: &str) -> StorageError {
    StorageError::Damaged(format!("catalogue version {hash} {what}"))
}

/// A record that refers to a variant which its catalogue version does not have.
pub(crate) fn lost_variant(variant: VariantId) -> StorageError {
    StorageError::Damaged(format!("variant {variant} is not in its catalogue version"))
}
