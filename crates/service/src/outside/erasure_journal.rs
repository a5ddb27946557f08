//! The journal of erasures: outside of the store, so that an older backup of it forgets none.

use crate::storage::personal_data::Erasure;

/// Keeps every erasure where no backup of the store is: beside the keyring.
pub trait ErasureJournal: std::fmt::Debug + Send + Sync {
    /// Adds an erasure, so that it outlives a power cut, before the store does it.
    ///
    /// # Errors
    /// Why it could not be added.
    fn add(&self, erasure: &Erasure) -> Result<(), String>;

    /// Every erasure, the oldest first.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read(&self) -> Result<Vec<Erasure>, String>;
}

/// A journal of an installation whose store is never restored, such as one of a test.
#[derive(Debug)]
pub struct NoJournal;

impl ErasureJournal for NoJournal {
    fn add(&self, _: &Erasure) -> Result<(), String> {
        Ok(())
    }

    fn read(&self) -> Result<Vec<Erasure>, String> {
        Ok(Vec::new())
    }
}
