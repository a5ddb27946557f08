//! Tests the reports of `insurer check` about defective servers.

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
use insurers::mock::{Behaviour, Malformed, MockSettings, Verdict};
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

/// Serves a mock insurer with one defect: a function from request and good answer to the sent answer.
fn defective<Defect>(settings: MockSettings, defect: Defect) -> String
where
    Defect: Fn(&Asked, StatusCode, Value) -> (StatusCode, Value) + Clone + Send + Sync + 'static,
{
    let layer = from_fn(move |request: Request, next: Next| {
        let defect = defect.clone();
        async move { with_defect(request, next, defect).await }
    });
    listen(serve_routes(settings).layer(layer))
}

fn serve_routes(settings: MockSettings) -> Router {
    insurers::mock::Mock::new(catalogue(), settings, StandingClock::at_noon())
        .expect("a mock insurer")
        .router()
}

/// Request to a defective insurer.
struct Asked {
    method: Method,
    path: String,
    /// `None` if the body is not JSON.
    body: Option<Value>,
}

async fn with_defect<Defect>(request: Request, next: Next, defect: Defect) -> Response
where
    Defect: Fn(&Asked, StatusCode, Value) -> (StatusCode, Value),
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
    let (status, answer) = defect(&asked, status, serde_json::from_slice(&answer).expect("JSON"));
    (status, [(header::CONTENT_TYPE, "application/json; charset=utf-8")], answer.to_string()).into_response()
}

/// All prices of an answer.
fn all_prices(answer: &mut Value) -> impl Iterator<Item = &mut Value> {
    answer["prices"].as_array_mut().into_iter().flatten()
}

/// All prices of an answer, without the refusals.
fn offers(answer: &mut Value) -> impl Iterator<Item = &mut Value> {
    all_prices(answer).filter(|price| price.get("refused").is_none())
}

/// Sets the amounts of a price, or of its first tenure.
fn set_premium(price: &mut Value, rupees: u64) {
    let amounts = if price.get("tenures").is_some() { &mut price["tenures"][0] } else { price };
    amounts["base_premium"] = format!("{rupees}.00").into();
    amounts["gst"] = "0.00".into();
    amounts["total_premium"] = format!("{rupees}.00").into();
}

#[tokio::test]
async fn a_correct_server_has_no_bad_finding() {
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
async fn a_server_that_does_not_answer_has_one_finding() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound");
    let report = report(&format!("http://{free}"), None).await;
    assert!(!report.reachable);
    assert_eq!(bad(&report), ["reachable"]);
    assert_eq!(report.findings.len(), 1);
}

