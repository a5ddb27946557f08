//! `GET /v1/requests`: a partner's requests with the answers (D100).

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{App, bodies};

const PATH: &str = "/v1/requests";

async fn page(app: &App, query: &str) -> Value {
    let answer = app.get(&format!("{PATH}{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()
}

fn routes(page: &Value) -> Vec<String> {
    let requests = page["requests"].as_array().expect("a list");
    let shown = |one: &Value| {
        format!(
            "{} {} {}",
            one["method"].as_str().expect("text"),
            one["route"].as_str().expect("text"),
            one["status"]
        )
    };
    requests.iter().map(shown).collect()
}

#[tokio::test]
async fn the_request_log_lists_a_partners_requests_newest_first_with_route_code_and_id() {
    let app = App::start().await;
    let quote = app.post("/v1/embedded/quote", bodies::quote()).await;
    app.get("/v1/policies/pol_01m5vvw3xreqg9aaa1afd2xg99").await.is_refused(404, "R4040");
    app.post("/v1/embedded/quote", json!({})).await.is_refused(400, "V4000");
    let listed = page(&app, "").await;
    assert_eq!(
        routes(&listed),
        [
            "POST /v1/embedded/quote 400",
            "GET /v1/policies/{policy_id} 404",
            "POST /v1/embedded/quote 200",
            "POST /v1/auth/token 200"
        ]
    );
    let first = &listed["requests"][2];
    assert_eq!(first["request_id"].as_str(), quote.header("x-request-id"));
    assert_eq!((&first["code"], &listed["requests"][0]["code"]), (&Value::Null, &json!("V4000")));
    assert!(!listed.to_string().contains("pol_01m5vvw3x"), "no id of a path is kept");
    assert_eq!(routes(&page(&app, "?status=404").await), ["GET /v1/policies/{policy_id} 404"]);
    assert_eq!(page(&app, "?status=4xx").await["requests"].as_array().map(Vec::len), Some(2));
    let other = app.new_partner("Other").await;
    let of_other = app.as_partner(&other, "GET", PATH, None).await.json();
    assert_eq!(routes(&of_other), ["POST /v1/auth/token 200"], "its own alone (D3)");
}

#[tokio::test]
async fn the_pages_of_the_request_log_have_no_gap_across_several_stored_batches() {
    let app = App::start().await;
    for _ in 0..3 {
        for _ in 0..3 {
            app.post("/v1/embedded/quote", bodies::quote()).await;
        }
        app.service.request_log.flush().await.expect("kept");
        app.clock.advance(Duration::from_secs(1));
    }
    let all = page(&app, "?limit=100").await;
    let ids = |page: &Value| -> Vec<String> {
        let requests = page["requests"].as_array().expect("a list").iter();
        requests.map(|one| one["request_id"].as_str().expect("an id").to_owned()).collect()
    };
    let quotes = async |query: &str| page(&app, query).await;
    let (mut seen, mut next) = (Vec::new(), String::new());
    loop {
        // Reading a page is a request, too. It is newer than `until`.
        let until = all["requests"][0]["at"].as_str().expect("an instant");
        let query = format!("?limit=2&until=2026-11-20T04:30:10Z{next}");
        let found = quotes(&query).await;
        assert!(until < "2026-11-20T04:30:10Z");
        seen.extend(ids(&found));
        if found["has_next"] == false {
            break;
        }
        next = format!("&next={}", found["end_cursor"].as_str().expect("a cursor"));
    }
    let wanted: Vec<String> = ids(&all);
    let without_lists: Vec<&String> = seen.iter().filter(|id| wanted.contains(id)).collect();
    assert_eq!(without_lists, wanted.iter().collect::<Vec<_>>());
    let since = page(&app, "?since=2026-11-20T04:30:02Z&status=200&limit=100").await;
    assert!(routes(&since).iter().filter(|one| one.starts_with("POST")).count() == 3, "{since:#}");
}

#[tokio::test]
async fn the_request_log_forgets_old_requests_and_those_beyond_its_maximum_number() {
    let app = App::start().await;
    for _ in 0..5 {
        app.post("/v1/embedded/quote", bodies::quote()).await;
        app.service.request_log.flush().await.expect("kept");
        app.clock.advance(Duration::from_millis(10));
    }
    let of = app.partner().id;
    let store = app.opens_store().await;
    let count = async || app.rows_of("request_log");
    assert_eq!(count().await, 5);
    assert_eq!(
        store
            .forget_requests(of, "2026-11-20T00:00:00Z".parse().expect("an instant"), 3)
            .await
            .expect("done"),
        2
    );
    assert_eq!(count().await, 3, "the newest stay");
    app.clock.advance(Duration::from_secs(8 * 24 * 3600));
    app.service.request_log.forget_old().await.expect("done");
    assert_eq!(count().await, 0);
}

#[tokio::test]
async fn every_faulty_parameter_of_a_request_log_query_is_reported() {
    let app = App::start().await;
    app.get(&format!("{PATH}?since=x&until=y&status=9&next=z&limit=0"))
        .await
        .has_faults_on(&["since", "until", "status", "next", "limit"]);
}
