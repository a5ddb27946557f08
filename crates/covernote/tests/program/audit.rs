//! The log of access: sign-ins, refusals, downloads of certificates, and operators' commands
//! (docs/operating.md).

use std::path::Path;
use std::process::{Child, Stdio};

use reqwest::Client;
use serde_json::{Value, json};

use crate::support::bodies;
use crate::support::program::{Server, program, run, stderr, stdout, token_of};

fn partner(here: &Path, scopes: &str) -> Value {
    let made = run(here, &["partner", "create", "A Lender", "--scope", scopes, "--json"]);
    serde_json::from_str(&stdout(&made)).expect("credentials")
}

/// All lines of the folder's files, oldest first.
fn trail(folder: &Path) -> Vec<Value> {
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("one").path()).collect();
    files.sort();
    let text: String = files.iter().map(|file| std::fs::read_to_string(file).expect("readable")).collect();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line} is no JSON")))
        .collect()
}

/// The lines of an event, once there are `number`. Servers write them a moment later.
fn events(folder: &Path, event: &str, number: usize) -> Vec<Value> {
    for _ in 0..200 {
        let lines: Vec<Value> = trail(folder).into_iter().filter(|line| line["event"] == event).collect();
        if lines.len() >= number {
            assert_eq!(lines.len(), number, "{lines:#?}");
            return lines;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("not {number} of {event}: {:#?}", trail(folder));
}

async fn ask_token(base: &str, client_id: &str, secret: &str) -> (u16, Option<String>) {
    let body = json!({ "client_id": client_id, "client_secret": secret, "scopes": ["business"] });
    let answer =
        Client::new().post(format!("{base}/v1/auth/token")).json(&body).send().await.expect("an answer");
    let id = answer.headers().get("x-request-id").map(|id| id.to_str().expect("text").to_owned());
    (answer.status().as_u16(), id)
}

#[tokio::test]
async fn sign_ins_refusals_and_certificate_downloads_are_written_to_the_audit_trail() {
    let here = tempfile::tempdir().expect("a folder");
    let (all, few) = (partner(here.path(), "business"), partner(here.path(), "business.quote.read"));
    let mut server = Server::start(here.path(), &[]);
    let audit = here.path().join("covernote-data/audit");
    let base = server.base.clone();
    let token = token_of(&base, &all).await;
    let issued = events(&audit, "token_issued", 1);
    assert_eq!(issued[0]["partner_id"], all["partner_id"]);
    assert_eq!(
        (issued[0]["peer"].as_str(), issued[0]["request"].as_str()),
        (Some("127.0.0.1"), Some("POST /v1/auth/token"))
    );
    assert!(issued[0]["record"].as_str().is_some_and(|id| id.len() == 36), "the token's id: {}", issued[0]);

    let known = all["client_id"].as_str().expect("text");
    let (status, request_id) = ask_token(&base, known, "wrong").await;
    assert_eq!(status, 401);
    ask_token(&base, "Asha Rao 9876543210", "wrong").await;
    let failed = events(&audit, "sign_in_failed", 2);
    assert_eq!(failed[0]["partner_id"], all["partner_id"], "whose credentials were tried");
    assert_eq!(failed[0]["request_id"].as_str(), request_id.as_deref());
    assert_eq!(failed[1]["partner_id"], Value::Null);

    let few = few.clone();
    let scoped = json!({ "client_id": few["client_id"], "client_secret": few["client_secret"], "scopes": ["business"] });
    Client::new().post(format!("{base}/v1/auth/token")).json(&scoped).send().await.expect("an answer");
    let refused = events(&audit, "scope_refused", 1);
    assert_eq!(refused[0]["partner_id"], few["partner_id"]);
    Client::new().get(format!("{base}/v1/business/health/quotes")).send().await.expect("an answer");
    events(&audit, "token_refused", 1);

    let send = async |method: &str, path: &str, body: &Value| -> Value {
        let request = Client::new().request(method.parse().expect("a method"), format!("{base}{path}"));
        let answer = request.bearer_auth(&token).json(body).send().await.expect("an answer");
        answer.json::<Value>().await.expect("JSON")["payload"].clone()
    };
    let quote = send("POST", "/v1/embedded/quote", &bodies::quote()).await;
    let body =
        bodies::proposal(&quote["quote_id"], &quote["recommendations"][0]["recommendation_id"], "SUBMITTED");
    let proposal =
        send("POST", "/v1/embedded/proposal", &body).await["proposal_id"].as_str().expect("an id").to_owned();
    send("PATCH", &format!("/v1/embedded/proposal/{proposal}"), &json!({ "status": "COMPLETED" })).await;
    let status: Value = {
        let request =
            Client::new().get(format!("{base}/v1/embedded/proposal/{proposal}/status")).bearer_auth(&token);
        request.send().await.expect("an answer").json().await.expect("JSON")
    };
    let address = status["payload"]["policy_url"].as_str().unwrap_or_else(|| panic!("{status}")).to_owned();
    assert_eq!(Client::new().get(&address).send().await.expect("an answer").status(), 200);
    let read = events(&audit, "certificate_read", 1);
    assert_eq!(
        (read[0]["record"].as_str(), &read[0]["partner_id"]),
        (Some(proposal.as_str()), &all["partner_id"])
    );

    // A server that stops writes the lines that still wait.
    for _ in 0..20 {
        token_of(&base, &all).await;
    }
    // The lines are not in the server's log, and they have no personal data or secret.
    server.signal(rustix::process::Signal::TERM);
    server.child.wait().expect("gone");
    let log = server.logged_to_its_end().join("\n");
    assert!(!log.contains("sign_in_failed") && !log.contains("token_issued"), "{log}");
    let issued = trail(&audit).into_iter().filter(|line| line["event"] == "token_issued").count();
    assert_eq!(issued, 21);
    let text = trail(&audit).iter().map(Value::to_string).collect::<String>();
    for hidden in
        ["Asha Rao", "9876543210", "wrong", token.as_str(), all["client_secret"].as_str().expect("text")]
    {
        assert!(!text.contains(hidden), "{hidden} is in the trail");
    }
}

#[test]
fn an_operators_command_writes_an_audit_line_before_and_after_it_runs() {
    let here = tempfile::tempdir().expect("a folder");
    let made = partner(here.path(), "business");
    let client = made["client_id"].as_str().expect("text");
    drop(Server::start(here.path(), &[]));
    let audit = here.path().join("covernote-data/audit");
    assert_eq!(run(here.path(), &["partner", "disable", client]).status.code(), Some(0));
    assert_eq!(
        run(
            here.path(),
            &[
                "proposal",
                "show",
                "pro_01m7vkfva0e0083np4p3gn3h2j",
                "--personal",
                "--reason",
                "decide the proposal"
            ]
        )
        .status
        .code(),
        Some(1)
    );
    assert_eq!(run(here.path(), &["person", "find", "--lead-id", "98765 43210"]).status.code(), Some(0));
    run(here.path(), &["catalogue", "check"]);
    assert_ne!(run(here.path(), &["catalogue", "reload"]).status.code(), Some(0), "no server runs");
    let lines = trail(&audit);
    let told: Vec<(&str, &str, &Value)> = lines
        .iter()
        .map(|line| {
            (
                line["event"].as_str().expect("text"),
                line["command"].as_str().expect("text"),
                &line["exit_code"],
            )
        })
        .collect();
    assert_eq!(
        &told[..6],
        [
            ("command_began", "partner create", &Value::Null),
            ("command_ended", "partner create", &json!(0)),
            ("command_began", "partner disable", &Value::Null),
            ("command_ended", "partner disable", &json!(0)),
            ("command_began", "proposal show", &Value::Null),
            ("command_ended", "proposal show", &json!(1)),
        ]
    );
    assert_eq!(told.len(), 8, "catalogue check needs no store, and catalogue reload found no server");
    assert_eq!(lines[2]["records"], json!([client]));
    assert_eq!(
        (&lines[4]["records"], &lines[4]["flags"]),
        (&json!(["pro_01m7vkfva0e0083np4p3gn3h2j"]), &json!(["personal", "reason"]))
    );
    assert_eq!(lines[2]["user"], json!(rustix::process::getuid().as_raw()));
    assert!(!lines.iter().any(|line| line.to_string().contains("98765")));
    let mode =
        std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&audit).expect("there").permissions());
    assert_eq!(mode & 0o077, 0, "for the owner alone");
}

