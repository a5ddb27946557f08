//! An approval in answers.

use domain::approval::{Approval, ApprovalState};
use domain::date::Timestamp;
use domain::id::ApprovalId;

use crate::act::shown::{answer, words};

answer! {
    /// An action that waits, or waited, for a second operator's approval. The body of its request, which may be
    /// personal, is left out
    struct ApprovalShown {
        /// Id of the approval
        approval_id: ApprovalId,
        /// Action that waits
        act: String,
        /// Record that it changes
        subject: String,
        /// Description of the action
        what: String,
        /// State of the approval
        state: ApprovalState,
        /// Operator who requested it
        #[shown(label = "requested by")]
        asked_by: String,
        /// When it was requested
        #[shown(label = "requested at")]
        asked_at: Timestamp,
        /// When the approval expires
        #[shown(label = "expires")]
        expires_at: Timestamp,
        /// Operator who decided it
        decided_by: Option<String>,
        /// When it was decided
        decided_at: Option<Timestamp>,
        /// Reason of a refusal or a failure
        reason: Option<String>,
    }
}

impl ApprovalShown {
    pub(crate) fn of(approval: &Approval) -> Self {
        let Approval {
            id, act, subject, what, state, asked_by, asked_at, expires_at, decided, reason, ..
        } = approval.clone();
        let (decided_by, decided_at) = decided.unzip();
        ApprovalShown {
            approval_id: id,
            act,
            subject,
            what,
            state,
            asked_by,
            asked_at,
            expires_at,
            decided_by,
            decided_at,
            reason,
        }
    }
}

words!(ApprovalState);
