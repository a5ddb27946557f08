//! Commands ask the process that serves the store, and open it themselves only if none runs (D118).

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};

use rustix::process::Signal;
use serde_json::Value;

use crate::support::authenticator::Console;
use crate::support::demo::{DATA, DemoPartner};
use crate::support::program::{Server, built, program, run, stderr, stdout, without_settings};

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", stderr(output));
    serde_json::from_str(&stdout(output)).expect("JSON")
}

/// Commands that only read, with the field of each answer.
const READS: &[(&[&str], &str)] = &[
    (&["person", "find", "--lead-id", "lead-1"], "records"),
    (&["proposal", "list"], "proposals"),
    (&["policy", "list"], "policies"),
    (&["policy", "endorsements"], "policies"),
    (&["policy", "due"], "policies"),
    (&["policy", "find", "--mobile", "9876543210"], "policies"),
    (&["refund", "list"], "refunds"),
    (&["claim", "list", "--all"], "claims"),
    (&["complaint", "list"], "complaints"),
    (&["premium", "list"], "premiums"),
    (&["premium", "accounts"], "accounts"),
    (&["deposit", "list"], "deposits"),
    (&["statement", "list"], "statements"),
    (&["keys", "list"], "keys"),
    (&["partner", "list"], "partners"),
    (&["webhook", "list"], "endpoints"),
    (&["person", "find", "--mobile", "9876543210"], "records"),
    (&["approval", "list"], "approvals"),
    (&["operator", "list"], "operators"),
];

#[tokio::test]
async fn a_read_command_gives_the_same_result_with_and_without_a_server() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let server = Server::start(here, &["--demo"]);
    let policy = DemoPartner::with_token(&server.base).await.has_policy().await;
    let mut reads: Vec<_> =
        READS.iter().map(|(words, field)| ([words, &DATA[..]].concat(), *field)).collect();
    reads.push(([&["policy", "show", &policy], &DATA[..]].concat(), "policy_id"));
    let replaced = ["policy", "certificate", &policy, "1", "--reason", "to look at it", "--out", "one.pdf"];
    let none = run(here, &[&replaced[..], &DATA[..]].concat());
    assert!(stderr(&none).contains("certificate"), "it was never endorsed: {}", stderr(&none));
    let all = |process: u32| {
        let one = |(words, field): &(Vec<&str>, &str)| {
            let answer = json(&run(here, &[&words[..], &["--json"]].concat()));
            let asked = answer["server"]["process"].as_u64() == Some(process.into());
            assert_eq!(asked, process != 0, "{words:?}: {answer}");
            assert!(!answer[field].is_null(), "{words:?}: {answer}");
            (answer[field].clone(), stdout(&run(here, words)))
        };
        reads.iter().map(one).collect::<Vec<_>>()
    };
    let served = all(server.child.id());
    drop(server);
    assert_eq!(all(0), served);
}

#[test]
fn a_socket_that_a_killed_server_left_behind_is_replaced() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let mut server = Server::start(here, &["--demo"]);
    server.kill();
    let list = [&["claim", "list", "--json"], &DATA[..]].concat();
    let socket = here.join("covernote-demo/run/operator.sock");
    assert!(socket.exists(), "it was left behind");
    assert_ne!(json(&run(here, &list))["server"]["process"], server.child.id(), "the command does it itself");
    let next = Server::start(here, &["--demo"]);
    assert_eq!(json(&run(here, &list))["server"]["process"], next.child.id());
    assert_eq!(fs::metadata(socket).expect("the socket").permissions().mode() & 0o777, 0o660);
}

#[test]
fn simultaneous_commands_without_a_server_wait_for_each_other() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    drop(Server::start(here, &["--demo"]));
    let add = ["complaint", "add", "--kind", "sale", "--from", "Asha Rao", "--text", "It was never told."];
    let add = [&add[..], &DATA[..]].concat();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert!(run(here, &add).status.success()));
        }
    });
    let list = json(&run(here, &[&["complaint", "list", "--json"], &DATA[..]].concat()));
    assert_eq!(list["complaints"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_command_about_another_store_than_the_servers_is_refused() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let _server = Server::start(here, &["--demo"]);
    let create = [&["partner", "create", "A Lender"], &DATA[..]].concat();
    let of_database = [&create[..], &["--database", "postgres://nobody@127.0.0.1:1/books"]].concat();
    let socket = here.join("covernote-demo/run/operator.sock").display().to_string();
    fs::write(here.join("other.toml"), format!("operator_socket = {socket:?}\n")).expect("written");
    let of_folder = ["partner", "create", "A Lender", "--data", "other", "--config", "other.toml"];
    for (words, store) in
        [(&of_database[..], "PostgreSQL, database books"), (&of_folder, "other/covernote.db")]
    {
        let refused = run(here, words);
        assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(store), "{}", stderr(&refused));
    }
    let list = json(&run(here, &[&["partner", "list", "--json"], &DATA[..]].concat()));
    assert!(!list.to_string().contains("A Lender"), "{list}");
}

