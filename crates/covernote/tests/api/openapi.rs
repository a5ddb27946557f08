//! Checks that the OpenAPI document is true, with live answers and valid bodies.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::insurer::Decides;
use crate::support::{Answer, App, Setup, bodies};

/// A validator of a schema of the document. References within the document resolve.
fn schema(document: &Value, schema: &Value) -> jsonschema::Validator {
    let rooted = json!({ "allOf": [schema], "components": document["components"] });
    jsonschema::options().build(&rooted).expect("a schema")
}

#[track_caller]
fn agrees(document: &Value, of: &Value, instance: &Value) {
    let faults: Vec<String> = schema(document, of)
        .iter_errors(instance)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{faults:#?}\n{instance:#}");
}

/// The named schema of the body that an operation takes.
#[track_caller]
fn body_schema(document: &Value, method: &str, path: &str) -> Value {
    let schema = &document["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"];
    let name = schema["$ref"].as_str().expect("a reference").trim_start_matches('#');
    document.pointer(name).expect("a schema of this name").clone()
}

/// Checks an answer against the response that the document describes for its status.
#[track_caller]
fn answers_as_described(document: &Value, method: &str, path: &str, answer: &Answer) {
    let response = &document["paths"][path][method]["responses"][answer.status.to_string()];
    assert!(response.is_object(), "{method} {path} does not describe {}: {}", answer.status, answer.text);
    agrees(document, &response["content"]["application/json"]["schema"], &answer.json());
    let described = response["description"].as_str().expect("text");
    if answer.status >= 400 {
        let code = answer.json()["type"].as_str().expect("a code").to_owned();
        assert!(described.contains(&code), "{method} {path} describes {described}, not {code}");
    }
}

async fn document(app: &App) -> Value {
    app.get_without_bearer("/openapi.json").await.json()
}

#[tokio::test]
async fn live_responses_of_token_and_embedded_operations_match_the_openapi_document() {
    let app = App::start().await;
    let document = document(&app).await;
    let is = |method, path, answer: &Answer| answers_as_described(&document, method, path, answer);
    let bad = json!({ "nothing": "of use" });

    let (token, quote, proposal) = ("/v1/auth/token", "/v1/embedded/quote", "/v1/embedded/proposal");
    is("post", token, &app.ask_token(app.partner(), &["business"]).await);
    is("post", token, &app.post_without_bearer(token, bad.clone()).await);
    is(
        "post",
        token,
        &app.post_without_bearer(token, json!({ "client_id": "x", "client_secret": "y" })).await,
    );

    is("post", quote, &app.post(quote, bodies::quote()).await);
    is("post", quote, &app.post(quote, bodies::with(bodies::quote(), "cover_amount", json!("1.00"))).await);
    is("post", quote, &app.post(quote, bad.clone()).await);
    is("post", quote, &app.post_without_bearer(quote, bodies::quote()).await);

    let body = app.has_proposal_body("SUBMITTED").await;
    let made = app.post(proposal, body).await;
    is("post", proposal, &made);
    is("post", proposal, &app.post(proposal, bad.clone()).await);

    let (one, status) = ("/v1/embedded/proposal/{proposal_id}", "/v1/embedded/proposal/{proposal_id}/status");
    let id = made.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
    let at = |path: &str, id: &str| path.replace("{proposal_id}", id);
    is("get", status, &app.get(&at(status, &id)).await);
    is("get", status, &app.get(&at(status, "pro_unknown")).await);
    is("patch", one, &app.patch(&at(one, &id), bad).await);
    is("patch", one, &app.patch(&at(one, &id), json!({ "status": "COMPLETED" })).await);
    is("patch", one, &app.patch(&at(one, &id), json!({ "status": "PENDING" })).await);
    is("get", status, &app.get(&at(status, &id)).await);
    is("get", "/v1/embedded/policy/{address}", &app.get_without_bearer("/v1/embedded/policy/forged").await);

    for path in ["/.well-known/jwks.json", "/livez", "/readyz"] {
        is("get", path, &app.get_without_bearer(path).await);
    }
}

#[tokio::test]
async fn live_responses_of_health_operations_match_the_openapi_document() {
    let app = Setup { workers: 0, ..Setup::health() }.start().await;
    let document = document(&app).await;
    let is = |method, path, answer: &Answer| answers_as_described(&document, method, path, answer);
    let session = "/v1/business/session";
    let made = app.post(session, json!({ "metadata": { "a": "b" } })).await;
    is("post", session, &made);
    is("post", session, &app.post(session, json!({})).await);
    is("post", session, &app.post(session, json!({ "metadata": 7 })).await);
    is("post", session, &app.post_without_bearer(session, json!({})).await);

    let asked = "/v1/business/health/recommendation";
    let mut full = bodies::full_recommendation();
    full["session_id"] = made.json()["session_id"].clone();
    let mut ids = Vec::new();
    for body in [bodies::recommendation(), full.clone(), without_deductible(full.clone())] {
        let answer = app.post(asked, body).await;
        is("post", asked, &answer);
        ids.push(answer.json()["payload"]["quote_id"].as_str().expect("an id").to_owned());
    }
    is("post", asked, &app.post(asked, json!({})).await);
    is("post", asked, &app.post(asked, bodies::with(full, "partner_id", json!("another"))).await);
    is("post", asked, &app.post_without_bearer(asked, bodies::recommendation()).await);

    let (job, quote) =
        ("/v1/business/health/recommendation/{quote_id}", "/v1/business/health/quotes/{quote_id}");
    let list = "/v1/business/health/quotes";
    for finished in [false, true] {
        if finished {
            app.works(4);
            app.has_no_job_left().await;
        }
        for id in &ids {
            is("get", job, &app.get(&job.replace("{quote_id}", id)).await);
            is("get", quote, &app.get(&quote.replace("{quote_id}", id)).await);
        }
        for query in
            ["start_date=2026-11-20", "session_id=unknown", "start_date=2026-11-20&limit=1", "limit=0", ""]
        {
            is("get", list, &app.get(&format!("{list}?{query}")).await);
        }
    }
    for path in [job, quote] {
        is("get", path, &app.get(&path.replace("{quote_id}", "x")).await);
        is("get", path, &app.get_without_bearer(&path.replace("{quote_id}", &ids[0])).await);
    }
    is("get", list, &app.get_without_bearer(list).await);
    let narrow = app.token_of(app.partner(), &["business.proposal.read"]).await;
    for (method, path) in [("post", session), ("post", asked), ("get", list)] {
        is(method, path, &app.send(app.request(&method.to_uppercase(), path).bearer_auth(&narrow)).await);
    }
}

fn without_deductible(body: Value) -> Value {
    bodies::without(body, "deductible")
}

#[tokio::test]
async fn live_responses_of_the_deprecated_reads_match_the_openapi_document() {
    // Imported records and customers' records, with and without optional fields.
    let app = Setup::health().start().await;
    let document = document(&app).await;
    let is = |path: &str, answer: &Answer| answers_as_described(&document, "get", path, answer);
    let session = app.post("/v1/business/session", json!({ "metadata": { "a": "b" } })).await.json();
    let bare_proposal = bodies::without(bodies::imported_proposal(), "insurer_proposal_id");
    let mut lines =
        vec![bodies::imported_proposal(), bodies::with(bare_proposal, "status", json!("PENDING"))];
    lines[0]["session_id"] = session["session_id"].clone();
    let mut proposals = app.imports_proposals(lines).await;
    proposals.push(app.has_accepted_health_proposal().await);
    let mut bare_policy = bodies::with(bodies::imported_policy(), "policy_number", json!("2"));
    for field in
        ["insurer_policy_number", "previous_policy_id", "nominees", "riders", "proposal_id", "quote_id"]
    {
        bare_policy = bodies::without(bare_policy, field);
    }
    for field in ["email", "bank_details", "address.address_line_2"] {
        bare_policy = bodies::without(bare_policy, &format!("proposer_details.{field}"));
    }
    let mut policies = app.imports_policies(vec![bodies::imported_policy(), bare_policy]).await;
    policies.extend(["CN-2026-004100".to_owned(), "IGI/2026/00002".to_owned()]);

    for (records, one, ids) in [("proposals", "proposal_id", proposals), ("policies", "policy_id", policies)]
    {
        let list = format!("/v1/business/health/{records}");
        for query in [
            "end_date=2026-11-20".to_owned(),
            format!("session_id={}", session["session_id"].as_str().expect("text")),
            "session_id=unknown".to_owned(),
            "end_date=2026-11-20&limit=1".to_owned(),
            "limit=0".to_owned(),
            String::new(),
        ] {
            is(&list, &app.get(&format!("{list}?{query}")).await);
        }
        let narrow = app.token_of(app.partner(), &["business.quote.read"]).await;
        is(&list, &app.get_without_bearer(&list).await);
        is(&list, &app.send(app.request("GET", &list).bearer_auth(&narrow)).await);
        let one = format!("{list}/{{{one}}}");
        for id in &ids {
            let answer = app.get(&format!("{list}/{id}")).await;
            assert_eq!(answer.status, 200, "{id}: {}", answer.text);
            is(&one, &answer);
        }
        is(&one, &app.get(&format!("{list}/x")).await);
        is(&one, &app.get_without_bearer(&format!("{list}/x")).await);
        is(&one, &app.send(app.request("GET", &format!("{list}/x")).bearer_auth(&narrow)).await);
    }
}

#[tokio::test]
async fn live_responses_to_an_insurers_decisions_match_the_openapi_document() {
    let misaal = Decides::saying("secret", []);
    let app = Setup::default().asking(vec![("misaal", misaal)]).start().await;
    let document = document(&app).await;
    let body = app.has_proposal_body_decided_by("insurer", "SUBMITTED").await;
    let made = app.post("/v1/embedded/proposal", body).await;
    let told = "/v1/insurers/{insurer_id}/decisions";
    let tell = async |secret: &str, body: &Value| {
        let path = told.replace("{insurer_id}", "ins_01m5vn1aygfe0av1wtx4v84kep");
        app.send(app.request("POST", &path).bearer_auth(secret).json(body)).await
    };
    let mut accepted =
        document["paths"][told]["post"]["requestBody"]["content"]["application/json"]["example"].clone();
    let mut answers = vec![tell("secret", &accepted).await];
    accepted["proposal_id"] = made.json()["payload"]["proposal_id"].clone();
    answers.push(tell("wrong", &accepted).await);
    answers.push(tell("secret", &json!({})).await);
    answers.push(tell("secret", &accepted).await);
    let rejected = bodies::with(bodies::without(accepted, "policy_number"), "decision", json!("rejected"));
    answers.push(tell("secret", &rejected).await);
    assert_eq!(answers.iter().map(|answer| answer.status).collect::<Vec<_>>(), [404, 401, 400, 200, 409]);
    for answer in &answers {
        answers_as_described(&document, "post", told, answer);
    }
}

#[tokio::test]
async fn accepted_health_bodies_match_the_openapi_document_and_mismatching_ones_are_refused() {
    let app = App::start().await;
    let document = document(&app).await;
    let schema = |path: &str| body_schema(&document, "post", path);
    let (asked, session) = ("/v1/business/health/recommendation", "/v1/business/session");
    let mut taken = vec![bodies::recommendation(), bodies::full_recommendation()];
    for (path, values) in [
        (
            "customer.phoneNumber",
            vec![json!("+91 98765-43210"), json!("0 98765 43210"), json!(" 9876543210 ")],
        ),
        ("customer.pinCode", vec![json!(" 110001 ")]),
        ("customer.gender", vec![json!("—")]),
        ("members.spouse", vec![Value::Null, json!([])]),
        ("members.self.0.age", vec![json!(0), json!(0.5), json!(120)]),
        ("members.self", vec![json!([{ "age": 34, "name": "Asha" }])]),
        ("members.son", vec![(0..9).map(|age| json!({ "age": age })).collect()]),
        ("selectedPEDs", vec![Value::Null, json!(""), json!([]), json!(["x"]), json!([7, ""])]),
        ("plan_type", vec![Value::Null, json!(" "), json!("base"), json!("super_top_up")]),
        ("sum_insured", vec![Value::Null, json!(""), json!(0), json!(0.5), json!(1e308)]),
        ("deductible", vec![Value::Null, json!(""), json!(0)]),
        ("is_porting", vec![Value::Null, json!(""), json!(false)]),
        ("porting_tenure", vec![Value::Null, json!(""), json!(2.5)]),
        ("partner_id", vec![Value::Null, json!(""), json!(app.partner().id.to_string())]),
        ("enterprise_id", vec![Value::Null, json!(" ")]),
        ("session_id", vec![Value::Null, json!(""), json!(app.has_session().await)]),
        ("unknown", vec![json!({ "is": "ignored" })]),
    ] {
        taken.extend(values.into_iter().map(|value| bodies::with(bodies::recommendation(), path, value)));
    }
    for body in taken {
        let answer = app.post(asked, body.clone()).await;
        assert_eq!(answer.status, 200, "{body}: {}", answer.text);
        agrees(&document, &schema(asked), &without_absent(body));
    }
    for body in [
        json!({}),
        json!({ "metadata": null }),
        json!({ "metadata": " " }),
        json!({ "metadata": {} }),
        json!({ "metadata": { "a": "", "b": "x" }, "unknown": 7 }),
    ] {
        assert_eq!(app.post(session, body.clone()).await.status, 201);
        agrees(&document, &schema(session), &without_absent(body));
    }
    // The service refuses what the document refuses.
    for (path, body) in [
        (asked, json!({})),
        (asked, bodies::with(bodies::recommendation(), "members", json!({ "uncle": [] }))),
        (asked, bodies::with(bodies::recommendation(), "members", json!({ "self": [{ "age": 121 }] }))),
        (asked, bodies::with(bodies::recommendation(), "plan_type", json!("BASE"))),
        (asked, bodies::with(bodies::recommendation(), "sum_insured", json!(-1))),
        (session, json!({ "metadata": { "a": 7 } })),
    ] {
        assert!(!schema_is_met(&document, &schema(path), &body), "{path} {body}");
        app.post(path, body).await.is_refused(400, "V4000");
    }
}

/// The body without values that count as absent. The document does not allow `null` and blank text
/// everywhere, nor ignored fields, such as the appointee of an adult (D13, D25).
fn without_absent(mut body: Value) -> Value {
    match &mut body {
        Value::Object(fields) => {
            fields.retain(|_, value| {
                !value.is_null() && !value.as_str().is_some_and(|text| text.trim().is_empty())
            });
            fields.values_mut().for_each(|value| *value = without_absent(value.take()));
            fields.retain(|name, value| name != "appointee_details" || value.get("first_name").is_some());
        }
        Value::Array(items) => items.iter_mut().for_each(|value| {
            if value.is_object() {
                *value = without_absent(value.take());
            }
        }),
        _ => {}
    }
    body
}

/// The operations of the contract that take a body: they ignore unknown fields (D12).
const LENIENT: [&str; 6] = [
    "generateToken",
    "generateRecommendation",
    "openSession",
    "createQuote",
    "createProposal",
    "replaceProposal",
];

#[tokio::test]
async fn every_body_beyond_the_contract_refuses_unknown_fields() {
    // D12
    let app = App::start().await;
    let document = document(&app).await;
    let mut closed = 0;
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let content = &operation["requestBody"]["content"]["application/json"];
            // A gateway may send any body.
            if !content.is_object() || operation["operationId"] == "tellPayment" {
                continue;
            }
            let schema = body_schema(&document, method, path);
            let is_closed = schema["additionalProperties"] == false;
            let is_lenient = LENIENT.iter().any(|id| operation["operationId"] == *id);
            assert_eq!(is_closed, !is_lenient, "{method} {path}");
            closed += u32::from(is_closed);
        }
    }
    assert!(closed > 15, "{closed}");
    let nearly = json!({ "url": "https://partner.example/a", "types": ["*"], "descripton": "ours" });
    let answer = app.post("/v1/webhooks/endpoints", nearly).await;
    answer.has_faults_on(&["descripton"]);
    assert!(answer.text.contains("did you mean description?"), "{}", answer.text);
}

