//! Confidential values stay inside. Thousands of good and bad requests have personal data, secrets and
//! tokens. None of these is in logs, metrics, error bodies, the database file or its write-ahead log.

use std::fs;

use reqwest::Client;
use serde_json::{Value, json};

use crate::support::address::reserved;
use crate::support::bodies::{self, with};
use crate::support::customer::{COVER, Customer, PLACE};
use crate::support::program::{
    ANYWHERE, MockInsurer, Server, catalogue_asking, program, run, stderr, stdout,
};

/// Number of rounds, with a dozen requests each.
const ROUNDS: usize = 250;

const PAN: &str = "QZXPC4417M";
const AADHAAR: &str = "739184620573";
const MOBILE: &str = "7391846205";
const NAME: &str = "Canaryvasundhara";
const EMAIL: &str = "canary.vasundhara@example.org";
const STREET: &str = "Canaryweg 4417";

const LEAD: &str = "canary-lead-4417";
const ILLNESS: &str = "canarymyalgia";

/// A family with canary values.
fn family() -> Value {
    let mut body = bodies::recommendation();
    body["lead_id"] = LEAD.into();
    body["user_id"] = EMAIL.into();
    body["customer"]["name"] = NAME.into();
    body["customer"]["gender"] = STREET.into();
    body["customer"]["email"] = EMAIL.into();
    body["customer"]["phoneNumber"] = MOBILE.into();
    body["hasPED"] = true.into();
    body["selectedPEDs"] = json!([ILLNESS]);
    body
}

/// A proposer with canary values.
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

/// A customer with canary values completes the journey, with a mistake on the way. Returns the cookie's value
/// and the code of the status address.
async fn travels(base: &str, token: &str) -> (String, String) {
    let customer = Customer::at(base);
    customer.get(&format!("/health?session_token={token}&return_url={EMAIL}")).await;
    customer.answers(&[("self", "34")], PLACE, COVER).await;
    let plans = customer.all_plans().await;
    let variant = plans.answer.text.split("plan?v=").nth(1).and_then(|rest| rest.split('"').next());
    customer.chooses(variant.expect("a plan"), 1).await;
    let own = [
        ("name", NAME),
        ("born-day", "15"),
        ("born-month", "1"),
        ("born-year", "1992"),
        ("gender", "FEMALE"),
        ("mobile", MOBILE),
        ("line-1", STREET),
        ("city", NAME),
        ("state", NAME),
        ("nominee-name", NAME),
        ("nominee-relation", "SPOUSE"),
    ];
    let mistaken = customer.fills("details", &[&own[..], &[("email", NAME)]].concat()).await;
    assert_eq!(mistaken.status(), 422);
    let right =
        [&own[..], &[("email", EMAIL), ("account", AADHAAR), ("ifsc", "ICIC0004417"), ("bank", NAME)]]
            .concat();
    let review = customer.fills("details", &right).await;
    assert_eq!(review.at, "/health/review", "{:?}", review.faults());
    let status = customer.applies().await;
    assert!(!status.at.contains(EMAIL));
    (customer.cookie().expect("a cookie"), status.at.rsplit('/').next().expect("a code").to_owned())
}

