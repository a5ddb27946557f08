//! Journal of erasures outside the store, so that the restore of an older backup does not undo an erasure.

use crate::storage::personal_data::Erasure;

/// Records every erasure outside the store and its backups, beside the keyring.
pub trait ErasureJournal: std::fmt::Debug + Send + Sync {
    /// Adds an erasure before the store performs it. The entry must survive a power cut.
    ///
    /// # Errors
    /// Why the erasure could not be added.
    fn add(&self, erasure: &Erasure) -> Result<(), String>;

    /// Every erasure, oldest first.
    ///
    /// # Errors
    /// Why the journal cannot be read, or that somebody changed it.
    fn read(&self) -> Result<Vec<RecordedErasure>, String>;
}

/// Erasure in a journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedErasure {
    pub erasure: Erasure,
    /// Whether a key of the keyring proves that covernote wrote it. Version 0.1.0 wrote erasures without proof.
    pub is_proven: bool,
}

/// Journal for an installation whose store is never restored, such as a test's.
#[derive(Debug)]
pub struct NoJournal;

impl ErasureJournal for NoJournal {
    fn add(&self, _: &Erasure) -> Result<(), String> {
        Ok(())
    }

    fn read(&self) -> Result<Vec<RecordedErasure>, String> {
        Ok(Vec::new())
    }
}
