//! Acts that wait for a second operator (D121).

use std::sync::Arc;
use std::time::Duration;

use domain::approval::{Approval, ApprovalState};
use domain::id::ApprovalId;
use domain::team::Role;

use super::TeamService;
use crate::acting;
use crate::error::{Error, Result};
use crate::shared::Shared;

/// How long an approval waits.
pub const APPROVAL_LIFETIME: Duration = Duration::from_secs(72 * 3600);

/// Approvals of a record that are shown with it.
const MOST_OF_A_RECORD: usize = 20;

/// What an operator asks a second operator to approve.
pub struct NewApproval {
    pub act: &'static str,
    pub path: Vec<(String, String)>,
    pub body: String,
    pub subject: String,
    pub subject_version: String,
    pub what: String,
}

impl NewApproval {
    /// Whether an approval is for the same, by the same.
    fn is_asked_by(&self, there: &Approval, by: &str) -> bool {
        there.act == self.act && there.path == self.path && there.body == self.body && there.asked_by == by
    }
}

/// Keeps acts that wait for a second operator. The current identity is the one that asks or decides.
pub struct ApprovalService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) team: Arc<TeamService>,
}

impl ApprovalService {
    /// Whether another operator could approve an act of these roles. If there is only one operator, acts are done at once.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn has_second(&self, roles: &[Role]) -> Result<bool> {
        let asks = acting::current().actor().person();
        let team = self.team.list().await?;
        let could = |one: &domain::team::TeamMember| {
            one.is_active() && !one.passkeys.is_empty() && one.has_any(roles) && one.id.to_string() != asks
        };
        Ok(team.iter().any(could))
    }

    /// Asks for an approval. The same again, while it waits, is the same approval.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn ask(&self, new: NewApproval) -> Result<Approval> {
        let now = self.team.now();
        let asked_by = acting::current().actor().person();
        let there = self.of_record(&new.subject).await?;
        if there.len() >= MOST_OF_A_RECORD {
            return Err(Error::conflict(
                "Too many approvals wait for this: decide or withdraw some first.".into(),
            ));
        }
        if let Some(there) = there.into_iter().find(|there| new.is_asked_by(there, &asked_by)) {
            return Ok(there);
        }
        let NewApproval { act, path, body, subject, subject_version, what } = new;
        let approval = Approval {
            id: self.shared.ids.make(),
            act: act.to_owned(),
            path,
            body,
            subject,
            subject_version,
            what,
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

    /// Takes the approval of an act that gives a file, if the current operator has one. It is good once.
    ///
    /// # Errors
    /// [`Error::Conflict`] if it was taken meanwhile.
    pub async fn take_granted(&self, new: &NewApproval) -> Result<bool> {
        let (state, of) = (ApprovalState::Approved, Some(new.subject.as_str()));
        let all = self.shared.storage.approvals(state, of, self.team.now(), MOST_OF_A_RECORD).await?;
        let asked_by = acting::current().actor().person();
        let granted = all
            .into_iter()
            .find(|there| there.state == ApprovalState::Approved && new.is_asked_by(there, &asked_by));
        match granted {
            Some(granted) => {
                let _ = acting::current().approval.set(granted.id.to_string());
                self.finish(granted, None).await.map(|_| true)
            }
            None => Ok(false),
        }
    }

    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find(&self, id: ApprovalId) -> Result<Approval> {
        let found = self.shared.storage.approval(id).await?;
        found.ok_or_else(|| Error::Unknown { what: "approval", id: id.to_string() })
    }

    /// Approvals that wait for a decision, those of a record if one is named, the newest first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn waiting(&self, subject: Option<&str>, most: usize) -> Result<Vec<Approval>> {
        let now = self.team.now();
        Ok(self.shared.storage.approvals(ApprovalState::Waiting, subject, now, most).await?)
    }

    /// Approvals of a record that wait.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn of_record(&self, subject: &str) -> Result<Vec<Approval>> {
        self.waiting(Some(subject), MOST_OF_A_RECORD).await
    }

    /// Decides an approval. The operator who asked for it can only withdraw it. Only they can withdraw it.
    ///
    /// # Errors
    /// [`Error::NotPermitted`]; [`Error::Conflict`] if it was decided or expired meanwhile: it says by whom.
    pub async fn decide(
        &self,
        id: ApprovalId,
        state: ApprovalState,
        reason: Option<String>,
    ) -> Result<Approval> {
        let approval = self.find(id).await?;
        let (by, now) = (acting::current().actor().person(), self.team.now());
        let is_own = approval.asked_by == by;
        if is_own != (state == ApprovalState::Withdrawn) {
            return Err(Error::NotPermitted(match is_own {
                true => "You asked for this: another operator decides it. You can withdraw it.",
                false => "Only who asked for this can withdraw it: you can refuse it.",
            }));
        }
        if !approval.is_open(now) {
            return Err(decided(&approval));
        }
        let next = Approval { state, reason, decided: Some((by, now)), ..approval };
        match self.shared.storage.keep_approval(&next).await? {
            true => Ok(Approval { version: next.version + 1, ..next }),
            false => Err(decided(&self.find(id).await?)),
        }
    }

    /// Notes what became of an approved act.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn finish(&self, approval: Approval, failed: Option<String>) -> Result<Approval> {
        let state = if failed.is_none() { ApprovalState::Done } else { ApprovalState::Failed };
        self.keep(Approval { state, reason: failed, ..approval }).await
    }

    async fn keep(&self, approval: Approval) -> Result<Approval> {
        match self.shared.storage.keep_approval(&approval).await? {
            true => Ok(Approval { version: approval.version + 1, ..approval }),
            false => Err(Error::conflict(format!("{} was changed meanwhile.", approval.id))),
        }
    }
}

/// The error that an approval is already decided, and by whom.
fn decided(approval: &Approval) -> Error {
    Error::conflict(match &approval.decided {
        Some((by, at)) => format!("{} is {}, since {by} decided it at {at}.", approval.id, approval.state),
        None => format!("{} expired at {}.", approval.id, approval.expires_at),
    })
}
