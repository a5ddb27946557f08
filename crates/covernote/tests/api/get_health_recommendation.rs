//! `GET /v1/business/health/recommendation/{quote_id}`: progress of a job, with its recommendations
//! (interface §3; D3, D15 to D19, D42, D46, D51, D54).

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use domain::health_quote::{PlanType, Porting};
use domain::id::VariantId;
use rating::Files;
use serde_json::{Value, json};
use service::insurer::{Connectors, Insurer};
use tokio::sync::{Barrier, Semaphore};

use crate::journey_arrival::Log;
use crate::support::bodies::{recommendation, with};
use crate::support::engine::Engine;
use crate::support::insurer::{Answers, Notes};
use crate::support::{Answer, App, Setup, bodies};

const PATH: &str = "/v1/business/health/recommendation";
const QUOTES: &str = "/v1/business/health/quotes";

/// A well-formed id of no quote.
const UNKNOWN: &str = "quo_01m5vvw3xreqg9aaa1afd2xg99";

/// Folders of the insurers of `Setup::health`. The first has three variants, the second has one; their names
/// follow.
const AMRIT: &str = "amrit";
const BHUMI: &str = "bhumi";
const PLAIN: &str = "Plain";
const PLUS: &str = "Plus";
const SOUTH: &str = "South";
const WHOLE: &str = "Whole family";

/// One person, aged 34, in Bengaluru, for a sum insured of ten lakh.
fn alone() -> Value {
    with(recommendation(), "members", json!({ "self": [{ "age": 34 }] }))
}

fn aged(age: Value) -> Value {
    with(recommendation(), "members", json!({ "self": [{ "age": age }] }))
}

/// The finished recommendation for a request.
async fn outcome(app: &App, body: Value) -> Value {
    let id = app.has_health_quote(body).await;
    app.finished_recommendation(&id).await
}

#[track_caller]
fn items(job: &Value) -> &Vec<Value> {
    job["new_recommendations"].as_array().unwrap_or_else(|| panic!("{job}"))
}

/// Names of the offered variants, in their order.
#[track_caller]
fn names(job: &Value) -> Vec<&str> {
    items(job).iter().map(|item| item["variant_name"].as_str().expect("text")).collect()
}

#[track_caller]
fn item<'j>(job: &'j Value, name: &str) -> &'j Value {
    let item = items(job).iter().find(|item| item["variant_name"] == name);
    item.unwrap_or_else(|| panic!("no {name}: {job:#}"))
}

/// The premium of one year.
#[track_caller]
fn yearly<'j>(job: &'j Value, name: &str) -> &'j Value {
    let first = &item(job, name)["tenure_map"][0];
    assert_eq!(first["tenure"], 1);
    &first["premium"]
}

/// Checks that the job is ready and all variants are finished. Exactly these are offered, in any order, and
/// only the first is recommended.
#[track_caller]
fn offers(job: &Value, total: usize, wanted: &[&str]) {
    assert_eq!(job["status"], "success", "{job:#}");
    assert_eq!((&job["completed_variants"], &job["total_variants"]), (&json!(total), &json!(total)));
    let found: BTreeSet<&str> = names(job).into_iter().collect();
    assert_eq!(found, wanted.iter().copied().collect(), "{job:#}");
    assert_eq!(names(job).len(), wanted.len(), "each once");
    for (place, item) in items(job).iter().enumerate() {
        assert_eq!(item["recommended"], place == 0, "{job:#}");
    }
}

// Content of the answers.

