//! `GET /v1/business/health/proposals`: a partner's health proposals by session or by day, in the form of a
//! list (interface §10, Legacy proposal, States; D32, D35, D42, D49, D50). `list_*.rs` tests filters and
//! pages.

use serde_json::{Value, json};

use crate::get_health_recommendation::{has_fields, type_of};
use crate::support::bodies::{imported_proposal, with, without};
use crate::support::health::PLAIN;
use crate::support::{App, Setup};

const PATH: &str = "/v1/business/health/proposals";

/// Checks that the answer is a page, and returns it.
async fn page(app: &App, query: &str) -> Value {
    let answer = app.get(&format!("{PATH}?{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text);
    answer.json()
}

#[track_caller]
fn ids(page: &Value) -> Vec<String> {
    let proposals = page["proposals"].as_array().unwrap_or_else(|| panic!("{page}"));
    proposals.iter().map(|proposal| proposal["proposal_id"].as_str().expect("an id").to_owned()).collect()
}

#[tokio::test]
async fn the_list_has_its_page_fields_at_top_level_and_shows_proposals_as_they_were_imported() {
    // interface §10, Legacy proposal; D35, D42, D49
    let app = App::start().await;
    app.imports_proposals(vec![imported_proposal()]).await;
    let answer = app.get(&format!("{PATH}?start_date=2026-11-19&end_date=2026-11-19")).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let mut shown: Value = serde_json::from_str(&answer.shown()).expect("JSON");
    for cursor in ["start_cursor", "end_cursor"] {
        assert!(shown[cursor].as_str().is_some_and(|cursor| !cursor.is_empty()));
        shown[cursor] = json!("[cursor]");
    }
    insta::assert_snapshot!(format!("{shown:#}"), @r#"
    {
      "count": 1,
      "end_cursor": "[cursor]",
      "has_next": false,
      "has_prev": false,
      "proposals": [
        {
          "cancelled_reason": null,
          "email": "meera.nair@example.com",
          "form_responses": {
            "health": {
              "member_1": {
                "pre_existing_diseases": []
              }
            },
            "insured": {
              "member_1": {
                "name": "Meera Nair",
                "relationship": "SELF"
              }
            },
            "nominee": {
              "name": "Ravi Nair",
              "relationship": "SPOUSE"
            },
            "proposer": {
              "dob": "1978-09-21",
              "name": "Meera Nair"
            }
          },
          "gross_premium": "10693.16",
          "insurer_id": "OLD-18",
          "insurer_name": "Itihas General Insurance (fictional)",
          "insurer_proposal_id": "OLD-18/2026002",
          "name": "Meera Nair",
          "net_premium": "9062.00",
          "phone": "9876500003",
          "product_id": "IGI-P-1",
          "product_name": "Itihas Parivar",
          "proposal_id": "[pro]",
          "quote_id": "Q-2026-17",
          "rejection_reason": null,
          "session_id": null,
          "status": "UNDERWRITING",
          "tenure": 3,
          "variant_id": "IGI-V-2",
          "variant_name": "Parivar Gold"
        }
      ],
      "session_id": null,
      "start_cursor": "[cursor]"
    }
    "#);
}

/// Fields of a proposal in the interface's table that are never `null`.
pub(crate) const PROPOSAL: &[(&str, &str)] = &[
    ("proposal_id", "string"),
    ("name", "string"),
    ("phone", "string"),
    ("email", "string"),
    ("insurer_name", "string"),
    ("insurer_id", "string"),
    ("product_name", "string"),
    ("product_id", "string"),
    ("variant_name", "string"),
    ("variant_id", "string"),
    ("tenure", "number"),
    ("net_premium", "string"),
    ("gross_premium", "string"),
    ("status", "string"),
    ("quote_id", "string"),
];

/// Checks that a proposal has every field of the interface's table and no other, each of its type.
#[track_caller]
pub(crate) fn is_a_proposal(proposal: &Value, form_responses: &str) {
    let mut wanted = PROPOSAL.to_vec();
    wanted.push(("form_responses", form_responses));
    for field in ["session_id", "insurer_proposal_id", "cancelled_reason", "rejection_reason"] {
        let kind = type_of(&proposal[field]);
        assert!(kind == "string" || kind == "null", "{field}: {proposal:#}");
        wanted.push((field, kind));
    }
    has_fields(proposal, &wanted);
    for amount in ["net_premium", "gross_premium"] {
        let text = proposal[amount].as_str().expect("text");
        let (rupees, paise) = text.split_once('.').unwrap_or_else(|| panic!("{text}"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        assert!(digits(rupees) && digits(paise) && paise.len() == 2, "{text}");
    }
}

#[tokio::test]
async fn every_field_of_an_imported_and_of_a_customers_proposal_has_the_contracts_type() {
    // interface §10, Legacy proposal
    let app = Setup::health().start().await;
    let session = app.has_session().await;
    let bare = ["session_id", "insurer_logo", "form_responses", "insurer_proposal_id", "cancelled_reason"];
    let bare = bare.into_iter().fold(imported_proposal(), without);
    let full = with(imported_proposal(), "session_id", json!(session));
    let full = with(full, "tenure", json!("3"));
    app.imports_proposals(vec![bare, full]).await;
    app.proposes(&app.has_answered_journey(PLAIN, &[]).await).await;
    let page = page(&app, "end_date=2026-11-20").await;
    has_fields(
        &page,
        &[
            ("proposals", "array"),
            ("has_next", "boolean"),
            ("has_prev", "boolean"),
            ("count", "number"),
            ("end_cursor", "string"),
            ("start_cursor", "string"),
            ("session_id", "null"),
        ],
    );
    assert_eq!((ids(&page).len(), &page["count"]), (3, &json!(3)));
    for proposal in page["proposals"].as_array().expect("a list") {
        is_a_proposal(proposal, "object");
        for data in proposal["form_responses"].as_object().expect("sections").values() {
            assert_eq!(type_of(data), "object");
        }
    }
}

#[tokio::test]
async fn form_responses_are_shown_by_section_whether_they_were_imported_as_list_or_object() {
    // D49
    let app = App::start().await;
    let as_list = json!([
        { "section_name": "proposer", "response_data": { "name": "Meera Nair" } },
        { "section_name": "lifestyle", "response_data": { "smokes": false, "since": null } },
    ]);
    let by_section =
        json!({ "proposer": { "name": "Meera Nair" }, "lifestyle": { "smokes": false, "since": null } });
    let line = |quote: &str, responses: &Value| {
        with(with(imported_proposal(), "form_responses", responses.clone()), "quote_id", json!(quote))
    };
    app.imports_proposals(vec![line("1", &as_list), line("2", &by_section)]).await;
    let none = without(with(imported_proposal(), "quote_id", json!("3")), "form_responses");
    app.imports_proposals(vec![none]).await;
    let page = page(&app, "end_date=2026-11-20").await;
    for proposal in page["proposals"].as_array().expect("a list") {
        let wanted = if proposal["quote_id"] == "3" { json!({}) } else { by_section.clone() };
        assert_eq!(proposal["form_responses"], wanted);
    }
}

#[tokio::test]
async fn proposals_of_customers_are_listed_beside_imported_ones() {
    // interface §10, §14; D32: by session and by day of creation
    let app = Setup::health().start().await;
    let journey = app.has_answered_journey(PLAIN, &[]).await;
    let made = app.proposes(&journey).await;
    let line = with(imported_proposal(), "session_id", json!(journey.session.to_string()));
    let brought = app.imports_proposals(vec![line]).await.remove(0);
    let by_session = page(&app, &format!("session_id={}", journey.session)).await;
    assert_eq!((ids(&by_session), &by_session["count"]), (vec![made.clone(), brought.clone()], &json!(2)));
    let today = page(&app, "start_date=2026-11-20&end_date=2026-11-20").await;
    assert_eq!((ids(&today), &today["count"]), (vec![made], &json!(1)));
}

#[tokio::test]
async fn a_page_for_a_session_contains_the_sessions_metadata_if_it_has_any() {
    // interface §10; D50
    let app = App::start().await;
    let metadata = json!({ "campaign": "monsoon", "note": "" });
    let opened = app.post("/v1/business/session", json!({ "metadata": metadata })).await.json();
    let with_metadata = opened["session_id"].as_str().expect("an id").to_owned();
    let without_any = app.has_session().await;
    let of = |session: &str| with(imported_proposal(), "session_id", json!(session));
    app.imports_proposals(vec![of(&with_metadata), of(&without_any)]).await;
    let one = page(&app, &format!("session_id={with_metadata}&limit=1")).await;
    assert_eq!(one["metadata"], metadata);
    let next = format!("next={}", one["end_cursor"].as_str().expect("text"));
    assert_eq!(page(&app, &next).await["metadata"], metadata, "a cursor asks for what its list asked for");
    for query in [
        format!("session_id={without_any}"),
        "session_id=unknown".to_owned(),
        "end_date=2026-11-20".to_owned(),
    ] {
        let page = page(&app, &query).await;
        assert!(page.get("metadata").is_none(), "{query}: {page}");
    }
    // Another partner's session is unknown, and the answer reveals nothing.
    let other = app.new_partner("Other Lender").await;
    let path = format!("{PATH}?session_id={with_metadata}");
    let foreign = app.as_partner(&other, "GET", &path, None).await.json();
    assert!(foreign.get("metadata").is_none(), "{foreign}");
}

#[tokio::test]
async fn a_page_for_a_session_without_proposals_contains_the_sessions_metadata() {
    // D50
    let app = App::start().await;
    let opened = app.post("/v1/business/session", json!({ "metadata": { "a": "b" } })).await.json();
    let empty = page(&app, &format!("session_id={}", opened["session_id"].as_str().expect("an id"))).await;
    assert_eq!((&empty["metadata"], &empty["count"]), (&json!({ "a": "b" }), &json!(0)));
}

#[tokio::test]
async fn every_contract_status_is_shown_and_a_reason_only_with_the_status_it_belongs_to() {
    // interface, Legacy proposal status values
    let app = App::start().await;
    let statuses =
        ["INITIATED", "PENDING", "SUBMITTED", "UNDERWRITING", "CANCELLED", "ACCEPTED", "REJECTED", "OFFLINE"];
    let line = |status: &&str| {
        let line = with(imported_proposal(), "status", json!(status));
        let line = with(line, "cancelled_reason", json!("Too many illnesses."));
        with(line, "rejection_reason", json!("The insurer's own words."))
    };
    let made = app.imports_proposals(statuses.iter().map(line).collect()).await;
    let page = page(&app, "end_date=2026-11-20").await;
    for (id, status) in made.iter().zip(statuses) {
        let listed = page["proposals"].as_array().expect("a list").iter();
        let listed = listed.clone().find(|proposal| proposal["proposal_id"] == id.as_str()).expect("listed");
        let cancelled = if status == "CANCELLED" { json!("Too many illnesses.") } else { Value::Null };
        let rejected = if status == "REJECTED" { json!("The insurer's own words.") } else { Value::Null };
        assert_eq!(listed["status"], status);
        assert_eq!((&listed["cancelled_reason"], &listed["rejection_reason"]), (&cancelled, &rejected));
    }
}