fn schema_is_met(document: &Value, of: &Value, instance: &Value) -> bool {
    schema(document, of).is_valid(instance)
}

#[tokio::test]
async fn every_parameter_of_a_query_is_described() {
    // interface §8, §10, §12; D33
    let app = App::start().await;
    let document = document(&app).await;
    app.has_health_quote(bodies::recommendation()).await;
    app.imports_proposals(vec![bodies::imported_proposal()]).await;
    app.imports_policies(vec![bodies::imported_policy()]).await;
    for records in ["quotes", "proposals", "policies"] {
        let path = &format!("/v1/business/health/{records}");
        let parameters = document["paths"][path]["get"]["parameters"].as_array().expect("a list").clone();
        let names: BTreeSet<&str> =
            parameters.iter().map(|parameter| parameter["name"].as_str().expect("text")).collect();
        assert_eq!(names, BTreeSet::from(["session_id", "start_date", "end_date", "next", "prev", "limit"]));
        for parameter in &parameters {
            assert_eq!((&parameter["in"], &parameter["required"]), (&json!("query"), &json!(false)));
        }
        let schema = |name: &str| {
            let named = parameters.iter().find(|parameter| parameter["name"] == name);
            named.expect("described")["schema"].clone()
        };
        agrees(&document, &schema("limit"), &json!(100));
        assert!(!schema_is_met(&document, &schema("limit"), &json!(101)));
        agrees(&document, &schema("start_date"), &json!("2026-11-20"));
        assert!(!schema_is_met(&document, &schema("start_date"), &json!("20/11/2026")));
        // The cursors of a page have the format of the cursor parameters.
        let page = app.get(&format!("{path}?end_date=2026-11-20")).await.json();
        assert_ne!(page["end_cursor"], "", "{page}");
        agrees(&document, &schema("next"), &page["end_cursor"]);
        agrees(&document, &schema("prev"), &page["start_cursor"]);
    }
}

