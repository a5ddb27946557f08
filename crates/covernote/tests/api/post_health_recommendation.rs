//! `POST /v1/business/health/recommendation`: starts a recommendation as a job
//! (interface §2; D2, D8, D11 to D16, D20, D36, D37, D43, D44, D51).

use std::time::Duration;

use domain::identifier::{Identifier, IdentifierKind};
use serde_json::{Value, json};
use service::partner::PartnerChange;
use tokio::task::JoinSet;

use crate::idempotency::{are_twins, ask, is_new, is_replay_of, sixteen};
use crate::support::bodies::{self, as_field, recommendation, with, without};
use crate::support::{Answer, App, Setup};

const PATH: &str = "/v1/business/health/recommendation";

/// A well-formed id of no session.
const UNKNOWN_SESSION: &str = "ses_01m5vvw3xreqg9aaa1afd2xg99";
const UNKNOWN_PARTNER: &str = "par_01m5x05ptgfjfs46bmzda3qkxv";

async fn recommend(app: &App, body: Value) -> Answer {
    app.post(PATH, body).await
}

/// Checks that the request was accepted. Returns the quote's id.
#[track_caller]
fn is_taken(answer: &Answer) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["payload"]["quote_id"].as_str().expect("an id").to_owned()
}

/// Checks that every value at the path is accepted.
async fn takes(app: &App, path: &str, values: impl IntoIterator<Item = Value>) {
    for value in values {
        let answer = recommend(app, with(recommendation(), path, value.clone())).await;
        assert_eq!(answer.status, 200, "{path} {value}: {}", answer.text);
    }
}

/// Checks that exactly these fields have faults, with sentences as messages.
#[track_caller]
fn is_faulty(answer: &Answer, fields: &[&str], shown: &str) {
    assert_eq!(answer.status, 400, "{shown}: {}", answer.text);
    answer.has_faults_on(fields);
    assert_eq!(answer.json()["title"], "Validation Error");
    assert_eq!(answer.json()["instance"], PATH);
    answer.says_what_must_be();
}

/// Checks that each value at the path is a fault of that field only.
async fn refuses(app: &App, path: &str, values: impl IntoIterator<Item = Value>) {
    for value in values {
        let body = with(recommendation(), path, value);
        let shown = body.to_string();
        is_faulty(&recommend(app, body).await, &[&as_field(path)], &shown);
    }
}

/// Sends a body with a number that [`Value`] cannot represent.
async fn recommend_with_number(app: &App, path: &str, number: &str) -> Answer {
    let marked = with(recommendation(), path, json!("NUMBER")).to_string();
    app.post_text(PATH, marked.replace("\"NUMBER\"", number)).await
}

/// A service without workers, so that stored records do not change.
async fn idle() -> App {
    Setup { workers: 0, ..Setup::default() }.start().await
}

#[tokio::test]
async fn a_recommendation_request_is_answered_with_200_and_only_the_quote_id() {
    // interface §2; D44
    let app = App::start().await;
    let answer = recommend(&app, recommendation()).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    insta::assert_snapshot!(answer.shown(), @r#"
    {
      "payload": {
        "quote_id": "[quo]"
      }
    }
    "#);
}

#[tokio::test]
async fn a_job_is_stored_with_its_quote_and_deleted_when_it_is_done() {
    // D17
    let app = idle().await;
    let id = app.has_health_quote(recommendation()).await;
    assert_eq!((app.rows_of("health_quotes"), app.rows_of("jobs")), (1, 1));
    assert_eq!(app.recommendation(&id).await["status"], "pending");
    app.works(4);
    app.finished_recommendation(&id).await;
    assert_eq!((app.rows_of("health_quotes"), app.rows_of("jobs")), (1, 0));
}

#[tokio::test]
async fn an_id_has_a_prefix_and_26_characters_and_sorts_by_creation_time() {
    // D20
    let app = App::start().await;
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(app.has_health_quote(recommendation()).await);
        app.clock.advance(Duration::from_millis(1));
    }
    for id in &ids {
        let tail = id.strip_prefix("quo_").unwrap_or_else(|| panic!("{id}"));
        assert_eq!(tail.len(), 26, "{id}");
        assert!(tail.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_lowercase()), "{id}");
    }
    assert!(ids.is_sorted_by(|earlier, later| earlier < later), "{ids:?}");
}

// The body.

#[tokio::test]
async fn a_request_with_every_field_is_accepted() {
    // interface §2
    let app = App::start().await;
    let mut body = bodies::full_recommendation();
    body["session_id"] = app.has_session().await.into();
    body["partner_id"] = app.partner().id.to_string().into();
    is_taken(&recommend(&app, body).await);
    app.has_no_job_left().await;
}

