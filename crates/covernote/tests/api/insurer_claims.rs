//! `/v1/insurers/{insurer_id}/claims/{claim_id}`: an insurer reads the papers of a claim, and reports its
//! decisions (D94).

use std::sync::Arc;

use futures_util::future::join_all;
use serde_json::{Value, json};
use service::insurer::Insurer;

use crate::access::is_unauthenticated;
use crate::support::claims::{death, pdf};
use crate::support::insurer::{Decides, Says};
use crate::support::{Answer, App, Setup};

const MISAAL: &str = "ins_01m5vn1aygfe0av1wtx4v84kep";
const SECRET: &str = "misaals-own-secret";

/// A service whose insurer Misaal accepts every proposal over HTTP. Returns it with the id of a claim on one
/// of Misaal's policies.
async fn with_claim() -> (App, String) {
    let misaal: Arc<dyn Insurer> = Decides::saying(SECRET, [Says::Accepted("MA/2026/000017")]);
    let app = Setup::default().asking(vec![("misaal", misaal)]).start().await;
    let body = app.has_proposal_body_decided_by("insurer", "SUBMITTED").await;
    let made = app.post("/v1/embedded/proposal", body).await;
    let proposal = made.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
    app.is_completed_at_last(&proposal).await;
    let made = app.claims(death(&app.policy_id_of(&proposal).await)).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let claim = made.json()["payload"]["claim_id"].as_str().expect("an id").to_owned();
    (app, claim)
}

fn path(claim: &str, what: &str) -> String {
    format!("/v1/insurers/{MISAAL}/claims/{claim}{what}")
}

async fn reads(app: &App, claim: &str, what: &str) -> Answer {
    app.send(app.request("GET", &path(claim, what)).bearer_auth(SECRET)).await
}

async fn tells(app: &App, claim: &str, body: Value) -> Answer {
    app.send(app.request("POST", &path(claim, "/status")).bearer_auth(SECRET).json(&body)).await
}