#[test]
fn a_command_whose_audit_line_cannot_be_written_is_not_run() {
    let here = tempfile::tempdir().expect("a folder");
    let made = partner(here.path(), "business");
    std::fs::remove_dir_all(here.path().join("covernote-data/audit")).expect("removed");
    std::fs::write(here.path().join("covernote-data/audit"), "no folder").expect("written");
    let client = made["client_id"].as_str().expect("text");
    let refused = run(here.path(), &["partner", "disable", client]);
    assert_eq!(refused.status.code(), Some(69), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("audit"), "{}", stderr(&refused));
    let mut shown = program(here.path());
    shown.args(["partner", "show", client, "--json"]).env("COVERNOTE_AUDIT", "off");
    let shown = shown.output().expect("it runs");
    assert!(stdout(&shown).contains("\"enabled\": true"), "{} {}", stdout(&shown), stderr(&shown));
}

#[tokio::test]
async fn thousands_of_refusals_are_partly_counted_instead_of_written_to_the_audit_trail() {
    let here = tempfile::tempdir().expect("a folder");
    partner(here.path(), "business");
    let server = Server::start(here.path(), &[]);
    let client = Client::new();
    for _ in 0..20 {
        let tries = (0..100).map(|_| client.get(format!("{}/v1/business/health/quotes", server.base)).send());
        futures_util::future::try_join_all(tries).await.expect("answers");
    }
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    client.get(format!("{}/v1/business/health/quotes", server.base)).send().await.expect("an answer");
    let audit = here.path().join("covernote-data/audit");
    let counted = || {
        let lines: Vec<_> =
            trail(&audit).into_iter().filter(|line| line["event"] == "token_refused").collect();
        let unwritten: u64 =
            lines.iter().filter_map(|line| line["refusals_not_written_before"].as_u64()).sum();
        (lines.len() as u64, unwritten)
    };
    let written_by = std::time::Instant::now() + std::time::Duration::from_secs(30);
    let mut last = counted();
    while last.0 + last.1 < 2001 {
        assert!(std::time::Instant::now() < written_by, "each is written or counted: {last:?} of 2001");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        last = counted();
    }
    let (written, unwritten) = last;
    assert_eq!(written + unwritten, 2001, "each is written or counted, once");
    assert!(unwritten > 0);
}

#[test]
fn each_of_32_simultaneous_commands_writes_two_audit_lines() {
    let here = tempfile::tempdir().expect("a folder");
    partner(here.path(), "business");
    let begin = |_| {
        let mut list = program(here.path());
        list.args(["partner", "list"]).stdout(Stdio::null()).stderr(Stdio::piped());
        list.spawn().expect("it starts")
    };
    let commands: Vec<Child> = (0..32).map(begin).collect();
    for command in commands {
        let output = command.wait_with_output().expect("its output");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    }
    let lines = trail(&here.path().join("covernote-data/audit"));
    let listed = lines.iter().filter(|line| line.to_string().contains("partner list"));
    assert_eq!(listed.count(), 2 * 32, "each before it began and after it ended");
}
