//! What can go wrong, in business words. The contract's codes are given to these in `web` alone.

use domain::access::Scope;
use domain::date::Timestamp;
use domain::endorsement::Endorsement;
use domain::premium::PremiumDue;
use domain::proposal::RefusedMove;
use domain::text::vocabulary;
use rating::{NotCancellable, NotEndorsable, NotRenewable};
use thiserror::Error;

use crate::storage::StorageError;

/// One fault of what came in: where, and a sentence that says what kind of thing came and what is wanted (D11).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Path of the field: `insured_members[0].address.pincode`.
    pub field: String,
    /// A sentence for a person. Never the value itself.
    pub message: String,
}

/// Every fault of what came in, in the order found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Faults(pub Vec<Fault>);

impl Faults {
    /// A single fault.
    pub fn one(field: impl Into<String>, message: impl Into<String>) -> Self {
        Faults(vec![Fault { field: field.into(), message: message.into() }])
    }
}

/// What a use case gives, or why it does not.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a use case did not do what was asked.
#[derive(Debug, Error)]
pub enum Error {
    /// Something that came in is missing or not as wanted.
    #[error("{} faults in what came in", .0.0.len())]
    Invalid(Faults),
    /// Wrong `client_id` or `client_secret`.
    #[error("refused credentials")]
    WrongCredentials,
    /// Bearer missing, malformed, forged, expired, or of a disabled partner.
    #[error("refused bearer: {0}")]
    RefusedBearer(&'static str),
    /// The token lacks the scope that the operation needs (D2).
    #[error("the scope {0} is needed")]
    ScopeNeeded(Scope),
    /// The partner asked for a scope that the operator has not enabled for it (D7).
    #[error("the scope {0} is not enabled")]
    ScopeNotEnabled(Scope),
    /// The token is good, but the operator has not permitted the partner what it asks for (D8, D9).
    #[error("{0}")]
    NotPermitted(&'static str),
    /// The partner's token generations of the last hour are used up (D6).
    #[error("token allowance used up")]
    TooManyTokens {
        /// When one is free again.
        free_at: Timestamp,
    },
    /// A limit is reached that leaves room again by itself.
    #[error("{limit}")]
    LimitReached {
        /// A sentence that names the limit.
        limit: String,
        /// Seconds until there is room again.
        retry_after: u64,
    },
    /// No such thing, or another partner's (D3). Names the id that was asked for, if it was well formed.
    #[error("unknown {what}")]
    Unknown {
        /// What was looked for: "proposal".
        what: &'static str,
        /// The id that was asked for.
        id: String,
    },
    /// The state machine refuses the move.
    #[error("{0}")]
    Refused(RefusedMove),
    /// The product's rules do not allow a policy on this day (D61).
    #[error("{}", in_one_line(.0))]
    AgainstRules(Faults),
    /// The policy is not cancelled for this reason (D68).
    #[error("{0}")]
    NotCancellable(NotCancellable),
    /// The policy is not endorsed for this (D89).
    #[error("{0}")]
    NotEndorsable(NotEndorsable),
    /// The policy is not renewed (D91).
    #[error("{0}")]
    NotRenewable(NotRenewable),
    /// The policy's premium was not received (D63).
    #[error("{0}")]
    PremiumDue(PremiumDue),
    /// An insurer whose price is needed gave no answer.
    #[error("an insurer gave no answer")]
    InsurerUnavailable,
    /// What is asked for does not fit how things stand.
    #[error("{0}")]
    Conflict(Conflict),
    /// Something that is sent is too large. Says what may be.
    #[error("{0}")]
    TooLarge(String),
    /// The first bytes of a paper show another media type than the one that was told.
    #[error("a paper is not {0}")]
    OtherType(&'static str),
    /// The operator's scanner found something in a paper.
    #[error("a paper that the scanner refuses")]
    Infected,
    /// The idempotency key was used before with another body (D36).
    #[error("idempotency key reused with another body")]
    KeyReused,
    /// A signed address is older than its time.
    #[error("the address has expired")]
    LinkExpired,
    /// The store could not do its part.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// Something that cannot be, or a bug of ours. Says nothing to the caller.
    #[error("{0}")]
    Internal(String),
}

vocabulary! {
    /// Why something does not fit how things stand, for programs.
    ConflictReason, "a reason of a conflict" {
        /// The record stands where it cannot be done.
        State = "STATE",
        /// Another amount is owed or comes back than the one that was expected: a new quote says which.
        AmountChanged = "AMOUNT_CHANGED",
        /// Somebody else changed it at the same time: the same request may be tried again.
        ChangedMeanwhile = "CHANGED_MEANWHILE",
        /// The same was made before: the detail names it.
        MadeBefore = "MADE_BEFORE",
        /// It is not done here for this product, or for an imported record.
        NotOffered = "NOT_OFFERED",
        /// There are as many as there may be.
        LimitReached = "LIMIT_REACHED",
    }
}

/// What is asked for does not fit how things stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    pub reason: ConflictReason,
    /// A sentence for the caller.
    pub detail: String,
}

impl std::fmt::Display for Conflict {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&self.detail)
    }
}

impl Error {
    /// A conflict with where a record stands.
    pub fn conflict(detail: String) -> Self {
        Error::conflict_of(ConflictReason::State, detail)
    }

    pub(crate) fn conflict_of(reason: ConflictReason, detail: String) -> Self {
        Error::Conflict(Conflict { reason, detail })
    }

    /// An endorsement of a policy waits, and is decided before anything else of it is changed.
    pub(crate) fn endorsement_waits(open: &Endorsement) -> Self {
        let (number, kind) = (open.number, open.change.kind());
        Error::conflict(format!(
            "An endorsement of the policy waits, number {number} for {kind}: it is decided first."
        ))
    }

    /// A single fault of what came in.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Error::Invalid(Faults::one(field, message))
    }
}

/// The sentences of the faults, one after the other.
fn in_one_line(Faults(faults): &Faults) -> String {
    faults.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>().join(" ")
}
