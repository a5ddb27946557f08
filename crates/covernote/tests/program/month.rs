//! An operator's month as in docs/month.md, at the command line of a server whose clock the test moves. At
//! the end, no work waits for a person.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use domain::proposal::Decision;
use serde_json::{Value, json};

use crate::released;
use crate::support::bodies;
use crate::support::clock::{MovedClock, morning};
use crate::support::demo::{DATA, DemoPartner, told};
use crate::support::program::{Server, run, stderr};

/// The document whose commands are run.
const PAGE: &str = include_str!("../../../../docs/month.md");

/// A demo whose clock the test moves.
struct Month {
    here: tempfile::TempDir,
    clock: MovedClock,
    demo: Server,
    /// The commands that were run, by noun and verb.
    played: BTreeSet<String>,
}

impl Month {
    fn begin(day: &str) -> Month {
        let here = tempfile::tempdir().expect("a folder");
        let (clock, demo) = MovedClock::serve(here.path(), morning(day));
        Month { here, clock, demo, played: BTreeSet::new() }
    }

    fn here(&self) -> &Path {
        self.here.path()
    }

    fn day_is(&self, day: &str) {
        self.clock.set(morning(day));
    }

    /// Runs a command of the page, which must succeed. Returns its JSON.
    #[track_caller]
    fn plays(&mut self, arguments: &[&str]) -> Value {
        let (code, answer) = told(self.here(), arguments);
        assert_eq!(code, 0, "{arguments:?}: {answer}");
        self.played.insert(verb(arguments));
        answer
    }

    /// Runs a command of the page that writes a file or a folder.
    #[track_caller]
    fn writes(&mut self, arguments: &[&str]) {
        let done = run(self.here(), &[arguments, &DATA[..]].concat());
        assert!(done.status.success(), "{arguments:?}: {}", stderr(&done));
        self.played.insert(verb(arguments));
    }

