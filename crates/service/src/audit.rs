//! The tamper-evident audit trail: who did what.

use std::sync::Arc;

use domain::approval::Approval;

use crate::acting::Companions;
use crate::error::Result;
use crate::shared::Shared;
use crate::shared::idempotency::KeptResponse;
use crate::storage::audit::{AuditEntry, AuditHead, AuditQuery, AuditVerified};

/// Reads and verifies the audit trail.
pub struct AuditService {
    pub(crate) shared: Arc<Shared>,
}

impl AuditService {
    /// Writes an audit entry for an operation that changes no record, such as showing a record.
    ///
    /// # Errors
    /// [`crate::Error::Storage`]. The caller must then not perform the operation.
    pub async fn note(&self, what: &'static str, subject: &str) -> Result<()> {
        Ok(self.shared.storage.note(what, subject).await?)
    }

    /// Rows that the first transaction of an operator's act must write, too. `ended`: the approval that allowed the
    /// act, in its final state. `response`: the still empty response under the idempotency key of the request.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub fn companions(
        &self,
        ended: Option<&Approval>,
        response: Option<&KeptResponse>,
    ) -> Result<Companions> {
        Ok(self.shared.storage.companions(ended, response.map(KeptResponse::row))?)
    }

    /// Entries of the audit trail that match the query, at most `most`.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn entries(&self, query: &AuditQuery, most: usize) -> Result<Vec<AuditEntry>> {
        Ok(self.shared.storage.audit_entries(query, most).await?)
    }

    /// Signed head of each chain of the audit trail. Copies of heads that are stored elsewhere prove that
    /// earlier entries are unchanged.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn heads(&self) -> Result<Vec<AuditHead>> {
        Ok(self.shared.storage.audit_heads().await?)
    }

    /// Verifies the whole audit trail, including against copies of heads that were stored elsewhere.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn verify(&self, heads: &[AuditHead]) -> Result<AuditVerified> {
        Ok(self.shared.storage.verify_audit(heads).await?)
    }
}
