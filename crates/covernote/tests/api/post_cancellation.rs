//! `POST /v1/policies/{policy_id}/cancellation`: who requests, who confirms, the refund, and who owes it
//! (D66, D68, D69).

use domain::claim::{ClaimKind, ClaimNotice, Claimant};
use domain::date::Date;
use domain::money::Rupees;
use domain::person::{Mobile, PersonalLine};
use domain::premium::PaymentReference;
use domain::proposal::Actor;
use domain::text::FromText;
use serde_json::{Value, json};
use service::Error;

use crate::support::certificate::{certificate_of, text_of};
use crate::support::claims::death;
use crate::support::{Answer, App};

fn reference(text: &str) -> PaymentReference {
    PaymentReference::from_text(text).expect("a reference")
}

fn path(id: &str) -> String {
    format!("/v1/policies/{id}/cancellation")
}

/// The page behind the QR code of a policy's certificate.
async fn check_page(app: &App, proposal: &str) -> Answer {
    let policy = crate::support::certificate::policy_of(app, proposal).await;
    let code = service::line::certificate::check_text(policy.check.expect("a code"));
    app.get_without_bearer(&format!("/certificate/{code}")).await
}

#[tokio::test]
async fn a_policy_whose_partner_decides_is_cancelled_immediately() {
    let mut app = App::start().await;
    let proposal = app.has_proposal("COMPLETED").await;
    let id = app.policy_id_of(&proposal).await;
    app.set_clock("2026-11-29T12:00:00+05:30").await;
    let answer = app.cancels(&id, "FREE_LOOK").await;
    assert_eq!((answer.status, &answer.json()["payload"]["status"]), (200, &json!("CANCELLED")));
    let policy = app.policy(&id).await;
    assert_eq!(policy["status"], "CANCELLED");
    let moves: Vec<(&Value, &Value)> =
        policy["history"].as_array().expect("a list").iter().map(|one| (&one["from"], &one["to"])).collect();
    let (issued, asked, cancelled) = (json!("ISSUED"), json!("CANCELLATION_REQUESTED"), json!("CANCELLED"));
    assert_eq!(moves, [(&issued, &asked), (&asked, &cancelled)]);
    let cancellation = &policy["cancellation"];
    assert_eq!(
        (&cancellation["outcome"], &cancellation["refund"]["total"]),
        (&json!("confirmed"), &json!("2158.95"))
    );
    assert_eq!(
        (&cancellation["refund_due_on"], &cancellation["refund_paid"]),
        (&json!("2026-12-06"), &Value::Null)
    );
    assert_eq!(policy["may_cancel_for"], json!([]));
    // The insurer owes the refund to the insured. The operator's accounts do not change.
    let refund = Rupees::from_paise(215_895);
    assert_eq!(app.refunds_booked().await, (Rupees::ZERO - refund, refund));
}

#[tokio::test]
async fn the_certificate_and_the_page_behind_its_code_say_cancelled() {
    let app = App::start().await;
    let proposal = app.has_proposal("COMPLETED").await;
    let id = app.policy_id_of(&proposal).await;
    let before = certificate_of(&app, &proposal).await;
    assert!(!text_of(&before.bytes).contains("Cancelled"));
    assert_eq!(app.cancels(&id, "FREE_LOOK").await.status, 200);
    let after = certificate_of(&app, &proposal).await;
    assert!(text_of(&after.bytes).contains("Cancelled on 20 Nov 2026: there is no cover."));
    assert_eq!(certificate_of(&app, &proposal).await.bytes, after.bytes, "the same at every download");
    let page = check_page(&app, &proposal).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("The policy was cancelled on 20 Nov 2026"), "{}", page.text);
    assert!(!page.text.contains("in force"), "{}", page.text);
}

#[tokio::test]
async fn the_policy_covers_until_the_operator_or_insurer_confirms_the_cancellation() {
    for decision in ["operator", "insurer"] {
        let app = App::start().await;
        let id = app.has_policy_decided_by(decision).await;
        let answer = app.cancels(&id, "FREE_LOOK").await;
        let payload = answer.json()["payload"].clone();
        assert_eq!(
            (&payload["status"], &payload["confirmed_by"]),
            (&json!("CANCELLATION_REQUESTED"), &json!(decision))
        );
        let policy = app.policy(&id).await;
        assert_eq!(policy["cancellation"]["outcome"], "requested");
        assert_eq!(app.refunds_booked().await, (Rupees::ZERO, Rupees::ZERO), "nothing is owed yet");
        app.quotes_cancellation(&id, "CUSTOMER").await.is_refused(400, "S4000");
        let policy_id = id.parse().expect("an id");
        let state = app
            .service
            .cancellations
            .decide(policy_id, None, Actor::Operator, true, None)
            .await
            .expect("confirmed");
        assert_eq!(state.word(), "CANCELLED");
        assert_ne!(app.refunds_booked().await.1, Rupees::ZERO);
        let again = app.service.cancellations.decide(policy_id, None, Actor::Operator, false, None).await;
        assert!(matches!(again, Err(Error::Refused(_))), "{again:?}");
    }
}

