//! Payments that are taken back, and small differences that an insurer accepts (D155).

use domain::cancellation::CancellationReason;
use domain::id::{PolicyId, ProposalId};
use domain::money::Rupees;
use domain::premium::{Account, BooksAct, PaymentReference, PremiumState, Settlement};
use domain::proposal::Actor;
use domain::statement::StatementKind;
use domain::text::FromText;
use serde_json::{Value, json};
use service::policy::cancellation::CancellationAsk;
use service::proposal::operator::Verdict;

use crate::support::bodies::with;
use crate::support::claims::death;
use crate::support::premium::{RECEIPTS, receipt};
use crate::support::statements::of_kind;
use crate::support::{App, Setup};

fn id(text: &str) -> ProposalId {
    text.parse().expect("an id")
}

impl App {
    /// Reverses a payment. Returns the number of its proposals, or `None` if it was reversed before.
    async fn reverses(&self, proposal: &str, reference: &str) -> Result<Option<usize>, String> {
        let reference = PaymentReference::from_text(reference).expect("a reference");
        let reversed = self.service.premiums.reverse(id(proposal), &reference).await;
        reversed.map(|lines| lines.map(|lines| lines.len())).map_err(|fault| fault.to_string())
    }

    /// Cancels a policy because the bank took its payment back.
    async fn bounces(&self, policy: &str) -> Result<(), String> {
        let (of, policy): (_, PolicyId) = (self.partner().id, policy.parse().expect("an id"));
        let reason = CancellationReason::PaymentBounced;
        let ask = CancellationAsk { reason, received_on: None, by: Actor::Insurer, note: None };
        let cancellations = &self.service.cancellations;
        let draft = cancellations.request(of, policy, &ask, None).await.map_err(|fault| fault.to_string())?;
        cancellations.keep(draft, None).await.map(drop).map_err(|fault| fault.to_string())
    }

    async fn event_types(&self, subject: &str) -> Vec<Value> {
        let events = self.get(&format!("/v1/events?subject={subject}")).await.json();
        events["events"].as_array().expect("a list").iter().map(|event| event["type"].clone()).collect()
    }
}

/// The sample, with an insurer that accepts a difference of 8 paise.
fn tolerant() -> Setup {
    Setup::paid_by_partner().edited("insurers/kalpanik/insurer.toml", |text| {
        text.replace("# payment_tolerance = 0.50", "payment_tolerance = 0.08")
    })
}

/// An amount in rupees, changed by some paise.
fn near(amount: &str, paise: i64) -> String {
    let all: i64 = amount.replace('.', "").parse().expect("an amount");
    Rupees::from_paise(all + paise).to_string()
}

#[tokio::test]
async fn a_reversed_payment_is_owed_again_and_its_reference_can_be_recorded_anew() {
    let app = Setup::paid_by_partner().start().await;
    let (one, two) = (app.has_proposal("PENDING").await, app.has_proposal("PENDING").await);
    let (due, other) = (app.due(&one).await, app.due(&two).await);
    assert_eq!(app.post(RECEIPTS, receipt("UTR-1", &[(&one, &due), (&two, &other)])).await.status, 201);
    assert_eq!(app.premium_state(&two).await, PremiumState::Received);
    assert_eq!(app.reverses(&one, "utr-1").await, Ok(Some(2)), "all its proposals");
    for proposal in [&one, &two] {
        assert_eq!(app.premium_state(proposal).await, PremiumState::Due);
        assert!(app.event_types(proposal).await.contains(&json!("premium.reversed")));
    }
    assert_eq!(app.balance(Account::WithInsurer).await, Rupees::ZERO);
    assert_eq!(app.reverses(&one, "UTR-1").await, Ok(None), "the same again");
    assert!(app.reverses(&one, "UTR-9").await.expect_err("no such payment").contains("payment"));
    assert_eq!(app.pays("UTR-1", &two, &other).await.status, 201, "the same reference, for one proposal");
    assert_eq!(app.reverses(&two, "UTR-1").await, Ok(Some(1)));
    assert_eq!(app.pays("UTR-1", &two, &other).await.status, 201);
    assert_eq!(app.premium_state(&two).await, PremiumState::Received);
}

#[tokio::test]
async fn a_reversed_payment_frees_its_reference_for_another_partner() {
    // D154
    let mut app = Setup::paid_by_partner().start().await;
    let one = app.has_proposal("PENDING").await;
    let due = app.due(&one).await;
    assert_eq!(app.pays("UTR-1", &one, &due).await.status, 201);
    assert_eq!(app.reverses(&one, "UTR-1").await, Ok(Some(1)));
    let second = app.new_partner("Another Lender").await;
    app.asks_as(second);
    let two = app.has_proposal("PENDING").await;
    let due = app.due(&two).await;
    assert_eq!(app.pays("UTR-1", &two, &due).await.json()["payload"]["items"][0]["outcome"], "matched");
}

#[tokio::test]
async fn a_payment_whose_money_moved_on_is_not_reversed() {
    let app = Setup::paid_by_partner().start().await;
    let policy = app.has_policy_paid_by_partner("UTR-1").await;
    let policy = app.policy(&policy).await["proposal_id"].clone();
    let proposal = policy.as_str().expect("an id");
    let refused = app.reverses(proposal, "UTR-1").await.expect_err("it paid for a policy");
    assert!(refused.contains("PAYMENT_BOUNCED"), "{refused}");
    assert_eq!(app.premium_state(proposal).await, PremiumState::Paid);
    let other = app.has_proposal("PENDING").await;
    assert_eq!(app.pays("UTR-2", &other, &near(&app.due(&other).await, 100)).await.status, 201);
    let settle = BooksAct::Settle(Settlement::Refund, Rupees::ZERO);
    app.service.premiums.act(id(&other), settle, "TICKET-1").await.expect("settled");
    app.service.premiums.act(id(&other), BooksAct::Refund(None), "UTR-3").await.expect("refunded");
    assert!(app.reverses(&other, "UTR-2").await.is_err(), "it was refunded");
}

