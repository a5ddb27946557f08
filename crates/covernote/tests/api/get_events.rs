//! `GET /v1/events` and `GET /v1/events/{event_id}`: events, read back (D95). At the end of each test,
//! `support/events.rs` checks its events against the OpenAPI document.

use std::time::Duration;

use domain::premium::PaymentReference;
use domain::text::FromText;
use serde_json::{Value, json};

use crate::support::claims::death;
use crate::support::{App, Setup, bodies};

const EVENTS: &str = "/v1/events";

/// Personal data of the people in a proposal.
const PERSONAL: &[&str] = &["Asha", "Rao", "asha.rao", "ABCPR1234K", "560038", "1990"];

/// The types of a query's events, newest first.
async fn types(app: &App, query: &str) -> Vec<String> {
    let found = app.get(&format!("{EVENTS}{query}")).await;
    assert_eq!(found.status, 200, "{}", found.text);
    let events = found.json()["events"].as_array().expect("a list").clone();
    events.iter().map(|event| event["type"].as_str().expect("text").to_owned()).collect()
}

/// The newest event of a type.
async fn newest(app: &App, kind: &str) -> Value {
    let found = app.get(&format!("{EVENTS}?type={kind}&limit=1")).await.json();
    found["events"].as_array().and_then(|events| events.first()).expect("one").clone()
}

#[tokio::test]
async fn each_step_of_a_sale_creates_an_event_and_sequence_numbers_count_per_subject() {
    let app = Setup::paid_by_partner().start().await;
    let proposal = app.has_proposal("PENDING").await;
    assert_eq!(app.pays("UTR-1", &proposal, &app.due(&proposal).await).await.status, 201);
    assert_eq!(
        app.patch(&format!("/v1/embedded/proposal/{proposal}"), json!({ "status": "COMPLETED" }))
            .await
            .status,
        200
    );
    let policy = app.policy_id_of(&proposal).await;
    let told = ["proposal.completed", "premium.received", "proposal.submitted"];
    assert_eq!(types(&app, &format!("?subject={proposal}")).await, told);
    assert_eq!(types(&app, &format!("?subject={policy}")).await, ["policy.issued"]);
    let issued = newest(&app, "policy.issued").await;
    let shown = app.policy(&policy).await;
    assert_eq!(
        (&issued["version"], &issued["mode"], &issued["sequence"]),
        (&json!(1), &json!("live"), &json!(1))
    );
    let data = &issued["data"];
    assert_eq!(
        (&data["object"], &data["id"], &data["proposal_id"]),
        (&json!("policy"), &json!(policy), &json!(proposal))
    );
    assert_eq!((&data["status"], &data["number"]), (&json!("ISSUED"), &shown["policy_number"]));
    assert_eq!((&data["premium"], &data["reference"]), (&shown["premium"]["total"], &shown["reference"]));
    let read = app.get(data["href"].as_str().expect("an address")).await;
    assert_eq!(read.json()["payload"]["policy_id"], policy.as_str(), "href leads to it");
    let completed = newest(&app, "proposal.completed").await;
    assert_eq!((&completed["sequence"], &completed["data"]["policy_id"]), (&json!(3), &json!(policy)));
    assert_eq!(completed["data"]["previous_status"], "PENDING");
}

#[tokio::test]
async fn each_event_of_a_sale_has_the_loan_account_number_as_its_reference() {
    let app = Setup::paid_by_partner().start().await;
    let mut body = app.has_proposal_body("SUBMITTED").await;
    body["context_data"] = json!([{ "key": "loan_account_number", "values": ["LN-0001"] }]);
    let answer = app.post("/v1/embedded/proposal", body).await;
    let proposal = answer.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
    assert_eq!(app.pays("UTR-1", &proposal, &app.due(&proposal).await).await.status, 201);
    assert_eq!(app.pays("UTR-2", &proposal, "1.00").await.status, 201, "too much");
    let completed = json!({ "status": "COMPLETED" });
    assert_eq!(app.patch(&format!("/v1/embedded/proposal/{proposal}"), completed).await.status, 200);
    let policy = app.policy_id_of(&proposal).await;
    assert_eq!(app.claims(death(&policy)).await.status, 201);
    let told = app.get(&format!("{EVENTS}?limit=100")).await.json();
    let told = told["events"].as_array().expect("a list");
    for kind in [
        "proposal.submitted",
        "premium.mismatch",
        "premium.received",
        "proposal.completed",
        "policy.issued",
        "claim.intimated",
    ] {
        let event = told.iter().find(|event| event["type"] == kind).unwrap_or_else(|| panic!("{kind}"));
        assert_eq!(event["data"]["reference"], "LN-0001", "{event}");
    }
}

