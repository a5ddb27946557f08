//! `GET /v1/business/health/policies/{policy_id}`: one health policy, by id or by policy number
//! (interface §13, Legacy policy; D3, D34, D46, D54).

use std::time::Duration;

use domain::health_quote::Porting;
use domain::journey::Journey;
use serde_json::{Value, json};
use service::proposal::operator::Verdict;

use crate::get_health_policies::is_a_policy;
use crate::support::bodies::{imported_policy, with, without};
use crate::support::certificate::policy_of;
use crate::support::health::PLAIN;
use crate::support::{Answer, App, Setup};

const PATH: &str = "/v1/business/health/policies";
const UNKNOWN: &str = "pol_01m5vvw3xreqg9aaa1afd2xg99";

async fn policy(app: &App, named: &str) -> Answer {
    app.get(&format!("{PATH}/{named}")).await
}

/// Reads an existing policy.
async fn shown(app: &App, named: &str) -> Value {
    let answer = policy(app, named).await;
    assert_eq!(answer.status, 200, "{named}: {}", answer.text);
    let mut answered = answer.json();
    let policy = answered["policy"].take();
    assert_eq!(answered, json!({ "policy": null }), "the key alone at top level");
    is_a_policy(&policy);
    policy
}

/// An import line with an insurer's policy number.
fn named(number: &str, insurers: &str) -> Value {
    let line = with(imported_policy(), "policy_number", json!(number));
    with(line, "insurer_policy_number", json!(insurers))
}

#[tokio::test]
async fn a_single_policy_is_shown_with_the_same_content_as_in_the_list() {
    // interface §13; D34
    let app = Setup::health().start().await;
    app.imports_policies(vec![imported_policy()]).await;
    app.has_accepted_health_proposal().await;
    let list = app.get(PATH).await.json();
    let listed = list["policies"].as_array().expect("a list");
    assert_eq!(listed.len(), 2);
    for policy in listed {
        assert_eq!(shown(&app, policy["policy_id"].as_str().expect("an id")).await, *policy);
    }
}