/// Every paper that a death claim requires, each waived.
fn waived() -> Value {
    let papers = ["death-certificate", "claimant-identity", "cancelled-cheque", "loan-statement"];
    papers.map(|paper| json!({ "paper": paper, "reason": "The insurer has it" })).into_iter().collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_insurer_reads_the_papers_of_a_claim_on_its_policy() {
    let (app, claim) = with_claim().await;
    let bytes = pdf(200_000);
    let sent = app.uploads(&claim, "?paper=death-certificate", "application/pdf", bytes.clone()).await;
    assert_eq!(sent.status, 201, "{}", sent.text);
    let shown = reads(&app, &claim, "").await.json()["payload"].clone();
    assert_eq!((&shown["claim_id"], &shown["status"]), (&json!(claim), &json!("INTIMATED")));
    assert_eq!(shown["documents"], json!([sent.json()["payload"]]), "as the partner reads it");
    assert_eq!(shown["settle_by"], app.claim(&claim).await["settle_by"]);
    let document = shown["documents"][0]["document_id"].as_str().expect("an id");
    let request = app.request("GET", &path(&claim, &format!("/documents/{document}")));
    let response = request.bearer_auth(SECRET).send().await.expect("an answer");
    let header = |name: &str| response.headers()[name].to_str().expect("text").to_owned();
    assert_eq!(header("content-type"), "application/pdf");
    assert!(header("content-disposition").starts_with("attachment"));
    assert_eq!(
        (header("x-content-type-options"), header("cache-control")),
        ("nosniff".into(), "private, no-store".into())
    );
    assert_eq!(response.bytes().await.expect("a body"), bytes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_insurer_needs_its_own_secret_and_gets_r4040_for_claims_of_other_insurers() {
    // D3
    let (app, claim) = with_claim().await;
    let others = app.has_policy_decided_by("operator").await;
    let others =
        app.claims(death(&others)).await.json()["payload"]["claim_id"].as_str().expect("an id").to_owned();
    for (what, method) in
        [("", "GET"), ("/documents/doc_01m5vvw3xreqg9aaa1afd2xg99", "GET"), ("/status", "POST")]
    {
        for secret in ["wrong", app.partner().token.as_str()] {
            let request = app.request(method, &path(&claim, what)).bearer_auth(secret).json(&json!({}));
            is_unauthenticated(&app.send(request).await);
        }
        let unknown = path(&claim, what).replace(MISAAL, "ins_01m5vn1aygfe0av1wtx4v84kzz");
        is_unauthenticated(
            &app.send(app.request(method, &unknown).bearer_auth(SECRET).json(&json!({}))).await,
        );
        let body = json!({ "status": "UNDER_ASSESSMENT" });
        for foreign in [others.as_str(), "clm_01m5vvw3xreqg9aaa1afd2xg99", "x"] {
            let request = app.request(method, &path(foreign, what)).bearer_auth(SECRET).json(&body);
            app.send(request).await.is_refused(404, "R4040");
        }
    }
    reads(&app, &claim, "/documents/doc_01m5vvw3xreqg9aaa1afd2xg99").await.is_refused(404, "R4040");
    assert_eq!(app.claim(&claim).await["status"], "INTIMATED");
    assert_eq!(app.claim(&others).await["status"], "INTIMATED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_insurer_can_report_each_decision_on_a_claim_and_its_payment() {
    // D82
    let (app, claim) = with_claim().await;
    for body in [
        json!({ "status": "UNDER_ASSESSMENT" }),
        json!({ "status": "UNDER_INVESTIGATION", "reason": "The hospital is asked." }),
        json!({ "status": "APPROVED", "approved_amount": "400000.00" }),
        json!({ "status": "PAID", "reference": "UTR-9", "paid_on": "2026-11-20", "amount": "400000.00", "waived": waived() }),
    ] {
        for _ in 0..2 {
            let told = tells(&app, &claim, body.clone()).await;
            assert_eq!((told.status, told.json()), (200, json!({})), "{body}: {}", told.text);
        }
        assert_eq!(app.claim(&claim).await["status"], body["status"]);
    }
    let shown = app.claim(&claim).await;
    assert_eq!(
        (&shown["approved_amount"], &shown["paid"]["reference"]),
        (&json!("400000.00"), &json!("UTR-9"))
    );
    let by: Vec<&Value> =
        shown["history"].as_array().expect("a list").iter().map(|made| &made["by"]).collect();
    assert_eq!(by, ["partner", "insurer", "insurer", "insurer", "insurer"], "each once");
    tells(&app, &claim, json!({ "status": "PAID", "reference": "UTR-8", "paid_on": "2026-11-20" }))
        .await
        .is_refused(409, "S4090");
    tells(&app, &claim, json!({ "status": "UNDER_ASSESSMENT" })).await.is_refused(400, "S4000");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixteen_simultaneous_equal_rejections_of_a_claim_all_succeed_and_make_only_one_move() {
    let (app, claim) = with_claim().await;
    let reason = json!({ "status": "REJECTED", "reason": "The policy did not cover this." });
    let told = join_all((0..16).map(|_| tells(&app, &claim, reason.clone()))).await;
    assert!(
        told.iter().all(|answer| answer.status == 200),
        "{:?}",
        told.iter().map(|one| one.status).collect::<Vec<_>>()
    );
    let shown = app.claim(&claim).await;
    assert_eq!(shown["history"].as_array().map(Vec::len), Some(2));
    assert_eq!(shown["history"][1]["reason"], reason["reason"], "the partner reads why");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixteen_simultaneous_equal_payment_reports_all_succeed_and_make_only_one_move() {
    let (app, claim) = with_claim().await;
    for body in [
        json!({ "status": "UNDER_ASSESSMENT" }),
        json!({ "status": "APPROVED", "approved_amount": "400000.00" }),
    ] {
        assert_eq!(tells(&app, &claim, body).await.status, 200);
    }
    let paid = json!({ "status": "PAID", "reference": "UTR-9", "paid_on": "2026-11-20", "waived": waived() });
    let told = join_all((0..16).map(|_| tells(&app, &claim, paid.clone()))).await;
    let statuses: Vec<u16> = told.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [200; 16], "{}", told[1].text);
    assert_eq!(app.claim(&claim).await["history"].as_array().map(Vec::len), Some(4));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_fault_of_an_insurers_claim_report_is_named() {
    let (app, claim) = with_claim().await;
    for (body, faults) in [
        (json!({}), &["status"][..]),
        (json!({ "status": "SETTLED", "approved_amount": "1.00", "reference": "UTR-9" }), &["status"]),
        (json!({ "status": "APPROVED" }), &["approved_amount"]),
        (
            json!({ "status": "REJECTED", "approved_amount": "1.00", "paid_on": "2026-11-20" }),
            &["approved_amount", "paid_on", "reason"],
        ),
        (json!({ "status": "PAID", "amount": "x" }), &["amount", "paid_on", "reference"]),
        (json!({ "status": "PAID", "reference": "UTR-9", "paid_on": "2026-11-21" }), &["paid_on"]),
        (
            json!({ "status": "UNDER_ASSESSMENT", "reference": "UTR-9", "amount": "1.00" }),
            &["amount", "reference"],
        ),
    ] {
        tells(&app, &claim, body).await.has_faults_on(faults);
    }
    let most = json!({ "status": "UNDER_ASSESSMENT" });
    assert_eq!(tells(&app, &claim, most).await.status, 200);
    let too_much = json!({ "status": "APPROVED", "approved_amount": "500000.01" });
    tells(&app, &claim, too_much).await.is_refused(409, "S4090");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_claim_examples_in_the_insurers_document_have_no_fault_except_a_future_date() {
    let (app, claim) = with_claim().await;
    let document = include_str!("../../../../docs/insurers.md");
    let section = document.split("## Claims and their papers").nth(1).expect("a section");
    let section = section.split("\n## ").next().expect("its text");
    let told: Vec<Value> = section
        .split("```json")
        .skip(1)
        .map(|rest| serde_json::from_str(rest.split("```").next().expect("an end")).expect("JSON"))
        .filter(|object: &Value| object["payload"].is_null())
        .collect();
    assert_eq!(told.len(), 2, "a decision and a payment");
    assert_eq!(tells(&app, &claim, json!({ "status": "UNDER_ASSESSMENT" })).await.status, 200);
    for body in told {
        let answer = tells(&app, &claim, body.clone()).await;
        // The payment is dated after the current day of this test.
        if answer.status != 200 {
            answer.has_faults_on(&["paid_on"]);
        }
    }
    assert_eq!(app.claim(&claim).await["status"], "APPROVED");
}