#[tokio::test]
async fn personal_data_and_secrets_appear_in_no_log_metric_support_bundle_refusal_or_store_file() {
    let here = tempfile::tempdir().expect("a folder");
    let made = ["partner", "create", "A Lender", "--scope", "business", "--legacy-reads", "--json"];
    let made = run(here.path(), &made);
    let partner: Value = serde_json::from_str(&stdout(&made)).expect("credentials");
    let address = reserved().to_string();
    // Insurers with malformed answers, of which half repeat the request's text.
    let mock =
        MockInsurer::sharing(here.path(), ANYWHERE, &["--rubbish-percent", "50", "--decision", "reject"]);
    let catalogue = catalogue_asking(here.path(), &[("misaal", &mock.url), ("abhas", &mock.url)]);
    let arguments = ["--metrics-listen", &address, "--log-level", "trace", "--catalogue", &catalogue];
    let server = Server::start(here.path(), &arguments);
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
        let family = family();
        let job = send("POST", "/v1/business/health/recommendation", &token, family.clone()).await;
        let job = job["payload"]["quote_id"].as_str().expect("an id").to_owned();
        let session = json!({ "metadata": { "who": NAME, "mail": EMAIL } });
        send("POST", "/v1/business/session", &token, session).await;
        for path in [
            format!("recommendation/{job}"),
            format!("quotes/{job}"),
            format!("quotes?session_id={NAME}&start_date={ILLNESS}"),
            format!("quotes?limit={MOBILE}&next={EMAIL}"),
            format!("proposals?session_id={NAME}&start_date={ILLNESS}&prev={EMAIL}"),
            format!("policies?end_date={NAME}&limit={MOBILE}"),
        ] {
            let path = format!("/v1/business/health/{path}");
            // Only refusals are checked: an answer to the partner itself may show its customers.
            send("GET", &path, &token, Value::Null).await;
        }
        for (path, value) in [
            ("lead_id", json!([NAME])),
            ("customer.phoneNumber", json!(EMAIL)),
            ("customer.email", json!(MOBILE)),
            ("customer.pinCode", json!(NAME)),
            ("members", json!({ "self": NAME, "son": [{ "age": NAME }] })),
            ("selectedPEDs", json!({ "a": ILLNESS })),
            ("partner_id", json!(EMAIL)),
            ("enterprise_id", json!(NAME)),
            ("session_id", json!(NAME)),
        ] {
            let body = with(family.clone(), path, value);
            send("POST", "/v1/business/health/recommendation", &token, body).await;
        }
        let told = json!({ "proposal_id": NAME, "decision": "rejected", "reason": EMAIL });
        send("POST", "/v1/insurers/ins_01m5vn1aygfe0av1wtx4v84kep/decisions", NAME, told).await;
        // The same values, each in the wrong field.
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
    let ask = json!({ "client_id": partner["client_id"], "client_secret": secret, "user_id": EMAIL });
    let answer = send("POST", "/v1/auth/token", &token, ask).await;
    let journey_token = answer["payload"]["access_token"].as_str().expect("a token").to_owned();
    let (cookie, status_code) = travels(&server.base, &journey_token).await;
    let cookie = cookie.split('=').next_back().expect("a value").to_owned();
    let metrics = client
        .get(format!("http://{address}/metrics"))
        .send()
        .await
        .expect("an answer")
        .text()
        .await
        .expect("text");
    let logs = server.logged().join("\n");
    fs::write(here.path().join("log"), &logs).expect("written");
    let arguments = ["support", "--log", "log", "--out", "bundle.json"];
    let bundle = program(here.path()).env("COVERNOTE_METRICS_LISTEN", &address).args(arguments).output();
    let bundle = bundle.expect("it starts");
    assert_eq!(bundle.status.code(), Some(0), "{}", stderr(&bundle));
    let bundle = fs::read(here.path().join("bundle.json")).expect("a bundle");
    let read: Value = serde_json::from_slice(&bundle).expect("JSON");
    assert!(read["log"].as_array().is_some_and(|lines| lines.len() > 1000), "the log is in it");
    assert!(read["metrics"].as_array().is_some_and(|lines| lines.len() > 100), "{}", read["metrics"]);
    assert_eq!(read["settings"]["metrics_listen"], address);
    for database in [
        "postgres://covernote@db.example/covernote?password=hush-hush",
        "postgres://covernote:hush-hush@db.example/covernote",
    ] {
        let mut command = program(here.path());
        command.env("COVERNOTE_DATABASE", database).args(["support", "--out", "with-password.json"]);
        assert_eq!(command.output().expect("it starts").status.code(), Some(0));
        let text = fs::read_to_string(here.path().join("with-password.json")).expect("a bundle");
        assert!(text.contains("postgres://db.example/covernote") && !text.contains("hush-hush"), "{text}");
        fs::remove_file(here.path().join("with-password.json")).expect("removed");
    }
    assert!(read["doctor"].as_array().is_some_and(|findings| findings.len() > 10));
    assert!(logs.lines().count() > ROUNDS * 10, "the requests were logged");
    assert!(refusals.contains("V4000") && refusals.contains("A4001"), "bad requests were refused");
    let mut store = Vec::new();
    for file in fs::read_dir(here.path().join("covernote-data")).expect("a store") {
        let file = file.expect("a file").path();
        // The folder of insurers' secrets has nothing of the store.
        if file.is_file() {
            store.extend(fs::read(file).expect("bytes"));
        }
    }
    let made_here = [&secret, &token, &journey_token, &cookie, &status_code].map(String::as_str);
    let sent = [PAN, AADHAAR, MOBILE, NAME, EMAIL, STREET, LEAD, ILLNESS];
    for canary in sent.into_iter().chain(made_here) {
        for (place, bytes) in [
            ("logs", logs.as_bytes()),
            ("metrics", metrics.as_bytes()),
            ("the bundle for support", &bundle),
            ("errors", refusals.as_bytes()),
            ("the store", &store),
        ] {
            let found =
                bytes.windows(canary.len()).any(|window| window.eq_ignore_ascii_case(canary.as_bytes()));
            assert!(!found, "{canary} is in {place}");
        }
    }
}
