//! `POST /v1/embedded/quote` (interface §4; D2, D11 to D13, D20 to D23, D40).

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use service::insurer::Insurer;
use tokio::sync::Barrier;

use crate::support::bodies::{self, with, without};
use crate::support::insurer::{Answers, REFUSAL};
use crate::support::{Answer, App, Partner, Setup};

const PATH: &str = "/v1/embedded/quote";

/// Folders of insurers of the sample.
const KALPANIK: &str = "kalpanik";
const MISAAL: &str = "misaal";
/// Variants of the sample: priced by rate table, and only for young people.
const LEVEL: &str = "vrt_01m5w4nayge0zt63z13f3ajgpk";
const YOUNG: &str = "vrt_01m5wh6zfreyp9x8v76dtr4cmz";
const MICRO: &str = "vrt_01m5wjrnarehethrdh55kgrp4h";
const HOME: &str = "vrt_01m5wsqaared0rnt6fb6a4f0pq";
/// Priced by the loan amount, if the partner sends one.
const BY_LOAN: &str = "vrt_01m5ws87x8eknbraw4m6mwrbzq";

async fn quote(app: &App, body: Value) -> Answer {
    app.post(PATH, body).await
}

#[track_caller]
fn items(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["payload"]["recommendations"].as_array().expect("a list").clone()
}

#[track_caller]
fn item_of(answer: &Answer, variant: &str) -> Value {
    let items = items(answer);
    let item = items.iter().find(|item| item["variant_id"] == variant);
    item.unwrap_or_else(|| panic!("no {variant}: {}", answer.text)).clone()
}

/// An amount with two decimals, in paise.
#[track_caller]
fn paise(amount: &Value) -> i64 {
    let text = amount.as_str().expect("text");
    let (rupees, fraction) = text.split_once('.').unwrap_or_else(|| panic!("no decimals: {text}"));
    assert!(!rupees.is_empty() && fraction.len() == 2, "{text}");
    assert!(rupees.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()), "{text}");
    format!("{rupees}{fraction}").parse().expect("a number")
}

/// Checks that the item has a price whose amounts add up.
#[track_caller]
fn is_priced(item: &Value) {
    assert_eq!((&item["is_error"], &item["error_message"]), (&json!(false), &json!("")), "{item}");
    assert!(paise(&item["base_premium"]) > 0, "{item}");
    let sum = paise(&item["base_premium"]) + paise(&item["gst"]);
    assert_eq!(sum, paise(&item["total_premium"]), "{item}");
}

/// Checks that the item has no price, and gives the reason in a sentence.
#[track_caller]
fn is_failed(item: &Value) {
    assert_eq!(item["is_error"], true, "{item}");
    for amount in ["base_premium", "gst", "total_premium"] {
        assert_eq!(item[amount], "0", "{item}");
    }
    let message = item["error_message"].as_str().expect("text");
    assert!(
        message.len() > 20 && message.ends_with('.') && message.starts_with(char::is_uppercase),
        "{message}"
    );
}

/// Makes these variants the partner's assortment in the catalogue.
async fn opens(app: &App, partner: &Partner, variants: &[&str]) {
    let assortment = format!("\n[[assortment]]\npartner = \"{}\"\nvariants = {variants:?}\n", partner.id);
    let catalogue = Setup::with_edited("catalogue.toml", |text| text + &assortment).catalogue;
    app.runs_catalogue(&catalogue).await;
}

