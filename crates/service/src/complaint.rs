//! Complaints of customers: put into the register, and answered in time (D88).

use std::sync::Arc;

use domain::complaint::{Complaint, ComplaintAnswer, ComplaintKind};
use domain::date::{Date, day_of, days_later};
use domain::id::{ComplaintId, PolicyId};
use domain::person::PersonalLine;

use crate::error::{Error, Result};
use crate::policy::PolicyService;
use crate::shared::Shared;

/// A complaint, as somebody notes it.
#[derive(Debug, Clone)]
pub struct NewComplaint {
    /// The policy that it is about, where it is about one.
    pub policy: Option<PolicyId>,
    /// What it is about.
    pub kind: ComplaintKind,
    /// The day on which it came; `None`: today.
    pub received_on: Option<Date>,
    /// Who complains, and how they are reached.
    pub from: PersonalLine,
    /// What they say.
    pub text: PersonalLine,
}

/// A complaint as it stands on a day.
#[derive(Debug, Clone)]
pub struct ComplaintShown {
    pub complaint: Complaint,
    /// The day, in Asia/Kolkata.
    pub today: Date,
}

impl ComplaintShown {
    /// Whether it should have been answered by now, or was answered too late.
    pub fn is_late(&self) -> bool {
        self.complaint.is_late(self.today)
    }
}

/// Keeps the register of complaints.
pub struct ComplaintService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
}

impl ComplaintService {
    /// Puts a complaint into the register. Its clock begins on the day on which it came.
    ///
    /// # Errors
    /// [`Error::Unknown`] for its policy; [`Error::Invalid`] for a day that is still to come; [`Error::Conflict`] where the
    /// catalogue has no clock.
    pub async fn add(&self, new: NewComplaint) -> Result<Complaint> {
        let now = self.shared.clock.now();
        let today = day_of(now);
        let received_on = new.received_on.unwrap_or(today);
        if received_on > today {
            let message = "Must be the day on which the complaint came, not a later one than today.";
            return Err(Error::invalid("received_on", message));
        }
        let catalogue = self.shared.catalogues.running();
        let no_rules = || {
            Error::conflict(
                "The catalogue has no complaints.toml, which says by when complaints are answered.".into(),
            )
        };
        let rules = catalogue.complaints().ok_or_else(no_rules)?;
        let partner = match new.policy {
            Some(policy) => Some(self.policies.live_owner(policy).await?),
            None => None,
        };
        let complaint = Complaint {
            id: self.shared.ids.make_at(now),
            partner,
            policy: new.policy,
            kind: new.kind,
            received_on,
            created_at: now,
            answer_by: days_later(received_on, rules.answer_within_days).unwrap_or(received_on),
            from: new.from,
            text: new.text,
            answer: None,
        };
        self.shared.storage.keep_complaint(&complaint).await?;
        tracing::info!(complaint.id = %complaint.id, complaint.kind = %complaint.kind, "complaint {} is in the register", complaint.id);
        Ok(complaint)
    }

    /// Complaints that are not answered, the one that is due first before the others; at most `most`.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn open(&self, most: usize) -> Result<Vec<ComplaintShown>> {
        Ok(self.shown(self.shared.storage.open_complaints(most).await?))
    }

    /// Complaints, newest first; at most `most`.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn all(&self, most: usize) -> Result<Vec<ComplaintShown>> {
        Ok(self.shown(self.shared.storage.complaints(most).await?))
    }

    fn shown(&self, complaints: Vec<Complaint>) -> Vec<ComplaintShown> {
        let today = day_of(self.shared.clock.now());
        complaints.into_iter().map(|complaint| ComplaintShown { complaint, today }).collect()
    }

    /// A complaint.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find(&self, id: ComplaintId) -> Result<ComplaintShown> {
        let unknown = || Error::Unknown { what: "complaint", id: id.to_string() };
        let complaint = self.shared.storage.complaint(id).await?.ok_or_else(unknown)?;
        Ok(ComplaintShown { complaint, today: day_of(self.shared.clock.now()) })
    }

    /// Notes the answer to a complaint; once. Gives whom the customer turns to next, where the catalogue says it.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Invalid`] for a day before the complaint or after today; [`Error::Conflict`] where it was
    /// answered before.
    pub async fn answer(
        &self,
        id: ComplaintId,
        upheld: bool,
        text: PersonalLine,
        answered_on: Option<Date>,
    ) -> Result<(ComplaintShown, Option<String>)> {
        let ComplaintShown { mut complaint, today } = self.find(id).await?;
        let answered_on = answered_on.unwrap_or(today);
        if answered_on > today || answered_on < complaint.received_on {
            let message = "Must be the day of the answer: from the day of the complaint until today.";
            return Err(Error::invalid("answered_on", message));
        }
        let before = || Error::conflict(format!("{id} was answered before."));
        if complaint.answer.is_some() {
            return Err(before());
        }
        complaint.answer =
            Some(ComplaintAnswer { answered_on, noted_at: self.shared.clock.now(), upheld, text });
        if !self.shared.storage.answer_complaint(&complaint).await? {
            return Err(before());
        }
        let next = self.shared.catalogues.running().complaints().and_then(|rules| rules.next.clone());
        Ok((ComplaintShown { complaint, today }, next))
    }
}