#[tokio::test]
async fn a_required_field_that_is_missing_or_has_a_wrong_type_is_a_fault() {
    // interface §2; D11, D12
    let app = App::start().await;
    let no_text = [
        Value::Null,
        json!(""),
        json!(" \t "),
        json!(true),
        json!(7),
        json!([]),
        json!(["x"]),
        json!({}),
        json!({ "a": 1 }),
    ];
    for path in [
        "lead_id",
        "user_id",
        "customer.name",
        "customer.gender",
        "customer.phoneNumber",
        "customer.pinCode",
        "customer.email",
    ] {
        let missing = without(recommendation(), path);
        is_faulty(&recommend(&app, missing).await, &[path], path);
        refuses(&app, path, no_text.clone()).await;
    }
    let other_kinds = [Value::Null, json!(""), json!("x"), json!(true), json!(7), json!([]), json!([{}])];
    for path in ["customer", "members"] {
        let missing = without(recommendation(), path);
        is_faulty(&recommend(&app, missing).await, &[path], path);
        refuses(&app, path, other_kinds.clone()).await;
    }
    is_faulty(&recommend(&app, without(recommendation(), "hasPED")).await, &["hasPED"], "hasPED");
    let no_flags = [json!("true"), json!("false"), json!("yes"), json!(0), json!(1), json!({})];
    refuses(&app, "hasPED", other_kinds.into_iter().filter(|kind| *kind != json!(true)).chain(no_flags))
        .await;
    assert_eq!((app.rows_of("health_quotes"), app.rows_of("jobs")), (0, 0));
}

#[tokio::test]
async fn one_answer_lists_all_faults_of_a_request() {
    // D11
    let app = App::start().await;
    let nothing = recommend(&app, json!({})).await;
    is_faulty(&nothing, &["lead_id", "user_id", "customer", "members", "hasPED"], "{}");
    let body = json!({
        "lead_id": 7,
        "user_id": " ",
        "customer": { "gender": "", "phoneNumber": "12", "pinCode": "012345", "email": "asha" },
        "members": {
            "self": [{ "age": 34 }, { "age": 35 }],
            "uncle": [{ "age": 50 }],
            "spouse": { "age": 3 },
            "daughter": [{ "age": 6 }, { "age": "7" }, 8, {}],
            "son": [{ "age": 121 }],
        },
        "hasPED": "no",
        "selectedPEDs": ["x", true],
        "plan_type": "BASE",
        "sum_insured": -1,
        "deductible": "500000",
        "partner_id": 7,
        "enterprise_id": [],
        "is_porting": 1,
        "porting_tenure": -2,
        "session_id": UNKNOWN_SESSION,
    });
    let answer = recommend(&app, body.clone()).await;
    let fields = [
        "lead_id",
        "user_id",
        "customer.name",
        "customer.gender",
        "customer.phoneNumber",
        "customer.pinCode",
        "customer.email",
        "members.self",
        "members.uncle",
        "members.spouse",
        "members.daughter[1].age",
        "members.daughter[2]",
        "members.daughter[3].age",
        "members.son[0].age",
        "hasPED",
        "selectedPEDs[1]",
        "plan_type",
        "sum_insured",
        "deductible",
        "partner_id",
        "enterprise_id",
        "is_porting",
        "porting_tenure",
        "session_id",
    ];
    is_faulty(&answer, &fields, &body.to_string());
    assert_eq!((app.rows_of("health_quotes"), app.rows_of("jobs")), (0, 0));
}

#[tokio::test]
async fn unknown_fields_are_ignored() {
    // D12
    let app = App::start().await;
    let mut body = recommendation();
    body["unknown"] = json!({ "age": -1 });
    body["customer"]["pincode"] = json!("x");
    body["members"]["self"][0]["name"] = json!(7);
    is_taken(&recommend(&app, body).await);
}

