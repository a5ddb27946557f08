//! Operators' actions that wait for a second operator's approval (D121).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use domain::approval::{Approval, ApprovalFact, ApprovalState};
use domain::id::ApprovalId;
use domain::team::{GIVEN_FOR, Role};

use super::{APPROVALS_KEPT, TeamService};
use crate::acting;
use crate::error::{Error, Result};
use crate::shared::Shared;

/// How long an action waits for a second operator's decision.
pub const APPROVAL_LIFETIME: Duration = Duration::from_secs(72 * 3600);

/// Most approvals for one record that are read.
const MOST_OF_A_RECORD: usize = 20;

/// Most approvals that one operator may wait for at once.
const MOST_OF_A_REQUESTER: usize = 20;

/// Time after which an approved action that has not ended was interrupted.
const LONGEST_ACTION: Duration = Duration::from_secs(60);

/// Most interrupted actions that are found at once.
const MOST_INTERRUPTED: usize = 1000;

/// Action for which an operator requests a second operator's approval.
pub struct NewApproval {
    pub act: &'static str,
    pub path: Vec<(String, String)>,
    pub body: String,
    pub subject: String,
    /// Whether the subject is a record, so that only one approval of this act may wait for it.
    pub has_record: bool,
    pub subject_version: String,
    pub what: String,
    pub facts: Vec<ApprovalFact>,
}

impl NewApproval {
    /// Whether an existing approval is for the same action, requested by the same operator.
    fn is_asked_by(&self, there: &Approval, by: &str) -> bool {
        there.act == self.act && there.path == self.path && there.body == self.body && there.asked_by == by
    }
}

/// Stores actions that wait for a second operator. The operator who sent the current request asks for an
/// approval or decides it.
pub struct ApprovalService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) team: Arc<TeamService>,
}