#[tokio::test]
async fn a_server_that_accepts_unauthenticated_requests_is_reported() {
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
async fn a_server_that_refuses_every_request_is_reported() {
    let ours = OurSide::new();
    let served = serve_known(Authentication::Hmac, &ours);
    assert_eq!(bad(&report(&served.url, None).await), ["let-in"]);
}

#[tokio::test]
async fn each_kind_of_malformed_answer_is_reported_in_the_right_finding() {
    let served = serve_in(Behaviour::default());
    for (kind, name) in [
        (Malformed::Page, "credit-json"),
        (Malformed::Redirect, "credit-json"),
        (Malformed::Endless, "credit-json"),
        (Malformed::BrokenJson, "credit-shape"),
        (Malformed::Number, "credit-shape"),
        (Malformed::Missing, "credit-each-once"),
        (Malformed::Twice, "credit-each-once"),
        (Malformed::Stranger, "credit-each-once"),
        (Malformed::WrongSum, "credit-amounts"),
        (Malformed::Negative, "credit-amounts"),
    ] {
        served.mock.set_behaviour(Behaviour {
            malformed_percent: 100,
            malformed: vec![kind],
            ..Behaviour::default()
        });
        let report = report(&served.url, None).await;
        assert!(bad(&report).contains(&name), "{kind:?}: {report:#?}");
    }
}

#[tokio::test]
async fn a_server_that_prices_impossible_requests_is_reported() {
    let url = defective(MockSettings::default(), |asked, status, mut answer| {
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
async fn a_server_that_refuses_without_a_reason_is_reported() {
    let url = defective(MockSettings::default(), |_, status, mut answer| {
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
async fn a_server_whose_prices_change_is_reported() {
    let number = Arc::new(AtomicU64::new(100));
    let url = defective(MockSettings::default(), move |_, status, mut answer| {
        offers(&mut answer).for_each(|price| set_premium(price, number.fetch_add(1, Ordering::SeqCst)));
        (status, answer)
    });
    let both = ["credit-same-again", "credit-any-order", "health-same-again", "health-any-order"];
    assert_eq!(bad(&report(&url, None).await), both);
}

#[tokio::test]
async fn a_server_whose_prices_depend_on_the_order_of_variants_is_reported() {
    let url = defective(MockSettings::default(), |_, status, mut answer| {
        offers(&mut answer).zip(100..).for_each(|(price, place)| set_premium(price, place));
        (status, answer)
    });
    assert_eq!(bad(&report(&url, None).await), ["credit-any-order", "health-any-order"]);
}

#[tokio::test]
async fn a_server_that_accepts_a_body_that_is_not_json_is_reported() {
    let url = defective(MockSettings::default(), |asked, status, answer| match asked.body {
        None if asked.method == Method::POST => (StatusCode::OK, json!({ "prices": [] })),
        _ => (status, answer),
    });
    assert_eq!(bad(&report(&url, None).await), ["credit-not-json", "health-not-json"]);
}

#[tokio::test]
async fn a_server_that_takes_a_proposal_twice_is_reported() {
    let number = Arc::new(AtomicU64::new(1));
    let url = defective(MockSettings::default(), move |_, status, mut answer| {
        if answer.get("policy_number").is_some() {
            answer["policy_number"] = format!("NEW-{}", number.fetch_add(1, Ordering::SeqCst)).into();
        }
        (status, answer)
    });
    let both = ["proposal-once", "proposal-asked", "health-proposal-once", "health-proposal-asked"];
    assert_eq!(bad(&report(&url, None).await), both);
}

#[tokio::test]
async fn a_server_that_accepts_a_changed_proposal_under_the_same_id_is_reported() {
    let taken: Arc<Mutex<HashMap<String, Value>>> = Arc::default();
    let url = defective(MockSettings::default(), move |asked, status, answer| {
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
async fn a_server_that_takes_proposals_of_only_one_line_of_business_is_reported() {
    for (path, name) in
        [("/v1/proposals", "proposal-taken"), ("/v1/health/proposals", "health-proposal-taken")]
    {
        let url = defective(MockSettings::default(), move |asked, status, answer| {
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
async fn a_server_that_sells_one_line_of_business_gets_only_proposals_of_that_line() {
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
async fn a_server_that_claims_to_know_an_unknown_proposal_is_reported() {
    let settings = MockSettings { verdict: Verdict::Pending, ..MockSettings::default() };
    let url = defective(settings, |asked, status, answer| {
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
async fn a_server_that_accepts_a_proposal_without_a_policy_number_is_reported() {
    let url = defective(MockSettings::default(), |_, status, mut answer| {
        if let Some(answer) = answer.as_object_mut() {
            answer.remove("policy_number");
        }
        (status, answer)
    });
    assert_eq!(bad(&report(&url, None).await), ["proposal-taken", "health-proposal-taken"]);
}

#[tokio::test]
async fn a_slow_server_is_reported() {
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
async fn a_check_without_any_variants_is_refused() {
    let subject = Subject {
        url: "http://127.0.0.1:1".into(),
        authentication: None,
        credit_variants: Vec::new(),
        health_variants: Vec::new(),
        with_proposals: true,
    };
    assert!(check(subject, StandingClock::at_noon(), random()).await.is_err());
}
