//! `POST /v1/business/session`: a session that quotes can name (D2, D3, D11 to D13, D20, D36, D37, D44).

use std::time::Duration;

use domain::access::Scopes;
use serde_json::{Map, Value, json};

use crate::idempotency::{are_twins, ask, is_new, is_replay_of, sixteen};
use crate::support::{Answer, App};

const PATH: &str = "/v1/business/session";

async fn open(app: &App, body: Value) -> Answer {
    app.post(PATH, body).await
}

/// Checks that a session was opened with this metadata.
#[track_caller]
fn is_opened(answer: &Answer, metadata: &Value) {
    assert_eq!((answer.status, &answer.json()["metadata"]), (201, metadata), "{}", answer.text);
}

/// Checks that exactly these fields have faults, with sentences as messages.
#[track_caller]
fn has_faults(answer: &Answer, fields: &[&str]) {
    answer.has_faults_on(fields);
    assert_eq!(answer.json()["instance"], PATH);
    answer.says_what_must_be();
}

#[tokio::test]
async fn a_session_answers_201_with_its_id_and_metadata_at_top_level() {
    // D37, D44
    let app = App::start().await;
    let answer = open(&app, json!({ "metadata": { "campaign": "monsoon", "branch": "Pune" } })).await;
    assert_eq!((answer.status, answer.header("content-type")), (201, Some("application/json")));
    insta::assert_snapshot!(answer.shown(), @r#"
    {
      "metadata": {
        "branch": "Pune",
        "campaign": "monsoon"
      },
      "session_id": "[ses]"
    }
    "#);
    assert_eq!(app.rows_of("sessions"), 1);
}

#[tokio::test]
async fn a_session_id_is_a_prefix_and_26_characters_and_sorts_by_time() {
    // D20
    let app = App::start().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(app.has_session().await);
        app.clock.advance(Duration::from_millis(1));
    }
    for id in &ids {
        let tail = id.strip_prefix("ses_").unwrap_or_else(|| panic!("{id}"));
        assert_eq!(tail.len(), 26, "{id}");
        assert!(tail.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase()), "{id}");
    }
    assert!(ids.is_sorted_by(|earlier, later| earlier < later), "{ids:?}");
}

#[tokio::test]
async fn absent_null_or_blank_metadata_becomes_an_empty_object() {
    // D13, D37
    let app = App::start().await;
    for body in [
        json!({}),
        json!({ "metadata": null }),
        json!({ "metadata": "" }),
        json!({ "metadata": "  " }),
        json!({ "metadata": {} }),
    ] {
        is_opened(&open(&app, body).await, &json!({}));
    }
}

#[tokio::test]
async fn metadata_comes_back_as_it_was_sent() {
    // D12: the keys of metadata are data
    let app = App::start().await;
    for metadata in [
        json!({ "a": "" }),
        json!({ "a": "  two spaces  " }),
        json!({ "a.b": "x", "a[0]": "y", "क": "नमस्ते", "with space": "\"quoted\" \\ 😀\n" }),
        json!({ "session_id": "ses_x", "metadata": "m", "__proto__": "p" }),
    ] {
        is_opened(&open(&app, json!({ "metadata": metadata })).await, &metadata);
    }
}

#[tokio::test]
async fn unknown_fields_are_ignored() {
    // D12
    let app = App::start().await;
    let body = json!({ "metadata": { "a": "b" }, "session_id": 7, "user": { "x": [] } });
    is_opened(&open(&app, body).await, &json!({ "a": "b" }));
}

#[tokio::test]
async fn metadata_must_be_an_object() {
    // D11, D37
    let app = App::start().await;
    for bad in [json!(true), json!(7), json!([]), json!([{ "a": "b" }]), json!("a=b")] {
        has_faults(&open(&app, json!({ "metadata": bad })).await, &["metadata"]);
    }
    assert_eq!(app.rows_of("sessions"), 0);
}

