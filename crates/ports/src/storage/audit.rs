//! What the use cases need of a store for its audit trail.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::Uuid;

use super::Result;

/// An act, as the trail has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// The chain that it is part of.
    pub slot: i16,
    /// Counts the entries of its slot from 1.
    pub number: i64,
    pub at: Timestamp,
    /// Who did it: an id, `uid:` and the number of a user of the server's machine, `customer:` and a partner's id, `anonymous` or `system`.
    pub actor: String,
    /// How they came, as [`crate::acting::Via`] says.
    pub via: String,
    /// What they asked for: the name of an operator's act, or method and route of a request.
    pub action: String,
    /// What was done in the store, such as `policy.change`.
    pub change: String,
    /// The record that it was done to.
    pub subject: String,
    /// The operator's session, by the start of its hash.
    pub session: Option<String>,
    /// The request.
    pub request: Option<Uuid>,
    /// The approval that allowed it.
    pub approval: Option<String>,
    /// Why, in the operator's words. They may be personal.
    pub reason: Option<String>,
}

/// The end of a chain at some time, signed so that it proves the chain up to there wherever it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditHead {
    pub slot: i16,
    pub number: i64,
    /// The hash of the entry of this number.
    pub hash: [u8; 32],
    /// When it was signed.
    pub at: Timestamp,
    /// The audit key of the store that signed.
    pub key: u32,
    /// Ed25519 over [`AuditHead::signed_bytes`].
    pub signature: Vec<u8>,
}

impl AuditHead {
    /// The bytes that are signed.
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

/// What verifying the trail came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditVerified {
    /// Entries that were read.
    pub entries: u64,
    /// What is wrong, a line each.
    pub faults: Vec<String>,
    /// For each slot, up to which number a signed head proves that nothing is missing, and when it was signed.
    pub proven: Vec<(i16, i64, Timestamp)>,
    /// Entries behind those: they are chained, but their end could have been cut unseen.
    pub unproven: u64,
}

/// Which entries are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AuditQuery {
    /// The newest.
    Newest,
    /// Those of a record, the newest first.
    Subject(String),
    /// Those of a slot behind a number, in their order.
    Slot(i16, i64),
}

/// The audit trail of a store. Every other method that changes a record writes its own entry in its transaction.
#[async_trait]
pub trait Audit: Send + Sync {
    /// Writes an entry about what changes no record, such as showing one.
    async fn note(&self, what: &'static str, subject: &str) -> Result<()>;

    /// Entries, at most so many.
    async fn audit_entries(&self, query: &AuditQuery, most: usize) -> Result<Vec<AuditEntry>>;

    /// The present ends of all chains, signed.
    async fn audit_heads(&self) -> Result<Vec<AuditHead>>;

    /// Reads all chains, and compares them with heads that were kept elsewhere.
    async fn verify_audit(&self, heads: &[AuditHead]) -> Result<AuditVerified>;
}
