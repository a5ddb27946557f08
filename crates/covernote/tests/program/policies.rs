//! Policies and refunds as their operator keeps them at the command line (D66 to D69).

use std::path::Path;

use serde_json::{Value, json};

use crate::support::bodies;
use crate::support::demo::{DemoPartner, told};
use crate::support::program::Server;

/// A policy whose product the operator decides: its id. The partner has asked for its cancellation.
async fn asked_for(here: &Path, base: &str) -> String {
    let partner = DemoPartner::with_token(base).await;
    let catalogue = rating::Catalogue::load(&rating::Files::sample()).expect("the sample");
    let quote = partner.post("/v1/embedded/quote", bodies::quote()).await;
    let items = quote["recommendations"].as_array().expect("items");
    let item = items.iter().find(|item| {
        let id = item["variant_id"].as_str().expect("an id").parse().expect("an id");
        let product = &catalogue.credit_variant(id).expect("of the sample").product;
        item["is_error"] == false && product.decision == domain::proposal::Decision::Operator
    });
    let item = &item.expect("one that the operator decides")["recommendation_id"];
    let made = partner.post("/v1/embedded/proposal", bodies::proposal(&quote["quote_id"], item, "SUBMITTED"));
    let proposal = made.await["proposal_id"].as_str().expect("an id").to_owned();
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
async fn an_operator_confirms_a_cancellation_and_notes_its_refund() {
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
    assert_eq!((code, &cancelled["status"], &cancelled["total"]), (0, &json!("CANCELLED"), &quoted["total"]));
    let (_, shown) = told(here, &["policy", "show", &policy]);
    let words: Vec<&Value> =
        shown["history"].as_array().expect("a list").iter().map(|made| &made["to"]).collect();
    assert_eq!(words, ["CANCELLATION_REQUESTED", "ISSUED", "CANCELLATION_REQUESTED", "CANCELLED"]);

    let (_, owed) = told(here, &["refund", "list"]);
    assert_eq!(
        (&owed["refunds"][0]["refund"], &owed["refunds"][0]["late"]),
        (&quoted["total"], &json!(false))
    );
    let paid = ["refund", "paid", &policy, "--reference", "UTR-9"];
    assert_eq!(told(here, &[&paid[..], &["--amount", "1"]].concat()).0, 1, "another amount is owed");
    let (code, noted) = told(here, &paid);
    assert_eq!((code, &noted["refund"], &noted["interest"]), (0, &quoted["total"], &json!("0.00")));
    assert_eq!(told(here, &paid).0, 0, "the same again changes nothing");
    assert_eq!(told(here, &["refund", "paid", &policy, "--reference", "UTR-10"]).0, 1);
    assert_eq!(told(here, &["refund", "list"]).1["refunds"], json!([]));
    let (code, accounts) = told(here, &["premium", "accounts"]);
    assert_eq!((code, &accounts["sum"]), (0, &json!("0.00")));
}

#[tokio::test]
async fn an_operator_finds_a_policy_by_what_its_customer_names() {
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
    assert_eq!(told(here, &["policy", "find"]).0, 2, "one of the ways is wanted");
}
