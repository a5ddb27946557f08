//! `POST /v1/insurers/{insurer_id}/decisions`, with the job that asks an insurer until it has decided
//! (D10, D11, D28 to D30, D43, D54).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use domain::credit_life::ProposalStatus;

use domain::proposal::{Actor, Move};
use serde_json::{Value, json};
use service::insurer::Insurer;
use service::proposal::operator::Verdict;
use tokio::task::JoinSet;

use crate::access::is_unauthenticated;
use crate::support::bodies::{as_field, imported_proposal, recommendation, with, without};
use crate::support::certificate::{certificate_of, drawn_text_of, policy_of};
use crate::support::health::PLAIN;
use crate::support::insurer::{Call, Decides, Says};
use crate::support::{Answer, App, Setup};

/// Ids of insurers. Misaal decides its proposals itself, and Kalpanik's partners decide. Amrit and Bhumi are
/// health insurers of the tests.
const MISAAL: &str = "ins_01m5vn1aygfe0av1wtx4v84kep";
const KALPANIK: &str = "ins_01m5vktth0f5dshfehnp2ec77b";
const AMRIT: &str = "ins_01m6hea1thtest000000000001";
const BHUMI: &str = "ins_01m6hea1thtest000000000002";
const UNKNOWN_INSURER: &str = "ins_01m5vvw3xreqg9aaa1afd2xg99";

const UNKNOWN_PROPOSAL: &str = "pro_01m5vvw3xreqg9aaa1afd2xg99";

const SECRET: &str = "misaals-own-secret";

/// Misaal's policy number.
const NUMBER: &str = "MA/2026/000017 (a)";

/// A service that asks Misaal, which gives these answers in this order.
async fn asking(says: impl IntoIterator<Item = Says>) -> (App, Arc<Decides>) {
    let misaal = Decides::saying(SECRET, says);
    let insurer: Arc<dyn Insurer> = misaal.clone();
    (Setup::default().asking(vec![("misaal", insurer)]).start().await, misaal)
}

/// The id of a proposal to Misaal.
async fn has_proposal(app: &App, status: &str) -> String {
    let body = app.has_proposal_body_decided_by("insurer", status).await;
    let made = app.post("/v1/embedded/proposal", body).await;
    assert_eq!(made.status, 201, "{}", made.text);
    made.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned()
}

/// A proposal that was submitted to Misaal, which has not decided.
async fn has_pending(app: &App, misaal: &Decides) -> String {
    let before = misaal.calls().len();
    let id = has_proposal(app, "SUBMITTED").await;
    app.eventually("it is handed over", async || (misaal.calls().len() > before).then_some(())).await;
    id
}

fn path(insurer: &str) -> String {
    format!("/v1/insurers/{insurer}/decisions")
}

/// Sends a decision with this secret of an insurer.
async fn tell_with(app: &App, insurer: &str, secret: &str, body: Value) -> Answer {
    app.send(app.request("POST", &path(insurer)).bearer_auth(secret).json(&body)).await
}

async fn tell(app: &App, body: Value) -> Answer {
    tell_with(app, MISAAL, SECRET, body).await
}

fn accepted(id: &str) -> Value {
    json!({ "proposal_id": id, "decision": "accepted", "policy_number": NUMBER })
}

fn rejected(id: &str) -> Value {
    json!({ "proposal_id": id, "decision": "rejected", "reason": "The medical history" })
}

fn undecided(id: &str) -> Value {
    json!({ "proposal_id": id, "decision": "pending" })
}

#[track_caller]
fn is_taken(answer: &Answer) {
    assert_eq!((answer.status, answer.json()), (200, json!({})), "{}", answer.text);
    assert_eq!(answer.header("content-type"), Some("application/json"));
}

#[track_caller]
fn contradicts(answer: &Answer) {
    answer.is_refused(409, "S4090");
    assert_eq!(
        (&answer.json()["title"], &answer.json()["instance"]),
        (&json!("Conflict"), &json!(path(MISAAL)))
    );
}

/// The last entry of a proposal's history.
async fn last_move(app: &App, id: &str) -> Move<ProposalStatus> {
    let (_, history) = app.found_proposal(id).await;
    history.last().expect("an entry").clone()
}

/// Checks status and number of policies, and that no job is left.
async fn stands(app: &App, id: &str, status: &str, policies: i64) {
    assert_eq!(app.status_of(id).await, status);
    assert_eq!(app.rows_of("policies"), policies);
    app.has_no_job_left().await;
}

// Decisions that an insurer sends.

