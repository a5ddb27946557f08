//! What the use cases need of a store for health proposals. A method is one business act and one transaction.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::health_proposal::{HealthProposal, HealthProposalStatus};
use domain::id::{PartnerId, ProposalId};
use domain::journey::Journey;
use domain::proposal::Move;

use super::StorageError;
use super::health_policies::HealthIssue;
use super::lists::{From, Page, Selection};

/// Records that are brought along, one after another. A fault among them undoes the whole import.
pub type Records<T> = Box<dyn Iterator<Item = Result<T, StorageError>> + Send>;

/// How an import ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportEnd {
    /// All records are kept: so many.
    Kept(u64),
    /// Nothing was kept: these records, by their place from 0, have an id or number that is taken.
    Taken(Vec<u64>),
}

/// How the keeping of a new proposal ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposed {
    /// It was kept.
    New,
    /// Nothing was kept: this one is active for the same quote and variant (S4090).
    AlreadyActive(ProposalId),
    /// Nothing was kept: the journey was changed meanwhile.
    JourneyChanged,
}

/// What goes into the transaction of a proposal's record beside it.
#[derive(Clone, Copy, Default)]
pub struct HealthAct<'a> {
    /// The moves that brought it where it stands, oldest first. At least one. The last one's reason stays with the
    /// record where it ends it.
    pub moves: &'a [Move<HealthProposalStatus>],
    /// Its policy, where it has one now.
    pub issue: Option<&'a HealthIssue>,
    /// When its insurer is to be asked, where the insurer decides and can be (D29).
    pub ask_insurer: Option<Timestamp>,
}

/// A line of the operator's list of health proposals.
#[derive(Debug, Clone)]
pub struct HealthProposalLine {
    /// Its id.
    pub id: ProposalId,
    /// Whose it is.
    pub partner: PartnerId,
    /// Where it stands.
    pub status: HealthProposalStatus,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last moved.
    pub changed_at: Timestamp,
}

/// Health proposals of a store.
#[async_trait]
pub trait HealthProposals: Send + Sync {
    /// Keeps a new proposal of a journey with what belongs to it, and the journey as it stands then, unless another
    /// proposal is active for its quote and variant, or the journey is no longer in the version before.
    async fn keep_health_proposal(
        &self,
        proposal: &HealthProposal,
        act: HealthAct<'_>,
        journey: &Journey,
    ) -> Result<Proposed, StorageError>;

    /// A proposal of a partner.
    async fn health_proposal(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Option<HealthProposal>, StorageError>;

    /// Whose a proposal is, for those who know its id alone.
    async fn partner_of_health_proposal(&self, id: ProposalId) -> Result<Option<PartnerId>, StorageError>;

    /// A page of a partner's proposals with the count of all, read at one moment.
    async fn health_proposals(
        &self,
        of: PartnerId,
        which: Selection,
        from: From,
        most: usize,
    ) -> Result<Page<HealthProposal>, StorageError>;

    /// Proposals of a partner, newest first, at most `most`; of one status where it is given.
    async fn health_proposal_lines(
        &self,
        of: PartnerId,
        status: Option<HealthProposalStatus>,
        most: usize,
    ) -> Result<Vec<HealthProposalLine>, StorageError>;

    /// Moves a proposal only while it is still in `from`: status, history and policy in one transaction. The job that
    /// asks its insurer begins or ends in it. `false`: somebody was first, and nothing was done.
    async fn move_health_proposal(
        &self,
        of: PartnerId,
        id: ProposalId,
        from: HealthProposalStatus,
        act: HealthAct<'_>,
    ) -> Result<bool, StorageError>;

    /// Every move of a proposal, oldest first.
    async fn health_history(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Vec<Move<HealthProposalStatus>>, StorageError>;

    /// Keeps imported proposals, all or none, with their counts.
    async fn import_health_proposals(
        &self,
        records: Records<HealthProposal>,
    ) -> Result<ImportEnd, StorageError>;
}
