//! Store operations for claims with their documents. Each method is one operation in one transaction.

use async_trait::async_trait;
use domain::claim::{Claim, ClaimDocument, ClaimState};
use domain::date::Timestamp;
use domain::id::{ClaimDocumentId, ClaimId, PartnerId, PolicyId};
use domain::proposal::Move;

use super::Result;
use super::lists::{ListStart, Page, Selection};

/// A new or changed claim, stored in the transaction of its policy ([`super::policies::PolicyAct`]). The
/// policy's version protects the claim from conflicting changes, because each change of a claim also changes
/// its policy.
#[derive(Clone, Copy)]
pub struct ClaimAct<'a> {
    /// The claim after the change, with its new version.
    pub claim: &'a Claim,
    /// Whether the claim is new.
    pub is_new: bool,
    /// Status changes of the claim, oldest first.
    pub moves: &'a [Move<ClaimState>],
}

/// Maximum size of one stored part of a file, in bytes.
pub const CHUNK: usize = 64 * 1024;

/// Claims of every line of business.
#[async_trait]
pub trait Claims: Send + Sync {
    async fn claim(&self, of: PartnerId, id: ClaimId) -> Result<Option<Claim>>;

    /// A page of a partner's claims, by day of first notice, with the total number of matching claims. Both
    /// come from one snapshot.
    async fn claims(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<Claim>>;

    /// Number of claims that a partner has made since an instant.
    async fn count_claims_since(&self, of: PartnerId, since: Timestamp) -> Result<u64>;

    /// Claims on a policy, oldest first.
    async fn claims_on(&self, of: PartnerId, policy: PolicyId) -> Result<Vec<Claim>>;

    /// Partner to which a claim belongs, for callers that know only the claim's id.
    async fn owner_of_claim(&self, id: ClaimId) -> Result<Option<PartnerId>>;

    /// Open claims of all partners, earliest deadline first; at most `most`.
    async fn open_claims(&self, most: usize) -> Result<Vec<Claim>>;

    /// All status changes of a claim, oldest first.
    async fn claim_history(&self, of: PartnerId, id: ClaimId) -> Result<Vec<Move<ClaimState>>>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaperUsage {
    pub papers_of_claim: u64,
    /// Bytes of the claim's finished documents.
    pub bytes_of_claim: u64,
    /// Bytes of the documents of all claims on the policy.
    pub bytes_of_policy: u64,
    /// Number of documents that the partner has uploaded since an instant.
    pub papers_of_day: u64,
    /// Bytes of the documents that the partner has uploaded since that instant.
    pub bytes_of_day: u64,
}

/// Documents of claims. Each document is stored in parts, in the order in which the parts arrive.
#[async_trait]
pub trait ClaimPapers: Send + Sync {
    /// Begins the upload of a document. The document belongs to its claim only after the upload is finished,
    /// but its stated size counts for the limits at once.
    async fn begin_paper(&self, of: PartnerId, paper: &ClaimDocument) -> Result<()>;

    /// Stores one part of a document, of at most [`CHUNK`] bytes. Part numbers start at 0.
    async fn add_part(&self, of: PartnerId, paper: ClaimDocumentId, number: u32, bytes: &[u8]) -> Result<()>;

    /// Finishes an upload whose parts are all stored. `false`: nothing was done, because the claim's
    /// documents would exceed `most` bytes, or the claim takes no more documents.
    async fn finish_paper(&self, of: PartnerId, paper: &ClaimDocument, most: u64) -> Result<bool>;

    /// How much documents use: of a claim, of its policy, and of the partner since an instant. Unfinished
    /// uploads are included.
    async fn paper_usage(
        &self,
        of: PartnerId,
        claim: ClaimId,
        policy: PolicyId,
        since: Timestamp,
    ) -> Result<PaperUsage>;

    /// Deletes an unfinished document with its parts.
    async fn drop_paper(&self, of: PartnerId, paper: ClaimDocumentId) -> Result<()>;

    /// Deletes documents that were begun before an instant and not finished; at most `most`. Returns their
    /// number.
    async fn forget_unfinished_papers(&self, before: Timestamp, most: usize) -> Result<usize>;

    /// Documents of a claim, oldest first.
    async fn papers(&self, of: PartnerId, claim: ClaimId) -> Result<Vec<ClaimDocument>>;

    async fn paper(
        &self,
        of: PartnerId,
        claim: ClaimId,
        id: ClaimDocumentId,
    ) -> Result<Option<ClaimDocument>>;

    /// One part of a document. `None` after the last part.
    async fn part(&self, of: PartnerId, paper: ClaimDocumentId, number: u32) -> Result<Option<Vec<u8>>>;
}