#[tokio::test]
async fn a_refused_cancellation_leaves_the_policy_as_it_was_and_can_be_asked_for_again() {
    let app = App::start().await;
    let id = app.has_policy_decided_by("operator").await;
    assert_eq!(app.cancels(&id, "FREE_LOOK").await.status, 200);
    let reason = domain::person::PersonalLine::from_text("The form is not signed.").expect("a line");
    app.service
        .cancellations
        .decide(id.parse().expect("an id"), None, Actor::Operator, false, Some(reason))
        .await
        .expect("refused");
    let policy = app.policy(&id).await;
    assert_eq!(
        (&policy["status"], &policy["cancellation"]["outcome"]),
        (&json!("ISSUED"), &json!("refused"))
    );
    assert_eq!(policy["history"][1]["reason"], "The form is not signed.");
    assert_eq!(app.refunds_booked().await, (Rupees::ZERO, Rupees::ZERO));
    assert_eq!(app.cancels(&id, "FREE_LOOK").await.status, 200);
}

#[tokio::test]
async fn a_requested_cancellation_cannot_be_confirmed_after_a_claim_is_reported() {
    // D81
    let app = App::start().await;
    let id = app.has_policy_decided_by("operator").await;
    assert_eq!(app.cancels(&id, "FREE_LOOK").await.status, 200);
    app.clock.advance(std::time::Duration::from_secs(600));
    let claim = app.claims(death(&id)).await;
    assert_eq!(claim.status, 201, "it covers until somebody confirms: {}", claim.text);
    let policy_id = id.parse().expect("an id");
    let confirmed = app.service.cancellations.decide(policy_id, None, Actor::Operator, true, None).await;
    assert!(matches!(confirmed, Err(Error::Conflict(_))), "{confirmed:?}");
    assert_eq!(app.policy(&id).await["status"], "CANCELLATION_REQUESTED");
    assert_eq!(app.refunds_booked().await, (Rupees::ZERO, Rupees::ZERO));
    app.service.cancellations.decide(policy_id, None, Actor::Operator, false, None).await.expect("refused");
    assert_eq!(app.policy(&id).await["status"], "ISSUED");
    app.quotes_cancellation(&id, "FREE_LOOK").await.is_refused(400, "S4000");
}

#[tokio::test]
async fn a_cancellation_whose_refund_differs_from_the_current_quote_is_a_conflict() {
    let mut app = App::start().await;
    let id = app.has_policy().await;
    let quoted = app.quotes_cancellation(&id, "FREE_LOOK").await.json()["payload"]["refund"]["total"].clone();
    app.set_clock("2026-11-21T00:00:00+05:30").await;
    let answer = app.post(&path(&id), json!({ "reason": "FREE_LOOK", "refund": quoted })).await;
    answer.is_refused(409, "S4090");
    assert_eq!(answer.json()["reason"], "AMOUNT_CHANGED");
    assert_eq!(app.policy(&id).await["status"], "ISSUED");
    app.post(&path(&id), json!({ "reason": "FREE_LOOK" })).await.has_faults_on(&["refund"]);
    app.post(&path(&id), json!({ "reason": "FREE_LOOK", "refund": "-1", "effective_date": "x" }))
        .await
        .has_faults_on(&["effective_date", "refund"]);
}

