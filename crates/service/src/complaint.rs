//! Register of customers' complaints, which must be answered in time (D88).

use std::sync::Arc;

use domain::complaint::{Complaint, ComplaintAnswer, ComplaintKind};
use domain::date::{Date, day_of, days_later};
use domain::id::{ComplaintId, PolicyId};
use domain::person::PersonalLine;

use crate::error::{Error, Result};
use crate::policy::PolicyService;
use crate::shared::Shared;

/// Complaint to enter into the register.
#[derive(Debug, Clone)]
pub struct NewComplaint {
    /// Policy that the complaint is about, if any.
    pub policy: Option<PolicyId>,
    pub kind: ComplaintKind,
    /// Day of receipt. `None` means today.
    pub received_on: Option<Date>,
    /// Complainant's name and contact.
    pub from: PersonalLine,
    /// Complainant's words.
    pub text: PersonalLine,
}

/// Complaint with today's date, so that its deadline can be judged.
#[derive(Debug, Clone)]
pub struct ComplaintShown {
    pub complaint: Complaint,
    /// Today's date in Asia/Kolkata.
    pub today: Date,
}

impl ComplaintShown {
    /// Whether the answer is overdue, or came too late.
    pub fn is_late(&self) -> bool {
        self.complaint.is_late(self.today)
    }
}

/// Manages the register of complaints.
pub struct ComplaintService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
}

impl ComplaintService {
    /// Enters a complaint into the register. The time to answer runs from the day of receipt.
    ///
    /// # Errors
    /// [`Error::Unknown`] for an unknown policy; [`Error::Invalid`] for a future day; [`Error::Conflict`] if
    /// the catalogue has no `complaints.toml`.
    pub async fn add(&self, new: NewComplaint) -> Result<Complaint> {
        let now = self.shared.clock.now();
        let today = day_of(now);
        let received_on = new.received_on.unwrap_or(today);
        if received_on > today {
            let message = "Must be the day on which the complaint was received: today or earlier.";
            return Err(Error::invalid("received_on", message));
        }
        let catalogue = self.shared.catalogues.running();
        let no_rules = || {
            Error::conflict(
                "The catalogue has no complaints.toml, which sets the days for an answer. Add this file first."
                    .into(),
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
        tracing::info!(complaint.id = %complaint.id, complaint.kind = %complaint.kind, "complaint {} was added to the register", complaint.id);
        Ok(complaint)
    }

    /// Complaints without an answer, earliest due first, at most `most`.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn open(&self, most: usize) -> Result<Vec<ComplaintShown>> {
        Ok(self.shown(self.shared.storage.open_complaints(most).await?))
    }

    /// All complaints, newest first, at most `most`.
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

    /// Complaint by its id.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find(&self, id: ComplaintId) -> Result<ComplaintShown> {
        let unknown = || Error::Unknown { what: "complaint", id: id.to_string() };
        let complaint = self.shared.storage.complaint(id).await?.ok_or_else(unknown)?;
        Ok(ComplaintShown { complaint, today: day_of(self.shared.clock.now()) })
    }

    /// Records the answer to a complaint, once. Also returns to whom the customer can turn next, if the
    /// catalogue names it.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Invalid`] for a day before the complaint or after today;
    /// [`Error::Conflict`] if the complaint was answered before.
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
            let message =
                "Must be the day of the answer: not before the day of the complaint, and not after today.";
            return Err(Error::invalid("answered_on", message));
        }
        let before = || Error::conflict(format!("{id} was already answered."));
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
