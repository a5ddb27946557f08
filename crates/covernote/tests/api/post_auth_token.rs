//! `POST /v1/auth/token` (interface §1; D4 to D7, D11 to D13, D43, D48).

use std::collections::HashSet;
use std::time::Duration;

use domain::access::Scopes;
use serde_json::{Value, json};
use service::partner::PartnerChange;
use tokio::task::JoinSet;

use crate::access::{Jwt, is_unauthenticated};
use crate::support::bodies::{with, without};
use crate::support::{Answer, App, Partner};

const PATH: &str = "/v1/auth/token";

fn credentials(partner: &Partner) -> Value {
    json!({ "client_id": partner.client_id, "client_secret": partner.client_secret })
}

async fn ask(app: &App, body: Value) -> Answer {
    app.post_without_bearer(PATH, body).await
}

fn claims_of(answer: &Answer) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.text);
    Jwt::of(answer.json()["payload"]["access_token"].as_str().expect("a token")).claims
}

/// A partner with only the scope `business.session`, and without a token yet.
async fn plain_partner(app: &App, tokens_per_hour: u32) -> Partner {
    app.new_partner_with("Plain Lender", Scopes::NONE, tokens_per_hour).await
}

#[tokio::test]
async fn good_credentials_get_a_bearer_token_for_an_hour() {
    // interface §1
    let app = App::start().await;
    let answer = ask(&app, credentials(app.partner())).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let token = answer.json()["payload"]["access_token"].clone();
    assert_eq!(
        answer.json(),
        json!({ "payload": { "access_token": token, "expires_in": 3600, "token_type": "Bearer" } })
    );
}

#[tokio::test]
async fn a_token_is_a_jwt_in_the_profile_of_rfc_9068() {
    // D4
    let app = App::start().await;
    let body =
        with(with(credentials(app.partner()), "user_id", json!("user-7")), "scopes", json!(["business"]));
    let answer = ask(&app, body).await;
    let jwt = Jwt::of(answer.json()["payload"]["access_token"].as_str().expect("a token"));
    assert_eq!((&jwt.header["typ"], &jwt.header["alg"]), (&json!("at+jwt"), &json!("EdDSA")));

    let keys = app.get_without_bearer("/.well-known/jwks.json").await.json();
    let keys = keys["keys"].as_array().expect("a list");
    let key = keys.iter().find(|key| key["kid"] == jwt.header["kid"]).expect("its key is published");
    assert!(jwt.is_signed_by(key));
    assert!(key.get("d").is_none(), "the public half alone");

    let jti = jwt.claims["jti"].as_str().expect("text").to_owned();
    assert!(!jti.is_empty());
    // 20 November 2026, 10:00 in Kolkata.
    let issued = 1_795_149_000_i64;
    assert_eq!(
        jwt.claims,
        json!({
            "iss": app.base, "aud": app.base, "sub": app.partner().id.to_string(),
            "client_id": app.partner().client_id, "iat": issued, "exp": issued + 3600, "jti": jti,
            "scope": "business", "secret_number": 1, "user_id": "user-7",
        })
    );
}

#[tokio::test]
async fn each_token_has_an_id_of_its_own() {
    // D4
    let app = App::start().await;
    let mut ids = HashSet::new();
    for _ in 0..10 {
        ids.insert(claims_of(&ask(&app, credentials(app.partner())).await)["jti"].to_string());
    }
    assert_eq!(ids.len(), 10);
}

#[tokio::test]
async fn a_token_requested_without_scopes_has_the_scope_business_session() {
    // D48; interface §1
    let app = App::start().await;
    let body = credentials(app.partner());
    for scopes in [None, Some(Value::Null), Some(json!([]))] {
        let body = match scopes.clone() {
            Some(scopes) => with(body.clone(), "scopes", scopes),
            None => body.clone(),
        };
        assert_eq!(claims_of(&ask(&app, body).await)["scope"], "business.session", "{scopes:?}");
    }
}

