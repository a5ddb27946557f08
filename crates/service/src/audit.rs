//! The audit trail: who did what, which nobody can change unseen.

use std::sync::Arc;

use crate::error::Result;
use crate::shared::Shared;
use crate::storage::audit::{AuditEntry, AuditHead, AuditQuery, AuditVerified};

/// Reads and verifies the audit trail.
pub struct AuditService {
    pub(crate) shared: Arc<Shared>,
}

impl AuditService {
    /// Writes an entry about something that changes no record, such as showing one.
    ///
    /// # Errors
    /// [`crate::Error::Storage`]: then it must not be done.
    pub async fn note(&self, what: &'static str, subject: &str) -> Result<()> {
        Ok(self.shared.storage.note(what, subject).await?)
    }

    /// Entries, at most so many.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn entries(&self, query: &AuditQuery, most: usize) -> Result<Vec<AuditEntry>> {
        Ok(self.shared.storage.audit_entries(query, most).await?)
    }

    /// The present ends of all chains, signed. Kept outside the store, they prove the entries before them.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn heads(&self) -> Result<Vec<AuditHead>> {
        Ok(self.shared.storage.audit_heads().await?)
    }

    /// Reads the whole trail, and compares it with heads that were kept outside the store.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn verify(&self, heads: &[AuditHead]) -> Result<AuditVerified> {
        Ok(self.shared.storage.verify_audit(heads).await?)
    }
}
