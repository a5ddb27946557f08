//! Proposals as their operator finds them, whichever partner's they are.

use domain::id::ProposalId;
use domain::policy::Policy;
use domain::proposal::{Move, Proposal, ProposalStatus};

use crate::Service;
use crate::embedded_proposal::unknown_proposal;
use crate::error::Error;
use crate::storage::ProposalLine;

impl Service {
    /// Proposals of every partner, or of one, newest first.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown partner.
    pub async fn list_proposals(
        &self,
        partner: Option<&str>,
        status: Option<ProposalStatus>,
        most: usize,
    ) -> Result<Vec<ProposalLine>, Error> {
        let of = match partner {
            Some(named) => vec![self.partner(named).await?.partner.id],
            None => self.partners().await?.into_iter().map(|record| record.partner.id).collect(),
        };
        let mut lines = Vec::new();
        for partner in of {
            lines.extend(self.storage.proposals(partner, status, most).await?);
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.id));
        lines.truncate(most);
        Ok(lines)
    }

    /// A proposal of any partner, with its history.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find_proposal(&self, id: ProposalId) -> Result<(Proposal, Vec<Move>), Error> {
        let of = self.storage.partner_of_proposal(id).await?.ok_or_else(|| unknown_proposal(id))?;
        let proposal = self.storage.proposal(of, id).await?.ok_or_else(|| unknown_proposal(id))?;
        let history = self.storage.history(of, id).await?;
        Ok((proposal, history))
    }

    /// The policy that came of a proposal.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn policy_of(&self, proposal: &Proposal) -> Result<Option<Policy>, Error> {
        Ok(self.storage.policy_of(proposal.partner, proposal.id).await?)
    }
}