#[tokio::test]
async fn an_endorsement_a_cancellation_and_their_refunds_create_events() {
    let app = App::start().await;
    let policy = app.has_policy().await;
    let less = json!({ "kind": "COVER_REDUCTION", "sum_insured": "300000.00" });
    assert_eq!(app.endorses(&policy, less).await.status, 200);
    assert_eq!(app.cancels(&policy, "FREE_LOOK").await.status, 200);
    let told = [
        "refund.due",
        "policy.cancelled",
        "policy.cancellation_requested",
        "refund.due",
        "endorsement.applied",
        "endorsement.requested",
        "policy.issued",
    ];
    assert_eq!(types(&app, &format!("?subject={policy}")).await, told);
    let due = newest(&app, "refund.due").await;
    let shown = app.policy(&policy).await;
    assert_eq!(due["data"]["refund"], shown["cancellation"]["refund"]["total"], "{shown:#}");
    let reference = PaymentReference::from_text("UTR-7").expect("a reference");
    let id = policy.parse().expect("an id");
    app.service.refunds.paid(id, reference, app.today(), None).await.expect("noted");
    assert_eq!(newest(&app, "refund.paid").await["data"]["paid_on"], "2026-11-20");
}

#[tokio::test]
async fn a_new_claim_creates_an_intimation_event_that_does_not_contain_the_cause() {
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    assert_eq!(types(&app, &format!("?subject={claim}")).await, ["claim.intimated"]);
    let told = newest(&app, "claim.intimated").await;
    assert_eq!((&told["data"]["kind"], &told["data"]["status"]), (&json!("DEATH"), &json!("INTIMATED")));
    assert!(!told.to_string().contains("Cardiac"), "no cause, no name: {told}");
}

#[tokio::test]
async fn a_finished_recommendation_creates_exactly_one_event() {
    let app = Setup::health().start().await;
    let quote = app.has_health_quote(bodies::recommendation()).await;
    app.finished_recommendation(&quote).await;
    app.has_no_job_left().await;
    assert_eq!(types(&app, &format!("?subject={quote}")).await, ["recommendation.completed"]);
    let told = newest(&app, "recommendation.completed").await;
    let read = app.get(told["data"]["href"].as_str().expect("an address")).await;
    assert_eq!(read.json()["payload"]["quote_id"], quote.as_str());
    let counted = told["data"]["priced"].as_u64().expect("a number")
        + told["data"]["not_priced"].as_u64().expect("a number");
    assert_eq!(counted, read.json()["payload"]["total_variants"].as_u64().unwrap_or(counted));
}

#[tokio::test]
async fn a_customers_proposal_creates_events_that_name_who_moved_it() {
    let app = Setup::health().start().await;
    let proposal = app.has_accepted_health_proposal().await;
    let told = types(&app, &format!("?subject={proposal}")).await;
    assert_eq!(told.first().map(String::as_str), Some("proposal.completed"));
    assert!(
        told.contains(&"proposal.created".to_owned()) && told.contains(&"proposal.under_review".to_owned()),
        "{told:?}"
    );
    let created = newest(&app, "proposal.created").await;
    assert_eq!((&created["data"]["moved_by"], &created["sequence"]), (&json!("customer"), &json!(1)));
}

#[tokio::test]
async fn an_event_contains_no_personal_data() {
    let app = Setup::paid_by_partner().start().await;
    let proposal = app.has_proposal("PENDING").await;
    app.pays("UTR-1", &proposal, "1.00").await;
    let sent = bodies::quote().to_string() + &app.has_proposal_body("SUBMITTED").await.to_string();
    let told = app.get(EVENTS).await.text;
    assert!(types(&app, "").await.contains(&"premium.mismatch".to_owned()));
    for personal in PERSONAL {
        assert!(sent.contains(personal), "{personal} is not in {sent}");
        assert!(!told.contains(personal), "{personal} stands in {told}");
    }
}

