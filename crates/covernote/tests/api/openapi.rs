//! The OpenAPI document says what the service does: live answers and valid bodies are held against it.

use serde_json::{Value, json};

use crate::support::{Answer, App, bodies};

/// The document with a schema of it on top, so that references within it resolve.
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

/// Holds an answer against the response that the document describes for its status.
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
async fn every_live_answer_is_as_described() {
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
async fn a_body_that_is_taken_is_one_that_the_document_describes() {
    let app = App::start().await;
    let document = document(&app).await;
    let body_of = |path: &str, method: &str| {
        document["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"].clone()
    };
    agrees(&document, &body_of("/v1/embedded/quote", "post"), &bodies::quote());
    let mut proposal = app.has_proposal_body("SUBMITTED").await;
    proposal["nominee"] = json!([bodies::nominee(json!(60)), bodies::minor_nominee(json!(40))]);
    assert_eq!(app.post("/v1/embedded/proposal", proposal.clone()).await.status, 201);
    agrees(&document, &body_of("/v1/embedded/proposal", "post"), &proposal);
    agrees(
        &document,
        &body_of("/v1/embedded/proposal/{proposal_id}", "patch"),
        &json!({ "status": "PENDING" }),
    );
    agrees(
        &document,
        &body_of("/v1/auth/token", "post"),
        &json!({ "client_id": "a", "client_secret": "b", "scopes": null, "user_id": "" }),
    );
}

#[tokio::test]
async fn what_the_document_requires_is_what_the_service_misses() {
    // D11
    let app = App::start().await;
    let document = document(&app).await;
    for (method, path) in
        [("post", "/v1/embedded/quote"), ("post", "/v1/embedded/proposal"), ("post", "/v1/auth/token")]
    {
        let schema = &document["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"];
        let required: Vec<&str> = schema["required"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|name| name.as_str().expect("text"))
            .collect();
        app.post(path, json!({})).await.has_faults_on(&required);
    }
}

#[tokio::test]
async fn every_path_of_the_contract_is_described_with_its_scope() {
    // D2
    let app = App::start().await;
    let document = document(&app).await;
    let scoped = [
        ("post", "/v1/embedded/quote", "business.quote.write"),
        ("post", "/v1/embedded/proposal", "business.proposal.write"),
        ("patch", "/v1/embedded/proposal/{proposal_id}", "business.proposal.write"),
        ("get", "/v1/embedded/proposal/{proposal_id}/status", "business.proposal.read"),
    ];
    for (method, path, scope) in scoped {
        let operation = &document["paths"][path][method];
        assert!(operation["description"].as_str().expect("text").contains(scope), "{method} {path}");
        assert_eq!(operation["security"], json!([{ "bearer": [] }]));
    }
    assert_eq!(document["paths"]["/v1/auth/token"]["post"]["security"], json!([]));
}

#[tokio::test]
async fn the_documents_examples_are_taken_as_they_stand() {
    let app = App::start().await;
    let document = document(&app).await;
    let example = |path: &str, method: &str| {
        let example =
            document["paths"][path][method]["requestBody"]["content"]["application/json"]["example"].clone();
        assert!(example.is_object(), "{method} {path} has an example");
        example
    };
    let token = app.post_without_bearer("/v1/auth/token", example("/v1/auth/token", "post")).await;
    token.is_refused(401, "A4001"); // Well formed; the demo's credentials are good in the demo alone.
    let quote =
        app.post("/v1/embedded/quote", example("/v1/embedded/quote", "post")).await.json()["payload"].clone();
    let mut proposal = example("/v1/embedded/proposal", "post");
    proposal["quote_id"] = quote["quote_id"].clone();
    proposal["recommendation_id"] = quote["recommendations"][0]["recommendation_id"].clone();
    let made = app.post("/v1/embedded/proposal", proposal).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let id = made.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
    let moved = app
        .patch(
            &format!("/v1/embedded/proposal/{id}"),
            example("/v1/embedded/proposal/{proposal_id}", "patch"),
        )
        .await;
    assert_eq!(moved.status, 200, "{}", moved.text);
}
