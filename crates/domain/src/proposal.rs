//! The life of a proposal, the same in every line of business: what it holds, who moves it, and how (D28, D29).

use crate::date::Timestamp;
use crate::id::{PartnerId, ProposalId, SessionId};
use crate::identifier::{Identifier, Reference, each_once};
use crate::line::{Line, ProposalState};
use crate::money::Premium;
use crate::person::PersonalLine;
use crate::text::vocabulary;

/// A move that is refused. Its `Display` is the sentence that the caller reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusedMove {
    /// There is no such transition. Both states are named by the contract's words.
    NoSuchTransition {
        /// Where the proposal stands.
        from: &'static str,
        /// Where it was to go.
        to: &'static str,
    },
    /// Someone else decides this product's proposals (D29).
    NotYours {
        /// Who does.
        decides: Decision,
    },
    /// A policy is renewed only while it is ISSUED, or EXPIRED and in its days of grace (D91).
    NotRenewable { stands: &'static str },
    /// A policy is endorsed only while it is ISSUED (D89).
    NotEndorsable { stands: &'static str },
}

impl RefusedMove {
    /// The refusal of a transition that does not exist.
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
                write!(to, "The policy is {stands}, and is not renewed.")
            }
            RefusedMove::NotEndorsable { stands } => {
                write!(to, "The policy is {stands}, and only an ISSUED one is endorsed.")
            }
        }
    }
}

vocabulary! {
    /// Who decides a product's pending proposals (D29).
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

    /// Judges whether a partner may decide an undecided proposal of such a product (D29).
    ///
    /// # Errors
    /// [`RefusedMove::NotYours`].
    pub const fn by_partner(self) -> Result<(), RefusedMove> {
        match self {
            Decision::Partner | Decision::StraightThrough => Ok(()),
            Decision::Operator | Decision::Insurer => Err(RefusedMove::NotYours { decides: self }),
        }
    }
}

vocabulary! {
    /// Who made a move.
    Actor, "one of partner, operator, insurer, service, customer" {
        /// The partner, through the API.
        Partner = "partner",
        /// The operator, at the command line.
        Operator = "operator",
        Insurer = "insurer",
        /// The service, for a straight-through product or by the catalogue's rules.
        Service = "service",
        /// The customer, on the journey.
        Customer = "customer",
    }
}

/// One entry of a proposal's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Move<Status> {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: Actor,
    /// From where; `None` for the creation.
    pub from: Option<Status>,
    /// To where.
    pub to: Status,
    /// Why, in the words of who moved it. May be personal.
    pub reason: Option<PersonalLine>,
}

/// A proposal of a line of business.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal<L: Line> {
    pub id: ProposalId,
    /// Whose it is.
    pub partner: PartnerId,
    /// The session it belongs to.
    pub session: Option<SessionId>,
    /// Where it stands.
    pub status: L::Status,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last moved.
    pub changed_at: Timestamp,
    /// Its premium: the quote's (D40).
    pub premium: Premium,
    /// The reason of its last move.
    pub reason: Option<PersonalLine>,
    /// The insurer's own name for it, where the insurer told one.
    pub insurer_reference: Option<String>,
    /// What the partner calls the sale, where it told that (D79).
    pub reference: Option<Reference>,
    /// What the line holds beside this.
    pub application: L::Application,
}

/// Something that stands in a state and moves to another, such as a proposal or a policy.
pub trait Moving {
    /// Its states.
    type State: Copy;

    /// Where it stands.
    fn state(&self) -> Self::State;

    /// Lets it stand in another state from an instant on.
    ///
    /// # Errors
    /// [`RefusedMove`] when its states have no such transition; nothing has changed then.
    fn stand(
        &mut self,
        to: Self::State,
        at: Timestamp,
        reason: Option<&PersonalLine>,
    ) -> Result<(), RefusedMove>;
}

impl<L: Line> Proposal<L> {
    /// What its customer and its sale are known by, each once.
    pub fn identifiers(&self) -> Vec<Identifier> {
        each_once(L::identifiers(&self.application), self.reference.as_ref())
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

/// A proposal or a policy on its way: where it stands now, and the moves that brought it there. Every move of anything is
/// made here, its creation included, so that nothing changes its state without an entry in the history.
#[derive(Debug, Clone)]
pub struct Underway<T: Moving> {
    subject: T,
    moves: Vec<Move<T::State>>,
    at: Timestamp,
}

impl<T: Moving> Underway<T> {
    /// A new one, which somebody makes known in the state that it is in.
    pub fn first_known(subject: T, by: Actor, at: Timestamp) -> Self {
        let made = Move { at, by, from: None, to: subject.state(), reason: None };
        Underway { subject, moves: vec![made], at }
    }

    /// One that was there before, to be moved now.
    pub fn resumed(subject: T, at: Timestamp) -> Self {
        Underway { subject, moves: Vec::new(), at }
    }

    /// Makes one move.
    ///
    /// # Errors
    /// [`RefusedMove`] when there is no such transition; nothing has changed then.
    pub fn go(&mut self, by: Actor, to: T::State, reason: Option<PersonalLine>) -> Result<(), RefusedMove> {
        let from = self.subject.state();
        self.subject.stand(to, self.at, reason.as_ref())?;
        self.moves.push(Move { at: self.at, by, from: Some(from), to, reason });
        Ok(())
    }

    /// It as it stands now.
    pub fn subject(&self) -> &T {
        &self.subject
    }

    /// It as it stands now, with the moves made here, oldest first.
    pub fn into_parts(self) -> (T, Vec<Move<T::State>>) {
        (self.subject, self.moves)
    }

    /// The moves made here, oldest first.
    pub fn moves(&self) -> &[Move<T::State>] {
        &self.moves
    }

    /// When they are made.
    pub fn at(&self) -> Timestamp {
        self.at
    }
}

impl<L: Line> Underway<Proposal<L>> {
    /// A new proposal, made by somebody in the state that it is in, when it was created.
    pub fn created(proposal: Proposal<L>, by: Actor) -> Self {
        let at = proposal.created_at;
        let created = Move { at, by, from: None, to: proposal.status, reason: proposal.reason.clone() };
        Underway { subject: proposal, moves: vec![created], at }
    }

    /// The proposal as it stands now.
    pub fn proposal(&self) -> &Proposal<L> {
        &self.subject
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partner_does_not_decide_what_the_operator_or_the_insurer_decides() {
        for decides in [Decision::Operator, Decision::Insurer] {
            assert_eq!(decides.by_partner(), Err(RefusedMove::NotYours { decides })); // D29
        }
        for decides in [Decision::Partner, Decision::StraightThrough] {
            assert_eq!(decides.by_partner(), Ok(()));
        }
    }
}