#[test]
fn a_server_that_stops_removes_its_socket() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let mut server = Server::start(here, &["--demo"]);
    let socket = here.join("covernote-demo/run/operator.sock");
    assert!(socket.exists());
    server.signal(Signal::TERM);
    assert!(server.child.wait().expect("it ends").success());
    assert!(!socket.exists());
}

#[tokio::test]
async fn a_demo_prints_a_link_that_signs_in_to_its_console_once_and_has_work_for_the_team() {
    let here = tempfile::tempdir().expect("a folder");
    let mut command = program(here.path());
    command.args(["serve", "--demo", "--listen", "127.0.0.1:0", "--log-format", "json"]);
    let demo = Server::listening(command);
    let line = demo.says("  console  http");
    let link = line.split_whitespace().find(|word| word.contains("/demo/")).expect("a link");
    let base = link.split("/demo/").next().expect("an address").to_owned();
    let console = Console::at(base.clone());
    let (status, cookie, _) = console.get_file(link, "", "set-cookie").await;
    assert_eq!(status, 200);
    let session = cookie.split(';').next().expect("a cookie");
    let (_, today) = console.get(&format!("{base}/"), session).await;
    for task in ["proposal to decide", "Change of NAME to decide", "Cancellation to confirm", "DEATH claim"] {
        assert!(today.contains(task), "{task}: {today}");
    }
    let (status, again) = console.get(link, "").await;
    assert_eq!(status, 400, "{again}");
}

#[test]
fn a_server_does_not_replace_a_regular_file_at_its_socket_path() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    fs::write(here.join("notes.txt"), "not a socket").expect("written");
    fs::write(here.join("covernote.toml"), "operator_socket = \"notes.txt\"\n").expect("written");
    let refused = run(here, &["serve", "--demo", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.status.code(), Some(69), "{}", stderr(&refused));
    assert_eq!(fs::read_to_string(here.join("notes.txt")).expect("there"), "not a socket");
}

#[test]
fn a_server_and_commands_work_with_a_data_folder_path_that_is_too_long_for_a_socket() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let folder = here.join("x".repeat(120)).display().to_string();
    let list = ["claim", "list", "--data", &folder];
    drop(Server::start(here, &["--demo", "--data", &folder]));
    assert!(run(here, &list).status.success());
}