#[tokio::test]
async fn a_pending_job_shows_its_progress_and_the_customer() {
    // interface, Recommendation job; D18
    let app = Setup { workers: 0, ..Setup::health() }.start().await;
    let id = app.has_health_quote(bodies::full_recommendation()).await;
    let answer = app.get(&format!("{PATH}/{id}")).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    insta::assert_snapshot!(answer.shown(), @r#"
    {
      "payload": {
        "completed_variants": 0,
        "customer_email": "asha.rao@example.com",
        "customer_gender": "Female",
        "customer_name": "Asha Rao",
        "customer_phone": "9876543210",
        "new_recommendations": [],
        "pincode": "560038",
        "plan_type": "SUPER_TOP_UP",
        "quote_id": "[quo]",
        "status": "pending",
        "sum_insured": 2500000,
        "total_variants": 2
      }
    }
    "#);
    assert_eq!(answer.json()["payload"]["quote_id"], id);
}

#[tokio::test]
async fn a_finished_job_shows_the_offered_variants() {
    // interface, Recommendation job; D18, D19, D51
    let app = Setup::health().start().await;
    let body = with(alone(), "customer.pinCode", json!("110001"));
    let id = app.has_health_quote(with(body, "sum_insured", json!(500_000))).await;
    app.finished_recommendation(&id).await;
    let answer = app.get(&format!("{PATH}/{id}")).await;
    insta::assert_snapshot!(answer.shown(), @r#"
    {
      "payload": {
        "completed_variants": 4,
        "copay": 0,
        "customer_email": "asha.rao@example.com",
        "customer_gender": "Female",
        "customer_name": "Asha Rao",
        "customer_phone": "9876543210",
        "deductible": 0,
        "id": "[rec]",
        "member_details": {
          "self": [
            {
              "age": 34
            }
          ]
        },
        "new_recommendations": [
          {
            "company_claim_settlement_ratio": 95.25,
            "company_description": "A made-up insurer of the tests.",
            "company_id": "ins_01m6hea1thtest000000000001",
            "company_logo": "https://insurers.example/amrit/logo.svg",
            "company_name": "Amrit Health (fictional)",
            "company_network_hospital_count": 9000,
            "filter_tags_ids": [
              "maternity",
              "cashless"
            ],
            "online": true,
            "product_id": "[pro]",
            "product_name": "Amrit Care",
            "recommended": true,
            "tenure_map": [
              {
                "deductible": 0,
                "premium": 4000,
                "tenure": 1
              },
              {
                "deductible": 0,
                "premium": 10800,
                "tenure": 3
              }
            ],
            "variant_description": "Plain cover.",
            "variant_id": "vrt_01m6hea1thtest000000000021",
            "variant_name": "Plain"
          },
          {
            "company_claim_settlement_ratio": 99,
            "company_description": "A made-up insurer of the tests.",
            "company_id": "ins_01m6hea1thtest000000000002",
            "company_logo": "https://insurers.example/bhumi/logo.svg",
            "company_name": "Bhumi Health (fictional)",
            "company_network_hospital_count": 12000,
            "filter_tags_ids": [],
            "online": true,
            "product_id": "[pro]",
            "product_name": "Bhumi Whole Family",
            "recommended": false,
            "tenure_map": [
              {
                "deductible": 0,
                "premium": 4200,
                "tenure": 1
              }
            ],
            "variant_description": "Cover for everybody.",
            "variant_id": "vrt_01m6hea1thtest000000000024",
            "variant_name": "Whole family"
          }
        ],
        "pincode": "110001",
        "plan_type": "BASE",
        "quote_id": "[quo]",
        "status": "success",
        "sum_insured": 500000,
        "total_variants": 4
      }
    }
    "#);
    assert_eq!(answer.json()["payload"]["quote_id"], id);
}

#[tokio::test]
async fn a_variant_that_builds_upon_another_shows_its_parent_variant_id() {
    // interface, new_recommendations: parent_variant_id if applicable
    let app = Setup::health().start().await;
    let job = outcome(&app, alone()).await;
    offers(&job, 4, &[PLAIN, PLUS, SOUTH, WHOLE]);
    assert_eq!(item(&job, PLUS)["parent_variant_id"], item(&job, PLAIN)["variant_id"]);
    for name in [PLAIN, SOUTH, WHOLE] {
        assert_eq!(item(&job, name).get("parent_variant_id"), None, "{name} builds upon none");
    }
    assert_eq!((&item(&job, PLUS)["online"], &item(&job, PLAIN)["online"]), (&json!(false), &json!(true)));
    assert_eq!(item(&job, PLAIN)["filter_tags_ids"], json!(["maternity", "cashless"]));
    assert_eq!(item(&job, PLUS)["filter_tags_ids"], json!([]));
}

#[tokio::test]
async fn each_tenure_of_an_offer_shows_its_premium_and_the_deductible() {
    // interface, new_recommendations
    let app = Setup::health().start().await;
    let job = outcome(&app, alone()).await;
    assert_eq!(
        item(&job, SOUTH)["tenure_map"],
        json!([
            { "tenure": 1, "premium": 4500.5, "deductible": 0 },
            { "tenure": 3, "premium": 12151.35, "deductible": 0 },
        ])
    );
    assert_eq!(item(&job, WHOLE)["tenure_map"], json!([{ "tenure": 1, "premium": 5200, "deductible": 0 }]));
    // A family aged 34, 36, 6 and 3.
    let job = outcome(&app, recommendation()).await;
    assert_eq!(
        item(&job, PLAIN)["tenure_map"],
        json!([
            { "tenure": 1, "premium": 16_000, "deductible": 0 },
            { "tenure": 3, "premium": 43_200, "deductible": 0 },
        ])
    );
}

#[tokio::test]
async fn member_details_show_the_requested_members_with_their_ages_only() {
    // interface, member_details: same shape as request members
    let app = Setup::health().start().await;
    for members in [
        json!({ "self": [{ "age": 34 }] }),
        json!({ "son": [{ "age": 3 }, { "age": 1 }, { "age": 3 }] }),
        json!({
            "self": [{ "age": 34.5 }], "spouse": [{ "age": 36 }], "father": [{ "age": 66 }],
            "mother": [{ "age": 61 }], "daughter": [{ "age": 0.5 }, { "age": 0 }], "son": [{ "age": 120 }],
        }),
    ] {
        let job = outcome(&app, with(recommendation(), "members", members.clone())).await;
        assert_eq!(job["member_details"], members);
    }
    // Other fields of a member are not shown, only the age.
    let members = json!({ "self": [{ "age": 34.0, "name": "Asha" }], "spouse": [], "son": null });
    let job = outcome(&app, with(recommendation(), "members", members)).await;
    assert_eq!(job["member_details"], json!({ "self": [{ "age": 34 }] }));
}

#[tokio::test]
async fn a_finished_job_shows_the_requested_customer_with_a_normalized_phone_number() {
    // interface, Recommendation job; D14
    let app = Setup::health().start().await;
    let job = outcome(&app, with(alone(), "customer.phoneNumber", json!("+91 98765-43210"))).await;
    for (field, value) in [
        ("customer_name", "Asha Rao"),
        ("customer_phone", "9876543210"),
        ("customer_gender", "Female"),
        ("customer_email", "asha.rao@example.com"),
        ("pincode", "560038"),
    ] {
        assert_eq!(job[field], value);
    }
}

/// A field in the interface's tables: name, type, and whether it is present only once the job is ready.
type Field = (&'static str, &'static str, bool);

const JOB: &[Field] = &[
    ("quote_id", "string", false),
    ("id", "string", true),
    ("status", "string", false),
    ("total_variants", "number", false),
    ("completed_variants", "number", false),
    ("sum_insured", "number", false),
    ("pincode", "string", false),
    ("deductible", "number", true),
    ("copay", "number", true),
    ("plan_type", "string", false),
    ("customer_name", "string", false),
    ("customer_phone", "string", false),
    ("customer_gender", "string", false),
    ("customer_email", "string", false),
    ("member_details", "object", true),
    ("new_recommendations", "array", false),
];

const ITEM: &[Field] = &[
    ("company_id", "string", false),
    ("company_name", "string", false),
    ("company_logo", "string", false),
    ("company_description", "string", false),
    ("company_network_hospital_count", "number", false),
    ("company_claim_settlement_ratio", "number", false),
    ("product_id", "string", false),
    ("product_name", "string", false),
    ("variant_id", "string", false),
    ("variant_name", "string", false),
    ("variant_description", "string", false),
    ("recommended", "boolean", false),
    ("online", "boolean", false),
    ("tenure_map", "array", false),
    ("filter_tags_ids", "array", false),
];

/// The name of a JSON type.
pub(crate) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Checks that an object has exactly these fields, each of its type.
#[track_caller]
pub(crate) fn has_fields(value: &Value, wanted: &[(&str, &str)]) {
    let found: BTreeSet<(&str, &str)> = value
        .as_object()
        .unwrap_or_else(|| panic!("{value}"))
        .iter()
        .map(|(name, value)| (name.as_str(), type_of(value)))
        .collect();
    assert_eq!(found, wanted.iter().copied().collect(), "{value:#}");
}

#[track_caller]
fn has_fields_of_job(job: &Value) {
    let ready = job["status"] == "success";
    let wanted = JOB.iter().filter(|(.., late)| ready || !late);
    has_fields(job, &wanted.map(|(name, kind, _)| (*name, *kind)).collect::<Vec<_>>());
    for item in items(job) {
        let mut wanted: Vec<(&str, &str)> = ITEM.iter().map(|(name, kind, _)| (*name, *kind)).collect();
        if item.get("parent_variant_id").is_some() {
            wanted.push(("parent_variant_id", "string"));
        }
        has_fields(item, &wanted);
        for tag in item["filter_tags_ids"].as_array().expect("a list") {
            assert_eq!(type_of(tag), "string");
        }
        let tenures = item["tenure_map"].as_array().expect("a list");
        assert!(!tenures.is_empty(), "{item:#}");
        for tenure in tenures {
            has_fields(tenure, &[("tenure", "number"), ("premium", "number"), ("deductible", "number")]);
        }
        assert!(
            tenures.is_sorted_by(|one, next| one["tenure"].as_u64() < next["tenure"].as_u64()),
            "{item:#}"
        );
    }
}

#[tokio::test]
async fn every_field_of_a_pending_and_of_a_finished_job_has_the_contracts_type() {
    // interface, Recommendation job; D18
    for setup in [Setup::default(), Setup::health()] {
        let app = Setup { workers: 0, ..setup }.start().await;
        let mut ids = Vec::new();
        for body in [recommendation(), alone(), bodies::full_recommendation(), aged(json!(120))] {
            ids.push(app.has_health_quote(body).await);
        }
        for id in &ids {
            has_fields_of_job(&app.recommendation(id).await);
        }
        app.works(8);
        for id in &ids {
            has_fields_of_job(&app.finished_recommendation(id).await);
        }
    }
}

#[tokio::test]
async fn each_recommendation_has_its_own_id_that_does_not_change() {
    // interface, Recommendation job; D20
    let app = Setup::health().start().await;
    let mut seen = BTreeSet::new();
    for _ in 0..3 {
        let quote = app.has_health_quote(alone()).await;
        let job = app.finished_recommendation(&quote).await;
        let id = job["id"].as_str().expect("an id").to_owned();
        let tail = id.strip_prefix("rec_").unwrap_or_else(|| panic!("{id}"));
        assert_eq!(tail.len(), 26);
        assert_eq!(app.recommendation(&quote).await, job, "as often as it is asked for");
        let stored = app.get(&format!("{QUOTES}/{quote}")).await.json();
        let stored = stored["quote"]["recommendations"].as_array().expect("a list");
        assert!(seen.insert(id));
        for item in stored {
            assert!(seen.insert(item["recommendation_id"].as_str().expect("an id").to_owned()), "{seen:?}");
        }
    }
}

// Ranking.

/// The catalogue of the tests with other ranking weights.
fn weighing(weights: &'static str) -> Setup {
    Setup::health().edited("catalogue.toml", move |text| {
        let (head, _) = text.split_once("[ranking]").expect("there");
        format!("{head}[ranking]\n{weights}\n")
    })
}

#[tokio::test]
async fn offers_are_ranked_by_the_operators_weights_and_only_the_first_is_recommended() {
    // D19, D51: of equal offers, the cheaper one comes first
    for (criterion, order, copay) in [
        ("price", [SOUTH, PLAIN, WHOLE, PLUS], 0),
        ("claim_ratio", [WHOLE, SOUTH, PLAIN, PLUS], 0),
        ("network", [WHOLE, SOUTH, PLAIN, PLUS], 0),
        ("waiting", [PLUS, PLAIN, SOUTH, WHOLE], 10),
        ("copay", [SOUTH, PLAIN, WHOLE, PLUS], 0),
    ] {
        let weights = ["price", "claim_ratio", "network", "waiting", "copay"]
            .map(|word| format!("{word} = {}", u8::from(word == criterion)))
            .join("\n");
        let app = weighing(weights.leak()).start().await;
        let job = outcome(&app, alone()).await;
        offers(&job, 4, &[PLAIN, PLUS, SOUTH, WHOLE]);
        assert_eq!(names(&job), order, "{criterion}");
        assert_eq!(job["copay"], copay, "the recommended variant's");
    }
}

#[tokio::test]
async fn the_copay_of_a_job_is_that_of_its_recommended_variant() {
    // D51
    let app = Setup::health().start().await;
    // South is the cheapest at any age. From age 61, its customers pay a co-pay.
    for (age, copay) in [(60, 0), (61, 20)] {
        let job = outcome(&app, aged(json!(age))).await;
        assert_eq!((names(&job)[0], &job["copay"]), (SOUTH, &json!(copay)), "{age}");
    }
}

// Variants that are left out, but counted.

#[tokio::test]
async fn a_variant_that_lacks_the_requested_sum_insured_is_not_offered() {
    // D16, D17
    let app = Setup::health().start().await;
    for (sum, wanted) in [
        (json!(500_000), &[PLAIN, WHOLE][..]),
        (json!(1_000_000), &[PLAIN, PLUS, SOUTH, WHOLE]),
        (json!(0), &[PLAIN, PLUS, SOUTH, WHOLE]),
        (json!(2_500_000), &[PLUS]),
        (json!(750_000), &[]),
        (json!(1_000_000.01), &[]),
        (json!(1), &[]),
        (json!(1e308), &[]),
    ] {
        let job = outcome(&app, with(alone(), "sum_insured", sum.clone())).await;
        offers(&job, 4, wanted);
        if sum != json!(0) && sum != json!(1e308) {
            assert_eq!(job["sum_insured"].as_f64(), sum.as_f64(), "the one used");
        }
    }
}

#[tokio::test]
async fn a_variant_that_lacks_the_requested_deductible_is_not_offered() {
    // D16, D51
    let app = Setup::health().start().await;
    for (deductible, used, wanted) in [
        (json!(100_000), json!(100_000), &[WHOLE][..]),
        (json!(0), json!(0), &[PLAIN, PLUS, SOUTH, WHOLE]),
        (Value::Null, json!(0), &[PLAIN, PLUS, SOUTH, WHOLE]),
        (json!(""), json!(0), &[PLAIN, PLUS, SOUTH, WHOLE]),
        (json!(50_000), json!(50_000), &[]),
    ] {
        let job = outcome(&app, with(alone(), "deductible", deductible.clone())).await;
        offers(&job, 4, wanted);
        assert_eq!(job["deductible"], used, "{deductible}");
        for item in items(&job) {
            assert_eq!(item["tenure_map"][0]["deductible"], used);
        }
    }
    let job = outcome(&app, with(alone(), "deductible", json!(100_000))).await;
    assert_eq!(yearly(&job, WHOLE), &json!(2600));
}

#[tokio::test]
async fn a_super_top_up_request_without_a_deductible_uses_each_variants_smallest_one() {
    // D16, D18, D51
    let app = Setup::health().start().await;
    let body = with(alone(), "plan_type", json!("super_top_up"));
    for none in [Value::Null, json!(""), json!(0)] {
        let job = outcome(&app, with(body.clone(), "deductible", none)).await;
        offers(&job, 2, &["Narrow", "Wide"]);
        assert_eq!(job["plan_type"], "SUPER_TOP_UP");
        assert_eq!(
            item(&job, "Wide")["tenure_map"],
            json!([{ "tenure": 1, "premium": 1500, "deductible": 300_000 }])
        );
        assert_eq!(
            item(&job, "Narrow")["tenure_map"],
            json!([{ "tenure": 1, "premium": 800, "deductible": 500_000 }])
        );
        assert_eq!(
            (names(&job)[0], &job["deductible"], &job["copay"]),
            ("Narrow", &json!(500_000), &json!(0))
        );
    }
    for (deductible, sum, wanted, copay) in [
        (500_000, 1_000_000, &["Narrow", "Wide"][..], 0),
        (300_000, 1_000_000, &["Wide"], 5),
        (500_000, 2_500_000, &["Wide"], 5),
        (400_000, 1_000_000, &[], 0),
        (500_000, 500_000, &[], 0),
    ] {
        let asked = with(with(body.clone(), "deductible", json!(deductible)), "sum_insured", json!(sum));
        let job = outcome(&app, asked).await;
        offers(&job, 2, wanted);
        assert_eq!((&job["deductible"], &job["copay"]), (&json!(deductible), &json!(copay)));
        for item in items(&job) {
            assert_eq!(item["tenure_map"][0]["deductible"], deductible);
        }
    }
}

#[tokio::test]
async fn a_variant_that_is_not_sold_at_the_customers_pincode_is_not_offered() {
    // D17
    let app = Setup::health().start().await;
    for (pincode, wanted) in [
        ("560038", &[PLAIN, PLUS, SOUTH, WHOLE][..]),
        ("569999", &[PLAIN, PLUS, SOUTH, WHOLE]),
        ("550000", &[PLAIN, PLUS, WHOLE]),
        ("110001", &[PLAIN, PLUS, WHOLE]),
    ] {
        offers(&outcome(&app, with(alone(), "customer.pinCode", json!(pincode))).await, 4, wanted);
    }
}

#[tokio::test]
async fn a_variant_that_does_not_cover_the_requested_family_is_not_offered() {
    // D17
    let app = Setup::health().start().await;
    let son = |ages: &[f64]| -> Value { ages.iter().map(|age| json!({ "age": age })).collect() };
    for (members, wanted) in [
        (json!({ "self": [{ "age": 18 }] }), &[PLAIN, PLUS, SOUTH, WHOLE][..]),
        (json!({ "self": [{ "age": 17.99 }] }), &[]),
        (json!({ "self": [{ "age": 65.99 }] }), &[PLAIN, PLUS, SOUTH, WHOLE]),
        (json!({ "self": [{ "age": 66 }] }), &[WHOLE]),
        (json!({ "self": [{ "age": 101 }] }), &[]),
        (json!({ "self": [{ "age": 34 }], "father": [{ "age": 60 }] }), &[PLAIN, PLUS, WHOLE]),
        (json!({ "self": [{ "age": 34 }], "spouse": [{ "age": 36 }], "mother": [{ "age": 60 }] }), &[WHOLE]),
        (json!({ "self": [{ "age": 34 }], "son": son(&[0.0, 25.99]) }), &[PLAIN, PLUS, WHOLE]),
        // From age 26, a son is an adult.
        (json!({ "self": [{ "age": 54 }], "son": son(&[1.0, 26.0]) }), &[PLAIN, PLUS, WHOLE]),
        (json!({ "self": [{ "age": 34 }], "son": son(&[1.0, 2.0, 3.0]) }), &[WHOLE]),
        (json!({ "self": [{ "age": 34 }], "son": son(&[1.0; 9]) }), &[]),
        (json!({ "daughter": [{ "age": 5 }] }), &[]),
    ] {
        let job = outcome(&app, with(recommendation(), "members", members.clone())).await;
        offers(&job, 4, wanted);
    }
}

#[tokio::test]
async fn a_job_succeeds_with_an_empty_list_if_no_variant_is_offered() {
    // D17, D19, D51
    let app = Setup::health().start().await;
    let job = outcome(&app, aged(json!(120))).await;
    offers(&job, 4, &[]);
    assert_eq!((&job["copay"], &job["deductible"]), (&json!(0), &json!(0)));
    assert!(job["id"].is_string());
    // If the partner may sell nothing, no insurer is asked.
    let closed = Setup::health().edited("catalogue.toml", |text| {
        format!("{text}\n[[assortment]]\npartner = \"{}\"\nvariants = []\n", app.partner().id)
    });
    app.runs_catalogue(&closed.catalogue).await;
    offers(&outcome(&app, alone()).await, 0, &[]);
    app.has_no_job_left().await;
}

#[tokio::test]
async fn a_partner_is_offered_only_the_variants_of_its_assortment() {
    // D22: the variants that the operator's catalogue opens to the partner
    let app = Setup::health().start().await;
    let other = app.new_partner("Other Lender").await;
    let job = outcome(&app, alone()).await;
    let (plain, whole) = (&item(&job, PLAIN)["variant_id"], &item(&job, WHOLE)["variant_id"]);
    let narrow = Setup::health().edited("catalogue.toml", |text| {
        format!("{text}\n[[assortment]]\npartner = \"{}\"\nvariants = [{whole}, {plain}]\n", app.partner().id)
    });
    app.runs_catalogue(&narrow.catalogue).await;
    offers(&outcome(&app, alone()).await, 2, &[PLAIN, WHOLE]);
    let body = with(alone(), "plan_type", json!("super_top_up"));
    offers(&outcome(&app, body).await, 0, &[]);
    let theirs = app.has_health_quote_of(&other, alone()).await;
    app.has_no_job_left().await;
    let path = format!("{PATH}/{theirs}");
    let theirs = app.as_partner(&other, "GET", &path, None).await.json()["payload"].clone();
    offers(&theirs, 4, &[PLAIN, PLUS, SOUTH, WHOLE]);
}

// What changes the price.

#[tokio::test]
async fn selected_diseases_change_the_price_only_with_has_ped_and_an_unknown_one_counts_as_other() {
    // D16
    let app = Setup::health().start().await;
    for (has_ped, selected, premium) in [
        (false, json!([]), 5000),
        (false, json!(["diabetes"]), 5000),
        (false, json!(["cancer", "unheard-of"]), 5000),
        (true, json!(["asthma"]), 5000),
        (true, json!(["diabetes"]), 7500),
        (true, json!(["diabetes", "diabetes"]), 7500),
        (true, json!(["unheard-of"]), 6000),
        (true, json!(["other"]), 6000),
        (true, json!(["unheard-of", "other", "42"]), 6000),
        (true, json!(["diabetes", "unheard-of", "asthma"]), 8500),
    ] {
        let body = with(with(alone(), "hasPED", json!(has_ped)), "selectedPEDs", selected.clone());
        let job = outcome(&app, body).await;
        assert_eq!(yearly(&job, PLAIN), &json!(premium), "{has_ped} {selected}");
        assert_eq!(yearly(&job, WHOLE), &json!(5200), "it asks nothing for any");
    }
    let body = with(with(alone(), "hasPED", json!(true)), "selectedPEDs", json!(["asthma", "cancer"]));
    offers(&outcome(&app, body).await, 4, &[WHOLE]);
}

#[tokio::test]
async fn porting_changes_no_price() {
    // D16
    let app = Setup::health().start().await;
    let plain = outcome(&app, alone()).await["new_recommendations"].clone();
    for (is_porting, tenure) in
        [(json!(true), json!(4)), (json!(true), Value::Null), (json!(false), json!(4))]
    {
        let body = with(with(alone(), "is_porting", is_porting), "porting_tenure", tenure);
        assert_eq!(outcome(&app, body).await["new_recommendations"], plain);
    }
}

// The day and the catalogue of a job.

/// The last moment before the tax on health becomes 10 percent, then the first moment after.
const BEFORE: &str = "2026-12-31T23:59:59.999999+05:30";
const AFTER: &str = "2027-01-01T00:00:00+05:30";

#[tokio::test]
async fn a_price_includes_the_tax_rate_of_the_day_in_kolkata() {
    // D23: the shown price includes tax
    let mut app = Setup::health().start().await;
    for (now, premium) in [(BEFORE, json!(4500.5)), (AFTER, json!(4950.55))] {
        app.set_clock(now).await;
        let job = outcome(&app, alone()).await;
        assert_eq!(yearly(&job, SOUTH), &premium, "{now}");
    }
}

#[tokio::test]
async fn a_job_has_the_prices_of_the_day_of_its_request_whenever_it_is_run() {
    // D17: whenever a worker runs the job
    let mut app = Setup { workers: 0, ..Setup::health() }.start().await;
    app.set_clock(BEFORE).await;
    let id = app.has_health_quote(alone()).await;
    app.set_clock(AFTER).await;
    let later = app.has_health_quote(alone()).await;
    app.works(2);
    let premium = async |id: &str| yearly(&app.finished_recommendation(id).await, SOUTH).clone();
    assert_eq!((premium(&id).await, premium(&later).await), (json!(4500.5), json!(4950.55)));
    // The answer is the same years later, for the ages in the request.
    let job = app.recommendation(&id).await;
    app.set_clock("2031-06-15T12:00:00+05:30").await;
    assert_eq!(app.recommendation(&id).await, job);
}

/// The catalogue of the tests with renamed products, higher prices and one product less.
fn next_year() -> Setup {
    let dearer = |text: String| text.replace("18,35,4000,5000", "18,35,4400,5500");
    let renamed = |text: String| {
        let (kept, _) =
            text.split_once("[[variant]]\nid = \"vrt_01m6hea1thtest000000000023\"").expect("there");
        kept.replace("Amrit Care", "Amrit Care Gold")
            .replace("Plain cover.", "Plainer.")
            .replace("= 24", "= 30")
    };
    Setup::health().edited("insurers/amrit/plain.csv", dearer).edited("insurers/amrit/product.toml", renamed)
}

#[tokio::test]
async fn a_finished_quote_keeps_its_names_and_prices_after_the_catalogue_changes() {
    // D17: the names and prices at the time of the request
    let app = Setup::health().start().await;
    let id = app.has_health_quote(alone()).await;
    let before = app.finished_recommendation(&id).await;
    let stored = app.get(&format!("{QUOTES}/{id}")).await.json();
    let mut next = next_year();
    next = next.edited("insurers/amrit/south.csv", |text| text);
    let files: Vec<String> = next.catalogue.paths().map(str::to_owned).collect();
    let kept = files.into_iter().filter(|path| !path.ends_with("south.csv"));
    let kept = kept.map(|path| (path.clone(), next.catalogue.get(&path).expect("there").to_vec()));
    app.runs_catalogue(&Files::of(kept).expect("plain paths")).await;

    assert_eq!(app.recommendation(&id).await, before);
    assert_eq!(app.get(&format!("{QUOTES}/{id}")).await.json(), stored);
    let list = app.get(&format!("{QUOTES}?start_date=2026-11-20")).await.json();
    assert_eq!(list["quotes"][0], stored["quote"]);
    let new = outcome(&app, alone()).await;
    offers(&new, 3, &[PLAIN, PLUS, WHOLE]);
    assert_eq!(yearly(&new, PLAIN), &json!(5500));
    assert_eq!(item(&new, PLAIN)["product_name"], "Amrit Care Gold");
}

#[tokio::test]
async fn a_job_is_priced_by_the_catalogue_of_its_request_after_the_catalogue_changes() {
    // D17
    let app = Setup { workers: 0, ..Setup::health() }.start().await;
    let id = app.has_health_quote(alone()).await;
    let dearer = Setup::health()
        .edited("insurers/amrit/plain.csv", |text| text.replace("18,35,4000,5000", "18,35,4400,5500"));
    app.runs_catalogue(&dearer.catalogue).await;
    app.works(1);
    assert_eq!(yearly(&app.finished_recommendation(&id).await, PLAIN), &json!(5000));
    assert_eq!(yearly(&outcome(&app, alone()).await, PLAIN), &json!(5500));
}

// Insurers that are reached over HTTP.

/// The catalogue of the tests, with insurers that are reached over HTTP.
fn asking(insurers: Vec<(&'static str, Answers)>) -> Setup {
    let played =
        insurers.into_iter().map(|(folder, answers)| (folder, Arc::new(answers) as Arc<dyn Insurer>));
    let patient = Duration::from_secs(120);
    Setup { recommendation_deadline: patient, ..Setup::health() }.asking(played.collect())
}

#[tokio::test]
async fn an_insurer_reached_over_http_prices_its_own_variants() {
    // D17, D19
    let app = asking(vec![(AMRIT, Answers::Premium(123_400))]).start().await;
    let job = outcome(&app, alone()).await;
    offers(&job, 4, &[PLAIN, PLUS, SOUTH, WHOLE]);
    for name in [PLAIN, PLUS, SOUTH] {
        let offered = json!([{ "tenure": 1, "premium": 1234.18, "deductible": 0 }]);
        assert_eq!(item(&job, name)["tenure_map"], offered, "with its tax");
    }
    assert_eq!(names(&job)[3], WHOLE, "the dearest comes last");
    app.has_no_job_left().await;
}

#[tokio::test]
async fn only_the_variants_of_an_insurer_without_a_usable_answer_are_left_out() {
    // D17
    for answers in [Answers::Failure, Answers::Refusal, Answers::Panic, Answers::Nothing, Answers::TooMany] {
        let app = asking(vec![(AMRIT, answers)]).start().await;
        let id = app.has_health_quote(alone()).await;
        let job = app.finished_recommendation(&id).await;
        offers(&job, 4, &[WHOLE]);
        assert_eq!(yearly(&job, WHOLE), &json!(5200));
        let stored = app.get(&format!("{QUOTES}/{id}")).await;
        assert_eq!(stored.json()["quote"]["recommendations"].as_array().map(Vec::len), Some(1));
        assert!(!stored.text.contains("CANARY") && !job.to_string().contains("CANARY"));
        app.has_no_job_left().await;
    }
}

#[tokio::test]
async fn a_job_finishes_at_its_deadline_without_an_insurer_that_never_answers() {
    // D17
    let impatient = Duration::from_millis(200);
    let setup = asking(vec![(AMRIT, Answers::Never), (BHUMI, Answers::Never)]);
    let app = Setup { recommendation_deadline: impatient, ..setup }.start().await;
    offers(&outcome(&app, alone()).await, 4, &[]);
    let app =
        Setup { recommendation_deadline: impatient, ..asking(vec![(AMRIT, Answers::Never)]) }.start().await;
    offers(&outcome(&app, alone()).await, 4, &[WHOLE]);
    app.has_no_job_left().await;
}

/// Connectors that panic at each connection.
struct Broken;

impl Connectors for Broken {
    fn connect(&self, _: &rating::Insurer) -> Option<Arc<dyn Insurer>> {
        panic!("CANARY")
    }
}

#[tokio::test]
async fn a_job_succeeds_without_the_variants_whose_pricing_panics() {
    // D17: the job always reaches success
    let setup = asking(vec![(AMRIT, Answers::Never)]);
    let app = Setup { connectors: Arc::new(Broken), ..setup }.start().await;
    let id = app.has_health_quote(alone()).await;
    let job = app
        .eventually("the job is finished", async || {
            app.clock.advance(Duration::from_secs(1));
            let job = app.recommendation(&id).await;
            (job["status"] == "success").then_some(job)
        })
        .await;
    assert_eq!((&job["completed_variants"], &job["total_variants"]), (&json!(4), &json!(4)));
    for name in [PLAIN, PLUS, SOUTH] {
        assert!(!names(&job).contains(&name), "{job}");
    }
    app.has_no_job_left().await;
}

#[tokio::test]
async fn a_job_whose_catalogue_is_missing_ends_without_offers() {
    // D17
    let app = Setup { workers: 0, ..Setup::health() }.start().await;
    let id = app.has_health_quote(alone()).await;
    app.store
        .says("create table aside as select * from catalogues; delete from catalogues")
        .expect("kept aside");
    let dearer = Setup::health()
        .edited("insurers/amrit/plain.csv", |text| text.replace("18,35,4000,5000", "18,35,4400,5500"));
    let other = app.another_process(&dearer.catalogue).await;
    let working = tokio::spawn(Arc::clone(&other.workers).work(1, std::future::pending()));
    app.eventually("the job has ended", async || {
        app.clock.advance(Duration::from_secs(1));
        (app.rows_of("jobs") == 0).then_some(())
    })
    .await;
    working.abort();
    app.store
        .says("insert into catalogues select * from aside where true on conflict (hash) do nothing")
        .expect("brought back");
    offers(&app.recommendation(&id).await, 4, &[]);
}

/// Makes the store refuse all changes of jobs (`true`), or allow them again (`false`).
fn refuses_writes_about_jobs(app: &App, refuses: bool) {
    let statements = match (&app.store, refuses) {
        (Engine::Sqlite(_), true) => {
            "create trigger no_job_changes before update on jobs begin select raise(abort, 'refused'); end;
             create trigger no_job_goes before delete on jobs begin select raise(abort, 'refused'); end"
        }
        (Engine::Sqlite(_), false) => "drop trigger no_job_changes; drop trigger no_job_goes",
        (Engine::Postgres(_), true) => {
            "create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end';
             create trigger no_job_changes before update or delete on jobs for each row execute function refuse()"
        }
        (Engine::Postgres(_), false) => "drop trigger no_job_changes on jobs; drop function refuse",
    };
    app.store.says(statements).expect("said");
}

#[tokio::test]
async fn a_job_whose_result_could_not_be_stored_continues_when_the_store_accepts_writes_again() {
    // D17: while the store refuses writes, the job neither ends nor is rescheduled. It must not be held for
    // ever.
    let (log, _logging) = Log::from_level(tracing::Level::WARN);
    let gate = Arc::new(Semaphore::new(0));
    let app = asking(vec![(BHUMI, Answers::Admitted(gate.clone()))]).start().await;
    let id = app.has_health_quote(alone()).await;
    app.eventually("three are finished", async || (progress(&app, &id).await == 3).then_some(())).await;
    refuses_writes_about_jobs(&app, true);
    gate.add_permits(100);
    let gives_up = "could not be postponed; it continues when its lease lapses";
    app.eventually("its worker gives up", async || log.text().contains(gives_up).then_some(())).await;
    refuses_writes_about_jobs(&app, false);
    assert_eq!(progress(&app, &id).await, 3);
    // No renewal extends its lease. The lease ends, and a worker claims the job again.
    let job = app
        .eventually("the job is finished", async || {
            app.clock.advance(Duration::from_secs(1));
            let job = app.recommendation(&id).await;
            (job["status"] == "success").then_some(job)
        })
        .await;
    offers(&job, 4, &[PLAIN, PLUS, SOUTH, WHOLE]);
    app.has_no_job_left().await;
}

#[tokio::test]
async fn variants_with_rate_tables_are_offered_if_an_insurers_connection_fails() {
    // D17: an insurer's failure leaves out only its own variants
    let setup = asking(vec![(AMRIT, Answers::Never)]);
    let app = Setup { connectors: Arc::new(Broken), ..setup }.start().await;
    let id = app.has_health_quote(alone()).await;
    let job = app
        .eventually("the job is finished", async || {
            app.clock.advance(Duration::from_secs(1));
            let job = app.recommendation(&id).await;
            (job["status"] == "success").then_some(job)
        })
        .await;
    offers(&job, 4, &[WHOLE]);
}

#[tokio::test]
async fn the_insurers_of_one_job_are_asked_simultaneously() {
    // D17
    let barrier = Arc::new(Barrier::new(2));
    let both = [AMRIT, BHUMI].map(|folder| (folder, Answers::Together(barrier.clone())));
    let app = asking(both.into()).start().await;
    offers(&outcome(&app, alone()).await, 4, &[PLAIN, PLUS, SOUTH, WHOLE]);
}

#[tokio::test]
async fn jobs_do_not_wait_for_each_other() {
    // D17
    let gate = Arc::new(Semaphore::new(0));
    let app = asking(vec![(AMRIT, Answers::Admitted(gate.clone()))]).start().await;
    let waiting = app.has_health_quote(alone()).await;
    let top_up = app.has_health_quote(with(alone(), "plan_type", json!("super_top_up"))).await;
    offers(&app.finished_recommendation(&top_up).await, 2, &["Narrow", "Wide"]);
    assert_eq!(app.recommendation(&waiting).await["status"], "pending");
    gate.add_permits(1);
    offers(&app.finished_recommendation(&waiting).await, 4, &[PLAIN, PLUS, SOUTH, WHOLE]);
}

/// Number of finished variants of a job, which must be pending and look like a pending job.
async fn progress(app: &App, id: &str) -> u64 {
    let job = app.recommendation(id).await;
    assert_eq!((&job["status"], &job["new_recommendations"]), (&json!("pending"), &json!([])), "{job:#}");
    has_fields_of_job(&job);
    let (completed, total) = (job["completed_variants"].as_u64(), job["total_variants"].as_u64());
    assert!(completed < total && total == Some(4), "{job:#}");
    completed.expect("a number")
}

#[tokio::test]
async fn a_job_with_a_slow_insurer_shows_growing_progress_until_it_is_ready() {
    // interface, States; D17, D18, D42
    let gates = [Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0))];
    let slow = [(AMRIT, &gates[0]), (BHUMI, &gates[1])];
    let app =
        asking(slow.map(|(folder, gate)| (folder, Answers::Admitted(gate.clone()))).into()).start().await;
    let id = app.has_health_quote(alone()).await;
    let stored = async || app.get(&format!("{QUOTES}/{id}")).await.json()["quote"].clone();
    assert_eq!(progress(&app, &id).await, 0);
    assert_eq!(stored().await["recommendations"], json!([]));

    gates[1].add_permits(1);
    app.eventually("one is finished", async || (progress(&app, &id).await == 1).then_some(())).await;
    let quote = stored().await;
    assert_eq!((&quote["completed_variants"], &quote["total_variants"]), (&json!(1), &json!(4)));
    let finished = quote["recommendations"].as_array().expect("a list");
    assert_eq!((finished.len(), &finished[0]["variant_name"]), (1, &json!(WHOLE)));
    assert_eq!(finished[0]["recommended"], false, "none is, while others are open");
    let list = app.get(&format!("{QUOTES}?start_date=2026-11-20")).await.json();
    assert_eq!(list["quotes"][0], quote, "in the list as well");

    gates[0].add_permits(1);
    let job = app.finished_recommendation(&id).await;
    offers(&job, 4, &[PLAIN, PLUS, SOUTH, WHOLE]);
    let quote = stored().await;
    let stands: Vec<&Value> = quote["recommendations"].as_array().expect("a list").iter().collect();
    assert_eq!(
        stands.iter().map(|item| item["variant_name"].as_str().expect("text")).collect::<Vec<_>>(),
        names(&job)
    );
    assert_eq!(stands[0]["recommended"], true);
    app.has_no_job_left().await;
}

#[tokio::test]
async fn variants_with_rate_tables_are_priced_before_a_slow_insurer_answers() {
    // D17, D42
    let gate = Arc::new(Semaphore::new(0));
    let app = asking(vec![(BHUMI, Answers::Admitted(gate.clone()))]).start().await;
    let id = app.has_health_quote(alone()).await;
    app.eventually("three are finished", async || (progress(&app, &id).await == 3).then_some(())).await;
    let quote = app.get(&format!("{QUOTES}/{id}")).await.json()["quote"].clone();
    let finished = quote["recommendations"].as_array().expect("a list");
    assert_eq!(finished.len(), 3);
    assert!(finished.iter().all(|item| item["recommended"] == false), "{quote:#}");
    gate.add_permits(1);
    offers(&app.finished_recommendation(&id).await, 4, &[PLAIN, PLUS, SOUTH, WHOLE]);
}

#[tokio::test]
async fn the_number_of_completed_variants_never_decreases() {
    // interface, States
    let gates = [Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0))];
    let slow = [(AMRIT, &gates[0]), (BHUMI, &gates[1])];
    let app =
        asking(slow.map(|(folder, gate)| (folder, Answers::Admitted(gate.clone()))).into()).start().await;
    let mut ids = Vec::new();
    for _ in 0..8 {
        ids.push(app.has_health_quote(alone()).await);
    }
    let mut seen = vec![0; ids.len()];
    let mut looks = 0;
    app.eventually("all jobs are finished", async || {
        // Requests are admitted one by one, while the test reads the jobs.
        gates[looks % 2].add_permits(1);
        looks += 1;
        let mut open = false;
        for (id, seen) in ids.iter().zip(&mut seen) {
            let job = app.recommendation(id).await;
            let completed = job["completed_variants"].as_u64().expect("a number");
            assert!(completed >= *seen, "from {seen} to {completed}");
            assert_eq!(completed == 4, job["status"] == "success", "{job}");
            *seen = completed;
            open |= completed < 4;
        }
        (!open).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_job_that_a_stopped_worker_hands_back_continues_without_repeating_finished_asks() {
    // D17: finished asks are not repeated
    let (notes, gate) = (Arc::new(Notes::default()), Arc::new(Semaphore::new(0)));
    let slow: Arc<dyn Insurer> = Arc::new(Answers::Admitted(gate.clone()));
    let patient = Duration::from_secs(120);
    let setup = Setup { workers: 0, recommendation_deadline: patient, ..Setup::health() };
    let app = setup.asking(vec![(AMRIT, notes.clone()), (BHUMI, slow)]).start().await;
    let id = app.has_health_quote(alone()).await;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let working = tokio::spawn(Arc::clone(&app.service.workers).work(4, async {
        let _ = stopped.await;
    }));
    app.eventually("three are finished", async || (progress(&app, &id).await == 3).then_some(())).await;
    stop.send(()).expect("it is working");
    working.await.expect("it stops");
    assert_eq!((progress(&app, &id).await, app.rows_of("jobs where owner is null")), (3, 1));

    app.works(4);
    gate.add_permits(1);
    offers(&app.finished_recommendation(&id).await, 4, &[WHOLE]);
    assert_eq!(notes.asked().len(), 1, "the other was not asked again");
    app.has_no_job_left().await;
}

#[tokio::test]
async fn a_job_of_a_killed_worker_is_continued_by_another_only_after_its_lease_lapses() {
    // D17
    let gate = Arc::new(Semaphore::new(0));
    let setup = Setup { workers: 0, ..asking(vec![(BHUMI, Answers::Admitted(gate.clone()))]) };
    let app = setup.start().await;
    let id = app.has_health_quote(alone()).await;
    let working = tokio::spawn(Arc::clone(&app.service.workers).work(4, std::future::pending()));
    app.eventually("three are finished", async || (progress(&app, &id).await == 3).then_some(())).await;
    working.abort();
    assert!(working.await.expect_err("killed").is_cancelled());
    assert_eq!(app.rows_of("jobs where owner is not null"), 1, "it still holds its lease");
    app.works(4);
    gate.add_permits(100);
    // A later job is finished, so the workers have looked for jobs since.
    outcome(&app, alone()).await;
    assert_eq!(progress(&app, &id).await, 3, "while the lease holds, nobody else works on it");
    app.clock.advance(Duration::from_secs(11));
    offers(&app.finished_recommendation(&id).await, 4, &[PLAIN, PLUS, SOUTH, WHOLE]);
    app.has_no_job_left().await;
}

#[tokio::test]
async fn an_insurer_gets_one_ask_for_all_its_variants_with_all_data_of_the_request() {
    // D16
    let notes = Arc::new(Notes::default());
    let insurer: Arc<dyn Insurer> = notes.clone();
    let mut app = Setup::health().asking(vec![(AMRIT, insurer)]).start().await;
    app.set_clock(AFTER).await;
    let mut body = bodies::full_recommendation();
    body["plan_type"] = json!("base");
    body["porting_tenure"] = json!(2.5);
    offers(&outcome(&app, body).await, 4, &[]);
    let asked = notes.asked();
    assert_eq!(asked.len(), 1, "once, all its variants together");
    let (asked, request) = (&asked[0], &asked[0].request);
    assert_eq!(asked.on.to_string(), "2027-01-01", "the day in Kolkata");
    let catalogue = app.service.shared.catalogues.running();
    let own: Vec<VariantId> = catalogue
        .health_variants(app.partner().id, PlanType::Base)
        .filter(|variant| variant.insurer().name.starts_with("Amrit"))
        .map(|variant| variant.id)
        .collect();
    assert_eq!((own.len(), &asked.variants), (3, &own));
    assert_eq!(request.lead.as_ref().map(|lead| lead.reveal()), Some("lead-1001"));
    assert_eq!(request.customer.phone.as_ref().map(|phone| phone.reveal()), Some("9876543210"));
    assert_eq!(request.selected_peds, ["diabetes", "something-else"]);
    assert_eq!(request.porting, Some(Porting { tenure: Some("2.5".parse().expect("a number")) }));
    assert_eq!((request.sum_insured.to_string(), request.members.len()), ("2500000.00".to_owned(), 4));
    assert_eq!(request.deductible.map(|amount| amount.to_string()).as_deref(), Some("500000.00"));

    let plain = with(with(alone(), "is_porting", json!(false)), "porting_tenure", json!(2));
    outcome(&app, plain).await;
    assert_eq!(notes.asked()[1].request.porting, None);
}

// Jobs of other partners.

#[tokio::test]
async fn an_id_that_is_no_job_of_the_partner_is_r4040() {
    // D3, D46, D54
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let foreign = app.has_health_quote_of(&other, recommendation()).await;
    let embedded = app.has_quote().await["quote_id"].as_str().expect("an id").to_owned();
    let session = app.has_session().await;
    let own = app.has_health_quote(recommendation()).await;
    let job = app.finished_recommendation(&own).await;
    let item = job["id"].as_str().expect("an id");
    let bad = [
        UNKNOWN,
        &foreign,
        &embedded,
        &session,
        item,
        &own.to_uppercase(),
        &own[4..],
        &own[..29],
        "x",
        "quo_",
        "%20",
        "%FF",
        "..%2Fquotes",
    ];
    for id in bad {
        let answer = app.get(&format!("{PATH}/{id}")).await;
        assert_eq!(answer.status, 404, "{id}: {}", answer.text);
        answer.is_refused(404, "R4040");
        assert_eq!(answer.json()["instance"], format!("{PATH}/{id}"));
    }
    let told = async |id: &str| app.get(&format!("{PATH}/{id}")).await.text.replace(id, "[id]");
    assert_eq!(told(&foreign).await, told(UNKNOWN).await, "another's is told as an unknown one is");
    let theirs: Answer = app.as_partner(&other, "GET", &format!("{PATH}/{own}"), None).await;
    theirs.is_refused(404, "R4040");
}

// The sample catalogue.

#[tokio::test]
async fn the_sample_catalogue_recommends_plans_of_several_insurers_for_each_plan_type() {
    // D17, D19
    let app = App::start().await;
    let catalogue = app.service.shared.catalogues.running();
    assert!(catalogue.all_health_variants().len() >= 20);
    let tags: BTreeSet<&str> = catalogue.filter_tags().iter().map(|tag| tag.id.as_str()).collect();
    for (word, plan) in [("base", PlanType::Base), ("super_top_up", PlanType::SuperTopUp)] {
        let job = outcome(&app, with(recommendation(), "plan_type", json!(word))).await;
        let asked: BTreeSet<String> =
            catalogue.health_variants(app.partner().id, plan).map(|variant| variant.id.to_string()).collect();
        assert_eq!((&job["status"], &job["total_variants"]), (&json!("success"), &json!(asked.len())));
        assert_eq!(job["completed_variants"], asked.len());
        assert!(items(&job).len() >= 4, "{job:#}");
        let companies: BTreeSet<&str> =
            items(&job).iter().filter_map(|item| item["company_name"].as_str()).collect();
        assert!(companies.len() >= 3, "{companies:?}");
        let variants: BTreeSet<&str> =
            items(&job).iter().map(|item| item["variant_id"].as_str().expect("an id")).collect();
        assert_eq!(variants.len(), items(&job).len(), "each once");
        for (place, item) in items(&job).iter().enumerate() {
            assert_eq!(item["recommended"], place == 0);
            assert!(asked.contains(item["variant_id"].as_str().expect("an id")), "{item:#}");
            let named = item["filter_tags_ids"].as_array().expect("a list");
            assert!(named.iter().all(|tag| tags.contains(tag.as_str().expect("text"))), "{item:#}");
            if let Some(parent) = item.get("parent_variant_id") {
                let parent = parent.as_str().expect("text").parse().expect("an id");
                assert!(catalogue.health_variant(parent).is_some(), "{item:#}");
            }
            for tenure in item["tenure_map"].as_array().expect("a list") {
                let deductible = tenure["deductible"].as_f64().expect("a number");
                assert!(tenure["premium"].as_f64() > Some(0.0), "{item:#}");
                assert_eq!(deductible > 0.0, plan == PlanType::SuperTopUp, "{item:#}");
            }
        }
        assert_eq!(job["deductible"], items(&job)[0]["tenure_map"][0]["deductible"]);
    }
}

#[tokio::test]
async fn the_recommended_premiums_equal_those_of_the_sample_catalogues_family_chart() {
    // D17, D23: ten lakh for three people in Bengaluru: each variant's premium, or no offer
    let app = App::start().await;
    let chart = Files::sample().get("tests/family-of-three.csv").expect("in the sample").to_vec();
    let chart = String::from_utf8(chart).expect("text");
    let mut rows =
        chart.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect::<Vec<_>>());
    let header = rows.next().expect("a header");
    let column = |name: &str| header.iter().position(|head| *head == name).expect("a column");
    let (variant, total, members) = (column("variant"), column("total"), column("members"));
    let mut expected: Vec<(String, Option<f64>)> = rows
        .inspect(|row| assert_eq!(row[members], "self:40 spouse:34 son:8"))
        .map(|row| (row[variant].to_owned(), row[total].parse().ok()))
        .collect();
    let mut found = Vec::new();
    let members = json!({ "self": [{ "age": 40 }], "spouse": [{ "age": 34 }], "son": [{ "age": 8 }] });
    let body = with(recommendation(), "members", members);
    for plan in [PlanType::Base, PlanType::SuperTopUp] {
        let job = outcome(&app, with(body.clone(), "plan_type", json!(plan.word()))).await;
        let offered = |id: &str| {
            let item = items(&job).iter().find(|item| item["variant_id"] == id);
            item.map(|item| item["tenure_map"][0]["premium"].as_f64().expect("a number"))
        };
        for variant in app.service.shared.catalogues.running().health_variants(app.partner().id, plan) {
            let id = variant.id.to_string();
            found.push((id.clone(), offered(&id)));
        }
    }
    expected.sort_by(|one, other| one.0.cmp(&other.0));
    found.sort_by(|one, other| one.0.cmp(&other.0));
    assert!(expected.len() >= 20 && expected.iter().any(|(_, premium)| premium.is_none()));
    assert_eq!(found, expected);
}

#[tokio::test]
async fn only_the_variants_of_a_failing_sample_insurer_are_left_out_of_the_recommendation() {
    // D17
    let plain = outcome(&App::start().await, recommendation()).await;
    let failing: Arc<dyn Insurer> = Arc::new(Answers::Failure);
    let app = Setup::default().asking(vec![("abhas", failing)]).start().await;
    let job = outcome(&app, recommendation()).await;
    let of = |job: &Value, abhas: bool| -> Vec<String> {
        let named =
            |item: &&Value| item["company_name"].as_str().expect("text").starts_with("Abhas") == abhas;
        let ids = items(job)
            .iter()
            .filter(named)
            .map(|item| item["variant_id"].as_str().expect("an id").to_owned());
        let mut ids: Vec<String> = ids.collect();
        ids.sort();
        ids
    };
    assert!(!of(&plain, true).is_empty() && of(&job, true).is_empty());
    assert_eq!(of(&job, false), of(&plain, false));
    assert_eq!(
        (&job["completed_variants"], &job["total_variants"]),
        (&plain["total_variants"], &plain["total_variants"])
    );
}
