//! The mock insurer and the check of an insurer's server, as programs.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::support::address::reserved;
use crate::support::program::{MockInsurer, run, stderr, stdout, write_secret};

#[test]
fn the_mock_insurer_passes_the_insurer_check_and_stops_at_sigterm() {
    let here = tempfile::tempdir().expect("a folder");
    write_secret(&here.path().join("secret"));
    let secret = ["--authentication", "hmac", "--secret-file", "secret"];
    let mut mock = MockInsurer::start(here.path(), &secret);
    let checked = run(here.path(), &[&["insurer", "check", &mock.url][..], &secret].concat());
    assert_eq!(checked.status.code(), Some(0), "{}{}", stdout(&checked), stderr(&checked));
    assert!(stdout(&checked).lines().all(|line| line.starts_with("✓ ")), "{}", stdout(&checked));
    let id = Pid::from_raw(mock.child.id().cast_signed()).expect("a process");
    kill_process(id, Signal::TERM).expect("it is there");
    assert_eq!(mock.child.wait().expect("gone").code(), Some(0));
}

#[test]
fn the_insurer_check_reports_the_defects_of_an_insurers_server() {
    let here = tempfile::tempdir().expect("a folder");
    write_secret(&here.path().join("secret"));
    let mock = MockInsurer::start(here.path(), &["--rubbish-percent", "100", "--seed", "3"]);
    let secret = ["--authentication", "bearer", "--secret-file", "secret"];
    let arguments = ["insurer", "check", &mock.url, "--insurer", "misaal", "--prices-only"];
    let checked = run(here.path(), &[&arguments[..], &secret].concat());
    assert_eq!(checked.status.code(), Some(1), "{}", stdout(&checked));
    assert!(stdout(&checked).contains("✗ A request with a wrong secret is refused with 401."));
    let checked = run(here.path(), &[&arguments[..], &secret, &["--json"]].concat());
    let report: Value = serde_json::from_str(&stdout(&checked)).expect("one JSON object");
    assert_eq!(report["insurer_id"], "ins_01m5vn1aygfe0av1wtx4v84kep");
    let findings = report["findings"].as_array().expect("findings");
    let bad = findings.iter().filter(|finding| finding["state"] == "bad").count();
    assert_eq!(report["bad"], bad);
    assert!(findings.iter().all(|finding| !finding["name"].as_str().expect("text").starts_with("proposal")));
}

#[test]
fn an_insurer_check_of_an_address_without_a_server_exits_with_69() {
    let here = tempfile::tempdir().expect("a folder");
    let free = reserved();
    let checked = run(here.path(), &["insurer", "check", &format!("http://{free}"), "--json"]);
    assert_eq!(checked.status.code(), Some(69), "{}", stderr(&checked));
    let report: Value = serde_json::from_str(&stdout(&checked)).expect("one JSON object");
    assert_eq!(report["reachable"], false);
}

#[test]
fn invalid_flags_of_the_insurer_commands_are_refused() {
    let here = tempfile::tempdir().expect("a folder");
    write_secret(&here.path().join("secret"));
    fs::set_permissions(here.path().join("secret"), fs::Permissions::from_mode(0o644)).expect("permitted");
    let url = "http://127.0.0.1:9";
    for (code, arguments) in [
        (2, &["insurer", "check", url, "--authentication", "hmac"][..]),
        (2, &["mock-insurer", "--fail-percent", "101"]),
        (65, &["mock-insurer", "--fail-percent", "60", "--hang-percent", "41"]),
        (65, &["insurer", "check", url, "--insurer", "nobody"]),
        (78, &["insurer", "check", "nowhere"]),
        (78, &["insurer", "check", url, "--authentication", "hmac", "--secret-file", "secret"]),
        (78, &["mock-insurer", "--authentication", "bearer", "--secret-file", "absent"]),
    ] {
        let refused = run(here.path(), arguments);
        assert_eq!(refused.status.code(), Some(code), "{arguments:?}: {}", stderr(&refused));
    }
}
