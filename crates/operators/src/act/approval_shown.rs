//! An approval in answers.

use domain::approval::{Approval, ApprovalFact, ApprovalState};
use domain::date::Timestamp;
use domain::id::ApprovalId;
use web::sight::{Masked, Sight};

use crate::act::names::Names;
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
        /// Facts about the action
        #[shown(columns = ["label", "value"])]
        facts: Vec<FactShown>,
        /// Id of the operator who requested it
        #[shown(hidden = true)]
        asked_by: String,
        /// Name of the operator who requested it
        #[shown(label = "requested by")]
        requester: String,
        /// When it was requested
        #[shown(label = "requested at")]
        asked_at: Timestamp,
        /// When the approval expires
        #[shown(label = "expires")]
        expires_at: Timestamp,
        /// Id of the operator who decided it
        #[shown(hidden = true)]
        decided_by: Option<String>,
        /// Name of the operator who decided it
        #[shown(label = "decided by")]
        approver: Option<String>,
        /// When it was decided
        decided_at: Option<Timestamp>,
        /// Reason of a refusal or a failure
        reason: Option<String>,
    }
}

impl ApprovalShown {
    /// The approval, without personal data.
    pub(crate) fn of(approval: &Approval, names: &Names<'_>) -> Self {
        ApprovalShown::seen(approval, names, &Sight::Masked)
    }

    pub(crate) fn seen(approval: &Approval, names: &Names<'_>, sight: &Sight<'_>) -> Self {
        let fact = |fact: &ApprovalFact| FactShown {
            name: fact.name.clone(),
            label: fact.name.replace('_', " "),
            value: match fact.is_personal {
                true => sight.any(FACTS, &fact.value),
                false => Sight::Partner.any(FACTS, &fact.value),
            },
        };
        let facts = approval.facts.iter().map(fact).collect();
        let Approval {
            id, act, subject, what, state, asked_by, asked_at, expires_at, decided, reason, ..
        } = approval.clone();
        let (decided_by, decided_at) = decided.unzip();
        let (requester, approver) = (names.of(&asked_by), decided_by.as_deref().map(|by| names.of(by)));
        ApprovalShown {
            approval_id: id,
            act,
            subject,
            what,
            state,
            facts,
            asked_by,
            requester,
            asked_at,
            expires_at,
            decided_by,
            approver,
            decided_at,
            reason,
        }
    }
}

/// Name of the personal facts for [`Sight`].
pub(crate) const FACTS: &str = "facts";

answer! {
    /// A fact about an action that waits for approval
    struct FactShown {
        /// Name of the fact
        name: String,
        /// Name for people
        label: String,
        /// Value; personal data is masked unless the caller may decide the approval and see personal data
        value: Masked,
    }
}

words!(ApprovalState);