#[tokio::test]
async fn a_difference_that_the_insurer_accepts_pays_the_premium() {
    let app = tolerant().start().await;
    for (reference, paise, balance) in [("UTR-1", -8, -8), ("UTR-2", 8, 0), ("UTR-3", -1, -1)] {
        let proposal = app.has_proposal("PENDING").await;
        let paid = app.pays(reference, &proposal, &near(&app.due(&proposal).await, paise)).await;
        assert_eq!(paid.json()["payload"]["items"][0]["outcome"], "matched", "{}", paid.text);
        assert_eq!(app.balance(Account::Differences).await, Rupees::from_paise(balance));
        let verdict = Verdict::of(true, None);
        app.service.operator_proposals.decide(id(&proposal), verdict).await.expect("decided");
        assert_eq!(app.rows_of_policies(&proposal).await, 1);
    }
    for paise in [-9, 9] {
        let proposal = app.has_proposal("PENDING").await;
        let reference = format!("UTR-OFF{paise}");
        let paid = app.pays(&reference, &proposal, &near(&app.due(&proposal).await, paise)).await;
        assert_eq!(paid.json()["payload"]["items"][0]["outcome"], "mismatch", "{}", paid.text);
        assert_eq!(app.reverses(&proposal, &reference).await, Ok(Some(1)));
    }
}

#[tokio::test]
async fn an_accepted_difference_is_reversed_with_its_payment() {
    let app = tolerant().start().await;
    let proposal = app.has_proposal("PENDING").await;
    assert_eq!(app.pays("UTR-1", &proposal, &near(&app.due(&proposal).await, -5)).await.status, 201);
    assert_eq!(app.reverses(&proposal, "UTR-1").await, Ok(Some(1)));
    assert_eq!(app.balance(Account::Differences).await, Rupees::ZERO);
    assert_eq!(app.premium_state(&proposal).await, PremiumState::Due);
}

#[tokio::test]
async fn a_payment_that_was_a_mismatch_is_applied_once_the_insurer_accepts_the_difference() {
    let app = tolerant().start().await;
    let proposal = app.has_proposal("PENDING").await;
    // Its day makes the payment a mismatch, and its amount is 8 paise too little.
    let mut body = receipt("UTR-1", &[(&proposal, &near(&app.due(&proposal).await, -8))]);
    body["received_on"] = json!("19/11/2026");
    let paid = app.post(RECEIPTS, body).await;
    assert_eq!(paid.json()["payload"]["items"][0]["outcome"], "mismatch", "{}", paid.text);
    let settle = BooksAct::Settle(Settlement::Apply, Rupees::ZERO);
    app.service.premiums.act(id(&proposal), settle, "TICKET-1").await.expect("settled");
    assert_eq!(app.premium_state(&proposal).await, PremiumState::Received);
    assert_eq!(app.balance(Account::Differences).await, Rupees::from_paise(-8));
}

#[tokio::test]
async fn a_policy_whose_payment_bounced_never_gave_cover_and_nobody_is_owed_its_refund() {
    let mut app = Setup::paid_by_partner().start().await;
    let policy = app.has_policy_paid_by_partner("UTR-1").await;
    app.bounces(&policy).await.expect("cancelled");
    let shown = app.policy(&policy).await;
    assert_eq!(shown["status"], "CANCELLED", "{shown}");
    let cancellation = &shown["cancellation"];
    assert_eq!(cancellation["reason"], "PAYMENT_BOUNCED");
    assert_eq!(cancellation["refund_bounced"], cancellation["refund"]["total"]);
    assert_eq!((&cancellation["refund_due_on"], &cancellation["refund_paid"]), (&Value::Null, &Value::Null));
    assert!(app.service.policies.refunds_owed(10).await.expect("read").is_empty());
    let premium = app.balance(Account::Premium).await;
    assert_eq!(app.balance(Account::ReturnedPremium).await, Rupees::ZERO - premium);
    assert_eq!(app.balance(Account::WithInsurer).await, Rupees::ZERO, "the insurer holds nothing");
    let claim = with(death(&policy), "event_on", json!(app.today().to_string()));
    let refused = app.post("/v1/claims", claim).await;
    assert!(refused.text.contains("the bank took its premium back"), "{}", refused.text);
    app.set_clock("2026-12-01T12:00:00+05:30").await;
    let made = app.makes_statements("2026-11").await;
    let [bordereau] = of_kind(&made, StatementKind::Premium)[..] else { panic!("{made:?}") };
    let rows = app.statement_rows(bordereau).await;
    assert_eq!(rows.column("transaction"), ["NEW", "CANCEL"]);
}

#[tokio::test]
async fn a_bounced_payment_waits_until_open_claims_are_decided_and_needs_a_payment() {
    let app = Setup::paid_by_partner().start().await;
    let policy = app.has_policy_paid_by_partner("UTR-1").await;
    let claim = with(death(&policy), "event_on", json!(app.today().to_string()));
    assert_eq!(app.post("/v1/claims", claim).await.status, 201);
    let refused = app.bounces(&policy).await.expect_err("a claim stands against it");
    assert!(refused.contains("claim"), "{refused}");
    assert_eq!(app.policy(&policy).await["status"], "ISSUED");
    let app = App::start().await;
    let policy = app.has_policy().await;
    let refused = app.bounces(&policy).await.expect_err("a deposit paid");
    assert!(refused.contains("deposit"), "{refused}");
}
