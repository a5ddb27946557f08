//! Store operations for the audit trail.

use async_trait::async_trait;
use domain::approval::Approval;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};

use super::{KeyedResponse, Result};
use crate::acting::Companions;

/// Entry of the audit trail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Number of the audit chain that contains the entry.
    pub slot: i16,
    /// Number of the entry within its chain, from 1.
    pub number: i64,
    pub at: Timestamp,
    /// Who acted: an id, `uid:` and a user's number on the server's machine, `customer:` and a partner's id,
    /// `anonymous` or `system`.
    pub actor: String,
    /// Word of the entry point, see [`crate::acting::Via`].
    pub via: String,
    /// Name of an operator's act, or method and route of a request.
    pub action: String,
    /// Change in the store, such as `policy.change`.
    pub change: String,
    /// Id of the record that was changed.
    pub subject: String,
    /// Short id of the operator's session: the start of the hash of its secret.
    pub session: Option<String>,
    /// Id of the request.
    pub request: Option<Uuid>,
    /// Id of the approval that allowed the act.
    pub approval: Option<String>,
    /// Reason in the operator's words. May be personal.
    pub reason: Option<String>,
}

/// Signed end of an audit chain. A copy stored elsewhere proves that the chain up to this end is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditHead {
    pub slot: i16,
    pub number: i64,
    /// Hash of the chain's entry `number`, the last one.
    pub hash: [u8; 32],
    pub at: Timestamp,
    /// Number of the store's audit key that made the signature.
    pub key: u32,
    /// Ed25519 signature over [`AuditHead::signed_bytes`].
    pub signature: Vec<u8>,
}

impl AuditHead {
    pub fn signed_bytes(&self) -> Vec<u8> {
        let mut bytes = b"covernote.audit.head.1".to_vec();
        bytes.extend(self.slot.to_be_bytes());
        bytes.extend(self.number.to_be_bytes());
        bytes.extend(self.at.as_microsecond().to_be_bytes());
        bytes.extend(self.key.to_be_bytes());
        bytes.extend(self.hash);
        bytes
    }
}

/// Result of verifying the audit trail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditVerified {
    /// Number of entries read.
    pub entries: u64,
    /// Faults, one line each.
    pub faults: Vec<String>,
    /// For each chain: its slot, the number of the last entry that a signed end proves complete, and when
    /// that end was signed.
    pub proven: Vec<(i16, i64, Timestamp)>,
    /// Number of entries after the last signed ends. These entries are chained, but nobody would notice if
    /// the last ones were removed.
    pub unproven: u64,
}

/// Filter of audit entries. Without a subject, only what operators did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditFilter {
    /// Record of the entries.
    pub subject: Option<String>,
    /// Who acted, as an entry names them.
    pub actor: Option<String>,
    /// Name of an operator's act.
    pub action: Option<String>,
    pub from: Timestamp,
    /// End of the time, exclusive.
    pub until: Timestamp,
}

/// Selection of audit entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditQuery {
    /// The newest entries.
    Newest,
    /// Entries about a record, newest first.
    Subject(String),
    /// Entries that match the filter, newest first.
    Filtered(AuditFilter),
    /// Entries of the chain with this slot, after this entry number, oldest first.
    Slot(i16, i64),
}

/// Audit trail of a store. Every other method that changes a record writes its own audit entry in the same
/// transaction.
#[async_trait]
pub trait Audit: Send + Sync {
    /// Writes an entry for an act that changes no record, such as showing a record.
    async fn note(&self, what: &'static str, subject: &str) -> Result<()>;

    /// Rows that the first transaction of an operator's act must write, too: the next version of the approval that
    /// allowed the act, in its final state, and the response under the act's idempotency key. The transaction has no
    /// effect if the approval has changed, or if another request with the key was first.
    fn companions(
        &self,
        approval: Option<&Approval>,
        response: Option<(PartnerId, &KeyedResponse)>,
    ) -> Result<Companions>;

    /// Entries that the query selects, at most `most`.
    async fn audit_entries(&self, query: &AuditQuery, most: usize) -> Result<Vec<AuditEntry>>;

    /// For each operator, or user of the server's machine, how often they saw personal data or secrets, or searched for
    /// a person, from an instant until before another one.
    async fn reveals(&self, from: Timestamp, until: Timestamp) -> Result<Vec<(String, u64)>>;

    /// Signs the current ends of all chains, and returns these ends.
    async fn audit_heads(&self) -> Result<Vec<AuditHead>>;

    /// Faults of chains that lack the entry of their newest signed end, one line each.
    async fn cut_chains(&self, heads: &[AuditHead]) -> Result<Vec<String>>;

    /// Verifies all chains, and compares them with signed ends that were stored elsewhere.
    async fn verify_audit(&self, heads: &[AuditHead]) -> Result<AuditVerified>;
}
