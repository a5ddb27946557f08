//! `POST /v1/embedded/proposal` (interface §5, Errors, Limits; D3, D11 to D13, D20, D21, D24 to D29, D39,
//! D40, D44, D45).
//! `sale_rules.rs` tests the products' own rules (D61).

use std::time::Duration;

use domain::credit_life::EmbeddedProposal;
use serde_json::{Value, json};

use crate::support::bodies::{self, as_field, with, without};
use crate::support::{Answer, App, Partner, Setup};

const PATH: &str = "/v1/embedded/proposal";

/// Well-formed ids of no quote and no recommendation.
const UNKNOWN_QUOTE: &str = "quo_01m5vktth0f5dshfehnp2ec77b";
const UNKNOWN_RECOMMENDATION: &str = "rec_01m5vktth0f5dshfehnp2ec77b";

/// Paths of the people in a body.
const PEOPLE: [&str; 4] = ["proposer", "insured_members.0", "nominee.0", "nominee.0.appointee_details"];

/// A draft's body with every field: a minor nominee, documents for everybody, and the context data that
/// `OTHERS` requires.
async fn has_full_body(app: &App) -> Value {
    let mut body = app.has_proposal_body("DRAFT").await;
    body["nominee"] = json!([bodies::minor_nominee(json!(100))]);
    let document = json!([{ "document_type": "VOTER_ID", "document_number": "XYZ1234567" }]);
    body["nominee"][0]["documents"] = document.clone();
    let appointee = &mut body["nominee"][0]["appointee_details"];
    appointee["documents"] = document;
    appointee["middle_name"] = "J".into();
    appointee["country_code"] = "+91".into();
    body["context_data"] = json!([
        { "key": "loan_amount", "values": ["500000"] },
        { "key": "occupation_other", "values": ["Potter"] },
        { "key": "organization_other", "values": ["Cooperative"] },
    ]);
    body
}

/// Sends bodies one after the other. Collects unexpected answers, and counts accepted bodies.
struct Table<'a> {
    app: &'a App,
    taken: i64,
    wrong: Vec<String>,
}

impl<'a> Table<'a> {
    fn of(app: &'a App) -> Self {
        Table { app, taken: app.rows_of("proposals"), wrong: Vec::new() }
    }

    async fn takes(&mut self, what: &str, body: Value) {
        let answer = self.app.post(PATH, body).await;
        self.taken += 1;
        if answer.status != 201 {
            self.taken -= 1;
            self.wrong.push(format!("{what} must be taken: {} {}", answer.status, answer.text));
        }
    }

    /// The body must be refused with faults on exactly these fields.
    async fn refuses(&mut self, what: &str, body: Value, fields: &[String]) {
        let answer = self.app.post(PATH, body).await;
        self.taken += i64::from(answer.status == 201);
        let mut found = faults_of(&answer).unwrap_or_default();
        let mut wanted = fields.to_vec();
        found.sort();
        wanted.sort();
        if found != wanted {
            self.wrong
                .push(format!("{what} must be refused on {wanted:?}: {} {}", answer.status, answer.text));
        }
    }

    async fn refuses_on(&mut self, what: &str, body: Value, field: &str) {
        self.refuses(what, body, &[field.to_owned()]).await;
    }

    /// The value at a path must be refused with a fault there.
    async fn refuses_value(&mut self, body: &Value, path: &str, value: Value) {
        let what = format!("{path} of {value}");
        self.refuses_on(&what, with(body.clone(), path, value), &as_field(path)).await;
    }

    async fn takes_value(&mut self, body: &Value, path: &str, value: Value) {
        let what = format!("{path} of {value}");
        self.takes(&what, with(body.clone(), path, value)).await;
    }

    /// A required field: missing, null, blank or of another type is a fault.
    async fn requires(&mut self, body: &Value, path: &str, others: &[Value]) {
        let field = as_field(path);
        self.refuses_on(&format!("no {path}"), without(body.clone(), path), &field).await;
        for value in [Value::Null, json!(""), json!("  \t")].iter().chain(others) {
            self.refuses_value(body, path, value.clone()).await;
        }
    }

    /// An optional field: missing, null or blank counts as absent. Another type is a fault.
    async fn may_lack(&mut self, body: &Value, path: &str, others: &[Value]) {
        self.takes(&format!("no {path}"), without(body.clone(), path)).await;
        for value in [Value::Null, json!(""), json!("  \t")] {
            self.takes_value(body, path, value).await;
        }
        for value in others {
            self.refuses_value(body, path, value.clone()).await;
        }
    }

    #[track_caller]
    fn judge(self) {
        assert!(self.wrong.is_empty(), "{} of the table:\n{}", self.wrong.len(), self.wrong.join("\n"));
        assert_eq!(self.app.rows_of("proposals"), self.taken, "what is refused is not stored");
    }
}

/// The fields with faults in a V4000 as the contract requires it. `None` for any other answer.
fn faults_of(answer: &Answer) -> Option<Vec<String>> {
    let object = serde_json::from_slice::<Value>(&answer.bytes).ok()?;
    let right = answer.status == 400
        && object["type"] == "V4000"
        && object["title"] == "Validation Error"
        && object["instance"] == PATH
        && object["detail"].is_string();
    let fault = |item: &Value| {
        item["message"].as_str().filter(|message| message.ends_with('.'))?;
        item["field"].as_str().map(str::to_owned)
    };
    object["additional_info"].as_array().filter(|_| right)?.iter().map(fault).collect()
}

/// JSON values of every type except text.
fn not_text() -> [Value; 6] {
    [json!(7), json!(7.5), json!(true), json!(["MR"]), json!([]), json!({ "MR": "MR" })]
}

/// JSON values of every type except an object.
fn not_object() -> [Value; 4] {
    [json!("text"), json!(7), json!(false), json!([{}])]
}

/// JSON values of every type except a list.
fn not_list() -> [Value; 4] {
    [json!("text"), json!(7), json!(false), json!({ "0": {} })]
}

fn paths(folders: &[&str], names: &[&str]) -> Vec<String> {
    let path = |folder: &str, name: &str| {
        if folder.is_empty() { name.to_owned() } else { format!("{folder}.{name}") }
    };
    folders.iter().flat_map(|folder| names.iter().map(move |name| path(folder, name))).collect()
}

async fn kept(app: &App, created: &Answer) -> EmbeddedProposal {
    assert_eq!(created.status, 201, "{}", created.text);
    app.found_proposal(created.json()["payload"]["proposal_id"].as_str().expect("an id")).await.0
}

fn id_of(created: &Answer) -> String {
    assert_eq!(created.status, 201, "{}", created.text);
    created.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned()
}

/// The default partner at an instant, with a valid token.
async fn partner_at(app: &App, instant: &str) -> Partner {
    app.clock.set(instant);
    let mut partner = app.partner().clone();
    partner.token = app.token_of(&partner, &["business"]).await;
    partner
}

// The answer.

