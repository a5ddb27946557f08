//! Policies and refunds at the operator's command line (D66 to D69).

use std::collections::HashMap;
use std::path::Path;

use domain::proposal::Decision;
use serde_json::{Value, json};

use crate::support::bodies;
use crate::support::demo::{DATA, DemoPartner, told};
use crate::support::program::{Server, run};

/// The id of a policy whose product the operator decides. The partner has requested its cancellation.
async fn asked_for(here: &Path, base: &str) -> String {
    let partner = DemoPartner::with_token(base).await;
    let proposal = partner.has_proposal_decided_by(Decision::Operator).await;
    let (code, decided) = told(here, &["proposal", "decide", &proposal, "--status", "COMPLETED"]);
    assert_eq!((code, &decided["status"]), (0, &json!("COMPLETED")), "{decided}");
    let (_, list) = told(here, &["policy", "list"]);
    let policy = list["policies"][0]["policy_id"].as_str().expect("an id").to_owned();
    let path = format!("/v1/policies/{policy}/cancellation-quote");
    let quoted = partner.post(&path, json!({ "reason": "NOT_DISBURSED" })).await;
    let refund = quoted["refund"]["total"].clone();
    let body = json!({ "reason": "NOT_DISBURSED", "refund": refund });
    let cancelled = partner.post(&format!("/v1/policies/{policy}/cancellation"), body).await;
    assert_eq!(cancelled["status"], "CANCELLATION_REQUESTED", "{cancelled}");
    policy
}

#[tokio::test]
async fn an_operator_can_refuse_or_make_a_cancellation_and_record_its_refund() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let demo = Server::start(here, &["--demo"]);
    let policy = asked_for(here, &demo.base).await;
    let (_, open) = told(here, &["policy", "list", "--status", "CANCELLATION_REQUESTED"]);
    assert_eq!(open["policies"].as_array().map(Vec::len), Some(1));
    let (_, cancelled) = told(here, &["policy", "list", "--partner", "demo", "--status", "CANCELLED"]);
    let cancelled = cancelled["policies"].as_array().expect("a list").clone();
    assert!(cancelled.iter().all(|other| other["policy_id"] != policy.as_str()), "it is not there yet");
    let (code, refused) =
        told(here, &["policy", "decide", &policy, "--verdict", "refuse", "--reason", "It was disbursed."]);
    assert_eq!((code, &refused["status"]), (0, &json!("ISSUED")));
    assert_eq!(told(here, &["policy", "decide", &policy, "--verdict", "confirm"]).0, 1, "none is open");

    let (_, quoted) = told(here, &["policy", "cancel", &policy, "--reason", "NOT_DISBURSED", "--quote"]);
    assert_eq!(told(here, &["policy", "show", &policy]).1["status"], "ISSUED", "a quote changes nothing");
    let (code, fraud) = told(here, &["policy", "cancel", &policy, "--reason", "FRAUD"]);
    assert_eq!(code, 1, "{fraud}");
    let (code, cancelled) =
        told(here, &["policy", "cancel", &policy, "--reason", "NOT_DISBURSED", "--note", "Ticket 4711"]);
    assert_eq!(
        (code, &cancelled["status"], &cancelled["refund"]),
        (0, &json!("CANCELLED"), &quoted["refund"])
    );
    let (_, shown) = told(here, &["policy", "show", &policy]);
    let masked = [
        &shown["members"][0]["name"],
        &shown["members"][0]["date_of_birth"],
        &shown["papers"]["certificate"],
    ];
    assert_eq!(masked, ["A… K… R…", "1990…", "…"], "an operator sees no personal data");
    let words: Vec<&Value> =
        shown["history"].as_array().expect("a list").iter().map(|made| &made["to"]).collect();
    assert_eq!(words, ["CANCELLATION_REQUESTED", "ISSUED", "CANCELLATION_REQUESTED", "CANCELLED"]);

    let (_, owed) = told(here, &["refund", "list"]);
    assert_eq!(
        (&owed["refunds"][0]["refund"], &owed["refunds"][0]["late"]),
        (&quoted["refund"]["total"], &json!(false))
    );
    let paid = ["refund", "paid", &policy, "--reference", "UTR-9"];
    assert_eq!(told(here, &[&paid[..], &["--amount", "1"]].concat()).0, 1, "another amount is owed");
    let (code, noted) = told(here, &paid);
    assert_eq!((code, &noted["refund"], &noted["interest"]), (0, &quoted["refund"]["total"], &json!("0.00")));
    assert_eq!(told(here, &paid).0, 0, "the same again changes nothing");
    assert_eq!(told(here, &["refund", "paid", &policy, "--reference", "UTR-10"]).0, 1);
    assert_eq!(told(here, &["refund", "list"]).1["refunds"], json!([]));
    let (code, accounts) = told(here, &["premium", "accounts"]);
    assert_eq!((code, &accounts["sum"]), (0, &json!("0.00")));
}

