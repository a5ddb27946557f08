//! `covernote certify`: its findings for integrations that keep the rules, and for integrations that do not.

use std::path::Path;
use std::time::Duration;

use reqwest::{Client, Response};
use serde_json::{Value, json};
use service::access::signing_secret::secret_of;
use service::clock::Clock;
use system::SystemClock;
use webhooks::signature::verify;

use crate::support::bodies;
use crate::support::demo::DemoPartner;
use crate::support::developer::{Running, as_partner, as_test_partner};
use crate::support::program::Server;
use crate::support::receiver::{Message, Receiver};

const SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/// Behaviour of a small integration.
#[derive(Clone, Copy)]
struct Habits {
    sends_again: bool,
    sends_keys: bool,
    /// Whether it waits as long as `Retry-After` says.
    waits: bool,
    reuses_token: bool,
    /// Longest wait for an answer, in seconds.
    patience: u64,
    /// Whether it also sends a faulty request, and repeats it.
    insists: bool,
    verifies: bool,
}

const GOOD: Habits = Habits {
    sends_again: true,
    sends_keys: true,
    waits: true,
    reuses_token: true,
    patience: 15,
    insists: false,
    verifies: true,
};

/// A small integration that calls an address.
struct Integration {
    client: Client,
    base: String,
    habits: Habits,
    keys: std::sync::atomic::AtomicUsize,
}

impl Integration {
    fn at(base: &str, habits: Habits) -> Integration {
        let client =
            Client::builder().timeout(Duration::from_secs(habits.patience)).build().expect("a client");
        Integration { client, base: base.to_owned(), habits, keys: 0.into() }
    }

    /// Gets a token, four quotes and a list of policies.
    async fn works(&self) {
        let mut token = self.token().await;
        for months in [12, 24, 36, 48] {
            if !self.habits.reuses_token {
                token = self.token().await;
            }
            self.call(&token, "/v1/embedded/quote", Some(bodies::quote_of_months(months))).await;
        }
        self.call(&token, "/v1/policies?limit=1", None).await;
        if self.habits.insists {
            for _ in 0..2 {
                self.call(&token, "/v1/embedded/quote", Some(json!({ "date_of_birth": "never" }))).await;
            }
        }
    }

    async fn token(&self) -> String {
        let credentials = json!({
            "client_id": "demo-test", "client_secret": "demo-test-secret", "scopes": ["business"],
        });
        let answer = loop {
            let asked =
                self.client.post(format!("{}/v1/auth/token", self.base)).json(&credentials).send().await;
            let answer = asked.expect("an answer");
            if answer.status() != 429 {
                break answer;
            }
            self.waits_for(&answer).await;
        };
        let answer: Value = answer.json().await.expect("JSON");
        answer["payload"]["access_token"].as_str().expect("a token").to_owned()
    }

    async fn call(&self, token: &str, path: &str, body: Option<Value>) {
        let key = self.keys.fetch_add(1, std::sync::atomic::Ordering::SeqCst).to_string() + &self.base;
        for _ in 0..5 {
            let url = format!("{}{path}", self.base);
            let mut request = match &body {
                Some(body) => self.client.post(url).json(body),
                None => self.client.get(url),
            };
            if body.is_some() && self.habits.sends_keys {
                request = request.header("Idempotency-Key", &key);
            }
            match request.bearer_auth(token).send().await {
                Ok(answer) if answer.status() == 503 => self.waits_for(&answer).await,
                Ok(_) => return,
                Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
            }
            if !self.habits.sends_again {
                return;
            }
        }
    }

    async fn waits_for(&self, answer: &Response) {
        let asked = answer.headers()["retry-after"].to_str().expect("text").parse().expect("seconds");
        tokio::time::sleep(if self.habits.waits {
            Duration::from_secs(asked)
        } else {
            Duration::from_millis(300)
        })
        .await;
    }
}

/// The integration's receiver.
async fn receiver(habits: Habits) -> Receiver {
    let is_genuine = |message: &Message| {
        let at = message.header("webhook-timestamp").parse().expect("seconds");
        let (id, signature) = (message.header("webhook-id"), message.header("webhook-signature"));
        let secret = secret_of(SECRET).expect("a secret");
        verify(&secret, id, at, signature, &message.body, SystemClock.now().as_second()).is_ok()
    };
    Receiver::judging(move |message| if !habits.verifies || is_genuine(message) { 200 } else { 401 }).await
}