/// Sends a request to the socket. Returns the status and the JSON of the answer.
fn asked(socket: &Path, head: &str, body: &str) -> (u16, Value) {
    let mut stream = UnixStream::connect(socket).expect("it listens");
    let length = body.len();
    let request = format!(
        "{head} HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    (status, serde_json::from_str(body).expect("JSON"))
}

#[test]
fn an_invalid_request_to_the_operators_api_is_refused_with_the_reason() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let _server = Server::start(here, &["--demo"]);
    let socket = here.join("covernote-demo/run/operator.sock");
    let claim = "POST /operator/v1/claims/clm_01m5vvw3xreqg9aaa1afd2xg99/decision";
    for (head, body, status, code, told) in [
        ("GET /operator/v1/nothing", "", 404, "R4040", "may be older than the command"),
        ("DELETE /operator/v1/claims", "", 405, "R4050", "does not accept this HTTP method"),
        ("GET /operator/v1/claims?most=many", "", 400, "V4000", "Must be a whole number."),
        ("GET /operator/v1/claims?mst=5", "", 400, "V4000", "did you mean most?"),
        ("GET /operator/v1/claims/clm_x", "", 400, "V4000", "Must be an id: clm_ and 26 characters."),
        (claim, "{", 400, "V4000", "The body must be a JSON object"),
        (claim, "[]", 400, "V4000", "The body must be a JSON object"),
        (
            claim,
            "{}",
            400,
            "V4000",
            "Required: UNDER_ASSESSMENT, UNDER_INVESTIGATION, APPROVED, REJECTED or REPUDIATED.",
        ),
        (
            claim,
            r#"{"status": "PAID"}"#,
            400,
            "V4000",
            "Must be UNDER_ASSESSMENT, UNDER_INVESTIGATION, APPROVED, REJECTED or REPUDIATED.",
        ),
        (claim, r#"{"status": "APPROVED", "amunt": "1.00"}"#, 400, "V4000", "did you mean amount?"),
        (claim, r#"{"status": "APPROVED"}"#, 404, "R4040", "was not found"),
    ] {
        let (was, answer) = asked(&socket, head, body);
        assert_eq!((was, &answer["type"]), (status, &Value::from(code)), "{head} {body}: {answer}");
        assert!(answer.to_string().contains(told), "{head} {body}: {answer}");
    }
}

/// A user of this machine who is neither root nor the server's user.
const NOBODY: u32 = 65534;

fn as_nobody(folder: &Path, binary: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(binary);
    without_settings(&mut command);
    command.uid(NOBODY).gid(NOBODY).current_dir(folder).args(arguments).output().expect("it runs")
}

#[test]
fn a_command_that_the_server_refuses_does_not_open_the_store() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let everybody =
        |path: &Path, mode| fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("set");
    everybody(here, 0o755);
    let binary = here.join("covernote");
    fs::copy(built(), &binary).expect("copied");
    let socket = here.join("operator.sock").display().to_string();
    fs::write(here.join("covernote.toml"), format!("operator_socket = {socket:?}\n")).expect("written");
    let server = Server::start(here, &["--demo"]);
    let list = [&["claim", "list"], &DATA[..]].concat();
    let refused = as_nobody(here, &binary, &list);
    assert_eq!(refused.status.code(), Some(69), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("cannot be reached: Permission denied"), "{}", stderr(&refused));
    everybody(Path::new(&socket), 0o666);
    let refused = as_nobody(here, &binary, &list);
    assert_eq!(refused.status.code(), Some(1), "{}", stderr(&refused));
    let said = "The user 65534 of this machine may not do claim.list";
    assert!(stderr(&refused).contains(said), "{}", stderr(&refused));
    assert_eq!(json(&run(here, &[&list[..], &["--json"]].concat()))["server"]["process"], server.child.id());
}

#[test]
fn every_operation_in_the_document_of_the_operators_api_has_a_summary() {
    let here = tempfile::tempdir().expect("a folder");
    let printed = program(here.path()).args(["openapi", "--operators"]).output().expect("it runs");
    let document = json(&printed);
    let decide = &document["paths"]["/operator/v1/claims/{id}/decision"]["post"];
    assert_eq!(decide["x-roles"], serde_json::json!(["claims"]));
    let body = &decide["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(body["required"], serde_json::json!(["status"]), "{body:#}");
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let text = operation["summary"].as_str().unwrap_or_default();
            assert!(!text.is_empty(), "{method} {path} has no summary");
        }
    }
}

#[test]
fn the_name_of_a_partner_and_its_tokens_per_hour_can_be_changed() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let made = json(&run(here, &["partner", "create", "A Lender", "--json"]));
    let id = made["partner_id"].as_str().expect("an id");
    let change = |words: &[&str]| run(here, &[&["partner", "change", id][..], words].concat());
    let changed = change(&["--name", "Another Lender", "--tokens-per-hour", "250"]);
    assert_eq!(changed.status.code(), Some(0), "{}", stderr(&changed));
    let shown = json(&run(here, &["partner", "show", id, "--json"]));
    assert_eq!(
        (&shown["name"], &shown["tokens_per_hour"]),
        (&"Another Lender".into(), &250.into()),
        "{shown}"
    );
    for (words, said) in [
        (&[][..], "--name: Give at least one of name, tokens_per_hour, contacts."),
        (&["--name", " "], "--name: Give at least one of name, tokens_per_hour, contacts."),
        (&["--name", "two\nlines"], "Must be one line"),
        (&["--tokens-per-hour", "0"], "0 is not in 1.."),
    ] {
        let refused = change(words);
        assert!(
            !refused.status.success() && stderr(&refused).contains(said),
            "{words:?}: {}",
            stderr(&refused)
        );
    }
}
