//! What a policy answers when one request comes after another: the order that racing requests must have an explanation in.

use std::collections::BTreeMap;
use std::sync::Arc;

use todc_utils::Specification;

/// The kinds of claims that the sample's loan cover pays for.
pub const KINDS: [&str; 2] = ["DEATH", "DISABILITY"];

/// What somebody does with a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// The partner reads it.
    Read,
    /// The partner asks what would come back.
    Quote,
    /// The partner cancels it, and expects what came back after so many reductions of cover.
    Cancel(usize),
    /// The partner changes an e-mail address.
    Contact,
    /// The partner reduces its cover for the nth time, from 1 on.
    Reduce(usize),
    /// The partner makes a claim of a kind known.
    Claim(usize),
    /// The operator confirms or refuses the cancellation that waits.
    Decide(bool),
    /// The operator confirms or refuses the endorsement that waits.
    DecideEndorsement(bool),
}

/// What was answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Told {
    /// How the policy stands.
    Seen(Seen),
    /// What would come back.
    Amount(String),
    /// It was done, and this is how what was done stands.
    Taken(String),
    /// It was not done.
    Refused,
    /// It was not done, for something else was at the same time.
    Lost,
}

/// What a read shows.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Seen {
    pub status: String,
    /// How often its cover was reduced.
    pub reduced: usize,
    /// Endorsements that were made, and those that wait.
    pub made: usize,
    pub waiting: usize,
    /// The kinds of its claims.
    pub claims: [bool; KINDS.len()],
}

/// What the policies of a test have in common.
#[derive(Debug)]
pub struct Terms {
    /// Whether the operator decides, else the partner.
    pub operator_decides: bool,
    /// What a cancellation gives back after so many reductions.
    pub comes_back: Vec<String>,
    /// What the nth reduction gives back.
    pub reductions: Vec<String>,
}

/// Something that was done, and what was answered.
#[derive(Debug, Clone)]
pub struct Done {
    pub terms: Arc<Terms>,
    /// Its idempotency key: of those with the same one it is done once.
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

/// A policy between two requests.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct State {
    standing: Standing,
    reduced: usize,
    made: usize,
    /// Whether a reduction waits for the operator.
    waits: bool,
    claims: [bool; KINDS.len()],
    /// Whether a claim was made known since the cancellation was asked for.
    claimed_since: bool,
    /// The answers that are kept under their keys.
    kept: BTreeMap<usize, Told>,
}

impl State {
    /// Does something: the answer.
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
            // What these cancellations give back is all: then there never was cover.
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

/// A policy as an object that requests come to one after another.
pub struct OnePolicy;

impl Specification for OnePolicy {
    type State = State;
    type Operation = Done;

    fn init() -> State {
        State::default()
    }

    fn apply(done: &Done, state: &State) -> (bool, State) {
        let mut next = state.clone();
        // Of what lost to something else nothing is left; that there was something is judged apart.
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