#[tokio::test]
async fn a_quote_shows_every_matched_variant_with_a_price_or_a_reason() {
    // interface §4; D22, D23
    let app = App::start().await;
    opens(&app, app.partner(), &[YOUNG, LEVEL]).await;
    let answer = quote(&app, bodies::quote()).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    insta::assert_snapshot!(answer.shown(), @r#"
    {
      "payload": {
        "matched_products": 2,
        "quote_id": "[quo]",
        "recommendations": [
          {
            "base_premium": "3200.00",
            "error_message": "",
            "gst": "576.00",
            "insurer_logo": "https://insurers.example/kalpanik/logo.svg",
            "insurer_name": "Kalpanik Life Insurance (fictional)",
            "is_error": false,
            "product_id": "[pro]",
            "product_name": "Kalpanik Loan Suraksha",
            "recommendation_id": "[rec]",
            "total_premium": "3776.00",
            "variant_id": "vrt_01m5w4nayge0zt63z13f3ajgpk",
            "variant_name": "Level cover"
          },
          {
            "base_premium": "0",
            "error_message": "This cover is for people from 18 to 35 years of age when it starts.",
            "gst": "0",
            "insurer_logo": "https://insurers.example/misaal/logo.svg",
            "insurer_name": "Misaal Life Assurance (fictional)",
            "is_error": true,
            "product_id": "[pro]",
            "product_name": "Misaal Yuva Rin Raksha",
            "recommendation_id": "[rec]",
            "total_premium": "0",
            "variant_id": "vrt_01m5wh6zfreyp9x8v76dtr4cmz",
            "variant_name": "Level cover"
          }
        ]
      }
    }
    "#);
}

#[tokio::test]
async fn the_ids_of_a_quote_are_unique_and_have_a_prefix_and_26_characters() {
    // D20
    let app = App::start().await;
    let answer = quote(&app, bodies::quote()).await;
    let is_id = |id: &Value, prefix: &str| {
        let id = id.as_str().expect("text");
        let tail = id.strip_prefix(prefix).unwrap_or_else(|| panic!("{id} is no {prefix}"));
        assert_eq!(tail.len(), 26, "{id}");
        assert!(tail.bytes().all(|byte| b"0123456789abcdefghjkmnpqrstvwxyz".contains(&byte)), "{id}");
    };
    is_id(&answer.json()["payload"]["quote_id"], "quo_");
    let mut seen = HashSet::new();
    for item in items(&answer) {
        is_id(&item["recommendation_id"], "rec_");
        is_id(&item["product_id"], "pro_");
        is_id(&item["variant_id"], "vrt_");
        assert!(seen.insert(item["recommendation_id"].to_string()), "one item, one id");
    }
    let later = quote(&app, bodies::quote()).await.json();
    assert_ne!(later["payload"]["quote_id"], answer.json()["payload"]["quote_id"]);
    assert!(
        items(&quote(&app, bodies::quote()).await)
            .iter()
            .all(|item| seen.insert(item["recommendation_id"].to_string()))
    );
}

#[tokio::test]
async fn ids_sort_by_the_time_they_were_made() {
    // D20
    let app = App::start().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(app.has_quote().await["quote_id"].as_str().expect("an id").to_owned());
        app.clock.advance(Duration::from_millis(1));
    }
    assert!(ids.is_sorted(), "{ids:?}");
}

#[tokio::test]
async fn a_quote_has_every_variant_of_the_catalogue_cheapest_first_and_unpriced_ones_last() {
    // D22, D23
    let app = App::start().await;
    let answer = quote(&app, bodies::quote()).await;
    let items = items(&answer);
    assert_eq!(answer.json()["payload"]["matched_products"], items.len());
    let found: HashSet<String> =
        items.iter().map(|item| item["variant_id"].as_str().expect("text").to_owned()).collect();
    let catalogue = app.service.shared.catalogues.running();
    assert_eq!(found, catalogue.all_credit_variants().iter().map(|variant| variant.id.to_string()).collect());

    let first_failed = items.iter().position(|item| item["is_error"] == true).expect("three fail");
    let (priced, failed) = items.split_at(first_failed);
    assert_eq!((priced.len(), failed.len()), (8, 3));
    priced.iter().for_each(is_priced);
    failed.iter().for_each(is_failed);
    assert!(priced.is_sorted_by_key(|item| paise(&item["total_premium"])), "{}", answer.text);
    assert_eq!(app.rows_of("embedded_quotes"), 1);
}

#[tokio::test]
async fn each_recommendation_has_the_names_ids_and_logo_of_the_catalogue() {
    // interface §4
    let app = App::start().await;
    let catalogue = app.service.shared.catalogues.running();
    for item in items(&quote(&app, bodies::quote()).await) {
        let id = item["variant_id"].as_str().expect("text").parse().expect("an id");
        let variant = catalogue.credit_variant(id).expect("of the catalogue");
        assert_eq!(item["variant_name"], variant.name.as_str());
        assert_eq!(item["product_id"], variant.product.id.to_string());
        assert_eq!(item["product_name"], variant.product.name.as_str());
        assert_eq!(item["insurer_name"], variant.insurer().name.as_str());
        assert_eq!(item["insurer_logo"], variant.insurer().logo.as_str());
        assert!(item["insurer_logo"].as_str().expect("text").starts_with("https://"));
        assert_eq!(item.as_object().expect("an object").len(), 12, "{item}");
    }
}

