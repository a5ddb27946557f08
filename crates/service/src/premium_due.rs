//! Premiums that are owed: what a submitted proposal owes, and why no policy is issued yet (D63).

use domain::date::Timestamp;
use domain::money::Rupees;
use domain::premium::{Books, KeptDecision, PremiumRoute, ProposalPremium};
use domain::proposal::{Actor, Proposal};
use rating::{PremiumTerms, Product};

use crate::line::SoldLine;

/// Why no policy is issued yet. Its `Display` is a sentence for the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PremiumDue {
    /// What is owed.
    pub due: Rupees,
    /// How it is to come.
    pub route: PremiumRoute,
}

impl std::fmt::Display for PremiumDue {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let due = self.due.grouped_with_paise();
        match self.route {
            PremiumRoute::Deposit => write!(
                to,
                "The premium of {due} is due: the deposit from which it is drawn has too little, and cover starts only once it was topped up."
            ),
            PremiumRoute::Link | PremiumRoute::Here | PremiumRoute::Partner => {
                write!(to, "The premium of {due} is due: cover starts only once it was received.")
            }
        }
    }
}

/// A premium that a submitted proposal owes from an instant on, with the decision that waits for it, where one was made.
pub(crate) fn owed<L: SoldLine>(
    proposal: &Proposal<L>,
    product: &Product,
    at: Timestamp,
    decision: Option<KeptDecision>,
) -> ProposalPremium {
    ProposalPremium {
        partner: proposal.partner,
        proposal: proposal.id,
        line: L::LINE,
        insurer: product.insurer.id,
        route: product.premium.route(),
        deposit: match &product.premium {
            PremiumTerms::Deposit(terms) => Some(terms.name.clone()),
            PremiumTerms::Link { .. } | PremiumTerms::Here | PremiumTerms::Partner => None,
        },
        books: Books::owed(proposal.premium.total()),
        held_since: None,
        decision,
        created_at: at,
        changed_at: at,
    }
}

/// The acceptance of a straight-through product, which nobody but the service makes (D29).
pub(crate) fn accepted_at_once(at: Timestamp) -> KeptDecision {
    KeptDecision { by: Actor::Service, at, reason: None, insurer_number: None }
}
