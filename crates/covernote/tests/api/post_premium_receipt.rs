//! `POST /v1/premiums/receipts`: a partner reports a payment of premiums (D63, D64).

use std::sync::Arc;

use domain::money::Rupees;
use domain::premium::{Account, PremiumState};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::Setup;
use crate::support::bodies::{with, without};
use crate::support::premium::{KALPANIK, RECEIPTS, receipt};

#[tokio::test]
async fn a_proposal_can_be_completed_after_its_premium_was_paid() {
    let app = Setup::paid_by_partner().start().await;
    let id = app.has_proposal("PENDING").await;
    let due = app.due(&id).await;
    let answer = app.pays("UTR-1", &id, &due).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
    let item = json!({ "proposal_id": id, "amount": due, "outcome": "matched" });
    assert_eq!(answer.json(), json!({ "payload": { "reference": "UTR-1", "amount": due, "items": [item] } }));
    assert_eq!(app.premium_state(&id).await, PremiumState::Received);
    let path = format!("/v1/embedded/proposal/{id}");
    assert_eq!(app.patch(&path, json!({ "status": "COMPLETED" })).await.status, 200);
    assert_eq!(app.premium_state(&id).await, PremiumState::Paid);
    assert_eq!(app.balance(Account::Premium).await.to_string(), due);
    assert_eq!(app.balance(Account::WithInsurer).await, Rupees::ZERO - app.balance(Account::Premium).await);
}

