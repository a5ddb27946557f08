//! Lines of business: what a line brings to the one life that every proposal and every policy has.
//!
//! A proposal is made, moved and decided, and a policy is issued, in the same way whatever is insured. What differs is
//! a type: its states, what its proposal holds, and what its policy covers.

use std::fmt::{Debug, Display};

use crate::date::Date;
use crate::endorsement_change::EndorsementChange;
use crate::id::{QuoteId, VariantId};
use crate::identifier::Identifier;
use crate::money::Rupees;
use crate::proposal::{Proposal, RefusedMove};
use crate::renewal::Renewal;
use crate::text::{FromText, vocabulary};

vocabulary! {
    /// A line of business, in the catalogue's words.
    LineOfBusiness, "\"credit-life\" or \"health\"" {
        /// Group credit life: the borrower's life for the length of a loan.
        CreditLife = "credit-life",
        /// Retail health: a family's hospital bills for one to five years.
        Health = "health",
    }
}

/// What a proposal was made from: of one quote and variant only one proposal is active (interface, States).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuotedVariant<'a> {
    /// A quote and a variant of this store.
    Here(QuoteId, VariantId),
    /// A quote and a variant in the words of an imported record.
    Elsewhere { quote: &'a str, variant: &'a str },
}

/// A line of business as a type.
pub trait Line: Debug + Copy + Eq + Send + Sync + 'static {
    const LINE: LineOfBusiness;

    /// Where its proposals can stand.
    type Status: ProposalState;

    /// What its proposals hold beside what every proposal has.
    type Application: Debug + Clone + Eq + Send + Sync + 'static;

    /// What its policies hold beside what every policy has.
    type Cover: Debug + Clone + Eq + Send + Sync + 'static;

    /// The quote and the variant that a proposal was made from.
    fn quoted(application: &Self::Application) -> QuotedVariant<'_>;

    /// The sum insured and the cover of the policy that a proposal becomes on a day. `None` for a proposal that no
    /// policy can be issued for: an imported one, or one whose cover would end beyond the calendar.
    fn cover(proposal: &Proposal<Self>, issued: Date, settlement: String) -> Option<(Rupees, Self::Cover)>;

    /// Changes an application as an endorsement of its policy says. What an application of the line does not hold stays.
    fn endorse(application: &mut Self::Application, change: &EndorsementChange);

    /// Changes a cover as an endorsement says. What it does not hold stays.
    fn endorse_cover(cover: &mut Self::Cover, change: &EndorsementChange);

    /// What the people of an application are known by. One may come twice.
    fn identifiers(application: &Self::Application) -> Vec<Identifier>;

    /// The members of an application who are known by an identifier, by their numbers from 1 on, as an endorsement names them.
    fn members_known_by(application: &Self::Application, by: &Identifier) -> Vec<u16>;

    /// What the holder of a cover is known by, where the cover says it: an imported policy has no application.
    fn identifiers_of_holder(cover: &Self::Cover) -> Vec<Identifier>;

    /// How the premium of a cover that was issued here is settled (D29). `None` for an imported one.
    fn settlement(cover: &Self::Cover) -> Option<&str>;

    /// The last day of a cover.
    fn last_day(cover: &Self::Cover) -> Date;

    /// The policy that an application renews. `None` for a new one, and in lines whose policies are not renewed.
    fn renewal(application: &Self::Application) -> Option<&Renewal>;

    /// The same of a cover.
    fn renewal_of_cover(cover: &Self::Cover) -> Option<&Renewal>;
}

/// Where a proposal of a line stands. Each line has one enum, whose moves are one `match`.
pub trait ProposalState: Copy + Eq + Debug + Display + FromText + Send + Sync + 'static {
    /// Every state, in the contract's order.
    const ALL: &'static [Self];

    /// The final state of a proposal that has its policy.
    const ISSUED: Self;

    /// The final state of a proposal that was refused.
    const REJECTED: Self;

    /// The contract's word for it.
    fn word(self) -> &'static str;

    /// Judges a single move.
    ///
    /// # Errors
    /// [`RefusedMove::NoSuchTransition`] for a move that does not exist, a state to itself included.
    fn move_to(self, next: Self) -> Result<Self, RefusedMove>;

    /// The moves, one after another, that bring an undecided proposal to [`Self::ISSUED`] or [`Self::REJECTED`]. `None`
    /// where there are none.
    fn way_to(self, decision: Self) -> Option<Vec<Self>>;

    /// Whether nobody was asked to decide it yet.
    fn is_unsubmitted(self) -> bool;

    /// Whether its decider can decide it now.
    fn is_undecided(self) -> bool;

    /// Whether no move leads out of it.
    fn is_final(self) -> bool;
}
