//! The demo, as its partner and its operator use it.

use std::path::Path;

use domain::proposal::Decision;
use reqwest::Client;
use serde_json::{Value, json};

use super::bodies;
use super::program::{run, stderr, stdout};

/// The flag with the demo's data folder.
pub const DATA: [&str; 2] = ["--data", "covernote-demo"];

/// Runs a command on the demo's store. Returns its exit code and its JSON.
pub fn told(here: &Path, arguments: &[&str]) -> (i32, Value) {
    let output = run(here, &[arguments, &["--json"], &DATA[..]].concat());
    let code = output.status.code().expect("it ended by itself");
    (code, serde_json::from_str(&stdout(&output)).unwrap_or_else(|_| json!(stderr(&output))))
}

/// The demo's partner with a token.
pub struct DemoPartner {
    client: Client,
    base: String,
    token: String,
}

impl DemoPartner {
    /// Gets a token at the demo's address.
    pub async fn with_token(base: &str) -> DemoPartner {
        DemoPartner::of(
            base,
            json!({ "client_id": "demo", "client_secret": "demo-secret", "scopes": ["business"] }),
        )
        .await
    }

    /// The demo's test partner.
    pub async fn of_tests(base: &str) -> DemoPartner {
        let scopes = ["business", "business.webhook"];
        let credentials =
            json!({ "client_id": "demo-test", "client_secret": "demo-test-secret", "scopes": scopes });
        DemoPartner::of(base, credentials).await
    }

    async fn of(base: &str, credentials: Value) -> DemoPartner {
        let mut partner = DemoPartner { client: Client::new(), base: base.to_owned(), token: String::new() };
        let answer = partner.post("/v1/auth/token", credentials).await;
        partner.token = answer["access_token"].as_str().expect("a token").to_owned();
        partner
    }

    /// Sends a body. Returns the payload of the response.
    pub async fn post(&self, path: &str, body: Value) -> Value {
        self.payload(self.client.post(format!("{}{path}", self.base)).json(&body)).await
    }

    /// Reads a path. Returns the payload of the response.
    pub async fn get(&self, path: &str) -> Value {
        self.payload(self.client.get(format!("{}{path}", self.base))).await
    }

    /// Uploads a PDF. Returns the payload of the response.
    pub async fn upload(&self, path: &str, bytes: Vec<u8>) -> Value {
        let request = self.client.post(format!("{}{path}", self.base));
        self.payload(request.header("content-type", "application/pdf").body(bytes)).await
    }

    /// Sells loan cover of the sample with this kind of decision. Returns the proposal's id.
    pub async fn has_proposal_decided_by(&self, decision: Decision) -> String {
        self.has_proposal_called(decision, None).await
    }

    /// Sells loan cover with the partner's own reference, if any. Returns the proposal's id.
    async fn has_proposal_called(&self, decision: Decision, reference: Option<&str>) -> String {
        let catalogue = rating::Catalogue::load(&rating::Files::sample()).expect("the sample");
        let quote = self.post("/v1/embedded/quote", bodies::quote()).await;
        let items = quote["recommendations"].as_array().expect("items");
        let item = items.iter().find(|item| {
            let id = item["variant_id"].as_str().expect("an id").parse().expect("an id");
            let product = &catalogue.credit_variant(id).expect("of the sample").product;
            item["is_error"] == false && product.decision == decision
        });
        let item = &item.unwrap_or_else(|| panic!("none is decided by {decision:?}"))["recommendation_id"];
        let mut body = bodies::proposal(&quote["quote_id"], item, "SUBMITTED");
        if let Some(reference) = reference {
            let entry = json!({ "key": "loan_account_number", "values": [reference] });
            body["context_data"].as_array_mut().expect("a list").push(entry);
        }
        let made = self.post("/v1/embedded/proposal", body).await;
        made["proposal_id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
    }

    /// The id of a loan-cover policy that needed no decision.
    pub async fn has_policy(&self) -> String {
        self.policy_of(&self.has_proposal_decided_by(Decision::StraightThrough).await).await
    }

    /// The id of a loan-cover policy with this reference of the partner.
    pub async fn has_policy_called(&self, reference: &str) -> String {
        self.policy_of(&self.has_proposal_called(Decision::StraightThrough, Some(reference)).await).await
    }

    async fn policy_of(&self, proposal: &str) -> String {
        let shown = self.get(&format!("/v1/proposals/{proposal}")).await;
        shown["policy_id"].as_str().unwrap_or_else(|| panic!("{shown}")).to_owned()
    }

    /// Triggers an event as a test partner. Returns its id.
    pub async fn has_event(&self, kind: &str) -> String {
        let fired = self.post("/v1/sandbox/webhooks/fire", json!({ "type": kind })).await;
        fired["event_id"].as_str().unwrap_or_else(|| panic!("{fired}")).to_owned()
    }

    /// The JSON object of an event, in the service's exact bytes.
    pub async fn event_bytes(&self, id: &str) -> Vec<u8> {
        let request = self.client.get(format!("{}/v1/events/{id}", self.base)).bearer_auth(&self.token);
        let text = request.send().await.expect("an answer").text().await.expect("text");
        let inside = text.strip_prefix(r#"{"payload":"#).and_then(|rest| rest.strip_suffix('}'));
        inside.unwrap_or_else(|| panic!("{text}")).as_bytes().to_vec()
    }

    /// The token, for a separate connection.
    pub fn token(&self) -> &str {
        &self.token
    }

    async fn payload(&self, request: reqwest::RequestBuilder) -> Value {
        let answer = request.bearer_auth(&self.token).send().await.expect("an answer");
        let text = answer.text().await.expect("text");
        serde_json::from_str::<Value>(&text).expect("JSON")["payload"].clone()
    }
}
