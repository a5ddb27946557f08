//! Acts of one operator that wait for the approval of a second operator.

use std::fmt;

use crate::date::Timestamp;
use crate::id::ApprovalId;
use crate::text::vocabulary;

vocabulary! {
    /// Status of a requested approval.
    ApprovalState, "one of waiting, approved, done, failed, refused, withdrawn" {
        Waiting = "waiting",
        /// Approved by a second operator. The act may be running; if the process ended, the act's outcome is
        /// unknown.
        Approved = "approved",
        Done = "done",
        /// Approved, but the act was refused, for example because its record had changed.
        Failed = "failed",
        Refused = "refused",
        /// Withdrawn by the operator who requested the approval.
        Withdrawn = "withdrawn",
    }
}

/// A fact about an act, for the operator who decides it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApprovalFact {
    /// Name of a field of the act, or of a value of its record.
    pub name: String,
    pub value: String,
    /// Whether the value may be about a person.
    pub is_personal: bool,
}

impl fmt::Debug for ApprovalFact {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}: …", self.name)
    }
}

/// An act that one operator requested, and that another operator must approve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    pub id: ApprovalId,
    /// Name of the act, such as `refund.paid`.
    pub act: String,
    /// Names and values of the path parameters of the act's request.
    pub path: Vec<(String, String)>,
    /// Query or body of the act's request, as received.
    pub body: String,
    /// Id of the record that the act concerns. If the act concerns no record: names of the act and of the
    /// requesting operator.
    pub subject: String,
    /// Version of the act's record when the approval was requested.
    pub subject_version: String,
    /// What the act does, in words for a person.
    pub what: String,
    /// What the act concerns and what it was given. If a value is another one at the time of the approval, the act
    /// is refused.
    pub facts: Vec<ApprovalFact>,
    /// Operator id of the requester. All users of the server's machine count as one person.
    pub asked_by: String,
    pub asked_at: Timestamp,
    pub expires_at: Timestamp,
    pub state: ApprovalState,
    /// Operator who approved or refused the act, or withdrew the request, and when.
    pub decided: Option<(String, Timestamp)>,
    /// Why the act was refused or failed.
    pub reason: Option<String>,
    /// Version number; each stored change adds 1. 0: not stored yet.
    pub version: u32,
}

impl Approval {
    /// Whether the approval still waits for a decision and has not expired.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.state == ApprovalState::Waiting && now < self.expires_at
    }
}