#[tokio::test]
async fn a_token_has_exactly_the_requested_scopes_without_duplicates() {
    // interface, Authentication; RFC 9068 section 2.2.3
    let app = App::start().await;
    let all = [
        "business.session",
        "business",
        "business.quote.read",
        "business.quote.write",
        "business.proposal.read",
        "business.proposal.write",
    ];
    let mut sets: Vec<Vec<&str>> = all.iter().map(|scope| vec![*scope]).collect();
    sets.push(all.to_vec());
    sets.push(vec!["business.quote.read", "business.quote.read"]);
    sets.push(vec![" business.quote.read "]);
    for set in sets {
        let body = with(credentials(app.partner()), "scopes", json!(set));
        let claims = claims_of(&ask(&app, body).await);
        let found: Vec<&str> = claims["scope"].as_str().expect("text").split(' ').collect();
        let wanted: HashSet<&str> = set.iter().map(|scope| scope.trim()).collect();
        assert_eq!(found.len(), wanted.len(), "{found:?}");
        assert_eq!(found.into_iter().collect::<HashSet<_>>(), wanted);
    }
}

#[tokio::test]
async fn a_user_id_that_is_null_or_blank_is_absent() {
    // D13
    let app = App::start().await;
    for user_id in [Value::Null, json!(""), json!("  \t ")] {
        let claims = claims_of(&ask(&app, with(credentials(app.partner()), "user_id", user_id)).await);
        assert!(claims.get("user_id").is_none(), "{claims}");
    }
    let claims = claims_of(&ask(&app, with(credentials(app.partner()), "user_id", json!("  u-1 "))).await);
    assert_eq!(claims["user_id"], "u-1");
}

#[tokio::test]
async fn credentials_are_trimmed_and_unknown_fields_ignored() {
    // D12
    let app = App::start().await;
    let partner = app.partner();
    let body = json!({
        "client_id": format!(" {} ", partner.client_id), "client_secret": format!("{}\n", partner.client_secret),
        "grant_type": "client_credentials", "audience": 7,
    });
    assert_eq!(ask(&app, body).await.status, 200);
}

#[tokio::test]
async fn the_misspelled_field_scope_is_refused_unless_scopes_is_also_present() {
    // D129
    let app = App::start().await;
    let asked = |scope: Value| with(credentials(app.partner()), "scope", scope);
    for scope in [json!("business"), json!(["business"]), json!(7)] {
        ask(&app, asked(scope)).await.has_faults_on(&["scope"]);
    }
    for absent in [Value::Null, json!("  ")] {
        assert_eq!(ask(&app, asked(absent)).await.status, 200);
    }
    let both = with(asked(json!("business")), "scopes", json!(["business"]));
    assert_eq!(ask(&app, both).await.status, 200);
}

#[tokio::test]
async fn a_text_is_trimmed_before_its_length_is_judged() {
    // D12
    let app = App::start().await;
    let longest = "u".repeat(255);
    let body = with(credentials(app.partner()), "user_id", json!(format!("  {longest}  ")));
    assert_eq!(claims_of(&ask(&app, body).await)["user_id"], longest);
}

#[tokio::test]
async fn every_missing_or_invalid_field_is_named_as_a_fault() {
    // D11, D12
    let app = App::start().await;
    let good = with(with(credentials(app.partner()), "user_id", json!("u")), "scopes", json!(["business"]));
    for field in ["client_id", "client_secret"] {
        ask(&app, without(good.clone(), field)).await.has_faults_on(&[field]);
        for bad in
            [Value::Null, json!(""), json!("   "), json!(7), json!(true), json!([]), json!(["x"]), json!({})]
        {
            ask(&app, with(good.clone(), field, bad)).await.has_faults_on(&[field]);
        }
    }
    for bad in [json!(7), json!(false), json!(["u"]), json!({ "id": "u" })] {
        ask(&app, with(good.clone(), "user_id", bad)).await.has_faults_on(&["user_id"]);
    }
    for bad in [json!("business"), json!(7), json!(true), json!({ "0": "business" })] {
        ask(&app, with(good.clone(), "scopes", bad)).await.has_faults_on(&["scopes"]);
    }
    for bad in
        [json!("nonsense"), json!("BUSINESS"), json!("business.quote.*"), json!(""), json!(7), Value::Null]
    {
        let answer = ask(&app, with(good.clone(), "scopes", json!(["business.session", bad]))).await;
        answer.has_faults_on(&["scopes[1]"]);
    }
}

