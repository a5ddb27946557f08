//! `GET /v1/claims` and `GET /v1/claims/{claim_id}` (D81, D82).

use std::time::Duration;

use serde_json::Value;

use crate::support::App;
use crate::support::bodies::with;
use crate::support::claims::death;

const PATH: &str = "/v1/claims";

fn ids(page: &Value) -> Vec<String> {
    let claims = page["claims"].as_array().expect("a list");
    claims.iter().map(|one| one["claim_id"].as_str().expect("an id").to_owned()).collect()
}

async fn page(app: &App, query: &str) -> Value {
    let answer = app.get(&format!("{PATH}{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text);
    answer.json()
}

#[tokio::test]
async fn claims_are_listed_newest_first_and_filtered_by_day_of_creation() {
    // D33, D81
    let app = App::start().await;
    let mut made = Vec::new();
    for _ in 0..3 {
        made.insert(0, app.has_claim().await.0);
        app.clock.advance(Duration::from_secs(1));
    }
    let all = page(&app, "").await;
    assert_eq!((ids(&all), &all["count"]), (made.clone(), &3.into()));
    let first = page(&app, "?created_from=2026-11-20&limit=2").await;
    assert_eq!((ids(&first), &first["has_next"]), (made[..2].to_vec(), &true.into()));
    let cursor = first["end_cursor"].as_str().expect("a cursor");
    assert_eq!(ids(&page(&app, &format!("?next={cursor}")).await), made[2..]);
    assert_eq!(page(&app, "?created_to=2026-11-19").await["count"], 0);
    app.get(&format!("{PATH}?created_from=2026-11-20&created_to=2026-11-19"))
        .await
        .has_faults_on(&["created_to"]);
    app.get(&format!("/v1/policies?next={cursor}")).await.has_faults_on(&["next"]);
}

#[tokio::test]
async fn a_partner_can_read_only_its_own_claims() {
    // D2, D3
    let app = App::start().await;
    let (id, policy) = app.has_claim().await;
    let other = app.new_partner("Other Lender").await;
    let list = app.as_partner(&other, "GET", PATH, None).await;
    assert_eq!((list.status, &list.json()["count"]), (200, &0.into()));
    app.as_partner(&other, "GET", &format!("{PATH}/{id}"), None).await.is_refused(404, "R4040");
    for none in ["clm_01m5vvw3xreqg9aaa1afd2xg99", policy.as_str(), "x"] {
        app.get(&format!("{PATH}/{none}")).await.is_refused(404, "R4040");
    }
    let mut writer = app.new_partner_with("Writer", App::scopes(&["business.policy.write"]), 100).await;
    writer.token = app.token_of(&writer, &["business.policy.write"]).await;
    app.as_partner(&writer, "GET", PATH, None).await.is_refused(403, "A4030");
}

#[tokio::test]
async fn the_texts_of_a_claim_are_encrypted_in_the_store() {
    // D39, D81
    let app = App::start().await;
    let policy = app.has_policy().await;
    let body = with(death(&policy), "cause", "A cause of its own".into());
    assert_eq!(app.claims(body).await.status, 201);
    let stored = app.store.bytes(app.folder.path());
    for text in ["A cause of its own", "Ravi Rao", "50100012345678", "HDFC0000001", "9876543211"] {
        let is_there = stored.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(!is_there, "{text} is in the store");
    }
}
