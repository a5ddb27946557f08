//! Proposal as the operator who decides it sees it: its data, and the product rules that it breaks today.

use domain::date::day_of;
use domain::line::{Line as _, ProposalState};
use domain::money::Rupees;
use domain::policy::Policy;
use domain::proposal::{Actor, Proposal};
use rating::Catalogue;

use crate::error::Result;
use crate::line::person::Facts;
use crate::line::{SoldLine, by_line};
use crate::proposal::operator::OperatorProposalService;

impl OperatorProposalService {
    /// Facts about the premium of a proposal (D63).
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

    /// Facts of a policy's application: as it was sold, then after each endorsement that was made. Empty for an
    /// imported policy.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn facts_of_policy(&self, policy: &Policy) -> Result<Vec<Facts>> {
        let Some(id) = policy.proposal else { return Ok(Vec::new()) };
        let on = day_of(policy.issued_at);
        by_line!(policy.line(), L => {
            let mut proposal = self.proposals.find::<L>(policy.partner, id).await?;
            let catalogue = self.proposals.catalogue_of(&proposal).await?;
            let mut all = vec![L::facts(&proposal, catalogue.as_deref(), on)?];
            for made in policy.made_endorsements() {
                L::endorse(&mut proposal.application, &made.change);
                all.push(L::facts(&proposal, catalogue.as_deref(), on)?);
            }
            Ok(all)
        })
    }

    /// All facts of a proposal, including personal data and the steps of its price calculation. While the
    /// proposal is undecided, the facts include the product rules that a policy issued today would break
    /// (D61).
    ///
    /// # Errors
    /// [`crate::Error::Storage`] if the proposal's catalogue version is missing.
    pub async fn facts_of<L: SoldLine>(&self, proposal: &Proposal<L>) -> Result<Facts> {
        let today = self.shared.partner_clock.today(proposal.partner);
        let catalogue = self.proposals.catalogue_of(proposal).await?;
        let policy = self.shared.storage.policy_of(proposal.partner, proposal.id).await?;
        // Ages and cover of a sold proposal are those of its policy.
        let on = policy.map_or(today, |policy| day_of(policy.issued_at));
        let facts = L::facts(proposal, catalogue.as_deref(), on)?;
        let facts = facts.group("premium_state", self.premium_facts(proposal, catalogue.as_deref()).await?);
        let Some(catalogue) = catalogue.filter(|_| !proposal.status.is_final()) else { return Ok(facts) };
        // With the actor `Insurer`, this check does not ask insurers for their prices, so that the operator
        // need not wait.
        let rules = &self.proposals.rules;
        let mut broken = L::broken_rules(rules, &catalogue, proposal, today, Actor::Insurer).await?;
        broken.0.extend(L::earlier_sales(rules, &catalogue, proposal).await?.same);
        Ok(facts.texts("broken_rules", broken.0.into_iter().map(|fault| fault.message).collect()))
    }
}
