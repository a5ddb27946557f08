//! Domain errors of the use cases. Only `web` maps them to the contract's codes.

use domain::access::Scope;
use domain::date::Timestamp;
use domain::endorsement::Endorsement;
use domain::premium::PremiumDue;
use domain::proposal::RefusedMove;
use domain::text::vocabulary;
use rating::{NotCancellable, NotEndorsable, NotRenewable};
use thiserror::Error;

use crate::storage::StorageError;

/// One fault of an input: its field, with a sentence that says what is wrong (D11).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Path of the field, such as `insured_members[0].address.pincode`.
    pub field: String,
    /// Sentence for a person. It never contains the value itself.
    pub message: String,
}

/// Every fault of an input, in the order found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Faults(pub Vec<Fault>);

impl Faults {
    pub fn one(field: impl Into<String>, message: impl Into<String>) -> Self {
        Faults(vec![Fault { field: field.into(), message: message.into() }])
    }
}

/// Result of a use case.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Reason why a use case failed.
#[derive(Debug, Error)]
pub enum Error {
    /// A part of the input is missing or invalid.
    #[error("the input has {} faults", .0.0.len())]
    Invalid(Faults),
    /// Wrong `client_id` or `client_secret`.
    #[error("refused credentials")]
    WrongCredentials,
    /// Bearer token missing, malformed, forged, expired, or of a disabled partner.
    #[error("refused bearer token: {0}")]
    RefusedBearer(&'static str),
    /// The token lacks the scope that the operation needs (D2).
    #[error("the operation requires a token with the scope {0}")]
    ScopeNeeded(Scope),
    /// The partner requested a scope that the operator has not enabled for it (D7).
    #[error("the scope {0} is not enabled for this partner")]
    ScopeNotEnabled(Scope),
    /// The token is valid, but the operator has not allowed the partner this operation (D8, D9).
    #[error("{0}")]
    NotPermitted(&'static str),
    /// The partner has used up its tokens of the last hour (D6).
    #[error("the partner has used up its tokens of the last hour")]
    TooManyTokens {
        /// When the partner can get the next token.
        free_at: Timestamp,
    },
    /// A limit is reached, and the request can succeed later.
    #[error("{limit}")]
    LimitReached {
        /// Sentence that names the limit.
        limit: String,
        /// Seconds until the request can succeed.
        retry_after: u64,
    },
    /// The record does not exist, or belongs to another partner (D3).
    #[error("unknown {what}")]
    Unknown {
        /// Kind of record, such as `proposal`.
        what: &'static str,
        /// Requested id. Empty if the caller gave no readable id.
        id: String,
    },
    /// The record's status does not allow the requested status change.
    #[error("{0}")]
    Refused(RefusedMove),
    /// The product's rules do not allow a policy on this day (D61).
    #[error("{}", in_one_line(.0))]
    AgainstRules(Faults),
    /// The policy cannot be cancelled (D68).
    #[error("{0}")]
    NotCancellable(NotCancellable),
    /// The policy cannot be endorsed in this way (D89).
    #[error("{0}")]
    NotEndorsable(NotEndorsable),
    /// The policy cannot be renewed (D91).
    #[error("{0}")]
    NotRenewable(NotRenewable),
    /// The policy's premium has not been received (D63).
    #[error("{0}")]
    PremiumDue(PremiumDue),
    /// An insurer whose price is needed did not answer.
    #[error("an insurer gave no answer")]
    InsurerUnavailable,
    /// The request conflicts with the current state.
    #[error("{0}")]
    Conflict(Conflict),
    /// The input is too large. The text names the limit.
    #[error("{0}")]
    TooLarge(String),
    /// The first bytes of a claim's document do not match its declared media type.
    #[error("the content of a claim document is not {0}")]
    OtherType(&'static str),
    /// The operator's virus scanner refused a claim's document.
    #[error("the virus scanner refused a claim document")]
    Infected,
    /// The idempotency key was used before with another body (D36).
    #[error("the idempotency key was used before with another body")]
    KeyReused,
    /// The signed address has expired.
    #[error("the signed address has expired")]
    LinkExpired,
    /// The store failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A bug, or a state that should be impossible. The caller sees no details.
    #[error("{0}")]
    Internal(String),
}

vocabulary! {
    /// Machine-readable reason why a request conflicts with the current state.
    ConflictReason, "a reason for a conflict" {
        /// The record's state does not allow the operation.
        State = "STATE",
        /// The amount differs from the expected one. A new quote has the current amount.
        AmountChanged = "AMOUNT_CHANGED",
        /// The record was changed at the same time. The same request can be sent again.
        ChangedMeanwhile = "CHANGED_MEANWHILE",
        /// The same record was made before. The error's detail names that record.
        MadeBefore = "MADE_BEFORE",
        /// This service does not offer the operation for this product, or for imported records.
        NotOffered = "NOT_OFFERED",
        /// The number of records has reached its limit.
        LimitReached = "LIMIT_REACHED",
    }
}

/// Conflict of a request with the current state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    pub reason: ConflictReason,
    /// Sentence that says what conflicts, for the caller.
    pub detail: String,
}

impl std::fmt::Display for Conflict {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(&self.detail)
    }
}

impl Error {
    /// A conflict with the state of a record.
    pub fn conflict(detail: String) -> Self {
        Error::conflict_of(ConflictReason::State, detail)
    }

    pub(crate) fn conflict_of(reason: ConflictReason, detail: String) -> Self {
        Error::Conflict(Conflict { reason, detail })
    }

    /// Conflict with an open endorsement, which must be decided before the policy can change.
    pub(crate) fn endorsement_waits(open: &Endorsement) -> Self {
        let (number, kind) = (open.number, open.change.kind());
        Error::conflict(format!("Endorsement {number} of the policy ({kind}) must be decided first."))
    }

    /// Invalid input with a single fault.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Error::Invalid(Faults::one(field, message))
    }
}

/// Messages of the faults, joined by spaces.
fn in_one_line(Faults(faults): &Faults) -> String {
    faults.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>().join(" ")
}
