//! Life cycle of a proposal in every line of business (D28, D29).

use crate::date::Timestamp;
use crate::id::{PartnerId, ProposalId, SessionId};
use crate::identifier::{Identifier, Reference, each_once};
use crate::line::{Line, ProposalState};
use crate::money::Premium;
use crate::person::PersonalLine;
use crate::text::vocabulary;

/// A refused state change. `Display` gives the sentence for the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusedMove {
    /// The transition does not exist. Both states are words of the API contract.
    NoSuchTransition {
        /// Current state.
        from: &'static str,
        /// Requested state.
        to: &'static str,
    },
    /// Another party decides this product's proposals (D29).
    NotYours {
        /// Party that decides this product's proposals.
        decides: Decision,
    },
    /// A policy can be renewed only if its state is ISSUED, or EXPIRED within its grace days (D91).
    NotRenewable { stands: &'static str },
    /// A policy can be endorsed only if its state is ISSUED (D89).
    NotEndorsable { stands: &'static str },
}

impl RefusedMove {
    /// Refuses a transition that does not exist.
    pub fn between<S: ProposalState>(from: S, to: S) -> Self {
        RefusedMove::NoSuchTransition { from: from.word(), to: to.word() }
    }
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
            RefusedMove::NotRenewable { stands } => {
                write!(to, "The policy is {stands} and cannot be renewed.")
            }
            RefusedMove::NotEndorsable { stands } => {
                write!(to, "The policy is {stands}; only an ISSUED policy can be endorsed.")
            }
        }
    }
}

vocabulary! {
    /// Who decides a product's pending proposals (D29).
    Decision, "one of partner, operator, insurer, straight-through" {
        /// The partner, by PATCH of the proposal, or the operator.
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
    /// Who decides, in words for messages.
    pub const fn who(self) -> &'static str {
        match self {
            Decision::Partner => "the partner",
            Decision::Operator => "the operator",
            Decision::Insurer => "the insurer",
            Decision::StraightThrough => "the service itself",
        }
    }

    /// Checks whether the partner may decide a proposal of this product (D29).
    ///
    /// # Errors
    /// [`RefusedMove::NotYours`] if operator or insurer decides.
    pub const fn by_partner(self) -> Result<(), RefusedMove> {
        match self {
            Decision::Partner | Decision::StraightThrough => Ok(()),
            Decision::Operator | Decision::Insurer => Err(RefusedMove::NotYours { decides: self }),
        }
    }
}

vocabulary! {
    /// Who changed a state.
    Actor, "one of partner, operator, insurer, service, customer" {
        /// The partner, through the API.
        Partner = "partner",
        /// The operator, by command, page or API.
        Operator = "operator",
        Insurer = "insurer",
        /// This service, for a straight-through product or by the catalogue's rules.
        Service = "service",
        /// The customer, on the journey.
        Customer = "customer",
    }
}

/// State change in the history of a proposal, policy or claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move<Status> {
    pub at: Timestamp,
    pub by: Actor,
    /// State before the change. `None` for the creation.
    pub from: Option<Status>,
    /// State after the change.
    pub to: Status,
    /// Reason as given by the party that made the change. May be personal.
    pub reason: Option<PersonalLine>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal<L: Line> {
    pub id: ProposalId,
    /// Partner through which the proposal was made.
    pub partner: PartnerId,
    pub session: Option<SessionId>,
    pub status: L::Status,
    pub created_at: Timestamp,
    /// Time of the last status change.
    pub changed_at: Timestamp,
    /// Premium of the quote (D40).
    pub premium: Premium,
    /// Reason of the last status change.
    pub reason: Option<PersonalLine>,
    /// Insurer's own reference for the proposal, if any.
    pub insurer_reference: Option<String>,
    /// Partner's reference for the sale, if any (D79).
    pub reference: Option<Reference>,
    /// Data that only this line of business has.
    pub application: L::Application,
}