#[tokio::test]
async fn a_phone_number_must_have_10_digits_besides_country_code_and_separators() {
    // D14
    let app = App::start().await;
    for good in [
        "9876543210",
        " 9876543210 ",
        "+919876543210",
        "+91 98765 43210",
        "+91-98765-43210",
        "+ 91 9876543210",
        "919876543210",
        "91 9876 543 210",
        "09876543210",
        "0 98765-43210",
        "98765 43210",
        "98-76-54-32-10",
        "-9876543210-",
        "00919876543210",
        "(+91) 98765 43210",
        "(0)9876543210",
        "+91\u{a0}98765\u{2011}43210",
        "\u{202a}+91 9876543210\u{202c}",
    ] {
        let id =
            is_taken(&recommend(&app, with(recommendation(), "customer.phoneNumber", json!(good))).await);
        assert_eq!(app.recommendation(&id).await["customer_phone"], "9876543210", "{good}");
    }
    // Digits that look like a country code may be part of the number.
    for own in ["9198765432", "0123456789", "1234567890"] {
        let id = is_taken(&recommend(&app, with(recommendation(), "customer.phoneNumber", json!(own))).await);
        assert_eq!(app.recommendation(&id).await["customer_phone"], own);
    }
    let bad = [
        "987654321",
        "98765432100",
        "98765432101234",
        "+91987654321",
        "+9198765432100",
        "++919876543210",
        "+09876543210",
        "0919876543210",
        "+9109876543210",
        "+19876543210",
        "449876543210",
        "(98765)43210",
        "98765.43210",
        "98765/43210",
        "9876543210x",
        "x9876543210",
        "987654321O",
        "९८७६५४३२१०",
        "9876543210,9876543211",
        "+91",
        "-",
        "+9876543210",
        "98765+43210",
    ];
    refuses(&app, "customer.phoneNumber", bad.map(Value::from)).await;
    refuses(&app, "customer.phoneNumber", [json!(9_876_543_210_u64)]).await;
}

#[tokio::test]
async fn a_pincode_must_have_6_digits_and_not_begin_with_0() {
    // D14
    let app = App::start().await;
    for good in ["560038", "110001", "999999", "100000", " 560038 "] {
        let id = is_taken(&recommend(&app, with(recommendation(), "customer.pinCode", json!(good))).await);
        assert_eq!(app.recommendation(&id).await["pincode"], good.trim());
    }
    let bad = [
        "056003",
        "000000",
        "56003",
        "5600388",
        "56003a",
        "560 038",
        "560-038",
        "-56003",
        "+56003",
        "56003.",
        "५६००३८",
        "0x5600",
    ];
    refuses(&app, "customer.pinCode", bad.map(Value::from)).await;
    refuses(&app, "customer.pinCode", [json!(560_038), json!(560_038.0)]).await;
}

#[tokio::test]
async fn an_email_must_be_a_valid_email_address() {
    // D14
    let app = App::start().await;
    for good in [
        "asha@example.com",
        "asha.rao+health@mail.example.co.in",
        "o'neil_7@example.in",
        " asha@example.com ",
        "आशा@उदाहरण.भारत",
    ] {
        let id = is_taken(&recommend(&app, with(recommendation(), "customer.email", json!(good))).await);
        assert_eq!(app.recommendation(&id).await["customer_email"], good.trim());
    }
    let bad = [
        "asha",
        "asha@",
        "@example.com",
        "asha@example",
        "asha@@example.com",
        "asha@example@com",
        "asha rao@example.com",
        "asha@exam ple.com",
        "asha@example..com",
        "asha@.example.com",
        "asha@example.com.",
        ".asha@example.com",
        "asha.@example.com",
        "asha@-example.com",
        "Asha <asha@example.com>",
        "asha@example.com, b@example.com",
    ];
    refuses(&app, "customer.email", bad.map(Value::from)).await;
}

#[tokio::test]
async fn any_text_is_accepted_as_name_or_gender_and_stored_trimmed() {
    // D14
    let app = App::start().await;
    for good in ["F", "female", "MALE", "Non-binary", "prefer not to say", "महिला", "42", "—", "  Other  "]
    {
        for (path, shown) in [("customer.gender", "customer_gender"), ("customer.name", "customer_name")] {
            let id = is_taken(&recommend(&app, with(recommendation(), path, json!(good))).await);
            assert_eq!(app.recommendation(&id).await[shown], good.trim(), "{path}");
        }
    }
}

#[tokio::test]
async fn members_may_have_only_the_six_known_keys() {
    // D15
    let app = App::start().await;
    let six = json!({
        "self": [{ "age": 34 }], "spouse": [{ "age": 36 }], "father": [{ "age": 66 }],
        "mother": [{ "age": 61 }], "daughter": [{ "age": 6 }], "son": [{ "age": 3 }],
    });
    takes(&app, "members", [six.clone()]).await;
    for key in ["self", "spouse", "father", "mother", "daughter", "son"] {
        let family = Value::Object([(key.to_owned(), json!([{ "age": 40 }]))].into_iter().collect());
        takes(&app, "members", [family]).await;
    }
    for key in ["uncle", "Self", "SELF", "sons", "wife", " self", "self[0]", "a.b", "क", "", "age"] {
        for people in [json!([{ "age": 40 }]), json!([]), Value::Null, json!(7)] {
            let mut body = with(recommendation(), "members", six.clone());
            body["members"][key] = people;
            let shown = body.to_string();
            is_faulty(&recommend(&app, body).await, &[&format!("members.{key}")], &shown);
        }
    }
}

