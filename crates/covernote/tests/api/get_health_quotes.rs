//! `GET /v1/business/health/quotes`: a partner's quotes in the form of a list, with the permission to read it
//! (interface §8, Stored quote; D2, D19, D35, D42, D51). `list_*.rs` tests filters and pages.

use std::time::Duration;

use domain::health_quote::PlanType;
use serde_json::{Value, json};

use crate::get_health_recommendation::{has_fields, type_of};
use crate::support::bodies::{recommendation, with};
use crate::support::{Answer, App, Partner, Setup, bodies};

const PATH: &str = "/v1/business/health/quotes";

/// The day of the tests, unless they move the clock.
const TODAY: &str = "start_date=2026-11-20&end_date=2026-11-20";

async fn list(app: &App, query: &str) -> Answer {
    app.get(&format!("{PATH}?{query}")).await
}

/// Checks that the answer is a page, and returns it.
async fn page(app: &App, query: &str) -> Value {
    let answer = list(app, query).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text);
    answer.json()
}

/// The ids on a page, in its order.
#[track_caller]
fn ids(page: &Value) -> Vec<String> {
    let quotes = page["quotes"].as_array().unwrap_or_else(|| panic!("{page}"));
    quotes.iter().map(|quote| quote["quote_id"].as_str().expect("an id").to_owned()).collect()
}

fn text<'v>(page: &'v Value, field: &str) -> &'v str {
    page[field].as_str().unwrap_or_else(|| panic!("{field}: {page}"))
}

#[tokio::test]
async fn the_list_has_its_page_fields_at_top_level_and_shows_quotes_as_they_were_stored() {
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
    let catalogue = app.service.shared.catalogues.running();
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
async fn a_finished_quote_shows_its_recommendations_with_the_best_one_first() {
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

/// Fields of a stored quote, then of its recommendations, by the interface's tables. All are always present.
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
async fn every_field_of_the_quote_list_has_the_contracts_type() {
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
async fn member_details_list_each_member_separately_in_the_contracts_order_of_relations() {
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
async fn sum_insured_and_deductible_are_shown_as_text_in_whole_rupees() {
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
async fn of_the_narrow_scopes_only_business_quote_read_allows_the_quote_list() {
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
