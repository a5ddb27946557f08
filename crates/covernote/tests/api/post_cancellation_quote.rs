//! `POST /v1/policies/{policy_id}/cancellation-quote`: the refund of a cancellation, to the paisa and step by
//! step (D68).

use serde_json::{Value, json};

use crate::support::{App, Setup};

async fn quote(app: &App, id: &str, body: Value) -> Value {
    let answer = app.post(&format!("/v1/policies/{id}/cancellation-quote"), body).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["payload"].clone()
}

#[tokio::test]
async fn a_cancellation_quote_gives_the_refund_with_its_steps_and_changes_nothing() {
    let mut app = App::start().await;
    let id = app.has_policy().await;
    app.set_clock("2026-11-29T12:00:00+05:30").await;
    // Ten of 731 days were covered: 1,855 x 721 / 731, with 18 % tax.
    let quoted = quote(&app, &id, json!({ "reason": "FREE_LOOK" })).await;
    assert_eq!(quoted["refund"], json!({ "base": "1829.62", "gst": "329.33", "total": "2158.95" }));
    assert_eq!(
        (&quoted["effective_on"], &quoted["refund_due_on"]),
        (&json!("2026-11-29"), &json!("2026-12-06"))
    );
    assert_eq!(quoted["confirmed_by"], "partner");
    let steps = quoted["steps"].as_array().expect("a list");
    assert_eq!(steps[1]["factor"], "721/731");
    assert!(steps[1]["rule"].as_str().expect("a place").starts_with("cancellation.toml:"), "{steps:?}");
    assert_eq!(steps.last().expect("one")["amount"], "2158.95");
    // The quote changes nothing.
    assert_eq!(app.policy(&id).await["status"], "ISSUED");
    assert_eq!(app.rows_of("policy_moves"), 0);
}

#[tokio::test]
async fn the_free_look_starts_on_the_stated_day_of_receipt_or_else_at_the_first_download() {
    let mut app = App::start().await;
    let proposal = app.has_proposal("COMPLETED").await;
    let id = app.policy_id_of(&proposal).await;
    app.set_clock("2026-12-21T12:00:00+05:30").await;
    let refused = app.quotes_cancellation(&id, "FREE_LOOK").await;
    refused.is_refused(400, "S4000");
    assert!(refused.text.contains("20 Dec 2026"), "{}", refused.text);
    let told = quote(&app, &id, json!({ "reason": "FREE_LOOK", "received_on": "2026-12-01" })).await;
    assert_eq!(told["refund"]["total"], "2093.08");
    let path = app.download_path(&proposal).await;
    assert_eq!(app.get_without_bearer(&path).await.status, 200);
    let downloaded = quote(&app, &id, json!({ "reason": "FREE_LOOK" })).await;
    assert_eq!(downloaded["refund"]["total"], "2093.08", "today it was downloaded first");
    // The first download of the certificate counts, not a later one.
    app.set_clock("2027-01-21T12:00:00+05:30").await;
    assert_eq!(app.get_without_bearer(&app.download_path(&proposal).await).await.status, 200);
    app.quotes_cancellation(&id, "FREE_LOOK").await.is_refused(400, "S4000");
}

#[tokio::test]
async fn every_fault_is_named_and_reasons_reserved_to_the_insurer_are_refused() {
    let app = App::start().await;
    let id = app.has_policy().await;
    let path = format!("/v1/policies/{id}/cancellation-quote");
    app.post(&path, json!({})).await.has_faults_on(&["reason"]);
    app.post(&path, json!({ "reason": "BORED", "received_on": "20/11/2026", "refund": "1" }))
        .await
        .has_faults_on(&["reason", "received_on", "refund"]);
    for day in ["2026-11-19", "2026-11-21"] {
        app.post(&path, json!({ "reason": "FREE_LOOK", "received_on": day }))
            .await
            .has_faults_on(&["received_on"]);
    }
    for alone in ["FRAUD", "MISSTATEMENT", "PAYMENT_BOUNCED"] {
        let refused = app.post(&path, json!({ "reason": alone })).await;
        refused.is_refused(400, "S4000");
        assert!(refused.text.contains("Only the insurer"), "{}", refused.text);
    }
    app.post(
        "/v1/policies/pol_01m5vvw3xreqg9aaa1afd2xg99/cancellation-quote",
        json!({ "reason": "FREE_LOOK" }),
    )
    .await
    .is_refused(404, "R4040");
}

#[tokio::test]
async fn a_policy_cannot_be_cancelled_if_the_running_catalogue_has_no_rules_for_it() {
    // D68: the law on the day of the cancellation, not of the sale
    let app = App::start().await;
    let id = app.has_policy().await;
    let none = Setup::with_edited("cancellation.toml", |text| {
        let (before, health) = text.split_once("[[rules]]\nid = \"health\"").expect("rules of health");
        let (before, _) = before.split_once("[[rules]]\nid").expect("rules of credit life");
        format!("{before}[[rules]]\nid = \"health\"{health}")
    });
    app.runs_catalogue(&none.catalogue).await;
    app.quotes_cancellation(&id, "FREE_LOOK").await.is_refused(409, "S4090");
}

#[tokio::test]
async fn a_health_policy_cancelled_as_a_duplicate_refunds_exactly_its_premium() {
    let mut app = Setup::health().start().await;
    let proposal = app.has_accepted_health_proposal().await;
    let id = app.policy_id_of(&proposal).await;
    let paid = app.policy(&id).await["premium"].clone();
    let all = quote(&app, &id, json!({ "reason": "DUPLICATE" })).await;
    assert_eq!(all["refund"], paid);
    app.set_clock("2027-02-28T12:00:00+05:30").await;
    app.quotes_cancellation(&id, "FREE_LOOK").await.is_refused(400, "S4000");
    assert_eq!(app.quotes_cancellation(&id, "CUSTOMER").await.status, 200);
    app.quotes_cancellation(&id, "LOAN_FORECLOSED").await.is_refused(400, "S4000");
}
