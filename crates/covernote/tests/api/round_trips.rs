//! What each request costs in round trips to PostgreSQL: an act is one statement, and nothing is asked twice.

use serde_json::{Value, json};

use crate::support::claims::death;
use crate::support::cluster::is_left_out_on_citus;
use crate::support::{App, Setup, bodies};

/// What no request costs: the workers' look by the clock, and what is asked and set once a connection.
const ASIDE: &[&str] = &["min(due_at)", "transaction_read_only", "pg_control_system", "statement_timeout"];

async fn app() -> App {
    Setup { on_postgres: true, workers: 0, ..Setup::default() }.start().await
}

/// Sends a request and tells what it was answered, and how many statements that took.
async fn costs(app: &App, method: &str, path: &str, key: Option<&str>, body: Option<&Value>) -> (u16, u64) {
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
    let before = app.store.statements(ASIDE);
    let answer = app.send(request).await;
    (answer.status, app.store.statements(ASIDE) - before)
}

#[tokio::test]
async fn a_quote_and_a_token_cost_one() {
    if is_left_out_on_citus("nodes count what the coordinator asks of them") {
        return;
    }
    let app = app().await;
    let partner = app.partner();
    let credentials = json!({ "client_id": partner.client_id, "client_secret": partner.client_secret });
    assert_eq!(costs(&app, "POST", "/v1/auth/token", None, Some(&credentials)).await, (200, 1));
    assert_eq!(costs(&app, "POST", "/v1/embedded/quote", None, Some(&bodies::quote())).await, (200, 1));
    let recommendation = ("/v1/business/health/recommendation", bodies::recommendation());
    assert_eq!(costs(&app, "POST", recommendation.0, None, Some(&recommendation.1)).await, (200, 1));
    assert_eq!(costs(&app, "POST", "/v1/business/session", None, Some(&json!({}))).await, (201, 1));
}

#[tokio::test]
async fn a_proposal_and_each_of_its_moves_cost_two() {
    if is_left_out_on_citus("nodes count what the coordinator asks of them") {
        return;
    }
    let app = app().await;
    let body = app.has_proposal_body("DRAFT").await;
    assert_eq!(costs(&app, "POST", "/v1/embedded/proposal", None, Some(&body)).await, (201, 2));
    // The first draw on a deposit opens it.
    let straight = app.has_proposal_body_decided_by("straight-through", "SUBMITTED").await;
    costs(&app, "POST", "/v1/embedded/proposal", None, Some(&straight)).await;
    app.has_proposal("COMPLETED").await;
    assert_eq!(
        costs(&app, "POST", "/v1/embedded/proposal", None, Some(&straight)).await,
        (201, 2),
        "its policy and certificate are kept by the same statement"
    );
    let proposal = format!("/v1/embedded/proposal/{}", app.has_proposal("DRAFT").await);
    for status in ["PENDING", "COMPLETED"] {
        let body = json!({ "status": status });
        assert_eq!(costs(&app, "PATCH", &proposal, None, Some(&body)).await, (200, 2), "{status}");
    }
}

#[tokio::test]
async fn an_idempotency_key_costs_one_more() {
    if is_left_out_on_citus("nodes count what the coordinator asks of them") {
        return;
    }
    // D36
    let app = app().await;
    let quote = bodies::quote();
    assert_eq!(costs(&app, "POST", "/v1/embedded/quote", Some("k1"), Some(&quote)).await, (200, 2));
    assert_eq!(
        costs(&app, "POST", "/v1/embedded/quote", Some("k1"), Some(&quote)).await,
        (200, 1),
        "replayed"
    );
    let body = app.has_proposal_body("DRAFT").await;
    assert_eq!(costs(&app, "POST", "/v1/embedded/proposal", Some("k2"), Some(&body)).await, (201, 3));
    let proposal = format!("/v1/embedded/proposal/{}", app.has_proposal("DRAFT").await);
    let body = json!({ "status": "PENDING" });
    assert_eq!(costs(&app, "PATCH", &proposal, Some("k3"), Some(&body)).await, (200, 3));
}

#[tokio::test]
async fn a_read_costs_one() {
    if is_left_out_on_citus("nodes count what the coordinator asks of them") {
        return;
    }
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
        "/v1/business/health/quotes?start_date=2026-11-20".into(),
        format!("/v1/business/health/quotes?session_id={session}"),
        "/v1/business/health/proposals?start_date=2026-11-20".into(),
        "/v1/business/health/policies".into(),
    ] {
        assert_eq!(costs(&app, "GET", &path, None, None).await, (200, 1), "{path}");
    }
    for path in
        ["/v1/business/health/proposals/pro_0000000000000000000000000", "/v1/business/health/policies/none"]
    {
        assert!(costs(&app, "GET", path, None, None).await.1 <= 1, "{path}");
    }
}

#[tokio::test]
async fn a_list_over_every_line_costs_the_same_whatever_it_has() {
    if is_left_out_on_citus("nodes count what the coordinator asks of them") {
        return;
    }
    // D67, D80, D81
    let app = app().await;
    let policy = app.has_policy().await;
    for _ in 0..5 {
        app.has_proposal("PENDING").await;
        app.has_proposal("COMPLETED").await;
    }
    app.claims(death(&policy)).await;
    // One for each line, one for their premiums, one for their policies.
    let proposals = format!("/v1/proposals?created_from={}", app.today());
    for (path, statements) in [(proposals.as_str(), 4), ("/v1/policies", 1), ("/v1/claims", 1)] {
        let (status, cost) = costs(&app, "GET", path, None, None).await;
        assert_eq!(status, 200, "{path}");
        assert!(cost <= statements, "{path} takes {cost}");
    }
}

#[tokio::test]
async fn what_is_refused_costs_nothing_or_a_look_whether_it_is_new() {
    if is_left_out_on_citus("nodes count what the coordinator asks of them") {
        return;
    }
    let app = app().await;
    assert_eq!(costs(&app, "POST", "/v1/embedded/quote", None, Some(&json!({}))).await, (400, 0));
    // A secret that is not known here may have been added a moment ago.
    let wrong = json!({ "client_id": "nobody", "client_secret": "wrong" });
    assert_eq!(costs(&app, "POST", "/v1/auth/token", None, Some(&wrong)).await, (401, 1));
}
