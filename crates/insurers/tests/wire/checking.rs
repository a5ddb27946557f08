//! What an insurer's engineer is told of a server with vices.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use insurers::SecretFile;
use insurers::check::{Report, State, Subject, check};
use insurers::mock::{MockSettings, Mood, Rubbish, Verdict};
use rating::Authentication;
use serde_json::{Value, json};

use crate::support::*;

async fn report(url: &str, authentication: Option<(Authentication, SecretFile)>) -> Report {
    let subject = Subject {
        url: url.into(),
        authentication,
        credit_variants: variants(),
        health_variants: catalogue().all_health_variants().iter().map(|variant| variant.id).collect(),
        with_proposals: true,
    };
    check(subject, StandingClock::at_noon(), random()).await.expect("it can be tried")
}

fn bad(report: &Report) -> Vec<&str> {
    let bad = report.findings.iter().filter(|finding| finding.state == State::Bad);
    bad.map(|finding| finding.name.as_str()).collect()
}

/// A mock insurer with one vice: what it was asked and would answer, and what it answers instead.
fn vicious<Vice>(settings: MockSettings, vice: Vice) -> String
where
    Vice: Fn(&Asked, StatusCode, Value) -> (StatusCode, Value) + Clone + Send + Sync + 'static,
{
    let layer = from_fn(move |request: Request, next: Next| {
        let vice = vice.clone();
        async move { spoilt(request, next, vice).await }
    });
    listen(serve_routes(settings).layer(layer))
}

fn serve_routes(settings: MockSettings) -> Router {
    insurers::mock::Mock::new(catalogue(), settings, StandingClock::at_noon())
        .expect("a mock insurer")
        .router()
}

/// What a vicious insurer was asked.
struct Asked {
    method: Method,
    path: String,
    /// `None` where it was no JSON.
    body: Option<Value>,
}

async fn spoilt<Vice>(request: Request, next: Next, vice: Vice) -> Response
where
    Vice: Fn(&Asked, StatusCode, Value) -> (StatusCode, Value),
{
    let (head, body) = request.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.expect("a body");
    let asked = Asked {
        method: head.method.clone(),
        path: head.uri.path().into(),
        body: serde_json::from_slice(&bytes).ok(),
    };
    let answer = next.run(Request::from_parts(head, Body::from(bytes))).await;
    let status = answer.status();
    let answer = to_bytes(answer.into_body(), usize::MAX).await.expect("a body");
    let (status, answer) = vice(&asked, status, serde_json::from_slice(&answer).expect("JSON"));
    (status, [(header::CONTENT_TYPE, "application/json; charset=utf-8")], answer.to_string()).into_response()
}

/// Each price that is answered.
fn all_prices(answer: &mut Value) -> impl Iterator<Item = &mut Value> {
    answer["prices"].as_array_mut().into_iter().flatten()
}

/// Each price that is answered and no refusal.
fn offers(answer: &mut Value) -> impl Iterator<Item = &mut Value> {
    all_prices(answer).filter(|price| price.get("refused").is_none())
}

/// Sets what a price costs, or its first tenure.
fn set_premium(price: &mut Value, rupees: u64) {
    let amounts = if price.get("tenures").is_some() { &mut price["tenures"][0] } else { price };
    amounts["base_premium"] = format!("{rupees}.00").into();
    amounts["gst"] = "0.00".into();
    amounts["total_premium"] = format!("{rupees}.00").into();
}

#[tokio::test]
async fn a_good_server_gets_no_bad_word() {
    for authentication in [None, Some(Authentication::Bearer), Some(Authentication::Hmac)] {
        let ours = OurSide::new();
        let shared = || authentication.map(|kind| (kind, SecretFile::at(ours.secrets.path().join("secret"))));
        let settings = MockSettings { authentication: shared(), ..MockSettings::default() };
        let served = serve_by(settings, StandingClock::at_noon());
        let report = report(&served.url, shared()).await;
        assert!(bad(&report).is_empty(), "{report:#?}");
        let skipped = report.findings.iter().filter(|finding| finding.state == State::Skipped).count();
        assert_eq!(skipped, usize::from(authentication.is_none()), "{report:#?}");
        assert!(report.findings.len() > 20 && report.reachable && report.bad() == 0);
    }
}

#[tokio::test]
async fn nobody_there_is_told_and_nothing_else() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound");
    let report = report(&format!("http://{free}"), None).await;
    assert!(!report.reachable);
    assert_eq!(bad(&report), ["reachable"]);
    assert_eq!(report.findings.len(), 1);
}