#[tokio::test]
async fn accepted_quote_and_proposal_bodies_match_the_openapi_document() {
    let app = App::start().await;
    let document = document(&app).await;
    let body_of = |path: &str, method: &str| body_schema(&document, method, path);
    for term in [json!(24), json!(24.0)] {
        let quote = bodies::with(bodies::quote(), "policy_term", term);
        assert_eq!(app.post("/v1/embedded/quote", quote.clone()).await.status, 200);
        agrees(&document, &body_of("/v1/embedded/quote", "post"), &without_absent(quote.clone()));
    }
    let mut proposal = app.has_proposal_body("SUBMITTED").await;
    proposal["nominee"] = json!([bodies::nominee(json!(60)), bodies::minor_nominee(json!(40))]);
    assert_eq!(app.post("/v1/embedded/proposal", proposal.clone()).await.status, 201);
    agrees(&document, &body_of("/v1/embedded/proposal", "post"), &without_absent(proposal));
    agrees(
        &document,
        &body_of("/v1/embedded/proposal/{proposal_id}", "patch"),
        &json!({ "status": "PENDING" }),
    );
    agrees(
        &document,
        &body_of("/v1/policies/{policy_id}/endorsement", "post"),
        &without_absent(json!({ "kind": "NOMINEE", "nominees": [bodies::nominee(json!(100))] })),
    );
    agrees(
        &document,
        &body_of("/v1/auth/token", "post"),
        &json!({ "client_id": "a", "client_secret": "b", "scopes": null, "user_id": "" }),
    );
}

