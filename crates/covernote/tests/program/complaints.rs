//! The register of complaints at the command line (D88).

use serde_json::json;

use crate::support::demo::{DATA, DemoPartner, told};
use crate::support::program::{Server, run};

#[tokio::test]
async fn a_complaint_can_be_answered_only_once_and_is_late_after_14_days() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let demo = Server::start(here, &["--demo"]);
    let policy = DemoPartner::with_token(&demo.base).await.has_policy().await;
    let add =
        ["complaint", "add", "--kind", "refund", "--from", "Asha Rao, 9876543210", "--text", "Nothing came."];
    let (code, first) = told(here, &[&add[..], &["--policy", &policy]].concat());
    assert_eq!((code, &first["outcome"], &first["is_late"]), (0, &json!("open"), &json!(false)), "{first}");
    assert!(first["partner_id"].is_string(), "the policy's partner");
    let (_, old) = told(here, &[&add[..], &["--received-on", "2026-01-05"]].concat());
    assert_eq!((&old["answer_by"], &old["is_late"]), (&json!("2026-01-19"), &json!(true)));
    let (_, open) = told(here, &["complaint", "list"]);
    let ids: Vec<&serde_json::Value> =
        open["complaints"].as_array().expect("a list").iter().map(|one| &one["complaint_id"]).collect();
    assert_eq!(ids, [&old["complaint_id"], &first["complaint_id"]], "the one that is due first");
    assert!(!open.to_string().contains("Asha"), "no name without --personal");

    let id = first["complaint_id"].as_str().expect("an id");
    let (_, shown) = told(here, &["complaint", "show", id, "--personal", "--reason", "decide the proposal"]);
    assert_eq!((&shown["from"], &shown["text"]), (&json!("Asha Rao, 9876543210"), &json!("Nothing came.")));
    let answer = ["complaint", "answer", id, "--outcome", "upheld", "--text", "It was paid today."];
    let (code, answered) = told(here, &answer);
    assert_eq!((code, &answered["outcome"]), (0, &json!("upheld")));
    assert!(answered["next"].as_str().is_some_and(|next| next.contains("Ombudsman")), "{answered}");
    assert_eq!(told(here, &answer).0, 1, "once");
    assert_eq!(told(here, &["complaint", "list"]).1["complaints"].as_array().map(Vec::len), Some(1));
    assert_eq!(told(here, &["complaint", "list", "--all"]).1["complaints"].as_array().map(Vec::len), Some(2));

    let before =
        ["complaint", "answer", old["complaint_id"].as_str().expect("an id"), "--outcome", "not-upheld"];
    let too_early = ["--text", "No.", "--answered-on", "2026-01-04"];
    assert_ne!(told(here, &[&before[..], &too_early].concat()).0, 0, "before it came");
    let ahead = run(here, &[&add[..], &["--received-on", "2999-01-01"], &DATA[..]].concat());
    assert!(!ahead.status.success(), "a day to come");
    let none = run(here, &[&add[..], &["--policy", "pol_01m5vvw3xreqg9aaa1afd2xg99"], &DATA[..]].concat());
    assert!(!none.status.success(), "no such policy");
    let doctor = run(here, &[&["doctor"], &DATA[..]].concat());
    let told =
        String::from_utf8_lossy(&doctor.stdout).into_owned() + &String::from_utf8_lossy(&doctor.stderr);
    assert!(told.contains("1 of them late"), "{told}");
}
