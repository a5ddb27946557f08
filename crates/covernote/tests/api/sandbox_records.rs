//! Records of a test partner give no cover, are in no list of the operator, and can be removed (D97).

use domain::event::EventType;
use serde_json::json;

use crate::support::certificate::{certificate_of, check_path_of, drawn_text_of, text_of};
use crate::support::receiver::Receiver;
use crate::support::statements::month;
use crate::support::{App, Setup};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_partners_certificate_is_a_specimen_and_its_check_page_shows_no_cover() {
    let mut app = App::start().await;
    app.asks_in_a_sandbox().await;
    let id = app.has_proposal("COMPLETED").await;
    let text = text_of(&certificate_of(&app, &id).await.bytes);
    let drawn = drawn_text_of(&certificate_of(&app, &id).await.bytes);
    assert!(drawn.starts_with("S P E C I M E N"), "each letter stands askew: {drawn}");
    assert!(drawn.contains("Nobody is insured") && text.contains("No. TEST-"), "{text}");
    let page = app.get_without_bearer(&check_path_of(&app, &id).await).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("There is no cover") && !page.text.contains("is genuine"), "{}", page.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn records_of_test_partners_are_not_in_statements_ledger_and_operator_lists() {
    let mut app = App::start().await;
    let live = app.has_policy().await;
    let books = async |app: &App| {
        let balances = app.service.premiums.balances().await.expect("read");
        balances.iter().map(|one| one.balance).collect::<Vec<_>>()
    };
    let before = books(&app).await;
    let partner = app.new_test_partner().await;
    let real = app.asks_as(partner);
    let test = app.has_policy().await;
    assert_eq!(app.cancels(&test, "CUSTOMER").await.status, 200);
    let (claim, _) = app.has_claim().await;
    app.advances(20).await;
    assert_eq!(app.get("/v1/statements").await.json()["statements"][0]["rows"], 3);
    assert_eq!(books(&app).await, before, "no money");
    let service = &app.service;
    let listed = service.policies.of_partners(None, None, 100).await.expect("read");
    assert_eq!(listed.iter().map(|one| one.policy.id.to_string()).collect::<Vec<_>>(), [live]);
    let of_test =
        service.policies.of_partners(Some(&app.partner().client_id), None, 100).await.expect("read");
    assert_eq!(of_test.len(), 2, "where the operator names the partner");
    assert_eq!(service.claims.open(100).await.expect("read").len(), 0, "{claim}");
    assert_eq!(service.claims.of_partners(None, 100).await.expect("read").len(), 0);
    assert_eq!(service.policies.refunds_owed(100).await.expect("read").len(), 0);
    let proposals = service.operator_proposals.list(None, None, 100).await.expect("read");
    assert_eq!(proposals.len(), 1);
    assert_eq!(service.premiums.open(100).await.expect("read").len(), 0);
    app.asks_as(real);
    app.set_clock("2026-12-05T12:00:00+05:30").await;
    let made = app.makes_statements("2026-11").await;
    assert_eq!(month("2026-11"), made.statements[0].month);
    let sold: u64 = made.statements.iter().map(|one| one.rows).max().unwrap_or(0);
    assert_eq!(sold, 1, "the live policy alone");
    let listed = app.service.statements.of_months(None, 100).await.expect("read");
    assert!(listed.iter().all(|one| !one.number.starts_with("TEST-")), "{listed:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_partner_can_fire_every_event_type_except_the_ping() {
    let mut app = App::start().await;
    app.asks_in_a_sandbox().await;
    let receiver = Receiver::answering(204).await;
    let made = app.post("/v1/webhooks/endpoints", json!({ "url": receiver.url(), "types": ["*"] })).await;
    let secret = made.json()["payload"]["secret"].as_str().expect("a secret").to_owned();
    let types: Vec<&EventType> =
        EventType::ALL.iter().filter(|kind| **kind != EventType::EndpointPing).collect();
    for kind in &types {
        let fired = app.post("/v1/sandbox/webhooks/fire", json!({ "type": kind.word() })).await;
        assert_eq!(fired.status, 202, "{}", fired.text);
    }
    let came = receiver.has(types.len()).await;
    assert!(came.iter().all(|message| message.is_signed_with(&secret)));
    let mut told = receiver.types();
    told.sort();
    let mut wanted: Vec<String> = types.iter().map(|kind| kind.word().to_owned()).collect();
    wanted.sort();
    assert_eq!(told, wanted);
    app.post("/v1/sandbox/webhooks/fire", json!({ "type": "endpoint.ping" })).await.has_faults_on(&["type"]);
    app.post("/v1/sandbox/webhooks/fire", json!({ "type": "policy.exploded" }))
        .await
        .has_faults_on(&["type"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deleting_sandbox_data_removes_only_the_test_partners_own_data() {
    let mut app = Setup::default().start().await;
    let live = app.has_policy().await;
    let partner = app.new_test_partner().await;
    let real = app.asks_as(partner);
    let (claim, policy) = app.has_claim().await;
    app.uploads(&claim, "", "application/pdf", crate::support::claims::pdf(1000)).await;
    let quote = app.has_health_quote(crate::support::bodies::recommendation()).await;
    app.finished_recommendation(&quote).await;
    app.advances(20).await;
    let removed = app.as_partner(app.partner(), "DELETE", "/v1/sandbox/data", None).await;
    assert_eq!(removed.status, 200, "{}", removed.text);
    assert_eq!(removed.json()["payload"]["complete"], true);
    app.get(&format!("/v1/policies/{policy}")).await.is_refused(404, "R4040");
    app.get(&format!("/v1/claims/{claim}")).await.is_refused(404, "R4040");
    app.get(&format!("/v1/business/health/quotes/{quote}")).await.is_refused(404, "R4040");
    assert_eq!(app.get("/v1/events").await.json()["events"], json!([]));
    assert_eq!(app.get("/v1/sandbox/clock").await.json()["payload"]["ahead_seconds"], 0);
    // The test partner starts again with the same credentials.
    let again = app.has_policy().await;
    assert_eq!(app.policy(&again).await["status"], "ISSUED");
    app.asks_as(real);
    assert_eq!(app.policy(&live).await["status"], "ISSUED");
}