#[tokio::test]
async fn the_document_requires_the_fields_that_the_service_requires() {
    // D11
    let app = App::start().await;
    let document = document(&app).await;
    for (method, path) in [
        ("post", "/v1/embedded/quote"),
        ("post", "/v1/embedded/proposal"),
        ("post", "/v1/auth/token"),
        ("post", "/v1/business/health/recommendation"),
    ] {
        let schema = body_schema(&document, method, path);
        let required: Vec<&str> = schema["required"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|name| name.as_str().expect("text"))
            .collect();
        app.post(path, json!({})).await.has_faults_on(&required);
    }
}

/// The operations of the contract that need a bearer token, each with its scope (D2).
const SCOPED: [(&str, &str, &str); 13] = [
    ("post", "/v1/embedded/quote", "business.quote.write"),
    ("post", "/v1/embedded/proposal", "business.proposal.write"),
    ("patch", "/v1/embedded/proposal/{proposal_id}", "business.proposal.write"),
    ("get", "/v1/embedded/proposal/{proposal_id}/status", "business.proposal.read"),
    ("post", "/v1/business/session", "business.session"),
    ("post", "/v1/business/health/recommendation", "business.quote.write"),
    ("get", "/v1/business/health/recommendation/{quote_id}", "business.quote.read"),
    ("get", "/v1/business/health/quotes", "business.quote.read"),
    ("get", "/v1/business/health/quotes/{quote_id}", "business.quote.read"),
    ("get", "/v1/business/health/proposals", "business.proposal.read"),
    ("get", "/v1/business/health/proposals/{proposal_id}", "business.proposal.read"),
    ("get", "/v1/business/health/policies", "business"),
    ("get", "/v1/business/health/policies/{policy_id}", "business"),
];