#[tokio::test]
async fn a_proposal_that_is_accepted_becomes_a_policy_with_the_insurers_number() {
    // D29, D30
    let (app, misaal) = asking([]).await;
    let id = has_pending(&app, &misaal).await;
    is_taken(&tell(&app, accepted(&id)).await);
    stands(&app, &id, "COMPLETED", 1).await;
    let policy = policy_of(&app, &id).await;
    assert_eq!(policy.insurer_number.as_ref().map(ToString::to_string).as_deref(), Some(NUMBER));
    let text = drawn_text_of(&certificate_of(&app, &id).await.bytes);
    assert!(text.contains(NUMBER), "the insurer's number in {text}");
    assert!(text.contains(policy.number.as_str()), "and ours in {text}");
    assert_eq!(last_move(&app, &id).await.by, Actor::Insurer);
}

#[tokio::test]
async fn a_rejected_proposal_has_no_policy_and_keeps_the_insurers_reason() {
    // D29
    let (app, misaal) = asking([]).await;
    for (body, reason) in [
        (json!({ "reason": "The medical history" }), Some("The medical history")),
        (json!({ "reason": " The medical\n\u{202e}history\u{0} " }), Some("The medical history")),
        (json!({ "reason": "  " }), None),
        (json!({ "reason": null }), None),
        (json!({}), None),
    ] {
        let id = has_pending(&app, &misaal).await;
        let mut told = body;
        told["proposal_id"] = json!(id);
        told["decision"] = json!("rejected");
        is_taken(&tell(&app, told).await);
        stands(&app, &id, "REJECTED", 0).await;
        let last = last_move(&app, &id).await;
        assert_eq!((last.by, last.reason.as_ref().map(|reason| reason.reveal())), (Actor::Insurer, reason));
    }
}

#[tokio::test]
async fn a_repeated_decision_of_the_insurer_changes_nothing() {
    // D28
    let (app, misaal) = asking([]).await;
    let taken = has_pending(&app, &misaal).await;
    let refused = has_pending(&app, &misaal).await;
    is_taken(&tell(&app, accepted(&taken)).await);
    is_taken(&tell(&app, rejected(&refused)).await);
    let (moves, number) = (app.rows_of("moves"), policy_of(&app, &taken).await.number);
    for _ in 0..3 {
        is_taken(&tell(&app, accepted(&taken)).await);
        is_taken(&tell(&app, rejected(&refused)).await);
        is_taken(&tell(&app, without(rejected(&refused), "reason")).await);
        is_taken(&tell(&app, undecided(&taken)).await);
        is_taken(&tell(&app, undecided(&refused)).await);
    }
    assert_eq!(app.rows_of("moves"), moves);
    assert_eq!(policy_of(&app, &taken).await.number, number);
    stands(&app, &taken, "COMPLETED", 1).await;
    stands(&app, &refused, "REJECTED", 1).await;
}

#[tokio::test]
async fn a_different_decision_about_a_decided_proposal_is_a_conflict() {
    // D28, D43
    let (app, misaal) = asking([]).await;
    let taken = has_pending(&app, &misaal).await;
    let refused = has_pending(&app, &misaal).await;
    is_taken(&tell(&app, accepted(&taken)).await);
    is_taken(&tell(&app, rejected(&refused)).await);
    contradicts(&tell(&app, rejected(&taken)).await);
    contradicts(&tell(&app, with(accepted(&taken), "policy_number", json!("MA/2026/000018"))).await);
    contradicts(&tell(&app, accepted(&refused)).await);
    stands(&app, &taken, "COMPLETED", 1).await;
    stands(&app, &refused, "REJECTED", 1).await;
    assert_eq!(
        policy_of(&app, &taken).await.insurer_number.map(|number| number.to_string()).as_deref(),
        Some(NUMBER)
    );
}

#[tokio::test]
async fn the_decision_pending_leaves_the_proposal_undecided() {
    // D29
    let (app, misaal) = asking([]).await;
    let id = has_pending(&app, &misaal).await;
    for body in [undecided(&id), with(undecided(&id), "policy_number", json!(null))] {
        is_taken(&tell(&app, body).await);
        assert_eq!((app.status_of(&id).await.as_str(), app.rows_of("jobs where kind < 30")), ("PENDING", 1));
    }
    is_taken(&tell(&app, accepted(&id)).await);
    stands(&app, &id, "COMPLETED", 1).await;
}

