//! How long quotes are kept (D105).

use std::time::Duration;

use serde_json::json;
use service::retention::Retention;

use crate::support::{App, Setup, bodies};

const DAY: Duration = Duration::from_hours(24);

#[tokio::test]
async fn quotes_are_deleted_after_their_retention_period_and_their_proposals_stay_usable() {
    let mut app =
        Setup { retention: Retention { quotes: Some(40 * DAY), ..Retention::default() }, ..Setup::default() }
            .start()
            .await;
    let unused = app.has_quote().await;
    let (draft, completed) = (app.has_proposal("DRAFT").await, app.has_proposal("COMPLETED").await);
    assert_eq!(app.store.rows_of("embedded_quotes"), 3);
    app.set_clock("2026-12-29T10:00:00+05:30").await;
    assert!(!app.service.embedded_quotes.forget_old().await.expect("done"), "their days are not over");
    // On PostgreSQL, a whole month is removed 40 days after its end.
    app.set_clock("2027-01-15T10:00:00+05:30").await;
    let newer = app.has_quote().await;
    assert!(app.service.embedded_quotes.forget_old().await.expect("done"));
    assert!(!app.service.embedded_quotes.forget_old().await.expect("done"), "there is nothing left to do");
    assert_eq!(app.store.rows_of("embedded_quotes"), 1);

    let body =
        bodies::proposal(&unused["quote_id"], &unused["recommendations"][0]["recommendation_id"], "DRAFT");
    app.post("/v1/embedded/proposal", body).await.is_refused(400, "V4000");
    let body =
        bodies::proposal(&newer["quote_id"], &newer["recommendations"][0]["recommendation_id"], "DRAFT");
    assert_eq!(app.post("/v1/embedded/proposal", body).await.status, 201);

    assert_eq!(app.status_of(&completed).await, "COMPLETED");
    let certificate = app.get(&app.download_path(&completed).await).await;
    assert_eq!(certificate.status, 200);
    for status in ["PENDING", "COMPLETED"] {
        let moved = app.patch(&format!("/v1/embedded/proposal/{draft}"), json!({ "status": status })).await;
        assert_eq!((moved.status, status), (200, status), "{}", moved.text);
    }
    assert_eq!(app.get("/v1/policies").await.json()["policies"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn quotes_are_kept_for_ever_if_no_retention_period_is_set() {
    let mut app = App::start().await;
    app.has_quote().await;
    app.set_clock("2036-12-15T10:00:00+05:30").await;
    assert!(!app.service.embedded_quotes.forget_old().await.expect("done"));
    assert_eq!(app.store.rows_of("embedded_quotes"), 1);
}
