//! `GET /v1/proposals/{proposal_id}`: a proposal of any line with all its moves (D80).

use serde_json::{Value, json};

use crate::support::{App, Setup};

async fn read(app: &App, id: &str) -> Value {
    let answer = app.get(&format!("/v1/proposals/{id}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["payload"].clone()
}

#[tokio::test]
async fn a_proposal_shows_its_status_and_every_move() {
    // D80
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    let path = format!("/v1/embedded/proposal/{id}");
    assert_eq!(read(&app, &id).await["history"].as_array().map(Vec::len), Some(1));
    app.clock.advance(std::time::Duration::from_secs(60));
    for status in ["PENDING", "COMPLETED"] {
        assert_eq!(app.patch(&path, json!({ "status": status })).await.status, 200);
    }
    let shown = read(&app, &id).await;
    let moves: Vec<(&Value, &Value, &Value)> = shown["history"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|made| (&made["by"], &made["from"], &made["to"]))
        .collect();
    let partner = json!("partner");
    let (draft, pending, completed) = (json!("DRAFT"), json!("PENDING"), json!("COMPLETED"));
    assert_eq!(
        moves,
        [(&partner, &Value::Null, &draft), (&partner, &draft, &pending), (&partner, &pending, &completed)]
    );
    assert_eq!((&shown["status"], &shown["line"]), (&completed, &json!("credit-life")));
    assert_eq!(shown["status_since"], "2026-11-20T04:31:00Z");
    assert_eq!(shown["policy_id"], app.policy_id_of(&id).await.as_str());
}

#[tokio::test]
async fn a_health_proposal_of_a_journey_shows_its_status_moves_and_policy() {
    // Only existing users may use the deprecated reads (D9, D80).
    let app = Setup::health().start().await;
    let id = app.has_accepted_health_proposal().await;
    let shown = read(&app, &id).await;
    assert_eq!((&shown["line"], &shown["status"]), (&json!("health"), &json!("ACCEPTED")));
    let ends: Vec<&Value> =
        shown["history"].as_array().expect("a list").iter().map(|made| &made["to"]).collect();
    assert_eq!(ends.last(), Some(&&json!("ACCEPTED")));
    assert_eq!(shown["policy_id"], app.policy_id_of(&id).await.as_str());
}

#[tokio::test]
async fn another_partners_proposal_and_an_unknown_id_are_answered_with_r4040() {
    // D3
    let app = App::start().await;
    let id = app.has_proposal("PENDING").await;
    let other = app.new_partner("Other Lender").await;
    let path = format!("/v1/proposals/{id}");
    app.as_partner(&other, "GET", &path, None).await.is_refused(404, "R4040");
    for none in ["pro_01m5vvw3xreqg9aaa1afd2xg99", "pol_01m5vvw3xreqg9aaa1afd2xg99", "x"] {
        app.get(&format!("/v1/proposals/{none}")).await.is_refused(404, "R4040");
    }
    let mut narrow = app.new_partner_with("Narrow", App::scopes(&["business.proposal.read"]), 100).await;
    narrow.token = app.token_of(&narrow, &["business.proposal.read"]).await;
    app.as_partner(&narrow, "GET", &path, None).await.is_refused(403, "A4030");
}