#[tokio::test]
async fn an_operator_finds_a_policy_by_number_mobile_or_email() {
    // D79
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let demo = Server::start(here, &["--demo"]);
    let policy = asked_for(here, &demo.base).await;
    let ids = |arguments: &[&str]| -> Vec<Value> {
        let (code, found) = told(here, &[&["policy", "find"], arguments].concat());
        assert_eq!(code, 0, "{found}");
        found["policies"].as_array().expect("a list").iter().map(|one| one["policy_id"].clone()).collect()
    };
    let number = told(here, &["policy", "show", &policy]).1["policy_number"].clone();
    let number = number.as_str().expect("a number").to_owned();
    let proposer = bodies::proposer();
    let email = proposer["email"].as_str().expect("an address").to_uppercase();
    for by in [["--number", &number], ["--mobile", "+91 98765 43210"], ["--email", &email]] {
        assert!(ids(&by).contains(&json!(policy)), "{by:?}");
    }
    for none in
        [["--mobile", "9000000001"], ["--pan", "ZZZPK1234L"], ["--reference", "LN-0001"], ["--number", "X"]]
    {
        assert_eq!(ids(&none), Vec::<Value>::new(), "{none:?}");
    }
    assert_eq!(told(here, &["policy", "find", "--mobile", "98765"]).0, 65);
    assert_eq!(told(here, &["policy", "find"]).0, 2, "a search by any one criterion is required");
}

#[tokio::test]
async fn policies_and_proposals_are_exported_as_csv() {
    // D84.
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let demo = Server::start(here, &["--demo"]);
    let policy = asked_for(here, &demo.base).await;
    let export = |arguments: &[&str]| run(here, &[arguments, &DATA[..]].concat());
    let read = |name: &str| -> Vec<HashMap<String, String>> {
        let mut lines = csv::Reader::from_path(here.join(name)).expect("the file");
        lines.deserialize().map(|line| line.expect("a line")).collect()
    };

    let written = export(&["policy", "export", "--out", "policies.csv", "--partner", "demo"]);
    assert!(written.status.success(), "{written:?}");
    let policies = read("policies.csv");
    let (_, listed) = told(here, &["policy", "list", "--partner", "demo", "--most", "500"]);
    assert_eq!(Some(policies.len()), listed["policies"].as_array().map(Vec::len));
    let line = policies.iter().find(|line| line["policy_id"] == policy).expect("the policy's line");
    let (_, shown) = told(here, &["policy", "show", &policy]);
    assert_eq!(Some(line["policy_number"].as_str()), shown["policy_number"].as_str());
    assert_eq!((line["status"].as_str(), line["line"].as_str()), ("CANCELLATION_REQUESTED", "credit-life"));
    assert!(!line["total"].is_empty() && !line["master_policy_number"].is_empty(), "{line:?}");
    assert!(line["cancelled_on"].is_empty(), "it is asked for and not confirmed: {line:?}");
    let text = std::fs::read_to_string(here.join("policies.csv")).expect("the file");
    assert!(text.lines().count() == policies.len() + 1 && text.matches("\r\n").count() == policies.len() + 1);
    assert!(!text.contains("Asha K Rao"), "names are not written unless asked for");

    let written =
        export(&["policy", "export", "--out", "named.csv", "--personal", "--reason", "the insurer asked"]);
    assert!(written.status.success(), "{written:?}");
    let named = read("named.csv");
    let line = named.iter().find(|line| line["policy_id"] == policy).expect("the policy's line");
    assert!(line["member_names"].contains("Asha K Rao"), "{line:?}");

    let written = export(&["proposal", "export", "--out", "proposals.csv"]);
    assert!(written.status.success(), "{written:?}");
    let proposals = read("proposals.csv");
    let line = proposals.iter().find(|line| line["policy_id"] == policy).expect("the proposal's line");
    assert_eq!(line["status"], "COMPLETED");

    let again = export(&["policy", "export", "--out", "policies.csv"]);
    assert_eq!(again.status.code(), Some(69), "a file that is there is not written over");
    let none =
        export(&["policy", "export", "--out", "none.csv", "--from", "2020-01-01", "--to", "2020-01-31"]);
    assert!(none.status.success(), "{none:?}");
    assert_eq!(read("none.csv").len(), 0);
    for bad in [["--from", "2026-13-01"], ["--from", "2999-01-01"]] {
        let refused = export(&[&["policy", "export", "--out", "bad.csv"], &bad[..]].concat());
        assert_eq!(refused.status.code(), Some(65), "{refused:?}");
        assert!(!here.join("bad.csv").exists(), "nothing is begun for bad days");
    }
}
