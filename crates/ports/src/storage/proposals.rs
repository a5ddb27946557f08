//! Store operations for proposals. Each method is one operation in one transaction.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId, QuoteId, VariantId};
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

/// A policy to issue, with its certificate.
#[derive(Clone)]
pub struct Issue {
    pub policy: Policy,
    /// PDF file of the certificate.
    pub certificate: Vec<u8>,
    /// Whether a job notifies the insurer of the new policy (D90).
    pub is_told: bool,
    /// Policy that the new policy renews. The same transaction changes both.
    pub renewed: Option<Box<RenewedPolicy>>,
}

/// Policy that is being renewed.
#[derive(Debug, Clone)]
pub struct RenewedPolicy {
    /// The policy after its changes, with the version that was read.
    pub policy: Policy,
    /// State changes of the renewed policy, oldest first.
    pub moves: Vec<Move<PolicyState>>,
}

impl std::fmt::Debug for Issue {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Issue({})", self.policy.number)
    }
}

/// What else is stored in the transaction that changes a proposal.
#[derive(Clone, Copy)]
pub struct ProposalAct<'a, L: Line> {
    /// Status changes, oldest first; at least one. The reason of the last change is stored with the proposal.
    pub moves: &'a [Move<L::Status>],
    /// Policy of the proposal, if a policy is issued now (D29, D30).
    pub issue: Option<&'a Issue>,
    /// Change of the proposal's premium.
    pub premium: Option<&'a PremiumAct>,
    /// Time at which a job asks the insurer for a decision, if the insurer decides and can be asked (D29).
    pub ask_insurer: Option<Timestamp>,
    /// The proposal's journey after this change. The stored journey must have the previous version.
    pub journey: Option<&'a Journey>,
    /// Groups of sales that the new policy belongs to, as they were before its rules were checked.
    pub sales: &'a [SaleCount],
    /// Events for the proposal's partner (D95).
    pub events: &'a [NewEvent],
    /// Response to store, if the request has an idempotency key (D36).
    pub response: Option<&'a KeyedResponse>,
    /// Proposal with new content, if its draft is replaced. Then there may be no status change.
    pub replaced: Option<&'a Proposal<L>>,
}

impl<'a, L: Line> ProposalAct<'a, L> {
    /// Stores these status changes and nothing else.
    pub fn of(moves: &'a [Move<L::Status>]) -> Self {
        ProposalAct {
            moves,
            issue: None,
            premium: None,
            ask_insurer: None,
            journey: None,
            sales: &[],
            events: &[],
            response: None,
            replaced: None,
        }
    }
}

/// Result of storing a new proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Proposed {
    /// The proposal was stored.
    New,
    /// Not stored: another request with the same idempotency key came first (D36).
    Twin,
    /// Not stored: the proposal with this id is already active for the same quote and variant (S4090).
    AlreadyActive(ProposalId),
    /// Not stored: the journey was changed meanwhile.
    JourneyChanged,
    /// Not stored: the premium was not received, or the deposit has too little money (D63).
    PremiumDue,
    /// Not stored: the policy to renew was changed meanwhile.
    RenewedChanged,
    /// Not stored: another policy of the same group of sales was issued meanwhile.
    SoldMeanwhile,
}

/// Result of a status change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// The status was changed.
    Won,
    /// The proposal or the renewed policy was changed meanwhile, so nothing was done (D28).
    Lost,
    /// Another request with the same idempotency key came first, so nothing was done (D36).
    Twin,
    /// The premium was not received, or the deposit has too little money, so nothing was done (D63).
    PremiumDue,
    /// Another policy of the same group of sales was issued meanwhile, so nothing was done.
    SoldMeanwhile,
}

/// Number of policies that a partner sold in a group of sales whose rules depend on each other, such as those on
/// one loan (D140).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SaleCount {
    /// Number of the group. Groups that have nothing in common may share a number.
    pub bucket: u16,
    pub sales: i64,
}

/// Row of the operator's list of proposals.
#[derive(Debug, Clone)]
pub struct ProposalLine {
    pub id: ProposalId,
    pub line: LineOfBusiness,
    pub partner: PartnerId,
    /// Status as a word of the API contract.
    pub status: &'static str,
    pub created_at: Timestamp,
    /// Time of the last status change.
    pub changed_at: Timestamp,
}

#[async_trait]
pub trait Proposals<L: Line>: Send + Sync {
    /// Stores a new proposal and what `act` contains. Refused if another proposal is active for the same
    /// quote and variant, in lines of business with that rule.
    async fn keep_proposal(&self, proposal: &Proposal<L>, act: ProposalAct<'_, L>) -> Result<Proposed>;

    /// Changes the status of a proposal that is still in `from`, with history and policy, in one transaction
    /// (D28, D30). The same transaction adds or deletes the job that asks the insurer.
    async fn move_proposal(
        &self,
        of: PartnerId,
        id: ProposalId,
        from: L::Status,
        act: ProposalAct<'_, L>,
    ) -> Result<Moved>;

    async fn proposal(&self, of: PartnerId, id: ProposalId) -> Result<Option<Proposal<L>>>;

    /// Status of a partner's proposal, without decoding the rest of the row. A manipulated row is still
    /// refused.
    async fn proposal_status(&self, of: PartnerId, id: ProposalId) -> Result<Option<L::Status>> {
        Ok(self.proposal(of, id).await?.map(|proposal| proposal.status))
    }

    /// All status changes of a proposal, oldest first.
    async fn history(&self, of: PartnerId, id: ProposalId) -> Result<Vec<Move<L::Status>>>;

    /// A page of a partner's proposals, with the total number of matching proposals. Both come from one
    /// snapshot.
    async fn proposals(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<Proposal<L>>>;

    /// Proposals of a partner, newest first; at most `most`. If `status` is given: only proposals with that
    /// status.
    async fn proposal_lines(
        &self,
        of: PartnerId,
        status: Option<L::Status>,
        most: usize,
    ) -> Result<Vec<ProposalLine>>;

    /// Imports proposals, all or none, and updates the list counts.
    async fn import_proposals(&self, records: Records<Proposal<L>>) -> Result<ImportEnd>;
}

/// What was sold before, for sales whose rules depend on it (D140).
#[async_trait]
pub trait Sales: Send + Sync {
    /// Counts of groups of sales, and credit-protection proposals that were sold from a quote and a variant,
    /// newest first; at most `most`. Both come from one snapshot.
    async fn sales(
        &self,
        of: PartnerId,
        buckets: &[u16],
        from: (QuoteId, VariantId),
        most: usize,
    ) -> Result<(Vec<SaleCount>, Vec<ProposalId>)>;
}

/// Owners of proposals, for callers that do not know the line of business.
#[async_trait]
pub trait ProposalOwners: Send + Sync {
    /// Partner and line of business of a proposal, for callers that know only the proposal's id.
    async fn owner_of_proposal(&self, id: ProposalId) -> Result<Option<(PartnerId, LineOfBusiness)>>;
}