#[tokio::test]
async fn premiums_are_those_of_the_published_chart() {
    // D23: 5 lakh over 24 months at 36
    let app = App::start().await;
    let answer = quote(&app, bodies::quote()).await;
    for (variant, base, gst, total) in [
        (LEVEL, "3200.00", "576.00", "3776.00"),
        ("vrt_01m5waf85geqgaee9ajw5me0pj", "2757.63", "496.37", "3254.00"),
        ("vrt_01m5wq5vwgfy8r4zyzrdts5e4z", "1890.00", "340.20", "2230.20"),
        (BY_LOAN, "1945.00", "350.10", "2295.10"),
    ] {
        let item = item_of(&answer, variant);
        is_priced(&item);
        assert_eq!(
            (&item["base_premium"], &item["gst"], &item["total_premium"]),
            (&json!(base), &json!(gst), &json!(total))
        );
    }
}

#[tokio::test]
async fn amounts_add_up_to_the_paisa_whatever_the_cover() {
    // D23
    let app = App::start().await;
    for cover in ["10000.00", "33333.33", "99999.99", "123456.78", "500000.01", "777777.77", "2500000.00"] {
        for term in [7, 24, 61] {
            let body = with(with(bodies::quote(), "cover_amount", json!(cover)), "policy_term", json!(term));
            for item in items(&quote(&app, body).await) {
                if item["is_error"] == false { is_priced(&item) } else { is_failed(&item) }
            }
        }
    }
}

#[tokio::test]
async fn a_variant_outside_its_limits_gets_a_reason_while_others_are_priced() {
    // D22; interface §4: partial success
    let app = App::start().await;
    let answer = quote(&app, bodies::quote()).await;
    for (variant, why) in [
        (YOUNG, ["18", "35", "age"]),
        (MICRO, ["₹1,000", "₹2,00,000", "cover"]),
        (HOME, ["60", "360", "months"]),
    ] {
        let item = item_of(&answer, variant);
        is_failed(&item);
        let message = item["error_message"].as_str().expect("text");
        assert!(why.iter().all(|word| message.contains(word)), "{message}");
    }
    is_priced(&item_of(&answer, LEVEL));
}

#[tokio::test]
async fn the_limits_of_age_cover_and_term_are_inclusive() {
    // D22, D25: the age on the day of the request; misaal yuva: 18 to 35 years, 25,000 to 25 lakh, 6 to 60
    // months
    let app = App::start().await;
    let base =
        with(with(bodies::quote(), "date_of_birth", json!("20/11/2000")), "cover_amount", json!("100000.00"));
    for (field, inside, outside) in [
        ("date_of_birth", json!("20/11/2008"), json!("21/11/2008")),
        ("date_of_birth", json!("21/11/1990"), json!("20/11/1990")),
        ("cover_amount", json!("25000.00"), json!("24999.99")),
        ("cover_amount", json!("2500000.00"), json!("2500000.01")),
        ("policy_term", json!(6), json!(5)),
        ("policy_term", json!(60), json!(61)),
    ] {
        is_priced(&item_of(&quote(&app, with(base.clone(), field, inside)).await, YOUNG));
        is_failed(&item_of(&quote(&app, with(base.clone(), field, outside)).await, YOUNG));
    }
}

#[tokio::test]
async fn a_quote_in_which_no_variant_can_be_priced_still_gets_200() {
    // interface §4: all fail
    let app = App::start().await;
    for (field, value) in [
        ("cover_amount", json!("1.00")),
        ("cover_amount", json!("0.01")),
        ("cover_amount", json!("9999999999.00")),
        ("date_of_birth", json!("20/11/1936")),
        ("date_of_birth", json!("19/11/2026")),
        ("policy_term", json!(1200)),
    ] {
        let answer = quote(&app, with(bodies::quote(), field, value.clone())).await;
        let items = items(&answer);
        assert_eq!(items.len(), 11, "{field} {value}");
        assert_eq!(answer.json()["payload"]["matched_products"], 11);
        items.iter().for_each(is_failed);
    }
    assert_eq!(app.rows_of("embedded_quotes"), 6, "it is a quote all the same");
}

#[tokio::test]
async fn well_formed_values_beyond_all_limits_get_200_with_a_reason_for_each_variant() {
    // D21, D22: a value outside the limits is an error of an item, not a fault of the request
    let app = App::start().await;
    let mut refused = Vec::new();
    for (field, value) in [
        ("policy_term", json!(1201)),
        ("policy_term", json!(4_294_967_296_u64)),
        ("cover_amount", json!("99999999999999.00")),
        ("cover_amount", json!("999999999999999999999999.99")),
        ("date_of_birth", json!("01/01/1800")),
    ] {
        let answer = quote(&app, with(bodies::quote(), field, value.clone())).await;
        if answer.status == 200 {
            items(&answer).iter().for_each(is_failed);
        } else {
            refused.push((field, value, answer.fault_on(field)));
        }
    }
    assert!(refused.is_empty(), "{refused:#?}");
}

