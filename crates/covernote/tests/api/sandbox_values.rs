//! Test values with a fixed effect in a sandbox, such as decisions that others would take (D97).

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use domain::health_quote::Outcome;
use domain::id::ProposalId;
use domain::money::Premium;
use domain::quote::NotPriced;
use serde_json::{Value, json};
use service::insurer::{
    CreditAsk, HealthAsk, IncomingMessage, Insurer, InsurerDecision, InsurerFault, PolicyNotice,
    PolicyRequest, RequestDecision, Submission,
};

use crate::support::health::PLAIN;
use crate::support::premium::{MICRO, NAMOONA};
use crate::support::{App, Setup, bodies};

/// An insurer that counts its requests, and fails each.
#[derive(Default)]
struct Live(AtomicUsize);

impl Live {
    fn asked<T>(&self) -> Result<T, InsurerFault> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Err(InsurerFault::Failed("a live insurer was asked".into()))
    }
}

#[async_trait]
impl Insurer for Live {
    async fn price_credit(
        &self,
        _: CreditAsk<'_>,
        _: Duration,
    ) -> Result<Vec<Result<Premium, NotPriced>>, InsurerFault> {
        self.asked()
    }

    async fn price_health(&self, _: HealthAsk<'_>, _: Duration) -> Result<Vec<Outcome>, InsurerFault> {
        self.asked()
    }

    async fn submit(&self, _: Submission<'_>, _: Duration) -> Result<InsurerDecision, InsurerFault> {
        self.asked()
    }

    async fn decision(&self, _: ProposalId, _: Duration) -> Result<InsurerDecision, InsurerFault> {
        self.asked()
    }

    async fn tell(&self, _: PolicyNotice<'_>, _: Duration) -> Result<(), InsurerFault> {
        self.asked()
    }

    async fn decide(&self, _: PolicyRequest<'_>, _: Duration) -> Result<RequestDecision, InsurerFault> {
        self.asked()
    }

    fn is_from(&self, _: &IncomingMessage<'_>) -> bool {
        false
    }
}