impl ApprovalService {
    /// Whether another operator with one of these roles could approve an action of `asks`, or could until their access
    /// was taken within [`GIVEN_FOR`]. If there is none, the action is done at once.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn has_second(&self, asks: &str, roles: &[Role]) -> Result<bool> {
        let since = self.team.now() - GIVEN_FOR;
        let team = self.team.list().await?;
        Ok(team.iter().any(|one| one.id.to_string() != asks && one.counts_as_approver(roles, since)))
    }

    /// Withdraws everything that a person requested and that waits, because their access was taken.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn void(&self, person: &str) -> Result<()> {
        for approval in self.waiting(None, MOST_INTERRUPTED).await? {
            if approval.asked_by == person {
                let reason = Some("The requester lost access.".to_owned());
                let by = acting::current().actor().person();
                let (state, decided) = (ApprovalState::Withdrawn, Some((by, self.team.now())));
                self.keep(Approval { state, decided, reason, ..approval }).await?;
            }
        }
        Ok(())
    }

    /// Whether `giver` gave a person access within [`GIVEN_FOR`], also over other people.
    async fn is_given_by(&self, giver: &str, person: &str) -> Result<bool> {
        let since = self.team.now() - GIVEN_FOR;
        let team = self.team.list().await?;
        let (mut seen, mut next) = (BTreeSet::new(), vec![person.to_owned()]);
        while let Some(person) = next.pop() {
            let of = team.iter().find(|one| one.id.to_string() == person);
            let access = of.and_then(|one| one.access.as_ref()).filter(|access| access.at >= since);
            for by in access.into_iter().flat_map(|access| &access.given_by) {
                if by == giver {
                    return Ok(true);
                }
                if seen.insert(by.clone()) {
                    next.push(by.clone());
                }
            }
        }
        Ok(false)
    }

    /// Requests an approval. If the same request already waits, its approval is returned.
    ///
    /// # Errors
    /// [`Error::Storage`]; [`Error::Conflict`] if another approval of this act waits for the record, or if too many
    /// approvals of the requester wait.
    pub async fn ask(&self, new: NewApproval) -> Result<Approval> {
        let now = self.team.now();
        let asked_by = acting::current().actor().person();
        let there = self.of_record(&new.subject).await?;
        let other = there.iter().find(|there| new.has_record && there.act == new.act).map(|there| there.id);
        if let Some(there) = there.into_iter().find(|there| new.is_asked_by(there, &asked_by)) {
            return Ok(there);
        }
        if let Some(other) = other {
            return Err(Error::conflict(format!(
                "{other} already waits for {} of this record. Decide or withdraw it first.",
                new.act
            )));
        }
        let all = self.waiting(None, MOST_INTERRUPTED).await?;
        if all.iter().filter(|there| there.asked_by == asked_by).count() >= MOST_OF_A_REQUESTER {
            return Err(Error::conflict(format!(
                "You wait for {MOST_OF_A_REQUESTER} approvals. Withdraw some first."
            )));
        }
        let NewApproval { act, path, body, subject, subject_version, what, facts, .. } = new;
        let approval = Approval {
            id: self.shared.ids.make(),
            act: act.to_owned(),
            path,
            body,
            subject,
            subject_version,
            what,
            facts,
            asked_by,
            asked_at: now,
            expires_at: now + APPROVAL_LIFETIME,
            state: ApprovalState::Waiting,
            decided: None,
            reason: None,
            version: 0,
        };
        self.keep(approval).await
    }

    /// The approval that the current operator has for an action that only its requester may do, if any. It is valid once,
    /// so the action's first transaction must also end it.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn granted(&self, new: &NewApproval) -> Result<Option<Approval>> {
        let (state, of) = (ApprovalState::Approved, Some(new.subject.as_str()));
        let all = self.shared.storage.approvals(state, of, self.team.now(), MOST_OF_A_RECORD).await?;
        let asked_by = acting::current().actor().person();
        let is_it = |there: &Approval| {
            there.state == state
                && there.subject_version == new.subject_version
                && new.is_asked_by(there, &asked_by)
        };
        Ok(all.into_iter().find(is_it))
    }

    /// Approval by its id.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find(&self, id: ApprovalId) -> Result<Approval> {
        let found = self.shared.storage.approval(id).await?;
        found.ok_or_else(|| Error::Unknown { what: "approval", id: id.to_string() })
    }

    /// Approvals that wait for a decision, newest first. If `subject` is given, only approvals for that
    /// record.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn waiting(&self, subject: Option<&str>, most: usize) -> Result<Vec<Approval>> {
        let now = self.team.now();
        Ok(self.shared.storage.approvals(ApprovalState::Waiting, subject, now, most).await?)
    }

    /// Approvals that wait for a decision about a record.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn of_record(&self, subject: &str) -> Result<Vec<Approval>> {
        self.waiting(Some(subject), MOST_OF_A_RECORD).await
    }

    /// Decides an approval. The operator who requested it can only withdraw it. Other operators can only
    /// approve or refuse it.
    ///
    /// # Errors
    /// [`Error::NotPermitted`]; [`Error::Conflict`] if it was already decided, or has expired. The message
    /// says who decided it.
    pub async fn decide(
        &self,
        id: ApprovalId,
        state: ApprovalState,
        reason: Option<String>,
    ) -> Result<Approval> {
        let (by, now) = (acting::current().actor().person(), self.team.now());
        let approval = self.judge(id, state).await?;
        let next = Approval { state, reason, decided: Some((by, now)), ..approval };
        match self.shared.storage.keep_approval(&next).await? {
            true => Ok(Approval { version: next.version + 1, ..next }),
            false => Err(decided(&self.find(id).await?)),
        }
    }

    /// The approval, if the operator who sent the current request may give it this state.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::NotPermitted`]; [`Error::Conflict`] if it is decided or has expired.
    pub async fn judge(&self, id: ApprovalId, state: ApprovalState) -> Result<Approval> {
        let approval = self.find(id).await?;
        let (by, now) = (acting::current().actor().person(), self.team.now());
        let is_own = approval.asked_by == by;
        if is_own != (state == ApprovalState::Withdrawn) {
            return Err(Error::NotPermitted(match is_own {
                true => "You requested this, so another operator must decide it. You can withdraw it.",
                false => "Only the operator who requested this can withdraw it. You can refuse it.",
            }));
        }
        if !approval.is_open(now) {
            return Err(decided(&approval));
        }
        if state == ApprovalState::Approved && self.is_given_by(&approval.asked_by, &by).await? {
            return Err(Error::NotPermitted(
                "The requester gave you access, or gave it to somebody who gave it to you, in the last 72 hours. Another operator must decide this.",
            ));
        }
        Ok(approval)
    }

    /// Records the result of an approved action that returns a file, or that failed. Any other action ends its
    /// approval in its own transaction.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn finish(&self, approval: Approval, failed: Option<String>) -> Result<Approval> {
        let state = if failed.is_none() { ApprovalState::Done } else { ApprovalState::Failed };
        self.keep(Approval { state, reason: failed, ..approval }).await
    }

    /// Approvals that were granted some time ago, but whose actions did not end, because their process was killed. Also
    /// those of actions that return a file, which the requester has not fetched.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn interrupted(&self) -> Result<Vec<Approval>> {
        let now = self.team.now();
        let (state, since) = (ApprovalState::Approved, now - APPROVALS_KEPT);
        let all = self.shared.storage.approvals(state, None, since, MOST_INTERRUPTED).await?;
        let is_old =
            |approval: &Approval| approval.decided.as_ref().is_some_and(|(_, at)| *at + LONGEST_ACTION < now);
        Ok(all.into_iter().filter(is_old).collect())
    }

    async fn keep(&self, approval: Approval) -> Result<Approval> {
        match self.shared.storage.keep_approval(&approval).await? {
            true => Ok(Approval { version: approval.version + 1, ..approval }),
            false => Err(Error::conflict(format!("{} was changed meanwhile.", approval.id))),
        }
    }
}

/// Error for an approval that is already decided or has expired.
fn decided(approval: &Approval) -> Error {
    Error::conflict(match &approval.decided {
        Some((by, at)) => format!("{} is already {}: {by} decided it at {at}.", approval.id, approval.state),
        None => format!("{} expired at {}.", approval.id, approval.expires_at),
    })
}