// Insurers that are reached over HTTP.

async fn with_insurers(insurers: Vec<(&str, Answers)>, deadline: Duration) -> App {
    let insurers =
        insurers.into_iter().map(|(folder, answers)| (folder, Arc::new(answers) as Arc<dyn Insurer>));
    Setup { insurer_deadline: deadline, ..Setup::default() }.asking(insurers.collect()).start().await
}

/// The items of an insurer, and the items of all other insurers.
fn split(app: &App, answer: &Answer, insurer: &str) -> (Vec<Value>, Vec<Value>) {
    let catalogue = app.service.shared.catalogues.running();
    let mut names = catalogue.insurers().map(|insurer| insurer.name.as_str());
    let name = names.find(|name| name.to_lowercase().starts_with(insurer)).expect("known");
    items(answer).into_iter().partition(|item| item["insurer_name"] == name)
}

#[tokio::test]
async fn an_insurer_reached_over_http_prices_its_own_variants() {
    // D22, D23
    let app = with_insurers(vec![(KALPANIK, Answers::Premium(100))], Duration::from_secs(5)).await;
    let answer = quote(&app, bodies::quote()).await;
    let (asked, others) = split(&app, &answer, KALPANIK);
    assert_eq!((asked.len(), others.len()), (3, 8));
    for item in &asked {
        is_priced(item);
        assert_eq!(
            (&item["base_premium"], &item["gst"], &item["total_premium"]),
            (&json!("1.00"), &json!("0.18"), &json!("1.18"))
        );
    }
    assert_eq!(items(&answer)[..3], asked[..], "the cheapest come first");
}

#[tokio::test]
async fn an_insurers_failure_affects_only_its_own_variants() {
    // D22
    for answers in [Answers::Failure, Answers::Nothing, Answers::TooMany, Answers::Panic] {
        let app = with_insurers(vec![(KALPANIK, answers)], Duration::from_secs(5)).await;
        let answer = quote(&app, bodies::quote()).await;
        let (failed, others) = split(&app, &answer, KALPANIK);
        assert_eq!(failed.len(), 3);
        failed.iter().for_each(is_failed);
        assert_eq!(others.iter().filter(|item| item["is_error"] == false).count(), 5);
        assert_eq!(answer.json()["payload"]["matched_products"], 11);
    }
}

#[tokio::test]
async fn an_insurers_refusal_is_shown_in_its_own_words() {
    // D22
    let app = with_insurers(vec![(KALPANIK, Answers::Refusal)], Duration::from_secs(5)).await;
    let (refused, _) = split(&app, &quote(&app, bodies::quote()).await, KALPANIK);
    assert_eq!(refused.len(), 3);
    refused.iter().for_each(is_failed);
    assert!(refused.iter().all(|item| item["error_message"] == REFUSAL));
}

#[tokio::test]
async fn a_quote_does_not_wait_for_a_slow_insurer_beyond_the_deadline() {
    // D22
    let deadline = Duration::from_millis(300);
    let app = with_insurers(vec![(KALPANIK, Answers::Never), (MISAAL, Answers::Never)], deadline).await;
    let started = Instant::now();
    let answer = quote(&app, bodies::quote()).await;
    let took = started.elapsed();
    assert!(took >= deadline && took < Duration::from_secs(5), "{took:?}");
    for insurer in [KALPANIK, MISAAL] {
        let (slow, _) = split(&app, &answer, insurer);
        slow.iter().for_each(is_failed);
        assert!(slow.iter().all(|item| item["error_message"].as_str().expect("text").contains("in time")));
    }
    assert_eq!(items(&answer).iter().filter(|item| item["is_error"] == false).count(), 3);
}

#[tokio::test]
async fn all_insurers_are_asked_concurrently() {
    // D22
    let barrier = Arc::new(Barrier::new(2));
    let both = [KALPANIK, MISAAL].map(|id| (id, Answers::Together(barrier.clone())));
    let app = with_insurers(both.into(), Duration::from_secs(20)).await;
    let answer = quote(&app, bodies::quote()).await;
    for insurer in [KALPANIK, MISAAL] {
        split(&app, &answer, insurer).0.iter().for_each(is_priced);
    }
}

