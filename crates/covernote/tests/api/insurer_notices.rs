//! Notices to insurers over HTTP about their policies: each change, in order, until the insurer acknowledges
//! it (D90).

use std::sync::Arc;
use std::time::Duration;

use domain::person::PersonalLine;
use domain::proposal::Actor;
use domain::text::FromText;
use serde_json::json;
use service::insurer::{Insurer, RequestDecision};

use crate::support::claims::death;
use crate::support::insurer::{Decides, Says};
use crate::support::{App, Setup};

const NUMBER: &str = "MA/2026/000017";

/// A service whose insurer Misaal accepts every proposal over HTTP.
async fn with_misaal() -> (App, Arc<Decides>) {
    let misaal = Decides::saying("misaals-secret", [Says::Accepted(NUMBER)]);
    let insurer: Arc<dyn Insurer> = misaal.clone();
    (Setup::default().asking(vec![("misaal", insurer)]).start().await, misaal)
}

/// The id of a policy of Misaal.
async fn has_policy(app: &App) -> String {
    let body = app.has_proposal_body_decided_by("insurer", "SUBMITTED").await;
    let made = app.post("/v1/embedded/proposal", body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let proposal = made.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
    let issued = async || (app.status_of(&proposal).await == "COMPLETED").then_some(());
    app.eventually("it is accepted", issued).await;
    app.policy_id_of(&proposal).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_insurer_gets_notices_of_all_changes_of_its_policies_in_order() {
    let (app, misaal) = with_misaal().await;
    let id = has_policy(&app).await;
    app.has_no_job_left().await;
    assert_eq!(misaal.notices(), [format!("NEW-{id}")]);
    let contact = json!({ "kind": "CONTACT", "contact": { "email": "new@example.com" } });
    assert_eq!(app.endorses(&id, contact).await.status, 200);
    app.has_no_job_left().await;
    let claim = app.claims(death(&id)).await;
    assert_eq!(claim.status, 201, "{}", claim.text);
    let claim = claim.json()["payload"]["claim_id"].as_str().expect("an id").to_owned();
    app.has_no_job_left().await;
    let told = [format!("NEW-{id}"), format!("ENDORSE-{id}-1"), format!("CLAIM-{claim}")];
    assert_eq!(misaal.notices(), told);
    let reason = json!({ "reason": "By mistake" });
    assert_eq!(app.post(&format!("/v1/claims/{claim}/withdrawal"), reason).await.status, 200);
    app.has_no_job_left().await;
    assert_eq!(misaal.notices()[3..], [format!("WITHDRAWN-{claim}")]);
    assert!(misaal.requests().is_empty(), "nothing waits for it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_insurer_that_decides_is_asked_to_confirm_or_refuse_changes_of_its_policies() {
    // D69, D89
    let (app, misaal) = with_misaal().await;
    let id = has_policy(&app).await;
    let name =
        json!({ "kind": "NAME", "name": { "title": "MS", "first_name": "Aasha", "last_name": "Rao" } });
    let asked = app.endorses(&id, name.clone()).await;
    assert_eq!(asked.json()["payload"]["status"], "REQUESTED", "{}", asked.text);
    let is_asked = async |least: usize| {
        app.eventually("it is asked", async || (misaal.requests().len() >= least).then_some(())).await;
    };
    is_asked(1).await;
    assert_eq!(misaal.requests()[0], format!("ASK-ENDORSE-{id}-1"));
    assert_eq!(app.policy(&id).await["endorsements"][0]["status"], "REQUESTED");
    let reason = PersonalLine::from_text("The document says otherwise.").ok();
    misaal.decides(RequestDecision::Refused { reason });
    app.clock.advance(Duration::from_secs(900));
    app.has_no_job_left().await;
    let refused = app.policy(&id).await["endorsements"][0].clone();
    assert_eq!(
        (&refused["status"], &refused["reason"]),
        (&json!("REFUSED"), &json!("The document says otherwise."))
    );
    misaal.decides(RequestDecision::Confirmed);
    assert_eq!(app.endorses(&id, name).await.json()["payload"]["status"], "REQUESTED");
    app.has_no_job_left().await;
    assert_eq!(app.policy(&id).await["endorsements"][1]["status"], "MADE");
    assert_eq!(misaal.notices().last(), Some(&format!("ENDORSE-{id}-1")), "then it is told of what was made");
    assert_eq!(app.cancels(&id, "DUPLICATE").await.json()["payload"]["status"], "CANCELLATION_REQUESTED");
    app.has_no_job_left().await;
    let shown = app.policy(&id).await;
    assert_eq!(shown["status"], "CANCELLED");
    assert_eq!(shown["history"][1]["by"], "insurer");
    assert_eq!(misaal.notices().last(), Some(&format!("CANCEL-{id}")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_insurers_later_confirmation_does_not_override_the_operators_refusal() {
    let (app, misaal) = with_misaal().await;
    let id = has_policy(&app).await;
    assert_eq!(app.cancels(&id, "DUPLICATE").await.json()["payload"]["status"], "CANCELLATION_REQUESTED");
    app.eventually("it is asked", async || (!misaal.requests().is_empty()).then_some(())).await;
    let policy = id.parse().expect("an id");
    app.service.cancellations.decide(policy, None, Actor::Operator, false, None).await.expect("refused");
    misaal.decides(RequestDecision::Confirmed);
    app.clock.advance(Duration::from_secs(900));
    app.has_no_job_left().await;
    assert_eq!(app.policy(&id).await["status"], "ISSUED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_insurers_decision_does_not_apply_to_a_request_that_was_made_later() {
    let (app, misaal) = with_misaal().await;
    let id = has_policy(&app).await;
    app.has_no_job_left().await;
    misaal.stops();
    misaal.decides(RequestDecision::Confirmed);
    let policy = id.parse().expect("an id");
    app.cancels(&id, "DUPLICATE").await;
    app.eventually("it is asked", async || (misaal.requests().len() == 1).then_some(())).await;
    misaal.decides(RequestDecision::Pending);
    // While the insurer decides, the operator refuses, and another change is requested.
    app.service.cancellations.decide(policy, None, Actor::Operator, false, None).await.expect("refused");
    app.clock.advance(Duration::from_secs(60));
    assert_eq!(app.cancels(&id, "FREE_LOOK").await.json()["payload"]["status"], "CANCELLATION_REQUESTED");
    misaal.goes_on();
    let second = async || (misaal.requests().len() >= 2).then(|| misaal.requests());
    let requests = app.eventually("it is asked of the other one", second).await;
    assert_ne!(requests[0], requests[1]);
    assert_eq!(app.policy(&id).await["status"], "CANCELLATION_REQUESTED", "it confirmed the first one");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_unacknowledged_notice_is_sent_again_before_any_later_one() {
    let (app, misaal) = with_misaal().await;
    misaal.is_deaf(true);
    let id = has_policy(&app).await;
    let heard = async |least: usize| {
        let heard = async || (misaal.notices().len() >= least).then_some(());
        app.eventually("it is told again", heard).await;
    };
    heard(1).await;
    let contact = json!({ "kind": "CONTACT", "contact": { "email": "new@example.com" } });
    assert_eq!(app.endorses(&id, contact).await.status, 200);
    assert_eq!(app.claims(death(&id)).await.status, 201);
    let so_far = misaal.notices().len();
    for second in 0..60 {
        app.clock.advance(Duration::from_secs(1 + second));
        tokio::time::sleep(Duration::from_millis(20)).await;
        if misaal.notices().len() > so_far {
            break;
        }
    }
    heard(so_far + 1).await;
    assert!(misaal.notices().iter().all(|told| *told == format!("NEW-{id}")), "{:?}", misaal.notices());
    misaal.is_deaf(false);
    app.clock.advance(Duration::from_secs(900));
    app.has_no_job_left().await;
    let notices = misaal.notices();
    let mut once = notices.clone();
    once.dedup();
    assert_eq!(once.len(), 3, "in order: {notices:?}");
    assert_eq!(once[..2], [format!("NEW-{id}"), format!("ENDORSE-{id}-1")]);
    assert!(once[2].starts_with("CLAIM-"), "{once:?}");
}

#[tokio::test]
async fn no_notices_are_sent_to_insurers_with_rate_tables_or_with_notices_switched_off() {
    let app = App::start().await;
    let id = app.has_policy().await;
    let contact = json!({ "kind": "CONTACT", "contact": { "email": "new@example.com" } });
    assert_eq!(app.endorses(&id, contact).await.status, 200);
    assert_eq!(app.claims(death(&id)).await.status, 201);
    assert_eq!(app.rows_of("jobs"), 0);
    // The same insurer over HTTP, without notices.
    let misaal = Decides::saying("misaals-secret", [Says::Accepted(NUMBER)]);
    let insurer: Arc<dyn Insurer> = misaal.clone();
    let wants_none = |text: String| text.replace("[http]\n", "[http]\nnotices = false\n");
    let setup = Setup::default().asking(vec![("misaal", insurer)]);
    let app = setup.edited("insurers/misaal/insurer.toml", wants_none).start().await;
    has_policy(&app).await;
    app.has_no_job_left().await;
    assert_eq!(misaal.notices(), Vec::<String>::new());
}
