//! Complaints of customers (D88).
//!
//! Each complaint has a last day for its answer.

use crate::date::{Date, Timestamp};
use crate::id::{ComplaintId, PartnerId, PolicyId};
use crate::person::PersonalLine;
use crate::text::vocabulary;

vocabulary! {
    /// Subject of a complaint.
    ComplaintKind, "one of SALE, POLICY, PREMIUM, REFUND, CLAIM, SERVICE, OTHER" {
        /// How the policy was sold.
        Sale = "SALE",
        /// The policy or its certificate.
        Policy = "POLICY",
        /// A premium or a payment.
        Premium = "PREMIUM",
        /// A refund that was not paid.
        Refund = "REFUND",
        Claim = "CLAIM",
        /// How the customer was treated.
        Service = "SERVICE",
        Other = "OTHER",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    pub id: ComplaintId,
    /// Partner that sold the policy. `None` if the complaint names no policy.
    pub partner: Option<PartnerId>,
    /// Policy that the complaint concerns, if any.
    pub policy: Option<PolicyId>,
    pub kind: ComplaintKind,
    /// Day on which the complaint was received, in Asia/Kolkata. The time to answer starts on this day.
    pub received_on: Date,
    /// When the complaint was entered in the register.
    pub created_at: Timestamp,
    /// Last day to answer the complaint.
    pub answer_by: Date,
    /// Name and contact details of the complainant.
    pub from: PersonalLine,
    /// The complaint in the customer's words.
    pub text: PersonalLine,
    pub answer: Option<ComplaintAnswer>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComplaintAnswer {
    /// Day of the answer, in Asia/Kolkata.
    pub answered_on: Date,
    /// When the answer was entered in the register.
    pub noted_at: Timestamp,
    /// Whether the complaint was justified.
    pub upheld: bool,
    pub text: PersonalLine,
}

impl Complaint {
    /// Whether the answer is overdue on `today`, or was given too late.
    pub fn is_late(&self, today: Date) -> bool {
        self.answer.as_ref().map_or(today, |answer| answer.answered_on) > self.answer_by
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Uuid;

    #[test]
    fn a_complaint_is_late_after_its_last_day_unless_it_was_answered_by_then() {
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