#[tokio::test]
async fn self_spouse_father_and_mother_may_each_have_at_most_one_person() {
    // interface §2; D15
    let app = App::start().await;
    for key in ["self", "spouse", "father", "mother"] {
        refuses(&app, &format!("members.{key}"), [json!([{ "age": 40 }, { "age": 41 }])]).await;
    }
    let children = |number: u32| -> Value { (0..number).map(|age| json!({ "age": age })).collect() };
    for key in ["daughter", "son"] {
        takes(&app, &format!("members.{key}"), [children(2), children(9), children(25)]).await;
    }
}

#[tokio::test]
async fn an_empty_or_null_list_of_members_counts_as_absent() {
    // D13, D15
    let app = App::start().await;
    takes(&app, "members.spouse", [json!([]), Value::Null]).await;
    let plain = json!({ "self": [{ "age": 34 }] });
    let padded = json!({
        "self": [{ "age": 34 }], "spouse": [], "father": null, "mother": [], "daughter": null, "son": [],
    });
    for members in [&plain, &padded] {
        let id = app.has_health_quote(with(recommendation(), "members", members.clone())).await;
        assert_eq!(app.finished_recommendation(&id).await["member_details"], plain);
    }
}

#[tokio::test]
async fn a_request_without_any_member_is_refused() {
    // D15
    let app = App::start().await;
    let nobody = json!({ "self": [], "spouse": null, "son": [] });
    refuses(&app, "members", [json!({}), nobody, json!({ "daughter": [] }), json!({ "self": null })]).await;
}

#[tokio::test]
async fn each_member_must_be_an_object_with_an_age_in_a_list() {
    // interface §2; D11, D15
    let app = App::start().await;
    let no_lists = [json!("x"), json!(true), json!(34), json!({}), json!({ "age": 34 })];
    refuses(&app, "members.self", no_lists.clone()).await;
    refuses(&app, "members.son", no_lists).await;
    let no_people = [Value::Null, json!("x"), json!(34), json!([]), json!(true)];
    refuses(&app, "members.self.0", no_people).await;
    let mut ageless = recommendation();
    ageless["members"]["son"] = json!([{ "age": 3 }, {}, { "Age": 5 }]);
    let shown = ageless.to_string();
    is_faulty(&recommend(&app, ageless).await, &["members.son[1].age", "members.son[2].age"], &shown);
}

#[tokio::test]
async fn an_age_is_a_number_from_0_to_120() {
    // D15
    let app = App::start().await;
    for good in ["0", "0.0", "0.5", "34", "34.0", "3.4e1", "119.99", "120", "120.0", "0.0833"] {
        for path in ["members.self.0.age", "members.son.0.age"] {
            let id = is_taken(&recommend_with_number(&app, path, good).await);
            app.finished_recommendation(&id).await;
        }
    }
    let bad =
        [json!(-1), json!(-0.1), json!(121), json!(120.01), json!(1e308), json!(-1e308), json!(u64::MAX)];
    refuses(&app, "members.self.0.age", bad).await;
    let no_numbers = [Value::Null, json!(""), json!("34"), json!("x"), json!(true), json!([34]), json!({})];
    refuses(&app, "members.son.0.age", no_numbers).await;
    for number in ["1e999", "-1e999"] {
        let answer = recommend_with_number(&app, "members.self.0.age", number).await;
        is_faulty(&answer, &["members.self[0].age"], number);
    }
}

#[tokio::test]
async fn a_plan_type_must_be_base_or_super_top_up_and_base_is_the_default() {
    // interface §2; D13, D18
    let app = App::start().await;
    for (given, reported) in [
        (json!("base"), "BASE"),
        (json!("super_top_up"), "SUPER_TOP_UP"),
        (json!(" base "), "BASE"),
        (Value::Null, "BASE"),
        (json!(""), "BASE"),
        (json!("  "), "BASE"),
    ] {
        let id = is_taken(&recommend(&app, with(recommendation(), "plan_type", given)).await);
        assert_eq!(app.recommendation(&id).await["plan_type"], reported);
    }
    let id = is_taken(&recommend(&app, recommendation()).await);
    assert_eq!(app.recommendation(&id).await["plan_type"], "BASE");
    let bad = ["BASE", "Base", "SUPER_TOP_UP", "super top up", "super-top-up", "topup", "both"];
    refuses(&app, "plan_type", bad.map(Value::from)).await;
    refuses(&app, "plan_type", [json!(1), json!(true), json!(["base"]), json!({})]).await;
}

