//! `Idempotency-Key` on the PATCH and on every POST except the token request (D36, D43).

use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::access::is_unauthenticated;
use crate::support::{Answer, App, Partner, bodies};

const QUOTE: &str = "/v1/embedded/quote";
const PROPOSAL: &str = "/v1/embedded/proposal";
const RECOMMENDATION: &str = "/v1/business/health/recommendation";
const SESSION: &str = "/v1/business/session";

fn request(
    app: &App,
    partner: &Partner,
    method: &str,
    path: &str,
    key: &str,
    body: &Value,
) -> reqwest::RequestBuilder {
    app.request(method, path).bearer_auth(&partner.token).header("idempotency-key", key).json(body)
}

pub(crate) async fn ask(app: &App, method: &str, path: &str, key: &str, body: &Value) -> Answer {
    app.send(request(app, app.partner(), method, path, key, body)).await
}

async fn quote(app: &App, key: &str) -> Answer {
    ask(app, "POST", QUOTE, key, &bodies::quote()).await
}

fn path_of(id: &str) -> String {
    format!("{PROPOSAL}/{id}")
}

#[track_caller]
pub(crate) fn is_new(answer: &Answer, status: u16) {
    assert_eq!((answer.status, answer.header("idempotency-replayed")), (status, None), "{}", answer.text);
}

#[track_caller]
pub(crate) fn is_replay_of(answer: &Answer, first: &Answer) {
    assert_eq!(answer.header("idempotency-replayed"), Some("true"), "{}", answer.text);
    assert_eq!((answer.status, &answer.bytes), (first.status, &first.bytes));
    assert_eq!(answer.header("content-type"), first.header("content-type"));
    assert_ne!(answer.header("x-request-id"), first.header("x-request-id"));
}

#[tokio::test]
async fn a_quote_request_repeated_with_its_key_gets_the_kept_response() {
    // D36
    let app = App::start().await;
    let first = quote(&app, "k-1").await;
    is_new(&first, 200);
    for _ in 0..3 {
        is_replay_of(&quote(&app, "k-1").await, &first);
    }
    assert_eq!(app.rows_of("embedded_quotes"), 1);
    is_new(&quote(&app, "k-2").await, 200);
    assert_eq!(app.rows_of("embedded_quotes"), 2);
}

#[tokio::test]
async fn a_proposal_request_repeated_with_its_key_creates_only_one_proposal() {
    // D36
    let app = App::start().await;
    for status in ["DRAFT", "SUBMITTED"] {
        let before = app.rows_of("proposals");
        let body = app.has_proposal_body(status).await;
        let first = ask(&app, "POST", PROPOSAL, status, &body).await;
        is_new(&first, 201);
        is_replay_of(&ask(&app, "POST", PROPOSAL, status, &body).await, &first);
        assert_eq!(app.rows_of("proposals"), before + 1);
    }
}

#[tokio::test]
async fn a_straight_through_proposal_repeated_with_its_key_issues_only_one_policy() {
    // D29, D36
    let app = App::start().await;
    let body = app.has_proposal_body_decided_by("straight-through", "SUBMITTED").await;
    let first = ask(&app, "POST", PROPOSAL, "k", &body).await;
    is_new(&first, 201);
    is_replay_of(&ask(&app, "POST", PROPOSAL, "k", &body).await, &first);
    assert_eq!((app.rows_of("proposals"), app.rows_of("policies")), (1, 1));
}

#[tokio::test]
async fn a_move_repeated_with_its_key_is_not_made_again_and_gets_the_kept_response() {
    // D28, D36
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    for (key, status) in [("to-pending", "PENDING"), ("to-completed", "COMPLETED")] {
        let body = json!({ "status": status });
        let first = ask(&app, "PATCH", &path_of(&id), key, &body).await;
        is_new(&first, 200);
        is_replay_of(&ask(&app, "PATCH", &path_of(&id), key, &body).await, &first);
        // Without the key it is a new request: a move from a state to itself.
        app.patch(&path_of(&id), body).await.is_refused(400, "S4000");
    }
    assert_eq!(app.rows_of("policies"), 1);
    // The answer to the first move is replayed unchanged, whatever the proposal's state now.
    let answer = ask(&app, "PATCH", &path_of(&id), "to-pending", &json!({ "status": "PENDING" })).await;
    assert_eq!((answer.status, &answer.json()["payload"]["status"]), (200, &json!("PENDING")));
    assert_eq!(app.status_of(&id).await, "COMPLETED");
}

