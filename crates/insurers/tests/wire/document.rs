//! Tests that the code behaves like the examples in `docs/insurers.md`.

use domain::health_quote::Outcome;
use domain::id::{ProposalId, VariantId};
use insurers::mock::MockSettings;
use serde_json::Value;
use service::insurer::{CreditAsk, HealthAsk, InsurerDecision};

use crate::support::*;

/// JSON examples of the document, in order.
fn examples() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/insurers.md");
    let text = std::fs::read_to_string(path).expect("the document");
    let blocks = text.split("```json\n").skip(1);
    blocks.map(|block| block.split("```").next().expect("an end").to_owned()).collect()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

/// Answer of a mock insurer to an example.
async fn answered(path: &str, body: &str) -> Value {
    let served = serve(MockSettings::default());
    let mut request = reqwest::Client::new().post(format!("{}{path}", served.url)).body(body.to_owned());
    let body = parsed(body);
    if let Some(key) =
        body["proposal_id"].as_str().or(body["notice_id"].as_str()).or(body["request_id"].as_str())
    {
        request = request.header("Idempotency-Key", key);
    }
    let answer = request.send().await.expect("an answer");
    assert_eq!(answer.status(), 200, "{path}");
    parsed(&answer.text().await.expect("text"))
}

fn asked_variants(question: &str) -> Vec<VariantId> {
    let named = parsed(question)["variants"].clone();
    let named = named.as_array().expect("variants").iter();
    named.map(|id| id.as_str().expect("text").parse().expect("an id")).collect()
}

#[tokio::test]
async fn credit_prices_are_requested_and_answered_as_documented() {
    let [question, answer] = &examples()[..2] else { panic!("two examples") };
    assert_eq!(answered("/v1/credit/prices", question).await, parsed(answer));
    let (_, url) = Scripted::serve([json(answer.clone())]);
    let (request, variants) = (borrower(), asked_variants(question));
    let ask = CreditAsk { request: &request, variants: &variants, starts: TODAY };
    let read = OurSide::new().insurer(&url).price_credit(ask, AMPLE).await.expect("a good answer");
    assert!(read[0].is_ok() && read[1].is_err(), "{read:?}");
}

#[tokio::test]
async fn health_prices_are_requested_and_answered_as_documented() {
    let [question, answer] = &examples()[2..4] else { panic!("two examples") };
    answered("/v1/health/prices", question).await;
    let (_, url) = Scripted::serve([json(answer.clone())]);
    let (request, variants) = (crate::health::family(), asked_variants(question));
    let ask = HealthAsk { request: &request, variants: &variants, on: TODAY };
    let read: Vec<Outcome> =
        OurSide::new().insurer(&url).price_health(ask, AMPLE).await.expect("a good answer");
    assert!(read[0].is_ok() && read[1].is_err(), "{read:?}");
}

#[tokio::test]
async fn a_policy_notice_is_acknowledged_as_documented() {
    let examples = examples();
    let is_notice = |text: &&String| parsed(text).get("notice_id").is_some();
    let [notice, acknowledged] = examples.iter().filter(is_notice).collect::<Vec<_>>()[..] else {
        panic!("two examples")
    };
    assert_eq!(answered("/v1/policy-notices", notice).await, parsed(acknowledged));
}

#[tokio::test]
async fn a_policy_request_is_decided_as_documented() {
    let examples = examples();
    let is_request = |text: &&String| parsed(text).get("request_id").is_some();
    let [request, decided] = examples.iter().filter(is_request).collect::<Vec<_>>()[..] else {
        panic!("two examples")
    };
    assert_eq!(answered("/v1/policy-requests", request).await, parsed(decided));
}

#[tokio::test]
async fn a_proposal_is_submitted_and_decided_as_documented() {
    let [proposal, accepted, health, rejected] = &examples()[4..8] else { panic!("four examples") };
    answered("/v1/health/proposals", health).await;
    let decided = answered("/v1/proposals", proposal).await;
    let id: ProposalId = decided["proposal_id"].as_str().expect("text").parse().expect("an id");
    for (said, good) in [
        (accepted, (|decision| matches!(decision, InsurerDecision::Accepted { .. })) as fn(&_) -> bool),
        (rejected, |decision| matches!(decision, InsurerDecision::Rejected { reason: Some(_) })),
    ] {
        let (_, url) = Scripted::serve([json(said.clone())]);
        let read = OurSide::new().insurer(&url).decision(id, AMPLE).await.expect("a good answer");
        assert!(good(&read), "{read:?}");
    }
}
