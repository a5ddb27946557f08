//! Tests notices about policies over HTTP (D90).

use std::sync::Arc;

use domain::cancellation::{Cancellation, CancellationReason};
use domain::credit_life::CreditLife;
use domain::date::{Date, Timestamp};
use domain::id::{PolicyId, Uuid};
use domain::policy::{CheckCode, IssueTerms, Policy};
use domain::proposal::Actor;
use domain::refund::OwedRefund;
use insurers::mock::MockSettings;
use serde_json::{Value, json};
use service::insurer::{Insurer, InsurerFault, NoticeEvent, PolicyNotice, Submission};
use service::line::{Covered, SoldLine};

use crate::proposals::proposal;
use crate::support::*;

pub(crate) fn policy() -> Policy {
    let terms = IssueTerms {
        id: PolicyId::from_uuid(Uuid::from_u128(7)),
        check: CheckCode([1; 16]),
        number_prefix: "TST".into(),
        insurer_number: None,
        settlement: "Deducted from the loan.".into(),
        grace_days: None,
    };
    let at: Timestamp = "2026-11-20T06:30:00Z".parse().expect("an instant");
    Policy::issue(&proposal(7), terms, at).expect("within the calendar")
}

fn covered(policy: &Policy) -> Covered {
    CreditLife::covered(policy, Some(&proposal(7)), Some(&catalogue())).expect("of the catalogue")
}

pub(crate) async fn tell(
    insurer: &Arc<dyn Insurer>,
    policy: &Policy,
    event: NoticeEvent<'_>,
    id: &str,
) -> Result<(), InsurerFault> {
    let notice = PolicyNotice {
        id: id.to_owned(),
        event,
        at: policy.issued_at,
        policy,
        covered: &covered(policy),
        submission: Some(Submission::CreditLife(&proposal(7))),
    };
    insurer.tell(notice, AMPLE).await
}

#[tokio::test]
async fn the_notice_of_a_new_policy_contains_its_proposal_and_is_taken_only_once() {
    let (ours, served) = (OurSide::new(), serve(MockSettings::default()));
    let (insurer, policy) = (ours.insurer(&served.url), policy());
    let id = format!("NEW-{}", policy.id);
    for _ in 0..2 {
        assert_eq!(tell(&insurer, &policy, NoticeEvent::Issued, &id).await, Ok(()));
    }
    let [notice] = &served.mock.notices()[..] else { panic!("{:?}", served.mock.notices()) };
    assert_eq!((&notice["notice_id"], &notice["event"]), (&json!(id), &json!("NEW")));
    let told = &notice["policy"];
    assert_eq!(
        (&told["certificate_number"], &told["sum_insured"], &told["status"]),
        (&json!(policy.number.as_str()), &json!("500000.00"), &json!("ISSUED"))
    );
    assert_eq!(told["premium"]["total_premium"], "1180.00");
    assert_eq!(told["cover_ends"], policy.last_day().to_string());
    assert_eq!(notice["proposal"]["insured_members"][0]["first_name"], "Asha");
    assert_eq!((&notice["claim"], &notice["health_proposal"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn the_notice_of_a_cancellation_contains_the_refund_but_no_proposal() {
    let (ours, served) = (OurSide::new(), serve(MockSettings::default()));
    let (insurer, policy) = (ours.insurer(&served.url), policy());
    let cancellation = Cancellation {
        reason: CancellationReason::Duplicate,
        asked_by: Actor::Partner,
        asked_at: policy.issued_at,
        refund: OwedRefund {
            amount: policy.premium,
            due_on: Date::constant(2026, 11, 27),
            late_interest: 775,
            paid: None,
            to_deposit: domain::money::Rupees::ZERO,
            bounced: None,
        },
        confirmed_at: Some(policy.issued_at),
        claimed_since: None,
    };
    let id = format!("CANCEL-{}", policy.id);
    assert_eq!(tell(&insurer, &policy, NoticeEvent::Cancelled(&cancellation), &id).await, Ok(()));
    let notice = &served.mock.notices()[0];
    assert_eq!(
        notice["cancellation"],
        json!({
            "reason": "DUPLICATE", "effective_on": "2026-11-20", "refund_due_on": "2026-11-27",
            "refund": { "base_premium": "1000.00", "gst": "180.00", "total_premium": "1180.00" },
        })
    );
    assert_eq!(notice["proposal"], Value::Null);
}

#[tokio::test]
async fn a_wrong_or_missing_acknowledgement_of_a_notice_is_a_failure() {
    let policy = policy();
    let id = format!("NEW-{}", policy.id);
    for answer in [
        json!({ "notice_id": "NEW-other", "acknowledged": true }),
        json!({ "notice_id": id, "acknowledged": false }),
        json!({ "notice_id": id }),
        json!({}),
    ] {
        let (_, url) = Scripted::serve([crate::support::json(answer.to_string())]);
        let told = tell(&OurSide::new().insurer(&url), &policy, NoticeEvent::Issued, &id).await;
        assert!(matches!(told, Err(InsurerFault::Failed(_))), "{answer}: {told:?}");
    }
}
