//! `/v1/sandbox/clock`: a test partner's clock moves forward, and everything that falls due happens before
//! the answer (D97).

use serde_json::{Value, json};

use crate::support::{App, Setup, bodies};

const CLOCK: &str = "/v1/sandbox/clock";

impl App {
    /// Makes a new test partner the app's partner.
    pub(crate) async fn asks_in_a_sandbox(&mut self) {
        let partner = self.new_test_partner().await;
        self.asks_as(partner);
    }

    pub(crate) async fn advances(&self, days: u32) -> Value {
        let moved = self.post(CLOCK, json!({ "days": days })).await;
        assert_eq!(moved.status, 200, "{}", moved.text);
        moved.json()["payload"].take()
    }

    /// Types of the events about a record, oldest first.
    pub(crate) async fn events_of(&self, subject: &str) -> Vec<String> {
        let page = self.get(&format!("/v1/events?subject={subject}&limit=100")).await;
        assert_eq!(page.status, 200, "{}", page.text);
        let mut types: Vec<String> = page.json()["events"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|event| event["type"].as_str().expect("a type").to_owned())
            .collect();
        types.reverse();
        types
    }
}

#[tokio::test]
async fn a_sandbox_clock_starts_at_the_real_time_and_moves_only_forward() {
    let mut app = App::start().await;
    app.asks_in_a_sandbox().await;
    let begun = app.get(CLOCK).await.json()["payload"].take();
    assert_eq!(begun["ahead_seconds"], 0);
    assert_eq!(begun["now"], begun["real_time"]);
    let moved = app.post(CLOCK, json!({ "days": 1, "hours": 2, "minutes": 3, "seconds": 4 })).await.json();
    assert_eq!(moved["payload"]["ahead_seconds"], 86_400 + 2 * 3600 + 3 * 60 + 4);
    assert_eq!(moved["payload"]["settled"], true);
    let to = app.post(CLOCK, json!({ "to": "2027-01-01T00:00:00Z" })).await;
    assert_eq!(to.status, 200, "{}", to.text);
    assert!(app.get(CLOCK).await.json()["payload"]["now"].as_str().expect("text").starts_with("2027-01-01"));
    let back = app.post(CLOCK, json!({ "to": "2026-12-31T00:00:00Z" })).await;
    back.has_faults_on(&["to"]);
    for (body, field) in [
        (json!({}), "days"),
        (json!({ "days": 0 }), "days"),
        (json!({ "days": 1, "to": "2028-01-01T00:00:00Z" }), "to"),
        (json!({ "days": 401 }), "advance"),
    ] {
        app.post(CLOCK, body).await.has_faults_on(&[field]);
    }
}

