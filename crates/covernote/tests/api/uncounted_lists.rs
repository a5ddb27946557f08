//! Lists without a count: events, deliveries, requests and renewals. Their pages follow each other in both
//! directions, as in every other list (D33, D133).

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::receiver::Receiver;
use crate::support::{App, Setup};

/// The ids of the records on a page.
fn ids(page: &Value, records: &str, id: &str) -> Vec<String> {
    let records = page[records].as_array().unwrap_or_else(|| panic!("{page}"));
    records.iter().map(|record| record[id].as_str().expect("text").to_owned()).collect()
}

/// Walks through a list in pages of two, to the end and back.
async fn walks(app: &App, path: &str, records: &str, id: &str) {
    let get = async |query: String| {
        // The log entry of this read is newer than everything before.
        app.clock.advance(Duration::from_millis(5));
        let answer = app.get(&format!("{path}?{query}")).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text);
        let page = answer.json();
        assert_eq!(page["count"], json!(null), "{page}");
        page
    };
    let cursor = |page: &Value, name: &str| page[name].as_str().expect("text").to_owned();
    let mut pages = vec![get("limit=2".to_owned()).await];
    assert_eq!(pages[0]["has_prev"], false, "{}", pages[0]);
    while pages[pages.len() - 1]["has_next"] == true {
        let next = cursor(&pages[pages.len() - 1], "end_cursor");
        pages.push(get(format!("limit=2&next={next}")).await);
        assert_eq!(pages[pages.len() - 1]["has_prev"], true);
    }
    assert!(pages.len() > 1, "{path} has one page");
    let behind = get(format!("limit=2&next={}", cursor(&pages[pages.len() - 1], "end_cursor"))).await;
    if !ids(&pages[pages.len() - 1], records, id).is_empty() {
        assert_eq!((ids(&behind, records, id).len(), cursor(&behind, "end_cursor").as_str()), (0, ""));
        let back = get(format!("limit=100&prev={}", cursor(&behind, "start_cursor"))).await;
        assert_eq!(ids(&back, records, id).last(), ids(&pages[pages.len() - 1], records, id).last());
    }
    for at in (1..pages.len()).rev().filter(|at| !ids(&pages[*at], records, id).is_empty()) {
        let back = get(format!("limit=2&prev={}", cursor(&pages[at], "start_cursor"))).await;
        assert_eq!(ids(&back, records, id), ids(&pages[at - 1], records, id), "before page {at}");
        assert_eq!(back["has_next"], true);
    }
    let (start, end) = (cursor(&pages[0], "start_cursor"), cursor(&pages[0], "end_cursor"));
    app.get(&format!("{path}?next={end}&prev={start}")).await.has_faults_on(&["prev"]);
    app.get(&format!("{path}?prev=x")).await.has_faults_on(&["prev"]);
    // Before the newest record the page is empty, and both cursors continue. The log of requests grows with
    // each read.
    if records != "requests" {
        let before = get(format!("limit=2&prev={start}")).await;
        assert_eq!((ids(&before, records, id).len(), before["has_next"] == true), (0, true));
        let again = get(format!("limit=2&next={}", cursor(&before, "end_cursor"))).await;
        assert_eq!(ids(&again, records, id), ids(&pages[0], records, id));
        assert_eq!(cursor(&before, "start_cursor"), start);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_deliveries_and_requests_can_be_paged_forward_and_backward() {
    let app = App::start().await;
    let receiver = Receiver::answering(200).await;
    let body = json!({ "url": receiver.url(), "types": ["*"] });
    let made = app.post("/v1/webhooks/endpoints", body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let endpoint = made.json()["payload"]["endpoint_id"].as_str().expect("an id").to_owned();
    for _ in 0..3 {
        app.has_policy().await;
    }
    receiver.has(7).await;
    walks(&app, "/v1/events", "events", "id").await;
    walks(&app, &format!("/v1/webhooks/endpoints/{endpoint}/deliveries"), "deliveries", "event_id").await;
    walks(&app, "/v1/requests", "requests", "request_id").await;
}

#[tokio::test]
async fn renewals_can_be_paged_forward_and_backward() {
    let mut app = Setup::health().start().await;
    for day in 1..=5 {
        app.set_clock(&format!("2026-11-2{day}T12:00:00+05:30")).await;
        app.has_health_policy().await;
    }
    app.set_clock("2027-11-10T12:00:00+05:30").await;
    walks(&app, "/v1/renewals", "policies", "policy_id").await;
}
