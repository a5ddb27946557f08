//! Proposals of every line as their operator finds and decides them, whichever partner's they are.

use domain::credit_life::{CreditLife, EmbeddedProposal, ProposalStatus};
use domain::health_proposal::{Health, HealthProposal, HealthProposalStatus};
use domain::id::{PartnerId, ProposalId};
use domain::line::{LineOfBusiness, ProposalState};
use domain::person::PersonalLine;
use domain::proposal::{Actor, Move};
use domain::text::FromText;

use crate::Service;
use crate::error::Error;
use crate::line::SoldLine;
use crate::proposal::{Mover, unknown_proposal};
use crate::storage::ProposalLine;

/// A proposal of any line, with every move that it made.
pub enum AnyProposal {
    /// Credit life.
    CreditLife(Box<EmbeddedProposal>, Vec<Move<ProposalStatus>>),
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
    ) -> Result<Vec<ProposalLine>, Error> {
        let of = match partner {
            Some(named) => vec![self.partner(named).await?.partner.id],
            None => self.partners().await?.into_iter().map(|record| record.partner.id).collect(),
        };
        let mut lines = Vec::new();
        for partner in of {
            lines.extend(self.proposals_of::<CreditLife>(partner, status, most).await?);
            lines.extend(self.proposals_of::<Health>(partner, status, most).await?);
        }
        lines.sort_by_key(|line| std::cmp::Reverse((line.created_at, line.id)));
        lines.truncate(most);
        Ok(lines)
    }

    /// Proposals of a partner in one line. A word that the line does not have finds nothing in it.
    async fn proposals_of<L: SoldLine>(
        &self,
        of: PartnerId,
        status: Option<&str>,
        most: usize,
    ) -> Result<Vec<ProposalLine>, Error> {
        match status.map(L::Status::from_text).transpose() {
            Err(_) => Ok(Vec::new()),
            Ok(status) => Ok(L::storage(self.storage.as_ref()).proposal_lines(of, status, most).await?),
        }
    }

    /// A proposal of any partner, with its history.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find_proposal(&self, id: ProposalId) -> Result<AnyProposal, Error> {
        let (of, line) = self.storage.owner_of_proposal(id).await?.ok_or_else(|| unknown_proposal(id))?;
        Ok(match line {
            LineOfBusiness::CreditLife => AnyProposal::CreditLife(
                Box::new(self.proposal::<CreditLife>(of, id).await?),
                self.history::<CreditLife>(of, id).await?,
            ),
            LineOfBusiness::Health => AnyProposal::Health(
                Box::new(self.proposal::<Health>(of, id).await?),
                self.history::<Health>(of, id).await?,
            ),
        })
    }

    /// Decides a proposal of any line for its operator, whatever the product's decision (D29). Returns where it stands
    /// then.
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::Refused`], [`Error::Conflict`] for an acceptance of an imported one.
    pub async fn decide_proposal(
        &self,
        id: ProposalId,
        positive: bool,
        reason: Option<PersonalLine>,
    ) -> Result<&'static str, Error> {
        let (of, line) = self.storage.owner_of_proposal(id).await?.ok_or_else(|| unknown_proposal(id))?;
        match line {
            LineOfBusiness::CreditLife => {
                self.decide_for_operator::<CreditLife>(of, id, positive, reason).await
            }
            LineOfBusiness::Health => self.decide_for_operator::<Health>(of, id, positive, reason).await,
        }
    }

    async fn decide_for_operator<L: SoldLine>(
        &self,
        of: PartnerId,
        id: ProposalId,
        positive: bool,
        reason: Option<PersonalLine>,
    ) -> Result<&'static str, Error> {
        let decision = if positive { L::Status::ISSUED } else { L::Status::REJECTED };
        let mover = Mover { reason, ..Mover::silent(Actor::Operator) };
        self.decide::<L>(of, id, decision, &mover).await?;
        Ok(decision.word())
    }
}
