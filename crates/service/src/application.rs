//! A proposal as its operator reads it who decides it: everything that it holds, and what its product's rules say of it
//! today.

use domain::date::day_of;
use domain::line::ProposalState;
use domain::proposal::{Actor, Proposal};

use crate::error::Error;
use crate::facts::Facts;
use crate::line::SoldLine;
use crate::proposal_list::OperatorProposalService;

impl OperatorProposalService {
    /// Everything that a proposal holds, personal data included, with its price step by step and, while it is undecided, the
    /// rules of its product that a policy issued today would break (D61).
    ///
    /// # Errors
    /// [`Error::Storage`] when its catalogue version is gone.
    pub async fn facts_of<L: SoldLine>(&self, proposal: &Proposal<L>) -> Result<Facts, Error> {
        let today = day_of(self.clock.now());
        let catalogue = self.proposals.catalogue_of(proposal).await?;
        let facts = L::facts(proposal, catalogue.as_deref(), today)?;
        let Some(catalogue) = catalogue.filter(|_| !proposal.status.is_final()) else { return Ok(facts) };
        // Insurers are not asked: their own decision is what the operator waits for.
        let rules = &self.proposals.rules;
        let broken = L::broken_rules(rules, &catalogue, proposal, today, Actor::Insurer).await?;
        Ok(facts.texts("broken_rules", broken.0.into_iter().map(|fault| fault.message).collect()))
    }
}
