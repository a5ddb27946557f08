//! `GET /v1/business/health/policies`: a partner's health policies by session, by day of issue, or all of
//! them, in the form of a list (interface §12, Legacy policy; D32, D34, D35). `list_*.rs` tests filters and
//! pages.

use serde_json::{Value, json};
use service::proposal::operator::Verdict;

use crate::get_health_recommendation::{has_fields, type_of};
use crate::support::bodies::{imported_policy, with, without};
use crate::support::health::PLAIN;
use crate::support::{App, Setup};

const PATH: &str = "/v1/business/health/policies";

/// Checks that the answer is a page, and returns it.
async fn page(app: &App, query: &str) -> Value {
    let answer = app.get(&format!("{PATH}?{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text);
    answer.json()
}

/// An import line with its own policy number.
fn numbered(number: usize) -> Value {
    with(imported_policy(), "policy_number", json!(format!("CN-{number}")))
}

#[tokio::test]
async fn the_list_has_its_page_fields_at_top_level_and_shows_policies_as_they_were_imported() {
    // interface §12, Legacy policy; D34, D35
    let app = App::start().await;
    app.imports_policies(vec![imported_policy()]).await;
    let answer = app.get(PATH).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let mut shown: Value = serde_json::from_str(&answer.shown()).expect("JSON");
    for cursor in ["start_cursor", "end_cursor"] {
        assert!(shown[cursor].as_str().is_some_and(|cursor| !cursor.is_empty()));
        shown[cursor] = json!("[cursor]");
    }
    for (list, id, prefix) in [("insured_members", "member_id", "mem_"), ("nominees", "nominee_id", "nom_")] {
        for item in shown["policies"][0][list].as_array_mut().expect("a list") {
            let found = item[id].as_str().expect("text");
            assert!(found.starts_with(prefix) && found.len() == 30, "{found}");
            item[id] = json!(format!("[{}]", &prefix[..3]));
        }
    }
    insta::assert_snapshot!(format!("{shown:#}"), @r#"
    {
      "count": 1,
      "end_cursor": "[cursor]",
      "has_next": false,
      "has_prev": false,
      "policies": [
        {
          "expiry_date": "2028-11-18",
          "gross_premium": "10620.00",
          "insured_members": [
            {
              "dob": "1978-09-21",
              "gender": "Female",
              "member_id": "[mem]",
              "name": "Meera Nair",
              "pre_existing_diseases": [
                "Diabetes"
              ],
              "relationship": "SELF"
            },
            {
              "dob": "1976-02-29",
              "gender": "Male",
              "member_id": "[mem]",
              "name": "Ravi Nair",
              "pre_existing_diseases": [],
              "relationship": "SPOUSE"
            }
          ],
          "insurer_id": "OLD-18",
          "insurer_logo": "https://insurers.example/itihas/logo.svg",
          "insurer_name": "Itihas General Insurance (fictional)",
          "insurer_policy_number": "IGI/2026/00002",
          "issuance_date": "2026-11-19",
          "nominees": [
            {
              "nominee_id": "[nom]",
              "nominee_name": "Ravi Nair",
              "nominee_phone": "9876511111",
              "relationship": "SPOUSE"
            }
          ],
          "policy_id": "[pol]",
          "policy_number": "CN-2026-004100",
          "policy_type": "RENEWAL",
          "previous_policy_id": "OLD-1",
          "product_id": "IGI-P-1",
          "product_name": "Itihas Parivar",
          "proposal_id": "P-17",
          "proposer_details": {
            "address": {
              "address_line_1": "Flat 9, Lake View",
              "address_line_2": "Kadavanthra",
              "city": "Kochi",
              "country": "India",
              "pincode": "682020",
              "state": "Kerala"
            },
            "address_line_1": "Flat 9, Lake View",
            "address_line_2": "Kadavanthra",
            "bank_account_number": "000111222333",
            "bank_details": {
              "bank_account_number": "000111222333",
              "bank_id": "B-0",
              "bank_name": "Namoona Bank (fictional)",
              "branch_id": "BR-1",
              "branch_name": "Main",
              "ifsc_code": "NMNB0000001"
            },
            "bank_id": "B-0",
            "bank_name": "Namoona Bank (fictional)",
            "branch_id": "BR-1",
            "branch_name": "Main",
            "city": "Kochi",
            "country": "India",
            "dob": "1978-09-21",
            "email": "meera.nair@example.com",
            "ifsc_code": "NMNB0000001",
            "name": "Meera Nair",
            "phone": "9876500003",
            "pincode": "682020",
            "state": "Kerala"
          },
          "quote_id": "Q-2026-17",
          "riders": [
            {
              "id": "R-1",
              "name": "Hospital cash"
            }
          ],
          "session_id": null,
          "status": "ISSUED",
          "sum_insured": "2500000",
          "tenure": 2,
          "variant_id": "IGI-V-2",
          "variant_name": "Parivar Gold"
        }
      ],
      "session_id": null,
      "start_cursor": "[cursor]",
      "total_count": 1
    }
    "#);
}

const ADDRESS: &[(&str, &str)] = &[
    ("address_line_1", "string"),
    ("city", "string"),
    ("state", "string"),
    ("country", "string"),
    ("pincode", "string"),
];
const BANK: [&str; 6] =
    ["bank_id", "bank_account_number", "bank_name", "branch_id", "branch_name", "ifsc_code"];

/// Checks that each field is text or `null`. Returns the types.
#[track_caller]
fn maybe(value: &Value, fields: &[&'static str]) -> Vec<(&'static str, &'static str)> {
    let kind = |field: &&'static str| {
        let kind = type_of(&value[*field]);
        assert!(kind == "string" || kind == "null", "{field}: {value:#}");
        (*field, kind)
    };
    fields.iter().map(kind).collect()
}

/// Checks that a policy has every field of the interface's table and no other, each of its type. Address and
/// bank details are both flat and nested.
#[track_caller]
pub(crate) fn is_a_policy(policy: &Value) {
    let mut wanted = vec![
        ("policy_id", "string"),
        ("policy_number", "string"),
        ("insurer_policy_number", "string"),
        ("status", "string"),
        ("issuance_date", "string"),
        ("expiry_date", "string"),
        ("sum_insured", "string"),
        ("policy_type", "string"),
        ("tenure", "number"),
        ("gross_premium", "string"),
        ("insurer_id", "string"),
        ("insurer_name", "string"),
        ("insurer_logo", "string"),
        ("product_id", "string"),
        ("product_name", "string"),
        ("variant_id", "string"),
        ("variant_name", "string"),
        ("proposer_details", "object"),
        ("insured_members", "array"),
        ("nominees", "array"),
        ("riders", "array"),
    ];
    wanted.extend(maybe(policy, &["session_id", "previous_policy_id", "proposal_id", "quote_id"]));
    has_fields(policy, &wanted);

    let proposer = &policy["proposer_details"];
    let bank = type_of(&proposer["bank_details"]);
    let mut wanted = vec![
        ("name", "string"),
        ("phone", "string"),
        ("dob", "string"),
        ("address", "object"),
        ("bank_details", bank),
    ];
    wanted.extend_from_slice(ADDRESS);
    wanted.extend(maybe(proposer, &["email", "address_line_2"]));
    wanted.extend(maybe(proposer, &BANK));
    has_fields(proposer, &wanted);
    let nested = &proposer["address"];
    has_fields(nested, &[ADDRESS, &maybe(nested, &["address_line_2"])].concat());
    for (field, value) in nested.as_object().expect("an object") {
        assert_eq!(proposer[field], *value, "flat as nested");
    }
    match &proposer["bank_details"] {
        Value::Null => assert!(BANK.iter().all(|field| proposer[field].is_null()), "{proposer:#}"),
        nested => {
            has_fields(nested, &maybe(nested, &BANK));
            assert!(BANK.iter().all(|field| proposer[field] == nested[field]), "{proposer:#}");
        }
    }
    for member in policy["insured_members"].as_array().expect("a list") {
        let texts = ["member_id", "dob", "gender", "name", "relationship"].map(|field| (field, "string"));
        has_fields(member, &[&texts[..], &[("pre_existing_diseases", "array")]].concat());
    }
    for nominee in policy["nominees"].as_array().expect("a list") {
        let texts = ["nominee_id", "nominee_name", "relationship"].map(|field| (field, "string"));
        has_fields(nominee, &[&texts[..], &maybe(nominee, &["nominee_phone"])].concat());
    }
    for rider in policy["riders"].as_array().expect("a list") {
        has_fields(rider, &[("id", "string"), ("name", "string")]);
    }
    for day in ["issuance_date", "expiry_date"] {
        let text = policy[day].as_str().expect("text");
        assert!(text.len() == 10 && text.parse::<domain::date::Date>().is_ok(), "{text}");
    }
}

#[tokio::test]
async fn every_field_of_an_imported_and_of_a_sold_policy_has_the_contracts_type() {
    // interface §12, Legacy policy; D34
    let app = Setup::health().start().await;
    let session = app.has_session().await;
    let mut bare = numbered(1);
    for field in [
        "session_id",
        "insurer_policy_number",
        "net_premium",
        "insurer_logo",
        "previous_policy_id",
        "nominees",
        "riders",
        "proposal_id",
        "quote_id",
        "proposer_details.email",
        "proposer_details.address.address_line_2",
        "proposer_details.address.country",
        "proposer_details.bank_details",
    ] {
        bare = without(bare, field);
    }
    let full = with(with(numbered(2), "session_id", json!(session)), "tenure", json!("2"));
    app.imports_policies(vec![bare, full]).await;
    app.has_accepted_health_proposal().await;
    let page = page(&app, "").await;
    has_fields(
        &page,
        &[
            ("policies", "array"),
            ("has_next", "boolean"),
            ("has_prev", "boolean"),
            ("count", "number"),
            ("total_count", "number"),
            ("end_cursor", "string"),
            ("start_cursor", "string"),
            ("session_id", "null"),
        ],
    );
    let policies = page["policies"].as_array().expect("a list");
    assert_eq!(policies.len(), 3);
    policies.iter().for_each(is_a_policy);
    // Defaults of omitted fields: the country is India, and our policy number replaces the insurer's.
    let bare = policies.iter().find(|policy| policy["policy_number"] == "CN-1").expect("listed");
    assert_eq!(bare["proposer_details"]["country"], "India");
    assert_eq!(bare["insurer_policy_number"], "CN-1");
}

#[tokio::test]
async fn count_and_total_count_both_contain_the_total_number_of_policies() {
    // interface §12; D34
    let app = App::start().await;
    app.imports_policies((0..5).map(numbered).collect()).await;
    let session = app.has_session().await;
    app.imports_policies(vec![with(numbered(9), "session_id", json!(session))]).await;
    for (query, total) in [
        ("", 6),
        ("limit=2", 6),
        ("end_date=2026-11-20", 6),
        ("end_date=2026-11-18", 0),
        (&format!("session_id={session}"), 1),
        ("session_id=unknown", 0),
    ] {
        let page = page(&app, query).await;
        assert_eq!((&page["count"], &page["total_count"]), (&json!(total), &json!(total)), "{query}");
    }
}

#[tokio::test]
async fn address_and_bank_details_can_be_imported_flat_or_nested_and_are_shown_in_both_forms() {
    // D34
    let app = App::start().await;
    let nested = numbered(1);
    let mut flat = numbered(2);
    for part in ["address", "bank_details"] {
        let fields = nested["proposer_details"][part].as_object().expect("an object").clone();
        flat = without(flat, &format!("proposer_details.{part}"));
        for (field, value) in fields {
            flat["proposer_details"][field] = value;
        }
    }
    app.imports_policies(vec![nested, flat]).await;
    let page = page(&app, "").await;
    let policies = page["policies"].as_array().expect("a list");
    assert_eq!(policies[0]["proposer_details"], policies[1]["proposer_details"]);
    assert_eq!(policies[0]["proposer_details"]["address"]["city"], "Kochi");
    assert_eq!(policies[0]["proposer_details"]["bank_details"]["ifsc_code"], "NMNB0000001", "in capitals");
}

#[tokio::test]
async fn a_policy_that_is_issued_here_is_listed_under_its_day_of_issue_in_kolkata() {
    // D32: shortly after midnight in Kolkata, which is the day before in Greenwich
    let mut app = Setup::health().start().await;
    app.set_clock("2026-12-01T00:10:00+05:30").await;
    let journey = app.has_answered_journey(PLAIN, &[]).await;
    let id = app.proposes(&journey).await;
    app.service
        .operator_proposals
        .decide(id.parse().expect("an id"), Verdict::of(true, None))
        .await
        .expect("accepted");
    for (query, count) in [
        ("start_date=2026-12-01&end_date=2026-12-01", 1),
        ("start_date=2026-11-30&end_date=2026-11-30", 0),
        (&format!("session_id={}", journey.session), 1),
        ("", 1),
    ] {
        assert_eq!(page(&app, query).await["count"], count, "{query}");
    }
    let policy = page(&app, "").await["policies"][0].clone();
    assert_eq!(
        (&policy["issuance_date"], &policy["expiry_date"]),
        (&json!("2026-12-01"), &json!("2027-11-30"))
    );
}