#[tokio::test]
async fn an_infinite_number_in_the_metadata_is_a_fault() {
    // D11
    let app = App::start().await;
    has_faults(&app.post_text(PATH, r#"{"metadata":{"a":1e999,"b":"x"}}"#).await, &["metadata.a"]);
    has_faults(&app.post_text(PATH, r#"{"metadata":1e999}"#).await, &["metadata"]);
}

#[tokio::test]
async fn each_value_that_is_not_text_is_a_fault_at_its_key() {
    // D11, D37
    let app = App::start().await;
    for bad in [Value::Null, json!(true), json!(7), json!(0.5), json!([]), json!(["x"]), json!({})] {
        let body = json!({ "metadata": { "good": "x", "bad": bad } });
        has_faults(&open(&app, body).await, &["metadata.bad"]);
    }
    let body = json!({ "metadata": { "a": 1, "b": "x", "c.d": null, "ए": [] } });
    has_faults(&open(&app, body).await, &["metadata.a", "metadata.c.d", "metadata.ए"]);
    assert_eq!(app.rows_of("sessions"), 0);
}

#[tokio::test]
async fn metadata_has_at_most_50_keys_of_100_characters_with_values_of_1000_characters() {
    // D37; the document's maxProperties and maxLength
    let app = App::start().await;
    let entries = |number: usize| -> Value {
        (0..number).map(|at| (format!("key {at}"), json!("x"))).collect::<Map<_, _>>().into()
    };
    let one = |key: String, text: String| Value::from(Map::from_iter([(key, Value::from(text))]));
    for good in [
        entries(50),
        one("k".repeat(100), "x".into()),
        one("क".repeat(100), "x".into()),
        one("k".into(), "x".repeat(1000)),
        one("k".into(), "क".repeat(1000)),
    ] {
        is_opened(&open(&app, json!({ "metadata": good })).await, &good);
    }
    let kept = app.rows_of("sessions");
    for (bad, field) in [
        (entries(51), "metadata"),
        (one("k".repeat(101), "x".into()), "metadata"),
        (one(String::new(), "x".into()), "metadata"),
        (one("  ".into(), "x".into()), "metadata"),
        (one("k".into(), "x".repeat(1001)), "metadata.k"),
    ] {
        has_faults(&open(&app, json!({ "metadata": bad })).await, &[field]);
    }
    assert_eq!(app.rows_of("sessions"), kept);
}

#[tokio::test]
async fn every_partner_can_open_a_session_with_its_default_token() {
    // interface, Authentication 4; D2
    let app = App::start().await;
    let mut partner = app.new_partner_with("Small Lender", Scopes::NONE, 100).await;
    for scopes in [&[][..], &["business.session"]] {
        partner.token = app.token_of(&partner, scopes).await;
        let answer = app.as_partner(&partner, "POST", PATH, Some(json!({}))).await;
        is_opened(&answer, &json!({}));
    }
}

#[tokio::test]
async fn a_request_repeated_with_its_idempotency_key_opens_only_one_session() {
    // D36
    let app = App::start().await;
    let body = json!({ "metadata": { "a": "b" } });
    let first = ask(&app, "POST", PATH, "k", &body).await;
    is_new(&first, 201);
    for _ in 0..2 {
        is_replay_of(&ask(&app, "POST", PATH, "k", &body).await, &first);
    }
    for other in [json!({}), json!({ "metadata": { "a": "c" } }), json!({ "metadata": 7 })] {
        ask(&app, "POST", PATH, "k", &other).await.is_refused(422, "V4220");
    }
    assert_eq!(app.rows_of("sessions"), 1);

    // A refusal is not stored for the key.
    ask(&app, "POST", PATH, "later", &json!({ "metadata": 7 })).await.has_faults_on(&["metadata"]);
    is_new(&ask(&app, "POST", PATH, "later", &body).await, 201);
    assert_eq!((app.rows_of("sessions"), app.rows_of("kept_responses")), (2, 2));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixteen_simultaneous_equal_requests_with_one_key_open_one_session() {
    // D36
    let app = App::start().await;
    are_twins(&sixteen(&app, "POST", PATH, "twin", &json!({})).await, 201);
    assert_eq!(app.rows_of("sessions"), 1);
}

#[tokio::test]
async fn only_the_partner_that_opened_a_session_can_use_it() {
    // D3, D37, D47
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let session = app.has_session().await;
    let mut body = crate::support::bodies::recommendation();
    body["session_id"] = session.clone().into();
    app.has_health_quote(body.clone()).await;
    let path = "/v1/business/health/recommendation";
    app.as_partner(&other, "POST", path, Some(body)).await.has_faults_on(&["session_id"]);
    let list = format!("/v1/business/health/quotes?session_id={session}");
    assert_eq!(app.get(&list).await.json()["count"], 1);
    assert_eq!(app.as_partner(&other, "GET", &list, None).await.json()["count"], 0);
}

#[tokio::test]
async fn metadata_is_not_readable_in_the_store() {
    // D36, D37: it may be personal
    let app = App::start().await;
    let body = json!({ "metadata": { "CANARY-key": "CANARY-value" } });
    is_new(&ask(&app, "POST", PATH, "k", &body).await, 201);
    let stored = app.store.bytes(app.folder.path());
    assert!(!stored.windows(6).any(|window| window == b"CANARY"), "it is in the store");
}
