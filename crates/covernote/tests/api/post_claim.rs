//! `POST /v1/claims`: a partner reports a claim (D81).

use domain::claim::{ClaimKind, ClaimState};
use domain::money::Rupees;
use domain::proposal::Actor;
use futures_util::future::join_all;
use serde_json::{Value, json};
use service::claim::settlement::ClaimVerdict;

use crate::support::bodies::{imported_policy, with, without};
use crate::support::claims::death;
use crate::support::{App, Setup};

#[tokio::test]
async fn a_reported_claim_is_answered_with_its_required_papers_and_settlement_date() {
    // D81
    let app = App::start().await;
    let policy = app.has_policy().await;
    let made = app.claims(death(&policy)).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let claim = made.json()["payload"].clone();
    assert_eq!((&claim["status"], &claim["settle_by"]), (&json!("INTIMATED"), &json!("2026-12-05")));
    assert_eq!((&claim["is_late"], &claim["line"]), (&json!(false), &json!("credit-life")));
    let papers = claim["papers"].as_array().expect("a list");
    let ids: Vec<&Value> = papers.iter().map(|paper| &paper["id"]).collect();
    assert_eq!(ids.len(), 6);
    assert_eq!(papers[0]["id"], "death-certificate");
    assert!(papers.iter().all(|paper| paper["received"] == false));
    assert_eq!(claim["member"], json!({ "number": 1, "name": "Asha K Rao" }));
    assert_eq!(claim["claimant"]["mobile"], "9876543211");
    assert_eq!(
        claim["account"],
        json!({ "holder": "Ravi Rao", "number_ends_in": "5678", "ifsc": "HDFC0000001" }),
        "an account is never shown whole again"
    );
    let id = claim["claim_id"].as_str().expect("an id");
    assert_eq!(app.claim(id).await, claim, "it reads as it was answered");
    let policy = app.policy(&policy).await;
    assert_eq!(policy["claims"], json!([{ "claim_id": id, "kind": "DEATH", "status": "INTIMATED" }]));
    assert_eq!(policy["may_claim_for"], json!(["DEATH", "DISABILITY"]));
}

#[tokio::test]
async fn every_fault_of_a_claim_report_is_named() {
    // D11, D81
    let app = App::start().await;
    let policy = app.has_policy().await;
    let body = death(&policy);
    for field in ["policy_id", "kind", "event_on", "cause", "claimant"] {
        app.claims(without(body.clone(), field)).await.has_faults_on(&[field]);
    }
    for (path, value, field) in [
        ("/kind", json!("FLOOD"), "kind"),
        ("/event_on", json!("20/11/2026"), "event_on"),
        ("/member", json!(0), "member"),
        ("/member", json!(2), "member"),
        ("/claimant/mobile", json!("12"), "claimant.mobile"),
        ("/account/number", json!("12"), "account.number"),
        ("/account/ifsc", json!("X"), "account.ifsc"),
        ("/claimed_amount", json!("many"), "claimed_amount"),
        ("/nominee", json!("x"), "nominee"),
        ("/kind", json!("HOSPITALISATION"), "kind"),
        ("/event_on", json!("2026-11-21"), "event_on"),
        ("/event_on", json!("2026-11-19"), "event_on"),
    ] {
        let mut wrong = body.clone();
        match wrong.pointer_mut(path) {
            Some(there) => *there = value.clone(),
            None => wrong[&path[1..]] = value.clone(),
        }
        app.claims(wrong).await.has_faults_on(&[field]);
    }
    let wrong =
        with(with(with(body, "kind", json!("OTHER")), "member", json!(9)), "event_on", json!("2020-01-01"));
    app.claims(wrong).await.has_faults_on(&["event_on", "kind", "member"]);
    assert_eq!(app.rows_of("claims"), 0);
}

