//! Complaints of customers: what came, by when it is to be answered, and the answer (D88).

use crate::date::{Date, Timestamp};
use crate::id::{ComplaintId, PartnerId, PolicyId};
use crate::person::PersonalLine;
use crate::text::vocabulary;

vocabulary! {
    /// What a complaint is about.
    ComplaintKind, "one of SALE, POLICY, PREMIUM, REFUND, CLAIM, SERVICE, OTHER" {
        /// How it was sold.
        Sale = "SALE",
        /// The policy or its certificate.
        Policy = "POLICY",
        /// A premium or a payment.
        Premium = "PREMIUM",
        /// A refund that does not come.
        Refund = "REFUND",
        Claim = "CLAIM",
        /// How somebody was treated.
        Service = "SERVICE",
        /// Anything else.
        Other = "OTHER",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    pub id: ComplaintId,
    /// Whose customer complains. `None` where no policy is named.
    pub partner: Option<PartnerId>,
    /// The policy that it is about, where it is about one.
    pub policy: Option<PolicyId>,
    /// What it is about.
    pub kind: ComplaintKind,
    /// The day on which it came, in Asia/Kolkata: its clock begins.
    pub received_on: Date,
    /// When it was put into the register.
    pub created_at: Timestamp,
    /// The day by which it is to be answered.
    pub answer_by: Date,
    /// Who complains, and how they are reached.
    pub from: PersonalLine,
    /// What they say.
    pub text: PersonalLine,
    /// The answer, once there is one.
    pub answer: Option<ComplaintAnswer>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComplaintAnswer {
    /// The day on which it was answered, in Asia/Kolkata.
    pub answered_on: Date,
    /// When that was noted.
    pub noted_at: Timestamp,
    /// Whether it was found right.
    pub upheld: bool,
    /// What was answered.
    pub text: PersonalLine,
}

impl Complaint {
    /// Whether it should have been answered by a day, and was not, or was answered later.
    pub fn is_late(&self, today: Date) -> bool {
        self.answer.as_ref().map_or(today, |answer| answer.answered_on) > self.answer_by
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Uuid;

    #[test]
    fn a_complaint_is_late_once_its_day_is_over_and_stays_so_where_it_was_answered_later() {
        let day = |day| Date::constant(2026, 11, day);
        let line = |text: &str| PersonalLine::kept(text.into());
        let mut complaint = Complaint {
            id: ComplaintId::from_uuid(Uuid::from_u128(1)),
            partner: None,
            policy: None,
            kind: ComplaintKind::Refund,
            received_on: day(1),
            created_at: Timestamp::UNIX_EPOCH,
            answer_by: day(15),
            from: line("Asha, 9876543210"),
            text: line("Where is my refund?"),
            answer: None,
        };
        assert!(!complaint.is_late(day(15)) && complaint.is_late(day(16)));
        let answer = |answered_on| ComplaintAnswer {
            answered_on,
            noted_at: Timestamp::UNIX_EPOCH,
            upheld: true,
            text: line("Paid."),
        };
        complaint.answer = Some(answer(day(15)));
        assert!(!complaint.is_late(day(30)));
        complaint.answer = Some(answer(day(16)));
        assert!(complaint.is_late(day(16)));
    }
}
