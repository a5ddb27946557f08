//! `GET /v1/business/health/proposals/{proposal_id}`: one health proposal, in every state that it can have
//! (interface §11, States; D3, D16, D29, D40, D46, D49, D54).

use std::sync::Arc;
use std::time::Duration;

use domain::person::PersonalLine;
use serde_json::{Value, json};
use service::insurer::Insurer;
use service::proposal::operator::Verdict;

use crate::get_health_proposals::is_a_proposal;
use crate::support::bodies::{imported_proposal, with};
use crate::support::health::{PLAIN, PLUS};
use crate::support::insurer::{Decides, Says};
use crate::support::{Answer, App, Setup};

const PATH: &str = "/v1/business/health/proposals";
const UNKNOWN: &str = "pro_01m5vvw3xreqg9aaa1afd2xg99";
const PRODUCT: &str = "insurers/amrit/product.toml";

async fn proposal(app: &App, id: &str) -> Answer {
    app.get(&format!("{PATH}/{id}")).await
}

/// Reads an existing proposal.
async fn shown(app: &App, id: &str) -> Value {
    let answer = proposal(app, id).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let mut answered = answer.json();
    let proposal = answered["proposal"].take();
    assert_eq!(answered, json!({ "proposal": null }), "the key alone at top level");
    is_a_proposal(&proposal, "array");
    proposal
}

async fn status(app: &App, id: &str) -> String {
    shown(app, id).await["status"].as_str().expect("text").to_owned()
}

/// The health insurers of the tests. `by` decides proposals of one product.
fn decided(by: &str) -> Setup {
    Setup::health().edited(PRODUCT, |text| {
        text.replace("plan = \"base\"\n", &format!("plan = \"base\"\ndecision = \"{by}\"\n"))
    })
}

/// The same setup with a pre-underwriting rule.
fn with_rule(setup: Setup, rule: &str) -> Setup {
    setup.edited(PRODUCT, |text| {
        text.replace(
            "[[variant]]\nid = \"vrt_01m6hea1thtest000000000021\"",
            &format!("[[pre_underwriting]]\n{rule}\n\n[[variant]]\nid = \"vrt_01m6hea1thtest000000000021\""),
        )
    })
}

/// A service whose insurer decides, with these answers in this order.
async fn asking(says: impl IntoIterator<Item = Says>) -> (App, Arc<Decides>) {
    let amrit = Decides::saying("secret", says);
    let insurer: Arc<dyn Insurer> = amrit.clone();
    (decided("insurer").asking(vec![("amrit", insurer)]).start().await, amrit)
}

#[tokio::test]
async fn a_single_proposal_equals_the_listed_one_except_for_the_form_of_its_answers() {
    // interface §11; D49
    let app = Setup::health().start().await;
    let mut made = app.imports_proposals(vec![imported_proposal()]).await;
    made.push(app.proposes(&app.has_answered_journey(PLAIN, &["asthma"]).await).await);
    let list = app.get(&format!("{PATH}?end_date=2026-11-20")).await.json();
    for id in made {
        let listed = list["proposals"].as_array().expect("a list").iter();
        let mut listed =
            listed.clone().find(|one| one["proposal_id"] == id.as_str()).expect("listed").clone();
        let mut single = shown(&app, &id).await;
        let (by_section, as_list) = (listed["form_responses"].take(), single["form_responses"].take());
        assert_eq!(single, listed);
        let sections = as_list.as_array().expect("a list");
        assert_eq!(sections.len(), by_section.as_object().expect("an object").len());
        for section in sections {
            let name = section["section_name"].as_str().expect("text");
            assert_eq!(*section, json!({ "section_name": name, "response_data": by_section[name] }));
        }
    }
}

