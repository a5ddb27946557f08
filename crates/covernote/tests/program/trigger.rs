//! `covernote trigger`: events on demand.

use serde_json::{Value, json};

use crate::support::demo::DemoPartner;
use crate::support::developer::{as_partner, as_test_partner};
use crate::support::program::{Server, run, stderr, stdout};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn trigger_creates_a_test_event_and_prints_its_id() {
    let here = tempfile::tempdir().expect("a folder");
    let demo = Server::start(here.path(), &["--demo"]);
    let partner = DemoPartner::of_tests(&demo.base).await;
    let trigger = |more: &[&str]| {
        let output = as_test_partner(here.path(), &demo.base, &[&["trigger"], more].concat()).output();
        output.expect("it ends")
    };
    let made = trigger(&["policy.issued"]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let read = partner.event_bytes(stdout(&made).trim()).await;
    assert_eq!(serde_json::from_slice::<Value>(&read).expect("JSON")["type"], "policy.issued");
    let made = stdout(&trigger(&["claim.paid", "--json"]));
    let made: Value = serde_json::from_str(&made).expect("JSON");
    assert!(made["event_id"].as_str().expect("an id").starts_with("evt_"));
    let live = as_partner(here.path(), &demo.base, ("demo", "demo-secret"), &["trigger", "policy.issued"]);
    let live = { live }.output().expect("it ends");
    assert_eq!(live.status.code(), Some(1));
    assert!(stderr(&live).contains("live partner"), "{}", stderr(&live));
}

#[test]
fn trigger_lists_all_event_types_on_request_and_when_the_type_is_unknown() {
    let here = tempfile::tempdir().expect("a folder");
    let listed = run(here.path(), &["trigger", "--list"]);
    assert_eq!(listed.status.code(), Some(0));
    assert!(stdout(&listed).contains("policy.issued") && stdout(&listed).contains("A policy was issued."));
    let listed: Value =
        serde_json::from_str(&stdout(&run(here.path(), &["trigger", "--list", "--json"]))).expect("JSON");
    let types: Vec<&str> =
        listed["types"].as_array().expect("a list").iter().filter_map(|kind| kind["type"].as_str()).collect();
    assert!(types.contains(&"claim.paid") && !types.contains(&"endpoint.ping"), "{types:?}");
    assert_eq!(
        listed["types"][0],
        json!({ "type": types[0], "description": listed["types"][0]["description"] })
    );
    let unknown = run(here.path(), &["trigger", "policy.isued"]);
    assert_eq!(unknown.status.code(), Some(65));
    let said = stderr(&unknown);
    assert!(said.contains("policy.isued is not a type of event"), "{said}");
    assert!(types.iter().all(|kind| said.contains(kind)), "{said}");
    assert_eq!(run(here.path(), &["trigger"]).status.code(), Some(2));
    let nobody = run(
        here.path(),
        &[
            "trigger",
            "policy.issued",
            "--client-id",
            "a",
            "--client-secret",
            "b",
            "--url",
            "http://127.0.0.1:9",
        ],
    );
    assert_eq!(nobody.status.code(), Some(69), "{}", stderr(&nobody));
}
