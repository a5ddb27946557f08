//! `POST /v1/claims/{claim_id}/withdrawal`: a partner withdraws a claim (D114).

use domain::claim::ClaimState;
use domain::money::Rupees;
use domain::person::PersonalLine;
use domain::proposal::Actor;
use domain::text::FromText;
use futures_util::future::join_all;
use serde_json::{Value, json};
use service::claim::settlement::ClaimVerdict;

use crate::support::App;
use crate::support::claims::death;

fn path(claim: &str) -> String {
    format!("/v1/claims/{claim}/withdrawal")
}

fn reason() -> Value {
    json!({ "reason": "The family claims under another policy" })
}

/// Records the insurer's decision about a claim.
async fn decide(app: &App, claim: &str, state: ClaimState) {
    let approved = (state == ClaimState::Approved).then(|| Rupees::whole(500_000));
    let reason = Some(PersonalLine::kept("Told by the insurer".into()));
    let verdict = ClaimVerdict { state, approved, refunds: None, reason };
    let id = claim.parse().expect("an id");
    app.service.claims.decide(id, Actor::Operator, verdict).await.expect("moved");
}

#[tokio::test]
async fn a_withdrawal_returns_the_withdrawn_claim_and_creates_an_event_for_the_partner() {
    let app = App::start().await;
    let (claim, policy) = app.has_claim().await;
    let answer = app.post(&path(&claim), reason()).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let shown = answer.json()["payload"].clone();
    assert_eq!(shown, app.claim(&claim).await, "it reads as it was answered");
    assert_eq!(shown["status"], "WITHDRAWN");
    let last = &shown["history"][1];
    assert_eq!((&last["by"], &last["from"]), (&json!("partner"), &json!("INTIMATED")));
    assert_eq!(last["reason"], reason()["reason"]);
    let events = app.get(&format!("/v1/events?subject={claim}")).await.json();
    assert_eq!(events["events"][0]["type"], "claim.withdrawn");
    assert_eq!(app.claims(death(&policy)).await.status, 201, "the same claim can be made again");
}

#[tokio::test]
async fn every_fault_of_the_body_is_named() {
    // D11
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    for body in [json!({}), json!({ "reason": "" }), json!({ "reason": null }), json!({ "reason": 1 })] {
        app.post(&path(&claim), body).await.has_faults_on(&["reason"]);
    }
    let body = json!({ "reason": "By mistake", "status": "WITHDRAWN" });
    app.post(&path(&claim), body).await.has_faults_on(&["status"]);
    assert_eq!(app.claim(&claim).await["status"], "INTIMATED");
}

#[tokio::test]
async fn a_claim_can_be_withdrawn_until_it_is_paid_or_refused() {
    let app = App::start().await;
    let approved = [ClaimState::UnderAssessment, ClaimState::Approved];
    let rejected = [ClaimState::Rejected];
    for (way, status) in [(&approved[..], 200), (&rejected[..], 400)] {
        let (claim, _) = app.has_claim().await;
        for state in way {
            decide(&app, &claim, *state).await;
        }
        assert_eq!(app.post(&path(&claim), reason()).await.status, status, "{way:?}");
    }
    let (claim, _) = app.has_claim().await;
    for state in approved {
        decide(&app, &claim, state).await;
    }
    let reference = FromText::from_text("UTR-1").expect("a reference");
    app.pays_claim(claim.parse().expect("an id"), reference, None).await.expect("paid");
    app.post(&path(&claim), reason()).await.is_refused(400, "S4000");
}

#[tokio::test]
async fn another_partners_claim_is_unknown_and_the_scope_is_needed() {
    // D2, D3
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    let other = app.new_partner("Other Lender").await;
    app.as_partner(&other, "POST", &path(&claim), Some(reason())).await.is_refused(404, "R4040");
    let mut narrow = app.partner().clone();
    narrow.token = app.token_of(&narrow, &["business.policy.read"]).await;
    app.as_partner(&narrow, "POST", &path(&claim), Some(reason())).await.is_refused(403, "A4030");
    assert_eq!(app.claim(&claim).await["status"], "INTIMATED");
}

#[tokio::test]
async fn only_one_of_sixteen_simultaneous_withdrawals_is_made_and_a_key_repeats_its_answer() {
    // D36
    let app = App::start().await;
    let (claim, _) = app.has_claim().await;
    let withdrawal = path(&claim);
    let answers = join_all((0..16).map(|_| app.post(&withdrawal, reason()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 400 | 409)));
    assert_eq!(app.claim(&claim).await["history"].as_array().map(Vec::len), Some(2));
    let (claim, _) = app.has_claim().await;
    let send = async || {
        let request = app.request("POST", &path(&claim)).bearer_auth(&app.partner().token);
        app.send(request.header("idempotency-key", "the-key").json(&reason())).await
    };
    let (first, second) = (send().await, send().await);
    assert_eq!((first.status, second.status, &first.text), (200, 200, &second.text));
    assert_eq!(second.header("idempotency-replayed"), Some("true"));
}