#[tokio::test]
async fn the_policy_of_a_customers_proposal_shows_the_customers_answers() {
    // interface, Legacy policy; D34, D53: cover begins on the day of issue
    let app = Setup::health().start().await;
    let proposal = app.has_accepted_health_proposal().await;
    let id = app.get(PATH).await.json()["policies"][0]["policy_id"].as_str().expect("an id").to_owned();
    let policy = shown(&app, &id).await;
    assert_eq!(policy["proposal_id"], proposal.as_str());
    let made = app.get(&format!("/v1/business/health/proposals/{proposal}")).await.json()["proposal"].clone();
    for field in
        ["session_id", "quote_id", "insurer_id", "product_id", "variant_id", "tenure", "gross_premium"]
    {
        assert_eq!(policy[field], made[field], "{field}");
    }
    let number = policy["policy_number"].as_str().expect("text");
    assert!(number.starts_with("T11-2026-"), "{number}");
    let mut shown = policy.clone();
    for (field, as_shown) in [
        ("policy_number", "[number]"),
        ("insurer_policy_number", "[number]"),
        ("policy_id", "[pol]"),
        ("proposal_id", "[pro]"),
        ("quote_id", "[quo]"),
        ("session_id", "[ses]"),
    ] {
        shown[field] = json!(as_shown);
    }
    shown["insured_members"][0]["member_id"] = json!("[mem]");
    shown["nominees"][0]["nominee_id"] = json!("[nom]");
    insta::assert_snapshot!(format!("{shown:#}"), @r#"
    {
      "expiry_date": "2027-11-19",
      "gross_premium": "7500.00",
      "insured_members": [
        {
          "dob": "1992-01-15",
          "gender": "Female",
          "member_id": "[mem]",
          "name": "Asha Rao",
          "pre_existing_diseases": [
            "diabetes"
          ],
          "relationship": "SELF"
        }
      ],
      "insurer_id": "ins_01m6hea1thtest000000000001",
      "insurer_logo": "https://insurers.example/amrit/logo.svg",
      "insurer_name": "Amrit Health (fictional)",
      "insurer_policy_number": "[number]",
      "issuance_date": "2026-11-20",
      "nominees": [
        {
          "nominee_id": "[nom]",
          "nominee_name": "Ravi Rao",
          "nominee_phone": "9876543211",
          "relationship": "SPOUSE"
        }
      ],
      "policy_id": "[pol]",
      "policy_number": "[number]",
      "policy_type": "FRESH",
      "previous_policy_id": null,
      "product_id": "pro_01m6hea1thtest000000000011",
      "product_name": "Amrit Care",
      "proposal_id": "[pro]",
      "proposer_details": {
        "address": {
          "address_line_1": "12 MG Road",
          "address_line_2": "Indiranagar",
          "city": "Bengaluru",
          "country": "India",
          "pincode": "560038",
          "state": "Karnataka"
        },
        "address_line_1": "12 MG Road",
        "address_line_2": "Indiranagar",
        "bank_account_number": null,
        "bank_details": null,
        "bank_id": null,
        "bank_name": null,
        "branch_id": null,
        "branch_name": null,
        "city": "Bengaluru",
        "country": "India",
        "dob": "1992-01-15",
        "email": "asha.rao@example.com",
        "ifsc_code": null,
        "name": "Asha Rao",
        "phone": "9876543210",
        "pincode": "560038",
        "state": "Karnataka"
      },
      "quote_id": "[quo]",
      "riders": [],
      "session_id": "[ses]",
      "status": "ISSUED",
      "sum_insured": "1000000",
      "tenure": 1,
      "variant_id": "vrt_01m6hea1thtest000000000021",
      "variant_name": "Plain"
    }
    "#);
}

#[tokio::test]
async fn a_policy_is_found_by_the_insurers_number_or_by_ours() {
    // interface §13; D54
    let app = App::start().await;
    let id = app.imports_policies(vec![imported_policy()]).await.remove(0);
    let by_id = shown(&app, &id).await;
    for number in ["IGI/2026/00002", "IGI%2F2026%2F00002", "IGI%2f2026/00002", "CN-2026-004100"] {
        assert_eq!(shown(&app, number).await, by_id, "{number}");
    }
    assert_eq!(policy(&app, "IGI/2026/00002?limit=0").await.status, 200, "it has no parameters");
}

#[tokio::test]
async fn a_policy_is_found_by_an_insurers_number_with_any_characters() {
    // D54: literally where a path allows the characters, otherwise percent-encoded
    let app = App::start().await;
    let numbers = [
        ("A/B/C", "A/B/C"),
        ("/A", "/A"),
        ("A/", "A/"),
        ("A//B", "A//B"),
        ("A B", "A%20B"),
        ("A+B", "A+B"),
        ("100%", "100%25"),
        ("A?B#C", "A%3FB%23C"),
        ("A&B=C;D", "A&B=C;D"),
        ("A\\B\"C<D>", "A%5CB%22C%3CD%3E"),
        ("पॉलिसी-७", "%E0%A4%AA%E0%A5%89%E0%A4%B2%E0%A4%BF%E0%A4%B8%E0%A5%80-%E0%A5%AD"),
        ("(17) [a] {b} ~ ! * ' , : @ $", "(17)%20[a]%20%7Bb%7D%20~%20!%20*%20'%20,%20:%20@%20$"),
        ("0", "0"),
        ("null", "null"),
        ("pol_x", "pol_x"),
        (UNKNOWN, UNKNOWN),
    ];
    let lines = numbers.iter().enumerate().map(|(place, (number, _))| named(&format!("CN-{place}"), number));
    app.imports_policies(lines.collect()).await;
    for (number, address) in numbers {
        assert_eq!(shown(&app, address).await["insurer_policy_number"], number);
        let encoded: String = number.bytes().map(|byte| format!("%{byte:02X}")).collect();
        assert_eq!(shown(&app, &encoded).await["insurer_policy_number"], number, "{encoded}");
    }
}

#[tokio::test]
async fn a_policy_is_found_only_by_the_exact_and_complete_number() {
    // D54
    let app = App::start().await;
    app.imports_policies(vec![named("CN-1", "AbC/17")]).await;
    for other in
        ["abc/17", "AbC/1", "AbC/177", "AbC", "AbC/", "AbC/17/", "/AbC/17", "AbC//17", "%25", "_bC/17", "*"]
    {
        policy(&app, other).await.is_refused(404, "R4040");
    }
}

#[tokio::test]
async fn an_id_takes_precedence_over_an_equal_number_and_the_newest_policy_of_a_number_is_shown() {
    // interface §13
    let app = App::start().await;
    let on = |line: Value, day: &str| with(line, "issuance_date", json!(day));
    let made = app
        .imports_policies(vec![
            on(named("CN-1", "RENEWED/1"), "2024-11-19"),
            on(named("CN-2", "RENEWED/1"), "2026-11-19"),
            on(named("CN-3", "RENEWED/1"), "2025-11-19"),
        ])
        .await;
    assert_eq!(shown(&app, "RENEWED/1").await["policy_id"], made[1].as_str());
    // Another policy's number may look like an id.
    app.imports_policies(vec![named("CN-4", &made[0])]).await;
    assert_eq!(shown(&app, &made[0]).await["policy_id"], made[0].as_str());
    assert_eq!(shown(&app, "CN-4").await["insurer_policy_number"], made[0].as_str());
}

#[tokio::test]
async fn two_partners_with_equal_policy_numbers_each_see_only_their_own_policy() {
    // D3
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let mine = app.imports_policies(vec![imported_policy()]).await.remove(0);
    let theirs = app.imports_policies_of(&other, vec![imported_policy()]).await.remove(0);
    assert_ne!(mine, theirs);
    for number in ["IGI/2026/00002", "CN-2026-004100"] {
        assert_eq!(shown(&app, number).await["policy_id"], mine.as_str());
        let path = format!("{PATH}/{number}");
        let seen = app.as_partner(&other, "GET", &path, None).await.json();
        assert_eq!(seen["policy"]["policy_id"], theirs.as_str());
    }
    policy(&app, &theirs).await.is_refused(404, "R4040");
}

#[tokio::test]
async fn an_unknown_policy_is_r4040_and_the_answer_repeats_an_id_but_no_number() {
    // D3, D11, D46, D54
    let app = App::start().await;
    let own = app.imports_policies(vec![imported_policy()]).await.remove(0);
    let embedded = app.has_proposal("COMPLETED").await;
    let issued = policy_of(&app, &embedded).await;
    let answer = policy(&app, UNKNOWN).await;
    answer.is_refused(404, "R4040");
    assert!(answer.json()["detail"].as_str().expect("text").contains(UNKNOWN), "{}", answer.text);
    let long = "x".repeat(2000);
    for unknown in [
        &own.to_uppercase(),
        &own[4..],
        &own[..29],
        &embedded,
        &issued.id.to_string(),
        issued.number.as_str(),
        "CN-2026-004101",
        "P-17",
        "%FF",
        "%00",
        "%20",
        "..%2F..",
        "' or 1=1 --",
        long.as_str(),
    ] {
        let answer = policy(&app, unknown).await;
        answer.is_refused(404, "R4040");
        if !unknown.starts_with("pol_") {
            assert_eq!(answer.json()["detail"], "There is no such policy.", "{unknown}");
        }
    }
}

#[tokio::test]
async fn each_member_and_nominee_has_its_own_id_that_does_not_change() {
    // interface, Legacy policy; D20
    let app = App::start().await;
    let nominee = imported_policy()["nominees"][0].clone();
    let line = with(imported_policy(), "nominees", json!([nominee, nominee]));
    let id = app.imports_policies(vec![line]).await.remove(0);
    let first = shown(&app, &id).await;
    let mut ids: Vec<&str> = Vec::new();
    for (list, id, prefix) in [("insured_members", "member_id", "mem_"), ("nominees", "nominee_id", "nom_")] {
        for item in first[list].as_array().expect("a list") {
            let id = item[id].as_str().expect("text");
            assert!(id.starts_with(prefix) && id.len() == 30, "{id}");
            ids.push(&id[4..]);
        }
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 4, "no two are alike");
    assert_eq!(shown(&app, &id).await, first, "as often as it is asked for");
}

#[tokio::test]
async fn an_imported_policy_keeps_the_status_word_of_its_import() {
    // interface, Legacy policy status: the full list is not shown
    let app = App::start().await;
    for (place, word) in
        ["ISSUED", "CANCELLED", "LAPSED", "EXPIRED", "PENDING_RENEWAL"].into_iter().enumerate()
    {
        let number = format!("CN-{place}");
        let line = with(without(named(&number, "x"), "insurer_policy_number"), "status", json!(word));
        app.imports_policies(vec![line]).await;
        assert_eq!(shown(&app, &number).await["status"], word);
    }
}

#[tokio::test]
async fn the_policy_of_a_porting_customer_has_the_type_portability() {
    // interface, Legacy policy, policy_type
    let app = Setup::health().start().await;
    app.has_accepted_health_proposal().await;
    let policy = app.get(PATH).await.json()["policies"][0].clone();
    assert_eq!((&policy["policy_type"], &policy["previous_policy_id"]), (&json!("FRESH"), &Value::Null));

    app.clock.advance(Duration::from_secs(1));
    let journey = app.has_answered_journey(PLAIN, &[]).await;
    let ports = |journey: &mut Journey| journey.answers.porting = Some(Some(Porting { tenure: None }));
    let journey = app.service.journeys.change(journey, ports).await.expect("changed");
    let journey = app.service.journeys.recommend(journey).await.expect("asked").expect("answered");
    app.has_no_job_left().await;
    let id = app.proposes(&journey).await;
    app.service
        .operator_proposals
        .decide(id.parse().expect("an id"), Verdict::of(true, None))
        .await
        .expect("accepted");
    let policy = app.get(PATH).await.json()["policies"][0].clone();
    assert_eq!((&policy["proposal_id"], &policy["policy_type"]), (&json!(id), &json!("PORTABILITY")));
}
