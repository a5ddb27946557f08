//! `GET /v1/embedded/proposal/{proposal_id}/status` (interface §6, Limits; D3, D20, D30, D54).

use std::time::Duration;

use serde_json::json;

use crate::support::App;

/// A well-formed id that names nothing.
const UNKNOWN: &str = "pro_01m5vktth0f5dshfehnp2ec77b";

fn path(id: &str) -> String {
    format!("/v1/embedded/proposal/{id}/status")
}

#[tokio::test]
async fn the_status_answer_of_a_draft_contains_only_id_and_status() {
    // interface §6: policy_url is absent for DRAFT
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    let answer = app.get(&path(&id)).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    assert_eq!(answer.json(), json!({ "payload": { "proposal_id": id, "status": "DRAFT" } }));
}

#[tokio::test]
async fn the_status_answer_of_a_pending_or_rejected_proposal_has_no_policy_address() {
    // interface §6, D30
    let app = App::start().await;
    for status in ["PENDING", "REJECTED"] {
        let id = app.has_proposal(status).await;
        let answer = app.get(&path(&id)).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        assert_eq!(answer.json(), json!({ "payload": { "proposal_id": id, "status": status } }));
    }
}

#[tokio::test]
async fn the_status_answer_of_a_completed_proposal_has_the_download_address_of_its_policy() {
    // interface §6, D30
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    let answer = app.get(&path(&id)).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.json()["payload"]["proposal_id"], id);
    let address = answer.json()["payload"]["policy_url"].as_str().expect("an address").to_owned();
    assert!(address.starts_with(&format!("{}/v1/embedded/", app.base)), "{address}");
    insta::assert_snapshot!(answer.shown(), @r#"
    {
      "payload": {
        "policy_url": "[address]",
        "proposal_id": "[pro]",
        "status": "COMPLETED"
      }
    }
    "#);
}

#[tokio::test]
async fn every_status_request_returns_a_new_download_address_that_is_valid_for_ten_minutes() {
    // D30
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    let first = app.download_path(&id).await;
    app.clock.advance(Duration::from_secs(9 * 60));
    let second = app.download_path(&id).await;
    assert_ne!(first, second);
    app.clock.advance(Duration::from_secs(9 * 60));
    app.get_without_bearer(&first).await.is_refused(410, "R4100");
    assert_eq!(app.get_without_bearer(&second).await.status, 200, "its ten minutes began when it was given");
    assert_eq!(app.get_without_bearer(&app.download_path(&id).await).await.status, 200);
}

#[tokio::test]
async fn an_unknown_or_malformed_proposal_id_is_r4040_and_repeated_in_the_detail() {
    // interface Errors, D54
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    let (_, tail) = id.split_once('_').expect("a prefix");
    let no_proposals = [
        UNKNOWN.to_owned(),
        "pro_".to_owned(),
        "pro_x".to_owned(),
        "x".to_owned(),
        "1".to_owned(),
        tail.to_owned(),
        format!("quo_{tail}"),
        format!("rec_{tail}"),
        format!("pol_{tail}"),
        id.to_uppercase(),
        format!("pro_{}", tail.to_uppercase()),
        format!("{id}0"),
        id[..id.len() - 1].to_owned(),
        "pro_zzzzzzzzzzzzzzzzzzzzzzzzzz".to_owned(),
    ];
    for unknown in no_proposals {
        let answer = app.get(&path(&unknown)).await;
        assert_eq!(answer.status, 404, "{unknown}: {}", answer.text);
        answer.is_refused(404, "R4040");
        let object = answer.json();
        assert_eq!(object["title"], "Resource Not Found");
        assert_eq!(object["instance"], path(&unknown));
        assert!(object["detail"].as_str().expect("text").contains(&unknown), "{}", answer.text);
    }
}

#[tokio::test]
async fn a_proposal_id_with_characters_that_no_id_has_is_r4040() {
    // D54, D10
    let app = App::start().await;
    for unknown in ["%20", "%00", "%FF", "%22%3Cscript%3E", "pro_%E0%A4%86", "..%2F..%2Flivez", "pro_%2F"] {
        let answer = app.get(&path(unknown)).await;
        assert_eq!(answer.status, 404, "{unknown}: {}", answer.text);
        answer.is_refused(404, "R4040");
        assert_eq!(answer.json()["instance"], path(unknown));
    }
}

#[tokio::test]
async fn a_request_for_the_proposal_status_of_a_quote_id_is_r4040() {
    // D54
    let app = App::start().await;
    let quote = app.has_quote().await;
    app.get(&path(quote["quote_id"].as_str().expect("an id"))).await.is_refused(404, "R4040");
}

#[tokio::test]
async fn the_status_of_another_partners_proposal_is_answered_like_that_of_an_unknown_one() {
    // D3
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    let stranger = app.new_partner("Another Lender").await;
    let others = app.as_partner(&stranger, "GET", &path(&id), None).await;
    others.is_refused(404, "R4040");
    let unknown = app.as_partner(&stranger, "GET", &path(UNKNOWN), None).await;
    assert_eq!(others.text.replace(&id, UNKNOWN), unknown.text);
    assert_eq!(app.status_of(&id).await, "COMPLETED", "its own partner sees it");
}

#[tokio::test]
async fn reading_the_status_of_a_proposal_changes_no_record() {
    let app = App::start().await;
    let id = app.has_proposal("PENDING").await;
    for _ in 0..3 {
        assert_eq!(app.status_of(&id).await, "PENDING");
    }
    assert_eq!((app.rows_of("proposals"), app.rows_of("moves"), app.rows_of("policies")), (1, 1, 0));
}

#[tokio::test]
async fn proposal_ids_sort_by_their_time_of_creation() {
    // D20
    let app = App::start().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(app.has_proposal("DRAFT").await);
        app.clock.advance(Duration::from_millis(2));
    }
    assert!(ids.is_sorted(), "{ids:?}");
    for id in &ids {
        let (prefix, tail) = id.split_once('_').expect("a prefix");
        let crockford = |byte: u8| b"0123456789abcdefghjkmnpqrstvwxyz".contains(&byte);
        assert!(prefix == "pro" && tail.len() == 26 && tail.bytes().all(crockford), "{id}");
    }
}

#[tokio::test]
async fn a_completed_proposal_stays_readable_long_after_its_quote_has_expired() {
    // D30, D40
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    app.clock.set("2028-02-29T12:00:00+05:30");
    let mut later = app.partner().clone();
    later.token = app.token_of(&later, &["business.proposal.read"]).await;
    let answer = app.as_partner(&later, "GET", &path(&id), None).await;
    assert_eq!((answer.status, &answer.json()["payload"]["status"]), (200, &json!("COMPLETED")));
    assert!(answer.json()["payload"]["policy_url"].is_string(), "{}", answer.text);
}