#[tokio::test]
async fn a_member_can_have_only_one_claim_of_the_same_kind_and_day() {
    // D81
    let app = App::start().await;
    let (id, policy) = app.has_claim().await;
    let again = app.claims(with(death(&policy), "cause", json!("Another story"))).await;
    again.is_refused(409, "S4090");
    assert!(again.text.contains(&id), "{}", again.text);
    let other = app.claims(with(death(&policy), "kind", json!("DISABILITY"))).await;
    assert_eq!(other.status, 201, "{}", other.text);
    assert_eq!(app.policy(&policy).await["claims"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn sixteen_simultaneous_equal_claims_with_one_key_create_one_claim() {
    // D36
    let app = App::start().await;
    let policy = app.has_policy().await;
    let send = async |body: Value| {
        let request = app.request("POST", "/v1/claims").bearer_auth(&app.partner().token);
        app.send(request.header("idempotency-key", "claim-1").json(&body)).await
    };
    let answers = join_all((0..16).map(|_| send(death(&policy)))).await;
    assert!(answers.iter().all(|answer| answer.status == 201), "{:?}", answers[0].text);
    assert!(answers.iter().all(|answer| answer.text == answers[0].text));
    assert_eq!(app.rows_of("claims"), 1);
    send(with(death(&policy), "cause", json!("Other"))).await.is_refused(422, "V4220");
}

#[tokio::test]
async fn only_one_of_sixteen_simultaneous_equal_claims_without_a_key_is_stored() {
    // D81
    let app = App::start().await;
    let policy = app.has_policy().await;
    let answers = join_all((0..16).map(|_| app.claims(death(&policy)))).await;
    let (made, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
    assert_eq!((made.len(), refused.len()), (1, 15));
    refused.iter().for_each(|answer| answer.is_refused(409, "S4090"));
    assert_eq!((app.rows_of("claims"), app.rows_of("claim_moves")), (1, 1));
}

#[tokio::test]
async fn the_operator_limits_the_claims_of_a_policy_and_the_daily_claims_of_a_partner() {
    // D112
    let mut setup = Setup::default();
    (setup.claim_limits.claims_of_policy, setup.claim_limits.claims_of_day) = (2, 3);
    let mut app = setup.start().await;
    let (policy, other) = (app.has_policy().await, app.has_policy().await);
    app.set_clock("2026-11-27T10:00:00+05:30").await;
    let on = |policy: &str, day: u8| {
        let disability = with(death(policy), "kind", json!("DISABILITY"));
        with(disability, "event_on", json!(format!("2026-11-{day}")))
    };
    let at_once = join_all((20..26).map(|day| app.claims(on(&policy, day)))).await;
    assert_eq!(at_once.iter().filter(|answer| answer.status == 201).count(), 2);
    let refused = at_once.iter().find(|answer| answer.status != 201).expect("one more");
    refused.is_refused(409, "S4090");
    assert!(refused.text.contains("already has the maximum of 2 claims"), "{}", refused.text);
    assert_eq!(app.claims(on(&other, 20)).await.status, 201);
    let refused = app.claims(on(&other, 21)).await;
    refused.is_refused(429, "A4290");
    assert!(refused.text.contains("at most 3 claims a day"), "{}", refused.text);
    app.set_clock("2026-11-28T00:00:01+05:30").await;
    assert_eq!(app.claims(on(&other, 21)).await.status, 201);
}

#[tokio::test]
async fn sixteen_simultaneous_different_claims_are_all_stored() {
    // D81
    let mut app = App::start().await;
    let policy = app.has_policy().await;
    app.set_clock("2026-12-27T10:00:00+05:30").await;
    let disability = with(death(&policy), "kind", json!("DISABILITY"));
    let on = |day: i32| with(disability.clone(), "event_on", json!(format!("2026-12-{day}")));
    let bodies: Vec<Value> = (10..26).map(on).collect();
    let claims = join_all(bodies.into_iter().map(|body| app.claims(body))).await;
    assert!(
        claims.iter().all(|answer| answer.status == 201),
        "{:?}",
        claims.iter().map(|one| one.status).collect::<Vec<_>>()
    );
    assert_eq!(app.policy(&policy).await["claims"].as_array().map(Vec::len), Some(16));
}

#[tokio::test]
async fn a_cancelled_policy_accepts_claims_only_for_events_up_to_its_last_day() {
    // D68, D81
    let app = App::start().await;
    let policy = app.has_policy().await;
    assert_eq!(app.cancels(&policy, "FREE_LOOK").await.status, 200);
    app.clock.advance(std::time::Duration::from_secs(600));
    let made = app.claims(death(&policy)).await;
    assert_eq!(made.status, 201, "its last day was the day of the request: {}", made.text);
    let mut app = app;
    app.set_clock("2026-11-22T10:00:00+05:30").await;
    let later = with(death(&policy), "event_on", json!("2026-11-21"));
    app.claims(later).await.has_faults_on(&["event_on"]);
}

#[tokio::test]
async fn a_policy_with_a_claim_cannot_be_cancelled_in_the_free_look() {
    // D68, D81
    let app = App::start().await;
    let (_, policy) = app.has_claim().await;
    app.quotes_cancellation(&policy, "FREE_LOOK").await.is_refused(400, "S4000");
    let shown = app.policy(&policy).await;
    let reasons = shown["may_cancel_for"].as_array().expect("a list");
    assert!(!reasons.contains(&json!("FREE_LOOK")), "{reasons:?}");
}

#[tokio::test]
async fn a_simultaneous_claim_and_cancellation_take_effect_one_after_the_other() {
    // Either the claim came first, which ends the free look, or the cancellation, and the claim is for its
    // last day.
    let app = App::start().await;
    for _ in 0..8 {
        let policy = app.has_policy().await;
        let quoted = app.quotes_cancellation(&policy, "FREE_LOOK").await.json();
        let body = json!({ "reason": "FREE_LOOK", "refund": quoted["payload"]["refund"]["total"] });
        let path = format!("/v1/policies/{policy}/cancellation");
        let cancels = app.post(&path, body);
        let (claimed, cancelled) = tokio::join!(app.claims(death(&policy)), cancels);
        assert_eq!(claimed.status, 201, "{}", claimed.text);
        let shown = app.policy(&policy).await;
        assert_eq!(shown["claims"].as_array().map(Vec::len), Some(1));
        match cancelled.status {
            200 => assert_eq!(shown["status"], "CANCELLED"),
            400 | 409 => assert_eq!(shown["status"], "ISSUED", "{}", cancelled.text),
            other => panic!("{other}: {}", cancelled.text),
        }
    }
}

#[tokio::test]
async fn health_policies_have_other_kinds_of_claims_and_imported_ones_are_referred_to_the_insurer() {
    // D81
    let app = Setup::health().start().await;
    let proposal = app.has_accepted_health_proposal().await;
    let policy = app.policy_id_of(&proposal).await;
    let knows = app.policy(&policy).await["may_claim_for"].clone();
    assert_eq!(knows, json!(["HOSPITALISATION"]));
    app.claims(death(&policy)).await.has_faults_on(&["kind"]);
    let hospital = with(death(&policy), "kind", json!("HOSPITALISATION"));
    let made = app.claims(with(hospital, "event_on", app.today().to_string().into())).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let imported = app.imports_policies(vec![imported_policy()]).await;
    let answer = app.claims(with(death(&imported[0]), "kind", json!("HOSPITALISATION"))).await;
    answer.is_refused(409, "S4090");
    assert!(answer.text.contains("Itihas General Insurance"), "{}", answer.text);
}

#[tokio::test]
async fn each_decision_on_a_claim_requires_an_allowed_step_and_a_valid_reason_or_amount() {
    // D82
    let app = App::start().await;
    let (id, _) = app.has_claim().await;
    let claim = id.parse().expect("an id");
    let verdict = |state, approved, reason: Option<&str>| ClaimVerdict {
        refunds: None,
        state,
        approved,
        reason: reason.map(|text| domain::person::PersonalLine::kept(text.to_owned())),
    };
    let decide = async |verdict| app.service.claims.decide(claim, Actor::Operator, verdict).await;
    let half = Some(Rupees::whole(250_000));
    assert!(decide(verdict(ClaimState::Approved, half, None)).await.is_err(), "nobody assessed it");
    assert!(decide(verdict(ClaimState::Rejected, None, None)).await.is_err(), "without a reason");
    decide(verdict(ClaimState::UnderAssessment, None, None)).await.expect("moved");
    decide(verdict(ClaimState::UnderInvestigation, None, Some("Early claim."))).await.expect("moved");
    assert_eq!(app.claim(&id).await["settle_by"], "2027-01-04", "an investigation has more days");
    for wrong in [None, Some(Rupees::ZERO), Some(Rupees::whole(500_001))] {
        assert!(decide(verdict(ClaimState::Approved, wrong, None)).await.is_err(), "{wrong:?}");
    }
    decide(verdict(ClaimState::Approved, half, None)).await.expect("approved");
    let reference = |text: &str| domain::text::FromText::from_text(text).expect("a reference");
    let paid = app.pays_claim(claim, reference("UTR-1"), half).await.expect("paid");
    assert_eq!(paid.paid.as_ref().map(|paid| paid.interest), Some(Rupees::ZERO));
    app.pays_claim(claim, reference("utr-1"), None).await.expect("the same again, whatever its case");
    assert!(app.pays_claim(claim, reference("UTR-2"), None).await.is_err());
    let shown = app.claim(&id).await;
    assert_eq!((&shown["status"], &shown["approved_amount"]), (&json!("PAID"), &json!("250000.00")));
    let ways: Vec<&Value> =
        shown["history"].as_array().expect("a list").iter().map(|made| &made["to"]).collect();
    assert_eq!(ways, ["INTIMATED", "UNDER_ASSESSMENT", "UNDER_INVESTIGATION", "APPROVED", "PAID"]);
    assert_eq!(paid.notice.kind, ClaimKind::Death);
}

#[tokio::test]
async fn a_claim_that_is_not_settled_in_time_is_late_and_paid_with_interest() {
    // D82
    let mut app = App::start().await;
    let (id, _) = app.has_claim().await;
    let claim = id.parse().expect("an id");
    app.set_clock("2026-12-06T10:00:00+05:30").await;
    assert_eq!(app.claim(&id).await["is_late"], true);
    for state in [ClaimState::UnderAssessment, ClaimState::Approved] {
        let approved = (state == ClaimState::Approved).then(|| Rupees::whole(500_000));
        app.service
            .claims
            .decide(claim, Actor::Operator, ClaimVerdict { state, approved, refunds: None, reason: None })
            .await
            .expect("moved");
    }
    let reference = || domain::text::FromText::from_text("UTR-1").expect("a reference");
    let wrong = app.pays_claim(claim, reference(), Some(Rupees::whole(500_000))).await;
    assert!(wrong.is_err(), "interest is owed as well");
    app.pays_claim(claim, reference(), None).await.expect("paid");
    // 5,00,000 x 7.75 % x 16 / 365 = 1,698.630
    assert_eq!(app.claim(&id).await["paid"]["interest"], "1698.63");
}

#[tokio::test]
async fn a_claim_requires_the_scope_and_a_policy_of_the_same_partner() {
    // D2, D3
    let app = App::start().await;
    let policy = app.has_policy().await;
    let other = app.new_partner("Other Lender").await;
    app.as_partner(&other, "POST", "/v1/claims", Some(death(&policy))).await.is_refused(404, "R4040");
    let mut reader = app.new_partner_with("Reader", App::scopes(&["business.policy.read"]), 100).await;
    reader.token = app.token_of(&reader, &["business.policy.read"]).await;
    app.as_partner(&reader, "POST", "/v1/claims", Some(death(&policy))).await.is_refused(403, "A4030");
    assert_eq!(app.rows_of("claims"), 0);
}
