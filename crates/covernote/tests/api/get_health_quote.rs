//! `GET /v1/business/health/quotes/{quote_id}`: one stored quote (interface §9; D3, D42, D46, D54).

use serde_json::json;

use crate::support::bodies::{recommendation, with};
use crate::support::{Answer, App};

const PATH: &str = "/v1/business/health/quotes";

/// A well-formed id of no quote.
const UNKNOWN: &str = "quo_01m5vvw3xreqg9aaa1afd2xg99";

async fn quote(app: &App, id: &str) -> Answer {
    app.get(&format!("{PATH}/{id}")).await
}

#[tokio::test]
async fn a_single_quote_is_shown_with_the_same_content_as_in_the_list() {
    // interface §9
    let app = App::start().await;
    let session = app.has_session().await;
    let plain = app.has_health_quote(recommendation()).await;
    let named = app.has_health_quote(with(recommendation(), "session_id", json!(session))).await;
    app.has_no_job_left().await;
    let list = app.get(&format!("{PATH}?start_date=2026-11-20&end_date=2026-11-20")).await.json();
    for id in [plain, named] {
        let answer = quote(&app, &id).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
        let items = list["quotes"].as_array().expect("a list");
        let listed = items.iter().find(|quote| quote["quote_id"] == id.as_str()).expect("listed");
        assert_eq!(answer.json(), json!({ "quote": listed }));
    }
}

#[tokio::test]
async fn an_id_that_is_no_health_quote_of_the_partner_is_r4040() {
    // D3, D46, D54
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let foreign = app.has_health_quote_of(&other, recommendation()).await;
    let embedded = app.has_quote().await["quote_id"].as_str().expect("an id").to_owned();
    let proposal = app.has_proposal("DRAFT").await;
    let own = app.has_health_quote(recommendation()).await;
    assert_eq!(quote(&app, &own).await.status, 200);
    for id in
        [UNKNOWN, &foreign, &embedded, &proposal, &own.to_uppercase(), &own[4..], &own[..29], "x", "quo_"]
    {
        let answer = quote(&app, id).await;
        answer.is_refused(404, "R4040");
        let object = answer.json();
        assert_eq!(object["instance"], format!("{PATH}/{id}"));
        assert!(object["detail"].as_str().expect("text").contains(id), "{}", answer.text);
    }
    // Another partner's quote looks like an unknown one.
    let shown = |answer: Answer, id: &str| answer.text.replace(id, "[id]");
    let (another, nobodys) = (quote(&app, &foreign).await, quote(&app, UNKNOWN).await);
    assert_eq!(shown(another, &foreign), shown(nobodys, UNKNOWN));
}

#[tokio::test]
async fn a_health_quote_is_unknown_to_the_embedded_endpoints() {
    // D46
    let app = App::start().await;
    let id = app.has_health_quote(recommendation()).await;
    let body = with(app.has_proposal_body("DRAFT").await, "quote_id", json!(id));
    app.post("/v1/embedded/proposal", body).await.has_faults_on(&["quote_id"]);
    app.get(&format!("/v1/embedded/proposal/{id}/status")).await.is_refused(404, "R4040");
}

#[tokio::test]
async fn a_path_with_more_after_the_id_is_r4040() {
    // D10, D54
    let app = App::start().await;
    let id = app.has_health_quote(recommendation()).await;
    for path in
        [format!("{PATH}/"), format!("{PATH}/{id}/"), format!("{PATH}/{id}/x"), format!("{PATH}//{id}")]
    {
        app.get(&path).await.is_refused(404, "R4040");
    }
    assert_eq!(quote(&app, &format!("{id}?limit=0&session_id=x")).await.status, 200, "it has no parameters");
}