#[tokio::test]
async fn a_sum_insured_that_is_left_out_or_zero_is_ten_lakh() {
    // interface §2, Limits; D13
    let app = App::start().await;
    let id = is_taken(&recommend(&app, recommendation()).await);
    assert_eq!(app.recommendation(&id).await["sum_insured"], 1_000_000);
    for none in ["null", "\"\"", "\"  \"", "0", "0.0", "-0", "-0.0", "0e5"] {
        let id = is_taken(&recommend_with_number(&app, "sum_insured", none).await);
        assert_eq!(app.recommendation(&id).await["sum_insured"], 1_000_000, "{none}");
    }
    for (given, used) in [
        ("500000", json!(500_000)),
        ("500000.0", json!(500_000)),
        ("5e5", json!(500_000)),
        ("1", json!(1)),
        ("10000000", json!(10_000_000)),
        ("750000.5", json!(750_000.5)),
    ] {
        let id = is_taken(&recommend_with_number(&app, "sum_insured", given).await);
        assert_eq!(app.recommendation(&id).await["sum_insured"], used, "{given}");
    }
}

#[tokio::test]
async fn amounts_and_porting_tenure_must_be_finite_numbers_of_at_least_0() {
    // D16
    let app = App::start().await;
    for field in ["sum_insured", "deductible", "porting_tenure"] {
        takes(
            &app,
            field,
            [json!(0), json!(2), json!(2.5), json!(1e308), Value::Null, json!(""), json!(" ")],
        )
        .await;
        refuses(&app, field, [json!(-1), json!(-0.01), json!(-1e308), json!(i64::MIN)]).await;
        let no_numbers = [json!("500000"), json!("x"), json!(true), json!([]), json!([1]), json!({})];
        refuses(&app, field, no_numbers).await;
        for number in ["1e999", "-1e999", "1e400", &format!("1{}", "0".repeat(400))] {
            is_faulty(&recommend_with_number(&app, field, number).await, &[field], number);
        }
    }
    app.has_no_job_left().await;
}

#[tokio::test]
async fn a_number_that_is_not_finite_is_reported_as_a_fault_of_its_field_with_all_other_faults() {
    // D11, D16
    let app = App::start().await;
    let numbers = [
        "lead_id",
        "user_id",
        "customer",
        "customer.name",
        "customer.pinCode",
        "members.self",
        "members.self.0",
        "hasPED",
        "selectedPEDs",
        "plan_type",
        "partner_id",
        "is_porting",
        "session_id",
    ];
    for path in numbers {
        let answer = recommend_with_number(&app, path, "1e999").await;
        is_faulty(&answer, &[&as_field(path)], path);
    }
    let mut body = recommendation();
    body["sum_insured"] = json!("NUMBER");
    body["members"]["son"][0]["age"] = json!("NUMBER");
    body["plan_type"] = json!("BASE");
    body["hasPED"] = json!(7);
    let text = body.to_string().replace("\"NUMBER\"", "-9e9999");
    let faults = ["sum_insured", "members.son[0].age", "plan_type", "hasPED"];
    is_faulty(&app.post_text(PATH, text.clone()).await, &faults, &text);
}

#[tokio::test]
async fn a_number_that_is_not_finite_in_place_of_members_is_a_fault_of_members() {
    // D11, D16
    let app = App::start().await;
    is_faulty(&recommend_with_number(&app, "members", "1e999").await, &["members"], "1e999");
}

/// Numbers above zero that make no difference in a premium.
const NEARLY_NOTHING: [&str; 6] = ["1e-20", "1e-28", "1e-29", "1e-30", "1.2345678901234567e-15", "5e-324"];

#[tokio::test]
async fn an_age_close_to_zero_is_accepted_with_any_number_of_decimals() {
    // D15: with any number of decimals
    let app = App::start().await;
    for age in NEARLY_NOTHING {
        is_taken(&recommend_with_number(&app, "members.son.0.age", age).await);
    }
}

#[tokio::test]
async fn an_amount_close_to_zero_is_not_read_as_a_large_amount() {
    // D16, D51: with any number of decimals
    let app = App::start().await;
    for amount in NEARLY_NOTHING {
        is_taken(&recommend_with_number(&app, "porting_tenure", amount).await);
        let id = is_taken(&recommend_with_number(&app, "sum_insured", amount).await);
        let used = app.recommendation(&id).await["sum_insured"].clone();
        assert!(used.as_f64() <= Some(1_000_000.0), "{amount} became {used}");
        let id = is_taken(&recommend_with_number(&app, "deductible", amount).await);
        let used = app.finished_recommendation(&id).await["deductible"].clone();
        assert!(used.as_f64() < Some(1.0), "{amount} became {used}");
    }
}

