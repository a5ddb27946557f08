//! Proposals of every partner and line of business, for the operator who finds and decides them.

use std::sync::Arc;

use domain::credit_life::{CreditLife, EmbeddedProposal, ProposalStatus};
use domain::health_proposal::{Health, HealthProposal, HealthProposalStatus};
use domain::id::{PartnerId, ProposalId};
use domain::line::{LineOfBusiness, ProposalState};
use domain::person::PersonalLine;
use domain::policy::PolicyNumber;
use domain::premium::PremiumDue;
use domain::proposal::{Actor, Move};
use domain::text::FromText;

use crate::error::Result;
use crate::line::SoldLine;
use crate::partner::PartnerService;
use crate::proposal::{Decided, Mover, ProposalService, unknown_proposal};
use crate::shared::Shared;
use crate::storage::ProposalLine;

/// Proposal of any line of business, with all its status changes.
pub enum AnyProposal {
    CreditLife(Box<EmbeddedProposal>, Vec<Move<ProposalStatus>>),
    Health(Box<HealthProposal>, Vec<Move<HealthProposalStatus>>),
}

/// Decision of an operator. Its reason is stored in the history.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// Issue the policy.
    Accept {
        reason: Option<PersonalLine>,
        /// Insurer's own number of the policy, if the operator has it.
        insurer_number: Option<PolicyNumber>,
    },
    /// Issue no policy.
    Reject { reason: Option<PersonalLine> },
}

impl Verdict {
    /// Verdict that accepts without an insurer's policy number, or rejects.
    pub fn of(accepts: bool, reason: Option<PersonalLine>) -> Self {
        match accepts {
            true => Verdict::Accept { reason, insurer_number: None },
            false => Verdict::Reject { reason },
        }
    }
}

/// Result of an operator's decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperatorDecision {
    /// Current status of the proposal, in the contract's word.
    pub status: &'static str,
    /// Premium for which the acceptance waits. `None` if it does not wait.
    pub waits_for: Option<PremiumDue>,
}

/// Finds and decides proposals for the operator.
pub struct OperatorProposalService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) proposals: Arc<ProposalService>,
    pub(crate) partners: Arc<PartnerService>,
}

impl OperatorProposalService {
    /// Proposals of one partner or all, newest first, at most `most`. `status` is a status word of the
    /// contract, such as PENDING; `None` means every status.
    ///
    /// # Errors
    /// [`crate::Error::Unknown`] for an unknown partner.
    pub async fn list(
        &self,
        partner: Option<&str>,
        status: Option<&str>,
        most: usize,
    ) -> Result<Vec<ProposalLine>> {
        let of = self.partners.of_list(partner).await?;
        let mut lines = Vec::new();
        for partner in of {
            lines.extend(self.proposals_of::<CreditLife>(partner, status, most).await?);
            lines.extend(self.proposals_of::<Health>(partner, status, most).await?);
        }
        lines.sort_by_key(|line| std::cmp::Reverse((line.created_at, line.id)));
        lines.truncate(most);
        Ok(lines)
    }

    /// Proposals of a partner in one line of business. Empty if the line has no such status.
    async fn proposals_of<L: SoldLine>(
        &self,
        of: PartnerId,
        status: Option<&str>,
        most: usize,
    ) -> Result<Vec<ProposalLine>> {
        match status.map(L::Status::from_text).transpose() {
            Err(_) => Ok(Vec::new()),
            Ok(status) => {
                Ok(L::storage(self.shared.storage.as_ref()).proposal_lines(of, status, most).await?)
            }
        }
    }

    /// Partner and line of business of a proposal.
    ///
    /// # Errors
    /// [`crate::Error::Unknown`].
    pub async fn owner(&self, id: ProposalId) -> Result<(PartnerId, LineOfBusiness)> {
        self.shared.storage.owner_of_proposal(id).await?.ok_or_else(|| unknown_proposal(id))
    }

    /// Proposal of any partner, with its history.
    ///
    /// # Errors
    /// [`crate::Error::Unknown`].
    pub async fn find(&self, id: ProposalId) -> Result<AnyProposal> {
        let (of, line) = self.owner(id).await?;
        Ok(match line {
            LineOfBusiness::CreditLife => AnyProposal::CreditLife(
                Box::new(self.proposals.find::<CreditLife>(of, id).await?),
                self.proposals.history::<CreditLife>(of, id).await?,
            ),
            LineOfBusiness::Health => AnyProposal::Health(
                Box::new(self.proposals.find::<Health>(of, id).await?),
                self.proposals.history::<Health>(of, id).await?,
            ),
        })
    }

    /// Decides a proposal of any line for the operator, whatever the product's decision (D29). If a proposal
    /// is accepted before its premium is received, the acceptance is saved. The receipt of the premium then
    /// issues the policy.
    ///
    /// # Errors
    /// [`crate::Error::Unknown`]; [`crate::Error::Refused`]; [`crate::Error::AgainstRules`];
    /// [`crate::Error::Conflict`] for the acceptance of an imported proposal.
    pub async fn decide(&self, id: ProposalId, verdict: Verdict) -> Result<OperatorDecision> {
        let (of, line) = self.owner(id).await?;
        match line {
            LineOfBusiness::CreditLife => self.decide_for_operator::<CreditLife>(of, id, verdict).await,
            LineOfBusiness::Health => self.decide_for_operator::<Health>(of, id, verdict).await,
        }
    }

    async fn decide_for_operator<L: SoldLine>(
        &self,
        of: PartnerId,
        id: ProposalId,
        verdict: Verdict,
    ) -> Result<OperatorDecision> {
        let silent = Mover::silent(Actor::Operator);
        let (decision, mover) = match verdict {
            Verdict::Accept { reason, insurer_number } => {
                (L::Status::ISSUED, Mover { reason, insurer_number, ..silent })
            }
            Verdict::Reject { reason } => (L::Status::REJECTED, Mover { reason, ..silent }),
        };
        Ok(match self.proposals.decide::<L>(of, id, decision, &mover).await? {
            Decided::Done => OperatorDecision { status: decision.word(), waits_for: None },
            Decided::Waits { due, .. } => {
                let stands = self.proposals.find::<L>(of, id).await?;
                OperatorDecision { status: stands.status.word(), waits_for: Some(due) }
            }
        })
    }
}
