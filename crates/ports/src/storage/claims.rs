//! What the use cases need of a store for claims and their papers. A method is one business act and one transaction.

use async_trait::async_trait;
use domain::claim::{Claim, ClaimDocument, ClaimState};
use domain::date::Timestamp;
use domain::id::{ClaimDocumentId, ClaimId, PartnerId, PolicyId};
use domain::proposal::Move;

use super::Result;
use super::lists::{ListStart, Page, Selection};

/// A claim that is made known or moved, in the transaction of its policy ([`super::policies::PolicyAct`]). Its policy's version
/// guards it: whoever changes a claim changes its policy.
#[derive(Clone, Copy)]
pub struct ClaimAct<'a> {
    /// The claim as it stands now, in the version in which it is kept.
    pub claim: &'a Claim,
    /// Whether it is made known now.
    pub is_new: bool,
    /// Its moves, oldest first.
    pub moves: &'a [Move<ClaimState>],
}

/// Bytes of a part of a paper.
pub const CHUNK: usize = 64 * 1024;

/// Claims of every line.
#[async_trait]
pub trait Claims: Send + Sync {
    async fn claim(&self, of: PartnerId, id: ClaimId) -> Result<Option<Claim>>;

    /// A page of a partner's claims by the day of their notice, with the count of all, read at one moment.
    async fn claims(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<Claim>>;

    /// How many claims a partner has made since an instant.
    async fn count_claims_since(&self, of: PartnerId, since: Timestamp) -> Result<u64>;

    /// The claims on a policy, oldest first.
    async fn claims_on(&self, of: PartnerId, policy: PolicyId) -> Result<Vec<Claim>>;

    /// Whose a claim is, for those who know its id alone.
    async fn owner_of_claim(&self, id: ClaimId) -> Result<Option<PartnerId>>;

    /// Claims of all partners that are not settled, the one that is due first before the others; at most `most`.
    async fn open_claims(&self, most: usize) -> Result<Vec<Claim>>;

    /// Every move of a claim, oldest first.
    async fn claim_history(&self, of: PartnerId, id: ClaimId) -> Result<Vec<Move<ClaimState>>>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaperUsage {
    pub papers_of_claim: u64,
    /// Bytes of those that are finished.
    pub bytes_of_claim: u64,
    /// Bytes of the papers of all claims on its policy.
    pub bytes_of_policy: u64,
    /// Papers that the partner has uploaded since an instant.
    pub papers_of_day: u64,
    /// Their bytes together.
    pub bytes_of_day: u64,
}

/// Papers of claims: each in parts, which are kept as they come.
#[async_trait]
pub trait ClaimPapers: Send + Sync {
    /// Begins a paper. It is none of its claim's until it is finished, and takes up as many bytes as it says.
    async fn begin_paper(&self, of: PartnerId, paper: &ClaimDocument) -> Result<()>;

    /// Keeps a part of a paper, of at most [`CHUNK`] bytes, by its number from 0 on.
    async fn add_part(&self, of: PartnerId, paper: ClaimDocumentId, number: u32, bytes: &[u8]) -> Result<()>;

    /// Finishes a paper whose parts are all there. `false`: its claim would have more than `most` bytes of papers, or takes none
    /// any more, and nothing was done.
    async fn finish_paper(&self, of: PartnerId, paper: &ClaimDocument, most: u64) -> Result<bool>;

    /// What a claim, its policy, and its partner since an instant have of papers, also of those that are not finished.
    async fn paper_usage(
        &self,
        of: PartnerId,
        claim: ClaimId,
        policy: PolicyId,
        since: Timestamp,
    ) -> Result<PaperUsage>;

    /// Removes a paper that is not finished, with its parts.
    async fn drop_paper(&self, of: PartnerId, paper: ClaimDocumentId) -> Result<()>;

    /// Removes papers that were begun before an instant and never finished; at most `most`. Returns how many.
    async fn forget_unfinished_papers(&self, before: Timestamp, most: usize) -> Result<usize>;

    /// The papers of a claim, oldest first.
    async fn papers(&self, of: PartnerId, claim: ClaimId) -> Result<Vec<ClaimDocument>>;

    /// A paper of a claim.
    async fn paper(
        &self,
        of: PartnerId,
        claim: ClaimId,
        id: ClaimDocumentId,
    ) -> Result<Option<ClaimDocument>>;

    /// A part of a paper. `None` behind the last one.
    async fn part(&self, of: PartnerId, paper: ClaimDocumentId, number: u32) -> Result<Option<Vec<u8>>>;
}
