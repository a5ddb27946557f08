//! Properties of the whole service: no input causes a 500, no valid input is refused, and premiums always add
//! up.

use std::sync::OnceLock;

use proptest::collection::{hash_map, vec};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tokio::runtime::Runtime;

use crate::support::{App, bodies};

/// One app for all cases of this file, with its own runtime.
fn app() -> &'static (Runtime, App) {
    static APP: OnceLock<(Runtime, App)> = OnceLock::new();
    APP.get_or_init(|| {
        let runtime = Runtime::new().expect("a runtime");
        let app = runtime.block_on(App::start());
        (runtime, app)
    })
}

/// Any JSON. It often uses the contract's words and names, to pass the first checks.
fn any_json() -> impl Strategy<Value = Value> {
    let words = prop_oneof![
        Just("MALE"),
        Just("500000.00"),
        Just("15/06/1990"),
        Just("DRAFT"),
        Just("OTHERS"),
        Just("PAN"),
        Just("MR"),
        Just("\u{0}"),
        Just("  "),
        Just("-1"),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        words.prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 6, |inner| {
        let names = prop_oneof![
            Just("date_of_birth"),
            Just("gender"),
            Just("cover_amount"),
            Just("policy_term"),
            Just("context_data"),
            Just("key"),
            Just("values"),
            Just("quote_id"),
            Just("recommendation_id"),
            Just("status"),
            Just("proposer"),
            Just("insured_members"),
            Just("nominee"),
            Just("address"),
            Just("documents"),
            Just("document_type"),
            Just("document_number"),
            Just("percentage_sharing"),
            Just("appointee_details"),
            Just("lead_id"),
            Just("customer"),
            Just("members"),
            Just("self"),
            Just("son"),
            Just("age"),
            Just("hasPED"),
            Just("selectedPEDs"),
            Just("sum_insured"),
            Just("metadata"),
            Just("session_id"),
            Just("decision"),
            Just("client_id"),
            Just("client_secret"),
            Just("scopes"),
        ];
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            hash_map(names.prop_map(str::to_owned), inner, 0..8)
                .prop_map(|fields| Value::from(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A body with the value at a random place replaced by other JSON.
fn bent(mut body: Value, place: usize, with: &Value) -> Value {
    let places = count(&body);
    replace(&mut body, &mut (0, place % places), with);
    body
}

/// Number of values in a JSON value, including itself.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    }
}

/// Replaces the value at a place. Places are counted depth first.
fn replace(value: &mut Value, (at, target): &mut (usize, usize), with: &Value) {
    if at == target {
        *value = with.clone();
        *at += 1;
        return;
    }
    *at += 1;
    let mut step = (*at, *target);
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| replace(item, &mut step, with)),
        Value::Object(fields) => fields.values_mut().for_each(|field| replace(field, &mut step, with)),
        _ => {}
    }
    (*at, *target) = step;
}

fn decimals(least: i64, most: i64) -> impl Strategy<Value = String> {
    (least..=most).prop_map(|paise| format!("{}.{:02}", paise / 100, paise % 100))
}

/// Dates of birth with the same price as the borrower of the default quote.
fn borrowers_birth_dates() -> impl Strategy<Value = String> {
    (1_u8..=28, 1_u8..=12, 1982_u16..=1989)
        .prop_map(|(day, month, year)| format!("{day:02}/{month:02}/{year}"))
}

fn birth_dates() -> impl Strategy<Value = String> {
    (1_u8..=28, 1_u8..=12, 1930_u16..=2025)
        .prop_map(|(day, month, year)| format!("{day:02}/{month:02}/{year}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_json_body_causes_a_server_error(body in any_json(), place: usize, path in prop_oneof![
        Just("/v1/auth/token"), Just("/v1/embedded/quote"), Just("/v1/embedded/proposal"), Just("/v1/embedded/proposal/pro_01m5vvw3xreqg9aaa1afd2xg03"),
        Just("/v1/business/health/recommendation"), Just("/v1/business/session"), Just("/v1/insurers/ins_01m5vn1aygfe0av1wtx4v84kep/decisions"),
    ]) {
        let (runtime, app) = app();
        let method = if path.ends_with("03") { "PATCH" } else { "POST" };
        let partner = app.partner();
        let plain = runtime.block_on(app.as_partner(partner, method, path, Some(body.clone())));
        prop_assert!(plain.status < 500, "{}", plain.text);
        let base = match path {
            "/v1/embedded/quote" => bodies::quote(),
            "/v1/business/health/recommendation" => bodies::full_recommendation(),
            "/v1/business/session" => json!({ "metadata": { "a": "b" } }),
            "/v1/auth/token" => json!({ "client_id": "a", "client_secret": "b", "scopes": ["business"], "user_id": "c" }),
            _ => bodies::proposal(&json!("quo_01m5vvw3xreqg9aaa1afd2xg03"), &json!("rec_01m5vvw3xreqg9aaa1afd2xg03"), "DRAFT"),
        };
        let almost = runtime.block_on(app.as_partner(partner, method, path, Some(bent(base, place, &body))));
        prop_assert!(almost.status < 500, "{}", almost.text);
    }

    #[test]
    fn random_bytes_as_the_body_are_refused_with_a_validation_error(bytes: Vec<u8>) {
        let (runtime, app) = app();
        let request = app.request("POST", "/v1/embedded/quote").bearer_auth(&app.partner().token);
        let answer = runtime.block_on(app.send(request.header("content-type", "application/json").body(bytes)));
        answer.is_refused(400, "V4000");
    }

    #[test]
    fn every_valid_quote_request_is_accepted_and_base_premium_plus_gst_is_the_total( // D21, D23
        born in birth_dates(), female: bool, cover in decimals(1, 1_000_000_000), months in 1_u32..=400, loan in decimals(1, 1_000_000_000), noise in any_json(),
    ) {
        let (runtime, app) = app();
        let body = json!({
            "date_of_birth": format!("  {born} "), "gender": if female { "FEMALE" } else { "MALE" }, "cover_amount": cover, "policy_term": months,
            "context_data": [{ "key": "loan_amount", "values": [loan] }, { "key": "remark", "values": ["", "anything"] }], "unknown": noise,
        });
        let answer = runtime.block_on(app.as_partner(app.partner(), "POST", "/v1/embedded/quote", Some(body)));
        prop_assert_eq!(answer.status, 200, "{}", answer.text);
        let payload = &answer.json()["payload"];
        let items = payload["recommendations"].as_array().expect("a list");
        prop_assert_eq!(&payload["matched_products"], &json!(items.len()));
        for item in items {
            let paise = |name: &str| item[name].as_str().expect("text").replace('.', "").parse::<i64>().expect("digits");
            prop_assert_eq!(paise("base_premium") + paise("gst"), paise("total_premium"), "{}", item);
            prop_assert_eq!(item["is_error"] == true, item["total_premium"] == "0");
            prop_assert_eq!(item["is_error"] == false, item["error_message"] == "");
        }
    }

    #[test]
    fn every_valid_proposal_is_accepted( // D25, D26
        names in vec("[a-zA-Zà-öअ-हকগচতদনপমযরলশসহகஙசஞடணதநபமயரலவఅ-ఊక-నક-ન' .-]{1,40}".prop_filter("more than blanks", |name| !name.trim().is_empty()), 2), mobile in "[0-9]{10}",
        pincode in "[0-9]{6}", local in "[a-z0-9]{1,20}", born in borrowers_birth_dates(), income in decimals(0, 1_000_000_000), pan in "[A-Za-z]{5}[0-9]{4}[A-Za-z]",
        share in 1_u32..100, choice: usize, submitted: bool, noise in any_json(),
    ) {
        let (runtime, app) = app();
        let pick = |words: &[&'static str]| words[choice % words.len()];
        let quote = runtime.block_on(app.has_quote());
        let mut person = bodies::proposer();
        for (field, value) in [
            ("first_name", json!(format!(" {} ", names[0]))), ("last_name", json!(names[1])), ("mobile", json!(mobile)), ("email", json!(format!("{local}@example.in"))),
            ("date_of_birth", json!(born)), ("annual_income", json!(income)), ("title", json!(pick(&["MR", "MRS", "MS"]))), ("gender", json!(pick(&["MALE", "FEMALE"]))),
            ("marital_status", json!(pick(&["SINGLE", "SEPARATED", "MARRIED", "DIVORCED", "WIDOWED"]))), ("nationality", json!(pick(&["FN", "IND", "NRI", "OCI", "PIO"]))),
            ("education", json!(pick(&["POST_GRADUATE", "GRADUATE", "12TH_PASS", "10TH_PASS", "BELOW_10TH", "ILLITERATE"]))),
            ("occupation", json!(pick(&["LABOURER", "OTHERS", "FARMER", "STUDENT"]))), ("organization", json!(pick(&["GOVERNMENT", "OTHERS", "PUBLIC_LTD"]))),
            ("documents", json!([{ "document_type": "PAN", "document_number": pan }])), ("unknown", noise),
        ] {
            person[field] = value;
        }
        person["address"]["pincode"] = json!(pincode);
        let mut body = bodies::proposal(&quote["quote_id"], &quote["recommendations"][0]["recommendation_id"], if submitted { "SUBMITTED" } else { "DRAFT" });
        body["proposer"] = person.clone();
        body["insured_members"] = json!([person, bodies::joint_borrower()]);
        body["nominee"] = json!([bodies::nominee(json!(share)), bodies::minor_nominee(json!(100 - share))]);
        body["context_data"] = json!([{ "key": "occupation_other", "values": ["weaver"] }, { "key": "organization_other", "values": ["a trust"] }]);
        let answer = runtime.block_on(app.as_partner(app.partner(), "POST", "/v1/embedded/proposal", Some(body)));
        prop_assert_eq!(answer.status, 201, "{}", answer.text);
    }

    #[test]
    fn no_query_causes_a_server_error_and_every_fault_names_a_parameter( // D11, D31 to D33
        names in vec(prop_oneof![Just("session_id"), Just("start_date"), Just("end_date"), Just("next"), Just("prev"), Just("limit"), Just("other")], 0..5),
        values in vec(prop_oneof!["\\PC{0,30}", "20[0-9]{2}-[01][0-9]-[0-3][0-9]", "-?[0-9]{1,4}", "[A-Za-z0-9_-]{79}", "ses_[0-9a-z]{26}"], 5),
    ) {
        let (runtime, app) = app();
        let encoded = |text: &String| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
        let pairs: Vec<String> = names.iter().zip(&values).map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let path = format!("/v1/business/health/quotes?{}", pairs.join("&"));
        let request = app.request("GET", &path).bearer_auth(&app.partner().token);
        let answer = runtime.block_on(app.send(request));
        prop_assert!(matches!(answer.status, 200 | 400), "{}", answer.text);
        if answer.status == 400 {
            answer.is_refused(400, "V4000");
            for field in answer.fault_fields() {
                prop_assert!(field == "session_id" || names.iter().any(|name| *name == field), "{}", answer.text);
            }
        }
    }

    #[test]
    fn every_valid_recommendation_request_is_accepted_and_its_job_finishes( // D14 to D19
        name in "[\\p{L}\\p{M}' .-]{1,40}".prop_filter("more than blanks", |name| !name.trim().is_empty()), gender in "\\p{L}{1,20}",
        phone in ("(\\+91|91|0|)", vec("[0-9][ -]{0,2}", 10)).prop_map(|(code, digits)| format!("{code}{}", digits.concat())),
        pincode in "[1-9][0-9]{5}", local in "[a-z0-9]{1,20}", ages in vec(0_u32..=1200, 0..5), own in 0_u32..=1200,
        has_ped: bool, peds in vec("[a-z_]{0,12}", 0..4), super_top_up: bool, sum in 0_i64..=1_000_000_000, deductible in 0_i64..=10_000_000, noise in any_json(),
    ) {
        let (runtime, app) = app();
        let aged = |tenths: &u32| json!({ "age": f64::from(*tenths) / 10.0 });
        let body = json!({
            "lead_id": name, "user_id": local, "hasPED": has_ped, "selectedPEDs": peds, "sum_insured": sum, "deductible": deductible, "unknown": noise,
            "plan_type": if super_top_up { "super_top_up" } else { "base" },
            "customer": { "name": name, "gender": gender, "phoneNumber": phone, "pinCode": pincode, "email": format!("{local}@example.in"), "unknown": noise },
            "members": { "self": [aged(&own)], "son": ages.iter().map(aged).collect::<Vec<_>>(), "daughter": null },
        });
        let job = runtime.block_on(async { app.finished_recommendation(&app.has_health_quote(body).await).await });
        prop_assert_eq!(&job["completed_variants"], &job["total_variants"]);
        let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
        prop_assert_eq!(&job["customer_phone"], &json!(&digits[digits.len() - 10..]));
        prop_assert_eq!(job["sum_insured"].as_i64(), Some(if sum == 0 { 1_000_000 } else { sum }));
        let recommended: Vec<bool> = job["new_recommendations"].as_array().expect("a list").iter().map(|item| item["recommended"] == true).collect();
        prop_assert!(recommended.iter().enumerate().all(|(at, recommended)| *recommended == (at == 0)), "{}", job);
    }
}