#[tokio::test]
async fn a_draft_is_created_as_a_draft() {
    // interface §5, D44
    let app = App::start().await;
    let answer = app.post(PATH, app.has_proposal_body("DRAFT").await).await;
    assert_eq!((answer.status, answer.header("content-type")), (201, Some("application/json")));
    insta::assert_snapshot!(answer.shown(), @r#"
    {
      "payload": {
        "proposal_id": "[pro]",
        "status": "DRAFT"
      }
    }
    "#);
    assert_eq!(app.status_of(&id_of(&answer)).await, "DRAFT");
}

#[tokio::test]
async fn a_submitted_proposal_is_created_with_the_status_pending() {
    // interface §5, States, D44
    let app = App::start().await;
    let answer = app.post(PATH, app.has_proposal_body("SUBMITTED").await).await;
    assert_eq!((answer.status, answer.header("content-type")), (201, Some("application/json")));
    insta::assert_snapshot!(answer.shown(), @r#"
    {
      "payload": {
        "proposal_id": "[pro]",
        "status": "PENDING"
      }
    }
    "#);
    assert_eq!(app.status_of(&id_of(&answer)).await, "PENDING");
    assert_eq!(app.rows_of("policies"), 0);
}

#[tokio::test]
async fn a_fault_names_the_path_of_the_field_and_the_expected_value() {
    // interface Errors, D11
    let app = App::start().await;
    let body = without(app.has_proposal_body("DRAFT").await, "proposer.address.pincode");
    let answer = app.post(PATH, body).await;
    answer.is_refused(400, "V4000");
    insta::assert_snapshot!(answer.shown(), @r#"
    {
      "additional_info": [
        {
          "field": "proposer.address.pincode",
          "message": "Required: a pincode of 6 digits."
        }
      ],
      "detail": "One field is invalid.",
      "instance": "/v1/embedded/proposal",
      "title": "Validation Error",
      "type": "V4000"
    }
    "#);
}

#[tokio::test]
async fn submitting_a_proposal_of_a_straight_through_product_issues_its_policy_immediately() {
    // D29
    let app = App::start().await;
    let body = app.has_proposal_body_decided_by("straight-through", "SUBMITTED").await;
    let created = app.post(PATH, body).await;
    assert_eq!((created.status, &created.json()["payload"]["status"]), (201, &json!("PENDING")));
    let id = id_of(&created);
    let status = app.get(&format!("{PATH}/{id}/status")).await;
    assert_eq!(status.json()["payload"]["status"], "COMPLETED");
    assert!(status.json()["payload"]["policy_url"].is_string(), "{}", status.text);
    assert_eq!(app.get_without_bearer(&app.download_path(&id).await).await.status, 200);
    assert_eq!((app.rows_of("proposals"), app.rows_of("policies")), (1, 1));
}

#[tokio::test]
async fn a_draft_of_a_straight_through_product_stays_a_draft_without_a_policy() {
    // D29
    let app = App::start().await;
    let body = app.has_proposal_body_decided_by("straight-through", "DRAFT").await;
    let created = app.post(PATH, body).await;
    assert_eq!(created.json()["payload"]["status"], "DRAFT");
    assert_eq!((app.status_of(&id_of(&created)).await.as_str(), app.rows_of("policies")), ("DRAFT", 0));
}

// Fields.

#[tokio::test]
async fn every_required_text_must_be_there_and_be_text() {
    // interface §5, D11, D12
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    table.takes("the whole body", body.clone()).await;
    let person = ["title", "first_name", "last_name", "date_of_birth"];
    let insured = ["email", "mobile", "nationality", "gender", "marital_status", "occupation", "education"];
    let address =
        ["address_line_1", "address_line_2", "city", "state", "pincode"].map(|n| format!("address.{n}"));
    let document = ["document_type", "document_number"].map(|n| format!("documents.0.{n}"));
    let of_all: Vec<&str> =
        person.into_iter().chain(address.iter().chain(&document).map(String::as_str)).collect();
    let required = [
        paths(&[""], &["quote_id", "recommendation_id", "status"]),
        paths(&PEOPLE, &of_all),
        paths(&PEOPLE[..2], &insured),
        paths(&["proposer"], &["annual_income", "organization"]),
        paths(&["nominee.0"], &["relationship", "appointee_details.relationship_to_nominee"]),
        paths(&["context_data.0"], &["key"]),
    ]
    .concat();
    assert_eq!(required.len(), 3 + 4 * 11 + 2 * 7 + 2 + 2 + 1, "the interface's fields");
    for path in &required {
        table.requires(&body, path, &not_text()).await;
    }
    table.judge();
}

#[tokio::test]
async fn every_required_object_must_be_there_and_be_an_object() {
    // interface §5, D11, D12
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    let required =
        [paths(&["", "nominee.0"], &["proposer", "appointee_details"]), paths(&PEOPLE, &["address"])]
            .concat();
    // The body has no appointee, and a nominee has no proposer.
    let required =
        required.iter().filter(|path| !["appointee_details", "nominee.0.proposer"].contains(&path.as_str()));
    for path in required {
        table.requires(&body, path, &not_object()).await;
    }
    table.judge();
}

#[tokio::test]
async fn every_required_list_must_be_there_and_be_a_list_of_objects() {
    // interface §5, D11, D12
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    let required = [paths(&[""], &["insured_members"]), paths(&PEOPLE, &["documents"])].concat();
    for path in &required {
        table.requires(&body, path, &not_list()).await;
        let item = format!("{path}.0");
        for value in not_object().into_iter().chain([Value::Null, json!("")]) {
            table.refuses_value(&body, &item, value).await;
        }
    }
    for item in ["nominee.0", "context_data.0"] {
        for value in not_object().into_iter().chain([Value::Null, json!("")]) {
            table.refuses_value(&body, item, value).await;
        }
    }
    table.requires(&body, "context_data.0.values", &not_list()).await;
    for value in [json!(500_000), json!(true), Value::Null, json!(["500000"]), json!({})] {
        table.refuses_value(&body, "context_data.0.values.0", value).await;
    }
    table.judge();
}

#[tokio::test]
async fn an_empty_object_lacks_each_of_its_required_fields() {
    // interface §5, D11
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    let insured = [
        "title",
        "first_name",
        "last_name",
        "email",
        "mobile",
        "date_of_birth",
        "address",
        "nationality",
        "gender",
        "marital_status",
        "occupation",
        "education",
        "documents",
    ];
    let address = ["address_line_1", "address_line_2", "city", "state", "pincode"];
    let nominee = [
        "title",
        "first_name",
        "last_name",
        "date_of_birth",
        "relationship",
        "address",
        "percentage_sharing",
        "documents",
    ];
    let appointee = [
        "relationship_to_nominee",
        "title",
        "first_name",
        "last_name",
        "date_of_birth",
        "address",
        "documents",
    ];
    let proposer: Vec<&str> = insured.into_iter().chain(["annual_income", "organization"]).collect();
    let objects: [(&str, &[&str]); 8] = [
        ("proposer", &proposer),
        ("insured_members.0", &insured),
        ("nominee.0", &nominee),
        ("nominee.0.appointee_details", &appointee),
        ("proposer.address", &address),
        ("nominee.0.appointee_details.address", &address),
        ("insured_members.0.documents.0", &["document_type", "document_number"]),
        ("context_data.0", &["key", "values"]),
    ];
    for (path, fields) in objects {
        let wanted: Vec<String> = fields.iter().map(|name| format!("{}.{name}", as_field(path))).collect();
        table.refuses(&format!("an empty {path}"), with(body.clone(), path, json!({})), &wanted).await;
    }
    let top = ["quote_id", "recommendation_id", "status", "proposer", "insured_members"].map(str::to_owned);
    table.refuses("an empty body", json!({}), &top).await;
    table.judge();
}

#[tokio::test]
async fn every_optional_text_may_be_left_out_but_must_be_text() {
    // interface §5, D13
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    let optional = [
        paths(&PEOPLE, &["middle_name", "country_code", "address.address_line_3", "address.country"]),
        paths(&PEOPLE[..2], &["employer"]),
        paths(&PEOPLE[2..], &["mobile"]),
        paths(&["insured_members.0"], &["annual_income", "organization"]),
    ]
    .concat();
    for path in &optional {
        table.may_lack(&body, path, &not_text()).await;
    }
    table.judge();
}

#[tokio::test]
async fn nominee_and_context_data_may_be_left_out_or_empty_but_must_be_lists() {
    // interface §5, D13, D26
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    for path in ["nominee", "context_data"] {
        table.may_lack(&body, path, &not_list()).await;
        table.takes_value(&body, path, json!([])).await;
    }
    table.takes_value(&body, "context_data.0.values", json!([])).await;
    table.judge();
}

#[tokio::test]
async fn an_omitted_country_or_country_code_defaults_to_india() {
    // interface §5
    let app = App::start().await;
    let mut body = has_full_body(&app).await;
    for path in paths(&PEOPLE, &["country_code", "address.country"]) {
        body = without(body, &path);
    }
    let request = kept(&app, &app.post(PATH, body).await).await.application.request;
    let (insured, nominee) = (&request.insured_members[0], &request.nominees[0]);
    let appointee = nominee.appointee.as_ref().expect("a minor's");
    for phone in [
        Some(&request.proposer.phone),
        Some(&insured.phone),
        nominee.phone.as_ref(),
        appointee.phone.as_ref(),
    ] {
        assert_eq!(phone.expect("sent").country_code.reveal(), "+91");
    }
    for address in [&request.proposer.address, &insured.address, &nominee.address, &appointee.address] {
        assert_eq!(address.country.reveal(), "India");
    }
}

#[tokio::test]
async fn unknown_fields_are_ignored() {
    // D12
    let app = App::start().await;
    let mut body = has_full_body(&app).await;
    for folder in [
        "/proposer",
        "/proposer/address",
        "/proposer/documents/0",
        "/insured_members/0",
        "/nominee/0",
        "/nominee/0/appointee_details",
        "/context_data/0",
        "",
    ] {
        let object = body.pointer_mut(folder).expect("there").as_object_mut().expect("an object");
        object.insert("unknown".into(), json!({ "deep": [1, null] }));
        object.insert("".into(), Value::Null);
    }
    let answer = app.post(PATH, body).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
}

#[tokio::test]
async fn texts_are_trimmed_before_they_are_judged() {
    // D12
    let app = App::start().await;
    let mut body = has_full_body(&app).await;
    for (path, value) in [
        ("status", " DRAFT "),
        ("proposer.title", "\tMS "),
        ("proposer.first_name", "  Asha  "),
        ("proposer.email", " asha.rao@example.com\n"),
        ("proposer.mobile", " 9876543210 "),
        ("proposer.date_of_birth", " 15/06/1990 "),
        ("proposer.annual_income", " 900000 "),
        ("proposer.address.pincode", " 560038 "),
        ("proposer.documents.0.document_number", " ABCPR1234K "),
        ("proposer.documents.1.document_number", " 2345 6789 0124 "),
    ] {
        body = with(body, path, value.into());
    }
    for path in ["quote_id", "recommendation_id"] {
        let padded = format!(" {} ", body[path].as_str().expect("text"));
        body = with(body, path, padded.into());
    }
    let proposal = kept(&app, &app.post(PATH, body).await).await;
    let proposer = &proposal.application.request.proposer;
    assert_eq!(proposer.name.first.reveal(), "Asha");
    assert_eq!(proposer.phone.mobile.reveal(), "9876543210");
    assert_eq!(proposer.documents[0].reveal(), "ABCPR1234K");
}

#[tokio::test]
async fn an_enumeration_accepts_exactly_its_own_words() {
    // interface §5, Enumerations
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    let enumerations: [(Vec<String>, &[&str]); 9] = [
        (paths(&[""], &["status"]), &["DRAFT", "SUBMITTED"]),
        (paths(&PEOPLE, &["title"]), &["MR", "MRS", "MS"]),
        (paths(&PEOPLE[..2], &["gender"]), &["MALE", "FEMALE"]),
        (
            paths(&PEOPLE[..2], &["marital_status"]),
            &["SINGLE", "SEPARATED", "MARRIED", "DIVORCED", "WIDOWED"],
        ),
        (
            paths(&PEOPLE[..2], &["occupation"]),
            &[
                "LABOURER",
                "UNEMPLOYED",
                "HOUSEWIFE",
                "RETIRED",
                "OTHERS",
                "FARMER",
                "SALARIED",
                "SELF_EMPLOYED",
                "SERVICE",
                "STUDENT",
            ],
        ),
        (paths(&PEOPLE[..2], &["organization"]), &["GOVERNMENT", "OTHERS", "PUBLIC_LTD", "PRIVATE_LTD"]),
        (
            paths(&PEOPLE[..2], &["education"]),
            &["POST_GRADUATE", "GRADUATE", "12TH_PASS", "10TH_PASS", "BELOW_10TH", "ILLITERATE"],
        ),
        (paths(&PEOPLE[..2], &["nationality"]), &["FN", "IND", "NRI", "OCI", "PIO"]),
        (
            paths(&["nominee.0"], &["relationship", "appointee_details.relationship_to_nominee"]),
            &[
                "HUSBAND",
                "SPOUSE",
                "FATHER",
                "MOTHER",
                "SON",
                "DAUGHTER",
                "OTHERS",
                "BROTHER",
                "SISTER",
                "WIFE",
                "NEPHEW",
                "GRANDMOTHER",
                "UNCLE",
                "SISTER_IN_LAW",
                "GRANDFATHER",
            ],
        ),
    ];
    for (places, words) in enumerations {
        for path in &places {
            for word in words {
                table.takes_value(&body, path, json!(word)).await;
                table.refuses_value(&body, path, json!(word.to_lowercase())).await;
            }
            for other in [
                "OTHER",
                "UNKNOWN",
                "MR.",
                "PENDING",
                "COMPLETED",
                &words.join(","),
                &format!("{}S", words[0]),
            ] {
                if !words.contains(&other) {
                    table.refuses_value(&body, path, json!(other)).await;
                }
            }
        }
    }
    table.judge();
}

#[tokio::test]
async fn a_document_type_must_be_one_of_the_six_known_types() {
    // interface §5, Enumerations
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    for person in PEOPLE {
        let path = format!("{person}.documents");
        for (kind, number) in [
            ("PAN", "ABCPR1234K"),
            ("AADHAR", "234567890124"),
            ("DRIVING_LICENSE", "KA01 20110012345"),
            ("PASSPORT", "M1234567"),
            ("ELECTRICITY", "RR-12/345"),
            ("VOTER_ID", "XYZ1234567"),
        ] {
            let documents = |kind: &str| json!([{ "document_type": kind, "document_number": number }]);
            table.takes_value(&body, &path, documents(kind)).await;
            let field = format!("{}[0].document_type", as_field(&path));
            for other in [kind.to_lowercase().as_str(), "AADHAAR", "RATION_CARD", "OTHERS"] {
                let body = with(body.clone(), &path, documents(other));
                table.refuses_on(&format!("{path} of {other}"), body, &field).await;
            }
        }
    }
    table.judge();
}

// Formats of texts.

#[tokio::test]
async fn a_mobile_has_ten_digits() {
    // interface Limits, D25
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    for path in paths(&PEOPLE, &["mobile"]) {
        for good in ["9876543210", "0123456789", " 9876543210 "] {
            table.takes_value(&body, &path, json!(good)).await;
        }
        for bad in [
            "987654321",
            "98765432101",
            "+919876543210",
            "09876543210",
            "98765 43210",
            "98765-43210",
            "987654321O",
            "९८७६५४३२१०",
            "-987654321",
            "9.87654321",
        ] {
            table.refuses_value(&body, &path, json!(bad)).await;
        }
        table.refuses_value(&body, &path, json!(9_876_543_210_u64)).await;
    }
    table.judge();
}

#[tokio::test]
async fn a_pincode_has_six_digits() {
    // interface Limits, §5
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    for path in paths(&PEOPLE, &["address.pincode"]) {
        for good in ["560038", "110001", " 560038 "] {
            table.takes_value(&body, &path, json!(good)).await;
        }
        for bad in ["56003", "5600388", "560 038", "56003A", "-60038", "५६००३८"] {
            table.refuses_value(&body, &path, json!(bad)).await;
        }
        table.refuses_value(&body, &path, json!(560_038)).await;
    }
    table.judge();
}

#[tokio::test]
async fn an_email_must_be_a_valid_address() {
    // D25
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    for path in paths(&PEOPLE[..2], &["email"]) {
        for good in ["asha@example.com", "asha.rao+loans@mail.example.co.in", "a@b.in", "ASHA@EXAMPLE.COM"] {
            table.takes_value(&body, &path, json!(good)).await;
        }
        for bad in [
            "asha",
            "asha@",
            "@example.com",
            "asha@example",
            "asha rao@example.com",
            "a@b@example.com",
            "a@.com",
        ] {
            table.refuses_value(&body, &path, json!(bad)).await;
        }
    }
    table.judge();
}

#[tokio::test]
async fn an_income_is_digits_with_at_most_two_decimals() {
    // D25
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    for path in paths(&PEOPLE[..2], &["annual_income"]) {
        for good in ["0", "900000", "900000.5", "900000.50", "123456789012"] {
            table.takes_value(&body, &path, json!(good)).await;
        }
        for bad in [
            "900000.505",
            "9,00,000",
            "-1",
            "+1",
            "1e5",
            ".5",
            "5.",
            "₹500",
            "9 00 000",
            "9 lakh",
            "१००",
            "1.2.3",
            "NaN",
        ] {
            table.refuses_value(&body, &path, json!(bad)).await;
        }
    }
    table.judge();
}

#[tokio::test]
async fn a_date_of_birth_is_a_real_day_in_the_past() {
    // interface §5, D25
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    for path in paths(&PEOPLE, &["date_of_birth"]) {
        // The borrower's date of birth also decides the price.
        let good: &[&str] = match path.starts_with("insured_members") {
            true => &["29/02/1984", "31/12/1989", "01/01/1982"],
            // An appointee must be an adult (D125).
            false if path.contains("appointee_details") => &["29/02/1984", "20/11/2008", "01/01/1940"],
            false => &["29/02/2012", "29/02/2024", "19/11/2026", "01/01/1940", "31/12/1999"],
        };
        for good in good {
            table.takes_value(&body, &path, json!(good)).await;
        }
        for bad in [
            "20/11/2026",
            "21/11/2026",
            "01/01/2100",
            "30/02/1990",
            "29/02/2023",
            "29/02/1900",
            "31/04/1990",
            "32/01/1990",
            "00/01/1990",
            "01/00/1990",
            "01/13/1990",
            "06/15/1990",
            "1990-06-15",
            "1990/06/15",
            "15-06-1990",
            "15.06.1990",
            "15/6/1990",
            "5/06/1990",
            "15/06/90",
            "15/06/1990 ०",
            "15/06/1990T00:00:00",
            "15 / 06 / 1990",
            "15/Jun/1990",
            "yesterday",
        ] {
            table.refuses_value(&body, &path, json!(bad)).await;
        }
    }
    table.judge();
}

#[tokio::test]
async fn a_date_of_birth_counts_as_past_from_the_next_midnight_in_kolkata() {
    // D25
    let app = App::start().await;
    let body = with(has_full_body(&app).await, "proposer.date_of_birth", json!("20/11/2026"));
    let partner = partner_at(&app, "2026-11-20T23:59:59.999+05:30").await;
    let answer = app.as_partner(&partner, "POST", PATH, Some(body.clone())).await;
    answer.has_faults_on(&["proposer.date_of_birth"]);
    app.clock.set("2026-11-21T00:00:00+05:30");
    let answer = app.as_partner(&partner, "POST", PATH, Some(body)).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
}

// Documents.

#[tokio::test]
async fn documents_may_be_none_or_many() {
    // D25
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    let one = json!({ "document_type": "PASSPORT", "document_number": "M1234567" });
    for path in paths(&PEOPLE, &["documents"]) {
        table.takes_value(&body, &path, json!([])).await;
        table.takes_value(&body, &path, json!([one, one, one])).await;
        let bad_third = with(json!([one, one, one]), "2.document_number", json!(" "));
        let field = format!("{}[2].document_number", as_field(&path));
        table.refuses_on(&field, with(body.clone(), &path, bad_third), &field).await;
    }
    table.judge();
}

#[tokio::test]
async fn a_document_number_has_the_shape_of_its_type() {
    // D25, D39
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    let numbers: [(&str, &[&str], &[&str]); 6] = [
        (
            "PAN",
            &["ABCPR1234K", "abcpr1234k", "AbCpR1234k", "ZZZZZ0000Z"],
            &[
                "ABCPR1234",
                "ABCP11234K",
                "ABCPR1234KK",
                "ABCPR 1234K",
                "1BCPR1234K",
                "ABCPR12345",
                "ABCDEFGHIJ",
                "ÀBCPR1234K",
            ],
        ),
        (
            "AADHAR",
            &[
                "234567890124",
                "2345 6789 0124",
                "2345-6789-0124",
                "2345\u{a0}6789\u{a0}0124",
                "000000000000",
                "XXXXXXXX0124",
                "xxxxxxxx0124",
                "xxxx xxxx 0124",
            ],
            &[
                "23456789012",
                "2345678901245",
                "2345 6789 012",
                "23456789012A",
                "XXXXXXXX012",
                "XXXXXXXX01245",
                "XXXXXXXXABCD",
                "XXXX0124",
                "XXXXXXXXXXXX",
                "२३४५६७८९०१२४",
            ],
        ),
        ("DRIVING_LICENSE", &["KA01 20110012345", "x"], &["", "   ", "234567890124", "2345 6789-0124"]),
        ("PASSPORT", &["M1234567", "1"], &["", "   ", "234567890124", "2345 6789-0124"]),
        ("ELECTRICITY", &["RR-12/345", "अ-१"], &["", "   "]),
        ("VOTER_ID", &["XYZ1234567", "xyz"], &["", "   ", "234567890124", "2345 6789-0124"]),
    ];
    for person in PEOPLE {
        let path = format!("{person}.documents");
        let field = format!("{}[0].document_number", as_field(&path));
        for (kind, good, bad) in numbers {
            let with_number = |number: &str| {
                let document = json!([{ "document_type": kind, "document_number": number }]);
                with(body.clone(), &path, document)
            };
            for number in good {
                table.takes(&format!("{path}: {kind} {number}"), with_number(number)).await;
            }
            for number in bad {
                table.refuses_on(&format!("{path}: {kind} {number:?}"), with_number(number), &field).await;
            }
        }
    }
    table.judge();
}

#[tokio::test]
async fn only_the_last_four_digits_of_an_aadhaar_number_are_kept() {
    // D39
    let app = App::start().await;
    for number in ["234567890124", "2345 6789 0124", "XXXXXXXX0124"] {
        let mut body = has_full_body(&app).await;
        let document = json!([{ "document_type": "AADHAR", "document_number": number }]);
        for path in paths(&PEOPLE, &["documents"]) {
            body = with(body, &path, document.clone());
        }
        let request = kept(&app, &app.post(PATH, body).await).await.application.request;
        let nominee = &request.nominees[0];
        let appointee = nominee.appointee.as_ref().expect("a minor's");
        let people = [
            &request.proposer.documents,
            &request.insured_members[0].documents,
            &nominee.documents,
            &appointee.documents,
        ];
        for documents in people {
            assert_eq!(documents[0].reveal(), "XXXXXXXX0124", "{number}");
        }
    }
}

#[tokio::test]
async fn the_store_contains_no_full_aadhaar_number() {
    // D39
    let app = App::start().await;
    let good = app.has_proposal_body_decided_by("straight-through", "SUBMITTED").await;
    let bad = without(good.clone(), "proposer.email");
    for (body, status) in [(good.clone(), 201), (bad.clone(), 400), (good, 201), (bad, 400)] {
        let request = app.request("POST", PATH).bearer_auth(&app.partner().token);
        let request = request.header("idempotency-key", format!("key-{status}")).json(&body);
        let answer = app.send(request).await;
        assert_eq!(answer.status, status, "{}", answer.text);
        assert!(!answer.text.contains("2345"), "{}", answer.text);
    }
    assert_eq!(app.rows_of("policies"), 1, "its certificate is in the store as well");
    let stored = app.store.bytes(app.folder.path());
    for number in ["234567890124", "2345 6789 0124", "23456789"] {
        let there = stored.windows(number.len()).any(|window| window == number.as_bytes());
        assert!(!there, "{number} is in the store");
    }
}

// Members and nominees.

#[tokio::test]
async fn there_is_at_least_one_insured_member() {
    // D25
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    table.refuses_value(&body, "insured_members", json!([])).await;
    table.takes_value(&body, "insured_members", json!([bodies::proposer(), bodies::joint_borrower()])).await;
    table.judge();
}

#[tokio::test]
async fn a_fault_names_the_index_of_its_member_or_nominee() {
    // D11
    let app = App::start().await;
    let mut body = has_full_body(&app).await;
    body["insured_members"] = json!([bodies::proposer(), bodies::proposer(), bodies::proposer()]);
    body["nominee"] = json!([bodies::nominee(json!(50)), bodies::minor_nominee(json!(50))]);
    let mut table = Table::of(&app);
    for path in [
        "insured_members.1.address.pincode",
        "insured_members.2.mobile",
        "insured_members.1.documents.1.document_number",
        "nominee.1.first_name",
        "nominee.1.appointee_details.address.city",
    ] {
        table.refuses_value(&body, path, json!(7)).await;
    }
    let two = with(with(body, "insured_members.0.title", json!("X")), "insured_members.2.title", Value::Null);
    table
        .refuses(
            "two of three",
            two,
            &["insured_members[0].title", "insured_members[2].title"].map(str::to_owned),
        )
        .await;
    table.judge();
}

/// A body with nominees who have these shares.
fn sharing(body: &Value, shares: &[Value]) -> Value {
    let nominee = |(place, share): (usize, &Value)| {
        with(bodies::nominee(share.clone()), "first_name", json!(format!("Ravi {place}")))
    };
    let nominees: Vec<Value> = shares.iter().enumerate().map(nominee).collect();
    with(body.clone(), "nominee", json!(nominees))
}

#[tokio::test]
async fn nominee_shares_that_total_100_within_a_thousandth_are_accepted() {
    // interface Limits, D26, D125
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    for shares in [
        vec![json!(100)],
        vec![json!(100.0)],
        vec![json!(50), json!(50)],
        vec![json!(33.33), json!(33.33), json!(33.34)],
        vec![json!(0.01), json!(99.99)],
        vec![json!(0.1), json!(0.2), json!(99.7)],
        vec![json!(12.5); 8],
        vec![json!(10); 10],
        vec![json!(100.0 / 3.0); 3],
        vec![json!(100.0 / 6.0); 6],
        vec![json!(33.333_333), json!(33.333_333), json!(33.333_333)],
        vec![json!(33.33), json!(33.33), json!(100.0 - 33.33 - 33.33)],
        vec![json!(99.999)],
    ] {
        table.takes(&format!("shares of {shares:?}"), sharing(&body, &shares)).await;
    }
    table.judge();
}

#[tokio::test]
async fn nominee_shares_with_another_total_than_100_are_a_fault_of_nominee() {
    // interface Limits, D26
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    for shares in [
        vec![json!(99)],
        vec![json!(99.99)],
        vec![json!(1)],
        vec![json!(50)],
        vec![json!(60), json!(60)],
        vec![json!(33.33), json!(33.33), json!(33.33)],
        vec![json!(33.333), json!(33.333), json!(33.332)],
        vec![json!(50), json!(50.01)],
        vec![json!(50), json!(49.99)],
        vec![json!(99.998_9)],
        vec![json!(100), json!(100)],
    ] {
        table.refuses_on(&format!("shares of {shares:?}"), sharing(&body, &shares), "nominee").await;
    }
    table.judge();
}

#[tokio::test]
async fn a_nominee_share_of_zero_or_less_or_above_100_is_a_fault_of_nominee() {
    // D26: "the shares must total exactly 100, each above 0; the fault's field is `nominee`"
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut wrong = Vec::new();
    for shares in [
        vec![json!(0)],
        vec![json!(-100)],
        vec![json!(100.01)],
        vec![json!(1000)],
        vec![json!(0), json!(100)],
        vec![json!(-20), json!(120)],
        vec![json!(0.0), json!(50), json!(50)],
    ] {
        let answer = app.post(PATH, sharing(&body, &shares)).await;
        // There may be a more exact fault, too.
        let faults = faults_of(&answer).unwrap_or_default();
        let of_shares =
            faults.iter().all(|field| field == "nominee" || field.ends_with(".percentage_sharing"));
        if !of_shares || !faults.iter().any(|field| field == "nominee") {
            wrong.push(format!("{shares:?}: {} {}", answer.status, answer.text));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(app.rows_of("proposals"), 0);
}

#[tokio::test]
async fn a_nominee_share_must_be_a_number() {
    // interface §5
    let app = App::start().await;
    let body = sharing(&has_full_body(&app).await, &[json!(50), json!(50)]);
    let mut table = Table::of(&app);
    let others = [json!("50"), json!("50%"), json!(true), json!([50]), json!({ "percent": 50 })];
    table.requires(&body, "nominee.1.percentage_sharing", &others).await;
    table.judge();
}

#[tokio::test]
async fn the_total_of_nominee_shares_is_checked_even_if_other_fields_have_faults() {
    // D11, D26
    let app = App::start().await;
    let body = sharing(&has_full_body(&app).await, &[json!(50), json!(49)]);
    let mut table = Table::of(&app);
    for path in
        ["nominee.0.title", "nominee.1.address.pincode", "proposer.email", "insured_members.0.documents"]
    {
        let wanted = [as_field(path), "nominee".to_owned()];
        table.refuses(&format!("99 and {path}"), with(body.clone(), path, json!(7)), &wanted).await;
    }
    table.judge();
}

// Nominees and appointees are distinct people.

#[tokio::test]
async fn a_person_cannot_be_a_nominee_twice() {
    // D125
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    let again = |first_name: &str, born: &str| {
        let nominee = with(bodies::nominee(json!(50)), "first_name", json!(first_name));
        with(nominee, "date_of_birth", json!(born))
    };
    for twin in ["Ravi", "RAVI", " ravi "] {
        let nominees = json!([again("Ravi", "02/02/1988"), again(twin, "02/02/1988")]);
        let body = with(body.clone(), "nominee", nominees);
        table.refuses_on(&format!("Ravi and {twin}"), body, "nominee[1]").await;
    }
    for other in [again("Ravi", "02/02/1989"), again("Rani", "02/02/1988")] {
        let nominees = json!([again("Ravi", "02/02/1988"), other]);
        table.takes("two people", with(body.clone(), "nominee", nominees)).await;
    }
    table.judge();
}

#[tokio::test]
async fn the_only_insured_member_cannot_be_a_nominee() {
    // D125
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    let insured = &body["insured_members"][0];
    let mut nominee = bodies::nominee(json!(100));
    for field in ["first_name", "last_name", "date_of_birth"] {
        nominee[field] = insured[field].clone();
    }
    table.refuses_on("the insured", with(body.clone(), "nominee", json!([nominee])), "nominee[0]").await;
    table.judge();
}

#[tokio::test]
async fn an_appointee_must_be_an_adult_and_not_the_nominee() {
    // D125
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    let mut minor = with(bodies::nominee(json!(100)), "date_of_birth", json!("01/01/2015"));
    minor["appointee_details"] = bodies::appointee();
    table.takes("an adult", with(body.clone(), "nominee", json!([minor.clone()]))).await;
    for born in ["01/01/2020", "21/11/2008"] {
        let nominee = with(minor.clone(), "appointee_details.date_of_birth", json!(born));
        let field = "nominee[0].appointee_details.date_of_birth";
        table
            .refuses_on(&format!("born {born}"), with(body.clone(), "nominee", json!([nominee])), field)
            .await;
    }
    let mut own = minor.clone();
    for field in ["first_name", "last_name", "date_of_birth"] {
        own["appointee_details"][field] = minor[field].clone();
    }
    let body = with(body, "nominee", json!([own]));
    table.refuses_on("the nominee", body, "nominee[0].appointee_details").await;
    table.judge();
}

// Minor nominees.

#[tokio::test]
async fn a_minor_needs_an_appointee() {
    // interface §5, D25
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    table.requires(&body, "nominee.0.appointee_details", &not_object()).await;
    let empty = bodies::nominee(json!(100))["appointee_details"].clone();
    let fields = ["relationship_to_nominee", "title", "first_name", "last_name", "date_of_birth", "address"];
    let wanted = fields.map(|field| format!("nominee[0].appointee_details.{field}"));
    let body = with(body, "nominee.0.appointee_details", empty);
    table.refuses("a minor's appointee of empty strings", body, &wanted).await;
    table.judge();
}

#[tokio::test]
async fn the_appointee_of_an_adult_nominee_is_ignored_even_if_it_is_invalid() {
    // interface §5, D25
    let app = App::start().await;
    let body = with(has_full_body(&app).await, "nominee", json!([bodies::nominee(json!(100))]));
    let mut table = Table::of(&app);
    table.takes("empty strings and an empty list", body.clone()).await;
    table.takes("none", without(body.clone(), "nominee.0.appointee_details")).await;
    for garbage in [
        Value::Null,
        json!(""),
        json!("garbage"),
        json!(7),
        json!([1, 2]),
        json!({}),
        json!({ "title": 7, "mobile": "1", "address": "nowhere", "documents": [{}] }),
        bodies::appointee(),
    ] {
        table.takes_value(&body, "nominee.0.appointee_details", garbage).await;
    }
    table.judge();
    let body = with(body, "nominee.0.appointee_details", bodies::appointee());
    let proposal = kept(&app, &app.post(PATH, body).await).await;
    assert!(proposal.application.request.nominees[0].appointee.is_none(), "an adult's is not kept");
}

#[tokio::test]
async fn a_nominee_is_an_adult_from_midnight_of_the_eighteenth_birthday_in_kolkata() {
    // D25
    let app = App::start().await;
    let body = with(has_full_body(&app).await, "nominee.0.date_of_birth", json!("21/11/2008"));
    let body = without(body, "nominee.0.appointee_details");
    let partner = partner_at(&app, "2026-11-20T23:59:59.999+05:30").await;
    let answer = app.as_partner(&partner, "POST", PATH, Some(body.clone())).await;
    answer.has_faults_on(&["nominee[0].appointee_details"]);
    app.clock.set("2026-11-21T00:00:00+05:30");
    let answer = app.as_partner(&partner, "POST", PATH, Some(body)).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
}

#[tokio::test]
async fn a_nominee_born_on_29_february_is_an_adult_from_1_march() {
    // D25: 18 years are completed on 1 March 2030, as 2030 has no 29 February
    let app = App::start().await;
    let partner = partner_at(&app, "2030-02-28T23:59:59+05:30").await;
    let quote = app.as_partner(&partner, "POST", "/v1/embedded/quote", Some(bodies::quote())).await.json();
    let payload = &quote["payload"];
    let recommendation = &payload["recommendations"][0]["recommendation_id"];
    let body = bodies::proposal(&payload["quote_id"], recommendation, "DRAFT");
    let body = with(body, "nominee.0.date_of_birth", json!("29/02/2012"));
    let body = without(body, "nominee.0.appointee_details");
    let answer = app.as_partner(&partner, "POST", PATH, Some(body.clone())).await;
    answer.has_faults_on(&["nominee[0].appointee_details"]);
    app.clock.set("2030-03-01T00:00:00+05:30");
    let answer = app.as_partner(&partner, "POST", PATH, Some(body)).await;
    assert_eq!(answer.status, 201, "{}", answer.text);
}

// The value `OTHERS`.

#[tokio::test]
async fn the_value_others_requires_an_explanation_in_the_context_data() {
    // interface §5, D27
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    for person in &PEOPLE[..2] {
        for name in ["occupation", "organization"] {
            let body = with(body.clone(), &format!("{person}.{name}"), json!("OTHERS"));
            let told = |entries: Value| with(body.clone(), "context_data", entries);
            let key = format!("{name}_other");
            let other_key = if name == "occupation" { "organization_other" } else { "occupation_other" };
            let what = |how: &str| format!("{person}.{name} of OTHERS, {how}");
            table.takes(&what("told"), told(json!([{ "key": key, "values": ["Potter"] }]))).await;
            table
                .refuses_on(&what("no context"), without(body.clone(), "context_data"), "context_data")
                .await;
            for (how, entries) in [
                ("null", Value::Null),
                ("no entry", json!([])),
                ("another key", json!([{ "key": other_key, "values": ["Potter"] }])),
                ("no value", json!([{ "key": key, "values": [] }])),
                ("a blank value", json!([{ "key": key, "values": ["  "] }])),
            ] {
                table.refuses_on(&what(how), told(entries), "context_data").await;
            }
        }
    }
    table.judge();
}

#[tokio::test]
async fn an_unexplained_value_others_is_reported_with_other_faults_of_the_context_data() {
    // D11, D27
    let app = App::start().await;
    let body = with(has_full_body(&app).await, "proposer.occupation", json!("OTHERS"));
    let mut table = Table::of(&app);
    let entries = json!([{ "key": "loan_amount", "values": ["a lot"] }]);
    let wanted = ["context_data", "context_data[0].values[0]"].map(str::to_owned);
    table.refuses("both", with(body, "context_data", entries), &wanted).await;
    table.judge();
}

#[tokio::test]
async fn known_keys_of_the_context_data_are_validated_and_unknown_keys_are_kept() {
    // D21
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let mut table = Table::of(&app);
    let entries = |key: &str, value: &str| json!([{ "key": key, "values": [value] }]);
    for (key, good, bad) in [
        ("loan_amount", "500000.50", "5 lakh"),
        ("loan_tenure", "24", "24.5"),
        ("disbursement_date", "01/12/2026", "31/11/2026"),
        ("disbursement_date", "01/12/2020", "2026-12-01"),
    ] {
        table.takes_value(&body, "context_data", entries(key, good)).await;
        let body = with(body.clone(), "context_data", entries(key, bad));
        table.refuses_on(&format!("{key} of {bad}"), body, "context_data[0].values[0]").await;
    }
    table.takes_value(&body, "context_data", entries("something_else", "31/11/2026")).await;
    table.judge();
    let body = with(body, "context_data", entries("branch", "Indiranagar"));
    let proposal = kept(&app, &app.post(PATH, body).await).await;
    assert_eq!(proposal.application.request.context.first("branch"), Some("Indiranagar"));
}

// All faults at once.

#[tokio::test]
async fn every_fault_of_a_body_is_in_one_answer() {
    // D11
    let app = App::start().await;
    let mut proposer = bodies::proposer();
    proposer["first_name"] = Value::Null;
    proposer["middle_name"] = json!(7);
    proposer["email"] = json!("asha");
    proposer["mobile"] = json!("12345");
    proposer["date_of_birth"] = json!("31/02/1990");
    proposer["address"]["pincode"] = json!("ABCDEF");
    proposer["address"]["city"] = json!(" ");
    proposer["occupation"] = json!("OTHERS");
    proposer["annual_income"] = json!("lots");
    proposer["documents"] = json!([
        { "document_type": "PAN", "document_number": "1" },
        { "document_type": "LIBRARY_CARD", "document_number": "1" },
        { "document_type": "AADHAR" },
    ]);
    let mut second = bodies::proposer();
    second["gender"] = json!("female");
    second["organization"] = json!("NONE");
    let mut grown = bodies::nominee(json!(50));
    grown["title"] = json!("DR");
    let mut minor = bodies::minor_nominee(json!(60));
    minor["appointee_details"]["relationship_to_nominee"] = json!("");
    minor["appointee_details"]["address"] = json!([]);
    let body = json!({
        "quote_id": 7,
        "recommendation_id": "rec_",
        "status": "PENDING",
        "proposer": proposer,
        "insured_members": [bodies::proposer(), second, "nobody"],
        "nominee": [grown, minor],
    });
    let answer = app.post(PATH, body).await;
    let wanted = [
        "quote_id",
        "recommendation_id",
        "status",
        "proposer.first_name",
        "proposer.middle_name",
        "proposer.email",
        "proposer.mobile",
        "proposer.date_of_birth",
        "proposer.address.city",
        "proposer.address.pincode",
        "proposer.annual_income",
        "proposer.documents[0].document_number",
        "proposer.documents[1].document_type",
        "proposer.documents[2].document_number",
        "insured_members[1].gender",
        "insured_members[1].organization",
        "insured_members[2]",
        "nominee[0].title",
        "nominee[1].appointee_details.relationship_to_nominee",
        "nominee[1].appointee_details.address",
        "nominee",
        "context_data",
    ];
    answer.has_faults_on(&wanted);
    assert_eq!(answer.fault_fields().len(), 22);
    assert_eq!((app.rows_of("proposals"), app.rows_of("moves")), (0, 0), "nothing is stored");
}

#[tokio::test]
async fn an_unknown_quote_or_recommendation_is_reported_together_with_other_faults() {
    // D11, D24
    let app = App::start().await;
    let body = with(has_full_body(&app).await, "proposer.mobile", json!("1"));
    let mut table = Table::of(&app);
    let wanted = |field: &str| [field.to_owned(), "proposer.mobile".to_owned()];
    let unknown = with(body.clone(), "quote_id", json!(UNKNOWN_QUOTE));
    table.refuses("an unknown quote and a mobile", unknown, &wanted("quote_id")).await;
    let unknown = with(body, "recommendation_id", json!(UNKNOWN_RECOMMENDATION));
    table.refuses("an unknown recommendation and a mobile", unknown, &wanted("recommendation_id")).await;
    table.judge();
}

#[tokio::test]
async fn no_fault_message_repeats_the_sent_value() {
    // D11
    let app = App::start().await;
    let body = has_full_body(&app).await;
    for person in PEOPLE {
        let mut body = body.clone();
        for name in ["title", "first_name", "date_of_birth", "mobile", "address.pincode"] {
            let value = if name == "first_name" { json!(["CANARY"]) } else { json!("CANARY") };
            body = with(body, &format!("{person}.{name}"), value);
        }
        for (place, kind) in ["PAN", "AADHAR", "CANARY"].into_iter().enumerate() {
            body = with(
                body,
                &format!("{person}.documents.0"),
                json!({ "document_type": kind, "document_number": "CANARY" }),
            );
            body = with(body, "context_data.0.values", json!(["CANARY"]));
            let answer = app.post(PATH, body.clone()).await;
            answer.is_refused(400, "V4000");
            assert!(!answer.text.contains("CANARY"), "{place}: {}", answer.text);
        }
    }
}

#[tokio::test]
async fn a_body_that_is_no_object_is_a_fault_of_the_body() {
    // D11
    let app = App::start().await;
    for body in [json!([]), json!("text"), json!(7), Value::Null, json!([{}])] {
        app.post(PATH, body).await.has_faults_on(&["body"]);
    }
    for text in ["", "{", "{\"quote_id\": }", "{} {}", "quote_id=1"] {
        let request = app.request("POST", PATH).bearer_auth(&app.partner().token);
        let request = request.header("content-type", "application/json").body(text);
        app.send(request).await.has_faults_on(&["body"]);
    }
    assert_eq!(app.rows_of("proposals"), 0);
}

// Quote and recommendation.

#[tokio::test]
async fn a_quote_must_be_one_of_the_partners_own() {
    // D3, D24
    let app = App::start().await;
    let body = has_full_body(&app).await;
    let stranger = app.new_partner("Another Lender").await;
    let quote = app.as_partner(&stranger, "POST", "/v1/embedded/quote", Some(bodies::quote())).await.json();
    let (quote, own) = (&quote["payload"], body["quote_id"].as_str().expect("an id"));
    let others = [
        UNKNOWN_QUOTE.to_owned(),
        "x".to_owned(),
        "quo_".to_owned(),
        own.to_uppercase(),
        own.replace("quo_", "pro_"),
        own.replace("quo_", ""),
        format!("{own}0"),
        body["recommendation_id"].as_str().expect("an id").to_owned(),
    ];
    let mut table = Table::of(&app);
    for other in others {
        table.refuses_value(&body, "quote_id", json!(other)).await;
    }
    let foreign = with(body.clone(), "quote_id", quote["quote_id"].clone());
    let foreign =
        with(foreign, "recommendation_id", quote["recommendations"][0]["recommendation_id"].clone());
    table.refuses_on("another partner's quote", foreign.clone(), "quote_id").await;
    table.judge();
    let foreign = app.post(PATH, foreign).await;
    let unknown = app.post(PATH, with(body, "quote_id", json!(UNKNOWN_QUOTE))).await;
    assert_eq!(foreign.text, unknown.text, "another partner's answers exactly as an unknown one");
}

#[tokio::test]
async fn the_recommendation_of_a_proposal_must_be_in_the_quote_and_have_a_price() {
    // D24
    let app = App::start().await;
    let quote = app.has_quote().await;
    let items = quote["recommendations"].as_array().expect("a list");
    let body = bodies::proposal(&quote["quote_id"], &items[0]["recommendation_id"], "DRAFT");
    let another = app.has_quote().await["recommendations"][0]["recommendation_id"].clone();
    let own = items[0]["recommendation_id"].as_str().expect("an id");
    let mut table = Table::of(&app);
    for other in [
        another,
        json!(UNKNOWN_RECOMMENDATION),
        json!("x"),
        json!("rec_"),
        json!(own.to_uppercase()),
        json!(own.replace("rec_", "vrt_")),
        items[0]["variant_id"].clone(),
        quote["quote_id"].clone(),
    ] {
        table.refuses_value(&body, "recommendation_id", other).await;
    }
    let (mut priced, mut failed) = (0, 0);
    for item in items {
        let id = item["recommendation_id"].clone();
        if item["is_error"] == true {
            failed += 1;
            table.refuses_value(&body, "recommendation_id", id).await;
        } else {
            priced += 1;
            table.takes_value(&body, "recommendation_id", id).await;
        }
    }
    assert!(priced > 1 && failed > 0, "the sample has both: {priced} and {failed}");
    table.judge();
}

#[tokio::test]
async fn a_proposal_has_the_variant_and_the_premium_of_the_quote() {
    // D40
    let app = App::start().await;
    let quote = app.has_quote().await;
    let items = quote["recommendations"].as_array().expect("a list");
    for item in items.iter().filter(|item| item["is_error"] == false) {
        let body = bodies::proposal(&quote["quote_id"], &item["recommendation_id"], "DRAFT");
        let proposal = kept(&app, &app.post(PATH, body).await).await;
        assert_eq!(proposal.application.variant.to_string(), item["variant_id"]);
        assert_eq!(proposal.premium.base().to_string(), item["base_premium"]);
        assert_eq!(proposal.premium.gst().to_string(), item["gst"]);
        assert_eq!(proposal.premium.total().to_string(), item["total_premium"]);
    }
}

#[tokio::test]
async fn one_quote_may_have_several_proposals() {
    // D45
    let app = App::start().await;
    let body = app.has_proposal_body("SUBMITTED").await;
    let mut ids = Vec::new();
    for status in ["SUBMITTED", "SUBMITTED", "DRAFT"] {
        ids.push(id_of(&app.post(PATH, with(body.clone(), "status", json!(status))).await));
        app.clock.advance(Duration::from_millis(2));
    }
    assert!(ids.is_sorted_by(|one, next| one < next), "different, and sorted by time (D20): {ids:?}");
    assert_eq!(app.rows_of("proposals"), 3);
}

/// Proposes on the last day of the quote, and on the day after.
async fn holds_until(app: &App, last_day: &str, day_after: &str, in_words: &str) {
    let body = has_full_body(app).await;
    let partner = partner_at(app, &format!("{last_day}T23:59:59.999+05:30")).await;
    let answer = app.as_partner(&partner, "POST", PATH, Some(body.clone())).await;
    assert_eq!(answer.status, 201, "on the last day: {}", answer.text);
    app.clock.set(&format!("{day_after}T00:00:00+05:30"));
    let answer = app.as_partner(&partner, "POST", PATH, Some(body)).await;
    answer.has_faults_on(&["quote_id"]);
    let message = answer.fault_on("quote_id");
    assert!(message.contains("was valid until") && message.contains(in_words), "{message}");
    assert_eq!(app.rows_of("proposals"), 1);
}

#[tokio::test]
async fn a_quote_can_be_used_for_proposals_for_thirty_days() {
    // D40
    holds_until(&App::start().await, "2026-12-20", "2026-12-21", "20 Dec 2026").await;
}

#[tokio::test]
async fn the_catalogue_can_set_for_how_many_days_a_quote_is_valid() {
    // D40
    let setup = Setup::with_edited("catalogue.toml", |text| {
        let edited = text.replace("quote_validity_days = 30", "quote_validity_days = 7");
        assert_ne!(edited, text);
        edited
    });
    holds_until(&setup.start().await, "2026-11-27", "2026-11-28", "27 Nov 2026").await;
}

#[tokio::test]
async fn a_lapsed_quote_and_a_wrong_recommendation_are_both_reported() {
    // D11, D24, D40
    let app = App::start().await;
    let body = with(has_full_body(&app).await, "recommendation_id", json!(UNKNOWN_RECOMMENDATION));
    let partner = partner_at(&app, "2027-01-20T10:00:00+05:30").await;
    let answer = app.as_partner(&partner, "POST", PATH, Some(body)).await;
    answer.has_faults_on(&["quote_id", "recommendation_id"]);
}

#[tokio::test]
async fn bearer_scope_and_media_type_are_judged_before_the_body() {
    // D2, D43
    let app = App::start().await;
    let reader = app.token_of(app.partner(), &["business.proposal.read", "business.quote.write"]).await;
    let writer = app.token_of(app.partner(), &["business.proposal.write"]).await;
    let bad = || app.request("POST", PATH).body("{");
    app.send(bad()).await.is_refused(401, "A4001");
    let refused = app.send(bad().bearer_auth(reader)).await;
    refused.is_refused(403, "A4030");
    let detail = refused.json()["detail"].as_str().expect("text").to_owned();
    assert!(detail.contains("business.proposal.write"), "{detail}");
    app.send(bad().bearer_auth(&writer)).await.is_refused(415, "V4150");
    let body = app.has_proposal_body("DRAFT").await;
    let created = app.send(app.request("POST", PATH).bearer_auth(&writer).json(&body)).await;
    assert_eq!(created.status, 201, "{}", created.text);
}

#[tokio::test]
async fn nominee_shares_too_large_to_add_are_a_fault_and_not_a_server_error() {
    // D26
    let app = App::start().await;
    let body = app.has_proposal_body("DRAFT").await;
    for shares in
        [json!([1e28, 1e28, 7e28]), json!([1e300, 50]), json!([-1e28, 1e28]), json!([7.9e28, 7.9e28])]
    {
        let nominees: Vec<Value> =
            shares.as_array().expect("a list").iter().map(|share| bodies::nominee(share.clone())).collect();
        let answer = app.post(PATH, with(body.clone(), "nominee", json!(nominees))).await;
        answer.is_refused(400, "V4000");
    }
}

#[tokio::test]
async fn the_total_of_nominee_shares_is_not_checked_if_a_nominee_is_not_an_object() {
    // D26
    let app = App::start().await;
    let body = app.has_proposal_body("DRAFT").await;
    let answer = app.post(PATH, with(body, "nominee", json!([bodies::nominee(json!(50)), "x"]))).await;
    answer.has_faults_on(&["nominee[1]"]);
}

#[tokio::test]
async fn a_cover_that_would_end_after_the_year_9999_is_a_fault_of_the_context_data() {
    // D21, D53
    let app = App::start().await;
    let far = json!([{ "key": "disbursement_date", "values": ["31/12/9999"] }]);
    let body = app.has_proposal_body("SUBMITTED").await;
    app.post(PATH, with(body, "context_data", far)).await.has_faults_on(&["context_data"]);
    assert_eq!(app.rows_of("proposals"), 0);
}