#[tokio::test]
async fn a_policy_is_cancelled_only_once_and_its_idempotency_key_repeats_the_answer() {
    // D36
    let app = App::start().await;
    let id = app.has_policy().await;
    let total = app.quotes_cancellation(&id, "DUPLICATE").await.json()["payload"]["refund"]["total"].clone();
    let body = json!({ "reason": "DUPLICATE", "refund": total });
    let send = async || {
        let request = app.request("POST", &path(&id)).bearer_auth(&app.partner().token);
        app.send(request.header("idempotency-key", "once").json(&body)).await
    };
    let first = send().await;
    assert_eq!(first.status, 200, "{}", first.text);
    let second = send().await;
    assert_eq!((second.status, second.header("idempotency-replayed")), (200, Some("true")));
    assert_eq!(second.bytes, first.bytes);
    app.post(&path(&id), body.clone()).await.is_refused(400, "S4000");
    assert_eq!(app.rows_of("policy_moves"), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn only_one_of_sixteen_simultaneous_cancellations_is_made() {
    let app = App::start().await;
    let id = app.has_policy().await;
    let total = app.quotes_cancellation(&id, "DUPLICATE").await.json()["payload"]["refund"]["total"].clone();
    let body = json!({ "reason": "DUPLICATE", "refund": total });
    let path = path(&id);
    let sent = (0..16).map(|_| app.post(&path, body.clone()));
    let answers = futures_util::future::join_all(sent).await;
    let done = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(done, 1);
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        refused.is_refused(400, "S4000");
    }
    assert_eq!(app.rows_of("policy_moves"), 2);
    assert_eq!(app.refunds_booked().await.1, Rupees::from_paise(218_890));
}

#[tokio::test]
async fn a_refund_is_paid_only_once_and_with_interest_if_it_is_late() {
    // D69
    let mut app = App::start().await;
    let id = app.has_policy().await;
    assert_eq!(app.cancels(&id, "DUPLICATE").await.status, 200);
    let policy = id.parse().expect("an id");
    let owed = app.service.policies.refunds_owed(10).await.expect("read");
    assert_eq!(owed.len(), 1);
    app.set_clock("2026-12-27T12:00:00+05:30").await;
    let refunds = &app.service.refunds;
    let today = app.service.policies.today();
    // The refund was due on 27 November: thirty days of interest at 7.75 % on 2,188.90 are 13.94.
    let wrong = refunds.paid(policy, reference("UTR-1"), today, Some(Rupees::from_paise(218_890))).await;
    assert!(matches!(&wrong, Err(Error::Conflict(why)) if why.detail.contains("13.94")), "{wrong:?}");
    let (refund, paid) = refunds
        .paid(policy, reference("UTR-1"), today, Some(Rupees::from_paise(220_284)))
        .await
        .expect("paid");
    assert_eq!((refund, paid.interest), (Rupees::from_paise(218_890), Rupees::from_paise(1394)));
    assert_eq!(app.refunds_booked().await.1, Rupees::ZERO);
    assert!(app.service.policies.refunds_owed(10).await.expect("read").is_empty());
    // A repeat changes nothing. Another payment is refused.
    let again = refunds
        .paid(policy, reference("UTR-1"), today.yesterday().expect("a day"), None)
        .await
        .expect("the same");
    assert_eq!(again.1, paid);
    let other = refunds.paid(policy, reference("UTR-2"), today, None).await;
    assert!(matches!(other, Err(Error::Conflict(_))), "{other:?}");
    let shown = app.policy(&id).await;
    assert_eq!(
        shown["cancellation"]["refund_paid"],
        json!({ "reference": "UTR-1", "paid_on": "2026-12-27", "interest": "13.94" })
    );
    assert_eq!(shown["cancellation"]["refund_due_on"], Value::Null);
}

#[tokio::test]
async fn a_partner_needs_the_scope_to_cancel_and_can_cancel_only_its_own_policies() {
    // D2, D3
    let app = App::start().await;
    let id = app.has_policy().await;
    let body = json!({ "reason": "DUPLICATE", "refund": "2188.90" });
    let mut narrow = app.new_partner_with("Narrow", App::scopes(&["business.policy.read"]), 100).await;
    narrow.token = app.token_of(&narrow, &["business.policy.read"]).await;
    app.as_partner(&narrow, "POST", &path(&id), Some(body.clone())).await.is_refused(403, "A4030");
    let other = app.new_partner("Other Lender").await;
    app.as_partner(&other, "POST", &path(&id), Some(body)).await.is_refused(404, "R4040");
    assert_eq!(app.policy(&id).await["status"], "ISSUED");
}

/// A death claim for 20 November 2026.
fn notice() -> ClaimNotice {
    let line = |text: &str| PersonalLine::kept(text.to_owned());
    ClaimNotice {
        kind: ClaimKind::Death,
        event_on: Date::constant(2026, 11, 20),
        cause: line("Road accident"),
        place: None,
        member: 1,
        claimant: Claimant {
            name: line("Ravi Rao"),
            relation: line("SPOUSE"),
            phone: Mobile::kept("9876543211".to_owned()),
            email: None,
        },
        account: None,
        claimed: None,
    }
}

#[tokio::test]
async fn a_claim_begun_before_and_stored_after_a_cancellation_request_blocks_its_confirmation() {
    // D81
    let app = App::start().await;
    let id = app.has_policy_decided_by("operator").await;
    let policy = id.parse().expect("an id");
    let claims = &app.service.claims;
    let draft = claims.intimate(app.partner().id, policy, notice(), Actor::Partner).await.expect("judged");
    app.clock.set("2026-11-20T10:00:01+05:30");
    assert_eq!(app.cancels(&id, "FREE_LOOK").await.status, 200);
    assert!(claims.keep(draft, None).await.is_ok(), "it covers until somebody confirms");
    let confirmed = app.service.cancellations.decide(policy, None, Actor::Operator, true, None).await;
    assert!(matches!(confirmed, Err(Error::Conflict(_))), "{confirmed:?}");
    assert_eq!(app.policy(&id).await["status"], "CANCELLATION_REQUESTED");
}