#[tokio::test]
async fn a_number_that_is_not_finite_is_ignored_in_unknown_fields_and_unchanged_in_texts() {
    // D12
    let app = App::start().await;
    let mut body = recommendation();
    let name = r#"1e999 " \ 1e999 \" -1e999"#;
    body["customer"]["name"] = json!(name);
    body["unknown"] = json!({ "deep": ["NUMBER", "NUMBER", 7] });
    let text = body.to_string().replace("\"NUMBER\"", "1e999");
    let id = is_taken(&app.post_text(PATH, text).await);
    assert_eq!(app.recommendation(&id).await["customer_name"], name);
}

#[tokio::test]
async fn selected_diseases_must_be_a_list_of_texts_but_may_be_unknown_to_the_catalogue() {
    // interface §2; D13, D16
    let app = App::start().await;
    for has_ped in [true, false] {
        let body = with(recommendation(), "hasPED", json!(has_ped));
        for good in [
            json!([]),
            Value::Null,
            json!(""),
            json!(["diabetes"]),
            json!(["diabetes", "diabetes", "never heard of", "42"]),
        ] {
            is_taken(&recommend(&app, with(body.clone(), "selectedPEDs", good)).await);
        }
    }
    let no_lists = [json!("diabetes"), json!(true), json!(7), json!({}), json!({ "0": "diabetes" })];
    refuses(&app, "selectedPEDs", no_lists).await;
    for bad in [Value::Null, json!(true), json!(1.5), json!(-1), json!([]), json!(["x"]), json!({})] {
        let body = with(recommendation(), "selectedPEDs", json!(["diabetes", bad]));
        let shown = body.to_string();
        is_faulty(&recommend(&app, body).await, &["selectedPEDs[1]"], &shown);
    }
    app.has_no_job_left().await;
}

#[tokio::test]
async fn porting_flag_and_porting_tenure_are_optional_and_checked_independently() {
    // interface §2; D13, D16
    let app = App::start().await;
    for is_porting in [json!(true), json!(false), Value::Null, json!(""), json!(" ")] {
        for tenure in [json!(0), json!(3), json!(1.5), Value::Null, json!("")] {
            let body = with(recommendation(), "is_porting", is_porting.clone());
            is_taken(&recommend(&app, with(body, "porting_tenure", tenure)).await);
        }
        is_taken(&recommend(&app, with(recommendation(), "is_porting", is_porting)).await);
    }
    let no_flags = [json!("true"), json!("x"), json!(0), json!(1), json!([]), json!({})];
    refuses(&app, "is_porting", no_flags).await;
    // The years are checked with or without the flag.
    let body = with(recommendation(), "is_porting", json!(false));
    is_faulty(&recommend(&app, with(body, "porting_tenure", json!(-1))).await, &["porting_tenure"], "-1");
}

// The session.

#[tokio::test]
async fn a_quote_belongs_to_the_partners_session_that_its_request_names() {
    // D37
    let app = App::start().await;
    let session = app.has_session().await;
    let padded = format!("  {session} ");
    for named in [&session, &padded] {
        let id = is_taken(&recommend(&app, with(recommendation(), "session_id", json!(named))).await);
        let quote = app.get(&format!("/v1/business/health/quotes/{id}")).await.json()["quote"].clone();
        assert_eq!(quote["session_id"], session.as_str());
    }
    takes(&app, "session_id", [Value::Null, json!(""), json!("  ")]).await;
    let list = app.get(&format!("/v1/business/health/quotes?session_id={session}")).await;
    assert_eq!(list.json()["count"], 2);
}

#[tokio::test]
async fn a_session_id_that_is_not_a_session_of_the_partner_is_a_fault() {
    // D3, D11, D37
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let foreign = app.has_session_of(&other).await;
    let own = app.has_session().await;
    let long = "s".repeat(101);
    let bad = [
        &foreign,
        UNKNOWN_SESSION,
        "ses_",
        "x",
        &own.to_uppercase(),
        &own.replace("ses_", "quo_"),
        &own[4..],
        &own[..29],
        &format!("{own}0"),
        &long,
    ];
    refuses(&app, "session_id", bad.map(Value::from)).await;
    refuses(&app, "session_id", [json!(7), json!(true), json!([own]), json!({})]).await;
    // Another partner's session looks like an unknown one.
    let told = async |id: &str| recommend(&app, with(recommendation(), "session_id", json!(id))).await.text;
    assert_eq!(told(&foreign).await, told(UNKNOWN_SESSION).await);
    let body = with(with(recommendation(), "session_id", json!(foreign)), "hasPED", json!(7));
    is_faulty(&recommend(&app, body).await, &["hasPED", "session_id"], "beside another fault");
    assert_eq!(app.rows_of("health_quotes"), 0);
}

