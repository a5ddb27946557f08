//! Premiums that submitted proposals owe (D63).

use domain::date::Timestamp;
use domain::premium::{Books, KeptDecision, ProposalPremium};
use domain::proposal::{Actor, Proposal};
use rating::{PremiumTerms, Product};

use crate::line::SoldLine;

/// Premium that a submitted proposal owes since `at`, with the decision that waits for this premium, if any.
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
            PremiumTerms::Deposit { deposit, .. } => Some(deposit.name.clone()),
            PremiumTerms::Link { .. } | PremiumTerms::Here | PremiumTerms::Partner => None,
        },
        books: Books::owed(proposal.premium.total()),
        held_since: None,
        decision,
        created_at: at,
        changed_at: at,
    }
}

/// Acceptance of a proposal for a straight-through product, which the service makes by itself (D29).
pub(crate) fn accepted_at_once(at: Timestamp) -> KeptDecision {
    KeptDecision { by: Actor::Service, at, reason: None, insurer_number: None }
}
