//! `GET /v1/business/health/quotes`: a partner's quotes by session or by day, page by page
//! (interface §8; D3, D11, D13, D31 to D33, D35, D42, D46, D47).

use std::collections::BTreeSet;
use std::time::Duration;

use domain::health_quote::PlanType;
use serde_json::{Value, json};

use crate::get_health_recommendation::{has_fields, type_of};
use crate::support::bodies::{recommendation, with};
use crate::support::{Answer, App, Partner, Setup, bodies};

const PATH: &str = "/v1/business/health/quotes";

/// Well formed, and nobody's.
const UNKNOWN_SESSION: &str = "ses_01m5vvw3xreqg9aaa1afd2xg99";

/// The days on which tests happen unless they move the clock far.
const TODAY: &str = "start_date=2026-11-20&end_date=2026-11-20";

async fn list(app: &App, query: &str) -> Answer {
    app.get(&format!("{PATH}?{query}")).await
}

/// A page, which it is.
async fn page(app: &App, query: &str) -> Value {
    let answer = list(app, query).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text);
    answer.json()
}

/// The ids on a page, as they stand.
#[track_caller]
fn ids(page: &Value) -> Vec<String> {
    let quotes = page["quotes"].as_array().unwrap_or_else(|| panic!("{page}"));
    quotes.iter().map(|quote| quote["quote_id"].as_str().expect("an id").to_owned()).collect()
}

fn text<'v>(page: &'v Value, field: &str) -> &'v str {
    page[field].as_str().unwrap_or_else(|| panic!("{field}: {page}"))
}

/// A page without quotes, of none or behind an end: its cursors are blank.
#[track_caller]
fn is_empty(page: &Value) {
    assert_eq!(page["quotes"], json!([]), "{page}");
    assert_eq!((&page["start_cursor"], &page["end_cursor"]), (&json!(""), &json!("")), "{page}");
}

/// These faults, no others, in sentences.
#[track_caller]
fn is_faulty(answer: &Answer, fields: &[&str], query: &str) {
    assert_eq!(answer.status, 400, "{query}: {}", answer.text);
    answer.has_faults_on(fields);
    assert_eq!(answer.json()["instance"], PATH, "without its query");
    for fault in answer.json()["additional_info"].as_array().expect("a list") {
        let message = fault["message"].as_str().expect("text");
        assert!(message.contains(" found; ") && message.contains(" wanted"), "{message}");
    }
}

async fn refuses(app: &App, query: &str, fields: &[&str]) {
    is_faulty(&list(app, query).await, fields, query);
}

fn of_session(session: &str) -> Value {
    with(recommendation(), "session_id", json!(session))
}

/// So many quotes of a session, each made a second after the one before: their ids, newest first.
async fn has_quotes(app: &App, session: &str, number: usize) -> Vec<String> {
    let mut made = Vec::new();
    for _ in 0..number {
        app.clock.advance(Duration::from_secs(1));
        made.insert(0, app.has_health_quote(of_session(session)).await);
    }
    made
}

// One page.