#[tokio::test]
async fn the_tax_is_that_of_the_day_in_kolkata() {
    // D23
    let setup = Setup::with_edited("catalogue.toml", |text| {
        let closed = text.replacen(
            "from = 2017-07-01\npercent = 18",
            "from = 2017-07-01\nto = 2026-12-31\npercent = 18",
            1,
        );
        assert_ne!(closed, text);
        closed + "\n[[tax]]\nline = \"credit-life\"\nsold_to = \"group\"\nfrom = 2027-01-01\npercent = 12.5\n"
    });
    let app = setup.start().await;
    for (now, gst, total) in [
        ("2026-12-31T23:59:59.999999+05:30", "576.00", "3776.00"),
        ("2027-01-01T00:00:00+05:30", "400.00", "3600.00"),
    ] {
        app.clock.set(now);
        let token = app.token_of(app.partner(), &["business"]).await;
        let partner = Partner { token, ..app.partner().clone() };
        let answer = app.as_partner(&partner, "POST", PATH, Some(bodies::quote())).await;
        let item = item_of(&answer, LEVEL);
        assert_eq!(
            (&item["base_premium"], &item["gst"], &item["total_premium"]),
            (&json!("3200.00"), &json!(gst), &json!(total)),
            "{now}"
        );
    }
}

#[tokio::test]
async fn a_partner_with_an_assortment_gets_only_its_variants_and_other_partners_get_all() {
    // D22
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    opens(&app, app.partner(), &[MICRO, LEVEL, BY_LOAN]).await;
    let answer = quote(&app, bodies::quote()).await;
    let found: Vec<Value> = items(&answer).iter().map(|item| item["variant_id"].clone()).collect();
    assert_eq!(found, [BY_LOAN, LEVEL, MICRO]);
    assert_eq!(answer.json()["payload"]["matched_products"], 3);
    let answer = app.as_partner(&other, "POST", PATH, Some(bodies::quote())).await;
    assert_eq!(items(&answer).len(), 11);

    opens(&app, app.partner(), &[]).await;
    let answer = quote(&app, bodies::quote()).await;
    assert_eq!(answer.json()["payload"]["matched_products"], 0);
    assert_eq!(answer.json()["payload"]["recommendations"], json!([]));
}

// The body.

/// Checks that exactly these fields have faults, and that nothing was stored.
async fn has_faults(app: &App, body: Value, fields: &[&str]) {
    let shown = body.to_string();
    let answer = quote(app, body).await;
    assert_eq!(answer.status, 400, "{shown}: {}", answer.text);
    answer.has_faults_on(fields);
    answer.says_what_must_be();
    assert_eq!(answer.json()["title"], "Validation Error");
    assert_eq!(answer.json()["instance"], PATH);
}

#[tokio::test]
async fn every_required_field_must_be_there_and_of_its_kind() {
    // interface §4; D11, D12
    let app = App::start().await;
    let anything = [
        Value::Null,
        json!(""),
        json!("  "),
        json!(true),
        json!([]),
        json!(["x"]),
        json!({}),
        json!({ "a": 1 }),
    ];
    for field in ["date_of_birth", "gender", "cover_amount", "policy_term"] {
        has_faults(&app, without(bodies::quote(), field), &[field]).await;
        for bad in &anything {
            has_faults(&app, with(bodies::quote(), field, bad.clone()), &[field]).await;
        }
        let other_kind = if field == "policy_term" { json!("24") } else { json!(24) };
        has_faults(&app, with(bodies::quote(), field, other_kind), &[field]).await;
    }
    assert_eq!(app.rows_of("embedded_quotes"), 0);
}

#[tokio::test]
async fn all_faults_come_in_one_answer() {
    // D11
    let app = App::start().await;
    has_faults(&app, json!({}), &["date_of_birth", "gender", "cover_amount", "policy_term"]).await;
    let body = json!({
        "date_of_birth": "31/02/1990", "gender": "male", "cover_amount": 5, "policy_term": "24",
        "context_data": [{ "values": ["x"] }, { "key": "loan_tenure", "values": ["x", "12", 3] }, 7, { "key": "k", "values": "v" }],
    });
    let answer = quote(&app, body).await;
    let fields = answer.fault_fields();
    for field in [
        "date_of_birth",
        "gender",
        "cover_amount",
        "policy_term",
        "context_data[0].key",
        "context_data[1].values[2]",
        "context_data[2]",
        "context_data[3].values",
    ] {
        assert!(fields.iter().any(|found| found == field), "{field}: {}", answer.text);
    }
    assert_eq!(app.rows_of("embedded_quotes"), 0);
}

