//! `covernote listen`: a test partner's events on the developer's machine.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::address::reserved;
use crate::support::demo::DemoPartner;
use crate::support::developer::{Running, as_partner, as_test_partner};
use crate::support::program::{Server, program};
use crate::support::receiver::{Message, Receiver};

const SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

/// Starts the command, and waits until it has started. Returns the secret that it shows.
fn listening(here: &Path, base: &str, to: &str, more: &[&str]) -> (Running, Value) {
    let arguments = [&["listen", "--forward-to", to, "--json"], more].concat();
    let command = Running::start(as_test_partner(here, base, &arguments));
    let begun = command.json();
    assert_eq!((&begun["forward_to"], &begun["service"]), (&json!(to), &json!(base)));
    (command, begun["secret"].clone())
}

/// Number of arrivals of each event.
fn arrivals(messages: &[Message]) -> BTreeMap<String, usize> {
    let mut arrivals = BTreeMap::new();
    messages.iter().for_each(|one| *arrivals.entry(one.header("webhook-id").to_owned()).or_default() += 1);
    arrivals
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listen_forwards_every_new_event_signed_in_order_and_exactly_once() {
    let here = tempfile::tempdir().expect("a folder");
    let demo = Server::start(here.path(), &["--demo"]);
    let partner = DemoPartner::of_tests(&demo.base).await;
    let before = partner.has_event("claim.paid").await;
    let receiver = Receiver::answering(204).await;
    let (command, secret) = listening(here.path(), &demo.base, &receiver.url(), &[]);
    let mut expected = vec![partner.has_event("policy.renewed").await];
    partner.has_policy_called("ऋण-००१").await;
    // More events at once than a page of the list has.
    for _ in 0..130 {
        expected.push(partner.has_event("claim.approved").await);
    }
    let last = partner.has_event("statement.ready").await;
    let messages = loop {
        let came = receiver.messages();
        if came.iter().any(|message| message.header("webhook-id") == last) {
            break came;
        }
        assert!(came.len() < 200);
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    let came = arrivals(&messages);
    assert!(came.values().all(|times| *times == 1), "{came:?}");
    assert!(!came.contains_key(&before), "what was before is not sent");
    assert!(expected.iter().all(|id| came.contains_key(id)), "{came:?}");
    let ids: Vec<&str> = messages.iter().map(|message| message.header("webhook-id")).collect();
    assert!(ids.is_sorted(), "{ids:?}");
    assert_eq!(receiver.types().iter().filter(|kind| *kind == "policy.issued").count(), 1);
    let secret = secret.as_str().expect("it made one");
    for message in &messages {
        assert!(message.is_signed_with(secret) && !message.is_signed_with(SECRET));
        assert_eq!(message.header("content-type"), "application/json");
        assert!(message.header("user-agent").starts_with("covernote/"));
        assert_eq!(message.json()["id"], message.header("webhook-id"));
    }
    let issued = messages.iter().find(|message| message.json()["type"] == "policy.issued").expect("one");
    assert_eq!(issued.body, partner.event_bytes(issued.header("webhook-id")).await);
    assert_eq!(issued.json()["data"]["reference"], "ऋण-००१");
    let line = command.json();
    assert_eq!(
        (&line["type"], &line["status"], &line["attempt"]),
        (&json!("policy.renewed"), &json!(204), &json!(1))
    );
    let (ended, lines) = command.interrupted();
    assert!(ended.success());
    let count: Value = serde_json::from_str(lines.last().expect("a count")).expect("JSON");
    assert_eq!((&count["events"], &count["delivered"]), (&json!(messages.len()), &json!(messages.len())));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listen_sends_a_failed_delivery_again_without_delaying_later_ones() {
    let here = tempfile::tempdir().expect("a folder");
    let demo = Server::start(here.path(), &["--demo"]);
    let partner = DemoPartner::of_tests(&demo.base).await;
    // At first no server runs; then the first message is refused.
    let free = reserved();
    let url = format!("http://{free}/hooks");
    let more = ["--secret", SECRET, "--types", "policy.issued,claim.paid"];
    let (command, secret) = listening(here.path(), &demo.base, &url, &more);
    assert_eq!(secret, Value::Null, "a secret that was given is not shown");
    let first = partner.has_event("policy.issued").await;
    let line = command.json();
    assert_eq!((&line["event_id"], &line["status"]), (&json!(first), &Value::Null));
    assert_eq!((&line["delivered"], &line["next_attempt_in_seconds"]), (&json!(false), &json!(1)));
    let receiver = Receiver::at(free, |nth| (if nth == 0 { 503 } else { 200 }, "", b"seen".to_vec())).await;
    partner.has_event("claim.intimated").await;
    let second = partner.has_event("claim.paid").await;
    let messages = receiver.has(3).await;
    let came = arrivals(&messages);
    assert_eq!(
        came.keys().collect::<Vec<_>>(),
        [&first, &second],
        "types that were not asked for are left out"
    );
    assert_eq!(messages.len(), 3, "one was refused once");
    assert!(messages.iter().all(|message| message.is_signed_with(SECRET)));
    // The receiver has a message before the command knows that it was accepted.
    for _ in 0..messages.len() {
        command.json();
    }
    let (ended, lines) = command.interrupted();
    assert!(ended.success());
    assert!(lines.last().expect("a count").contains(r#""delivered":2,"events":2"#), "{lines:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listen_reports_an_unreachable_service_only_once_and_reconnects() {
    let here = tempfile::tempdir().expect("a folder");
    let address = reserved().to_string();
    let serve = || {
        let mut command = program(here.path());
        command.args(["serve", "--demo", "--listen", &address, "--log-format", "json"]);
        Server::listening(command)
    };
    let mut demo = serve();
    let receiver = Receiver::answering(200).await;
    let (base, url) = (demo.base.clone(), receiver.url());
    let command = Running::start(as_test_partner(here.path(), &base, &["listen", "--forward-to", &url]));
    command.says("messages are signed with whsec_");
    command.says("new events go to");
    demo.kill();
    let away = command.says("trying again every second");
    assert!(away.contains(&base), "{away}");
    let demo = serve();
    // The next message is this one, so the command did not complain twice.
    command.says_next("the service answers again");
    let event = DemoPartner::of_tests(&demo.base).await.has_event("policy.issued").await;
    assert_eq!(receiver.has(1).await[0].header("webhook-id"), event);
    // The receiver has a message before the command knows that it was accepted.
    let line = command.line();
    assert!(line.contains("  policy.issued  pol_") && line.contains("  200  "), "{line}");
    let (ended, lines) = command.interrupted();
    assert!(ended.success());
    assert_eq!(lines, [""; 0]);
}

#[test]
fn listen_refuses_live_partners_and_wrong_credentials() {
    let here = tempfile::tempdir().expect("a folder");
    let demo = Server::start(here.path(), &["--demo"]);
    let listen = ["listen", "--forward-to", "http://127.0.0.1:9/"];
    let refused = |credentials| {
        let output = as_partner(here.path(), &demo.base, credentials, &listen).output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!said.contains(credentials.1), "the secret is not printed: {said}");
        (output.status.code(), said)
    };
    let (code, said) = refused(("demo", "demo-secret"));
    assert_eq!(code, Some(1));
    assert!(said.contains("demo is a live partner: listen is for test partners only"), "{said}");
    let (code, said) = refused(("demo-test", "wrong-secret"));
    assert_eq!(code, Some(1));
    assert!(said.contains("A4001"), "{said}");
    let (code, said) = refused(("", "wrong-secret"));
    assert_eq!(code, Some(78));
    assert!(said.contains("--client-id is missing"), "{said}");
}