#[tokio::test]
async fn a_page_is_at_top_level_and_a_quote_is_as_it_was_stored() {
    // interface, Stored quote and §8; D35, D42
    let app = Setup { workers: 0, ..Setup::default() }.start().await;
    app.has_health_quote(bodies::full_recommendation()).await;
    let answer = list(&app, TODAY).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let mut shown: Value = serde_json::from_str(&answer.shown()).expect("JSON");
    for cursor in ["start_cursor", "end_cursor"] {
        assert!(!text(&shown, cursor).is_empty());
        shown[cursor] = json!("[cursor]");
    }
    let catalogue = app.service.catalogue();
    let asked = catalogue.health_variants(app.partner().id, PlanType::SuperTopUp).count();
    assert_eq!(shown["quotes"][0]["total_variants"], asked);
    shown["quotes"][0]["total_variants"] = json!("[number]");
    insta::assert_snapshot!(format!("{shown:#}"), @r#"
    {
      "count": 1,
      "end_cursor": "[cursor]",
      "has_next": false,
      "has_prev": false,
      "quotes": [
        {
          "completed_variants": 0,
          "customer_email": "asha.rao@example.com",
          "customer_gender": "Female",
          "customer_name": "Asha Rao",
          "customer_phone": "9876543210",
          "deductible": "500000",
          "member_details": [
            {
              "age": 34,
              "relation": "self"
            },
            {
              "age": 36,
              "relation": "spouse"
            },
            {
              "age": 6,
              "relation": "daughter"
            },
            {
              "age": 3,
              "relation": "son"
            }
          ],
          "pincode": "560038",
          "plan_type": "SUPER_TOP_UP",
          "quote_id": "[quo]",
          "recommendations": [],
          "session_id": null,
          "sum_insured": "2500000",
          "total_variants": "[number]"
        }
      ],
      "session_id": null,
      "start_cursor": "[cursor]"
    }
    "#);
}

#[tokio::test]
async fn a_finished_quote_shows_what_is_offered_best_first() {
    // interface, Stored quote; D19, D42, D51
    let app = Setup::health().start().await;
    let body = with(recommendation(), "plan_type", json!("super_top_up"));
    app.has_health_quote(with(body, "members", json!({ "self": [{ "age": 34 }] }))).await;
    app.has_no_job_left().await;
    let answer = list(&app, TODAY).await;
    let shown: Value = serde_json::from_str(&answer.shown()).expect("JSON");
    let quote = &shown["quotes"][0];
    assert_eq!((&quote["completed_variants"], &quote["total_variants"]), (&json!(2), &json!(2)));
    assert_eq!(quote["deductible"], "500000", "the recommended variant's, where none was asked for");
    insta::assert_snapshot!(format!("{:#}", quote["recommendations"]), @r#"
    [
      {
        "company_claim_settlement_ratio": 90,
        "company_description": "A made-up insurer of the tests.",
        "company_id": "ins_01m6hea1thtest000000000003",
        "company_logo": "https://insurers.example/chandra/logo.svg",
        "company_name": "Chandra Health (fictional)",
        "company_network_hospital_count": 7000,
        "premium_details": [
          {
            "premium": "800.00",
            "tenure": 1
          }
        ],
        "product_id": "[pro]",
        "product_name": "Chandra Top",
        "recommendation_id": "[rec]",
        "recommended": true,
        "variant_id": "vrt_01m6hea1thtest000000000026",
        "variant_name": "Narrow"
      },
      {
        "company_claim_settlement_ratio": 90,
        "company_description": "A made-up insurer of the tests.",
        "company_id": "ins_01m6hea1thtest000000000003",
        "company_logo": "https://insurers.example/chandra/logo.svg",
        "company_name": "Chandra Health (fictional)",
        "company_network_hospital_count": 7000,
        "premium_details": [
          {
            "premium": "1500.00",
            "tenure": 1
          }
        ],
        "product_id": "[pro]",
        "product_name": "Chandra Top",
        "recommendation_id": "[rec]",
        "recommended": false,
        "variant_id": "vrt_01m6hea1thtest000000000025",
        "variant_name": "Wide"
      }
    ]
    "#);
}

/// The fields of a stored quote and of its recommendations by the interface's tables. All are there always.
const QUOTE: &[(&str, &str)] = &[
    ("quote_id", "string"),
    ("sum_insured", "string"),
    ("pincode", "string"),
    ("deductible", "string"),
    ("total_variants", "number"),
    ("completed_variants", "number"),
    ("member_details", "array"),
    ("plan_type", "string"),
    ("customer_name", "string"),
    ("customer_phone", "string"),
    ("customer_gender", "string"),
    ("customer_email", "string"),
    ("recommendations", "array"),
];
const RECOMMENDATION: &[(&str, &str)] = &[
    ("recommendation_id", "string"),
    ("company_id", "string"),
    ("company_name", "string"),
    ("company_logo", "string"),
    ("company_description", "string"),
    ("product_id", "string"),
    ("product_name", "string"),
    ("variant_id", "string"),
    ("variant_name", "string"),
    ("company_network_hospital_count", "number"),
    ("company_claim_settlement_ratio", "number"),
    ("premium_details", "array"),
    ("recommended", "boolean"),
];

#[tokio::test]
async fn every_field_is_of_the_contracts_type() {
    // interface, Stored quote and §8; D42
    for setup in [Setup::default(), Setup::health()] {
        let app = Setup { workers: 0, ..setup }.start().await;
        let session = app.has_session().await;
        let bodies = [recommendation(), bodies::full_recommendation()];
        for body in bodies {
            app.has_health_quote(with(body.clone(), "session_id", json!(session))).await;
            app.has_health_quote(body).await;
        }
        for finished in [false, true] {
            if finished {
                app.works(8);
                app.has_no_job_left().await;
            }
            let page = page(&app, TODAY).await;
            has_fields(
                &page,
                &[
                    ("quotes", "array"),
                    ("has_next", "boolean"),
                    ("has_prev", "boolean"),
                    ("count", "number"),
                    ("end_cursor", "string"),
                    ("start_cursor", "string"),
                    ("session_id", "null"),
                ],
            );
            assert_eq!(ids(&page).len(), 4);
            for quote in page["quotes"].as_array().expect("a list") {
                let kind = type_of(&quote["session_id"]);
                assert!(kind == "string" || kind == "null", "{quote:#}");
                has_fields(quote, &[QUOTE, &[("session_id", kind)]].concat());
                for member in quote["member_details"].as_array().expect("a list") {
                    has_fields(member, &[("relation", "string"), ("age", "number")]);
                }
                for amount in ["sum_insured", "deductible"] {
                    let digits =
                        quote[amount].as_str().expect("text").bytes().all(|byte| byte.is_ascii_digit());
                    assert!(digits, "{quote:#}");
                }
                for item in quote["recommendations"].as_array().expect("a list") {
                    has_fields(item, RECOMMENDATION);
                    for tenure in item["premium_details"].as_array().expect("a list") {
                        has_fields(tenure, &[("tenure", "number"), ("premium", "string")]);
                        let premium = tenure["premium"].as_str().expect("text");
                        let (rupees, paise) = premium.split_once('.').unwrap_or_else(|| panic!("{premium}"));
                        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
                        assert!(
                            !rupees.is_empty() && digits(rupees) && paise.len() == 2 && digits(paise),
                            "{premium}"
                        );
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn the_people_stand_one_by_one_in_the_order_of_the_contract() {
    // D42
    let app = App::start().await;
    let members = json!({
        "son": [{ "age": 3 }, { "age": 1.5 }], "mother": [{ "age": 61 }], "father": [{ "age": 66 }],
        "daughter": [{ "age": 0 }], "self": [{ "age": 34.0 }], "spouse": [],
    });
    app.has_health_quote(with(recommendation(), "members", members)).await;
    let page = page(&app, TODAY).await;
    assert_eq!(
        page["quotes"][0]["member_details"],
        json!([
            { "relation": "self", "age": 34 },
            { "relation": "father", "age": 66 },
            { "relation": "mother", "age": 61 },
            { "relation": "daughter", "age": 0 },
            { "relation": "son", "age": 3 },
            { "relation": "son", "age": 1.5 },
        ])
    );
}

#[tokio::test]
async fn amounts_are_whole_rupees_as_text() {
    // D42
    let app = App::start().await;
    for (given, stored) in [
        (json!(0), "1000000"),
        (json!(1), "1"),
        (json!(500_000), "500000"),
        (json!(750_000.4), "750000"),
        (json!(750_000.5), "750001"),
        (json!(12_500_000), "12500000"),
    ] {
        app.clock.advance(Duration::from_secs(1));
        let body = with(recommendation(), "sum_insured", given.clone());
        let id = app.has_health_quote(with(body, "deductible", given.clone())).await;
        let quote = app.get(&format!("{PATH}/{id}")).await.json()["quote"].clone();
        assert_eq!(quote["sum_insured"], stored, "{given}");
        if given != json!(0) {
            assert_eq!(quote["deductible"], stored, "{given}");
        }
    }
}

#[tokio::test]
async fn quotes_come_newest_first() {
    // D33
    let app = App::start().await;
    let session = app.has_session().await;
    let made = has_quotes(&app, &session, 7).await;
    for query in [TODAY.to_owned(), format!("session_id={session}")] {
        assert_eq!(ids(&page(&app, &query).await), made);
    }
}

#[tokio::test]
async fn quotes_of_one_instant_keep_one_order() {
    // D33
    let app = App::start().await;
    let mut made = BTreeSet::new();
    for _ in 0..12 {
        made.insert(app.has_health_quote(recommendation()).await);
    }
    let whole = ids(&page(&app, TODAY).await);
    assert_eq!(whole.iter().cloned().collect::<BTreeSet<_>>(), made);
    let mut walked = Vec::new();
    let mut next = page(&app, &format!("{TODAY}&limit=5")).await;
    while next["quotes"] != json!([]) {
        walked.extend(ids(&next));
        next = page(&app, &format!("next={}", text(&next, "end_cursor"))).await;
    }
    assert_eq!(walked, whole);
}

// The filter.

#[tokio::test]
async fn a_list_takes_a_session_or_dates_and_not_both() {
    // interface §8; D13, D31
    let app = App::start().await;
    let session = app.has_session().await;
    for none in
        ["", "x=1", "session_id=", "start_date=&end_date=", "session_id=%20%20&limit=20", "next=&prev="]
    {
        refuses(&app, none, &["session_id"]).await;
    }
    for dates in ["start_date=2026-11-20", "end_date=2026-11-20", TODAY] {
        refuses(&app, &format!("session_id={session}&{dates}"), &["session_id"]).await;
        refuses(&app, &format!("{dates}&session_id=unknown"), &["session_id"]).await;
        page(&app, dates).await;
        page(&app, &format!("session_id=&{dates}&next=&prev=&limit=")).await;
    }
    page(&app, &format!("session_id={session}&start_date=&end_date=")).await;
    page(&app, &format!("session_id={session}&start_date=%20")).await;
}

#[tokio::test]
async fn unknown_parameters_are_ignored() {
    // D12
    let app = App::start().await;
    let id = app.has_health_quote(recommendation()).await;
    for query in ["&x=1", "&page=7", "&Session_id=x", "&start_date[]=x", "&=", "&&", "&limits=0", "&%FF=%FF"]
    {
        assert_eq!(ids(&page(&app, &format!("{TODAY}{query}")).await), [id.as_str()], "{query}");
    }
}

#[tokio::test]
async fn a_parameter_that_comes_twice_is_a_fault() {
    // D11: which of them counts, nobody can know
    let app = App::start().await;
    let session = app.has_session().await;
    refuses(&app, &format!("{TODAY}&start_date=2026-11-20"), &["start_date"]).await;
    refuses(&app, &format!("{TODAY}&end_date=2026-11-21"), &["end_date"]).await;
    refuses(&app, &format!("{TODAY}&limit=5&limit=5"), &["limit"]).await;
    refuses(&app, &format!("session_id={session}&session_id={session}"), &["session_id"]).await;
    refuses(&app, "next=x&next=y", &["next"]).await;
}

#[tokio::test]
async fn a_date_is_a_real_calendar_day() {
    // interface §8; D32
    let app = App::start().await;
    for good in ["2026-11-20", "2028-02-29", "2000-02-29", "1970-01-01", "2999-12-31", "%202026-11-20%20"] {
        for name in ["start_date", "end_date"] {
            page(&app, &format!("{name}={good}")).await;
        }
    }
    for bad in [
        "2027-02-29",
        "1900-02-29",
        "2026-02-30",
        "2026-11-31",
        "2026-00-10",
        "2026-13-01",
        "2026-11-00",
        "2026-11-32",
        "0000-01-01",
        "2026-1-1",
        "26-11-20",
        "20261120",
        "2026/11/20",
        "20-11-2026",
        "20/11/2026",
        "2026-20-11",
        "2026-11-20T00:00:00",
        "2026-11-20Z",
        "2026-11-20%2B05:30",
        "%2B2026-11-20",
        "-2026-11-20",
        "2026-11",
        "2026",
        "2026-11-2O",
        "2026-W47-5",
        "today",
        "%E0%A5%A8%E0%A5%A6%E0%A5%A8%E0%A5%AC-11-20",
        "%FF",
        "%00",
        "1795000000",
    ] {
        refuses(&app, &format!("start_date={bad}"), &["start_date"]).await;
        refuses(&app, &format!("end_date={bad}"), &["end_date"]).await;
        refuses(&app, &format!("start_date={bad}&end_date=2026-11-20"), &["start_date"]).await;
    }
    refuses(&app, "start_date=x&end_date=y&limit=z", &["start_date", "end_date", "limit"]).await;
}

#[tokio::test]
async fn the_last_day_is_0_to_7_days_after_the_first() {
    // interface, Limits; D31, D32
    let app = App::start().await;
    for (first, last) in [
        ("2026-11-20", "2026-11-20"),
        ("2026-11-20", "2026-11-21"),
        ("2026-11-20", "2026-11-27"),
        ("2026-12-28", "2027-01-04"),
        ("2028-02-22", "2028-02-29"),
        ("2028-02-23", "2028-03-01"),
        ("2027-02-22", "2027-03-01"),
    ] {
        page(&app, &format!("start_date={first}&end_date={last}")).await;
    }
    for (first, last) in [
        ("2026-11-20", "2026-11-28"),
        ("2026-11-20", "2026-12-20"),
        ("2026-11-20", "2027-11-20"),
        ("2028-02-22", "2028-03-01"),
        ("2027-02-21", "2027-03-01"),
        ("2026-11-20", "2026-11-19"),
        ("2026-11-20", "2025-11-20"),
        ("0001-01-01", "9999-12-31"),
        ("9999-12-31", "0001-01-01"),
    ] {
        refuses(&app, &format!("start_date={first}&end_date={last}"), &["end_date"]).await;
    }
}

#[tokio::test]
async fn a_day_begins_and_ends_at_midnight_in_kolkata() {
    // D31, D32
    let mut app = App::start().await;
    let mut made = Vec::new();
    for (name, instant) in [
        ("a", "2026-11-19T23:59:59.999999+05:30"),
        ("b", "2026-11-20T00:00:00+05:30"),
        ("c", "2026-11-20T23:59:59.999999+05:30"),
        ("d", "2026-11-21T00:00:00+05:30"),
        ("e", "2026-11-27T23:59:59.999999+05:30"),
        ("f", "2026-11-28T00:00:00+05:30"),
        // The same instants as London and Greenwich know them: another day there.
        ("g", "2026-12-31T18:29:59.999999Z"),
        ("h", "2026-12-31T18:30:00Z"),
        ("i", "2028-02-28T23:59:59.999999+05:30"),
        ("j", "2028-02-29T00:00:00+05:30"),
        ("k", "2028-02-29T23:59:59.999999+05:30"),
        ("l", "2028-03-01T00:00:00+05:30"),
    ] {
        app.set_clock(instant).await;
        made.push((app.has_health_quote(recommendation()).await, name));
    }
    for (query, names) in [
        ("start_date=2026-11-19&end_date=2026-11-19", "a"),
        ("start_date=2026-11-20&end_date=2026-11-20", "cb"),
        ("start_date=2026-11-21&end_date=2026-11-21", "d"),
        ("start_date=2026-11-22&end_date=2026-11-26", ""),
        ("start_date=2026-11-27&end_date=2026-11-27", "e"),
        ("start_date=2026-11-20&end_date=2026-11-27", "edcb"),
        ("start_date=2026-11-21&end_date=2026-11-28", "fed"),
        // One date alone: the seven days from it, or up to it.
        ("start_date=2026-11-20", "dcb"),
        ("start_date=2026-11-21", "ed"),
        ("start_date=2026-11-22", "fe"),
        ("start_date=2026-11-13", "a"),
        ("start_date=2026-11-29", ""),
        ("end_date=2026-11-27", "ed"),
        ("end_date=2026-11-26", "dcb"),
        ("end_date=2026-11-25", "dcba"),
        ("end_date=2026-11-19", "a"),
        ("end_date=2026-11-18", ""),
        // The turn of a year, and a leap day.
        ("start_date=2026-12-31&end_date=2026-12-31", "g"),
        ("start_date=2027-01-01&end_date=2027-01-01", "h"),
        ("start_date=2026-12-31&end_date=2027-01-01", "hg"),
        ("start_date=2028-02-28&end_date=2028-02-28", "i"),
        ("start_date=2028-02-29&end_date=2028-02-29", "kj"),
        ("start_date=2028-03-01&end_date=2028-03-01", "l"),
        ("start_date=2028-02-22&end_date=2028-02-29", "kji"),
        ("start_date=2028-02-23&end_date=2028-03-01", "lkji"),
        ("start_date=2028-02-22", "i"),
        ("start_date=2028-02-23", "kji"),
        ("end_date=2028-03-06", "lkj"),
        ("end_date=2028-03-07", "l"),
        // What is yet to come is no fault.
        ("start_date=2030-01-01", ""),
    ] {
        let page = page(&app, query).await;
        let name = |id: &String| made.iter().find(|(made, _)| made == id).expect("made here").1;
        let found: String = ids(&page).iter().map(name).collect();
        assert_eq!((found.as_str(), &page["count"]), (names, &json!(names.len())), "{query}");
    }
}

#[tokio::test]
async fn a_sessions_quotes_are_listed_whatever_their_day() {
    // interface §8; D31
    let mut app = App::start().await;
    let (one, other) = (app.has_session().await, app.has_session().await);
    let mut made = Vec::new();
    for day in ["2026-11-20", "2026-12-31", "2027-06-15"] {
        app.set_clock(&format!("{day}T12:00:00+05:30")).await;
        app.has_health_quote(of_session(&other)).await;
        app.has_health_quote(recommendation()).await;
        made.insert(0, app.has_health_quote(of_session(&one)).await);
    }
    let page = page(&app, &format!("session_id={one}")).await;
    assert_eq!((ids(&page), &page["count"]), (made, &json!(3)));
    for quote in page["quotes"].as_array().expect("a list") {
        assert_eq!(quote["session_id"], one.as_str());
    }
}

#[tokio::test]
async fn the_session_asked_for_is_named_and_none_where_none_was() {
    // interface §8; D35
    let app = App::start().await;
    let session = app.has_session().await;
    has_quotes(&app, &session, 3).await;
    let by_session = page(&app, &format!("session_id={session}&limit=1")).await;
    assert_eq!(by_session["session_id"], session.as_str());
    let by_day = page(&app, &format!("{TODAY}&limit=1")).await;
    assert_eq!(by_day["session_id"], Value::Null);
    assert!(by_day.as_object().expect("an object").contains_key("session_id"));
    // A cursor asks for what its list asked for.
    let next = page(&app, &format!("next={}", text(&by_session, "end_cursor"))).await;
    assert_eq!(next["session_id"], session.as_str());
    let next = page(&app, &format!("next={}", text(&by_day, "end_cursor"))).await;
    assert_eq!(next["session_id"], Value::Null);
}

#[tokio::test]
async fn a_session_that_the_partner_does_not_have_has_no_quotes() {
    // D3, D35, D47
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let foreign = app.has_session_of(&other).await;
    app.has_health_quote_of(&other, of_session(&foreign)).await;
    app.has_health_quote(recommendation()).await;
    let own = app.has_session().await;
    for session in [
        own.as_str(),
        &foreign,
        UNKNOWN_SESSION,
        "x",
        "ses_",
        &own.to_uppercase(),
        &own.replace("ses_", "quo_"),
        &own[..29],
        "null",
        "7",
    ] {
        let page = page(&app, &format!("session_id={session}")).await;
        is_empty(&page);
        assert_eq!(
            page,
            json!({
                "quotes": [], "has_next": false, "has_prev": false, "count": 0, "end_cursor": "",
                "start_cursor": "", "session_id": session,
            })
        );
    }
}

#[tokio::test]
async fn a_partner_sees_its_own_quotes_alone() {
    // D3
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let mine = app.has_health_quote(recommendation()).await;
    let theirs = app.has_health_quote_of(&other, recommendation()).await;
    let seen = page(&app, TODAY).await;
    assert_eq!((ids(&seen), &seen["count"]), (vec![mine], &json!(1)));
    let seen = app.as_partner(&other, "GET", &format!("{PATH}?{TODAY}"), None).await.json();
    assert_eq!((ids(&seen), &seen["count"]), (vec![theirs], &json!(1)));
}

#[tokio::test]
async fn embedded_quotes_are_not_among_them() {
    // D46
    let app = App::start().await;
    app.has_quote().await;
    let page = page(&app, TODAY).await;
    is_empty(&page);
    assert_eq!(page["count"], 0);
}

// Pages.

#[tokio::test]
async fn a_page_is_20_unless_another_size_is_asked_for() {
    // D33
    let app = App::start().await;
    let session = app.has_session().await;
    let made = has_quotes(&app, &session, 102).await;
    for (limit, size) in [
        ("", 20),
        ("&limit=", 20),
        ("&limit=%20", 20),
        ("&limit=1", 1),
        ("&limit=20", 20),
        ("&limit=100", 100),
    ] {
        for filter in [format!("session_id={session}"), TODAY.to_owned()] {
            let page = page(&app, &format!("{filter}{limit}")).await;
            assert_eq!(ids(&page), made[..size], "{limit}");
            assert_eq!(page["count"], 102, "all that match, whatever the page");
            assert_eq!((&page["has_next"], &page["has_prev"]), (&json!(true), &json!(false)));
        }
    }
    for bad in [
        "0",
        "101",
        "1000",
        "256",
        "-1",
        "-20",
        "1.5",
        "20.0",
        "1e1",
        "x",
        "20x",
        "0x10",
        "2%200",
        "%E0%A5%A8%E0%A5%A6",
        "99999999999999999999",
        "%FF",
        "null",
        "%2B20",
    ] {
        refuses(&app, &format!("{TODAY}&limit={bad}"), &["limit"]).await;
        refuses(&app, &format!("session_id={session}&limit={bad}"), &["limit"]).await;
    }
}

#[tokio::test]
async fn a_cursor_keeps_its_size_until_another_is_asked_for() {
    // D33
    let app = App::start().await;
    let session = app.has_session().await;
    let made = has_quotes(&app, &session, 60).await;
    let first = page(&app, &format!("session_id={session}&limit=7")).await;
    let second = page(&app, &format!("next={}", text(&first, "end_cursor"))).await;
    assert_eq!(ids(&second), made[7..14]);
    let third = page(&app, &format!("next={}&limit=3", text(&second, "end_cursor"))).await;
    assert_eq!(ids(&third), made[14..17]);
    let fourth = page(&app, &format!("next={}", text(&third, "end_cursor"))).await;
    assert_eq!(ids(&fourth), made[17..20], "the new size stays");
    let back = page(&app, &format!("prev={}", text(&fourth, "start_cursor"))).await;
    assert_eq!(ids(&back), made[14..17]);
    let wider = page(&app, &format!("prev={}&limit=100", text(&fourth, "start_cursor"))).await;
    assert_eq!(ids(&wider), made[..17]);
    let plain = page(&app, &format!("session_id={session}")).await;
    let next = page(&app, &format!("next={}&limit=", text(&plain, "end_cursor"))).await;
    assert_eq!(ids(&next), made[20..40]);
}

#[tokio::test]
async fn whether_there_is_more_is_told_on_every_page() {
    // interface §8; D33
    let app = App::start().await;
    for (number, size) in [(1, 1), (1, 20), (2, 1), (6, 2), (6, 3), (7, 3), (6, 6), (6, 100)] {
        let session = app.has_session().await;
        let made = has_quotes(&app, &session, number).await;
        let pages: Vec<&[String]> = made.chunks(size).collect();
        let mut current = page(&app, &format!("session_id={session}&limit={size}")).await;
        let holds = |page: &Value, at: usize| {
            let shown = format!("page {at} of {number} by {size}: {page}");
            assert_eq!(ids(page), pages[at], "{shown}");
            assert_eq!(page["count"], number, "{shown}");
            assert_eq!(page["has_prev"], at > 0, "{shown}");
            assert_eq!(page["has_next"], at + 1 < pages.len(), "{shown}");
        };
        holds(&current, 0);
        for at in 1..pages.len() {
            current = page(&app, &format!("next={}", text(&current, "end_cursor"))).await;
            holds(&current, at);
        }
        for at in (0..pages.len() - 1).rev() {
            // A page that is not full is the last alone: back from it pages begin where they began.
            current = page(&app, &format!("prev={}", text(&current, "start_cursor"))).await;
            holds(&current, at);
        }
    }
}

#[tokio::test]
async fn beyond_either_end_is_an_empty_page() {
    // D33
    let app = App::start().await;
    let session = app.has_session().await;
    has_quotes(&app, &session, 5).await;
    let whole = page(&app, &format!("session_id={session}")).await;
    let behind = page(&app, &format!("next={}", text(&whole, "end_cursor"))).await;
    is_empty(&behind);
    assert_eq!((&behind["has_next"], &behind["has_prev"]), (&json!(false), &json!(true)));
    let before = page(&app, &format!("prev={}", text(&whole, "start_cursor"))).await;
    is_empty(&before);
    assert_eq!((&before["has_next"], &before["has_prev"]), (&json!(true), &json!(false)));
    for page in [behind, before] {
        assert_eq!((&page["count"], &page["session_id"]), (&json!(5), &json!(session)));
    }
}

#[tokio::test]
async fn beyond_either_end_of_one_record_is_an_empty_page_beside_it() {
    // interface §8, D33: on either side of the page lies the one record
    let app = App::start().await;
    let session = app.has_session().await;
    has_quotes(&app, &session, 1).await;
    let whole = page(&app, &format!("session_id={session}")).await;
    let behind = page(&app, &format!("next={}", text(&whole, "end_cursor"))).await;
    is_empty(&behind);
    assert_eq!((&behind["has_next"], &behind["has_prev"]), (&json!(false), &json!(true)));
    let before = page(&app, &format!("prev={}", text(&whole, "start_cursor"))).await;
    is_empty(&before);
    assert_eq!((&before["has_next"], &before["has_prev"]), (&json!(true), &json!(false)));
}

/// What a walk from page to page saw.
struct Walk {
    seen: Vec<String>,
    last: Value,
}

/// Walks in one direction until there is no more, or until everything wanted was seen.
async fn walk(app: &App, from: Value, forward: bool, wanted: &BTreeSet<String>) -> Walk {
    let (parameter, cursor, more) =
        if forward { ("next", "end_cursor", "has_next") } else { ("prev", "start_cursor", "has_prev") };
    let mut walk = Walk { seen: Vec::new(), last: from };
    loop {
        let mut found = ids(&walk.last);
        if !forward {
            found.reverse();
        }
        walk.seen.extend(found);
        let all = wanted.iter().all(|id| walk.seen.contains(id));
        if walk.last[more] == false || (!forward && all) {
            return walk;
        }
        let query = format!("{parameter}={}", text(&walk.last, cursor));
        walk.last = page(app, &query).await;
    }
}

/// Each of the originals was seen once, and in their order.
#[track_caller]
fn saw_each_once(seen: &[String], originals: &[String]) {
    let found: Vec<&String> = seen.iter().filter(|id| originals.contains(id)).collect();
    assert_eq!(found, originals.iter().collect::<Vec<_>>());
    let different: BTreeSet<&String> = seen.iter().collect();
    assert_eq!(different.len(), seen.len(), "nothing comes twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_walk_shows_each_original_once_while_others_are_being_made() {
    // D33
    let app = App::start().await;
    for limit in [1, 20, 100] {
        let session = app.has_session().await;
        let originals = has_quotes(&app, &session, 45).await;
        let wanted: BTreeSet<String> = originals.iter().cloned().collect();
        let (stop, stopped) = tokio::sync::watch::channel(false);
        let makes = async {
            let mut made = 0;
            while !*stopped.borrow() && made < 100 {
                app.clock.advance(Duration::from_millis(1));
                app.has_health_quote(of_session(&session)).await;
                made += 1;
            }
            made
        };
        let walks = async {
            let first = page(&app, &format!("session_id={session}&limit={limit}")).await;
            let there = walk(&app, first, true, &wanted).await;
            saw_each_once(&there.seen, &originals);
            assert_eq!(there.last["has_next"], false);
            // Back from behind the end, so that the last page is seen again.
            let oldest = page(&app, &format!("prev={}", text(&there.last, "start_cursor"))).await;
            let mut back = walk(&app, oldest, false, &wanted).await;
            let mut tail = ids(&there.last);
            tail.reverse();
            back.seen.splice(0..0, tail);
            back.seen.reverse();
            saw_each_once(&back.seen, &originals);
            stop.send(true).expect("heard");
        };
        let ((), made) = tokio::join!(walks, makes);
        assert!(made > 0, "others were being made");
        // At rest all of them are there, and counted.
        let rest = page(&app, &format!("session_id={session}&limit=100")).await;
        assert_eq!(rest["count"], 45 + made);
        let all: BTreeSet<String> = walk(&app, rest, true, &BTreeSet::new()).await.seen.into_iter().collect();
        assert_eq!((all.len(), all.is_superset(&wanted)), (45 + made, true));
    }
}

#[tokio::test]
async fn a_walk_loses_and_doubles_nothing_when_the_clock_jumps() {
    // D33
    let mut app = App::start().await;
    for (limit, jumps) in
        [(3, ["09:00:00", "10:00:05", "11:00:00"]), (7, ["10:00:10", "08:00:00", "09:59:00"])]
    {
        app.set_clock("2026-11-20T10:00:00+05:30").await;
        let session = app.has_session().await;
        let originals = has_quotes(&app, &session, 20).await;
        let mut current = page(&app, &format!("session_id={session}&limit={limit}")).await;
        let mut seen = ids(&current);
        let mut jumps = jumps.iter().cycle();
        while current["has_next"] == true && seen.len() < 100 {
            // Somebody's clock is wrong: what is made now may be older than what was walked past, or than what was not.
            let jump = jumps.next().expect("a cycle");
            app.set_clock(&format!("2026-11-20T{jump}+05:30")).await;
            app.has_health_quote(of_session(&session)).await;
            current = page(&app, &format!("next={}", text(&current, "end_cursor"))).await;
            seen.extend(ids(&current));
        }
        saw_each_once(&seen, &originals);
    }
}

// Cursors.

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Three pages of three by session and by day: the filter of each, and its middle page.
async fn middle_pages(app: &App) -> [(String, Value); 2] {
    let session = app.has_session().await;
    has_quotes(app, &session, 9).await;
    let mut pages = Vec::new();
    for filter in [format!("session_id={session}"), TODAY.to_owned()] {
        let first = page(app, &format!("{filter}&limit=3")).await;
        let middle = page(app, &format!("next={}", text(&first, "end_cursor"))).await;
        pages.push((filter, middle));
    }
    pages.try_into().expect("two")
}

#[tokio::test]
async fn a_cursor_with_any_character_changed_is_a_fault() {
    // D33
    let app = App::start().await;
    for (_, middle) in middle_pages(&app).await {
        for (parameter, field) in [("next", "end_cursor"), ("prev", "start_cursor")] {
            let cursor = text(&middle, field);
            for place in 0..cursor.len() {
                let own = LETTERS.iter().position(|letter| *letter == cursor.as_bytes()[place]);
                let own = own.unwrap_or_else(|| panic!("place {place} of {cursor}"));
                // Every other letter in the last place, where unused bits hide; two of the others elsewhere.
                let steps: Vec<usize> =
                    if place + 1 == cursor.len() { (1..64).collect() } else { vec![1, 32] };
                for step in steps {
                    let mut changed = cursor.as_bytes().to_vec();
                    changed[place] = LETTERS[(own + step) % 64];
                    let changed = String::from_utf8(changed).expect("ASCII");
                    refuses(&app, &format!("{parameter}={changed}"), &[parameter]).await;
                }
            }
            page(&app, &format!("{parameter}={cursor}")).await;
        }
    }
}

#[tokio::test]
async fn a_cursor_cut_or_longer_is_a_fault() {
    // D33
    let app = App::start().await;
    let [(_, middle), _] = middle_pages(&app).await;
    let cursor = text(&middle, "end_cursor");
    for cut in 1..cursor.len() {
        refuses(&app, &format!("next={}", &cursor[..cut]), &["next"]).await;
    }
    for bad in [
        format!("{cursor}A"),
        format!("{cursor}AAAA"),
        format!("{cursor}="),
        format!("{cursor}%3D%3D"),
        format!("{cursor}{cursor}"),
        format!("A{cursor}"),
        format!("%00{cursor}"),
        cursor[1..].to_owned(),
        cursor.to_uppercase(),
        cursor.chars().rev().collect(),
        "A".repeat(cursor.len()),
        "x".repeat(501),
        "x".repeat(5000),
        "x".into(),
        "null".into(),
        "0".into(),
        "-1".into(),
        "%FF".into(),
        UNKNOWN_SESSION.into(),
        text(&middle["quotes"][0], "quote_id").into(),
    ] {
        refuses(&app, &format!("next={bad}"), &["next"]).await;
        refuses(&app, &format!("prev={bad}"), &["prev"]).await;
        refuses(&app, &format!("{TODAY}&next={bad}"), &["next"]).await;
    }
    // Blanks around it are no part of it.
    let plain = page(&app, &format!("next={cursor}")).await;
    assert_eq!(page(&app, &format!("next=%20{cursor}%20")).await, plain);
}

#[tokio::test]
async fn a_cursor_is_its_partners_and_its_servers_alone() {
    // D3, D33
    let (app, elsewhere) = (App::start().await, App::start().await);
    let other = app.new_partner("Other Lender").await;
    app.has_health_quote_of(&other, recommendation()).await;
    for (filter, middle) in middle_pages(&app).await {
        for (parameter, field) in [("next", "end_cursor"), ("prev", "start_cursor")] {
            let query = format!("{parameter}={}", text(&middle, field));
            for query in [query.clone(), format!("{filter}&{query}")] {
                let path = format!("{PATH}?{query}");
                is_faulty(&app.as_partner(&other, "GET", &path, None).await, &[parameter], &query);
                refuses(&elsewhere, &query, &[parameter]).await;
            }
        }
    }
}

#[tokio::test]
async fn a_cursor_goes_alone_or_with_its_own_filter() {
    // D31
    let app = App::start().await;
    let [(session, by_session), (_, by_day)] = middle_pages(&app).await;
    for (parameter, field) in [("next", "end_cursor"), ("prev", "start_cursor")] {
        let cursor = format!("{parameter}={}", text(&by_session, field));
        let alone = page(&app, &cursor).await;
        assert_eq!(alone["count"], 9);
        assert_eq!(page(&app, &format!("{session}&{cursor}")).await, alone);
        assert_eq!(page(&app, &format!("{session}&start_date=&end_date=&{cursor}")).await, alone);
        let another = app.has_session().await;
        for filter in [&another, UNKNOWN_SESSION, "x"] {
            refuses(&app, &format!("session_id={filter}&{cursor}"), &["session_id"]).await;
        }
        refuses(&app, &format!("{TODAY}&{cursor}"), &["start_date"]).await;
        refuses(&app, &format!("{TODAY}&{session}&{cursor}"), &["session_id"]).await;

        let cursor = format!("{parameter}={}", text(&by_day, field));
        let alone = page(&app, &cursor).await;
        assert_eq!(alone["count"], 9);
        assert_eq!(page(&app, &format!("{TODAY}&{cursor}")).await, alone);
        for filter in
            ["start_date=2026-11-20", "end_date=2026-11-20", "start_date=2026-11-19&end_date=2026-11-20"]
        {
            refuses(&app, &format!("{filter}&{cursor}"), &["start_date"]).await;
        }
        refuses(&app, &format!("start_date=x&{cursor}"), &["start_date"]).await;
        refuses(&app, &format!("{session}&{cursor}"), &["session_id"]).await;
    }
}

#[tokio::test]
async fn one_date_alone_and_the_days_that_it_stands_for_are_one_filter() {
    // D31
    let app = App::start().await;
    app.has_health_quote(recommendation()).await;
    let alone = page(&app, "start_date=2026-11-14").await;
    let next = text(&alone, "end_cursor");
    for filter in
        ["start_date=2026-11-14", "end_date=2026-11-20", "start_date=2026-11-14&end_date=2026-11-20"]
    {
        is_empty(&page(&app, &format!("{filter}&next={next}")).await);
    }
}

#[tokio::test]
async fn next_and_prev_do_not_go_together() {
    // D33
    let app = App::start().await;
    let [(filter, middle), _] = middle_pages(&app).await;
    let (next, prev) = (text(&middle, "end_cursor"), text(&middle, "start_cursor"));
    for query in [
        format!("next={next}&prev={prev}"),
        format!("next={next}&prev={next}"),
        format!("{filter}&next={next}&prev={prev}"),
        "next=x&prev=y".to_owned(),
    ] {
        list(&app, &query).await.is_refused(400, "V4000");
    }
    // One that is blank is absent.
    page(&app, &format!("next={next}&prev=")).await;
    page(&app, &format!("next=%20&prev={prev}")).await;
}

#[tokio::test]
async fn a_cursor_outlives_its_token_and_its_hour() {
    // D33: a place in a list, not a promise
    let mut app = App::start().await;
    let [(_, middle), _] = middle_pages(&app).await;
    let query = format!("next={}", text(&middle, "end_cursor"));
    let now = page(&app, &query).await;
    app.set_clock("2027-11-20T10:00:00+05:30").await;
    assert_eq!(page(&app, &query).await, now);
}

#[tokio::test]
async fn a_cursor_tells_nothing_to_those_who_read_it() {
    // D33: opaque; no session or quote can be read out of it as text
    let app = App::start().await;
    let [(filter, middle), _] = middle_pages(&app).await;
    let session = filter.strip_prefix("session_id=").expect("by session");
    for field in ["start_cursor", "end_cursor"] {
        let cursor = text(&middle, field);
        assert!(cursor.bytes().all(|byte| LETTERS.contains(&byte)), "fit for an address: {cursor}");
        let bytes = crate::access::from_base64url(cursor);
        for id in [session.to_owned(), app.partner().id.to_string()].iter().chain(&ids(&middle)) {
            let shown = String::from_utf8_lossy(&bytes).into_owned();
            assert!(!shown.contains(id.as_str()) && !cursor.contains(&id[4..]), "{id} in {shown:?}");
        }
    }
}

#[tokio::test]
async fn a_narrow_token_may_read_and_another_may_not() {
    // D2
    let app = App::start().await;
    let with_scope = async |scope: &str| -> Partner {
        Partner { token: app.token_of(app.partner(), &[scope]).await, ..app.partner().clone() }
    };
    let path = format!("{PATH}?{TODAY}");
    let reader = with_scope("business.quote.read").await;
    assert_eq!(app.as_partner(&reader, "GET", &path, None).await.status, 200);
    for scope in ["business.session", "business.quote.write", "business.proposal.read"] {
        let stranger = with_scope(scope).await;
        app.as_partner(&stranger, "GET", &path, None).await.is_refused(403, "A4030");
        // 403 comes before V4000 (D43).
        app.as_partner(&stranger, "GET", PATH, None).await.is_refused(403, "A4030");
    }
}
