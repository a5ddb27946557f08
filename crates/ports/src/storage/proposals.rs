//! What the use cases need of a store for proposals. A method is one business act and one transaction.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId};
use domain::journey::Journey;
use domain::line::{Line, LineOfBusiness};
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::proposal::{Move, Proposal};

use super::events::NewEvent;
use super::imports::{ImportEnd, Records};
use super::lists::{ListStart, Page, Selection};
use super::premiums::PremiumAct;
use super::{KeyedResponse, Result};

/// A policy with the document that the customer holds.
#[derive(Clone)]
pub struct Issue<L: Line> {
    pub policy: Policy<L>,
    /// Its certificate: the bytes of a PDF.
    pub certificate: Vec<u8>,
    /// Whether its insurer is told of it by a job (D90).
    pub is_told: bool,
    /// The policy that it renews, which is moved with it.
    pub renewed: Option<Box<RenewedPolicy<L>>>,
}

/// A policy that another one follows now.
#[derive(Debug, Clone)]
pub struct RenewedPolicy<L: Line> {
    /// As it stands then, in the version in which it was seen.
    pub policy: Policy<L>,
    /// The moves that brought it there.
    pub moves: Vec<Move<PolicyState>>,
}

impl<L: Line> std::fmt::Debug for Issue<L> {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Issue({})", self.policy.number)
    }
}

/// What goes into the transaction of a proposal's record beside it.
#[derive(Clone, Copy)]
pub struct ProposalAct<'a, L: Line> {
    /// The moves that brought it where it stands, oldest first. At least one. The last one's reason stays with the
    /// record.
    pub moves: &'a [Move<L::Status>],
    /// Its policy, where it has one now (D29, D30).
    pub issue: Option<&'a Issue<L>>,
    /// What happens to its premium.
    pub premium: Option<&'a PremiumAct>,
    /// When its insurer is to be asked, where the insurer decides and can be asked (D29).
    pub ask_insurer: Option<Timestamp>,
    /// The journey that it came of, as it stands then. It must be in the version before.
    pub journey: Option<&'a Journey>,
    /// What its partner is told of it (D95).
    pub events: &'a [NewEvent],
    /// Its response, where an idempotency key came (D36).
    pub response: Option<&'a KeyedResponse>,
}

impl<'a, L: Line> ProposalAct<'a, L> {
    /// An act of these moves alone.
    pub fn of(moves: &'a [Move<L::Status>]) -> Self {
        ProposalAct {
            moves,
            issue: None,
            premium: None,
            ask_insurer: None,
            journey: None,
            events: &[],
            response: None,
        }
    }
}

/// How the keeping of a new proposal ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposed {
    /// It was kept.
    New,
    /// Nothing was kept: another request with the same idempotency key was first (D36).
    Twin,
    /// Nothing was kept: this one is active for the same quote and variant (S4090).
    AlreadyActive(ProposalId),
    /// Nothing was kept: the journey was changed meanwhile.
    JourneyChanged,
    /// Nothing was kept: the premium of its policy was not received, or its deposit has too little (D63).
    PremiumDue,
    /// Nothing was kept: the policy that its own renews was changed meanwhile.
    RenewedChanged,
}

/// How a move ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// The proposal moved.
    Won,
    /// It, or the policy that its own renews, was no longer where it was seen; nothing was done (D28).
    Lost,
    /// Another request with the same idempotency key was first; nothing was done (D36).
    Twin,
    /// The premium of its policy was not received, or its deposit has too little; nothing was done (D63).
    PremiumDue,
}

/// A line of the operator's list of proposals.
#[derive(Debug, Clone)]
pub struct ProposalLine {
    pub id: ProposalId,
    pub line: LineOfBusiness,
    /// Whose it is.
    pub partner: PartnerId,
    /// Where it stands, in the contract's word.
    pub status: &'static str,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last moved.
    pub changed_at: Timestamp,
}

/// Proposals of one line of business.
#[async_trait]
pub trait Proposals<L: Line>: Send + Sync {
    /// Keeps a new proposal with what belongs to it. One that names a quote and a variant in a line of which one may be
    /// active at a time is kept unless another one is.
    async fn keep_proposal(&self, proposal: &Proposal<L>, act: ProposalAct<'_, L>) -> Result<Proposed>;

    /// Moves a proposal only while it is still in `from`: status, history and policy in one transaction (D28, D30). The
    /// job that asks its insurer begins or ends in it.
    async fn move_proposal(
        &self,
        of: PartnerId,
        id: ProposalId,
        from: L::Status,
        act: ProposalAct<'_, L>,
    ) -> Result<Moved>;

    async fn proposal(&self, of: PartnerId, id: ProposalId) -> Result<Option<Proposal<L>>>;

    /// Where a proposal of a partner stands. What it is about need not be decoded for that; a row that was changed is
    /// refused all the same.
    async fn proposal_status(&self, of: PartnerId, id: ProposalId) -> Result<Option<L::Status>> {
        Ok(self.proposal(of, id).await?.map(|proposal| proposal.status))
    }

    /// Every move of a proposal, oldest first.
    async fn history(&self, of: PartnerId, id: ProposalId) -> Result<Vec<Move<L::Status>>>;

    /// A page of a partner's proposals with the count of all, read at one moment. The line must be counted.
    async fn proposals(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<Proposal<L>>>;

    /// Proposals of a partner, newest first, at most `most`; of one status where it is given.
    async fn proposal_lines(
        &self,
        of: PartnerId,
        status: Option<L::Status>,
        most: usize,
    ) -> Result<Vec<ProposalLine>>;

    /// Keeps imported proposals, all or none, with their counts.
    async fn import_proposals(&self, records: Records<Proposal<L>>) -> Result<ImportEnd>;
}

/// What is asked of proposals by those who do not know their line.
#[async_trait]
pub trait ProposalOwners: Send + Sync {
    /// Whose a proposal is and in which line, for those who know its id alone.
    async fn owner_of_proposal(&self, id: ProposalId) -> Result<Option<(PartnerId, LineOfBusiness)>>;
}