#[tokio::test]
async fn all_faults_come_in_one_answer() {
    // D11
    let app = App::start().await;
    let body = json!({ "client_id": 7, "user_id": [], "scopes": ["nonsense", "business", 5] });
    let answer = ask(&app, body).await;
    answer.has_faults_on(&["client_id", "client_secret", "user_id", "scopes[0]", "scopes[2]"]);
    assert_eq!(answer.json()["title"], "Validation Error");
    assert_eq!(answer.json()["instance"], PATH);
    answer.says_what_must_be();
}

#[tokio::test]
async fn an_unknown_scope_is_a_fault_at_its_index_that_does_not_repeat_the_value() {
    // D7
    let app = App::start().await;
    let body = with(credentials(app.partner()), "scopes", json!(["business", "business.everything"]));
    let answer = ask(&app, body).await;
    answer.has_faults_on(&["scopes[1]"]);
    assert!(!answer.text.contains("everything"), "the value is not repeated (D11): {}", answer.text);
}

#[tokio::test]
async fn wrong_credentials_and_unknown_clients_cannot_be_told_apart() {
    // interface §1, Errors; D6
    let app = App::start().await;
    let partner = app.partner();
    let disabled = app.new_partner("Paused Lender").await;
    app.change(&disabled, PartnerChange { enabled: Some(false), ..PartnerChange::default() }).await;
    let other = app.new_partner("Other Lender").await;
    let wrong = [
        with(credentials(partner), "client_secret", json!("nonsense")),
        with(credentials(partner), "client_secret", json!(partner.client_id)),
        with(credentials(partner), "client_secret", json!(partner.client_secret.to_lowercase())),
        with(credentials(partner), "client_secret", json!(other.client_secret)),
        with(credentials(partner), "client_id", json!("cn_nobody")),
        with(credentials(partner), "client_id", json!(partner.id.to_string())),
        with(credentials(partner), "client_id", json!("' or 1=1 --")),
        credentials(&disabled),
    ];
    let mut answers = Vec::new();
    for body in wrong {
        let answer = ask(&app, body).await;
        is_unauthenticated(&answer);
        assert_eq!(answer.json()["instance"], PATH);
        answers.push(answer.text);
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:#?}");
}

#[tokio::test]
async fn a_scope_that_is_not_enabled_for_the_partner_is_refused_and_named() {
    // D7
    let app = App::start().await;
    let scopes = App::scopes(&["business.quote.read"]);
    let partner = app.new_partner_with("Narrow Lender", scopes, 100).await;
    for taken in
        [&["business.quote.read"][..], &["business.session"], &["business.session", "business.quote.read"]]
    {
        assert_eq!(app.ask_token(&partner, taken).await.status, 200, "{taken:?}");
    }
    for refused in ["business", "business.quote.write", "business.proposal.read", "business.proposal.write"] {
        let answer = app.ask_token(&partner, &["business.quote.read", refused]).await;
        answer.is_refused(403, "A4030");
        let detail = answer.json()["detail"].as_str().expect("text").to_owned();
        assert!(detail.contains(&format!("{refused} ")), "{detail}");
        assert_eq!(answer.json()["title"], "Insufficient Permission");
    }
}

#[tokio::test]
async fn a_partner_enabled_for_business_may_ask_for_any_narrower_scope() {
    // D2
    let app = App::start().await;
    let partner = app.new_partner_with("Whole Lender", App::scopes(&["business"]), 100).await;
    let narrow =
        ["business.quote.read", "business.quote.write", "business.proposal.read", "business.proposal.write"];
    for scope in narrow {
        let answer = app.ask_token(&partner, &[scope]).await;
        assert_eq!(claims_of(&answer)["scope"], scope);
    }
}

#[tokio::test]
async fn credentials_are_judged_first_then_scopes_then_the_rest() {
    // D43
    let app = App::start().await;
    let partner = plain_partner(&app, 100).await;
    let faulty = json!({ "user_id": 7, "scopes": ["business", "nonsense"] });
    let with_secret = |secret: &str| {
        let body = with(faulty.clone(), "client_id", json!(partner.client_id));
        with(body, "client_secret", json!(secret))
    };
    is_unauthenticated(&ask(&app, with_secret("wrong")).await);
    ask(&app, with_secret(&partner.client_secret)).await.is_refused(403, "A4030");
    let known = with(with_secret(&partner.client_secret), "scopes", json!(["business.session", "nonsense"]));
    ask(&app, known).await.has_faults_on(&["user_id", "scopes[1]"]);
    // Without usable credentials, the answer only lists their faults with those of the body.
    let answer = ask(&app, faulty).await;
    answer.has_faults_on(&["client_id", "client_secret", "user_id", "scopes[1]"]);
}

#[tokio::test]
async fn a_partner_gets_at_most_a_hundred_tokens_in_an_hour() {
    // D6; interface, Limits
    let app = App::start().await;
    let partner = plain_partner(&app, domain::partner::TOKENS_PER_HOUR).await;
    for number in 1..=100 {
        assert_eq!(app.ask_token(&partner, &[]).await.status, 200, "token {number}");
    }
    let answer = app.ask_token(&partner, &[]).await;
    answer.is_refused(429, "A4290");
    let object = answer.json();
    assert_eq!((&object["title"], &object["instance"]), (&json!("Rate Limit Exceeded"), &json!(PATH)));
    assert!(object["detail"].as_str().expect("text").contains("60 seconds"), "{}", answer.text);
    // D129
    assert_eq!(answer.header("retry-after"), Some("60"));
    let free = "Tokens are available again from 2026-11-20T05:30:00Z.";
    assert!(object["detail"].as_str().expect("text").ends_with(free), "{}", answer.text);
    // Another partner has its own allowance.
    assert_eq!(app.ask_token(app.partner(), &[]).await.status, 200);
}

#[tokio::test]
async fn another_token_is_available_exactly_when_the_oldest_one_is_an_hour_old() {
    // D6
    let app = App::start().await;
    let partner = plain_partner(&app, 3).await;
    let minutes = |count: u64| Duration::from_secs(60 * count);
    for _ in 0..3 {
        assert_eq!(app.ask_token(&partner, &[]).await.status, 200);
        app.clock.advance(minutes(10));
    }
    // Three tokens, at minutes 0, 10 and 20. Now it is minute 30.
    let answer = app.ask_token(&partner, &[]).await;
    answer.is_refused(429, "A4290");
    assert!(answer.text.contains("Tokens are available again from 2026-11-20T05:30:00Z."), "{}", answer.text);
    app.clock.advance(minutes(30) - Duration::from_micros(1));
    app.ask_token(&partner, &[]).await.is_refused(429, "A4290");
    app.clock.advance(Duration::from_micros(1));
    assert_eq!(app.ask_token(&partner, &[]).await.status, 200, "minute 60");
    app.ask_token(&partner, &[]).await.is_refused(429, "A4290");
    app.clock.advance(minutes(10));
    assert_eq!(app.ask_token(&partner, &[]).await.status, 200, "minute 70");
    app.ask_token(&partner, &[]).await.is_refused(429, "A4290");
}

#[tokio::test]
async fn a_token_is_available_at_the_time_that_the_refusal_states() {
    // D6, D129
    let app = App::start().await;
    let partner = plain_partner(&app, 1).await;
    app.clock.advance(Duration::from_millis(900));
    assert_eq!(app.ask_token(&partner, &[]).await.status, 200);
    app.clock.advance(Duration::from_millis(1_000_100));
    let answer = app.ask_token(&partner, &[]).await;
    answer.is_refused(429, "A4290");
    let detail = answer.json()["detail"].as_str().expect("text").to_owned();
    let from = detail.rsplit(' ').next().expect("an instant").trim_end_matches('.').to_owned();
    app.clock.set(&from);
    let answer = app.ask_token(&partner, &[]).await;
    assert_eq!(answer.status, 200, "from {from} on: {}", answer.text);
}

#[tokio::test]
async fn refused_token_requests_do_not_count_towards_the_hourly_limit() {
    // D6
    let app = App::start().await;
    let partner = plain_partner(&app, 2).await;
    let wrong = Partner { client_secret: "wrong".into(), ..partner.clone() };
    for _ in 0..5 {
        app.ask_token(&wrong, &[]).await.is_refused(401, "A4001");
        app.ask_token(&partner, &["business"]).await.is_refused(403, "A4030");
        app.ask_token(&partner, &["nonsense"]).await.is_refused(400, "V4000");
    }
    for _ in 0..2 {
        assert_eq!(app.ask_token(&partner, &[]).await.status, 200);
    }
    app.ask_token(&partner, &[]).await.is_refused(429, "A4290");
    // Credentials are checked before the count: a stranger does not learn that the allowance is used up.
    app.ask_token(&wrong, &[]).await.is_refused(401, "A4001");
    app.ask_token(&partner, &["business"]).await.is_refused(403, "A4030");
    assert_eq!(app.store.tokens(), 3, "with the app's own");
}

#[tokio::test]
async fn tokens_of_every_scope_and_secret_count_together() {
    // D6
    let app = App::start().await;
    let first = app.new_partner_with("Small Lender", App::scopes(&["business.quote.read"]), 3).await;
    let second = app.service.partners.add_secret(&first.client_id).await.expect("added");
    let second = Partner { client_secret: second.client_secret, ..first.clone() };
    assert_eq!(app.ask_token(&first, &[]).await.status, 200);
    assert_eq!(app.ask_token(&first, &["business.quote.read"]).await.status, 200);
    assert_eq!(app.ask_token(&second, &[]).await.status, 200);
    app.ask_token(&first, &[]).await.is_refused(429, "A4290");
    app.ask_token(&second, &["business.quote.read"]).await.is_refused(429, "A4290");
}

#[tokio::test]
async fn the_operator_can_set_another_hourly_token_limit_for_a_partner() {
    // D6
    let app = App::start().await;
    let many = plain_partner(&app, 150).await;
    for number in 1..=150 {
        assert_eq!(app.ask_token(&many, &[]).await.status, 200, "token {number}");
    }
    app.ask_token(&many, &[]).await.is_refused(429, "A4290");
    let few = plain_partner(&app, 1).await;
    assert_eq!(app.ask_token(&few, &[]).await.status, 200);
    app.ask_token(&few, &[]).await.is_refused(429, "A4290");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn exactly_ten_of_twenty_requests_at_once_get_the_last_ten_tokens() {
    // D6
    let app = App::start().await;
    let partner = plain_partner(&app, 12).await;
    for _ in 0..2 {
        assert_eq!(app.ask_token(&partner, &[]).await.status, 200);
    }
    let mut all = JoinSet::new();
    for _ in 0..20 {
        let request = app.request("POST", PATH).json(&credentials(&partner));
        all.spawn(async move { request.send().await.expect("an answer").status().as_u16() });
    }
    let mut answers = all.join_all().await;
    answers.sort_unstable();
    assert_eq!(answers, [vec![200; 10], vec![429; 10]].concat());
}

#[tokio::test]
async fn a_token_request_ignores_its_idempotency_key() {
    // D36
    let app = App::start().await;
    let mut tokens = HashSet::new();
    for _ in 0..2 {
        let request =
            app.request("POST", PATH).header("idempotency-key", "k").json(&credentials(app.partner()));
        let answer = app.send(request).await;
        assert_eq!((answer.status, answer.header("idempotency-replayed")), (200, None));
        tokens.insert(answer.text);
    }
    assert_eq!(tokens.len(), 2);
    assert_eq!(app.rows_of("kept_responses"), 0);
}

#[tokio::test]
async fn a_token_response_forbids_caching() {
    // RFC 6749 section 5.1
    let app = App::start().await;
    assert_eq!(ask(&app, credentials(app.partner())).await.header("cache-control"), Some("no-store"));
}

#[tokio::test]
async fn the_ratelimit_headers_of_a_token_response_state_the_remaining_tokens() {
    // D132
    let app = App::start().await;
    let body = json!({ "client_id": app.partner().client_id, "client_secret": app.partner().client_secret });
    let token = async || app.post_without_bearer("/v1/auth/token", body.clone()).await;
    let first = token().await;
    assert_eq!(first.header("ratelimit-policy"), Some(r#""tokens";q=100;w=3600"#));
    let left = |answer: &Answer| -> u64 {
        let rest =
            answer.header("ratelimit").and_then(|text| text.strip_prefix(r#""tokens";r="#)).expect("a limit");
        rest.split(';').next().and_then(|number| number.parse().ok()).expect("a number")
    };
    let second = token().await;
    assert_eq!(left(&first), left(&second) + 1);
    for _ in 0..left(&second) {
        token().await;
    }
    let refused = token().await;
    refused.is_refused(429, "A4290");
    assert_eq!(left(&refused), 0);
    let other = app.get("/v1/embedded/options").await;
    assert_eq!(other.header("ratelimit"), None, "it has no limit");
}