    /// Work that waits for a person: kind and record.
    fn waits(&mut self) -> BTreeSet<(String, String)> {
        let today = self.plays(&["today"]);
        let waiting = today["waiting"].as_array().expect("a list").iter();
        waiting.map(|one| (text(&one["kind"]), text(&one["record"]))).collect()
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// Noun and verb of a command, with aliases replaced.
fn verb(words: &[&str]) -> String {
    let noun = if words[0] == "receipt" { "premium" } else { words[0] };
    let verb = match (noun, words.get(1).copied().unwrap_or_default()) {
        ("doctor" | "today" | "backup", _) => "",
        ("premium", "add") => "receive",
        ("premium", "match") => "settle",
        (_, verb) => verb,
    };
    format!("{noun} {verb}").trim().to_owned()
}

/// Every command in the document.
fn verbs_of_page() -> BTreeSet<String> {
    let commands =
        PAGE.split("covernote ").skip(1).map(|rest| rest.split(['`', '\n']).next().unwrap_or_default());
    let words = commands.map(|command| command.split_whitespace().collect::<Vec<_>>());
    words.filter(|words| !words.is_empty()).map(|words| verb(&words)).collect()
}

/// A home loan with a premium that the partner collects and a decision by the operator. Returns its proposal
/// and premium.
async fn home_loan(partner: &DemoPartner) -> (String, String) {
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
    (text(&made["proposal_id"]), text(&home["total_premium"]))
}

#[tokio::test]
async fn every_command_of_the_documented_month_works_and_no_work_waits_at_the_end() {
    let mut month = Month::begin("2026-11-20");
    let partner = DemoPartner::with_token(&month.demo.base).await;
    // The demo begins with some imported proposals, which the operator rejects.
    for (kind, record) in month.waits() {
        assert_eq!(kind, "proposal", "{record}");
        month.plays(&["proposal", "decide", &record, "--status", "REJECTED", "--reason", "came to nothing"]);
    }
    assert_eq!(month.waits(), BTreeSet::new());

    // Sales: one that is decided at once, one by the operator, and one with a premium that the partner
    // collects.
    let policy = partner.has_policy_called("LN-2026-0001").await;
    let undecided = partner.has_proposal_decided_by(Decision::Operator).await;
    let (loan, due) = home_loan(&partner).await;
    let waiting = month.waits();
    let waits = |kind: &str, record: &str| (kind.to_owned(), record.to_owned());
    for expected in [waits("proposal", &undecided), waits("premium", &loan)] {
        assert!(waiting.contains(&expected), "{expected:?} in {waiting:?}");
    }
    let listed = month.plays(&["proposal", "list", "--status", "PENDING"]);
    assert!(listed.to_string().contains(&undecided), "{listed}");
    for id in [&undecided, &loan] {
        let shown = month.plays(&["proposal", "show", id, "--personal", "--reason", "to decide it"]);
        assert_eq!(&text(&shown["proposal_id"]), id);
    }
    let refused = told(month.here(), &["proposal", "decide", &undecided, "--status", "REJECTED"]);
    assert_eq!(refused.0, 65, "a refusal needs a reason: {}", refused.1);
    month.plays(&["proposal", "decide", &undecided, "--status", "COMPLETED"]);
    month.plays(&["proposal", "decide", &loan, "--status", "COMPLETED"]);

    // The first payment is too high. The excess is refunded.
    let over = due.replace(".00", ".50");
    month.plays(&["receipt", "add", &format!("{loan}={over}"), "--reference", "UTR-2"]);
    assert!(month.waits().contains(&waits("mismatch", &loan)));
    month.plays(&["receipt", "match", &loan, "--how", "apply", "--reference", "TICKET-7"]);
    assert!(month.waits().contains(&waits("premium-refund", &loan)));
    month.plays(&["premium", "refund", &loan, "--reference", "UTR-3"]);
    month.plays(&["premium", "list"]);

    // A customer calls about the first policy, and gives its number.
    let found = month.plays(&["policy", "find", "--reference", "LN-2026-0001"]);
    let number = text(&found["policies"][0]["policy_number"]);
    assert_eq!(
        (&found["policies"][0]["partner_name"], &found["policies"][0]["reference"]),
        (&json!("Demo Lender"), &json!("…0001"))
    );
    assert!(!found.to_string().contains("Asha"), "names are cut short: {found}");
    let shown = month.plays(&["policy", "show", &number]);
    assert_eq!(text(&shown["policy_id"]), policy);
    let shown = month.plays(&["policy", "show", &number, "--personal", "--reason", "the customer calls"]);
    assert_eq!(shown["members"][0]["name"], "Asha K Rao", "{shown}");
    fs::write(
        month.here().join("change.json"),
        r#"{ "kind": "NAME", "member": 1, "name": { "title": "MS", "first_name": "Aasha", "last_name": "Rao" } }"#,
    )
    .expect("written");
    month.plays(&["policy", "endorse", &number, "--change", "change.json", "--quote"]);
    month.plays(&["policy", "endorse", &number, "--change", "change.json"]);
    month.plays(&["policy", "endorsements"]);
    month.writes(&["policy", "certificate", &number, "--reason", "the customer asks", "--out", "newest.pdf"]);
    month.writes(&[
        "policy",
        "certificate",
        &number,
        "1",
        "--reason",
        "the customer asks",
        "--out",
        "first.pdf",
    ]);

    // One customer cancels. For another policy, the partner requests a cancellation, and the insurer confirms
    // it.
    let cancelled = partner.has_policy().await;
    month.plays(&["policy", "cancel", &cancelled, "--reason", "FREE_LOOK", "--quote"]);
    month.plays(&["policy", "cancel", &cancelled, "--reason", "FREE_LOOK"]);
    assert!(month.waits().contains(&waits("refund", &cancelled)));
    let asked = partner.get(&format!("/v1/proposals/{undecided}")).await;
    let asked = text(&asked["policy_id"]);
    let quoted = partner
        .post(&format!("/v1/policies/{asked}/cancellation-quote"), json!({ "reason": "NOT_DISBURSED" }))
        .await;
    let body = json!({ "reason": "NOT_DISBURSED", "refund": quoted["refund"]["total"] });
    partner.post(&format!("/v1/policies/{asked}/cancellation"), body).await;
    assert!(month.waits().contains(&waits("cancellation", &asked)));
    month.plays(&["policy", "list", "--status", "CANCELLATION_REQUESTED"]);
    month.plays(&["policy", "decide", &asked, "--verdict", "confirm"]);
    for policy in [&cancelled, &asked] {
        month.plays(&["refund", "paid", policy, "--reference", &format!("UTR-{policy}")]);
    }
    month.plays(&["refund", "list"]);

    // A death is reported by telephone, and the claim is settled.
    let claimed = month.plays(&[
        "claim",
        "add",
        &number,
        "--kind",
        "DEATH",
        "--event-on",
        "2026-11-20",
        "--cause",
        "Heart attack",
        "--claimant",
        "Ravi Rao",
        "--relation",
        "spouse",
        "--mobile",
        "9876543211",
    ]);
    let claim = text(&claimed["claim_id"]);
    month.day_is("2026-11-25");
    assert!(month.waits().contains(&waits("claim", &claim)));
    month.plays(&["claim", "list"]);
    let shown = month.plays(&["claim", "show", &claim, "--personal", "--reason", "to decide it"]);
    let wanted = shown["papers"].as_array().expect("papers").iter().filter(|paper| paper["required"] == true);
    let waives: Vec<String> =
        wanted.filter_map(|paper| Some(format!("{}=Seen by the branch", paper["id"].as_str()?))).collect();
    month.plays(&["claim", "decide", &claim, "--status", "UNDER_ASSESSMENT"]);
    month.plays(&["claim", "decide", &claim, "--status", "APPROVED", "--amount", "100000"]);
    assert!(month.waits().contains(&waits("claim-payment", &claim)));
    let mut pays = vec!["claim", "paid", &claim, "--reference", "UTR-9"];
    pays.extend(waives.iter().flat_map(|waiver| ["--waive", waiver.as_str()]));
    month.plays(&pays);

    // A customer complains, and gets an answer.
    let complaint = month.plays(&[
        "complaint",
        "add",
        "--kind",
        "SERVICE",
        "--from",
        "Asha Rao, 9876543210",
        "--text",
        "Nobody called.",
        "--policy",
        &number,
    ]);
    let complaint = text(&complaint["complaint_id"]);
    assert!(month.waits().contains(&waits("complaint", &complaint)));
    month.plays(&["complaint", "list"]);
    month.plays(&["complaint", "answer", &complaint, "--outcome", "upheld", "--text", "We call today."]);
    month.plays(&["policy", "due"]);
    let deposits = month.plays(&["deposit", "list"]);
    for (kind, record) in month.waits() {
        if kind == "deposit" {
            let name = deposits["deposits"][0]["name"].as_str().unwrap_or_default().to_owned();
            assert_eq!(record, name);
            month.plays(&["deposit", "top-up", &record, "--amount", "1000000", "--reference", "UTR-20"]);
        }
    }

    // The month is over.
    month.day_is("2026-12-07");
    assert!(month.waits().contains(&waits("month", "2026-11")), "{:?}", month.waits());
    month.writes(&["statement", "draft", "--month", "2026-11", "--out", "look"]);
    month.plays(&["statement", "make", "--month", "2026-11"]);
    let made = month.plays(&["statement", "list", "--month", "2026-11"]);
    let numbers: Vec<String> =
        made["statements"].as_array().expect("a list").iter().map(|one| text(&one["number"])).collect();
    let first = |kind: &str| numbers.iter().find(|number| number.starts_with(kind)).expect("made").clone();
    let (premiums, commission) = (first("PB-"), first("CS-"));
    for number in [&premiums, &commission] {
        let file = format!("{number}.xlsx");
        month.writes(&["statement", "export", number, "--format", "xlsx", "--out", &file]);
    }
    for (kind, record) in month.waits() {
        if kind == "commission" {
            month.plays(&["statement", "paid", &record, "--reference", "HDFCR52026120700001"]);
        }
    }
    month.writes(&["statement", "export", &premiums, "--format", "csv", "--out", "premiums.csv"]);
    let rows = fs::read_to_string(month.here().join("premiums.csv")).expect("text");
    let row = rows.lines().nth(1).and_then(|row| row.split(',').next()).expect("a row");
    fs::write(month.here().join("answer.csv"), format!("row_id,status\n{row},accepted\n")).expect("written");
    month.plays(&["statement", "answer", &premiums, "answer.csv"]);
    month.plays(&["statement", "show", &premiums]);
    month.plays(&["premium", "accounts"]);
    // Only health policies can be renewed. Customers buy them on the journey: tests/api/post_renewal.rs
    // renews them.
    assert_eq!(told(month.here(), &["policy", "renew", &policy, "--quote"]).0, 1);
    month.played.insert("policy renew".to_owned());
    month.writes(&["backup", "month.db", "--verify"]);

    // The demo has nothing for these commands, since premiums that are collected here come from the journey.
    assert_eq!(told(month.here(), &["premium", "remit", &loan, "--reference", "UTR-30"]).0, 1);
    let (_, findings) = told(month.here(), &["doctor"]);
    let waiting =
        findings["findings"].as_array().expect("a list").iter().find(|one| one["what"] == "waiting");
    assert_eq!(waiting.expect("looked at")["state"], "good", "{findings}");
    month.plays(&["operator", "show"]);
    month.played.extend(["doctor", "premium remit"].map(str::to_owned));

    assert_eq!(month.waits(), BTreeSet::new(), "nothing waits for a person");
    let unplayed: Vec<_> = verbs_of_page().difference(&month.played).cloned().collect();
    assert_eq!(unplayed, Vec::<String>::new(), "the page has commands that are not played");
    released::write(month.here());
}