/// A submitted proposal of a person, for a product with this kind of decision.
async fn submits(app: &App, decision: &str, first_name: &str) -> String {
    let body = app.has_proposal_body_decided_by(decision, "SUBMITTED").await;
    let body = bodies::with(body, "proposer.first_name", json!(first_name));
    let made = app.post("/v1/embedded/proposal", body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    made.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned()
}

async fn stands(app: &App, id: &str, status: &str) {
    let look = async || (app.status_of(id).await == status).then_some(());
    app.eventually(&format!("a proposal that is {status}"), look).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn proposals_of_two_test_names_are_rejected_or_referred_in_the_sandbox() {
    let mut app = App::start().await;
    app.asks_in_a_sandbox().await;
    for decision in ["insurer", "partner", "straight-through"] {
        let rejected = submits(&app, decision, "TESTREJECT").await;
        stands(&app, &rejected, "REJECTED").await;
        let referred = submits(&app, decision, "Testrefer").await;
        app.has_no_job_left().await;
        assert_eq!(app.status_of(&referred).await, "PENDING", "{decision}");
        let decided = app
            .post(&format!("/v1/sandbox/proposals/{referred}/decide"), json!({ "decision": "ACCEPT" }))
            .await;
        assert_eq!(decided.status, 200, "{}", decided.text);
        assert_eq!(decided.json()["payload"]["status"], "COMPLETED");
    }
    let accepted = submits(&app, "insurer", "Asha").await;
    stands(&app, &accepted, "COMPLETED").await;
    let referred = submits(&app, "partner", "Testrefer").await;
    app.patch(&format!("/v1/embedded/proposal/{referred}"), json!({ "status": "COMPLETED" }))
        .await
        .is_refused(400, "S4000");
    let refused = app
        .post(
            &format!("/v1/sandbox/proposals/{referred}/decide"),
            json!({ "decision": "REJECT", "reason": "Too much." }),
        )
        .await;
    assert_eq!(refused.json()["payload"]["status"], "REJECTED", "{}", refused.text);
    let other = app.new_test_partner().await;
    let path = format!("/v1/sandbox/proposals/{referred}/decide");
    app.as_partner(&other, "POST", &path, Some(json!({ "decision": "ACCEPT" })))
        .await
        .is_refused(404, "R4040");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sandbox_customer_pays_immediately_unless_a_test_name_asks_for_late_or_short_payment() {
    let link = "by = \"link\"\n";
    let mut app = Setup::default().with_premium(NAMOONA, link).with_premium(MICRO, link).start().await;
    app.asks_in_a_sandbox().await;
    let premium = async |id: &str| {
        let view = app.get(&format!("/v1/embedded/proposal/{id}/status")).await.json();
        view["payload"]["premium"].as_str().map(str::to_owned)
    };
    let paid = submits(&app, "straight-through", "Asha").await;
    stands(&app, &paid, "COMPLETED").await;
    let short = submits(&app, "straight-through", "Testshort").await;
    let types = async |id: &str| app.events_of(id).await;
    app.eventually("a payment that is short", async || {
        types(&short).await.contains(&"premium.mismatch".to_owned()).then_some(())
    })
    .await;
    assert_eq!(app.status_of(&short).await, "PENDING");
    let late = submits(&app, "straight-through", "Testlate").await;
    app.advances(2).await;
    assert_eq!(
        (app.status_of(&late).await.as_str(), premium(&late).await.as_deref()),
        ("PENDING", Some("due"))
    );
    // Once the clock has moved, everything due has happened.
    app.advances(1).await;
    assert_eq!(app.status_of(&late).await, "COMPLETED");
    app.has_no_job_left().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn test_names_also_cause_late_or_short_payment_of_premiums_that_the_partner_reports() {
    let partner = "by = \"partner\"\n";
    let mut app = Setup::default().with_premium(NAMOONA, partner).with_premium(MICRO, partner).start().await;
    app.asks_in_a_sandbox().await;
    let usual = submits(&app, "straight-through", "Asha").await;
    let short = submits(&app, "straight-through", "Testshort").await;
    app.eventually("a payment that is short", async || {
        app.events_of(&short).await.contains(&"premium.mismatch".to_owned()).then_some(())
    })
    .await;
    let late = submits(&app, "straight-through", "Testlate").await;
    app.advances(2).await;
    assert_eq!(app.status_of(&late).await, "PENDING");
    app.advances(1).await;
    assert_eq!(app.status_of(&late).await, "COMPLETED");
    assert_eq!(app.status_of(&usual).await, "PENDING", "its partner reports it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_health_proposal_that_the_sandbox_accepts_becomes_a_policy() {
    let amrit = "insurers/amrit/product.toml";
    for premium in ["by = \"link\"\n", "by = \"here\"\n"] {
        let mut app = Setup::health().with_premium(amrit, premium).start().await;
        app.asks_in_a_sandbox().await;
        let journey = app.has_answered_journey(PLAIN, &[]).await;
        let id = app.proposes(&journey).await;
        let accepted =
            app.post(&format!("/v1/sandbox/proposals/{id}/decide"), json!({ "decision": "ACCEPT" })).await;
        assert_eq!(accepted.status, 200, "{}", accepted.text);
        app.eventually("its policy", async || {
            let shown = app.get(&format!("/v1/proposals/{id}")).await.json()["payload"].take();
            shown["policy_id"].as_str().map(str::to_owned)
        })
        .await;
        app.has_no_job_left().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_live_insurer_is_called_for_quotes_or_proposals_of_a_test_partner() {
    let live = Arc::new(Live::default());
    let mut app = Setup::default().asking(vec![("kalpanik", live.clone())]).start().await;
    app.asks_in_a_sandbox().await;
    let quote = app.post("/v1/embedded/quote", bodies::quote()).await.json()["payload"].take();
    let items = quote["recommendations"].as_array().expect("a list");
    let good = items.iter().filter(|item| item["is_error"] == false);
    let of_live =
        good.clone().filter(|item| item["insurer_name"].as_str().expect("text").contains("Kalpanik"));
    assert!(of_live.count() > 0, "{items:#?}");
    for item in good {
        let body = bodies::proposal(&quote["quote_id"], &item["recommendation_id"], "SUBMITTED");
        let made = app.post("/v1/embedded/proposal", body).await;
        assert_eq!(made.status, 201, "{}", made.text);
    }
    let recommended = app.has_health_quote(bodies::recommendation()).await;
    app.finished_recommendation(&recommended).await;
    app.has_no_job_left().await;
    assert_eq!(live.0.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_test_value_makes_exactly_one_insurer_slow_or_fail_in_a_sandbox_quote() {
    let setup = Setup { insurer_deadline: Duration::from_millis(50), ..Setup::default() };
    let mut app = setup.start().await;
    app.asks_in_a_sandbox().await;
    let errors = async |body: Value| -> Vec<(String, String)> {
        let quote = app.post("/v1/embedded/quote", body).await.json()["payload"].take();
        let items = quote["recommendations"].as_array().expect("a list").clone();
        let text = |item: &Value, field: &str| item[field].as_str().expect("text").to_owned();
        let failed = items.iter().filter(|item| item["is_error"] == true);
        failed.map(|item| (text(item, "insurer_name"), text(item, "error_message"))).collect()
    };
    let usual = errors(bodies::quote()).await;
    for (value, message) in [("Testslow", "in time"), ("TESTFAIL", "could not")] {
        let case = json!([{ "key": "test_insurer", "values": [value] }]);
        let found = errors(bodies::with(bodies::quote(), "context_data", case)).await;
        let troubled: Vec<_> = found.iter().filter(|error| !usual.contains(error)).collect();
        assert!(!troubled.is_empty(), "{found:#?}");
        assert!(troubled.iter().all(|(insurer, _)| *insurer == troubled[0].0), "{troubled:#?}");
        assert!(troubled.iter().all(|(_, why)| why.contains(message)), "{troubled:#?}");
    }
    // A live partner's context data has no such effect.
    let live = app.new_partner("Live").await;
    let case = json!([{ "key": "test_insurer", "values": ["Testfail"] }]);
    let body = bodies::with(bodies::quote(), "context_data", case);
    let quote = app.as_partner(&live, "POST", "/v1/embedded/quote", Some(body)).await.json();
    let items = quote["payload"]["recommendations"].as_array().expect("a list").clone();
    assert_eq!(items.iter().filter(|item| item["is_error"] == true).count(), usual.len(), "{items:#?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_partner_can_decide_its_own_claims_and_cancellations() {
    let mut app = App::start().await;
    app.asks_in_a_sandbox().await;
    let (claim, _) = app.has_claim().await;
    let decide = async |body: Value| app.post(&format!("/v1/sandbox/claims/{claim}/decide"), body).await;
    decide(json!({ "status": "UNDER_ASSESSMENT" })).await;
    decide(json!({ "status": "APPROVED" })).await.is_refused(409, "S4090");
    let approved = decide(json!({ "status": "APPROVED", "approved_amount": "1000.00" })).await;
    assert_eq!(approved.json()["payload"]["status"], "APPROVED", "{}", approved.text);
    app.advances(5).await;
    let paid = decide(json!({ "status": "PAID" })).await;
    assert_eq!(paid.json()["payload"]["status"], "PAID", "{}", paid.text);
    assert_eq!(app.claim(&claim).await["paid"]["paid_on"], "2026-11-25");
    let policy = app.has_policy_decided_by("operator").await;
    let decided =
        app.post(&format!("/v1/sandbox/policies/{policy}/decide"), json!({ "decision": "CONFIRM" })).await;
    decided.is_refused(409, "S4090");
    let asked = app.cancels(&policy, "CUSTOMER").await;
    assert_eq!(asked.status, 200, "{}", asked.text);
    if app.policy(&policy).await["status"] == "CANCELLATION_REQUESTED" {
        let decided = app
            .post(&format!("/v1/sandbox/policies/{policy}/decide"), json!({ "decision": "CONFIRM" }))
            .await;
        assert_eq!(decided.json()["payload"]["status"], "CANCELLED", "{}", decided.text);
    }
    assert_eq!(app.policy(&policy).await["status"], "CANCELLED");
}