#[tokio::test]
async fn every_operation_of_the_contract_is_described_with_its_scope() {
    // D2
    let app = App::start().await;
    let document = document(&app).await;
    assert_eq!(document["components"]["securitySchemes"]["bearer"]["type"], "http");
    for (method, path, scope) in SCOPED {
        let operation = &document["paths"][path][method];
        assert!(operation["description"].as_str().expect("text").contains(scope), "{method} {path}");
        assert_eq!(operation["security"], json!([{ "bearer": [scope] }]), "{method} {path}");
    }
    assert_eq!(document["paths"]["/v1/auth/token"]["post"]["security"], json!([]));
}

#[tokio::test]
async fn objects_that_several_bodies_share_are_described_by_one_referenced_schema() {
    let app = App::start().await;
    let document = document(&app).await;
    let schemas = &document["components"]["schemas"];
    let reference = |name: &str| json!({ "$ref": format!("#/components/schemas/{name}") });
    for person in ["Proposer", "InsuredMember", "Nominee"] {
        assert_eq!(schemas[person]["properties"]["address"], reference("Address"), "{person}");
        assert_eq!(schemas[person]["properties"]["documents"]["items"], reference("Document"), "{person}");
    }
    assert_eq!(schemas["Nominee"]["properties"]["appointee_details"], reference("Appointee"));
    for path in ["/v1/embedded/quote", "/v1/embedded/proposal"] {
        let body = body_schema(&document, "post", path);
        let entries = &body["properties"]["context_data"]["items"];
        assert_eq!(*entries, reference("ContextEntry"), "{path}");
    }
}

#[tokio::test]
async fn only_operations_that_document_an_idempotency_key_validate_it() {
    // D36, D43
    let app = App::start().await;
    let document = document(&app).await;
    let mut taken = 0;
    for (method, path, _) in SCOPED {
        let parameters = document["paths"][path][method]["parameters"].as_array().cloned();
        let takes_key =
            parameters.is_some_and(|all| all.iter().any(|parameter| parameter["name"] == "Idempotency-Key"));
        let request = app.request(&method.to_uppercase(), path).bearer_auth(&app.partner().token);
        let request = request.header("idempotency-key", "").header("content-type", "application/json");
        let answer = app.send(request.body("{}")).await;
        let refused = answer.json()["additional_info"][0]["field"] == "Idempotency-Key";
        assert_eq!(refused, takes_key, "{method} {path}: {}", answer.text);
        taken += usize::from(takes_key);
    }
    assert_eq!(taken, 5);
}

/// Folder of the developer site's pages.
const PAGES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docsite/pages");

#[test]
fn the_site_lists_every_type_of_event() {
    let page = std::fs::read_to_string(format!("{PAGES}/events.md")).expect("text");
    let table = web::event_document::type_table();
    assert!(page.contains(&table), "{PAGES}/events.md must have this table:\n\n{table}");
}

#[test]
fn every_path_of_the_api_that_a_page_names_exists() {
    let document = web::api::document();
    let known: BTreeSet<(String, String)> = operations(&document)
        .map(|(name, _)| {
            let (method, path) = name.split_once(' ').expect("two words");
            (method.to_uppercase(), shape(path))
        })
        .collect();
    let mut count = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("text");
        for (at, _) in text.match_indices("/v1/") {
            let ends = |letter: char| letter.is_whitespace() || "\"'`?\\),".contains(letter);
            let path = text[at..].split(ends).next().expect("a path");
            let method = text[..at].rsplit('`').next().unwrap_or_default().trim();
            let is_there = known.iter().any(|(name, shaped)| {
                *shaped == shape(path)
                    && (method == name || !["GET", "POST", "PATCH", "DELETE"].contains(&method))
            });
            assert!(is_there, "{}: {method} {path}", page.display());
            count += 1;
        }
    }
    assert!(count > 80, "paths were read: {count}");
}

/// The Markdown files of the developer site.
fn pages() -> impl Iterator<Item = PathBuf> {
    let files =
        [PAGES.to_owned(), format!("{PAGES}/errors")].into_iter().flat_map(std::fs::read_dir).flatten();
    files
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
}

/// The shape of an API path: each part that is not a lower-case word becomes `{}`.
fn shape(path: &str) -> String {
    let is_word =
        |part: &str| part == "v1" || part.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
    let parts = path.split('/').map(|part| if is_word(part) { part } else { "{}" });
    parts.collect::<Vec<&str>>().join("/")
}

/// Runs the examples of the document.
struct Walk {
    app: App,
    document: Value,
    /// Ids for examples and paths, by name.
    ids: Value,
}

