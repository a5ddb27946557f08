//! Catalogue versions: the running one, and the older ones that quotes still refer to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::ArcSwap;
use domain::id::VariantId;
use domain::quote::CatalogueHash;
use rating::{Catalogue, Files};
use tokio::sync::OnceCell;

pub use rating::{CreditVariant, HealthVariant, hash_of};

use crate::Service;
use crate::error::Error;
use crate::storage::{Fact, Storage, StorageError};

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

/// A version that one request compiles while others wait for it.
type Compiled = Arc<OnceCell<Arc<Catalogue>>>;

/// The running catalogue behind one atomic pointer, and older versions once they were asked for.
pub(crate) struct Catalogues {
    running: ArcSwap<Catalogue>,
    older: Mutex<HashMap<CatalogueHash, Compiled>>,
    /// What the operator announced last, as this process knows it.
    announced: Mutex<Option<String>>,
}

/// Older versions kept compiled at once; they are a few hundred kilobytes each.
const MOST_OLDER: usize = 64;

impl Catalogues {
    /// Runs a catalogue. What was announced before is no longer news.
    pub(crate) fn new(running: Arc<Catalogue>, announced: Option<String>) -> Self {
        Catalogues {
            running: ArcSwap::new(running),
            older: Mutex::new(HashMap::new()),
            announced: Mutex::new(announced),
        }
    }

    /// The running one.
    pub(crate) fn running(&self) -> arc_swap::Guard<Arc<Catalogue>> {
        self.running.load()
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
    async fn version(&self, storage: &dyn Storage, hash: CatalogueHash) -> Result<Arc<Catalogue>, Error> {
        let running = self.running.load_full();
        if running.hash() == hash {
            return Ok(running);
        }
        let compiled = self.older().entry(hash).or_default().clone();
        let catalogue = compiled.get_or_try_init(|| compile(storage, hash)).await?;
        Ok(catalogue.clone())
    }
}

/// Compiles a version of the store, on a thread that may take its time.
async fn compile(storage: &dyn Storage, hash: CatalogueHash) -> Result<Arc<Catalogue>, Error> {
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

impl Service {
    /// The running catalogue.
    pub fn catalogue(&self) -> Arc<Catalogue> {
        self.catalogues.running.load_full()
    }

    /// The version of the catalogue that a quote or policy refers to.
    pub(crate) async fn catalogue_version(&self, hash: CatalogueHash) -> Result<Arc<Catalogue>, Error> {
        self.catalogues.version(self.storage.as_ref(), hash).await
    }

    /// Keeps a new catalogue version, then prices new quotes by it.
    ///
    /// # Errors
    /// [`StorageError`] when it could not be kept: the running one stays.
    pub async fn run_catalogue(&self, version: Version) -> Result<(), StorageError> {
        let hash = version.catalogue.hash();
        self.storage.keep_catalogue(hash, &version.canonical, self.clock.now()).await?;
        self.catalogues.replace(version.catalogue);
        Ok(())
    }

    /// Keeps a catalogue version and announces it to every process that runs on this store.
    ///
    /// # Errors
    /// [`StorageError`] when it could not be kept: nothing is announced then.
    pub async fn announce_catalogue(&self, version: &Version) -> Result<(), StorageError> {
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
    /// [`Error::Storage`]; it is news again the next time.
    pub async fn announced_catalogue(&self) -> Result<Option<Arc<Catalogue>>, Error> {
        let announced = self.storage.remembered(Fact::Catalogue).await?;
        if announced == *self.catalogues.announced.lock().unwrap_or_else(PoisonError::into_inner) {
            return Ok(None);
        }
        let hash = announced.as_deref().and_then(|said| CatalogueHash::parse(said.split(' ').next()?));
        let Some(hash) = hash else { return Ok(None) };
        let catalogue = self.catalogue_version(hash).await?;
        *self.catalogues.announced.lock().unwrap_or_else(PoisonError::into_inner) = announced;
        Ok((self.catalogues.running().hash() != hash).then_some(catalogue))
    }

    /// Prices new quotes by a version that the store has.
    pub fn run_kept_catalogue(&self, catalogue: Arc<Catalogue>) {
        self.catalogues.replace(catalogue);
    }
}
