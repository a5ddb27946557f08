//! Webhooks of the built program: operators' commands, and messages that third-party libraries accept (D96).

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::demo::{DATA, DemoPartner, told};
use crate::support::program::{Server, run};
use crate::support::receiver::{Message, Receiver};

/// The folder of the scripts that use third-party libraries.
fn foreign() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign")
}

/// The Python with these libraries, which `scripts/test` installs.
fn python() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("../foreign/bin/python")
}

/// Runs a command on the demo's store. Returns its exit code.
fn operator(here: &Path, arguments: &[&str]) -> Option<i32> {
    run(here, &[arguments, &DATA[..]].concat()).status.code()
}

/// Checks how a third-party library judges a message.
#[track_caller]
fn is_judged(program: &Path, script: &str, message: &Message, taken_by: &[&str], refused_by: &[&str]) {
    let header = |name: &str| (name.to_owned(), Value::from(message.header(name)));
    let headers: serde_json::Map<String, Value> =
        ["webhook-id", "webhook-timestamp", "webhook-signature"].map(header).into_iter().collect();
    let body = String::from_utf8(message.body.clone()).expect("text");
    let told = json!({ "headers": headers, "body": body, "taken_by": taken_by, "refused_by": refused_by });
    let mut judge = Command::new(program)
        .arg(foreign().join(script))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|fault| panic!("{}: {fault}: scripts/test installs it", program.display()));
    judge.stdin.take().expect("piped").write_all(told.to_string().as_bytes()).expect("written");
    let ended = judge.wait_with_output().expect("it ends");
    assert!(ended.status.success(), "{script}: {}", String::from_utf8_lossy(&ended.stderr));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn independent_libraries_verify_messages_before_during_and_after_a_secret_rotation() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let demo = Server::start(here, &["--demo"]);
    let receiver = Receiver::answering(200).await;
    let add = ["webhook", "add", "--partner", "demo", "--url", &receiver.url(), "--type", "*"];
    let (code, added) = told(here, &add);
    let id = added["endpoint_id"].as_str().expect("an id").to_owned();
    let first = added["secret"].as_str().expect("a secret").to_owned();
    assert_eq!((code, &added["types"]), (0, &json!(["*"])));
    // The partner's reference for the sale is in Hindi, so the body is not only ASCII.
    let partner = DemoPartner::with_token(&demo.base).await;
    partner.has_policy_called("ऋण-००१").await;
    let messages = receiver.has(3).await;
    let hindi = messages.iter().find(|message| message.json()["type"] == "policy.issued").expect("one");
    assert!(String::from_utf8_lossy(&hindi.body).contains("ऋण-००१"));
    let stranger = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    let judge = |message: &Message, taken_by: &[&str], refused_by: &[&str]| {
        is_judged(&python(), "verify.py", message, taken_by, refused_by);
        is_judged(Path::new("node"), "verify.mjs", message, taken_by, refused_by);
    };
    judge(hindi, &[&first], &[stranger]);
    let (_, rotated) = told(here, &["webhook", "rotate", &id]);
    let second = rotated["secret"].as_str().expect("a secret").to_owned();
    assert_eq!(operator(here, &["webhook", "ping", &id]), Some(0));
    let both = receiver.has(4).await.remove(3);
    judge(&both, &[&first, &second], &[stranger]);
    let (_, rotated) = told(here, &["webhook", "rotate", &id, "--overlap-hours", "0"]);
    let third = rotated["secret"].as_str().expect("a secret").to_owned();
    assert_eq!(operator(here, &["webhook", "ping", &id]), Some(0));
    let last = receiver.has(5).await.remove(4);
    judge(&last, &[&third], &[&first, &second]);
    // `covernote webhook verify` gives the same result.
    let body = here.join("body.json");
    std::fs::write(&body, &last.body).expect("written");
    let verify = |secret: &str, body: &Path| {
        let header = |name: &str| last.header(name).to_owned();
        let (message, at, signature) =
            (header("webhook-id"), header("webhook-timestamp"), header("webhook-signature"));
        let body = body.to_str().expect("text");
        let arguments = [
            "webhook",
            "verify",
            "--secret",
            secret,
            "--id",
            &message,
            "--timestamp",
            &at,
            "--signature",
            &signature,
            body,
        ];
        run(here, &arguments).status.code()
    };
    assert_eq!((verify(&third, &body), verify(&first, &body)), (Some(0), Some(65)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_can_see_the_deliveries_of_an_endpoint_and_retry_them() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let _demo = Server::start(here, &["--demo"]);
    let receiver = Receiver::answering(410).await;
    let add = ["webhook", "add", "--partner", "demo", "--url", &receiver.url(), "--type", "endpoint.ping"];
    let (_, added) = told(here, &add);
    let id = added["endpoint_id"].as_str().expect("an id").to_owned();
    assert_eq!(operator(here, &["webhook", "ping", &id]), Some(0));
    receiver.has(1).await;
    let disabled = loop {
        let (_, all) = told(here, &["webhook", "list", "--partner", "demo"]);
        if all["endpoints"][0]["status"] == "disabled" {
            break all["endpoints"][0].clone();
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    };
    assert_eq!(disabled["disabled_by"], "gone");
    let (_, deliveries) = told(here, &["webhook", "deliveries", &id]);
    let delivery = &deliveries["deliveries"][0];
    let attempts = delivery["attempts"].as_array().expect("a list");
    assert_eq!(
        (attempts.len(), &attempts[0]["status_code"], &attempts[0]["answer"]),
        (1, &json!(410), &Value::Null)
    );
    let event = delivery["event_id"].as_str().expect("an id").to_owned();
    assert_eq!(operator(here, &["webhook", "retry", &id, &event]), Some(1), "it is disabled");
    assert_eq!(operator(here, &["webhook", "set", &id, "--status", "enabled"]), Some(0));
    assert_eq!(operator(here, &["webhook", "retry", &id, &event]), Some(0));
    receiver.has(2).await;
    let shown = loop {
        let (_, shown) = told(here, &["webhook", "show", &id]);
        if shown["status"] == "disabled" {
            break shown;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    };
    assert_eq!((&shown["url"], &shown["disabled_by"]), (&json!(receiver.url()), &json!("gone")));
    assert_eq!(shown["types"], json!(["endpoint.ping"]));
    assert_eq!((&shown["secrets"][0]["age_days"], &shown["secrets"][0]["until"]), (&json!(0), &Value::Null));
    let delivery = &shown["deliveries"][0];
    assert_eq!(
        (&delivery["event_id"], &delivery["attempts"][0]["status_code"]),
        (&json!(event), &json!(410))
    );
    let secret = added["secret"].as_str().expect("a secret");
    let text = run(here, &[&["webhook", "show", &id], &DATA[..]].concat());
    let text = String::from_utf8(text.stdout).expect("text");
    assert!(text.contains("disabled by") && text.contains("gone") && text.contains("age days"), "{text}");
    assert!(text.contains(&event), "{text}");
    assert!(!text.contains(secret) && !shown.to_string().contains(secret));
    let busy = Receiver::answering(500).await;
    let add = ["webhook", "add", "--partner", "demo", "--url", &busy.url(), "--type", "endpoint.ping"];
    let other = told(here, &add).1["endpoint_id"].as_str().expect("an id").to_owned();
    assert_eq!(operator(here, &["webhook", "ping", &other]), Some(0));
    while told(here, &["webhook", "show", &other]).1["failures"] != 1 {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    let text = run(here, &[&["webhook", "show", &other], &DATA[..]].concat());
    let text = String::from_utf8(text.stdout).expect("text");
    assert!(text.contains("accepts nothing since  20") && text.contains("failures"), "{text}");
    assert_eq!(operator(here, &["webhook", "remove", &other]), Some(0));
    let unknown = "whe_01m7vkfva0e00b9knj73gkymwg";
    assert_eq!(operator(here, &["webhook", "show", unknown]), Some(1));
    assert_eq!(operator(here, &["webhook", "recover", &id, "--since", "yesterday"]), Some(65));
    assert_eq!(operator(here, &["webhook", "remove", &id]), Some(0));
    assert_eq!(told(here, &["webhook", "list"]).1["endpoints"], json!([]));
    let inside = ["webhook", "add", "--partner", "demo", "--url", "https://10.0.0.1/", "--type", "*"];
    assert_ne!(operator(here, &inside), Some(0));
}