impl Walk {
    /// Calls an operation with the example of its body, with ids and some other fields replaced. Returns the
    /// answer.
    async fn does(&mut self, id: &str, query: &str, changes: Value) -> Value {
        let found = operations(&self.document).find(|(_, operation)| operation["operationId"] == id);
        let (name, operation) = found.expect("an operation");
        let (method, path) = name.split_once(' ').expect("two words");
        let ids = self.ids.as_object().expect("an object");
        let path = ids.iter().fold(path.to_owned(), |path, (name, id)| {
            path.replace(&format!("{{{name}}}"), id.as_str().expect("text"))
        });
        let content = &operation["requestBody"]["content"]["application/json"];
        let request = self.app.request(&method.to_uppercase(), &format!("{path}{query}"));
        let mut request = request.bearer_auth(&self.app.partner().token);
        if content.is_object() {
            let mut body = content["example"].clone();
            for (name, value) in ids.iter().filter(|(name, _)| content["example"].get(name).is_some()) {
                body[name] = value.clone();
            }
            for (name, value) in changes.as_object().expect("an object") {
                body[name] = value.clone();
            }
            request = request.json(&body);
        }
        let answer = self.app.send(request).await;
        assert!(operation["responses"].get(answer.status.to_string()).is_some(), "{name}: {}", answer.text);
        assert!(answer.status < 300, "{name}: {}", answer.text);
        let given = serde_json::from_slice(&answer.bytes).unwrap_or_default();
        let given: &Value = &given;
        given.get("payload").unwrap_or(given).clone()
    }

    /// Stores an id from an answer.
    fn keeps(&mut self, name: &str, id: &Value) {
        assert!(id.is_string(), "{name} is {id}");
        self.ids[name] = id.clone();
    }

    fn path_of_policy(&self, what: &str) -> String {
        format!("/v1/policies/{}/{what}", self.ids["policy_id"].as_str().expect("text"))
    }

    async fn sells(&mut self) {
        let quote = self.does("createQuote", "", json!({})).await;
        self.keeps("quote_id", &quote["quote_id"]);
        self.keeps("recommendation_id", &quote["recommendations"][0]["recommendation_id"]);
        let proposal = self.does("createProposal", "", json!({})).await;
        self.keeps("proposal_id", &proposal["proposal_id"]);
        self.does("updateProposal", "", json!({})).await;
        let sold = self.does("getProposal", "", json!({})).await;
        self.keeps("policy_id", &sold["policy_id"]);
    }
}

#[tokio::test]
async fn the_service_accepts_the_request_examples_of_the_openapi_document() {
    let app = App::start().await;
    let document = web::api::document();
    let mut walk = Walk { app, document, ids: json!({}) };
    let none = json!({});
    walk.app.post_text("/v1/embedded/quote", vec![b' '; 3 << 20]).await.is_refused(413, "V4130");
    walk.sells().await;
    let status = walk.does("getProposalStatus", "", none.clone()).await;
    let address = status["policy_url"].as_str().and_then(|url| url.rsplit('/').next()).expect("an address");
    walk.keeps("address", &address.into());
    walk.does("downloadCertificate", "", none.clone()).await;
    walk.does("listProposals", "?created_from=2026-11-20", none.clone()).await;
    walk.does("listPolicies", "?issued_from=2026-11-20", none.clone()).await;
    walk.does("getPolicy", "", none.clone()).await;
    let renewal = walk.path_of_policy("renewal");
    walk.app.post(&renewal, example(&walk.document, "renewPolicy")).await.is_refused(400, "S4000");
    walk.does("quoteEndorsement", "", none.clone()).await;
    walk.does("endorsePolicy", "", none.clone()).await;
    let claim = walk.does("makeClaim", "", none.clone()).await;
    walk.keeps("claim_id", &claim["claim_id"]);
    walk.does("getClaim", "", none.clone()).await;
    walk.does("listClaims", "?created_from=2026-11-20", none.clone()).await;
    walk.does("withdrawClaim", "", none.clone()).await;
    walk.sells().await;
    walk.does("quoteCancellation", "", none.clone()).await;
    walk.does("cancelPolicy", "", none.clone()).await;
    let endorsement = walk.path_of_policy("endorsement");
    walk.app.post(&endorsement, example(&walk.document, "endorsePolicy")).await.is_refused(400, "S4000");

    let session = walk.does("openSession", "", none.clone()).await;
    walk.keeps("session_id", &session["session_id"]);
    let asked = walk.does("generateRecommendation", "", json!({ "session_id": session["session_id"] })).await;
    walk.keeps("quote_id", &asked["quote_id"]);
    walk.app.finished_recommendation(asked["quote_id"].as_str().expect("text")).await;
    let of_session = format!("?session_id={}", session["session_id"].as_str().expect("text"));
    for (id, query) in [
        ("getRecommendation", ""),
        ("getQuote", ""),
        ("listQuotes", &of_session),
        ("listRequests", "?limit=3"),
    ] {
        walk.does(id, query, none.clone()).await;
    }
    walk.does("readCreditOptions", "", none.clone()).await;
    walk.does("readHealthOptions", "", none.clone()).await;

    let endpoint = walk.does("addWebhookEndpoint", "", none.clone()).await;
    walk.keeps("endpoint_id", &endpoint["endpoint_id"]);
    let events = walk.does("listEvents", "?type=policy.issued&limit=1", none.clone()).await;
    walk.keeps("event_id", &events["events"][0]["id"]);
    for id in [
        "getEvent",
        "listWebhookEndpoints",
        "getWebhookEndpoint",
        "pingWebhookEndpoint",
        "rotateWebhookSecret",
        "changeWebhookEndpoint",
    ] {
        walk.does(id, "", none.clone()).await;
    }
}