#[tokio::test]
async fn a_value_of_the_wrong_type_does_not_hide_the_fault_of_another_value() {
    // D11: every fault of the body in one answer
    let app = App::start().await;
    let context = json!([{ "key": "loan_tenure", "values": ["x", 3] }]);
    let body = with(bodies::quote(), "context_data", context);
    has_faults(&app, body, &["context_data[0].values[0]", "context_data[0].values[1]"]).await;
}

#[tokio::test]
async fn a_date_of_birth_is_a_real_day_in_the_past() {
    // D21
    let app = App::start().await;
    for good in
        ["15/06/1990", "29/02/2000", "29/02/1996", "31/12/1999", "01/01/1970", " 15/06/1990 ", "19/11/2026"]
    {
        assert_eq!(
            quote(&app, with(bodies::quote(), "date_of_birth", json!(good))).await.status,
            200,
            "{good}"
        );
    }
    let kept = app.rows_of("embedded_quotes");
    for bad in [
        "29/02/2001",
        "29/02/1900",
        "30/02/1990",
        "31/04/1990",
        "31/06/1990",
        "00/01/1990",
        "01/00/1990",
        "32/01/1990",
        "01/13/1990",
        "06/15/1990",
        "01/01/0000",
        "1990-06-15",
        "15-06-1990",
        "15.06.1990",
        "15/06/90",
        "5/6/1990",
        "15/6/1990",
        "15/06/1990T00:00",
        "15/06/19900",
        "15 06 1990",
        "१५/०६/१९९०",
        "+5/06/1990",
        "15/06/+990",
        "20/11/2026",
        "21/11/2026",
        "01/01/2100",
        "tomorrow",
    ] {
        has_faults(&app, with(bodies::quote(), "date_of_birth", json!(bad)), &["date_of_birth"]).await;
    }
    assert_eq!(app.rows_of("embedded_quotes"), kept);
}

#[tokio::test]
async fn the_current_day_and_a_persons_age_change_at_midnight_in_kolkata() {
    // D21, D25
    let app = App::start().await;
    let body = with(bodies::quote(), "date_of_birth", json!("20/11/2026"));
    app.clock.set("2026-11-20T23:59:59.999999+05:30");
    let token = app.token_of(app.partner(), &["business"]).await;
    let partner = Partner { token, ..app.partner().clone() };
    let today = app.as_partner(&partner, "POST", PATH, Some(body.clone())).await;
    today.has_faults_on(&["date_of_birth"]);
    // Now it was yesterday, although in London it is still the same day.
    app.clock.set("2026-11-21T00:00:00+05:30");
    let yesterday = app.as_partner(&partner, "POST", PATH, Some(body)).await;
    items(&yesterday).iter().for_each(is_failed);

    // The person turns 18 at midnight.
    let body = with(bodies::quote(), "date_of_birth", json!("22/11/2008"));
    for (now, of_age) in [("2026-11-21T23:59:59+05:30", false), ("2026-11-22T00:00:00+05:30", true)] {
        app.clock.set(now);
        let token = app.token_of(app.partner(), &["business"]).await;
        let partner = Partner { token, ..app.partner().clone() };
        let answer = app.as_partner(&partner, "POST", PATH, Some(body.clone())).await;
        assert_eq!(item_of(&answer, YOUNG)["is_error"], !of_age, "{now}");
    }
}

#[tokio::test]
async fn a_gender_must_be_male_or_female() {
    // interface §4
    let app = App::start().await;
    for good in ["MALE", "FEMALE", " FEMALE "] {
        assert_eq!(quote(&app, with(bodies::quote(), "gender", json!(good))).await.status, 200, "{good}");
    }
    for bad in ["male", "Female", "M", "OTHER", "MALE,FEMALE", "FEMALE\u{0}"] {
        has_faults(&app, with(bodies::quote(), "gender", json!(bad)), &["gender"]).await;
    }
}