#[tokio::test]
async fn a_payment_for_several_proposals_is_matched_to_the_paisa_for_each_proposal() {
    let app = Setup::paid_by_partner().start().await;
    let (first, second) = (app.has_proposal("PENDING").await, app.has_proposal("PENDING").await);
    let (due, short) = (app.due(&first).await, less_a_paisa(&app.due(&second).await));
    let answer = app.post(RECEIPTS, receipt("UTR-2", &[(&first, &due), (&second, &short)])).await;
    let outcomes: Vec<Value> = answer.json()["payload"]["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|item| item["outcome"].clone())
        .collect();
    assert_eq!((answer.status, outcomes), (201, vec![json!("matched"), json!("mismatch")]));
    assert_eq!(app.premium_state(&second).await, PremiumState::Mismatch);
    let path = format!("/v1/embedded/proposal/{second}");
    app.patch(&path, json!({ "status": "COMPLETED" })).await.is_refused(400, "S4000");
    assert_eq!(app.balance(Account::Unsettled).await.to_string(), short);
}

fn less_a_paisa(amount: &str) -> String {
    let paise: i64 = amount.replace('.', "").parse().expect("an amount");
    Rupees::from_paise(paise - 1).to_string()
}

#[tokio::test]
async fn a_repeated_receipt_changes_nothing_and_another_one_with_its_reference_is_a_conflict() {
    let app = Setup::paid_by_partner().start().await;
    let id = app.has_proposal("PENDING").await;
    let due = app.due(&id).await;
    let first = app.pays("UTR-3", &id, &due).await;
    let again = app.pays("UTR-3", &id, &due).await;
    assert_eq!((first.status, again.status), (201, 200));
    assert_eq!(first.json(), again.json());
    assert_eq!(app.balance(Account::Received).await.to_string(), due);
    app.pays("UTR-3", &id, "1.00").await.is_refused(409, "S4090");
    assert_eq!(app.balance(Account::Unsettled).await, Rupees::ZERO);
    assert_eq!((app.rows_of("receipts"), app.rows_of("receipt_lines")), (1, 1));
}

#[tokio::test]
async fn a_payment_that_is_dated_before_its_proposal_is_a_mismatch() {
    // D64
    let app = Setup::paid_by_partner().start().await;
    let id = app.has_proposal("PENDING").await;
    let due = app.due(&id).await;
    let body = with(receipt("UTR-6", &[(&id, &due)]), "received_on", json!("19/11/2026"));
    let told = app.post(RECEIPTS, body).await;
    assert_eq!(told.status, 201, "{}", told.text);
    assert_eq!(told.json()["payload"]["items"][0]["outcome"], "mismatch");
    assert_eq!(app.premium_state(&id).await, PremiumState::Mismatch);
}

#[tokio::test]
async fn a_partner_cannot_report_a_payment_for_another_partners_proposal() {
    let app = Setup::paid_by_partner().start().await;
    let id = app.has_proposal("PENDING").await;
    let due = app.due(&id).await;
    let other = app.new_partner("Other Lender").await;
    let body = receipt("UTR-4", &[(&id, &due)]);
    let answer = app.as_partner(&other, "POST", RECEIPTS, Some(body)).await;
    answer.has_faults_on(&["items[0].proposal_id"]);
    assert_eq!(app.premium_state(&id).await, PremiumState::Due, "nobody pays for another partner's");
    assert_eq!(app.pays("UTR-4", &id, &due).await.status, 201);
}

#[tokio::test]
async fn every_fault_of_a_premium_receipt_is_reported_at_its_path() {
    let app = Setup::paid_by_partner().start().await;
    let (draft, pending) = (app.has_proposal("DRAFT").await, app.has_proposal("PENDING").await);
    let straight = app.has_proposal_body_decided_by("straight-through", "SUBMITTED").await;
    let drawn = app.post("/v1/embedded/proposal", straight).await.json()["payload"]["proposal_id"].clone();
    let drawn = drawn.as_str().expect("an id");
    let unknown = "pro_01m5vvw3xreqg9aaa1afd2xg99";
    let items =
        [(&*pending, "1.00"), (unknown, "1.00"), (&*draft, "1.00"), (drawn, "1.00"), (&*pending, "1.00")];
    let body = with(receipt("UTR-5", &items), "amount", json!("5.01"));
    let answer = app.post(RECEIPTS, body).await;
    let wanted = [
        "amount",
        "items[1].proposal_id",
        "items[2].proposal_id",
        "items[3].proposal_id",
        "items[4].proposal_id",
    ];
    answer.has_faults_on(&wanted);
    assert!(answer.fault_on("amount").contains("₹5.00"), "{}", answer.text);
    assert_eq!((app.rows_of("receipts"), app.rows_of("ledger")), (0, 2), "but for the draw and its deposit");

    let body = receipt("UTR-5", &[(&pending, "1.00")]);
    for (field, wrong) in [
        ("reference", json!("two words")),
        ("reference", json!("x".repeat(65))),
        ("amount", json!("0.00")),
        ("amount", json!(12)),
        ("amount", json!("1000000000001.00")),
        ("received_on", json!("21/11/2026")),
        ("received_on", json!("2026-11-20")),
        ("items", json!([])),
    ] {
        app.post(RECEIPTS, with(body.clone(), field, wrong.clone())).await.has_faults_on(&[field]);
    }
    // A fault names its rule, even if the value has the right form.
    for (field, wrong, why) in [
        ("received_on", "21/11/2026", "not after today."),
        ("amount", "1000000000001.00", "above zero and at most 1000000000000"),
    ] {
        let answer = app.post(RECEIPTS, with(body.clone(), field, json!(wrong))).await;
        assert!(answer.fault_on(field).contains(why), "{}", answer.text);
    }
    for field in ["reference", "amount", "received_on", "items"] {
        app.post(RECEIPTS, without(body.clone(), field)).await.has_faults_on(&[field]);
    }
    assert_eq!(app.rows_of("receipts"), 0);
}

#[tokio::test]
async fn a_partner_cannot_report_a_premium_that_somebody_else_collects() {
    for route in ["by = \"link\"", "by = \"here\""] {
        let app = Setup::default().with_premium(KALPANIK, route).start().await;
        let id = app.has_proposal("PENDING").await;
        let due = app.due(&id).await;
        app.pays("UTR-6", &id, &due).await.has_faults_on(&["items[0].proposal_id"]);
        assert_eq!(app.premium_state(&id).await, PremiumState::Due);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn only_one_of_a_thousand_equal_receipts_at_three_processes_is_recorded() {
    let catalogue = Setup::paid_by_partner().catalogue;
    let app = Arc::new(Setup::paid_by_partner().start().await);
    let id = app.has_proposal("PENDING").await;
    let due = app.due(&id).await;
    let accepted = app
        .service
        .operator_proposals
        .decide(id.parse().expect("an id"), service::proposal::operator::Verdict::of(true, None))
        .await;
    assert!(accepted.expect("kept").waits_for.is_some());
    let others = [
        app.serves(app.another_process(&catalogue).await),
        app.serves(app.another_process(&catalogue).await),
    ];
    let bases = [app.base.clone(), others[0].base.clone(), others[1].base.clone()];
    let client = reqwest::Client::new();
    let token = app.partner().token.clone();
    let mut tellers = JoinSet::new();
    for teller in 0..50 {
        let (client, token) = (client.clone(), token.clone());
        let (address, body) =
            (format!("{}{RECEIPTS}", bases[teller % 3]), receipt("UTR-RACE", &[(&id, &due)]));
        tellers.spawn(async move {
            let mut first = 0;
            for _ in 0..20 {
                loop {
                    let request = client.post(&address).bearer_auth(&token).json(&body);
                    match request.send().await.expect("an answer").status().as_u16() {
                        201 => first += 1,
                        200 => {}
                        429 | 503 => {
                            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
                            continue;
                        }
                        other => panic!("{other}"),
                    }
                    break;
                }
            }
            first
        });
    }
    let first: i32 = tellers.join_all().await.into_iter().sum();
    assert_eq!(first, 1, "one telling is the first");
    app.is_completed_at_last(&id).await;
    let tables = ["receipts", "receipt_lines", "policies"].map(|table| app.rows_of(table));
    assert_eq!(tables, [1, 1, 1], "one receipt, one policy");
    assert_eq!(app.balance(Account::Premium).await.to_string(), due);
    app.has_no_job_left().await;
}
