//! `POST /v1/insurers/{insurer_id}/receipts`: an insurer reports a received payment (D64).

use std::sync::Arc;

use domain::premium::PremiumState;
use serde_json::{Value, json};
use service::insurer::Insurer;

use crate::access::is_unauthenticated;
use crate::support::insurer::{Decides, Says};
use crate::support::premium::receipt;
use crate::support::{Answer, App, Setup};

const MISAAL: &str = "ins_01m5vn1aygfe0av1wtx4v84kep";
const SECRET: &str = "misaals-own-secret";
const NUMBER: &str = "MA/2026/000018";

/// A service whose insurer Misaal collects its premiums with its own payment link, and sends its decisions.
async fn collecting() -> App {
    let misaal: Arc<dyn Insurer> = Decides::saying(SECRET, [Says::Pending]);
    let setup = Setup::default()
        .with_premium("insurers/misaal/rin-kavach.toml", "by = \"link\"")
        .with_premium("insurers/misaal/yuva-rin-raksha.toml", "by = \"link\"");
    setup.asking(vec![("misaal", misaal)]).start().await
}

async fn has_proposal(app: &App) -> String {
    let body = app.has_proposal_body_decided_by("insurer", "SUBMITTED").await;
    let made = app.post("/v1/embedded/proposal", body).await;
    made.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned()
}

async fn tell_with(app: &App, secret: &str, what: &str, body: Value) -> Answer {
    let path = format!("/v1/insurers/{MISAAL}/{what}");
    app.send(app.request("POST", &path).bearer_auth(secret).json(&body)).await
}

async fn tell(app: &App, what: &str, body: Value) -> Answer {
    tell_with(app, SECRET, what, body).await
}

fn accepted(id: &str, number: &str) -> Value {
    json!({ "proposal_id": id, "decision": "accepted", "policy_number": number })
}

#[tokio::test]
async fn an_accepted_proposal_becomes_a_policy_when_the_insurer_reports_its_premium() {
    let app = collecting().await;
    let id = has_proposal(&app).await;
    assert_eq!(tell(&app, "decisions", accepted(&id, NUMBER)).await.status, 200);
    assert_eq!(tell(&app, "decisions", accepted(&id, NUMBER)).await.status, 200, "the same again");
    tell(&app, "decisions", accepted(&id, "MA/2026/1")).await.is_refused(409, "S4090");
    assert_eq!((app.status_of(&id).await.as_str(), app.rows_of("policies")), ("PENDING", 0));
    assert_eq!(app.premium_state(&id).await, PremiumState::Due);

    let due = app.due(&id).await;
    let body = receipt("LINK-1", &[(&id, &due)]);
    for _ in 0..2 {
        let answer = tell(&app, "receipts", body.clone()).await;
        assert_eq!((answer.status, answer.json()), (200, json!({})), "{}", answer.text);
    }
    app.is_completed_at_last(&id).await;
    let (proposal, moves) = app.found_proposal(&id).await;
    let policy = app.service.proposals.policy_of(proposal.partner, proposal.id).await.expect("read");
    let policy = policy.expect("issued");
    assert_eq!(policy.insurer_number.map(|number| number.to_string()).as_deref(), Some(NUMBER));
    assert_eq!(moves.last().map(|last| last.by.word()), Some("insurer"), "the decision was the insurer's");
    app.has_no_job_left().await;
}

#[tokio::test]
async fn the_documented_receipt_example_has_no_fault_except_unknown_proposals() {
    let app = collecting().await;
    let document = include_str!("../../../../docs/insurers.md");
    let example = document.split("## Sending a receipt").nth(1).and_then(|rest| rest.split("```").nth(1));
    let example: Value =
        serde_json::from_str(example.expect("an example").trim_start_matches("json")).expect("JSON");
    let answer = tell(&app, "receipts", example).await;
    // In the documentation's example, only the proposals are unknown here.
    answer.has_faults_on(&["items[0].proposal_id", "items[1].proposal_id"]);
}

#[tokio::test]
async fn an_insurer_may_reject_an_accepted_proposal_until_its_premium_is_received() {
    let app = collecting().await;
    let id = has_proposal(&app).await;
    assert_eq!(tell(&app, "decisions", accepted(&id, NUMBER)).await.status, 200);
    let rejected = json!({ "proposal_id": id, "decision": "rejected", "reason": "The medical history" });
    assert_eq!(tell(&app, "decisions", rejected).await.status, 200);
    let due = app.due(&id).await;
    assert_eq!(tell(&app, "receipts", receipt("LINK-2", &[(&id, &due)])).await.status, 200);
    assert_eq!(app.status_of(&id).await, "REJECTED");
    assert_eq!(app.premium_state(&id).await, PremiumState::RefundDue, "the money is owed back");
}

#[tokio::test]
async fn a_receipt_with_a_wrong_secret_is_refused_and_changes_nothing() {
    let app = collecting().await;
    let id = has_proposal(&app).await;
    let due = app.due(&id).await;
    let body = receipt("LINK-3", &[(&id, &due)]);
    is_unauthenticated(&tell_with(&app, "another-secret", "receipts", body.clone()).await);
    is_unauthenticated(&tell_with(&app, "another-secret", "receipts", json!({})).await);
    assert_eq!(app.premium_state(&id).await, PremiumState::Due);
}

#[tokio::test]
async fn an_insurer_can_report_premiums_only_for_its_own_products() {
    let app = collecting().await;
    let body = app.has_proposal_body_decided_by("partner", "SUBMITTED").await;
    let made = app.post("/v1/embedded/proposal", body).await;
    let others = made.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
    let answer = tell(&app, "receipts", receipt("LINK-4", &[(&others, "1.00")])).await;
    answer.has_faults_on(&["items[0].proposal_id"]);
}
