//! The tamper-evident audit trail: who did what.

use std::sync::Arc;
use std::time::Duration;

use domain::approval::Approval;

use crate::acting::Companions;
use crate::error::Result;
use crate::shared::Shared;
use crate::shared::idempotency::KeptResponse;
use crate::storage::audit::{AuditEntry, AuditHead, AuditQuery, AuditVerified};

/// Time for which reveals count.
const HOUR: Duration = Duration::from_hours(1);

/// Most entries about an approval.
const MOST_OF_AN_APPROVAL: usize = 20;

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

    /// How often a caller saw personal data or secrets, or searched for a person, in the last hour.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn reveals_of(&self, actor: &str) -> Result<u64> {
        let now = self.shared.clock.now();
        let all = self.shared.storage.reveals(now - HOUR, now + HOUR).await?;
        Ok(all.into_iter().find(|(by, _)| by == actor).map_or(0, |(_, reveals)| reveals))
    }

    /// Who requested and who approved an action, by the entries about its approval.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn deciders(&self, approval: &str) -> Result<(Option<String>, Option<String>)> {
        let about = self.entries(&AuditQuery::Subject(approval.to_owned()), MOST_OF_AN_APPROVAL).await?;
        let by = |change: &str| {
            about.iter().rev().find(|entry| entry.change == change).map(|entry| entry.actor.clone())
        };
        Ok((by("approval.ask"), by("approval.decide")))
    }

    /// Signed head of each chain of the audit trail. Copies of heads that are stored elsewhere prove that
    /// earlier entries are unchanged.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn heads(&self) -> Result<Vec<AuditHead>> {
        Ok(self.shared.storage.audit_heads().await?)
    }

    /// Faults of chains that lack entries at their end, by copies of heads that were stored elsewhere.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn cut_chains(&self, heads: &[AuditHead]) -> Result<Vec<String>> {
        Ok(self.shared.storage.cut_chains(heads).await?)
    }

    /// Verifies the whole audit trail, including against copies of heads that were stored elsewhere.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn verify(&self, heads: &[AuditHead]) -> Result<AuditVerified> {
        Ok(self.shared.storage.verify_audit(heads).await?)
    }
}
