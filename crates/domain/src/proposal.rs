//! The embedded proposal: who proposes what, and every move its status can make (interface §5 to §7; D28, D29).

use crate::context::Context;
use crate::date::Timestamp;
use crate::id::{PartnerId, ProposalId, QuoteId, RecommendationId, VariantId};
use crate::money::Premium;
use crate::person::{Nominee, Person};
use crate::text::vocabulary;

vocabulary! {
    /// Where a proposal stands.
    ProposalStatus, "one of DRAFT, PENDING, COMPLETED, REJECTED" {
        /// Saved, not yet submitted.
        Draft = "DRAFT",
        /// Submitted for processing.
        Pending = "PENDING",
        /// Approved, policy issued. Final.
        Completed = "COMPLETED",
        /// Refused. Final.
        Rejected = "REJECTED",
    }
}

vocabulary! {
    /// How a new proposal enters.
    Submission, "one of DRAFT, SUBMITTED" {
        /// To be submitted later.
        Draft = "DRAFT",
        /// At once.
        Submitted = "SUBMITTED",
    }
}

/// A move that the state machine refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusedMove {
    /// There is no such transition.
    NoSuchTransition {
        /// Where it stands.
        from: ProposalStatus,
        /// Where it was to go.
        to: ProposalStatus,
    },
    /// Someone else moves this product's proposals on (D29).
    NotYours {
        /// Who does.
        decides: Decision,
    },
}

impl std::fmt::Display for RefusedMove {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RefusedMove::NoSuchTransition { from, to: wanted } => {
                write!(to, "Invalid status transition from {from} to {wanted}.")
            }
            RefusedMove::NotYours { decides } => {
                write!(to, "Invalid status transition: {} decides this product's proposals.", decides.who())
            }
        }
    }
}

impl ProposalStatus {
    /// Every transition there is (D28).
    ///
    /// # Errors
    /// [`RefusedMove::NoSuchTransition`] for all others, a status to itself included.
    pub fn move_to(self, next: ProposalStatus) -> Result<ProposalStatus, RefusedMove> {
        use ProposalStatus::{Completed, Draft, Pending, Rejected};
        match (self, next) {
            (Draft, Pending | Rejected) | (Pending, Completed | Rejected) => Ok(next),
            (Draft | Pending | Completed | Rejected, _) => {
                Err(RefusedMove::NoSuchTransition { from: self, to: next })
            }
        }
    }
}

vocabulary! {
    /// Who moves a product's pending proposals on (D29).
    Decision, "one of partner, operator, insurer, straight-through" {
        /// The partner by PATCH, or the operator.
        Partner = "partner",
        /// The operator alone.
        Operator = "operator",
        /// The insurer alone.
        Insurer = "insurer",
        /// Nobody: the policy is issued on submission.
        StraightThrough = "straight-through",
    }
}

impl Decision {
    /// Who that is, in words.
    pub const fn who(self) -> &'static str {
        match self {
            Decision::Partner => "the partner",
            Decision::Operator => "the operator",
            Decision::Insurer => "the insurer",
            Decision::StraightThrough => "the service itself",
        }
    }

    /// Judges a move that the partner asks for: the transition exists, and where it decides a pending proposal
    /// the decision is the partner's (D28, D29).
    ///
    /// # Errors
    /// Why the move is refused.
    pub fn partner_move(
        self,
        from: ProposalStatus,
        to: ProposalStatus,
    ) -> Result<ProposalStatus, RefusedMove> {
        let next = from.move_to(to)?;
        match (from, self) {
            (ProposalStatus::Pending, Decision::Operator | Decision::Insurer) => {
                Err(RefusedMove::NotYours { decides: self })
            }
            _ => Ok(next),
        }
    }
}

vocabulary! {
    /// Who made a move. A word's place here is how it is kept: new ones come last.
    Actor, "one of partner, operator, insurer, service, customer" {
        /// The partner, through the API.
        Partner = "partner",
        /// The operator, at the command line.
        Operator = "operator",
        /// The insurer.
        Insurer = "insurer",
        /// The service, for a straight-through product or by the catalogue's rules.
        Service = "service",
        /// The customer, on the journey.
        Customer = "customer",
    }
}

/// One entry of a proposal's history, of either family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move<Status = ProposalStatus> {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: Actor,
    /// From where; `None` for the creation.
    pub from: Option<Status>,
    /// To where.
    pub to: Status,
    /// Why, in the words of who moved it. May be personal.
    pub reason: Option<crate::person::PersonalLine>,
}

/// What a partner sends to propose a quoted variant, judged field by field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalRequest {
    /// The quote.
    pub quote: QuoteId,
    /// The item of the quote.
    pub recommendation: RecommendationId,
    /// Saved or submitted.
    pub submission: Submission,
    /// Who proposes.
    pub proposer: Person,
    /// Who is insured; at least one.
    pub insured_members: Vec<Person>,
    /// Who receives the sum insured; shares total 100 where there is any.
    pub nominees: Vec<Nominee>,
    /// What else the partner sent.
    pub context: Context,
}

/// A proposal as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// Its id.
    pub id: ProposalId,
    /// Whose it is.
    pub partner: PartnerId,
    /// Where it stands.
    pub status: ProposalStatus,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last moved.
    pub changed_at: Timestamp,
    /// The variant proposed.
    pub variant: VariantId,
    /// Its premium: the quote's (D40).
    pub premium: Premium,
    /// What was sent.
    pub request: ProposalRequest,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_sixteen_moves_four_exist() {
        use ProposalStatus::{Completed, Draft, Pending, Rejected};
        let allowed = [(Draft, Pending), (Draft, Rejected), (Pending, Completed), (Pending, Rejected)]; // D28
        for from in ProposalStatus::ALL {
            for to in ProposalStatus::ALL {
                assert_eq!(from.move_to(*to).is_ok(), allowed.contains(&(*from, *to)), "{from} to {to}");
            }
        }
    }

    #[test]
    fn a_partner_does_not_decide_what_the_operator_decides() {
        use ProposalStatus::{Completed, Draft, Pending, Rejected};
        for decides in [Decision::Operator, Decision::Insurer] {
            // D29
            assert_eq!(decides.partner_move(Pending, Completed), Err(RefusedMove::NotYours { decides }));
            assert_eq!(decides.partner_move(Pending, Rejected), Err(RefusedMove::NotYours { decides }));
            assert_eq!(decides.partner_move(Draft, Pending), Ok(Pending));
        }
    }
}
