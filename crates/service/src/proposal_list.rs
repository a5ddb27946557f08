//! Proposals of both families as their operator finds and decides them, whichever partner's they are.

use domain::date::Timestamp;
use domain::health_proposal::{HealthProposal, HealthProposalStatus};
use domain::id::{PartnerId, ProposalId};
use domain::person::PersonalLine;
use domain::policy::Policy;
use domain::proposal::{Actor, Move, Proposal, ProposalStatus};
use domain::text::FromText;

use crate::Service;
use crate::embedded_proposal::{Mover, unknown_proposal};
use crate::error::Error;

/// A line of the operator's list.
#[derive(Debug, Clone)]
pub struct FoundLine {
    /// Its id.
    pub id: ProposalId,
    /// `embedded` or `health`.
    pub family: &'static str,
    /// Whose it is.
    pub partner: PartnerId,
    /// Where it stands, in the contract's word.
    pub status: &'static str,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last moved.
    pub changed_at: Timestamp,
}

/// A proposal of either family, with every move that it made.
pub enum FoundProposal {
    /// Credit protection.
    Embedded(Box<Proposal>, Vec<Move>),
    /// Health.
    Health(Box<HealthProposal>, Vec<Move<HealthProposalStatus>>),
}

impl Service {
    /// Proposals of every partner, or of one, newest first; in one status where a word of the contract is given.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown partner.
    pub async fn find_proposals(
        &self,
        partner: Option<&str>,
        status: Option<&str>,
        most: usize,
    ) -> Result<Vec<FoundLine>, Error> {
        let of = match partner {
            Some(named) => vec![self.partner(named).await?.partner.id],
            None => self.partners().await?.into_iter().map(|record| record.partner.id).collect(),
        };
        // A word that one family does not have finds nothing in it.
        let embedded = status.map(ProposalStatus::from_text);
        let health = status.map(HealthProposalStatus::from_text);
        let mut lines = Vec::new();
        for partner in of {
            if !matches!(embedded, Some(Err(_))) {
                let found = self.storage.proposals(partner, embedded.and_then(Result::ok), most).await?;
                lines.extend(found.into_iter().map(|line| FoundLine {
                    id: line.id,
                    family: "embedded",
                    partner: line.partner,
                    status: line.status.word(),
                    created_at: line.created_at,
                    changed_at: line.changed_at,
                }));
            }
            if !matches!(health, Some(Err(_))) {
                let found =
                    self.storage.health_proposal_lines(partner, health.and_then(Result::ok), most).await?;
                lines.extend(found.into_iter().map(|line| FoundLine {
                    id: line.id,
                    family: "health",
                    partner: line.partner,
                    status: line.status.word(),
                    created_at: line.created_at,
                    changed_at: line.changed_at,
                }));
            }
        }
        lines.sort_by_key(|line| std::cmp::Reverse((line.created_at, line.id)));
        lines.truncate(most);
        Ok(lines)
    }

    /// A proposal of any partner, with its history.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find_proposal(&self, id: ProposalId) -> Result<FoundProposal, Error> {
        if let Some(of) = self.storage.partner_of_proposal(id).await? {
            let proposal = self.storage.proposal(of, id).await?.ok_or_else(|| unknown_proposal(id))?;
            return Ok(FoundProposal::Embedded(Box::new(proposal), self.storage.history(of, id).await?));
        }
        let of = self.storage.partner_of_health_proposal(id).await?.ok_or_else(|| unknown_proposal(id))?;
        let proposal = self.storage.health_proposal(of, id).await?.ok_or_else(|| unknown_proposal(id))?;
        Ok(FoundProposal::Health(Box::new(proposal), self.storage.health_history(of, id).await?))
    }

    /// Decides a proposal of either family for its operator, whatever the product's decision (D29). Returns where it
    /// stands then.
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::Refused`], [`Error::RefusedHealth`], [`Error::Conflict`] for an acceptance of an
    /// imported one.
    pub async fn decide_proposal(
        &self,
        id: ProposalId,
        positive: bool,
        reason: Option<PersonalLine>,
    ) -> Result<&'static str, Error> {
        match self.find_proposal(id).await? {
            FoundProposal::Embedded(proposal, _) => {
                let next = if positive { ProposalStatus::Completed } else { ProposalStatus::Rejected };
                self.decide_embedded(proposal.partner, id, next, reason).await?;
                Ok(next.word())
            }
            FoundProposal::Health(proposal, _) => {
                let next =
                    if positive { HealthProposalStatus::Accepted } else { HealthProposalStatus::Rejected };
                let mover = Mover { by: Actor::Operator, reason, insurer_number: None };
                self.decide_health(proposal.partner, id, next, mover).await?;
                Ok(next.word())
            }
        }
    }

    /// The policy that came of an embedded proposal.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn policy_of(&self, proposal: &Proposal) -> Result<Option<Policy>, Error> {
        Ok(self.storage.policy_of(proposal.partner, proposal.id).await?)
    }
}
