//! `PATCH /v1/embedded/proposal/{proposal_id}` (interface §7, Errors; D3, D11, D12, D28, D29, D30, D43, D54).

use std::time::Duration;

use domain::credit_life::ProposalStatus;
use domain::person::PersonalLine;
use domain::proposal::{Actor, Move};
use serde_json::{Value, json};
use service::proposal::operator::Verdict;

use crate::support::bodies;
use crate::support::{Answer, App};

/// A well-formed id of no proposal.
const UNKNOWN: &str = "pro_01m5vktth0f5dshfehnp2ec77b";

fn path(id: &str) -> String {
    format!("/v1/embedded/proposal/{id}")
}

#[tokio::test]
async fn only_four_of_the_sixteen_status_changes_are_allowed() {
    // D28
    let app = App::start().await;
    let allowed =
        [("DRAFT", "PENDING"), ("DRAFT", "REJECTED"), ("PENDING", "COMPLETED"), ("PENDING", "REJECTED")];
    let all = ["DRAFT", "PENDING", "COMPLETED", "REJECTED"];
    for from in all {
        for to in all {
            let id = app.has_proposal(from).await;
            let answer = app.patch(&path(&id), json!({ "status": to })).await;
            if allowed.contains(&(from, to)) {
                assert_eq!(
                    (answer.status, &answer.json()["payload"]["status"]),
                    (200, &json!(to)),
                    "{from} to {to}"
                );
                assert_eq!(app.status_of(&id).await, to);
            } else {
                answer.is_refused(400, "S4000");
                assert_eq!(answer.json()["instance"], path(&id));
                assert_eq!(app.status_of(&id).await, from, "a refused move changes nothing");
            }
        }
    }
}