// Attribution.

#[tokio::test]
async fn attribution_of_a_quote_to_the_partner_itself_needs_no_permission() {
    // D8
    let app = App::start().await;
    let own = app.partner().id.to_string();
    takes(&app, "partner_id", [json!(own), json!(format!(" {own} ")), Value::Null, json!(""), json!("  ")])
        .await;
    takes(&app, "enterprise_id", [Value::Null, json!(""), json!("  ")]).await;
}

#[tokio::test]
async fn attribution_of_a_quote_to_anyone_else_needs_the_operators_permission() {
    // D8
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let own = app.partner().id.to_string();
    let tried = [
        ("partner_id", other.id.to_string()),
        ("partner_id", UNKNOWN_PARTNER.to_owned()),
        ("partner_id", "anybody".to_owned()),
        ("partner_id", own.to_uppercase()),
        ("enterprise_id", "ent_01m5x05ptgfjfs46bmzda3qkxv".to_owned()),
        ("enterprise_id", own.clone()),
    ];
    for (field, named) in &tried {
        let answer = recommend(&app, with(recommendation(), field, json!(named))).await;
        answer.is_refused(403, "A4030");
        let object = answer.json();
        assert_eq!(
            (&object["title"], &object["instance"]),
            (&json!("Insufficient Permission"), &json!(PATH))
        );
        assert!(
            object["detail"].as_str().expect("text").contains("has not allowed you to attribute quotes"),
            "{}",
            answer.text
        );
    }
    let both = with(with(recommendation(), "partner_id", json!(own)), "enterprise_id", json!("anyone"));
    recommend(&app, both).await.is_refused(403, "A4030");
    assert_eq!(app.rows_of("health_quotes"), 0);

    let permit = |granted| PartnerChange { attribution: Some(granted), ..PartnerChange::default() };
    app.change(app.partner(), permit(true)).await;
    for (field, named) in &tried {
        is_taken(&recommend(&app, with(recommendation(), field, json!(named))).await);
    }
    // The permission belongs to that partner only, and can be withdrawn.
    let body = with(recommendation(), "partner_id", json!(own));
    app.as_partner(&other, "POST", PATH, Some(body)).await.is_refused(403, "A4030");
    app.change(app.partner(), permit(false)).await;
    let body = with(recommendation(), "partner_id", json!(other.id.to_string()));
    recommend(&app, body).await.is_refused(403, "A4030");
}

#[tokio::test]
async fn a_missing_attribution_permission_is_reported_instead_of_field_faults() {
    // D8, D43
    let app = App::start().await;
    for field in ["partner_id", "enterprise_id"] {
        let mut body = json!({ "hasPED": 7, "session_id": UNKNOWN_SESSION });
        body[field] = json!(UNKNOWN_PARTNER);
        recommend(&app, body).await.is_refused(403, "A4030");
    }
    // A value that is not text is a fault, not a missing permission.
    for bad in [json!(7), json!(true), json!([]), json!({})] {
        refuses(&app, "partner_id", [bad.clone()]).await;
        refuses(&app, "enterprise_id", [bad]).await;
    }
}

// The key.

#[tokio::test]
async fn a_repeated_request_with_the_same_idempotency_key_starts_only_one_job() {
    // D36
    let app = idle().await;
    let body = recommendation();
    let first = ask(&app, "POST", PATH, "k", &body).await;
    is_new(&first, 200);
    for _ in 0..3 {
        is_replay_of(&ask(&app, "POST", PATH, "k", &body).await, &first);
    }
    assert_eq!((app.rows_of("health_quotes"), app.rows_of("jobs")), (1, 1));
    for other in [json!({}), with(body.clone(), "sum_insured", json!(500_000)), json!({ "hasPED": 7 })] {
        let answer = ask(&app, "POST", PATH, "k", &other).await;
        answer.is_refused(422, "V4220");
    }
    is_new(&ask(&app, "POST", PATH, "another", &body).await, 200);
    assert_eq!((app.rows_of("health_quotes"), app.rows_of("jobs")), (2, 2));

    // The answer is the first one, whatever the job's state now.
    app.works(4);
    app.has_no_job_left().await;
    is_replay_of(&ask(&app, "POST", PATH, "k", &body).await, &first);
    assert_eq!(app.rows_of("health_quotes"), 2);
}