#[tokio::test]
async fn a_cover_amount_must_be_above_zero_and_have_exactly_two_decimals() {
    // D21
    let app = App::start().await;
    for good in ["500000.00", "500000.50", "0.01", "0500000.00", " 500000.00\t"] {
        assert_eq!(
            quote(&app, with(bodies::quote(), "cover_amount", json!(good))).await.status,
            200,
            "{good}"
        );
    }
    for bad in [
        "0.00",
        "000.00",
        "500000",
        "500000.",
        "500000.0",
        "500000.000",
        ".50",
        "-500000.00",
        "+500000.00",
        "5,00,000.00",
        "5e5.00",
        "500000,00",
        "₹500000.00",
        "500000.00 INR",
        "500 000.00",
        "५०००००.००",
        "NaN",
        "0x10.00",
        "1.00.00",
    ] {
        has_faults(&app, with(bodies::quote(), "cover_amount", json!(bad)), &["cover_amount"]).await;
    }
    for bad in [json!(500_000.00), json!(500_000), json!(500_000.5)] {
        has_faults(&app, with(bodies::quote(), "cover_amount", bad), &["cover_amount"]).await;
    }
}

#[tokio::test]
async fn a_policy_term_is_a_whole_number_of_months_above_zero() {
    // D21
    let app = App::start().await;
    let plain = items(&quote(&app, bodies::quote()).await)[0]["total_premium"].clone();
    for good in ["24", "24.0", "24.000", "2.4e1", "240e-1"] {
        let text =
            bodies::quote().to_string().replace("\"policy_term\":24", &format!("\"policy_term\":{good}"));
        let request = app.request("POST", PATH).bearer_auth(&app.partner().token);
        let answer = app.send(request.header("content-type", "application/json").body(text)).await;
        assert_eq!(items(&answer)[0]["total_premium"], plain, "{good}");
    }
    for bad in [
        json!(0),
        json!(0.0),
        json!(-0.0),
        json!(-1),
        json!(-24.0),
        json!(1.5),
        json!(24.01),
        json!(0.5),
        json!(1e-300),
    ] {
        has_faults(&app, with(bodies::quote(), "policy_term", bad), &["policy_term"]).await;
    }
}

#[tokio::test]
async fn an_invalid_value_of_a_known_context_key_is_a_fault_at_its_index() {
    // D21
    let app = App::start().await;
    for (key, good, bad) in [
        (
            "loan_amount",
            &["500000", "500000.5", "500000.50", "0500000", " 500000 "][..],
            &["x", "-1", "5,00,000", "1.234", "1.", ".5", "₹5", "1e5"][..],
        ),
        ("loan_tenure", &["24", "1", "360", " 24 "], &["x", "24.5", "-1", "2 years", "+24", "२४"]),
        (
            "disbursement_date",
            &["01/01/2020", "20/11/2026", "29/02/2028", "31/12/2030"],
            &["31/02/2026", "29/02/2027", "2026-11-20", "x", "1/1/2026"],
        ),
    ] {
        let context = |value: &str| {
            let other = json!({ "key": "purpose", "values": ["x"] });
            let context = json!([{ "key": key, "values": [value] }]);
            let second = json!([other, { "key": key, "values": [good[0], value] }]);
            [context, second].map(|context| with(bodies::quote(), "context_data", context))
        };
        for value in good {
            for body in context(value) {
                assert_eq!(quote(&app, body).await.status, 200, "{key} {value}");
            }
        }
        for value in bad {
            let [first, second] = context(value);
            has_faults(&app, first, &["context_data[0].values[0]"]).await;
            has_faults(&app, second, &["context_data[1].values[1]"]).await;
        }
    }
}

#[tokio::test]
async fn the_context_data_may_be_left_out_but_must_have_the_documented_structure() {
    // interface §4; D13
    let app = App::start().await;
    assert_eq!(quote(&app, without(bodies::quote(), "context_data")).await.status, 200);
    for absent in [Value::Null, json!(""), json!("  "), json!([])] {
        assert_eq!(quote(&app, with(bodies::quote(), "context_data", absent)).await.status, 200);
    }
    let kept = app.rows_of("embedded_quotes");
    let entry =
        |entry: Value| with(bodies::quote(), "context_data", json!([{ "key": "k", "values": [] }, entry]));
    for bad in [json!("x"), json!(7), json!({ "key": "k", "values": [] }), json!(true)] {
        has_faults(&app, with(bodies::quote(), "context_data", bad), &["context_data"]).await;
    }
    for bad in [Value::Null, json!("x"), json!(7), json!([])] {
        has_faults(&app, entry(bad), &["context_data[1]"]).await;
    }
    for bad in [Value::Null, json!(""), json!(" "), json!(7), json!([])] {
        has_faults(&app, entry(json!({ "key": bad, "values": ["v"] })), &["context_data[1].key"]).await;
    }
    for bad in [Value::Null, json!("v"), json!(7), json!({})] {
        has_faults(&app, entry(json!({ "key": "k", "values": bad })), &["context_data[1].values"]).await;
    }
    for bad in [json!(7), json!(true), json!([]), json!({}), Value::Null] {
        has_faults(&app, entry(json!({ "key": "k", "values": ["v", bad] })), &["context_data[1].values[1]"])
            .await;
    }
    has_faults(&app, entry(json!({})), &["context_data[1].key", "context_data[1].values"]).await;
    assert_eq!(app.rows_of("embedded_quotes"), kept);
}

