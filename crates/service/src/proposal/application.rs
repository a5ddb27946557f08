//! A proposal as its operator reads it who decides it: everything that it holds, and what its product's rules say of it
//! today.

use domain::line::ProposalState;
use domain::money::Rupees;
use domain::proposal::{Actor, Proposal};
use rating::Catalogue;

use crate::error::Result;
use crate::line::SoldLine;
use crate::line::person::Facts;
use crate::proposal::operator::OperatorProposalService;

impl OperatorProposalService {
    /// Where the premium of a proposal stands (D63).
    async fn premium_facts<L: SoldLine>(
        &self,
        proposal: &Proposal<L>,
        catalogue: Option<&Catalogue>,
    ) -> Result<Facts> {
        let Some(catalogue) = catalogue else { return Ok(Facts::default().text("state", "imported")) };
        let route = L::product(catalogue, proposal)?.premium.route();
        let facts = Facts::default().text("by", route);
        let premium = self.shared.storage.premium(proposal.partner, proposal.id).await?;
        let Some(premium) = premium else {
            let drawn = proposal.status == L::Status::ISSUED;
            return Ok(facts.text("state", if drawn { "drawn from the deposit" } else { "not owed yet" }));
        };
        let books = premium.books;
        let decision = premium.decision.as_ref();
        let facts = facts.text("state", books.state()).text("due", books.due);
        let facts = facts.optional("deposit", premium.deposit.as_ref());
        let came = [
            ("unsettled", books.unsettled),
            ("received", books.received),
            ("paid", books.applied),
            ("owed_back", books.refundable),
            ("paid_back", books.refunded),
            ("to_remit", books.to_remit()),
        ];
        let came = came.into_iter().filter(|(_, amount)| *amount > Rupees::ZERO);
        let facts = came.fold(facts, |facts, (name, amount)| facts.text(name, amount));
        let facts = facts.optional("accepted_by", decision.map(|decision| decision.by));
        Ok(facts.optional("accepted_under", decision.and_then(|decision| decision.insurer_number.as_ref())))
    }

    /// Everything that a proposal holds, personal data included, with its price step by step and, while it is undecided, the
    /// rules of its product that a policy issued today would break (D61).
    ///
    /// # Errors
    /// [`crate::Error::Storage`] when its catalogue version is gone.
    pub async fn facts_of<L: SoldLine>(&self, proposal: &Proposal<L>) -> Result<Facts> {
        let today = self.shared.partner_clock.today(proposal.partner);
        let catalogue = self.proposals.catalogue_of(proposal).await?;
        let facts = L::facts(proposal, catalogue.as_deref(), today)?;
        let facts = facts.group("premium_state", self.premium_facts(proposal, catalogue.as_deref()).await?);
        let Some(catalogue) = catalogue.filter(|_| !proposal.status.is_final()) else { return Ok(facts) };
        // Insurers are not asked: their own decision is what the operator waits for.
        let rules = &self.proposals.rules;
        let broken = L::broken_rules(rules, &catalogue, proposal, today, Actor::Insurer).await?;
        Ok(facts.texts("broken_rules", broken.0.into_iter().map(|fault| fault.message).collect()))
    }
}