#[tokio::test]
async fn the_customers_answers_are_shown_by_section() {
    // interface, Legacy proposal
    let app = Setup::health().start().await;
    let id = app.proposes(&app.has_answered_journey(PLAIN, &["diabetes"]).await).await;
    let answer = proposal(&app, &id).await;
    insta::assert_snapshot!(answer.shown(), @r#"
    {
      "proposal": {
        "cancelled_reason": null,
        "email": "asha.rao@example.com",
        "form_responses": [
          {
            "response_data": {
              "address_line_1": "12 MG Road",
              "address_line_2": "Indiranagar",
              "bank_account_number": null,
              "bank_name": null,
              "branch_name": null,
              "city": "Bengaluru",
              "country": "India",
              "dob": "1992-01-15",
              "email": "asha.rao@example.com",
              "gender": "Female",
              "ifsc_code": null,
              "name": "Asha Rao",
              "phone": "9876543210",
              "pincode": "560038",
              "state": "Karnataka"
            },
            "section_name": "proposer"
          },
          {
            "response_data": {
              "member_1": {
                "dob": "1992-01-15",
                "gender": "Female",
                "name": "Asha Rao",
                "relationship": "SELF"
              }
            },
            "section_name": "insured"
          },
          {
            "response_data": {
              "name": "Ravi Rao",
              "phone": "9876543211",
              "relationship": "SPOUSE"
            },
            "section_name": "nominee"
          },
          {
            "response_data": {
              "member_1": {
                "pre_existing_diseases": [
                  "diabetes"
                ]
              }
            },
            "section_name": "health"
          }
        ],
        "gross_premium": "7500.00",
        "insurer_id": "ins_01m6hea1thtest000000000001",
        "insurer_name": "Amrit Health (fictional)",
        "insurer_proposal_id": null,
        "name": "Asha Rao",
        "net_premium": "7500.00",
        "phone": "9876543210",
        "product_id": "[pro]",
        "product_name": "Amrit Care",
        "proposal_id": "[pro]",
        "quote_id": "[quo]",
        "rejection_reason": null,
        "session_id": "[ses]",
        "status": "OFFLINE",
        "tenure": 1,
        "variant_id": "vrt_01m6hea1thtest000000000021",
        "variant_name": "Plain"
      }
    }
    "#);
}

#[tokio::test]
async fn an_id_that_is_no_health_proposal_of_the_partner_is_r4040() {
    // D3, D46, D54
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let foreign = app.imports_proposals_of(&other, vec![imported_proposal()]).await.remove(0);
    let own = app.imports_proposals(vec![imported_proposal()]).await.remove(0);
    assert_eq!(proposal(&app, &own).await.status, 200);
    let embedded = app.has_proposal("PENDING").await;
    let quote = app.has_quote().await["quote_id"].as_str().expect("an id").to_owned();
    for id in
        [UNKNOWN, &foreign, &embedded, &quote, &own.to_uppercase(), &own[4..], &own[..29], "x", "pro_", "17"]
    {
        let answer = proposal(&app, id).await;
        answer.is_refused(404, "R4040");
        let object = answer.json();
        assert_eq!(object["instance"], format!("{PATH}/{id}"));
        assert!(object["detail"].as_str().expect("text").contains(id), "{}", answer.text);
    }
}

#[tokio::test]
async fn a_health_proposal_is_unknown_to_the_embedded_endpoints() {
    // D46
    let app = App::start().await;
    let id = app.imports_proposals(vec![imported_proposal()]).await.remove(0);
    app.get(&format!("/v1/embedded/proposal/{id}/status")).await.is_refused(404, "R4040");
    let body = json!({ "status": "REJECTED" });
    app.patch(&format!("/v1/embedded/proposal/{id}"), body).await.is_refused(404, "R4040");
    assert_eq!(status(&app, &id).await, "UNDERWRITING");
}

#[tokio::test]
async fn a_path_with_more_after_the_id_is_r4040() {
    // D10, D54
    let app = App::start().await;
    let id = app.imports_proposals(vec![imported_proposal()]).await.remove(0);
    for path in
        [format!("{PATH}/"), format!("{PATH}/{id}/"), format!("{PATH}/{id}/x"), format!("{PATH}//{id}")]
    {
        app.get(&path).await.is_refused(404, "R4040");
    }
    assert_eq!(proposal(&app, &format!("{id}?limit=0&session_id=x")).await.status, 200, "no parameters");
}

// States that a proposal reaches by itself or by a decision.

#[tokio::test]
async fn a_proposal_stays_pending_until_its_insurer_has_received_it() {
    // interface, States: passed initial checks, waiting to be submitted
    let (app, amrit) = asking([Says::Fails]).await;
    let id = app.proposes(&app.has_answered_journey(PLAIN, &[]).await).await;
    app.eventually("the insurer was asked", async || (!amrit.calls().is_empty()).then_some(())).await;
    assert_eq!(status(&app, &id).await, "PENDING");
}

#[tokio::test]
async fn a_proposal_is_submitted_after_its_handover_and_then_in_underwriting_at_the_insurer() {
    // interface, States
    let (app, amrit) = asking([Says::Pending]).await;
    let id = app.proposes(&app.has_answered_journey(PLAIN, &[]).await).await;
    app.eventually("it was handed over", async || (status(&app, &id).await == "SUBMITTED").then_some(()))
        .await;
    app.eventually("it is looked at", async || {
        app.clock.advance(Duration::from_secs(5));
        let token = app.refreshed().await;
        let path = format!("{PATH}/{id}");
        let answer = app.as_partner(&token, "GET", &path, None).await.json();
        (answer["proposal"]["status"] == "UNDERWRITING").then_some(())
    })
    .await;
    assert!(amrit.calls().len() >= 2, "{:?}", amrit.calls());
}

#[tokio::test]
async fn a_proposal_that_its_insurer_accepts_gets_a_policy_with_the_insurers_number() {
    // interface, States; D29
    let (app, _) = asking([Says::Accepted("AM/2026/000017 (a)")]).await;
    let id = app.proposes(&app.has_answered_journey(PLAIN, &[]).await).await;
    app.eventually("it is accepted", async || (status(&app, &id).await == "ACCEPTED").then_some(())).await;
    app.has_no_job_left().await;
    let policy = app.get("/v1/business/health/policies/AM/2026/000017%20(a)").await;
    assert_eq!(policy.status, 200, "{}", policy.text);
    let policy = policy.json()["policy"].clone();
    assert_eq!((&policy["proposal_id"], &policy["status"]), (&json!(id), &json!("ISSUED")));
}

#[tokio::test]
async fn a_proposal_that_its_insurer_rejects_shows_the_insurers_reason_if_there_is_one() {
    // interface, States, rejection_reason
    for (says, reason) in [
        (Says::Rejected(Some("We do not insure this.")), json!("We do not insure this.")),
        (Says::Rejected(None), Value::Null),
    ] {
        let (app, _) = asking([says]).await;
        let id = app.proposes(&app.has_answered_journey(PLAIN, &[]).await).await;
        app.eventually("it is rejected", async || (status(&app, &id).await == "REJECTED").then_some(()))
            .await;
        let shown = shown(&app, &id).await;
        assert_eq!((&shown["rejection_reason"], &shown["cancelled_reason"]), (&reason, &Value::Null));
        app.has_no_job_left().await;
        assert_eq!(app.rows_of("policies"), 0);
    }
}

#[tokio::test]
async fn a_pre_underwriting_rule_can_cancel_a_proposal_and_its_reason_is_shown() {
    // interface, States: cancelled internally for failing pre-underwriting checks
    let rule =
        "illnesses = [\"diabetes\"]\nthen = \"cancel\"\nreason = \"This plan is not sold with diabetes.\"";
    let app = with_rule(decided("straight-through"), rule).start().await;
    let id = app.proposes(&app.has_answered_journey(PLAIN, &["diabetes"]).await).await;
    let cancelled = shown(&app, &id).await;
    assert_eq!(cancelled["status"], "CANCELLED");
    assert_eq!(cancelled["cancelled_reason"], "This plan is not sold with diabetes.");
    assert_eq!(cancelled["rejection_reason"], Value::Null);
    let healthy = app.proposes(&app.has_answered_journey(PLAIN, &["asthma"]).await).await;
    assert_eq!(status(&app, &healthy).await, "ACCEPTED");
}

#[tokio::test]
async fn a_straight_through_proposal_is_accepted_immediately() {
    // D29
    let app = decided("straight-through").start().await;
    let id = app.proposes(&app.has_answered_journey(PLAIN, &[]).await).await;
    assert_eq!(status(&app, &id).await, "ACCEPTED");
    assert_eq!(app.rows_of("policies"), 1);
}

#[tokio::test]
async fn a_proposal_that_needs_a_persons_decision_gets_the_status_offline() {
    // interface, States; D29: a rule refers it, the variant cannot be bought online, or the operator decides
    let rule = "from_age = 30\nthen = \"refer\"\nreason = \"A doctor calls first.\"";
    for (setup, variant) in [
        (with_rule(decided("straight-through"), rule), PLAIN),
        (decided("straight-through"), PLUS),
        (decided("operator"), PLAIN),
        (decided("partner"), PLAIN),
        (decided("insurer"), PLAIN),
    ] {
        let app = setup.start().await;
        let id = app.proposes(&app.has_answered_journey(variant, &[]).await).await;
        let offline = shown(&app, &id).await;
        assert_eq!(offline["status"], "OFFLINE");
        assert_eq!(
            (&offline["rejection_reason"], &offline["cancelled_reason"]),
            (&Value::Null, &Value::Null)
        );
    }
}

#[tokio::test]
async fn the_operator_decides_an_offline_proposal_and_cannot_decide_it_again() {
    // D29
    let app = Setup::health().start().await;
    let accepted = app.has_accepted_health_proposal().await;
    assert_eq!(status(&app, &accepted).await, "ACCEPTED");
    let id = app.proposes(&app.has_answered_journey(PLAIN, &[]).await).await;
    let reason = PersonalLine::of_words("Papers are missing.");
    app.service
        .operator_proposals
        .decide(id.parse().expect("an id"), Verdict::of(false, reason))
        .await
        .expect("decided");
    let rejected = shown(&app, &id).await;
    assert_eq!(
        (&rejected["status"], &rejected["rejection_reason"]),
        (&json!("REJECTED"), &json!("Papers are missing."))
    );
    for (id, positive) in [(&id, true), (&accepted, false), (&accepted, true)] {
        let again = app
            .service
            .operator_proposals
            .decide(id.parse().expect("an id"), Verdict::of(positive, None))
            .await;
        assert!(matches!(again, Err(service::Error::Refused(_))), "it is decided");
    }
}

#[tokio::test]
async fn an_imported_proposal_can_be_rejected_but_not_accepted() {
    // D29: for an acceptance, the policy would have to be imported, too
    let app = App::start().await;
    let line = with(imported_proposal(), "status", json!("OFFLINE"));
    let id = app.imports_proposals(vec![line]).await.remove(0);
    let accepted =
        app.service.operator_proposals.decide(id.parse().expect("an id"), Verdict::of(true, None)).await;
    assert!(matches!(accepted, Err(service::Error::Conflict(_))), "{accepted:?}");
    assert_eq!(status(&app, &id).await, "OFFLINE");
    app.service
        .operator_proposals
        .decide(id.parse().expect("an id"), Verdict::of(false, None))
        .await
        .expect("decided");
    assert_eq!(status(&app, &id).await, "REJECTED");
}

#[tokio::test]
async fn each_variant_of_a_quote_has_at_most_one_active_proposal() {
    // interface, States, Rule; D45
    let app = Setup::health().start().await;
    let journey = app.has_answered_journey(PLAIN, &[]).await;
    let first = app.proposes(&journey).await;
    // A second press of the button, and a return to choose the same plan again.
    assert_eq!(app.proposes(&journey).await, first);
    let mut stands = journey.clone();
    stands.version += 1;
    stands.answers.proposal = first.parse().ok();
    let again = app.service.journeys.change(stands, |journey| journey.answers.proposal = None).await;
    let again = again.expect("changed");
    assert_eq!(app.proposes(&again).await, first);
    assert_eq!(app.rows_of("proposals"), 1);
    // After a failed proposal, a new one is possible.
    app.service
        .operator_proposals
        .decide(first.parse().expect("an id"), Verdict::of(false, None))
        .await
        .expect("rejected");
    let second = app.proposes(&again).await;
    assert_ne!(second, first);
    assert_eq!(
        (status(&app, &first).await, status(&app, &second).await),
        ("REJECTED".into(), "OFFLINE".into())
    );
}