/// Record with a state that can change, such as a proposal or a policy.
pub trait Moving {
    type State: Copy;

    fn state(&self) -> Self::State;

    /// Changes the state to `to` at the instant `at`.
    ///
    /// # Errors
    /// [`RefusedMove`] if the transition does not exist. Then nothing has changed.
    fn stand(
        &mut self,
        to: Self::State,
        at: Timestamp,
        reason: Option<&PersonalLine>,
    ) -> Result<(), RefusedMove>;
}

impl<L: Line> Proposal<L> {
    /// Search keys of customer and sale, without duplicates.
    pub fn identifiers(&self) -> Vec<Identifier> {
        let people = L::parties(&self.application).into_iter().flat_map(|party| party.identifiers);
        each_once(people.collect(), self.reference.as_ref())
    }
}

impl<L: Line> Moving for Proposal<L> {
    type State = L::Status;

    fn state(&self) -> L::Status {
        self.status
    }

    fn stand(
        &mut self,
        to: L::Status,
        at: Timestamp,
        reason: Option<&PersonalLine>,
    ) -> Result<(), RefusedMove> {
        self.status = self.status.move_to(to)?;
        self.changed_at = at;
        self.reason = reason.cloned();
        Ok(())
    }
}

/// A record with its new state changes. All state changes, including the creation, are made through this
/// type, so each has an entry in the history.
#[derive(Debug, Clone)]
pub struct Underway<T: Moving> {
    subject: T,
    moves: Vec<Move<T::State>>,
    at: Timestamp,
}

impl<T: Moving> Underway<T> {
    /// A new record. Its current state becomes the first entry of its history.
    pub fn first_known(subject: T, by: Actor, at: Timestamp) -> Self {
        let made = Move { at, by, from: None, to: subject.state(), reason: None };
        Underway { subject, moves: vec![made], at }
    }

    /// A stored record that is about to change.
    pub fn resumed(subject: T, at: Timestamp) -> Self {
        Underway { subject, moves: Vec::new(), at }
    }

    /// Makes one state change.
    ///
    /// # Errors
    /// [`RefusedMove`] if the transition does not exist. Then nothing has changed.
    pub fn go(&mut self, by: Actor, to: T::State, reason: Option<PersonalLine>) -> Result<(), RefusedMove> {
        let from = self.subject.state();
        self.subject.stand(to, self.at, reason.as_ref())?;
        self.moves.push(Move { at: self.at, by, from: Some(from), to, reason });
        Ok(())
    }

    /// The record in its current state.
    pub fn subject(&self) -> &T {
        &self.subject
    }

    /// The record in its current state, and its new state changes, oldest first.
    pub fn into_parts(self) -> (T, Vec<Move<T::State>>) {
        (self.subject, self.moves)
    }

    /// New state changes of the record, oldest first.
    pub fn moves(&self) -> &[Move<T::State>] {
        &self.moves
    }

    /// Time of the new state changes.
    pub fn at(&self) -> Timestamp {
        self.at
    }
}

impl<L: Line> Underway<Proposal<L>> {
    /// A new proposal. Its current status becomes the first entry of its history.
    pub fn created(proposal: Proposal<L>, by: Actor) -> Self {
        let at = proposal.created_at;
        let created = Move { at, by, from: None, to: proposal.status, reason: proposal.reason.clone() };
        Underway { subject: proposal, moves: vec![created], at }
    }

    /// The proposal in its current state.
    pub fn proposal(&self) -> &Proposal<L> {
        &self.subject
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partner_cannot_decide_a_proposal_that_operator_or_insurer_decides() {
        for decides in [Decision::Operator, Decision::Insurer] {
            assert_eq!(decides.by_partner(), Err(RefusedMove::NotYours { decides })); // D29
        }
        for decides in [Decision::Partner, Decision::StraightThrough] {
            assert_eq!(decides.by_partner(), Ok(()));
        }
    }
}
