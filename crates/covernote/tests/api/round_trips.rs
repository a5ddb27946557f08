//! Round trips to PostgreSQL of each request. An operation that reads nothing needs only one.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::claims::death;
use crate::support::{App, Setup, bodies};

/// Least time of a round trip. It is longer than a request needs to send all its statements.
const DISTANCE: Duration = Duration::from_millis(10);

/// Number of attempts per request. The first on a connection also prepares the statements.
const TRIES: usize = 6;

async fn app() -> App {
    Setup { distance: Some(DISTANCE), workers: 0, ..Setup::default() }.start().await
}

/// Sends a request. Returns its status and its number of round trips.
async fn cost(app: &App, method: &str, path: &str, key: Option<&str>, body: Option<&Value>) -> (u16, u64) {
    let mut request = app.request(method, path);
    if path != "/v1/auth/token" {
        request = request.bearer_auth(&app.partner().token);
    }
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    if let Some(body) = body {
        request = request.json(body);
    }
    let relay = app.relay.as_ref().expect("a way to the server");
    let before = relay.round_trips();
    let answer = app.send(request).await;
    (answer.status, relay.round_trips() - before)
}

/// The cheapest of several equal requests.
async fn costs(app: &App, method: &str, path: &str, body: Option<&Value>) -> (u16, u64) {
    let mut cheapest = (u16::MAX, u64::MAX);
    for _ in 0..TRIES {
        cheapest = cheapest.min(cost(app, method, path, None, body).await);
    }
    cheapest
}

#[tokio::test]
async fn a_quote_or_session_takes_one_database_round_trip_and_a_token_takes_two() {
    let app = app().await;
    let partner = app.partner();
    let credentials = json!({ "client_id": partner.client_id, "client_secret": partner.client_secret });
    // The count of tokens in the last hour is read first.
    assert_eq!(costs(&app, "POST", "/v1/auth/token", Some(&credentials)).await, (200, 2));
    assert_eq!(costs(&app, "POST", "/v1/embedded/quote", Some(&bodies::quote())).await, (200, 1));
    let recommendation = ("/v1/business/health/recommendation", bodies::recommendation());
    assert_eq!(costs(&app, "POST", recommendation.0, Some(&recommendation.1)).await, (200, 1));
    assert_eq!(costs(&app, "POST", "/v1/business/session", Some(&json!({}))).await, (201, 1));
}

#[tokio::test]
async fn a_proposal_or_its_submission_takes_two_database_round_trips_and_a_sale_takes_three() {
    let app = app().await;
    let body = app.has_proposal_body("DRAFT").await;
    assert_eq!(costs(&app, "POST", "/v1/embedded/proposal", Some(&body)).await, (201, 2));
    let mut cheapest = (u16::MAX, u64::MAX);
    for _ in 0..TRIES {
        let straight = app.has_proposal_body_decided_by("straight-through", "SUBMITTED").await;
        cheapest = cheapest.min(cost(&app, "POST", "/v1/embedded/proposal", None, Some(&straight)).await);
    }
    // Its policy and certificate are kept with it, after one read of what was sold before.
    assert_eq!(cheapest, (201, 3));
    let (mut submitted, mut completed) = ((0, u64::MAX), (0, u64::MAX));
    for _ in 0..TRIES {
        let proposal = format!("/v1/embedded/proposal/{}", app.has_proposal("DRAFT").await);
        let submit = json!({ "status": "PENDING" });
        let (status, trips) = cost(&app, "PATCH", &proposal, None, Some(&submit)).await;
        submitted = (status, submitted.1.min(trips));
        let complete = json!({ "status": "COMPLETED" });
        let (status, trips) = cost(&app, "PATCH", &proposal, None, Some(&complete)).await;
        completed = (status, completed.1.min(trips));
    }
    assert_eq!((submitted, completed), ((200, 2), (200, 3)));
}

#[tokio::test]
async fn an_idempotency_key_adds_one_database_round_trip_to_a_new_request() {
    // D36
    let app = app().await;
    let (quote, proposal) = (bodies::quote(), app.has_proposal_body("DRAFT").await);
    let mut least = [u64::MAX; 3];
    for nth in 0..TRIES {
        let (one, other) = (format!("quote-{nth}"), format!("proposal-{nth}"));
        for (place, path, key, body, status) in [
            (0, "/v1/embedded/quote", &one, &quote, 200),
            (1, "/v1/embedded/quote", &one, &quote, 200),
            (2, "/v1/embedded/proposal", &other, &proposal, 201),
        ] {
            let (answered, trips) = cost(&app, "POST", path, Some(key), Some(body)).await;
            assert_eq!(answered, status, "{path}");
            least[place] = least[place].min(trips);
        }
    }
    assert_eq!(least, [2, 1, 3], "a quote, the same replayed, and a proposal");
}

#[tokio::test]
async fn a_read_takes_one_database_round_trip_and_a_list_of_quotes_at_most_two() {
    let app = app().await;
    let quote = app.has_health_quote(bodies::recommendation()).await;
    let draft = app.has_proposal("DRAFT").await;
    let completed = app.has_proposal("COMPLETED").await;
    let session = app.has_session().await;
    for path in [
        format!("/v1/embedded/proposal/{draft}/status"),
        format!("/v1/embedded/proposal/{completed}/status"),
        format!("/v1/business/health/recommendation/{quote}"),
        format!("/v1/business/health/quotes/{quote}"),
        "/v1/business/health/proposals?start_date=2026-11-20".into(),
        "/v1/business/health/policies".into(),
    ] {
        assert_eq!(costs(&app, "GET", &path, None).await, (200, 1), "{path}");
    }
    // For a quote that is not finished, the outcomes of its asks are read after the page.
    for path in [
        "/v1/business/health/quotes?start_date=2026-11-20".into(),
        format!("/v1/business/health/quotes?session_id={session}"),
    ] {
        let (status, trips) = costs(&app, "GET", &path, None).await;
        assert!(status == 200 && trips <= 2, "{path}: {status}, {trips}");
    }
    for path in
        ["/v1/business/health/proposals/pro_0000000000000000000000000", "/v1/business/health/policies/none"]
    {
        assert!(costs(&app, "GET", path, None).await.1 <= 1, "{path}");
    }
}

#[tokio::test]
async fn a_list_over_all_lines_of_business_takes_at_most_four_database_round_trips() {
    // D67, D80, D81
    let app = app().await;
    let policy = app.has_policy().await;
    for _ in 0..5 {
        app.has_proposal("PENDING").await;
        app.has_proposal("COMPLETED").await;
    }
    app.claims(death(&policy)).await;
    // One for each line, one for the premiums, one for the policies.
    let proposals = format!("/v1/proposals?created_from={}", app.today());
    for (path, most) in [(proposals.as_str(), 4), ("/v1/policies", 1), ("/v1/claims", 1)] {
        let (status, trips) = costs(&app, "GET", path, None).await;
        assert_eq!(status, 200, "{path}");
        assert!(trips <= most, "{path} takes {trips}");
    }
}

#[tokio::test]
async fn a_faulty_request_takes_no_database_round_trip_and_an_unknown_secret_takes_one() {
    let app = app().await;
    assert_eq!(costs(&app, "POST", "/v1/embedded/quote", Some(&json!({}))).await, (400, 0));
    // An unknown secret may have been added a moment ago, so the store is read.
    let wrong = json!({ "client_id": "nobody", "client_secret": "wrong" });
    assert_eq!(costs(&app, "POST", "/v1/auth/token", Some(&wrong)).await, (401, 1));
}