#[tokio::test]
async fn an_unknown_id_is_not_found_by_any_operation() {
    let mut app = App::start().await;
    let document = web::api::document();
    let test_partner = app.new_test_partner().await;
    let mut asked = 0;
    for (name, operation) in operations(&document) {
        let (method, path) = name.split_once(' ').expect("two words");
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let ids = parameters.filter(|parameter| parameter["in"] == "path");
        let unknown = ids.fold(path.to_owned(), |path, parameter| {
            let name = parameter["name"].as_str().expect("text");
            let kind = match name {
                "endpoint_id" => "whe",
                "claim_id" => "clm",
                "statement_id" => "stm",
                name => &name[..3],
            };
            path.replace(&format!("{{{name}}}"), &format!("{kind}_01m5vvw3xreqg9aaa1afd2xg99"))
        });
        let takes_bytes = operation["requestBody"]["content"]["image/png"].is_object();
        if unknown == path || operation["security"][0].is_null() || takes_bytes {
            continue;
        }
        let mut body = example(&document, operation["operationId"].as_str().expect("text"));
        if body["since"].is_string() {
            body["since"] = json!("2026-11-20T00:00:00Z");
        }
        let send = async |app: &App, body: Value| match body {
            Value::Null => app.as_partner(app.partner(), &method.to_uppercase(), &unknown, None).await,
            body => app.as_partner(app.partner(), &method.to_uppercase(), &unknown, Some(body)).await,
        };
        send(&app, body.clone()).await.is_refused(404, "R4040");
        // The body is checked before the id, also for a test partner's sandbox.
        if !body.is_null() {
            let live = app.asks_as(test_partner.clone());
            let answer = send(&app, json!({ "unknown": 1 })).await;
            answer.is_refused(400, "V4000");
            send(&app, json!({})).await;
            app.asks_as(live);
        }
        asked += 1;
    }
    assert!(asked > 25, "{asked}");
}

#[tokio::test]
async fn recover_ping_and_retry_are_refused_for_a_disabled_webhook_endpoint() {
    let app = App::start().await;
    let body = json!({ "url": "https://partner.example/hooks", "types": ["*"] });
    let endpoint = app.post("/v1/webhooks/endpoints", body).await.json()["payload"]["endpoint_id"].clone();
    let path = format!("/v1/webhooks/endpoints/{}", endpoint.as_str().expect("an id"));
    app.has_policy().await;
    let event = app.get("/v1/events").await.json()["events"][0]["id"].clone();
    let retry = format!("deliveries/{}/retry", event.as_str().expect("an id"));
    app.get(&format!("{path}/deliveries?limit=0")).await.has_faults_on(&["limit"]);
    app.patch(&path, json!({ "url": "ftp://partner.example" })).await.has_faults_on(&["url"]);
    assert_eq!(app.patch(&path, json!({ "status": "disabled" })).await.status, 200);
    for (asked, body) in
        [("recover", json!({ "since": "2026-11-20T00:00:00Z" })), ("ping", json!({})), (&retry, json!({}))]
    {
        app.post(&format!("{path}/{asked}"), body).await.is_refused(409, "S4090");
    }
}

#[tokio::test]
async fn the_sandbox_accepts_the_request_examples_of_its_operations() {
    let mut app = App::start().await;
    let test_partner = app.new_test_partner().await;
    app.asks_as(test_partner);
    let mut walk = Walk { app, document: web::api::document(), ids: json!({}) };
    let proposal = walk.app.has_proposal("REJECTED").await;
    let (claim, _) = walk.app.has_claim().await;
    walk.keeps("claim_id", &claim.as_str().into());
    walk.does("readSandboxClock", "", json!({})).await;
    walk.does("decideSandboxClaim", "", json!({})).await;
    walk.does("fireSandboxEvent", "", json!({})).await;
    // A decision is final.
    let (path, accept) = (
        format!("/v1/sandbox/proposals/{proposal}/decide"),
        example(&walk.document, "decideSandboxProposal"),
    );
    walk.app.post(&path, accept).await.is_refused(400, "S4000");
    let path = format!("/v1/sandbox/claims/{claim}/decide");
    walk.app.post(&path, json!({ "status": "INTIMATED" })).await.is_refused(400, "S4000");
    walk.does("advanceSandboxClock", "", json!({})).await;
}

#[tokio::test]
async fn the_service_accepts_the_documents_request_example_of_a_receipt() {
    let app = Setup::paid_by_partner().start().await;
    let id = app.has_proposal("PENDING").await;
    let mut walk = Walk { app, document: web::api::document(), ids: json!({}) };
    let mut items = example(&walk.document, "reportReceipt")["items"].clone();
    items[0]["proposal_id"] = id.into();
    let taken = walk.does("reportReceipt", "", json!({ "items": items })).await;
    assert_eq!(taken["items"][0]["outcome"], "matched", "{taken}");
}

/// The example of an operation's body, or null.
fn example(document: &Value, id: &str) -> Value {
    let found = operations(document).find(|(_, operation)| operation["operationId"] == id);
    found.expect("an operation").1["requestBody"]["content"]["application/json"]["example"].clone()
}

/// Every operation of the document with its method and path.
fn operations(document: &Value) -> impl Iterator<Item = (String, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    paths.iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("methods");
        methods.iter().map(move |(method, operation)| (format!("{method} {path}"), operation))
    })
}

