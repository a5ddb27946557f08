//! The register of complaints.

use domain::complaint::{Complaint, ComplaintAnswer, ComplaintKind};
use domain::date::Date;
use domain::id::PolicyId;
use domain::person::PersonalLine;
use ports::storage::Storage;

use crate::sample::{id, now};

fn line(text: &str) -> PersonalLine {
    PersonalLine::kept(text.into())
}

/// Complaint that must be answered by a day of November 2026.
pub fn complaint(policy: Option<PolicyId>, answer_by: i8) -> Complaint {
    Complaint {
        id: id(),
        partner: policy.map(|_| id()),
        policy,
        kind: ComplaintKind::Refund,
        received_on: Date::constant(2026, 11, 1),
        created_at: now(),
        answer_by: Date::constant(2026, 11, answer_by),
        from: line("Asha, 9876543210"),
        text: line("Where is my refund?"),
        answer: None,
    }
}

pub fn answered(complaint: &Complaint) -> Complaint {
    let answer = ComplaintAnswer {
        answered_on: Date::constant(2026, 11, 20),
        noted_at: now(),
        upheld: true,
        text: line("It was paid today."),
    };
    Complaint { answer: Some(answer), ..complaint.clone() }
}

pub async fn a_complaint_can_be_answered_only_once(store: &dyn Storage) {
    // D88
    let (late, early) = (complaint(Some(id()), 15), complaint(None, 12));
    store.keep_complaint(&late).await.unwrap();
    store.keep_complaint(&early).await.unwrap();
    assert_eq!(store.complaint(late.id).await.unwrap().as_ref(), Some(&late));
    assert_eq!(store.complaint(id()).await.unwrap(), None);
    assert_eq!(store.open_complaints(9).await.unwrap(), [early.clone(), late.clone()], "by their days");
    assert_eq!(store.complaints(1).await.unwrap(), std::slice::from_ref(&early), "the newest");
    let answered = answered(&late);
    assert!(store.answer_complaint(&answered).await.unwrap());
    assert!(!store.answer_complaint(&answered).await.unwrap(), "once");
    assert_eq!(store.complaint(late.id).await.unwrap().as_ref(), Some(&answered));
    let (of, policy) = (late.partner.unwrap(), late.policy.unwrap());
    assert_eq!(store.complaints_about(of, policy).await.unwrap(), [answered]);
    assert_eq!(store.complaints_about(of, id()).await.unwrap(), []);
    assert_eq!(store.open_complaints(9).await.unwrap(), [early]);
}
