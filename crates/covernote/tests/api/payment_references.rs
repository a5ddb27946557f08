//! One bank reference pays one claim or refund. Upper and lower case make no difference (D116).

use domain::claim::ClaimState;
use domain::date::Date;
use domain::id::{ClaimId, PolicyId};
use domain::money::Rupees;
use domain::premium::PaymentReference;
use domain::proposal::Actor;
use domain::refund::RefundPayment;
use domain::text::FromText;
use service::Error;
use service::claim::settlement::ClaimVerdict;

use crate::support::{App, Setup};

fn reference(text: &str) -> PaymentReference {
    PaymentReference::from_text(text).expect("a reference")
}

/// The id of a cancelled policy with an open refund.
async fn owes_a_refund(app: &App) -> String {
    let id = app.has_policy().await;
    assert_eq!(app.cancels(&id, "NOT_DISBURSED").await.status, 200);
    id
}

async fn approved_claim(app: &App) -> ClaimId {
    let id = app.has_claim().await.0.parse().expect("an id");
    for (state, approved) in
        [(ClaimState::UnderAssessment, None), (ClaimState::Approved, Some(Rupees::whole(1000)))]
    {
        let verdict = ClaimVerdict { state, approved, refunds: None, reason: None };
        app.service.claims.decide(id, Actor::Operator, verdict).await.expect("moved");
    }
    id
}

async fn refunds(app: &App, id: &str, by: &str) -> Result<(Rupees, RefundPayment), Error> {
    let id: PolicyId = id.parse().expect("an id");
    app.service.refunds.paid(id, reference(by), Date::constant(2026, 11, 20), None).await
}

#[tokio::test]
async fn one_payment_reference_can_pay_only_one_refund() {
    let app = App::start().await;
    let (first, second) = (owes_a_refund(&app).await, owes_a_refund(&app).await);
    let paid = refunds(&app, &first, "HDFC0001").await.expect("noted");
    assert_eq!(refunds(&app, &first, "hdfc0001").await.expect("the same again"), paid);
    for again in ["HDFC0001", "hdfc0001"] {
        let refused = refunds(&app, &second, again).await.expect_err("it paid another").to_string();
        assert!(refused.contains(&format!("The payment {again} already paid {first}.")), "{refused}");
    }
    assert_eq!(app.service.policies.refunds_owed(10).await.expect("read").len(), 1, "nothing was noted");
    refunds(&app, &second, "HDFC0002").await.expect("noted");
}

#[tokio::test]
async fn a_reference_that_paid_a_refund_pays_no_claim() {
    let app = App::start().await;
    let cancelled = owes_a_refund(&app).await;
    refunds(&app, &cancelled, "HDFC0001").await.expect("noted");
    let claim = approved_claim(&app).await;
    let refused = app.pays_claim(claim, reference("hdfc0001"), None).await.expect_err("it paid a refund");
    assert!(
        refused.to_string().contains(&format!("The payment hdfc0001 already paid {cancelled}.")),
        "{refused}"
    );
    assert_eq!(app.claim(&claim.to_string()).await["status"], "APPROVED");
    app.pays_claim(claim, reference("HDFC0002"), None).await.expect("noted");
    let other = owes_a_refund(&app).await;
    let refused = refunds(&app, &other, "HDFC0002").await.expect_err("it paid a claim").to_string();
    assert!(refused.contains(&format!("The payment HDFC0002 already paid {claim}.")), "{refused}");
}

#[tokio::test]
async fn only_one_of_two_simultaneous_refund_payments_with_one_reference_is_recorded() {
    let app = App::start().await;
    let (first, second) = (owes_a_refund(&app).await, owes_a_refund(&app).await);
    let (one, other) = tokio::join!(refunds(&app, &first, "HDFC0001"), refunds(&app, &second, "HDFC0001"));
    assert_ne!(one.is_ok(), other.is_ok(), "{one:?} {other:?}");
    assert_eq!(app.service.policies.refunds_owed(10).await.expect("read").len(), 1);
}

#[tokio::test]
async fn a_reference_that_another_partner_reported_is_a_mismatch_whose_answer_does_not_name_the_partner() {
    // D154
    let mut app = Setup::paid_by_partner().start().await;
    let first = app.has_policy_paid_by_partner("UTR-77").await;
    assert_eq!(app.policy(&first).await["status"], "ISSUED");
    let own = app.partner().clone();
    let other = app.new_partner("Another Lender").await;
    app.asks_as(other.clone());
    let proposal = app.has_proposal("PENDING").await;
    let due = app.due(&proposal).await;
    let answer = app.pays("utr-77", &proposal, &due).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    assert_eq!(answer.json()["payload"]["items"][0]["outcome"], "mismatch", "{}", answer.text);
    assert!(!answer.text.contains(&own.id.to_string()), "{}", answer.text);
    let premium = app.service.premiums.of_proposal(other.id, proposal.parse().expect("an id")).await;
    assert_eq!(premium.expect("read").expect("owed").books.state().word(), "mismatch");
    // The operator, who sees the bank's statement, settles it.
    let waits = app.service.premiums.open(10).await.expect("read");
    assert!(waits.iter().any(|premium| premium.proposal.to_string() == proposal), "{waits:?}");
    app.asks_as(own);
    let again = app.has_policy_paid_by_partner("UTR-78").await;
    assert_eq!(app.policy(&again).await["status"], "ISSUED");
    assert_eq!(app.store.faults(app.folder.path()), Vec::<String>::new());
}
