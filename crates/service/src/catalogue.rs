//! Catalogue versions: the running one, and the older ones that quotes still refer to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use domain::quote::CatalogueHash;
use rating::{Catalogue, Files};

pub use rating::{CreditVariant, HealthVariant, hash_of};

use crate::Service;
use crate::error::Error;
use crate::storage::{Storage, StorageError};

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

/// The running catalogue behind one atomic pointer, and older versions once they were asked for.
pub(crate) struct Catalogues {
    running: ArcSwap<Catalogue>,
    older: Mutex<HashMap<CatalogueHash, Arc<Catalogue>>>,
}

/// Older versions kept compiled at once; they are a few hundred kilobytes each.
const MOST_OLDER: usize = 64;

impl Catalogues {
    pub(crate) fn new(running: Arc<Catalogue>) -> Self {
        Catalogues { running: ArcSwap::new(running), older: Mutex::new(HashMap::new()) }
    }

    /// The running one.
    pub(crate) fn running(&self) -> arc_swap::Guard<Arc<Catalogue>> {
        self.running.load()
    }

    /// Runs a new one. Pending jobs and young quotes want the one before next: it stays at hand.
    fn replace(&self, catalogue: Arc<Catalogue>) {
        let before = self.running.swap(catalogue);
        self.keep_older(before);
    }

    fn keep_older(&self, catalogue: Arc<Catalogue>) {
        let mut older = self.older.lock().unwrap_or_else(PoisonError::into_inner);
        if older.len() >= MOST_OLDER {
            older.clear();
        }
        older.insert(catalogue.hash(), catalogue);
    }

    /// The version of a hash: the running one, one seen before, or the store's.
    async fn version(&self, storage: &dyn Storage, hash: CatalogueHash) -> Result<Arc<Catalogue>, Error> {
        let running = self.running.load_full();
        if running.hash() == hash {
            return Ok(running);
        }
        if let Some(known) = self.older.lock().unwrap_or_else(PoisonError::into_inner).get(&hash) {
            return Ok(known.clone());
        }
        let canonical = storage.catalogue(hash).await?.ok_or_else(|| damaged(hash, "is not in the store"))?;
        let files = Files::from_canonical(&canonical).map_err(|_| damaged(hash, "cannot be read"))?;
        let catalogue = Catalogue::load(&files).map_err(|_| damaged(hash, "no longer loads"))?;
        let catalogue = Arc::new(catalogue);
        self.keep_older(catalogue.clone());
        Ok(catalogue)
    }
}

fn damaged(hash: CatalogueHash, what: &str) -> StorageError {
    StorageError::Damaged(format!("catalogue version {hash} {what}"))
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
}
