//! `PUT /v1/embedded/proposal/{proposal_id}`: replaces a draft (D147, in addition to interface §5 and §7).

use serde_json::{Value, json};

use crate::support::App;

/// A well-formed id of no proposal.
const UNKNOWN: &str = "pro_01m5vktth0f5dshfehnp2ec77b";

fn path(id: &str) -> String {
    format!("/v1/embedded/proposal/{id}")
}

/// The body of a proposal for another person, in the given status.
async fn other_body(app: &App, status: &str) -> Value {
    let mut body = app.has_proposal_body(status).await;
    for person in [&["proposer"][..], &["insured_members", "0"]] {
        let found = person.iter().fold(&mut body, |at, name| match name.parse::<usize>() {
            Ok(nth) => &mut at[nth],
            Err(_) => &mut at[*name],
        });
        found["first_name"] = "Devika".into();
        found["mobile"] = "9000000031".into();
    }
    body
}

async fn found_by(app: &App, mobile: &str) -> usize {
    let by = domain::identifier::Identifier::of(domain::identifier::IdentifierKind::Mobile, mobile);
    let people = app.service.persons.people_of(&by).await.expect("read");
    people.iter().map(|person| person.records.proposals.len()).sum()
}

#[tokio::test]
async fn a_replaced_draft_keeps_its_id_and_has_the_new_content() {
    // D147
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    assert_eq!((found_by(&app, "9876543210").await, found_by(&app, "9000000031").await), (1, 0));
    let body = other_body(&app, "DRAFT").await;
    let answer = app.put(&path(&id), body.clone()).await;
    let payload = &answer.json()["payload"];
    assert_eq!((answer.status, payload), (200, &json!({ "proposal_id": id, "status": "DRAFT" })));
    assert_eq!((found_by(&app, "9876543210").await, found_by(&app, "9000000031").await), (0, 1));
    let (proposal, moves) = app.found_proposal(&id).await;
    assert_eq!(proposal.application.request.quote.to_string(), body["quote_id"].as_str().expect("an id"));
    assert_eq!(moves.len(), 1, "the status did not change");
    let event = app.get("/v1/events?type=proposal.replaced&limit=9").await.json();
    assert_eq!(
        (&event["events"][0]["data"]["id"], event["events"].as_array().map(Vec::len)),
        (&json!(id), Some(1)),
        "{event}"
    );
    assert_eq!(app.patch(&path(&id), json!({ "status": "PENDING" })).await.status, 200);
    assert_eq!(app.patch(&path(&id), json!({ "status": "COMPLETED" })).await.status, 200);
    assert_eq!(app.store.faults(app.folder.path()), Vec::<String>::new());
}

#[tokio::test]
async fn a_replacement_with_the_status_submitted_also_submits_the_proposal() {
    // D147
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    let answer = app.put(&path(&id), other_body(&app, "SUBMITTED").await).await;
    assert_eq!(
        (answer.status, &answer.json()["payload"]["status"]),
        (200, &json!("PENDING")),
        "{}",
        answer.text
    );
    assert_eq!(app.status_of(&id).await, "PENDING");
    let straight = app.has_proposal("DRAFT").await;
    let body = app.has_proposal_body_decided_by("straight-through", "SUBMITTED").await;
    assert_eq!(app.put(&path(&straight), body).await.status, 200);
    assert_eq!(app.status_of(&straight).await, "COMPLETED");
    assert_eq!(app.store.faults(app.folder.path()), Vec::<String>::new());
}

#[tokio::test]
async fn only_a_draft_of_the_partner_can_be_replaced() {
    // D3, D147
    let app = App::start().await;
    for status in ["PENDING", "COMPLETED", "REJECTED"] {
        let id = app.has_proposal(status).await;
        let answer = app.put(&path(&id), other_body(&app, "DRAFT").await).await;
        answer.is_refused(400, "S4000");
        assert_eq!(app.status_of(&id).await, status);
    }
    let body = other_body(&app, "DRAFT").await;
    app.put(&path(UNKNOWN), body.clone()).await.is_refused(404, "R4040");
    app.put(&path("pro_x"), body.clone()).await.is_refused(404, "R4040");
    let draft = app.has_proposal("DRAFT").await;
    let other = app.new_partner("Other").await;
    let request = app.request("PUT", &path(&draft)).bearer_auth(&other.token).json(&body);
    let refused = app.send(request).await;
    assert!(refused.status == 400 || refused.status == 404, "{}", refused.text);
    assert_eq!(found_by(&app, "9000000031").await, 0);
}

#[tokio::test]
async fn a_faulty_replacement_lists_every_fault_and_leaves_the_draft_unchanged() {
    // D11, D147
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    let mut body = other_body(&app, "DRAFT").await;
    body["proposer"]["gender"] = "X".into();
    body["recommendation_id"] = Value::Null;
    let answer = app.put(&path(&id), body).await;
    answer.is_refused(400, "V4000");
    assert_eq!(answer.json()["additional_info"].as_array().map(Vec::len), Some(2), "{}", answer.text);
    assert_eq!(found_by(&app, "9876543210").await, 1);
}

#[tokio::test]
async fn a_replacement_and_a_submission_at_once_leave_one_whole_proposal() {
    // D28, D147
    let app = App::start().await;
    for _ in 0..5 {
        let id = app.has_proposal("DRAFT").await;
        let at = path(&id);
        let body = other_body(&app, "DRAFT").await;
        let (replaced, submitted) =
            tokio::join!(app.put(&at, body), app.patch(&at, json!({ "status": "PENDING" })));
        assert_eq!(submitted.status, 200, "{}", submitted.text);
        assert!([200, 400].contains(&replaced.status), "{}", replaced.text);
        let (proposal, _) = app.found_proposal(&id).await;
        let is_new = proposal.application.request.proposer.name.first.reveal() == "Devika";
        assert_eq!(is_new, replaced.status == 200);
        assert_eq!(app.status_of(&id).await, "PENDING");
    }
    assert_eq!(app.store.faults(app.folder.path()), Vec::<String>::new());
}

#[tokio::test]
async fn the_same_replacement_with_an_idempotency_key_is_done_once() {
    // D36, D147
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    let body = other_body(&app, "SUBMITTED").await;
    let send = async || {
        let request = app.request("PUT", &path(&id)).bearer_auth(&app.partner().token);
        app.send(request.header("idempotency-key", "one").json(&body)).await
    };
    let (first, again) = (send().await, send().await);
    assert_eq!((first.status, again.status, &first.text), (200, 200, &again.text));
}