#[tokio::test]
async fn quotes_and_events_follow_the_sandbox_clock_but_ids_and_tokens_the_real_time() {
    let mut app = App::start().await;
    app.asks_in_a_sandbox().await;
    let body = app.has_proposal_body("SUBMITTED").await;
    app.advances(31).await;
    // The old token is still valid, because tokens use the real time.
    let late = app.post("/v1/embedded/proposal", body).await;
    late.has_faults_on(&["quote_id"]);
    let quote = app.has_quote().await;
    let id = quote["quote_id"].as_str().expect("an id");
    let event = app.post("/v1/sandbox/webhooks/fire", json!({ "type": "policy.issued" })).await.json();
    let event = event["payload"]["event_id"].as_str().expect("an id").to_owned();
    assert_eq!(id[4..9], event[4..9], "both were made now, whatever the clock shows");
    let shown = app.get(&format!("/v1/events/{event}")).await.json();
    let told = shown["payload"]["timestamp"].as_str().expect("an instant");
    assert!(told.starts_with("2026-12-21"), "{told}");
    assert_eq!(shown["payload"]["mode"], "test");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moving_the_sandbox_clock_triggers_renewal_reminders_expiry_and_lapse_of_a_policy() {
    let mut app = Setup::health().start().await;
    app.asks_in_a_sandbox().await;
    let policy = app.has_health_policy().await;
    assert_eq!(app.policy(&policy).await["status"], "ISSUED");
    // The policy ends on 19 November 2027. Reminders come 45, 30, 15 days and 1 day before.
    let moved = app.advances(330).await;
    assert_eq!(moved["events"], 2, "with the month's statement");
    assert_eq!(app.events_of(&policy).await, ["policy.issued", "policy.renewal_due"]);
    let due = app.get(&format!("/v1/events?subject={policy}&type=policy.renewal_due")).await.json();
    assert_eq!(
        (&due["events"][0]["data"]["days_left"], &due["events"][0]["data"]["last_day"]),
        (&json!(45), &json!("2027-11-19"))
    );
    let moved = app.advances(34).await;
    assert_eq!(moved["events"], 3);
    assert_eq!(app.policy(&policy).await["status"], "ISSUED");
    app.advances(1).await;
    assert_eq!(app.policy(&policy).await["status"], "EXPIRED");
    app.advances(40).await;
    assert_eq!(app.policy(&policy).await["status"], "LAPSED");
    let told = app.events_of(&policy).await;
    assert_eq!(
        told[told.len() - 2..],
        ["policy.expired".to_owned(), "policy.lapsed".to_owned()],
        "each once: {told:?}"
    );
    assert_eq!(told.len(), 7);
    // For other partners it is still the day of the sale.
    let live = app.new_partner("Live").await;
    let listed = app.as_partner(&live, "GET", "/v1/renewals", None).await;
    assert_eq!(listed.json()["policies"], json!([]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_months_statement_is_made_when_the_sandbox_clock_passes_the_months_end() {
    // D102
    let mut app = App::start().await;
    app.asks_in_a_sandbox().await;
    let (kept, cancelled) = (app.has_policy().await, app.has_policy().await);
    assert_eq!(app.advances(9).await["events"], 0, "it is 29 November");
    assert_eq!(app.get("/v1/statements").await.json()["statements"], json!([]));
    assert_eq!(app.advances(2).await["events"], 1);
    assert_eq!(app.cancels(&cancelled, "FREE_LOOK").await.status, 200);
    assert_eq!(app.advances(60).await["events"], 1, "nothing was sold in January");
    let listed = app.get("/v1/statements").await.json()["statements"].take();
    let months = |field: &str| -> Vec<Value> {
        listed.as_array().expect("a list").iter().map(|one| one[field].clone()).collect()
    };
    assert_eq!(months("month"), [json!("2026-12"), json!("2026-11")]);
    assert_eq!(months("rows"), [json!(1), json!(2)]);
    let sold = &listed[1];
    let number = sold["number"].as_str().expect("text");
    assert!(number.starts_with("TEST-CS-202611-"), "{number}");
    let id = sold["statement_id"].as_str().expect("an id");
    assert_eq!(app.events_of(id).await, ["statement.ready"]);
    let shown = app.get(&format!("/v1/statements/{id}")).await.json()["payload"].take();
    let csv = shown["files"].as_array().expect("files").iter().find(|file| file["format"] == "csv");
    let address = csv.expect("one")["url"].as_str().expect("an address");
    let rows = app.get_without_bearer(address.trim_start_matches(&app.base)).await;
    assert_eq!(rows.status, 200, "{}", rows.text);
    let numbered = app.policy(&kept).await["policy_number"].as_str().expect("text").to_owned();
    assert!(rows.text.lines().count() == 3 && rows.text.contains(&numbered), "{}", rows.text);
    let cleared = app.as_partner(app.partner(), "DELETE", "/v1/sandbox/data", None).await;
    assert_eq!(cleared.status, 200, "{}", cleared.text);
    assert_eq!(app.get("/v1/statements").await.json()["statements"], json!([]));
}

#[tokio::test]
async fn another_process_uses_a_moved_sandbox_clock_at_its_next_request() {
    let mut app = App::start().await;
    app.asks_in_a_sandbox().await;
    let other = app.another_process(&rating::Files::sample()).await;
    let server = app.serves(other);
    app.advances(10).await;
    let seen = reqwest::Client::new()
        .get(format!("{}{CLOCK}", server.base))
        .bearer_auth(&app.partner().token)
        .send()
        .await
        .expect("an answer");
    let seen: Value = seen.json().await.expect("JSON");
    assert_eq!(seen["payload"]["ahead_seconds"], 10 * 86_400);
}

#[tokio::test]
async fn a_live_partner_gets_404_from_every_sandbox_endpoint() {
    let app = App::start().await;
    let id = app.has_proposal("PENDING").await;
    let policy = app.has_policy().await;
    for (method, path, body) in [
        ("GET", CLOCK.to_owned(), None),
        ("POST", CLOCK.to_owned(), Some(json!({ "days": 1 }))),
        ("POST", format!("/v1/sandbox/proposals/{id}/decide"), Some(json!({ "decision": "ACCEPT" }))),
        ("POST", format!("/v1/sandbox/policies/{policy}/decide"), Some(json!({ "decision": "CONFIRM" }))),
        ("POST", "/v1/sandbox/claims/clm_01jqexample00000000000000a/decide".to_owned(), Some(json!({}))),
        ("POST", "/v1/sandbox/webhooks/fire".to_owned(), Some(json!({ "type": "policy.issued" }))),
        ("DELETE", "/v1/sandbox/data".to_owned(), None),
    ] {
        let answer = app.as_partner(app.partner(), method, &path, body).await;
        answer.is_refused(404, "R4040");
        assert_eq!(answer.json()["detail"], "There is nothing at this path.", "{method} {path}");
    }
    assert_eq!(app.policy(&policy).await["status"], "ISSUED");
    let quote = app.post("/v1/embedded/quote", bodies::quote()).await;
    assert_eq!(quote.status, 200);
}