#[tokio::test]
async fn one_who_lets_strangers_in_is_told() {
    let ours = OurSide::new();
    let served = serve(MockSettings::default());
    let shared = |kind| Some((kind, SecretFile::at(ours.secrets.path().join("secret"))));
    assert_eq!(bad(&report(&served.url, shared(Authentication::Bearer)).await), ["stranger", "wrong-secret"]);
    assert_eq!(
        bad(&report(&served.url, shared(Authentication::Hmac)).await),
        ["stranger", "wrong-secret", "old-signature"]
    );
}

#[tokio::test]
async fn one_who_lets_nobody_in_is_told() {
    let ours = OurSide::new();
    let served = serve_known(Authentication::Hmac, &ours);
    assert_eq!(bad(&report(&served.url, None).await), ["let-in"]);
}

#[tokio::test]
async fn rubbish_is_named_for_what_it_is() {
    let served = serve_in(Mood::default());
    for (kind, name) in [
        (Rubbish::Page, "credit-json"),
        (Rubbish::Redirect, "credit-json"),
        (Rubbish::Endless, "credit-json"),
        (Rubbish::BrokenJson, "credit-shape"),
        (Rubbish::Number, "credit-shape"),
        (Rubbish::Missing, "credit-each-once"),
        (Rubbish::Twice, "credit-each-once"),
        (Rubbish::Stranger, "credit-each-once"),
        (Rubbish::WrongSum, "credit-amounts"),
        (Rubbish::Negative, "credit-amounts"),
    ] {
        served.mock.set_mood(Mood { rubbish_percent: 100, rubbish: vec![kind], ..Mood::default() });
        let report = report(&served.url, None).await;
        assert!(bad(&report).contains(&name), "{kind:?}: {report:#?}");
    }
}

#[tokio::test]
async fn one_who_prices_whatever_comes_is_told() {
    let url = vicious(MockSettings::default(), |asked, status, mut answer| {
        let tenures = json!([{ "years": 1 }]);
        for price in all_prices(&mut answer) {
            *price = match asked.path.as_str() {
                "/v1/health/prices" => {
                    json!({ "variant_id": price["variant_id"], "deductible": "0.00", "copay_percent": 0, "tenures": tenures })
                }
                _ => json!({ "variant_id": price["variant_id"] }),
            };
            set_premium(price, 100);
        }
        (status, answer)
    });
    let both = ["credit-unknown-variant", "credit-impossible", "health-unknown-variant", "health-impossible"];
    assert_eq!(bad(&report(&url, None).await), both);
}

#[tokio::test]
async fn one_who_refuses_without_a_word_is_told() {
    let url = vicious(MockSettings::default(), |_, status, mut answer| {
        for price in all_prices(&mut answer) {
            if price.get("refused").is_some() {
                price["refused"] = " ".into();
            }
        }
        (status, answer)
    });
    assert_eq!(bad(&report(&url, None).await), ["credit-impossible", "health-impossible"]);
}

#[tokio::test]
async fn one_whose_prices_wander_is_told() {
    let number = Arc::new(AtomicU64::new(100));
    let url = vicious(MockSettings::default(), move |_, status, mut answer| {
        offers(&mut answer).for_each(|price| set_premium(price, number.fetch_add(1, Ordering::SeqCst)));
        (status, answer)
    });
    let both = ["credit-same-again", "credit-any-order", "health-same-again", "health-any-order"];
    assert_eq!(bad(&report(&url, None).await), both);
}

#[tokio::test]
async fn one_who_prices_by_place_is_told() {
    let url = vicious(MockSettings::default(), |_, status, mut answer| {
        offers(&mut answer).zip(100..).for_each(|(price, place)| set_premium(price, place));
        (status, answer)
    });
    assert_eq!(bad(&report(&url, None).await), ["credit-any-order", "health-any-order"]);
}

#[tokio::test]
async fn one_who_reads_no_body_is_told() {
    let url = vicious(MockSettings::default(), |asked, status, answer| match asked.body {
        None if asked.method == Method::POST => (StatusCode::OK, json!({ "prices": [] })),
        _ => (status, answer),
    });
    assert_eq!(bad(&report(&url, None).await), ["credit-not-json", "health-not-json"]);
}