#[tokio::test]
async fn each_request_without_an_idempotency_key_is_executed() {
    // D36
    let app = App::start().await;
    let (first, second) = (app.has_quote().await, app.has_quote().await);
    assert_ne!(first["quote_id"], second["quote_id"]);
    assert_eq!((app.rows_of("embedded_quotes"), app.rows_of("kept_responses")), (2, 0));
}

#[tokio::test]
async fn an_idempotency_key_is_the_same_with_and_without_quotation_marks() {
    // D36; RFC 8941, strings
    let app = App::start().await;
    let first = quote(&app, "8e03978e-40d5-43dd-bc93-6894a57f9324").await;
    is_new(&first, 200);
    is_replay_of(&quote(&app, r#""8e03978e-40d5-43dd-bc93-6894a57f9324""#).await, &first);
    is_replay_of(&quote(&app, "  8e03978e-40d5-43dd-bc93-6894a57f9324 ").await, &first);
    is_new(&quote(&app, "8E03978E-40D5-43DD-BC93-6894A57F9324").await, 200);
}

#[tokio::test]
async fn an_idempotency_key_has_1_to_255_characters() {
    // D36
    let app = App::start().await;
    let long = "k".repeat(255);
    for good in
        ["k", "a key with spaces", "!#$%&'()*+,-./:;<=>?@[]^_`{|}~", &long, &format!("\"{long}\""), r#""q""#]
    {
        let answer = quote(&app, good).await;
        assert_eq!(answer.status, 200, "{good}: {}", answer.text);
    }
    let before = app.rows_of("embedded_quotes");
    let longer = "k".repeat(256);
    for bad in ["", " ", r#""""#, &longer, &format!("\"{longer}\"")] {
        let answer = quote(&app, bad).await;
        answer.is_refused(400, "V4000");
        assert_eq!(answer.fault_fields().len(), 1, "{}", answer.text);
        assert!(answer.fault_fields()[0].eq_ignore_ascii_case("idempotency-key"), "{}", answer.text);
        assert!(!answer.text.contains("kkkk"), "{}", answer.text);
    }
    let two =
        request(&app, app.partner(), "POST", QUOTE, "one", &bodies::quote()).header("idempotency-key", "two");
    app.send(two).await.is_refused(400, "V4000");
    assert_eq!(app.rows_of("embedded_quotes"), before);
}

#[tokio::test]
async fn an_idempotency_key_that_is_reused_with_another_body_is_v4220() {
    // D36
    let app = App::start().await;
    let first = quote(&app, "k").await;
    let other = bodies::with(bodies::quote(), "policy_term", json!(36));
    for body in [&other, &json!({}), &json!([]), &json!({ "cover_amount": 7 })] {
        let answer = ask(&app, "POST", QUOTE, "k", body).await;
        answer.is_refused(422, "V4220");
        assert_eq!(answer.json()["title"], "Idempotency Key Reused");
        assert_eq!(answer.json()["instance"], QUOTE);
    }
    let broken = app.request("POST", QUOTE).bearer_auth(&app.partner().token).header("idempotency-key", "k");
    app.send(broken.header("content-type", "application/json").body("{")).await.is_refused(422, "V4220");
    is_replay_of(&quote(&app, "k").await, &first);
    assert_eq!(app.rows_of("embedded_quotes"), 1);

    let id = app.has_proposal("DRAFT").await;
    is_new(&ask(&app, "PATCH", &path_of(&id), "k", &json!({ "status": "PENDING" })).await, 200);
    for body in [json!({ "status": "COMPLETED" }), json!({ "status": "x" }), json!({})] {
        ask(&app, "PATCH", &path_of(&id), "k", &body).await.is_refused(422, "V4220");
    }
    assert_eq!(app.status_of(&id).await, "PENDING");

    let body = app.has_proposal_body("DRAFT").await;
    is_new(&ask(&app, "POST", PROPOSAL, "k", &body).await, 201);
    let body = bodies::with(body, "proposer.first_name", json!("Usha"));
    ask(&app, "POST", PROPOSAL, "k", &body).await.is_refused(422, "V4220");
}

#[tokio::test]
async fn an_idempotency_key_applies_to_one_partner_one_method_and_one_path() {
    // D36
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let first = quote(&app, "k").await;
    let theirs = app.send(request(&app, &other, "POST", QUOTE, "k", &bodies::quote())).await;
    is_new(&theirs, 200);
    assert_ne!(theirs.json()["payload"]["quote_id"], first.json()["payload"]["quote_id"]);
    let different = bodies::with(bodies::quote(), "policy_term", json!(36));
    app.send(request(&app, &other, "POST", QUOTE, "k", &different)).await.is_refused(422, "V4220");

    let body = app.has_proposal_body("DRAFT").await;
    let made = ask(&app, "POST", PROPOSAL, "k", &body).await;
    is_new(&made, 201);
    let made = made.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
    for id in [made, app.has_proposal("DRAFT").await] {
        is_new(&ask(&app, "PATCH", &path_of(&id), "k", &json!({ "status": "PENDING" })).await, 200);
    }
    is_replay_of(&quote(&app, "k").await, &first);
    let (asked, session) = (bodies::recommendation(), json!({}));
    is_new(&ask(&app, "POST", RECOMMENDATION, "k", &asked).await, 200);
    is_new(&ask(&app, "POST", SESSION, "k", &session).await, 201);
    is_new(&app.send(request(&app, &other, "POST", RECOMMENDATION, "k", &asked)).await, 200);
    is_new(&app.send(request(&app, &other, "POST", SESSION, "k", &session)).await, 201);
}

#[tokio::test]
async fn every_post_except_the_token_request_accepts_an_idempotency_key() {
    // D36
    let app = App::start().await;
    let proposal = app.has_proposal_body("DRAFT").await;
    for (path, body, status) in [
        (QUOTE, bodies::quote(), 200),
        (PROPOSAL, proposal, 201),
        (RECOMMENDATION, bodies::recommendation(), 200),
        (SESSION, json!({ "metadata": { "a": "b" } }), 201),
    ] {
        for bad in ["", " ", r#""""#, &"k".repeat(256)] {
            let answer = ask(&app, "POST", path, bad, &body).await;
            answer.is_refused(400, "V4000");
            assert!(answer.fault_fields()[0].eq_ignore_ascii_case("idempotency-key"), "{}", answer.text);
        }
        let first = ask(&app, "POST", path, "every", &body).await;
        is_new(&first, status);
        is_replay_of(&ask(&app, "POST", path, r#""every""#, &body).await, &first);
        is_replay_of(&ask(&app, "POST", &format!("{path}?retry=1"), "every", &body).await, &first);
        ask(&app, "POST", path, "every", &json!({ "metadata": 7 })).await.is_refused(422, "V4220");
        app.clock.advance(Duration::from_secs(1));
        is_replay_of(&ask(&app, "POST", path, "every", &body).await, &first);
    }
    let token = json!({ "client_id": app.partner().client_id, "client_secret": app.partner().client_secret });
    let first = ask(&app, "POST", "/v1/auth/token", "every", &token).await;
    let second = ask(&app, "POST", "/v1/auth/token", "every", &token).await;
    for answer in [&first, &second] {
        is_new(answer, 200);
    }
    assert_ne!(first.bytes, second.bytes);
}

#[tokio::test]
async fn responses_to_recommendations_and_sessions_are_kept_for_24_hours() {
    // D36
    let app = App::start().await;
    let posts = [(RECOMMENDATION, bodies::recommendation()), (SESSION, json!({}))];
    let mut firsts = Vec::new();
    for (path, body) in &posts {
        firsts.push(ask(&app, "POST", path, "k", body).await);
    }
    app.clock.advance(Duration::from_secs(24 * 3600 - 1));
    let partner = app.refreshed().await;
    for ((path, body), first) in posts.iter().zip(&firsts) {
        is_replay_of(&app.send(request(&app, &partner, "POST", path, "k", body)).await, first);
    }
    app.clock.advance(Duration::from_secs(2));
    for ((path, body), first) in posts.iter().zip(&firsts) {
        let second = app.send(request(&app, &partner, "POST", path, "k", body)).await;
        is_new(&second, first.status);
        assert_ne!(second.bytes, first.bytes);
    }
    assert_eq!(
        (app.rows_of("health_quotes"), app.rows_of("sessions"), app.rows_of("kept_responses")),
        (2, 2, 2)
    );
}

#[tokio::test]
async fn the_query_of_a_request_does_not_count_for_its_idempotency_key() {
    // D36
    let app = App::start().await;
    let first = quote(&app, "k").await;
    let again = ask(&app, "POST", &format!("{QUOTE}?retry=1"), "k", &bodies::quote()).await;
    is_replay_of(&again, &first);
}

#[tokio::test]
async fn a_refusal_is_not_kept_so_its_idempotency_key_can_be_used_again() {
    // D36
    let app = App::start().await;
    let bad = bodies::with(bodies::quote(), "gender", json!("x"));
    for _ in 0..2 {
        ask(&app, "POST", QUOTE, "k", &bad).await.has_faults_on(&["gender"]);
    }
    is_new(&quote(&app, "k").await, 200);

    let id = app.has_proposal("DRAFT").await;
    let complete = json!({ "status": "COMPLETED" });
    ask(&app, "PATCH", &path_of(&id), "k", &complete).await.is_refused(400, "S4000");
    assert_eq!(app.patch(&path_of(&id), json!({ "status": "PENDING" })).await.status, 200);
    is_new(&ask(&app, "PATCH", &path_of(&id), "k", &complete).await, 200);

    let unknown = format!("{PROPOSAL}/pro_01m5vvw3xreqg9aaa1afd2xg99");
    for _ in 0..2 {
        ask(&app, "PATCH", &unknown, "k", &complete).await.is_refused(404, "R4040");
    }
    assert_eq!(app.rows_of("kept_responses"), 2);
}

#[tokio::test]
async fn a_kept_response_is_sent_only_to_tokens_that_are_permitted_to_make_the_request() {
    // D36, D43: the look-up comes after 401 and 403
    let app = App::start().await;
    let first = quote(&app, "k").await;
    is_new(&first, 200);
    let with_token = |token: String| Partner { token, ..app.partner().clone() };
    let nobody = with_token("nonsense".into());
    let narrow = with_token(app.token_of(app.partner(), &["business.quote.read"]).await);
    let other_body = json!({});
    for body in [&bodies::quote(), &other_body] {
        is_unauthenticated(&app.send(request(&app, &nobody, "POST", QUOTE, "k", body)).await);
        app.send(request(&app, &narrow, "POST", QUOTE, "k", body)).await.is_refused(403, "A4030");
    }
    // Another token of the same partner gets the replay.
    let fresh = with_token(app.token_of(app.partner(), &["business.quote.write"]).await);
    is_replay_of(&app.send(request(&app, &fresh, "POST", QUOTE, "k", &bodies::quote())).await, &first);
}

#[tokio::test]
async fn the_response_to_a_quote_is_kept_for_24_hours_and_then_the_request_is_executed_again() {
    // D36
    let app = App::start().await;
    let first = quote(&app, "k").await;
    app.clock.advance(Duration::from_secs(24 * 3600 - 1));
    let partner = app.refreshed().await;
    is_replay_of(&app.send(request(&app, &partner, "POST", QUOTE, "k", &bodies::quote())).await, &first);
    assert_eq!(app.service.shared.idempotency.forget_old().await.expect("swept"), 0);

    app.clock.advance(Duration::from_secs(2));
    let second = app.send(request(&app, &partner, "POST", QUOTE, "k", &bodies::quote())).await;
    is_new(&second, 200);
    assert_ne!(second.bytes, first.bytes);
    assert_eq!((app.rows_of("embedded_quotes"), app.rows_of("kept_responses")), (2, 1));
    // The 24 hours start again with the new answer.
    is_replay_of(&app.send(request(&app, &partner, "POST", QUOTE, "k", &bodies::quote())).await, &second);
}

#[tokio::test]
async fn another_body_may_use_an_idempotency_key_after_its_24_hours() {
    // D36
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    is_new(&ask(&app, "PATCH", &path_of(&id), "k", &json!({ "status": "PENDING" })).await, 200);
    app.clock.advance(Duration::from_secs(24 * 3600 + 1));
    let partner = app.refreshed().await;
    let body = json!({ "status": "REJECTED" });
    is_new(&app.send(request(&app, &partner, "PATCH", &path_of(&id), "k", &body)).await, 200);
}

#[tokio::test]
async fn kept_responses_are_removed_after_24_hours() {
    // D36
    let app = App::start().await;
    for key in ["a", "b", "c"] {
        is_new(&quote(&app, key).await, 200);
    }
    app.clock.advance(Duration::from_secs(3600 - 1));
    is_new(&quote(&app, "d").await, 200);
    app.clock.advance(Duration::from_secs(23 * 3600 + 2));
    assert_eq!(app.service.shared.idempotency.forget_old().await.expect("swept"), 3);
    assert_eq!(app.rows_of("kept_responses"), 1);
    assert_eq!(app.rows_of("embedded_quotes"), 4, "what was done stays done");
}

#[tokio::test]
async fn kept_responses_and_idempotency_keys_are_not_readable_in_the_store() {
    // D36
    let app = App::start().await;
    let first = quote(&app, "CANARY-key").await;
    let quote_id = first.json()["payload"]["quote_id"].as_str().expect("an id").to_owned();
    let stored = app.store.bytes(app.folder.path());
    for text in ["CANARY-key", &quote_id, "recommendation_id", "matched_products"] {
        assert!(
            !stored.windows(text.len()).any(|window| window == text.as_bytes()),
            "{text} is in the store"
        );
    }
}

/// Sends a request sixteen times at once.
pub(crate) async fn sixteen(app: &App, method: &str, path: &str, key: &str, body: &Value) -> Vec<Answer> {
    let mut all = JoinSet::new();
    for _ in 0..16 {
        let request = request(app, app.partner(), method, path, key, body);
        all.spawn(async move { Answer::of(request.send().await.expect("an answer")).await });
    }
    all.join_all().await
}

/// Checks that every answer is the same, or says that the request is still in progress. At least one has the
/// result, and exactly one created it.
#[track_caller]
pub(crate) fn are_twins(answers: &[Answer], status: u16) {
    let (good, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == status);
    for answer in refused {
        answer.is_refused(409, "S4090");
    }
    let first = good.first().expect("one was answered");
    assert!(good.iter().all(|answer| answer.bytes == first.bytes), "two different answers");
    let new = good.iter().filter(|answer| answer.header("idempotency-replayed").is_none()).count();
    assert_eq!(new, 1, "the others are replays and say so");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn only_one_of_sixteen_simultaneous_equal_requests_is_executed() {
    // D36
    let app = App::start().await;
    for round in 1..=5 {
        let body = bodies::with(bodies::quote(), "policy_term", json!(round));
        are_twins(&sixteen(&app, "POST", QUOTE, &format!("twin-{round}"), &body).await, 200);
        assert_eq!(app.rows_of("embedded_quotes"), round);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn only_one_of_sixteen_simultaneous_equal_proposals_is_created() {
    // D36
    let app = App::start().await;
    let body = app.has_proposal_body_decided_by("straight-through", "SUBMITTED").await;
    are_twins(&sixteen(&app, "POST", PROPOSAL, "twin", &body).await, 201);
    assert_eq!((app.rows_of("proposals"), app.rows_of("policies")), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn only_one_of_sixteen_simultaneous_equal_moves_is_made_and_none_gets_s4000() {
    // D28, D36
    let app = App::start().await;
    for (from, to) in [("DRAFT", "PENDING"), ("PENDING", "COMPLETED"), ("PENDING", "REJECTED")] {
        let id = app.has_proposal(from).await;
        let before = app.rows_of("moves");
        are_twins(&sixteen(&app, "PATCH", &path_of(&id), "twin", &json!({ "status": to })).await, 200);
        assert_eq!(app.rows_of("moves"), before + 1);
        assert_eq!(app.status_of(&id).await, to);
    }
    assert_eq!(app.rows_of("policies"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn only_one_of_sixteen_simultaneous_different_bodies_with_one_key_is_executed() {
    // D36
    let app = App::start().await;
    let mut all = JoinSet::new();
    for term in 1..=16 {
        let body = bodies::with(bodies::quote(), "policy_term", json!(term));
        let request = request(&app, app.partner(), "POST", QUOTE, "k", &body);
        all.spawn(async move { Answer::of(request.send().await.expect("an answer")).await });
    }
    let answers = all.join_all().await;
    let (done, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!((done.len(), app.rows_of("embedded_quotes")), (1, 1));
    for answer in refused {
        assert!(matches!(answer.status, 409 | 422), "{}", answer.text);
    }
}