/// Checks an integration with these habits, for some seconds. Returns the exit code and the report.
async fn checked(here: &Path, base: &str, habits: Habits, more: &[&str]) -> (Option<i32>, Value) {
    let receiver = receiver(habits).await;
    let url = receiver.url();
    let arguments =
        ["certify", "--listen", "127.0.0.1:0", "--forward-to", &url, "--secret", SECRET, "--json"];
    let command = Running::start(as_test_partner(here, base, &[&arguments[..], more].concat()));
    let begun = command.json();
    assert_eq!(begun["secret"], Value::Null);
    Integration::at(begun["url"].as_str().expect("an address"), habits).works().await;
    let (ended, lines) = tokio::task::spawn_blocking(|| command.ended()).await.expect("it ends");
    let report = serde_json::from_str(lines.last().expect("a report")).expect("JSON");
    (ended.code(), report)
}

/// The names of the rules with this outcome.
fn rules<'r>(report: &'r Value, outcome: &str) -> Vec<&'r str> {
    let rules = report["rules"].as_array().expect("a list").iter();
    rules.filter(|rule| rule["outcome"] == outcome).map(|rule| rule["rule"].as_str().expect("text")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_integration_that_follows_every_rule_passes_certification() {
    let here = tempfile::tempdir().expect("a folder");
    let demo = Server::start(here.path(), &["--demo"]);
    let partner = DemoPartner::of_tests(&demo.base).await;
    let events = async {
        // The check only reads events that come after its start.
        tokio::time::sleep(Duration::from_secs(4)).await;
        partner.has_event("policy.issued").await;
        partner.has_event("claim.paid").await;
        partner.has_event("claim.approved").await;
    };
    let file = here.path().join("report.xml");
    let more = ["--for", "32s", "--junit", file.to_str().expect("text")];
    let ((code, report), ()) = tokio::join!(checked(here.path(), &demo.base, GOOD, &more), events);
    assert_eq!(
        (rules(&report, "failed"), rules(&report, "not_seen")),
        (vec![], vec!["no-retry-4xx"]),
        "{report:#}"
    );
    assert_eq!((code, &report["passed"]), (Some(0), &json!(true)));
    // A forged, an old and a changed message, and each event twice.
    assert_eq!(report["messages"], 9);
    let junit = std::fs::read_to_string(file).expect("a report");
    assert!(junit.contains(r#"failures="0" skipped="1""#), "{junit}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn certification_reports_each_rule_that_an_integration_breaks() {
    let here = tempfile::tempdir().expect("a folder");
    let demo = Server::start(here.path(), &["--demo"]);
    let partner = DemoPartner::of_tests(&demo.base).await;
    let events = async {
        tokio::time::sleep(Duration::from_secs(4)).await;
        partner.has_event("policy.issued").await;
    };
    let check = async |habits: Habits, length: &'static str| {
        let (code, report) = checked(here.path(), &demo.base, habits, &["--for", length]).await;
        assert_eq!((code, &report["passed"]), (Some(1), &json!(false)));
        let found = rules(&report, "failed");
        found.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let (keyless, hasty, faint, wasteful, impatient, stubborn, trusting, ()) = tokio::join!(
        check(Habits { sends_keys: false, ..GOOD }, "20s"),
        check(Habits { waits: false, ..GOOD }, "20s"),
        check(Habits { sends_again: false, ..GOOD }, "26s"),
        check(Habits { reuses_token: false, ..GOOD }, "20s"),
        check(Habits { patience: 1, ..GOOD }, "20s"),
        check(Habits { insists: true, ..GOOD }, "20s"),
        check(Habits { verifies: false, ..GOOD }, "20s"),
        events,
    );
    assert_eq!(keyless, ["same-key"]);
    assert_eq!(hasty, ["token-wait", "retry-after"]);
    assert_eq!(faint, ["retry-503", "retry-dropped"]);
    assert_eq!(wasteful, ["token-reuse"]);
    assert_eq!(impatient, ["patience"]);
    assert_eq!(stubborn, ["no-retry-4xx"]);
    assert_eq!(trusting, ["webhook-forged", "webhook-old", "webhook-changed"]);
}

#[test]
fn certification_fails_if_rules_were_not_observed_and_refuses_live_partners() {
    let here = tempfile::tempdir().expect("a folder");
    let demo = Server::start(here.path(), &["--demo"]);
    let arguments =
        ["certify", "--listen", "127.0.0.1:0", "--forward-to", "http://127.0.0.1:9/", "--for", "1s"];
    let idle = as_test_partner(here.path(), &demo.base, &arguments).output().expect("it ends");
    let said = String::from_utf8(idle.stdout).expect("text");
    assert_eq!(idle.status.code(), Some(1));
    assert_eq!(said.lines().filter(|line| line.starts_with("not seen")).count(), 14, "{said}");
    let live = as_partner(here.path(), &demo.base, ("demo", "demo-secret"), &arguments).output();
    let live = live.expect("it ends");
    let said = String::from_utf8_lossy(&live.stderr).into_owned();
    assert_eq!(live.status.code(), Some(1));
    assert!(said.contains("certify is for test partners only"), "{said}");
}
