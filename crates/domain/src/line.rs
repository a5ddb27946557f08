//! Lines of business, the types that distinguish credit life from health.
//!
//! Proposals and policies have the same life cycle in every line. A line defines its states, and the data of
//! its proposals.

use std::fmt::{Debug, Display};

use crate::endorsement_change::EndorsementChange;
use crate::id::{QuoteId, VariantId};
use crate::party::Party;
use crate::proposal::RefusedMove;
use crate::renewal::Renewal;
use crate::text::{FromText, vocabulary};

vocabulary! {
    /// Line of business, in the words of the catalogue.
    LineOfBusiness, "\"credit-life\" or \"health\"" {
        /// Group credit life: insures the borrower's life for the term of a loan.
        CreditLife = "credit-life",
        /// Retail health: pays a family's hospital bills for one to five years.
        Health = "health",
    }
}

/// Quote and variant from which a proposal was made. A quote and variant have at most one active proposal
/// (interface, States).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuotedVariant<'a> {
    /// Quote and variant in this store.
    Here(QuoteId, VariantId),
    /// Quote and variant ids as in an imported record.
    Elsewhere { quote: &'a str, variant: &'a str },
}

/// Line of business as a type. Proposals are generic over this trait.
pub trait Line: Debug + Copy + Eq + Send + Sync + 'static {
    const LINE: LineOfBusiness;

    /// Status of the line's proposals.
    type Status: ProposalState;

    /// Data of a proposal that only this line has.
    type Application: Debug + Clone + Eq + Send + Sync + 'static;

    /// Quote and variant from which a proposal was made.
    fn quoted(application: &Self::Application) -> QuotedVariant<'_>;

    /// Applies an endorsement to the application. Ignores a change of data that the line does not have.
    fn endorse(application: &mut Self::Application, change: &EndorsementChange);

    /// People in an application.
    fn parties(application: &Self::Application) -> Vec<Party>;

    /// Policy that the application renews. `None` for a new policy, and in lines without renewals.
    fn renewal(application: &Self::Application) -> Option<&Renewal>;
}

/// Status of a proposal. Each line has one enum, with one `match` for its transitions.
pub trait ProposalState: Copy + Eq + Debug + Display + FromText + Send + Sync + 'static {
    /// Every state, in the contract's order.
    const ALL: &'static [Self];

    /// Final state of a proposal with a policy.
    const ISSUED: Self;

    /// Final state of a refused proposal.
    const REJECTED: Self;

    /// Word for this state in the API contract.
    fn word(self) -> &'static str;

    /// Validates one status change.
    ///
    /// # Errors
    /// [`RefusedMove::NoSuchTransition`] if the change is not allowed. A change to the same state is never
    /// allowed.
    fn move_to(self, next: Self) -> Result<Self, RefusedMove>;

    /// States that follow this one, in order, up to `decision`, which is [`Self::ISSUED`] or
    /// [`Self::REJECTED`]. `None` if a proposal in this state cannot be decided.
    fn way_to(self, decision: Self) -> Option<Vec<Self>>;

    /// Whether a proposal in this state is not submitted for a decision yet.
    fn is_unsubmitted(self) -> bool;

    /// Whether a proposal in this state can be decided now.
    fn is_undecided(self) -> bool;

    /// Whether no other state can follow.
    fn is_final(self) -> bool;
}
