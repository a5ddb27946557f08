//! What must never come out: personal data, secrets and tokens of thousands of good and bad requests are nowhere in
//! logs, metrics, error bodies, or in the database file and its write-ahead log.

use std::fs;
use std::net::TcpListener;

use reqwest::Client;
use serde_json::{Value, json};

use crate::support::bodies::{self, with};
use crate::support::program::{Server, run, stdout};

/// Rounds; each sends a dozen requests.
const ROUNDS: usize = 250;

const PAN: &str = "QZXPC4417M";
const AADHAAR: &str = "739184620573";
const MOBILE: &str = "7391846205";
const NAME: &str = "Canaryvasundhara";
const EMAIL: &str = "canary.vasundhara@example.org";
const STREET: &str = "Canaryweg 4417";

/// A proposer made of canaries.
fn canary() -> Value {
    let mut person = bodies::proposer();
    person["first_name"] = NAME.into();
    person["email"] = EMAIL.into();
    person["mobile"] = MOBILE.into();
    person["address"]["address_line_1"] = STREET.into();
    person["documents"] = json!([
        { "document_type": "PAN", "document_number": PAN },
        { "document_type": "AADHAR", "document_number": AADHAAR },
    ]);
    person
}

#[tokio::test]
async fn no_canary_is_ever_seen_outside() {
    let here = tempfile::tempdir().expect("a folder");
    let made = run(here.path(), &["partner", "create", "A Lender", "--scope", "business", "--json"]);
    let partner: Value = serde_json::from_str(&stdout(&made)).expect("credentials");
    let metrics = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound").to_string();
    let server = Server::start(here.path(), &["--metrics-listen", &metrics, "--log-level", "trace"]);
    let client = Client::new();
    let secret = partner["client_secret"].as_str().expect("text").to_owned();
    let ask = json!({ "client_id": partner["client_id"], "client_secret": secret, "scopes": ["business"], "user_id": EMAIL });
    let answer =
        client.post(format!("{}/v1/auth/token", server.base)).json(&ask).send().await.expect("an answer");
    let answer: Value = answer.json().await.expect("JSON");
    let token = answer["payload"]["access_token"].as_str().expect("a token").to_owned();

    let mut refusals = String::new();
    let mut send = async |method: &str, path: &str, bearer: &str, body: Value| -> Value {
        let method = method.parse().expect("a method");
        let request =
            client.request(method, format!("{}{path}", server.base)).bearer_auth(bearer).json(&body);
        let answer = request.send().await.expect("an answer");
        let status = answer.status().as_u16();
        let text = answer.text().await.expect("text");
        if status >= 400 {
            refusals.push_str(&text);
        }
        serde_json::from_str(&text).unwrap_or_default()
    };
    for round in 0..ROUNDS {
        let quote = send("POST", "/v1/embedded/quote", &token, bodies::quote()).await;
        let (quote_id, recommendation) =
            (&quote["payload"]["quote_id"], &quote["payload"]["recommendations"][0]["recommendation_id"]);
        let mut body = bodies::proposal(quote_id, recommendation, "SUBMITTED");
        body["proposer"] = canary();
        body["insured_members"] = json!([canary()]);
        body["nominee"][0]["first_name"] = NAME.into();
        body["context_data"] = json!([{ "key": "borrower", "values": [EMAIL, PAN, AADHAAR] }]);
        let made = send("POST", "/v1/embedded/proposal", &token, body.clone()).await;
        let id = made["payload"]["proposal_id"].as_str().expect("an id").to_owned();
        if round % 10 == 0 {
            send("PATCH", &format!("/v1/embedded/proposal/{id}"), &token, json!({ "status": "COMPLETED" }))
                .await;
        }
        // The same things, each where it does not belong.
        for (path, value) in [
            ("proposer.gender", json!(NAME)),
            ("proposer.mobile", json!(EMAIL)),
            ("proposer.email", json!(MOBILE)),
            ("proposer.date_of_birth", json!(AADHAAR)),
            ("proposer.address.pincode", json!(PAN)),
            ("proposer.documents.0.document_number", json!(AADHAAR)),
            ("nominee.0.percentage_sharing", json!(NAME)),
            ("quote_id", json!(EMAIL)),
            ("status", json!(secret)),
        ] {
            send("POST", "/v1/embedded/proposal", &token, with(body.clone(), path, value)).await;
        }
        send(
            "POST",
            "/v1/embedded/quote",
            &token,
            with(bodies::quote(), "context_data.0.values.0", json!(EMAIL)),
        )
        .await;
        send("POST", "/v1/auth/token", &token, json!({ "client_id": partner["client_id"], "client_secret": format!("{secret}x"), "scopes": [NAME] })).await;
        send("POST", "/v1/embedded/quote", &format!("{token}x"), json!({ "name": NAME })).await;
        send(
            "PATCH",
            &format!("/v1/embedded/proposal/{id}?name={NAME}&mobile={MOBILE}"),
            &token,
            json!({ "status": NAME }),
        )
        .await;
    }
    let metrics = client
        .get(format!("http://{metrics}/metrics"))
        .send()
        .await
        .expect("an answer")
        .text()
        .await
        .expect("text");
    let logs = server.logged().join("\n");
    assert!(logs.lines().count() > ROUNDS * 10, "the requests were logged");
    assert!(refusals.contains("V4000") && refusals.contains("A4001"), "bad requests were refused");
    let mut store = Vec::new();
    for file in fs::read_dir(here.path().join("covernote-data")).expect("a store") {
        store.extend(fs::read(file.expect("a file").path()).expect("bytes"));
    }
    for canary in [PAN, AADHAAR, MOBILE, NAME, EMAIL, STREET, &secret, &token] {
        for (place, bytes) in [
            ("logs", logs.as_bytes()),
            ("metrics", metrics.as_bytes()),
            ("errors", refusals.as_bytes()),
            ("the store", &store),
        ] {
            let found =
                bytes.windows(canary.len()).any(|window| window.eq_ignore_ascii_case(canary.as_bytes()));
            assert!(!found, "{canary} is in {place}");
        }
    }
}