#[tokio::test]
async fn one_who_takes_a_proposal_anew_each_time_is_told() {
    let number = Arc::new(AtomicU64::new(1));
    let url = vicious(MockSettings::default(), move |_, status, mut answer| {
        if answer.get("policy_number").is_some() {
            answer["policy_number"] = format!("NEW-{}", number.fetch_add(1, Ordering::SeqCst)).into();
        }
        (status, answer)
    });
    let both = ["proposal-once", "proposal-asked", "health-proposal-once", "health-proposal-asked"];
    assert_eq!(bad(&report(&url, None).await), both);
}

#[tokio::test]
async fn one_who_does_not_compare_bodies_is_told() {
    let taken: Arc<Mutex<HashMap<String, Value>>> = Arc::default();
    let url = vicious(MockSettings::default(), move |asked, status, answer| {
        let body = asked.body.as_ref();
        match body
            .and_then(|body| body["proposal_id"].as_str())
            .filter(|_| asked.path.ends_with("/proposals"))
        {
            Some(id) => {
                let mut taken = taken.lock().expect("whole");
                (StatusCode::OK, taken.entry(id.into()).or_insert(answer).clone())
            }
            None => (status, answer),
        }
    });
    assert_eq!(bad(&report(&url, None).await), ["proposal-other-body", "health-proposal-other-body"]);
}

#[tokio::test]
async fn one_who_takes_proposals_of_one_family_alone_is_told() {
    for (path, name) in
        [("/v1/proposals", "proposal-taken"), ("/v1/health/proposals", "health-proposal-taken")]
    {
        let url = vicious(MockSettings::default(), move |asked, status, answer| {
            let there = asked.path != path;
            if there {
                (status, answer)
            } else {
                (StatusCode::NOT_FOUND, json!({ "error": "Nothing here." }))
            }
        });
        assert_eq!(bad(&report(&url, None).await), [name]);
    }
}

#[tokio::test]
async fn one_who_sells_one_line_is_asked_for_proposals_of_it_alone() {
    let health: Vec<_> = catalogue().all_health_variants().iter().map(|variant| variant.id).collect();
    for (credit_variants, health_variants, family) in
        [(variants(), Vec::new(), "proposal-taken"), (Vec::new(), health, "health-proposal-taken")]
    {
        let url = serve(MockSettings::default()).url;
        let subject =
            Subject { url, authentication: None, credit_variants, health_variants, with_proposals: true };
        let report = check(subject, StandingClock::at_noon(), random()).await.expect("it can be tried");
        assert!(bad(&report).is_empty(), "{report:#?}");
        let taken = report.findings.iter().filter(|finding| finding.name.ends_with("proposal-taken"));
        assert_eq!(taken.map(|finding| finding.name.as_str()).collect::<Vec<_>>(), [family]);
    }
}

#[tokio::test]
async fn one_who_knows_every_proposal_is_told() {
    let settings = MockSettings { verdict: Verdict::Pending, ..MockSettings::default() };
    let url = vicious(settings, |asked, status, answer| {
        let id = asked.path.split('/').nth(3);
        match (status, id) {
            (StatusCode::NOT_FOUND, Some(id)) => {
                (StatusCode::OK, json!({ "proposal_id": id, "decision": "pending" }))
            }
            _ => (status, answer),
        }
    });
    assert_eq!(bad(&report(&url, None).await), ["proposal-unknown"]);
}

#[tokio::test]
async fn one_who_accepts_without_a_number_is_told() {
    let url = vicious(MockSettings::default(), |_, status, mut answer| {
        if let Some(answer) = answer.as_object_mut() {
            answer.remove("policy_number");
        }
        (status, answer)
    });
    assert_eq!(bad(&report(&url, None).await), ["proposal-taken", "health-proposal-taken"]);
}

#[tokio::test]
async fn one_who_takes_long_is_told() {
    let layer = from_fn(async |request: Request, next: Next| {
        if request.method() == Method::GET {
            tokio::time::sleep(Duration::from_millis(2_100)).await;
        }
        next.run(request).await
    });
    let url = listen(serve_routes(MockSettings::default()).layer(layer));
    assert_eq!(bad(&report(&url, None).await), ["in-time"]);
}

#[tokio::test]
async fn without_variants_there_is_nothing_to_check() {
    let subject = Subject {
        url: "http://127.0.0.1:1".into(),
        authentication: None,
        credit_variants: Vec::new(),
        health_variants: Vec::new(),
        with_proposals: true,
    };
    assert!(check(subject, StandingClock::at_noon(), random()).await.is_err());
}
