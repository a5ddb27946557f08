//! Premiums and deposits at the operator's command line (D63 to D65).

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::bodies;
use crate::support::demo::{DATA, DemoPartner, told};
use crate::support::program::{Server, run, stderr};

/// A proposal for a home loan with a premium that the partner collects and a decision by the operator.
/// Returns its id and premium.
async fn home_loan(base: &str) -> (String, String) {
    let partner = DemoPartner::with_token(base).await;
    let mut quote = bodies::quote();
    quote["policy_term"] = 120.into();
    quote["context_data"] =
        json!([{ "key": "loan_amount", "values": ["500000"] }, { "key": "loan_tenure", "values": ["120"] }]);
    let quote = partner.post("/v1/embedded/quote", quote).await;
    let items = quote["recommendations"].as_array().expect("items");
    let home =
        items.iter().find(|item| item["product_name"] == "Udaharan Home Loan Kavach").expect("offered");
    let body = bodies::proposal(&quote["quote_id"], &home["recommendation_id"], "SUBMITTED");
    let made = partner.post("/v1/embedded/proposal", body).await;
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    (text(&made["proposal_id"]), text(&home["total_premium"]))
}

fn is_completed(here: &Path, id: &str) {
    let until = Instant::now() + Duration::from_secs(30);
    while told(here, &["proposal", "show", id]).1["status"] != "COMPLETED" {
        assert!(Instant::now() < until, "{id} is never completed");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[tokio::test]
async fn a_recorded_payment_issues_the_policy_of_a_proposal_that_the_operator_accepted() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let demo = Server::start(here, &["--demo"]);
    let (id, due) = home_loan(&demo.base).await;
    let (code, decided) = told(here, &["proposal", "decide", &id, "--status", "COMPLETED"]);
    assert_eq!((code, &decided["status"], &decided["premium"]), (0, &json!("PENDING"), &json!("due")));
    let (_, open) = told(here, &["premium", "list"]);
    let premium = &open["premiums"][0];
    assert_eq!((&premium["proposal_id"], &premium["due"]), (&json!(id), &json!(due)));
    assert_eq!((&premium["state"], &premium["accepted_by"]), (&json!("due"), &json!("operator")));
    let (_, shown) = told(here, &["proposal", "show", &id, "--personal", "--reason", "decide the proposal"]);
    assert_eq!(shown["application"]["premium_state"]["state"], "due", "{shown}");

    let item = format!("{id}={due}");
    let pays = ["premium", "receive", &item, "--reference", "UTR-1"];
    let (code, received) = told(here, &pays);
    assert_eq!(
        (code, &received["new"], &received["items"][0]["outcome"]),
        (0, &json!(true), &json!("matched"))
    );
    assert_eq!(told(here, &pays).1["new"], false, "the same again changes nothing");
    is_completed(here, &id);
    let (_, shown) = told(here, &["premium", "show", &id]);
    assert_eq!(
        (&shown["premium"]["state"], &shown["payments"][0]["by"]),
        (&json!("paid"), &json!("operator"))
    );
    assert_eq!(shown["ledger"].as_array().map(Vec::len), Some(2));
    let (code, accounts) = told(here, &["premium", "accounts"]);
    assert_eq!((code, &accounts["sum"]), (0, &json!("0.00")));
    let (_, findings) = told(here, &["doctor"]);
    let findings = findings["findings"].as_array().expect("a list").clone();
    let waiting = findings.iter().find(|finding| finding["what"] == "waiting").expect("looked at");
    assert!(!told(here, &["today"]).1.to_string().contains(&id), "{waiting}");
}

#[tokio::test]
async fn an_overpaid_premium_is_applied_and_its_excess_is_refunded_to_the_paisa() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let demo = Server::start(here, &["--demo"]);
    let (id, due) = home_loan(&demo.base).await;
    let over = format!("{id}={}", due.replace(".00", ".01"));
    assert_eq!(
        told(here, &["premium", "receive", &over, "--reference", "UTR-1"]).1["items"][0]["outcome"],
        "mismatch"
    );
    let (_, today) = told(here, &["today"]);
    let waits = today["waiting"].as_array().expect("a list").iter();
    let mut of_it = waits.filter(|one| one["record"] == id.as_str());
    assert!(of_it.any(|one| one["kind"] == "mismatch"), "{today}");
    let settles = ["premium", "settle", &id, "--how", "apply", "--reference", "TICKET-1"];
    let (code, settled) = told(here, &settles);
    assert_eq!((code, &settled["premiums"][0]["refundable"]), (0, &json!("0.01")));
    assert_eq!(told(here, &settles).0, 1, "it is settled");
    let refund = ["premium", "refund", &id, "--reference", "UTR-2", "--amount"];
    let refund = |amount| told(here, &[&refund[..], &[amount]].concat()).0;
    assert_eq!((refund("1.00"), refund("0.01")), (1, 0), "an amount that is named is compared");
    assert_eq!(refund("0.01"), 0, "the same again changes nothing");
    assert_eq!(told(here, &["premium", "show", &id]).1["premium"]["refunded"], "0.01");
    assert_eq!(
        told(here, &["premium", "remit", &id, "--reference", "UTR-3"]).0,
        1,
        "nothing was collected here"
    );
    assert_eq!(told(here, &["proposal", "decide", &id, "--status", "COMPLETED"]).1["status"], "COMPLETED");
    let unknown = "pro_01m5vvw3xreqg9aaa1afd2xg99";
    let remits =
        run(here, &[&["premium", "remit", &id, unknown, "--reference", "UTR-3"], &DATA[..]].concat());
    for id in [&id, unknown] {
        assert!(stderr(&remits).contains(id), "each that was refused is named: {}", stderr(&remits));
    }
    let receives = ["premium", "receive", "pro_x=1.00", "pro_y", "--reference", "two words"];
    let receives = stderr(&run(here, &[&receives[..], &DATA[..]].concat()));
    for fault in ["items[0]", "items[1]", "--reference"] {
        assert!(receives.contains(fault), "every fault is named: {receives}");
    }
    for wrong in [
        ["premium", "receive", "pro_x=1.00", "--reference", "UTR-4"],
        ["premium", "receive", &id, "--reference", "UTR-4"],
        ["premium", "receive", &over, "--reference", "two words"],
        ["premium", "receive", "pro_01m5vvw3xreqg9aaa1afd2xg99=1.00", "--reference", "UTR-4"],
    ] {
        assert_eq!(told(here, &wrong).0, 65, "{wrong:?}");
    }
}

#[tokio::test]
async fn an_operator_can_list_and_top_up_deposits_but_not_overdraw_them() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let _demo = Server::start(here, &["--demo"]);
    let (_, list) = told(here, &["deposit", "list"]);
    let deposits = list["deposits"].as_array().expect("a list");
    assert!(deposits.len() >= 5 && deposits.iter().all(|deposit| deposit["low"] == false), "{list}");
    let name = "FICTIONAL-GCL-101-0001";
    let top_up = ["deposit", "top-up", name, "--amount", "250.50", "--reference", "UTR-1"];
    for _ in 0..2 {
        let (code, changed) = told(here, &top_up);
        assert_eq!(
            (code, &changed["balance"]),
            (0, &json!("1000000250.50")),
            "the same again changes nothing"
        );
    }
    let too_much = ["deposit", "withdraw", name, "--amount", "2000000000", "--reference", "UTR-2"];
    assert_eq!(told(here, &too_much).0, 1);
    assert_eq!(told(here, &["deposit", "top-up", "NONE", "--amount", "1", "--reference", "UTR-3"]).0, 65);
    assert_eq!(told(here, &["premium", "accounts"]).0, 0);
}
