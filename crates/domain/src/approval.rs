//! Acts that wait for a second operator.

use crate::date::Timestamp;
use crate::id::ApprovalId;
use crate::text::vocabulary;

vocabulary! {
    /// Where an approval stands.
    ApprovalState, "one of waiting, approved, done, failed, refused, withdrawn" {
        Waiting = "waiting",
        /// It was approved. Whether the act was done is not known yet, or never will be, if the process ended.
        Approved = "approved",
        Done = "done",
        /// It was approved, and the act was refused, for example because its record was changed meanwhile.
        Failed = "failed",
        Refused = "refused",
        /// The operator who asked for it withdrew it.
        Withdrawn = "withdrawn",
    }
}

/// An act that an operator asked for, and that another one must approve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    pub id: ApprovalId,
    /// The act, such as `refund.paid`.
    pub act: String,
    /// Names of its path with their values.
    pub path: Vec<(String, String)>,
    /// Its query or its body, as it came.
    pub body: String,
    /// The id of the record that it is about. If there is none: the act and the operator who asked for it.
    pub subject: String,
    /// The version of the record when it was asked for.
    pub subject_version: String,
    /// What it does, for a person.
    pub what: String,
    /// Who asked for it: an operator's id, or the users of the server's machine, who count as one person.
    pub asked_by: String,
    pub asked_at: Timestamp,
    pub expires_at: Timestamp,
    pub state: ApprovalState,
    /// Who decided it, and when.
    pub decided: Option<(String, Timestamp)>,
    /// Why it was refused or failed.
    pub reason: Option<String>,
    /// Counts the changes. 0: not kept yet.
    pub version: u32,
}

impl Approval {
    /// Whether it can still be decided.
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.state == ApprovalState::Waiting && now < self.expires_at
    }
}
