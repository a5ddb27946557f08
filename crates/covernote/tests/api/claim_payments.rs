//! Claims that are paid in several transfers (D153).

use domain::claim::ClaimState;
use domain::id::ClaimId;
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::premium::PaymentReference;
use domain::proposal::Actor;
use domain::text::FromText;
use serde_json::{Value, json};
use service::claim::settlement::{ClaimPaid, ClaimVerdict};

use crate::support::App;
use crate::support::bodies::with;
use crate::support::claims::death;

impl App {
    /// A claim on a policy's whole cover of ₹5,00,000, approved.
    async fn has_approved_claim(&self) -> ClaimId {
        let policy = self.has_policy().await;
        let body = with(death(&policy), "event_on", json!(self.today().to_string()));
        let made = self.claims(body).await.json();
        let claim = made["payload"]["claim_id"].as_str().expect("an id").parse().expect("an id");
        for (state, approved) in
            [(ClaimState::UnderAssessment, None), (ClaimState::Approved, Some(Rupees::whole(500_000)))]
        {
            let verdict = ClaimVerdict { state, approved, refunds: None, reason: None };
            self.service.claims.decide(claim, Actor::Operator, verdict).await.expect("decided");
        }
        claim
    }

    /// Records a payment to a payee, with every missing document waived.
    async fn transfers(
        &self,
        claim: ClaimId,
        reference: &str,
        amount: Option<Rupees>,
        payee: &str,
    ) -> Result<(), String> {
        self.transfers_part(claim, reference, amount, payee, None).await
    }

    /// Records the part of a claim in a transfer with this total.
    async fn transfers_part(
        &self,
        claim: ClaimId,
        reference: &str,
        amount: Option<Rupees>,
        payee: &str,
        transfer_total: Option<Rupees>,
    ) -> Result<(), String> {
        let claims = &self.service.claims;
        let of = claims.owner(claim).await.expect("a claim");
        let made = claims.view(of, claim).await.expect("a claim").shown.claim;
        let reason = PersonalLine::kept("Seen by the branch".into());
        let missing = claims.missing_papers(&made).await.expect("read").into_iter();
        let waived =
            missing.map(|paper| domain::claim::WaivedPaper { paper, reason: reason.clone() }).collect();
        let payment = ClaimPaid {
            reference: PaymentReference::from_text(reference).expect("a reference"),
            paid_on: self.today(),
            amount,
            payee: Some(PersonalLine::kept(payee.to_owned())),
            transfer_total,
            waived,
        };
        claims.paid(claim, Actor::Operator, payment).await.map(drop).map_err(|fault| fault.to_string())
    }
}

#[tokio::test]
async fn a_claim_paid_to_the_lender_and_two_nominees_is_paid_when_the_transfers_add_up() {
    // D153
    let app = App::start().await;
    let claim = app.has_approved_claim().await;
    let rupees = |amount| Some(Rupees::whole(amount));
    app.transfers(claim, "UTR-1", rupees(320_000), "Demo Bank").await.expect("a part");
    app.transfers(claim, "utr-1", rupees(320_000), "Demo Bank").await.expect("the same payment again");
    let shown = app.claim(&claim.to_string()).await;
    assert_eq!((&shown["status"], &shown["paid"]), (&json!("APPROVED"), &Value::Null), "{shown}");
    assert_eq!(shown["transfers"].as_array().map(Vec::len), Some(1), "{shown}");
    let refused = app.transfers(claim, "UTR-2", rupees(180_001), "Ravi Rao").await.expect_err("too much");
    assert!(refused.contains("₹1,80,000.00"), "{refused}");
    app.transfers(claim, "UTR-2", rupees(90_000), "Ravi Rao").await.expect("a part");
    app.transfers(claim, "UTR-3", None, "Om Rao").await.expect("the rest");
    let shown = app.claim(&claim.to_string()).await;
    assert_eq!((&shown["status"], &shown["paid"]["reference"]), (&json!("PAID"), &json!("UTR-3")), "{shown}");
    let amounts: Vec<&Value> =
        shown["transfers"].as_array().expect("a list").iter().map(|one| &one["amount"]).collect();
    assert_eq!(amounts, ["320000.00", "90000.00", "90000.00"]);
    assert_eq!(shown["transfers"][0]["payee"], "Demo Bank");
    let events = app.get(&format!("/v1/events?subject={claim}")).await.json();
    let types: Vec<&Value> =
        events["events"].as_array().expect("a list").iter().map(|one| &one["type"]).collect();
    let number = |wanted: &str| types.iter().filter(|kind| **kind == wanted).count();
    assert_eq!((number("claim.part_paid"), number("claim.paid")), (2, 1), "{types:?}");
    app.transfers(claim, "UTR-4", None, "Om Rao").await.expect_err("it is paid");
    assert_eq!(app.store.faults(app.folder.path()), [""; 0]);
}

