//! Acts that wait for a second operator: each command says so with its exit code, and writes no file.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use axum::Router;
use axum::http::StatusCode;
use axum::response::Json;
use serde_json::json;
use tokio::net::TcpListener;

use crate::floors::{crates, sources};
use crate::support::program::{program, stderr};

/// Exit code of an act that is not done yet.
const WAITS: i32 = 75;

const ID: &str = "01m8kh5c7ze2dv9njcbgag5bk7";

/// Commands of the acts that can wait, by the type of each act.
const COMMANDS: &[(&str, &str)] = &[
    ("ChangeLimit", "approval limit --above 5"),
    ("ExportAudit", "audit export --out FILE"),
    ("ListBreach", "breach list --reason their-request --out FILE"),
    ("PublishCatalogue", "catalogue reload"),
    ("PayClaim", "claim paid clm_ID --reference UTR1"),
    ("CreatePartner", "partner create Acme"),
    ("AddSecret", "partner secret add acme"),
    ("ExportPerson", "person export --mobile 9876543210 --reason their-request --out FILE"),
    ("ErasePerson", "person erase --mobile 9876543210 --reason their-request"),
    ("ExportPolicies", "policy export --out FILE"),
    ("MakeStatements", "statement make --month 2026-10"),
    ("PayStatement", "statement paid CS-202610-0001 --reference UTR1"),
    ("ReceivePayment", "receipt add pro_ID=5.00 --reference UTR1"),
    ("RemitPremiums", "premium remit pro_ID --reference UTR1"),
    ("ReversePayment", "premium reverse pro_ID --reference UTR1 --reason Recorded-by-mistake"),
    ("SettlePremium", "premium settle pro_ID --how apply --reference UTR1"),
    ("TopUpDeposit", "deposit top-up GCL-1 --amount 5 --reference UTR1"),
    ("WithdrawDeposit", "deposit withdraw GCL-1 --amount 5 --reference UTR1"),
    ("RefundPremium", "premium refund pro_ID --reference UTR1"),
    ("PayRefund", "refund paid pol_ID --reference UTR1"),
    ("InviteOperator", "operator invite Kiran --role read"),
    ("ChangeRoles", "operator roles Kiran --role claims"),
    ("RecoverOperator", "operator recover Kiran"),
    ("AddToken", "operator token Kiran --name job --role read"),
];

/// Types of the acts that can wait, from their source.
fn acts_that_can_wait() -> Vec<String> {
    let mut files = Vec::new();
    sources(&crates().join("operators/src"), &mut files);
    let mut acts = Vec::new();
    for file in files {
        let text = fs::read_to_string(file).expect("text");
        for part in text.split("\nimpl Act for ").skip(1) {
            let (name, rest) = part.split_once(" {").expect("a block");
            if rest.split("\n}").next().is_some_and(|block| block.contains("fn needs_approval(")) {
                acts.push(name.to_owned());
            }
        }
    }
    acts.sort();
    acts
}

/// A server at which every act waits for approval.
async fn server_where_everything_waits() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("bound").port();
    let waits = || async {
        let answer = json!({
            "state": "waiting", "approval_id": format!("apr_{ID}"), "what": "an act",
            "notes": ["an act waits for approval"],
        });
        (StatusCode::ACCEPTED, Json(answer))
    };
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(waits)).await });
    format!("http://localhost:{port}")
}

fn sign_in(here: &Path, server: &str) {
    let folder = here.join(".config/covernote");
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("credentials.toml");
    fs::write(&file, format!("[\"{server}\"]\ntoken = \"a-token\"\n")).expect("written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("closed");
}

#[test]
fn the_tested_commands_include_every_act_that_can_wait_for_approval() {
    let mut listed: Vec<&str> = COMMANDS.iter().map(|(act, _)| *act).collect();
    listed.sort_unstable();
    assert_eq!(listed, acts_that_can_wait());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_that_waits_for_approval_exits_with_75_and_writes_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let here = folder.path();
    let server = server_where_everything_waits().await;
    sign_in(here, &server);
    for (act, line) in COMMANDS {
        for form in [&[][..], &["--json"], &["--verbose"]] {
            let line = line.replace("_ID", &format!("_{ID}")).replace("FILE", "out.csv");
            let mut command = program(here);
            command.args(line.split(' ')).args(form).env("HOME", here).env_remove("XDG_CONFIG_HOME");
            let ended = command.env("COVERNOTE_SERVER", &server).output().expect("it starts");
            assert_eq!(ended.status.code(), Some(WAITS), "{act} {form:?}: {}", stderr(&ended));
            let files: Vec<_> =
                fs::read_dir(here).expect("a folder").flatten().map(|one| one.file_name()).collect();
            assert_eq!(files, [".config"], "{act} {form:?}");
        }
    }
}
