//! The answers of a policy if requests come one after another. Racing requests must have an order with the
//! same answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use todc_utils::Specification;

/// Kinds of claims under the sample's loan cover.
pub const KINDS: [&str; 2] = ["DEATH", "DISABILITY"];

/// An act on a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// The partner reads the policy.
    Read,
    /// The partner requests a quote for a cancellation.
    Quote,
    /// The partner cancels the policy, with the refund after this many cover reductions.
    Cancel(usize),
    /// The partner changes an e-mail address.
    Contact,
    /// The partner reduces the cover, for the nth time from 1 on.
    Reduce(usize),
    /// The partner reports a claim of a kind.
    Claim(usize),
    /// The operator confirms or refuses the open cancellation.
    Decide(bool),
    /// The operator confirms or refuses the open endorsement.
    DecideEndorsement(bool),
}

/// The answer to an act.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Told {
    /// The state of the policy.
    Seen(Seen),
    /// The refund of a cancellation.
    Amount(String),
    /// It was done. The status of the cancellation, endorsement or claim.
    Taken(String),
    /// It was refused.
    Refused,
    /// It was refused because of another request at the same time.
    Lost,
}

/// What a read of the policy shows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Seen {
    pub status: String,
    /// Number of cover reductions.
    pub reduced: usize,
    /// Number of endorsements made, and of open ones.
    pub made: usize,
    pub waiting: usize,
    /// Whether there is a claim of each kind.
    pub claims: [bool; KINDS.len()],
}

/// What all policies of a test have in common.
#[derive(Debug)]
pub struct Terms {
    /// Whether the operator decides. Otherwise the partner decides.
    pub operator_decides: bool,
    /// Refund of a cancellation, by the number of cover reductions before.
    pub comes_back: Vec<String>,
    /// Refund of the nth cover reduction.
    pub reductions: Vec<String>,
}

/// An act with its answer.
#[derive(Debug, Clone)]
pub struct Done {
    pub terms: Arc<Terms>,
    /// Idempotency key. Of several acts with the same key, one is done.
    pub key: Option<usize>,
    pub act: Act,
    pub told: Told,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
enum Standing {
    #[default]
    Issued,
    Requested,
    Cancelled,
}

impl Standing {
    fn word(self) -> String {
        let word = match self {
            Standing::Issued => "ISSUED",
            Standing::Requested => "CANCELLATION_REQUESTED",
            Standing::Cancelled => "CANCELLED",
        };
        word.to_owned()
    }
}

/// State of a policy between two requests.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct State {
    standing: Standing,
    reduced: usize,
    made: usize,
    /// Whether a cover reduction waits for the operator.
    waits: bool,
    claims: [bool; KINDS.len()],
    /// Whether a claim was reported after the request for cancellation.
    claimed_since: bool,
    /// Stored answers by idempotency key.
    kept: BTreeMap<usize, Told>,
}

impl State {
    /// Does an act, and returns the answer.
    fn does(&mut self, act: Act, terms: &Terms) -> Told {
        let is_issued = self.standing == Standing::Issued;
        let is_claimed = self.claims.contains(&true);
        match act {
            Act::Read => Told::Seen(Seen {
                status: self.standing.word(),
                reduced: self.reduced,
                made: self.made,
                waiting: usize::from(self.waits),
                claims: self.claims,
            }),
            Act::Quote if is_issued && !is_claimed => Told::Amount(terms.comes_back[self.reduced].clone()),
            Act::Cancel(reduced) if is_issued && !is_claimed && reduced == self.reduced => {
                self.claimed_since = false;
                match terms.operator_decides {
                    true => self.standing = Standing::Requested,
                    false => self.cancelled(),
                }
                Told::Taken(self.standing.word())
            }
            Act::Contact if is_issued && !self.waits => {
                self.made += 1;
                Told::Taken("MADE".to_owned())
            }
            Act::Reduce(nth) if is_issued && !is_claimed && !self.waits && nth == self.reduced + 1 => {
                self.waits = true;
                match terms.operator_decides {
                    true => Told::Taken("REQUESTED".to_owned()),
                    false => {
                        self.reduces();
                        Told::Taken("MADE".to_owned())
                    }
                }
            }
            // These cancellations refund the whole premium, so there was never any cover.
            Act::Claim(kind) if !self.claims[kind] && self.standing != Standing::Cancelled => {
                self.claims[kind] = true;
                self.claimed_since = true;
                Told::Taken("INTIMATED".to_owned())
            }
            Act::Decide(false) if self.standing == Standing::Requested => {
                self.standing = Standing::Issued;
                Told::Taken(self.standing.word())
            }
            Act::Decide(true) if self.standing == Standing::Requested && !self.claimed_since => {
                self.cancelled();
                Told::Taken(self.standing.word())
            }
            Act::DecideEndorsement(false) if self.waits => {
                self.waits = false;
                Told::Taken("REFUSED".to_owned())
            }
            Act::DecideEndorsement(true) if self.waits && is_issued && !is_claimed => {
                self.reduces();
                Told::Taken("MADE".to_owned())
            }
            _ => Told::Refused,
        }
    }

    fn cancelled(&mut self) {
        self.standing = Standing::Cancelled;
        self.waits = false;
    }

    fn reduces(&mut self) {
        self.waits = false;
        self.reduced += 1;
        self.made += 1;
    }
}

/// A policy as a sequential object, for the linearizability checker.
pub struct OnePolicy;

impl Specification for OnePolicy {
    type State = State;
    type Operation = Done;

    fn init() -> State {
        State::default()
    }

    fn apply(done: &Done, state: &State) -> (bool, State) {
        let mut next = state.clone();
        // A request that lost changed nothing. Another check shows that there was a reason.
        if done.told == Told::Lost {
            return (true, next);
        }
        if let Some(kept) = done.key.and_then(|key| state.kept.get(&key)) {
            return (*kept == done.told, next);
        }
        let told = next.does(done.act, &done.terms);
        if let (Some(key), Told::Taken(_)) = (done.key, &told) {
            next.kept.insert(key, told.clone());
        }
        (told == done.told, next)
    }
}