#[test]
fn every_response_in_the_document_has_an_example_that_matches_its_schema() {
    let document = web::api::document();
    for (name, operation) in operations(&document) {
        for (status, response) in operation["responses"].as_object().expect("responses") {
            let content = &response["content"]["application/json"];
            if !content.is_object() {
                continue;
            }
            if let Some(example) = content.get("example") {
                assert!(example.is_object(), "{name} has no example for {status}: run scripts/examples");
                agrees(&document, &content["schema"], example);
                continue;
            }
            let described = response["description"].as_str().expect("text").split(" or ");
            let examples = content["examples"].as_object().expect("examples");
            assert_eq!(described.count(), examples.len(), "{name} {status}");
            for (code, example) in examples {
                let error = &example["value"];
                assert_eq!(error["type"], *code, "{name} has no example for {code}: run scripts/examples");
                agrees(&document, &content["schema"], error);
            }
        }
    }
}

#[test]
fn examples_of_validation_errors_name_only_existing_fields() {
    let document = web::api::document();
    let mut seen = 0;
    for (name, operation) in operations(&document) {
        let examples = &operation["responses"]["400"]["content"]["application/json"]["examples"];
        let Some(faults) = examples["V4000"]["value"]["additional_info"].as_array() else { continue };
        let body = &operation["requestBody"]["content"]["application/json"]["schema"];
        let body = body["$ref"].as_str().and_then(|name| document.pointer(name.trim_start_matches('#')));
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        let queried: Vec<&str> = parameters.filter_map(|one| one["name"].as_str()).collect();
        for fault in faults {
            let field = fault["field"].as_str().expect("text");
            let first = field.split(['.', '[']).next().unwrap_or_default();
            let is_field = body.is_some_and(|body| body["properties"].get(first).is_some());
            assert!(is_field || queried.contains(&first) || body.is_none(), "{name} has no {field}");
            seen += 1;
        }
    }
    assert!(seen > 30, "{seen}");
}

#[test]
fn no_two_parts_of_a_schema_describe_the_same_field() {
    fn fields<'a>(document: &'a Value, schema: &'a Value, found: &mut Vec<&'a str>) {
        let named = schema["$ref"].as_str().and_then(|name| document.pointer(name.trim_start_matches('#')));
        let schema = named.unwrap_or(schema);
        found.extend(schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()));
        schema["allOf"].as_array().into_iter().flatten().for_each(|part| fields(document, part, found));
    }
    let document = web::api::document();
    for (name, schema) in document["components"]["schemas"].as_object().expect("schemas") {
        let mut found = Vec::new();
        fields(&document, schema, &mut found);
        let once: BTreeSet<&str> = found.iter().copied().collect();
        assert_eq!(once.len(), found.len(), "{name} describes a field twice: {found:?}");
    }
}

#[tokio::test]
async fn the_openapi_document_is_sent_compressed_and_an_unchanged_copy_gets_304() {
    let app = App::start().await;
    let ask = async |method: &str, headers: &[(&str, &str)]| {
        let request = app.request(method, "/openapi.json");
        app.send(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
    };
    let (plain, compressed) = (ask("GET", &[]).await, ask("GET", &[("accept-encoding", "gzip")]).await);
    assert_eq!(
        (plain.header("content-encoding"), compressed.header("content-encoding")),
        (None, Some("gzip"))
    );
    assert!(compressed.bytes.len() * 5 < plain.bytes.len(), "{}", compressed.bytes.len());
    for (answer, encoding) in [(plain, "identity"), (compressed, "gzip")] {
        assert_eq!(answer.header("cache-control"), Some("public, max-age=300"));
        assert_eq!(answer.header("vary"), Some("accept-encoding"));
        let (tag, length) = (answer.header("etag").expect("a tag"), answer.header("content-length"));
        let again = ask("GET", &[("accept-encoding", encoding), ("if-none-match", tag)]).await;
        assert_eq!((again.status, again.bytes.len(), again.header("etag")), (304, 0, Some(tag)));
        let head = ask("HEAD", &[("accept-encoding", encoding)]).await;
        assert_eq!((head.status, head.bytes.len(), head.header("content-length")), (200, 0, length));
        let changed = ask("GET", &[("accept-encoding", encoding), ("if-none-match", "\"other\"")]).await;
        assert_eq!((changed.status, changed.bytes), (200, answer.bytes));
    }
}

#[tokio::test]
async fn the_family_of_an_events_data_is_a_constant_that_generators_for_php_do_not_take_for_all_families() {
    let app = App::start().await;
    let document = app.get_without_bearer("/openapi.json").await.json();
    let schemas = &document["components"]["schemas"];
    let mapping = schemas["EventData"]["discriminator"]["mapping"].as_object().expect("every family").clone();
    assert!(mapping.len() > 10, "{mapping:?}");
    for (family, path) in mapping {
        let name = path.as_str().and_then(|path| path.rsplit('/').next()).expect("a schema");
        let parts = schemas[name]["allOf"].as_array().expect("parts");
        let own = parts.iter().find_map(|part| part["properties"].get("family")).expect("it says its family");
        assert_eq!((own["const"].as_str(), own.get("enum")), (Some(&*family), None), "{name}");
    }
}
