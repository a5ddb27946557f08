//! Clients that write until the server is killed, with a record of their answers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use reqwest::Client;
use serde_json::{Value, json};

use crate::support::bodies;

/// Acknowledged writes of the clients.
#[derive(Clone, Default)]
pub(crate) struct Journal {
    pub(crate) quotes: Vec<String>,
    /// The last acknowledged status of each proposal.
    pub(crate) proposals: HashMap<String, String>,
}

/// Sells policies, from quote to policy, until the server is killed. Records the acknowledgements.
pub(crate) async fn write_until_it_dies(base: String, token: String, journal: Arc<Mutex<Journal>>) {
    let client = Client::new();
    let send = async |method: reqwest::Method, path: &str, body: Value| -> Option<Value> {
        let request = client.request(method, format!("{base}{path}")).bearer_auth(&token).json(&body);
        let answer = request.send().await.ok()?;
        let status = answer.status().as_u16();
        let value: Value = answer.json().await.ok()?;
        assert!(status < 300, "{status}: {value}");
        Some(value["payload"].clone())
    };
    loop {
        let Some(quote) = send(reqwest::Method::POST, "/v1/embedded/quote", bodies::quote()).await else {
            return;
        };
        let id = quote["quote_id"].as_str().expect("an id").to_owned();
        journal.lock().expect("unpoisoned").quotes.push(id);
        let body = bodies::proposal(
            &quote["quote_id"],
            &quote["recommendations"][0]["recommendation_id"],
            "SUBMITTED",
        );
        let Some(proposal) = send(reqwest::Method::POST, "/v1/embedded/proposal", body).await else { return };
        let id = proposal["proposal_id"].as_str().expect("an id").to_owned();
        journal.lock().expect("unpoisoned").proposals.insert(id.clone(), "PENDING".into());
        let path = format!("/v1/embedded/proposal/{id}");
        let Some(_) = send(reqwest::Method::PATCH, &path, json!({ "status": "COMPLETED" })).await else {
            return;
        };
        journal.lock().expect("unpoisoned").proposals.insert(id, "COMPLETED".into());
    }
}