#[tokio::test]
async fn a_refusal_is_not_stored_under_its_idempotency_key() {
    // D36
    let app = App::start().await;
    let faulty = with(recommendation(), "hasPED", json!("no"));
    let foreign = with(recommendation(), "partner_id", json!(UNKNOWN_PARTNER));
    for _ in 0..2 {
        ask(&app, "POST", PATH, "k", &faulty).await.has_faults_on(&["hasPED"]);
        ask(&app, "POST", PATH, "k", &foreign).await.is_refused(403, "A4030");
    }
    assert_eq!(app.rows_of("kept_responses"), 0);
    is_new(&ask(&app, "POST", PATH, "k", &recommendation()).await, 200);
    assert_eq!((app.rows_of("health_quotes"), app.rows_of("kept_responses")), (1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixteen_simultaneous_equal_requests_with_one_key_start_only_one_job() {
    // D36
    let app = idle().await;
    for round in 1..=5 {
        let body = with(recommendation(), "sum_insured", json!(round * 100_000));
        are_twins(&sixteen(&app, "POST", PATH, &format!("twin-{round}"), &body).await, 200);
        assert_eq!((app.rows_of("health_quotes"), app.rows_of("jobs")), (round, round));
    }
    app.works(4);
    app.has_no_job_left().await;
    let list = app.get("/v1/business/health/quotes?start_date=2026-11-20").await;
    assert_eq!(list.json()["count"], 5, "none is counted twice");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn each_of_64_simultaneous_requests_creates_its_own_quote_that_finishes() {
    // D17
    let app = App::start().await;
    let mut all = JoinSet::new();
    for _ in 0..64 {
        let request = app.request("POST", PATH).bearer_auth(&app.partner().token).json(&recommendation());
        all.spawn(async move { Answer::of(request.send().await.expect("an answer")).await });
    }
    let mut ids: Vec<String> = all.join_all().await.iter().map(is_taken).collect();
    for id in &ids {
        app.finished_recommendation(id).await;
    }
    ids.sort();
    ids.dedup();
    assert_eq!((ids.len(), app.rows_of("health_quotes"), app.rows_of("jobs")), (64, 64, 0));
}

// What is stored.

#[tokio::test]
async fn the_operator_finds_quotes_by_lead_id_or_user_id() {
    // D16
    let app = App::start().await;
    let body =
        |lead: &str, user: &str| with(with(recommendation(), "lead_id", json!(lead)), "user_id", json!(user));
    let first = app.has_health_quote(body("lead-1", "user-1")).await;
    app.clock.advance(Duration::from_secs(1));
    let second = app.has_health_quote(body(" lead-1 ", "user-2")).await;
    let find = async |kind, named: &str| -> Vec<String> {
        let by = Identifier::of(kind, named);
        let found = app.service.health_quotes.find_identified(None, &by, 10).await.expect("read");
        found.iter().map(|quote| quote.id.to_string()).collect()
    };
    assert_eq!(find(IdentifierKind::Lead, "lead-1").await, [second.as_str(), &first]);
    assert_eq!(find(IdentifierKind::User, "user-1").await, [first.as_str()]);
    assert_eq!(find(IdentifierKind::User, "user-2").await, [second.as_str()]);
    // A user id is not a lead id, even if both are equal.
    assert!(find(IdentifierKind::User, "lead-1").await.is_empty());
    assert!(find(IdentifierKind::Lead, "lead").await.is_empty());
}

#[tokio::test]
async fn personal_data_of_a_recommendation_request_is_not_readable_in_the_store() {
    // D16, D36
    let app = App::start().await;
    let mut body = recommendation();
    body["lead_id"] = json!("CANARY-lead");
    body["user_id"] = json!("CANARY-user");
    body["customer"] = json!({
        "name": "CANARY Rao", "gender": "CANARY", "phoneNumber": "7418529630", "pinCode": "683594",
        "email": "canary.rao@example.com",
    });
    body["selectedPEDs"] = json!(["CANARY-disease"]);
    body["hasPED"] = json!(true);
    let answer = ask(&app, "POST", PATH, "CANARY-key", &body).await;
    app.finished_recommendation(&is_taken(&answer)).await;
    let stored = app.store.bytes(app.folder.path());
    for text in ["CANARY", "canary", "7418529630", "683594"] {
        assert!(
            !stored.windows(text.len()).any(|window| window == text.as_bytes()),
            "{text} is in the store"
        );
    }
}