#[tokio::test]
async fn unknown_keys_and_fields_are_ignored() {
    // D12, D21
    let app = App::start().await;
    let context = json!([
        { "key": "purpose", "values": ["anything", "", "शादी"], "extra": 1 },
        { "key": "LOAN_AMOUNT", "values": ["not an amount"] },
        { "key": "purpose", "values": [] },
    ]);
    let body =
        with(with(bodies::quote(), "context_data", context), "partner_reference", json!({ "a": [1, null] }));
    is_priced(&item_of(&quote(&app, body).await, LEVEL));
}

#[tokio::test]
async fn a_variant_priced_by_the_loan_uses_the_loan_amount_of_the_context_data() {
    // D21: cover above the loan is not a fault; both spellings of the array's key are accepted
    let app = App::start().await;
    let loan = |amount: &str| json!([{ "key": "loan_amount", "values": [amount] }]);
    let plain = without(bodies::quote(), "context_data");
    for (body, base) in [
        (plain.clone(), "1945.00"),
        (with(plain.clone(), "context_data", loan("100000")), "389.00"),
        (with(plain.clone(), "context_date", loan("100000")), "389.00"),
        (with(with(plain.clone(), "context_date", loan("100000")), "context_data", Value::Null), "389.00"),
        (with(plain.clone(), "context_data", loan(" 250000.00 ")), "973.00"),
    ] {
        let item = item_of(&quote(&app, body.clone()).await, BY_LOAN);
        is_priced(&item);
        assert_eq!(item["base_premium"], base, "{body}");
    }
    has_faults(&app, with(plain.clone(), "context_date", loan("x")), &["context_date[0].values[0]"]).await;
    has_faults(&app, with(plain, "context_date", json!(7)), &["context_date"]).await;
}

#[tokio::test]
async fn a_quote_can_be_used_for_proposals_for_as_many_days_as_the_catalogue_sets() {
    // D40
    for (setup, days) in [
        (Setup::default(), 30),
        (
            Setup::with_edited("catalogue.toml", |text| {
                text.replace("quote_validity_days = 30", "quote_validity_days = 7")
            }),
            7,
        ),
    ] {
        let app = setup.start().await;
        let body = app.has_proposal_body("DRAFT").await;
        for (after, status) in [(days, 201), (days + 1, 400)] {
            app.clock.set("2026-11-20T10:00:00+05:30");
            app.clock.advance(Duration::from_secs(24 * 3600 * after));
            let token = app.token_of(app.partner(), &["business"]).await;
            let partner = Partner { token, ..app.partner().clone() };
            let answer = app.as_partner(&partner, "POST", "/v1/embedded/proposal", Some(body.clone())).await;
            assert_eq!(answer.status, status, "after {after} days: {}", answer.text);
            if status == 400 {
                answer.has_faults_on(&["quote_id"]);
                let lapsed = if days == 30 { "20 Dec 2026" } else { "27 Nov 2026" };
                assert!(answer.fault_on("quote_id").contains(lapsed), "{}", answer.text);
            }
        }
    }
}

#[tokio::test]
async fn the_alternative_spelling_context_date_is_ignored_if_context_data_is_present() {
    // D21
    let app = App::start().await;
    let wrong = json!([{ "key": "loan_amount", "values": ["a lot"] }]);
    let mut body = bodies::quote();
    body["context_date"] = wrong.clone();
    assert_eq!(app.post("/v1/embedded/quote", body).await.status, 200);
    let mut body = bodies::without(bodies::quote(), "context_data");
    body["context_date"] = wrong;
    app.post("/v1/embedded/quote", body).await.has_faults_on(&["context_date[0].values[0]"]);
}

#[tokio::test]
async fn the_fault_of_a_future_date_of_birth_says_that_a_date_before_today_is_required() {
    // D11, D21
    let app = App::start().await;
    let answer = app
        .post("/v1/embedded/quote", bodies::with(bodies::quote(), "date_of_birth", json!("21/11/2026")))
        .await;
    let wanted = "Must be a real calendar date before today, written DD/MM/YYYY.";
    assert_eq!(answer.fault_on("date_of_birth"), wanted);
}