#[tokio::test]
async fn a_move_answers_with_the_id_and_the_new_status() {
    // interface §7, D44
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    let answer = app.patch(&path(&id), json!({ "status": "PENDING" })).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    assert_eq!(answer.json()["payload"]["proposal_id"], id);
    insta::assert_snapshot!(answer.shown(), @r#"
    {
      "payload": {
        "proposal_id": "[pro]",
        "status": "PENDING"
      }
    }
    "#);
}

#[tokio::test]
async fn a_forbidden_status_change_is_refused_with_the_error_invalid_state() {
    // interface §7, Errors
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    let answer = app.patch(&path(&id), json!({ "status": "PENDING" })).await;
    answer.is_refused(400, "S4000");
    insta::assert_snapshot!(answer.shown(), @r#"
    {
      "detail": "Invalid status transition from COMPLETED to PENDING.",
      "instance": "/v1/embedded/proposal/[pro]",
      "title": "Invalid State",
      "type": "S4000"
    }
    "#);
}

#[tokio::test]
async fn the_body_may_contain_only_the_field_status() {
    // D12
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    let extra = [
        ("reason", json!("Approved.")),
        ("proposal_id", json!(id)),
        ("policy_url", Value::Null),
        ("Status", json!("PENDING")),
        ("proposer", json!({ "first_name": "Asha" })),
        ("context_data", json!([])),
    ];
    for (field, value) in extra {
        let mut body = json!({ "status": "PENDING" });
        body[field] = value;
        app.patch(&path(&id), body).await.has_faults_on(&[field]);
    }
    let answer = app.patch(&path(&id), json!({ "a": 1, "b": 2 })).await;
    answer.has_faults_on(&["a", "b", "status"]); // D11
    assert_eq!(app.status_of(&id).await, "DRAFT", "nothing was changed");
    assert_eq!(app.rows_of("moves"), 1, "its creation alone");
}

#[tokio::test]
async fn a_status_must_be_one_of_the_four_words() {
    // interface §7, D11, D12
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    let others = [
        Value::Null,
        json!(""),
        json!("  "),
        json!(1),
        json!(true),
        json!(["PENDING"]),
        json!({ "status": "PENDING" }),
        json!("SUBMITTED"),
        json!("APPROVED"),
        json!("pending"),
        json!("Pending"),
        json!("PENDING,REJECTED"),
    ];
    for other in others {
        let answer = app.patch(&path(&id), json!({ "status": other })).await;
        assert_eq!(answer.status, 400, "{other}: {}", answer.text);
        answer.has_faults_on(&["status"]);
        assert_eq!(answer.json()["instance"], path(&id));
    }
    app.patch(&path(&id), json!({})).await.has_faults_on(&["status"]);
    for whole in [json!([]), json!("PENDING"), json!(1), Value::Null] {
        app.patch(&path(&id), whole).await.has_faults_on(&["body"]);
    }
    assert_eq!(app.status_of(&id).await, "DRAFT", "nothing was changed");
}

#[tokio::test]
async fn a_status_is_trimmed_before_it_is_judged() {
    // D12
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    let answer = app.patch(&path(&id), json!({ "status": " PENDING\n" })).await;
    assert_eq!((answer.status, &answer.json()["payload"]["status"]), (200, &json!("PENDING")));
}

#[tokio::test]
async fn an_unknown_proposal_id_gets_404_and_is_repeated_in_the_answer() {
    // interface §7, Errors, D54
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    let (_, tail) = id.split_once('_').expect("a prefix");
    let no_proposals = [
        UNKNOWN.to_owned(),
        "pro_x".to_owned(),
        "1".to_owned(),
        format!("quo_{tail}"),
        id.to_uppercase(),
        format!("{id}0"),
    ];
    for unknown in no_proposals {
        let answer = app.patch(&path(&unknown), json!({ "status": "PENDING" })).await;
        assert_eq!(answer.status, 404, "{unknown}: {}", answer.text);
        answer.is_refused(404, "R4040");
        assert_eq!(answer.json()["instance"], path(&unknown));
        assert!(answer.json()["detail"].as_str().expect("text").contains(&unknown), "{}", answer.text);
    }
    assert_eq!(app.status_of(&id).await, "DRAFT");
}

#[tokio::test]
async fn another_partners_proposal_gets_404_and_stays_unchanged() {
    // D3
    let app = App::start().await;
    let id = app.has_proposal("PENDING").await;
    let stranger = app.new_partner("Another Lender").await;
    for status in ["COMPLETED", "REJECTED", "PENDING"] {
        let body = json!({ "status": status });
        let others = app.as_partner(&stranger, "PATCH", &path(&id), Some(body.clone())).await;
        others.is_refused(404, "R4040");
        let unknown = app.as_partner(&stranger, "PATCH", &path(UNKNOWN), Some(body)).await;
        assert_eq!(others.text.replace(&id, UNKNOWN), unknown.text);
    }
    assert_eq!(app.status_of(&id).await, "PENDING");
}

#[tokio::test]
async fn the_body_is_judged_before_the_id_and_the_id_before_the_move() {
    // D43
    let app = App::start().await;
    let completed = app.has_proposal("COMPLETED").await;
    for id in [UNKNOWN, "nothing", &completed] {
        app.patch(&path(id), json!({ "status": "pending" })).await.has_faults_on(&["status"]);
        app.patch(&path(id), json!({ "status": "PENDING", "why": 1 })).await.has_faults_on(&["why"]);
    }
    for id in [UNKNOWN, "nothing"] {
        app.patch(&path(id), json!({ "status": "PENDING" })).await.is_refused(404, "R4040");
    }
    app.patch(&path(&completed), json!({ "status": "PENDING" })).await.is_refused(400, "S4000");
    // Bearer, scope and media type are checked before all of these.
    let reader = app.token_of(app.partner(), &["business.proposal.read"]).await;
    let bad = || app.request("PATCH", &path(UNKNOWN)).body("{");
    app.send(bad()).await.is_refused(401, "A4001");
    app.send(bad().bearer_auth(reader)).await.is_refused(403, "A4030");
    app.send(bad().bearer_auth(&app.partner().token)).await.is_refused(415, "V4150");
}

/// The id of a proposal for a product with this kind of decision.
async fn has_pending_decided_by(app: &App, decision: &str) -> String {
    let body = app.has_proposal_body_decided_by(decision, "SUBMITTED").await;
    id_of(&app.post("/v1/embedded/proposal", body).await)
}

fn id_of(created: &Answer) -> String {
    assert_eq!(created.status, 201, "{}", created.text);
    created.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn a_partner_does_not_decide_what_the_operator_or_the_insurer_decides() {
    // D29
    let app = App::start().await;
    for decision in ["operator", "insurer"] {
        let id = has_pending_decided_by(&app, decision).await;
        for status in ["COMPLETED", "REJECTED"] {
            let answer = app.patch(&path(&id), json!({ "status": status })).await;
            answer.is_refused(400, "S4000");
            let detail = answer.json()["detail"].as_str().expect("text").to_owned();
            assert!(detail.contains(decision), "it says who decides: {detail}");
            assert_eq!(app.status_of(&id).await, "PENDING");
        }
    }
    assert_eq!(app.rows_of("policies"), 0);
}

#[tokio::test]
async fn a_partner_may_submit_a_draft_regardless_of_who_decides_the_proposal() {
    // D28, D29
    let app = App::start().await;
    for decision in ["partner", "operator", "insurer"] {
        let body = app.has_proposal_body_decided_by(decision, "DRAFT").await;
        let id = id_of(&app.post("/v1/embedded/proposal", body).await);
        let answer = app.patch(&path(&id), json!({ "status": "PENDING" })).await;
        assert_eq!((answer.status, &answer.json()["payload"]["status"]), (200, &json!("PENDING")));
        assert_eq!(app.status_of(&id).await, "PENDING");
    }
}

#[tokio::test]
async fn the_operator_may_decide_proposals_of_operator_decided_and_partner_decided_products() {
    // D29, D30
    let app = App::start().await;
    for (decision, policies) in [("operator", 1), ("partner", 2)] {
        let id = has_pending_decided_by(&app, decision).await;
        let known = id.parse().expect("an id");
        let decided = app.service.operator_proposals.decide(known, Verdict::of(true, None)).await;
        decided.expect("the operator may");
        assert_eq!(app.status_of(&id).await, "COMPLETED");
        assert_eq!(app.rows_of("policies"), policies);
        let certificate = app.get_without_bearer(&app.download_path(&id).await).await;
        assert_eq!(certificate.status, 200);
        let again = app.service.operator_proposals.decide(known, Verdict::of(false, None)).await;
        assert!(matches!(again, Err(service::Error::Refused(_))), "a completed proposal is final: {again:?}");
    }
    let id = has_pending_decided_by(&app, "operator").await;
    let known = id.parse().expect("an id");
    let decided = app.service.operator_proposals.decide(known, Verdict::of(false, None)).await;
    decided.expect("the operator may");
    assert_eq!(app.status_of(&id).await, "REJECTED");
    assert_eq!(app.rows_of("policies"), 2);
}

#[tokio::test]
async fn submitting_a_draft_of_a_straight_through_product_completes_it_immediately() {
    // D29
    let app = App::start().await;
    let body = app.has_proposal_body_decided_by("straight-through", "DRAFT").await;
    let id = id_of(&app.post("/v1/embedded/proposal", body).await);
    assert_eq!((app.status_of(&id).await.as_str(), app.rows_of("policies")), ("DRAFT", 0));
    let answer = app.patch(&path(&id), json!({ "status": "PENDING" })).await;
    assert_eq!((answer.status, &answer.json()["payload"]["status"]), (200, &json!("PENDING")));
    assert_eq!((app.status_of(&id).await.as_str(), app.rows_of("policies")), ("COMPLETED", 1));
    assert_eq!(app.get_without_bearer(&app.download_path(&id).await).await.status, 200);
    for status in ["COMPLETED", "REJECTED", "PENDING", "DRAFT"] {
        app.patch(&path(&id), json!({ "status": status })).await.is_refused(400, "S4000");
    }
}

#[tokio::test]
async fn completing_issues_one_policy_and_rejecting_none() {
    // D30
    let app = App::start().await;
    let rejected = app.has_proposal("PENDING").await;
    assert_eq!(app.patch(&path(&rejected), json!({ "status": "REJECTED" })).await.status, 200);
    assert_eq!(app.rows_of("policies"), 0);
    let completed = app.has_proposal("PENDING").await;
    assert_eq!(app.patch(&path(&completed), json!({ "status": "COMPLETED" })).await.status, 200);
    assert_eq!(app.rows_of("policies"), 1);
    app.patch(&path(&completed), json!({ "status": "COMPLETED" })).await.is_refused(400, "S4000");
    assert_eq!(app.rows_of("policies"), 1);
}

/// Sends two PATCHes at once for a pending proposal, in so many rounds. Exactly one of each pair must win.
async fn race(app: &App, rounds: usize, one: &str, other: &str) {
    let body = app.has_proposal_body("SUBMITTED").await;
    let mut policies = 0;
    for round in 0..rounds {
        let body = bodies::of_borrower(body.clone(), &format!("Asha {round}"));
        let id = id_of(&app.post("/v1/embedded/proposal", body).await);
        let at = path(&id);
        let (first, second) = tokio::join!(
            app.patch(&at, json!({ "status": one })),
            app.patch(&at, json!({ "status": other })),
        );
        let (winner, loser, won) = match (first.status, second.status) {
            (200, 400) => (first, second, one),
            (400, 200) => (second, first, other),
            statuses => panic!("round {round}: {statuses:?}\n{}\n{}", first.text, second.text),
        };
        assert_eq!(winner.json(), json!({ "payload": { "proposal_id": id, "status": won } }));
        loser.is_refused(400, "S4000");
        assert_eq!(app.status_of(&id).await, won, "round {round}");
        policies += i64::from(won == "COMPLETED");
        assert_eq!(app.rows_of("policies"), policies, "round {round}: a policy for each completed proposal");
        let (_, moves) = app.found_proposal(&id).await;
        assert_eq!(moves.len(), 2, "round {round}: one move after the creation");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn exactly_one_of_a_racing_completion_and_rejection_wins() {
    // D28
    race(&App::start().await, 1000, "COMPLETED", "REJECTED").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn exactly_one_of_two_racing_completions_wins() {
    // D28
    race(&App::start().await, 200, "COMPLETED", "COMPLETED").await;
}

#[tokio::test]
async fn every_status_change_is_stored_with_actor_time_old_and_new_status_and_reason() {
    // D28, D29
    let app = App::start().await;
    let id = app.has_proposal("DRAFT").await;
    app.clock.advance(Duration::from_secs(60));
    assert_eq!(app.patch(&path(&id), json!({ "status": "PENDING" })).await.status, 200);
    app.patch(&path(&id), json!({ "status": "DRAFT" })).await.is_refused(400, "S4000");
    app.clock.advance(Duration::from_secs(60));
    let reason = PersonalLine::kept("Medical report was not sent.".to_owned());
    let known = id.parse().expect("an id");
    let decided = app.service.operator_proposals.decide(known, Verdict::of(false, Some(reason.clone())));
    decided.await.expect("the operator may");

    let (proposal, moves) = app.found_proposal(&id).await;
    let at = |instant: &str| instant.parse().expect("an instant");
    let wanted = [
        Move {
            at: at("2026-11-20T10:00:00+05:30"),
            by: Actor::Partner,
            from: None,
            to: ProposalStatus::Draft,
            reason: None,
        },
        Move {
            at: at("2026-11-20T10:01:00+05:30"),
            by: Actor::Partner,
            from: Some(ProposalStatus::Draft),
            to: ProposalStatus::Pending,
            reason: None,
        },
        Move {
            at: at("2026-11-20T10:02:00+05:30"),
            by: Actor::Operator,
            from: Some(ProposalStatus::Pending),
            to: ProposalStatus::Rejected,
            reason: Some(reason),
        },
    ];
    assert_eq!(moves, wanted);
    assert_eq!(proposal.status, ProposalStatus::Rejected);
    assert_eq!(proposal.changed_at, at("2026-11-20T10:02:00+05:30"));
}

#[tokio::test]
async fn the_service_is_recorded_as_the_actor_that_completes_a_straight_through_proposal() {
    // D29
    let app = App::start().await;
    let id = has_pending_decided_by(&app, "straight-through").await;
    let (_, moves) = app.found_proposal(&id).await;
    let told: Vec<_> = moves.iter().map(|step| (step.by, step.from, step.to)).collect();
    let wanted = [
        (Actor::Partner, None, ProposalStatus::Pending),
        (Actor::Service, Some(ProposalStatus::Pending), ProposalStatus::Completed),
    ];
    assert_eq!(told, wanted);
}