#[tokio::test]
async fn a_claim_of_which_a_part_was_paid_cannot_be_withdrawn_and_its_references_pay_nothing_else() {
    // D116, D153
    let app = App::start().await;
    let claim = app.has_approved_claim().await;
    app.transfers(claim, "UTR-1", Some(Rupees::whole(1)), "Demo Bank").await.expect("a part");
    let answer = app.post(&format!("/v1/claims/{claim}/withdrawal"), json!({ "reason": "By mistake" })).await;
    answer.is_refused(409, "S4090");
    let other = app.has_approved_claim().await;
    let refused = app.transfers(other, "UTR-1", None, "Ravi Rao").await.expect_err("another claim's");
    assert!(refused.contains(&claim.to_string()), "{refused}");
}

#[tokio::test]
async fn each_late_transfer_bears_interest_until_its_own_day_and_the_last_one_pays_all_of_it() {
    // D82, D153: 7.75 % a year from 20 November 2026, if paid after 5 December 2026.
    let mut app = App::start().await;
    let claim = app.has_approved_claim().await;
    app.set_clock("2026-12-01T10:00:00+05:30").await;
    app.transfers(claim, "UTR-1", Some(Rupees::whole(100_000)), "Demo Bank").await.expect("in time");
    app.set_clock("2026-12-20T10:00:00+05:30").await;
    app.transfers(claim, "UTR-2", Some(Rupees::whole(300_000)), "Demo Bank").await.expect("late");
    app.set_clock("2027-01-19T10:00:00+05:30").await;
    app.transfers(claim, "UTR-3", None, "Ravi Rao").await.expect("the rest");
    let shown = app.claim(&claim.to_string()).await;
    // ₹3,00,000 for 30 days and ₹1,00,000 for 60 days.
    assert_eq!(shown["paid"]["interest"], "3184.93", "{shown}");
    assert_eq!(shown["transfers"][2]["amount"], "103184.93", "{shown}");
    assert_eq!(app.store.faults(app.folder.path()), [""; 0]);
}

#[tokio::test]
async fn one_transfer_pays_several_claims_if_its_parts_are_stated_and_never_exceed_its_total() {
    // D116
    let app = App::start().await;
    let total = Some(Rupees::whole(900_000));
    let claims = [app.has_approved_claim().await, app.has_approved_claim().await];
    let too_small = Some(Rupees::whole(400_000));
    let refused = app.transfers_part(claims[0], "UTR-1", None, "Demo Bank", too_small).await;
    assert!(refused.expect_err("more than the transfer").contains("₹4,00,000.00"));
    app.transfers_part(claims[0], "UTR-1", None, "Demo Bank", total).await.expect("a part");
    app.transfers_part(claims[0], "utr-1", None, "Demo Bank", total).await.expect("the same part again");
    for other in [None, Some(Rupees::whole(900_001))] {
        let refused = app.transfers_part(claims[1], "UTR-1", None, "Demo Bank", other).await;
        assert!(refused.expect_err("another total").contains(&claims[0].to_string()));
    }
    let refused = app.transfers_part(claims[1], "UTR-1", None, "Demo Bank", total).await;
    assert!(refused.expect_err("₹10,00,000 of ₹9,00,000").contains("do not exceed it"));
    let rest = Some(Rupees::whole(400_000));
    app.transfers_part(claims[1], "UTR-1", rest, "Demo Bank", total)
        .await
        .expect("a part of the second claim");
    let shown = app.claim(&claims[1].to_string()).await;
    assert_eq!(shown["transfers"][0]["amount"], "400000.00", "{shown}");
    assert_eq!(app.claim(&claims[0].to_string()).await["status"], "PAID");
    let found = app.service.premiums.paid_with("UTR-1").await.expect("read");
    let found: Vec<&String> = found.iter().map(|(_, record)| record).collect();
    assert_eq!(found, [&claims[0].to_string(), &claims[1].to_string()]);
    assert_eq!(app.store.faults(app.folder.path()), [""; 0]);
    app.store.says("update payments set used = used - 100").expect("changed");
    let faults = app.store.faults(app.folder.path());
    assert!(faults.iter().any(|fault| fault.contains("parts of the transfer")), "{faults:?}");
}