#[tokio::test]
async fn an_insurers_decision_about_a_draft_is_a_conflict() {
    // D28, D29
    let (app, misaal) = asking([]).await;
    let id = has_proposal(&app, "DRAFT").await;
    for body in [accepted(&id), rejected(&id), undecided(&id)] {
        contradicts(&tell(&app, body).await);
    }
    stands(&app, &id, "DRAFT", 0).await;
    assert!(misaal.calls().is_empty());
}

#[tokio::test]
async fn an_insurer_cannot_change_a_decision_of_the_operator() {
    // D28, D29
    let (app, misaal) = asking([]).await;
    let mut ids = Vec::new();
    for positive in [true, false] {
        let id = has_pending(&app, &misaal).await;
        let known = id.parse().expect("an id");
        app.service
            .operator_proposals
            .decide(known, Verdict::of(positive, None))
            .await
            .expect("the operator may");
        ids.push(id);
    }
    app.has_no_job_left().await;
    contradicts(&tell(&app, accepted(&ids[0])).await);
    contradicts(&tell(&app, rejected(&ids[0])).await);
    contradicts(&tell(&app, accepted(&ids[1])).await);
    is_taken(&tell(&app, rejected(&ids[1])).await);
    stands(&app, &ids[0], "COMPLETED", 1).await;
    stands(&app, &ids[1], "REJECTED", 1).await;
    assert_eq!(policy_of(&app, &ids[0]).await.insurer_number, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn only_one_of_sixteen_simultaneous_decisions_counts_and_contrary_ones_are_conflicts() {
    // D28
    let (app, misaal) = asking([]).await;
    for contested in [false, true] {
        let before = app.rows_of("policies");
        let id = has_pending(&app, &misaal).await;
        let mut all = JoinSet::new();
        for at in 0..16 {
            let body = if contested && at % 2 == 0 { rejected(&id) } else { accepted(&id) };
            let request = app.request("POST", &path(MISAAL)).bearer_auth(SECRET).json(&body);
            let rejects = body["decision"] == "rejected";
            all.spawn(async move { (rejects, Answer::of(request.send().await.expect("an answer")).await) });
        }
        let answers = all.join_all().await;
        let completed = app.status_of(&id).await == "COMPLETED";
        assert!(completed || contested, "nobody refused it");
        for (rejects, answer) in &answers {
            if *rejects == completed { contradicts(answer) } else { is_taken(answer) }
        }
        assert_eq!(app.rows_of("policies"), before + i64::from(completed));
    }
    app.has_no_job_left().await;
}

// Authentication of the insurer.

#[tokio::test]
async fn a_caller_without_the_insurers_secret_is_unauthenticated() {
    // D43
    let (app, misaal) = asking([]).await;
    let id = has_pending(&app, &misaal).await;
    let mut refusals = Vec::new();
    for secret in
        ["", "x", "misaals-own-secre", "misaals-own-secrets", "Misaals-Own-Secret", &app.partner().token]
    {
        refusals.push(tell_with(&app, MISAAL, secret, accepted(&id)).await);
    }
    let without = app.request("POST", &path(MISAAL)).json(&accepted(&id));
    refusals.push(app.send(without).await);
    let basic = app.request("POST", &path(MISAAL)).header("authorization", format!("Basic {SECRET}"));
    refusals.push(app.send(basic.json(&accepted(&id))).await);
    // Authentication comes before the checks of body and proposal.
    refusals.push(tell_with(&app, MISAAL, "x", json!({})).await);
    refusals.push(tell_with(&app, MISAAL, "x", accepted(UNKNOWN_PROPOSAL)).await);
    let broken =
        app.request("POST", &path(MISAAL)).bearer_auth("x").header("content-type", "application/json");
    refusals.push(app.send(broken.body("{")).await);
    for answer in &refusals {
        is_unauthenticated(answer);
        assert_eq!((&answer.json()["instance"], &answer.text), (&json!(path(MISAAL)), &refusals[0].text));
    }
    assert_eq!((app.status_of(&id).await.as_str(), app.rows_of("policies")), ("PENDING", 0));
}

#[tokio::test]
async fn the_insurers_secret_is_checked_before_the_media_type_of_the_body() {
    // D43: 401, then 415
    let (app, _) = asking([]).await;
    for insurer in [MISAAL, UNKNOWN_INSURER] {
        for media_type in ["text/plain", "application/xml", ""] {
            let request =
                app.request("POST", &path(insurer)).bearer_auth("x").header("content-type", media_type);
            is_unauthenticated(&app.send(request.body("{}")).await);
        }
    }
    let request = app.request("POST", &path(MISAAL)).bearer_auth(SECRET).header("content-type", "text/plain");
    app.send(request.body("{}")).await.is_refused(415, "V4150");
}

#[tokio::test]
async fn an_unknown_insurer_gets_the_same_answer_as_a_wrong_secret() {
    // D3, D43, D54: the caller does not learn which insurers exist
    let (app, misaal) = asking([]).await;
    let id = has_pending(&app, &misaal).await;
    let wrong = tell_with(&app, MISAAL, "x", accepted(&id)).await;
    // Kalpanik exists, but is not reached over HTTP.
    for insurer in
        [UNKNOWN_INSURER, KALPANIK, "x", "ins_", &MISAAL.to_uppercase(), UNKNOWN_PROPOSAL, "%FF", "%20"]
    {
        let answer = tell_with(&app, insurer, SECRET, accepted(&id)).await;
        is_unauthenticated(&answer);
        assert_eq!(answer.text.replace(&path(insurer), &path(MISAAL)), wrong.text);
    }
    assert_eq!(app.status_of(&id).await, "PENDING");
}

#[tokio::test]
async fn an_insurer_can_decide_only_proposals_that_were_submitted_to_it() {
    // D29, D54
    let (misaal, kalpanik) = (Decides::saying(SECRET, []), Decides::saying("kalpaniks", []));
    let played: Vec<(&str, Arc<dyn Insurer>)> = vec![("misaal", misaal.clone()), ("kalpanik", kalpanik)];
    let app = Setup::default().asking(played).start().await;
    let misaals = has_pending(&app, &misaal).await;
    let body = app.has_proposal_body_decided_by("partner", "SUBMITTED").await;
    let made = app.post("/v1/embedded/proposal", body).await;
    let partners = made.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
    let (proposal, _) = app.found_proposal(&partners).await;
    let catalogue = app.service.shared.catalogues.running();
    let variant = catalogue.credit_variant(proposal.application.variant).expect("of the catalogue");
    assert_eq!(variant.product.insurer.id.to_string(), KALPANIK, "whose product the partner decides");
    let quote = app.has_quote().await["quote_id"].as_str().expect("an id").to_owned();
    let mut told: BTreeSet<String> = BTreeSet::new();
    for (insurer, secret, id) in [
        (KALPANIK, "kalpaniks", misaals.as_str()),
        (KALPANIK, "kalpaniks", &partners),
        (MISAAL, SECRET, &partners),
        (MISAAL, SECRET, UNKNOWN_PROPOSAL),
    ] {
        for body in [accepted(id), rejected(id), undecided(id)] {
            let answer = tell_with(&app, insurer, secret, body).await;
            answer.is_refused(404, "R4040");
            let object = answer.json();
            assert_eq!(object["instance"], path(insurer));
            told.insert(object["detail"].as_str().expect("text").replace(id, "[id]"));
        }
    }
    assert_eq!(told.len(), 1, "another's is told as an unknown one is: {told:?}");
    tell(&app, accepted(&quote)).await.has_faults_on(&["proposal_id"]);
    for id in [misaals, partners] {
        assert_eq!(app.status_of(&id).await, "PENDING");
    }
    assert_eq!(app.rows_of("policies"), 0);
}

// The body.

#[tokio::test]
async fn every_field_of_a_decision_is_checked_and_all_faults_are_reported() {
    // D11 to D13
    let (app, misaal) = asking([]).await;
    let id = has_pending(&app, &misaal).await;
    let faulty = async |body: Value, fields: &[&str]| {
        let shown = body.to_string();
        let answer = tell(&app, body).await;
        assert_eq!(answer.status, 400, "{shown}: {}", answer.text);
        answer.has_faults_on(fields);
        answer.says_what_must_be();
    };
    faulty(json!({}), &["proposal_id", "decision"]).await;
    faulty(
        json!({ "proposal_id": 7, "decision": "maybe", "policy_number": true, "reason": [] }),
        &["proposal_id", "decision", "policy_number", "reason"],
    )
    .await;
    for field in ["proposal_id", "decision", "policy_number"] {
        faulty(without(accepted(&id), field), &[field]).await;
        for bad in [Value::Null, json!(""), json!("  "), json!(true), json!(7), json!([]), json!({})] {
            faulty(with(accepted(&id), field, bad), &[&as_field(field)]).await;
        }
    }
    for bad in ["x", "pro_", &id.to_uppercase(), &id[..29], "quo_01m5vvw3xreqg9aaa1afd2xg99"] {
        faulty(with(accepted(&id), "proposal_id", json!(bad)), &["proposal_id"]).await;
    }
    for bad in ["ACCEPTED", "Accepted", "completed", "COMPLETED", "accept", "declined"] {
        faulty(with(accepted(&id), "decision", json!(bad)), &["decision"]).await;
    }
    for bad in ["n".repeat(101), "a\u{0}b".into(), "a\nb".into(), "a\u{7f}".into(), "a\u{202e}b".into()] {
        faulty(with(accepted(&id), "policy_number", json!(bad)), &["policy_number"]).await;
    }
    for bad in [json!(7), json!(true), json!([]), json!({}), json!("r".repeat(2001))] {
        faulty(with(rejected(&id), "reason", bad), &["reason"]).await;
    }
    for decision in ["pending", "rejected"] {
        let body = with(accepted(&id), "decision", json!(decision));
        faulty(body, &["policy_number"]).await;
    }
    for whole in ["", "[]", "null", "{", "\"accepted\""] {
        let request = app.request("POST", &path(MISAAL)).bearer_auth(SECRET);
        let answer = app.send(request.header("content-type", "application/json").body(whole)).await;
        answer.has_faults_on(&["body"]);
    }
    assert_eq!((app.status_of(&id).await.as_str(), app.rows_of("policies")), ("PENDING", 0));
}

#[tokio::test]
async fn an_unknown_field_is_refused_and_the_nearest_known_field_is_suggested() {
    // D12
    let (app, misaal) = asking([]).await;
    let id = has_pending(&app, &misaal).await;
    let answer = tell(&app, with(accepted(&id), "reasn", json!("None"))).await;
    answer.has_faults_on(&["reasn"]);
    assert!(answer.text.contains("did you mean reason?"), "{}", answer.text);
}

#[tokio::test]
async fn an_insurers_policy_number_may_use_any_script_and_up_to_100_characters() {
    // D54
    let (app, misaal) = asking([]).await;
    for (number, kept) in [
        ("n".repeat(100), "n".repeat(100)),
        ("1".to_owned(), "1".to_owned()),
        (" P/400001/01/2026/000001 #2 ".to_owned(), "P/400001/01/2026/000001 #2".to_owned()),
        ("पॉलिसी-१".to_owned(), "पॉलिसी-१".to_owned()),
    ] {
        let id = has_pending(&app, &misaal).await;
        let body = with(accepted(&id), "policy_number", json!(number));
        is_taken(&tell(&app, body.clone()).await);
        is_taken(&tell(&app, body).await);
        let policy = policy_of(&app, &id).await;
        assert_eq!(policy.insurer_number.map(|number| number.to_string()), Some(kept));
    }
    app.has_no_job_left().await;
}

#[tokio::test]
async fn a_refusal_does_not_repeat_the_values_of_the_request() {
    // D11
    let (app, misaal) = asking([]).await;
    let id = has_pending(&app, &misaal).await;
    for body in [
        with(accepted(&id), "policy_number", json!("CANARY\u{0}")),
        with(accepted(&id), "decision", json!("CANARY")),
        with(accepted(&id), "proposal_id", json!("CANARY")),
        with(rejected(&id), "reason", json!("CANARY".repeat(400))),
    ] {
        let answer = tell(&app, body).await;
        answer.is_refused(400, "V4000");
        assert!(!answer.text.contains("CANARY"), "{}", answer.text);
    }
}

// The job that asks the insurer.

/// Advances the clock until the proposal is no longer pending. Returns its status.
async fn decided_in_time(app: &App, id: &str) -> String {
    app.eventually("it is decided", async || {
        // Not while a job runs: its lease must not expire.
        if app.rows_of("jobs where owner is not null") == 0 {
            app.clock.advance(Duration::from_secs(5));
        }
        let (proposal, _) = app.found_proposal(id).await;
        (proposal.status != ProposalStatus::Pending).then(|| proposal.status.to_string())
    })
    .await
}

/// Waits until the workers have looked for due jobs: they have finished a later job.
async fn workers_have_looked(app: &App) {
    let id = app.has_health_quote(recommendation()).await;
    app.finished_recommendation(&id).await;
}

#[tokio::test]
async fn an_insurer_that_decides_immediately_is_called_only_once() {
    // D29
    for (says, status, policies) in
        [(Says::Accepted(NUMBER), "COMPLETED", 1), (Says::Rejected(Some("Its own reason")), "REJECTED", 0)]
    {
        let (app, misaal) = asking([says]).await;
        let id = has_proposal(&app, "SUBMITTED").await;
        assert_eq!(decided_in_time(&app, &id).await, status);
        stands(&app, &id, status, policies).await;
        let known = id.parse().expect("an id");
        assert_eq!(misaal.calls(), [Call::Submit(known)]);
        let last = last_move(&app, &id).await;
        assert_eq!(last.by, Actor::Insurer);
        if status == "REJECTED" {
            assert_eq!(last.reason.as_ref().map(|reason| reason.reveal()), Some("Its own reason"));
        }
    }
}

#[tokio::test]
async fn an_insurer_whose_decision_is_pending_is_polled_until_it_has_decided() {
    // D29
    let says = [Says::Pending, Says::Pending, Says::Pending, Says::Accepted(NUMBER)];
    let (app, misaal) = asking(says).await;
    let id = has_proposal(&app, "SUBMITTED").await;
    app.eventually("it is handed over", async || (misaal.calls().len() == 1).then_some(())).await;
    assert_eq!(app.status_of(&id).await, "PENDING");
    // Meanwhile nobody else may decide.
    for status in ["COMPLETED", "REJECTED"] {
        let refused = app.patch(&format!("/v1/embedded/proposal/{id}"), json!({ "status": status })).await;
        refused.is_refused(400, "S4000");
        assert!(refused.json()["detail"].as_str().expect("text").contains("insurer"), "{}", refused.text);
    }
    assert_eq!(decided_in_time(&app, &id).await, "COMPLETED");
    stands(&app, &id, "COMPLETED", 1).await;
    let known = id.parse().expect("an id");
    let asked = [Call::Submit(known), Call::Decision(known), Call::Decision(known), Call::Decision(known)];
    assert_eq!(misaal.calls(), asked, "handed over once, then asked");
    assert!(drawn_text_of(&certificate_of(&app, &id).await.bytes).contains(NUMBER));
}

#[tokio::test]
async fn an_insurer_is_not_polled_again_before_the_polling_interval_has_passed() {
    // D29
    let (app, misaal) = asking([]).await;
    has_pending(&app, &misaal).await;
    app.eventually("it is put off", async || (app.rows_of("jobs where owner is null") == 1).then_some(()))
        .await;
    app.clock.advance(Duration::from_millis(999));
    workers_have_looked(&app).await;
    assert_eq!(misaal.calls().len(), 1);
    app.clock.advance(Duration::from_millis(1));
    app.eventually("it is asked again", async || (misaal.calls().len() == 2).then_some(())).await;
}

#[tokio::test]
async fn an_insurer_whose_calls_fail_is_called_again_until_it_has_decided() {
    // D17, D29: an accepted proposal is never lost
    let misaal = Decides::saying(
        SECRET,
        [
            Says::Fails,
            Says::Panics,
            Says::Nothing,
            Says::Pending,
            Says::Fails,
            Says::Panics,
            Says::Nothing,
            Says::Rejected(None),
        ],
    );
    let insurer: Arc<dyn Insurer> = misaal.clone();
    let impatient = Duration::from_millis(100);
    let setup = Setup { recommendation_deadline: impatient, ..Setup::default() };
    let app = setup.asking(vec![("misaal", insurer)]).start().await;
    let id = has_proposal(&app, "SUBMITTED").await;
    assert_eq!(decided_in_time(&app, &id).await, "REJECTED");
    app.has_no_job_left().await;
    let known = id.parse().expect("an id");
    let calls = misaal.calls();
    // The proposal is submitted until the insurer has taken it. After that, the insurer is asked for its
    // decision.
    let handed = calls.iter().take_while(|call| **call == Call::Submit(known)).count();
    assert_eq!(handed, 4, "{calls:?}");
    assert!(calls[4..].iter().all(|call| *call == Call::Decision(known)), "{calls:?}");
    assert_eq!(calls.len(), 8, "{calls:?}");
}

#[tokio::test]
async fn a_decision_of_the_operator_stops_the_polling_of_the_insurer() {
    // D29
    for (to, policies) in [(ProposalStatus::Completed, 1), (ProposalStatus::Rejected, 0)] {
        let (app, misaal) = asking([Says::Pending]).await;
        let id = has_pending(&app, &misaal).await;
        assert_eq!(app.rows_of("jobs where kind < 30"), 1);
        let known = id.parse().expect("an id");
        app.service
            .operator_proposals
            .decide(known, Verdict::of(to == ProposalStatus::Completed, None))
            .await
            .expect("the operator may");
        assert_eq!(app.rows_of("jobs where kind < 30"), 0, "in the same breath");
        stands(&app, &id, to.word(), policies).await;
        app.clock.advance(Duration::from_secs(600));
        workers_have_looked(&app).await;
        assert_eq!(misaal.calls().len(), 1, "it is not asked any more");
        assert_eq!(last_move(&app, &id).await.by, Actor::Operator);
    }
}

#[tokio::test]
async fn a_decision_that_the_insurer_sends_stops_the_polling_of_the_insurer() {
    // D29
    for (body, status, policies) in
        [(accepted as fn(&str) -> Value, "COMPLETED", 1), (rejected, "REJECTED", 0)]
    {
        let (app, misaal) = asking([Says::Pending]).await;
        let id = has_pending(&app, &misaal).await;
        is_taken(&tell(&app, body(&id)).await);
        assert_eq!(app.rows_of("jobs where kind < 30"), 0, "in the same breath");
        app.clock.advance(Duration::from_secs(600));
        workers_have_looked(&app).await;
        assert_eq!(misaal.calls().len(), 1, "it is not asked any more");
        stands(&app, &id, status, policies).await;
    }
}

#[tokio::test]
async fn a_draft_is_sent_to_the_insurer_only_when_it_is_submitted() {
    // D28, D29
    let (app, misaal) = asking([Says::Accepted(NUMBER)]).await;
    let id = has_proposal(&app, "DRAFT").await;
    assert_eq!(app.rows_of("jobs where kind < 30"), 0);
    let moved = app.patch(&format!("/v1/embedded/proposal/{id}"), json!({ "status": "PENDING" })).await;
    assert_eq!((moved.status, &moved.json()["payload"]["status"]), (200, &json!("PENDING")));
    assert_eq!(decided_in_time(&app, &id).await, "COMPLETED");
    stands(&app, &id, "COMPLETED", 1).await;
    assert_eq!(misaal.calls(), [Call::Submit(id.parse().expect("an id"))]);
}

#[tokio::test]
async fn only_proposals_that_an_insurer_decides_are_sent_to_an_insurer() {
    // D29
    let played = ["misaal", "kalpanik", "namoona", "udaharan"]
        .map(|folder| (folder, Decides::saying(folder, [Says::Pending])));
    let insurers = played.iter().map(|(folder, decides)| (*folder, decides.clone() as Arc<dyn Insurer>));
    let app = Setup::default().asking(insurers.collect()).start().await;
    for decision in ["partner", "operator", "straight-through"] {
        let body = app.has_proposal_body_decided_by(decision, "SUBMITTED").await;
        assert_eq!(app.post("/v1/embedded/proposal", body).await.status, 201);
    }
    assert_eq!(app.rows_of("jobs where kind < 30"), 0);
    let id = has_proposal(&app, "SUBMITTED").await;
    assert_eq!(app.rows_of("jobs where kind < 30"), 1);
    app.eventually("it is handed over", async || (!played[0].1.calls().is_empty()).then_some(())).await;
    assert!(played[1..].iter().all(|(_, decides)| decides.calls().is_empty()));
    is_taken(&tell_with(&app, MISAAL, "misaal", rejected(&id)).await);
    app.has_no_job_left().await;
}

#[tokio::test]
async fn twelve_proposals_are_all_decided_and_each_is_sent_to_the_insurer_only_once() {
    // D29
    let (app, misaal) = asking([Says::Pending; 12].into_iter().chain([Says::Accepted(NUMBER)])).await;
    let mut ids = Vec::new();
    for _ in 0..12 {
        ids.push(has_proposal(&app, "SUBMITTED").await);
    }
    for id in &ids {
        assert_eq!(decided_in_time(&app, id).await, "COMPLETED");
    }
    app.has_no_job_left().await;
    assert_eq!(app.rows_of("policies"), 12);
    let handed = misaal.calls().iter().filter(|call| matches!(call, Call::Submit(_))).count();
    assert_eq!(handed, 12, "each once");
}

#[tokio::test]
async fn the_refusal_of_a_decision_about_a_draft_says_that_it_is_not_submitted() {
    // D28
    let (app, _misaal) = asking([]).await;
    let body = app.has_proposal_body_decided_by("insurer", "DRAFT").await;
    let made = app.post("/v1/embedded/proposal", body).await;
    let id = made.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
    for body in [accepted(&id), rejected(&id)] {
        let answer = tell(&app, body).await;
        contradicts(&answer);
        assert_eq!(answer.json()["detail"], "The proposal has not been submitted yet.");
    }
    assert_eq!(app.status_of(&id).await, "DRAFT");
}

// Health proposals, which customers make on the journey.

/// A service with a health product that its insurer decides. The insurer gives these answers in this order.
async fn asking_amrit(says: impl IntoIterator<Item = Says>) -> (App, Arc<Decides>) {
    let amrit = Decides::saying(SECRET, says);
    let insurer: Arc<dyn Insurer> = amrit.clone();
    let setup = Setup::health().edited("insurers/amrit/product.toml", |text| {
        text.replace("plan = \"base\"\n", "plan = \"base\"\ndecision = \"insurer\"\n")
    });
    (setup.asking(vec![("amrit", insurer)]).start().await, amrit)
}

async fn tell_as_amrit(app: &App, body: Value) -> Answer {
    tell_with(app, AMRIT, SECRET, body).await
}

/// The status of a health proposal.
async fn health_status(app: &App, id: &str) -> String {
    let answer = app.get(&format!("/v1/business/health/proposals/{id}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["proposal"]["status"].as_str().expect("text").to_owned()
}

async fn has_health_proposal(app: &App) -> String {
    let journey = app.has_answered_journey(PLAIN, &[]).await;
    app.proposes(&journey).await
}

#[tokio::test]
async fn a_health_proposal_that_is_accepted_becomes_a_policy_with_the_insurers_number() {
    // D29
    let (app, _amrit) = asking_amrit([]).await;
    let id = has_health_proposal(&app).await;
    is_taken(&tell_as_amrit(&app, accepted(&id)).await);
    assert_eq!(health_status(&app, &id).await, "ACCEPTED");
    app.has_no_job_left().await;
    let policy = app.get("/v1/business/health/policies/MA/2026/000017%20(a)").await;
    assert_eq!((policy.status, &policy.json()["policy"]["proposal_id"]), (200, &json!(id)));
    // A repeat changes nothing. A different decision is a conflict.
    for body in [accepted(&id), undecided(&id)] {
        is_taken(&tell_as_amrit(&app, body).await);
    }
    for body in [rejected(&id), with(accepted(&id), "policy_number", json!("MA/1"))] {
        tell_as_amrit(&app, body).await.is_refused(409, "S4090");
    }
    assert_eq!((health_status(&app, &id).await.as_str(), app.rows_of("policies")), ("ACCEPTED", 1));
}

#[tokio::test]
async fn a_rejected_health_proposal_shows_the_insurers_reason() {
    // D29
    let (app, _amrit) = asking_amrit([]).await;
    let id = has_health_proposal(&app).await;
    is_taken(&tell_as_amrit(&app, undecided(&id)).await);
    is_taken(&tell_as_amrit(&app, rejected(&id)).await);
    is_taken(&tell_as_amrit(&app, without(rejected(&id), "reason")).await);
    let shown = app.get(&format!("/v1/business/health/proposals/{id}")).await.json()["proposal"].clone();
    assert_eq!(
        (&shown["status"], &shown["rejection_reason"]),
        (&json!("REJECTED"), &json!("The medical history"))
    );
    tell_as_amrit(&app, accepted(&id)).await.is_refused(409, "S4090");
    app.has_no_job_left().await;
    assert_eq!(app.rows_of("policies"), 0);
}

#[tokio::test]
async fn a_health_decision_is_refused_without_the_insurers_secret_or_for_an_imported_proposal() {
    // D3, D54: nobody decides an imported proposal
    let (app, _amrit) = asking_amrit([]).await;
    let id = has_health_proposal(&app).await;
    is_unauthenticated(&tell_with(&app, BHUMI, SECRET, accepted(&id)).await);
    is_unauthenticated(&tell_with(&app, AMRIT, "wrong", accepted(&id)).await);
    let brought = app.imports_proposals(vec![imported_proposal()]).await.remove(0);
    for id in [brought.as_str(), UNKNOWN_PROPOSAL] {
        tell_as_amrit(&app, accepted(id)).await.is_refused(404, "R4040");
    }
    assert_eq!(health_status(&app, &brought).await, "UNDERWRITING");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_decision_that_arrives_while_the_proposal_is_sent_to_the_insurer_takes_effect() {
    // D28, D29: the proposal moves from PENDING to SUBMITTED at the same moment
    let (app, _amrit) = asking_amrit([]).await;
    for _ in 0..30 {
        let id = has_health_proposal(&app).await;
        is_taken(&tell_as_amrit(&app, rejected(&id)).await);
        assert_eq!(health_status(&app, &id).await, "REJECTED");
    }
    app.has_no_job_left().await;
}