#[tokio::test]
async fn each_page_of_events_begins_where_the_page_before_ended() {
    let app = App::start().await;
    for _ in 0..3 {
        app.has_proposal("PENDING").await;
    }
    let all = app.get(EVENTS).await.json();
    let count = all["events"].as_array().expect("a list").len();
    assert!(count == 3 && all["has_next"] == false, "{all}");
    let (mut read, mut next) = (Vec::new(), String::new());
    loop {
        let page = app.get(&format!("{EVENTS}?limit=2{next}")).await.json();
        read.extend(page["events"].as_array().expect("a list").clone());
        next = format!("&next={}", page["end_cursor"].as_str().expect("text"));
        if page["has_next"] == false {
            break;
        }
    }
    assert_eq!(json!(read), all["events"]);
    let none = app.get(&format!("{EVENTS}?since=2026-11-21T00:00:00Z")).await.json();
    assert_eq!(
        none,
        json!({ "events": [], "has_next": false, "has_prev": false, "count": null, "end_cursor": "", "start_cursor": "" })
    );
    assert_eq!(types(&app, "?until=2026-11-20T00:00:00Z").await, [""; 0]);
    assert_eq!(types(&app, "?since=2026-11-20T10:00:00%2B05:30").await.len(), count);
}

#[tokio::test]
async fn every_faulty_parameter_of_an_event_query_is_reported() {
    let app = App::start().await;
    let query = "?type=policy.sold&subject=abc&since=yesterday&until=x&next=pol_1&limit=0";
    let answer = app.get(&format!("{EVENTS}{query}")).await;
    answer.has_faults_on(&["type", "subject", "since", "until", "next", "limit"]);
}

#[tokio::test]
async fn an_event_can_be_read_by_its_id_only_by_its_own_partner() {
    let mut app = App::start().await;
    app.has_proposal("PENDING").await;
    let event = newest(&app, "proposal.submitted").await;
    let path = format!("{EVENTS}/{}", event["id"].as_str().expect("an id"));
    assert_eq!(app.get(&path).await.json()["payload"], event);
    let narrow = app.token_of(app.partner(), &["business.policy.read"]).await;
    app.send(app.request("GET", &path).bearer_auth(narrow)).await.is_refused(403, "A4030");
    let other = app.new_partner("Another Lender").await;
    app.asks_as(other);
    app.get(&path).await.is_refused(404, "R4040");
    assert_eq!(app.get(EVENTS).await.json()["events"], json!([]));
}

#[tokio::test]
async fn events_are_served_for_30_days_and_their_sequence_numbers_are_never_reused() {
    let mut app = App::start().await;
    let policy = app.has_policy().await;
    let listed = app.get(EVENTS).await.json()["events"][0].clone();
    let path = format!("{EVENTS}/{}", listed["id"].as_str().expect("an id"));
    app.set_clock("2026-12-20T09:59:59+05:30").await;
    assert!(!app.service.events.forget_old().await.expect("done"));
    assert_eq!(app.get(&path).await.status, 200);
    app.clock.advance(Duration::from_secs(2));
    // The same result, whether the events have been removed from the store or not.
    assert_eq!(types(&app, "").await, [""; 0]);
    assert_eq!(types(&app, "?since=2026-11-01T00:00:00%2B05:30").await, [""; 0]);
    app.get(&path).await.is_refused(404, "R4040");
    // On PostgreSQL, a whole month is removed 30 days after its end.
    app.set_clock("2026-12-31T10:00:00+05:30").await;
    assert!(app.service.events.forget_old().await.expect("done"));
    assert_eq!(app.store.rows_of("events"), 0);
    assert_eq!(app.cancels(&policy, "LOAN_FORECLOSED").await.status, 200);
    assert_eq!(newest(&app, "policy.cancellation_requested").await["sequence"], 2, "after its issue");
}

#[tokio::test]
async fn adding_and_revoking_a_secret_each_create_an_event() {
    let app = App::start().await;
    let partner = app.partner().client_id.clone();
    app.service.partners.add_secret(&partner).await.expect("added");
    app.service.partners.revoke_secret(&partner, 1, false).await.expect("revoked");
    assert_eq!(types(&app, "").await, ["credential.revoked", "credential.added"]);
    let told = app.kept_events(app.partner().id).await;
    assert_eq!(told.iter().map(|event| event.data.nth).collect::<Vec<_>>(), [Some(2), Some(1)]);
}
