//! `covernote import`: records from a file, either all or none (D9, D39; docs/import.md).

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};

use crate::support::bodies::{imported_policy, imported_proposal, with, without};
use crate::support::program::{Server, run, stderr, stdout, token_of};

/// A folder with a store that has one partner, with the partner's credentials.
struct Book {
    here: tempfile::TempDir,
    partner: Value,
}

impl Book {
    fn new() -> Book {
        let here = tempfile::tempdir().expect("a folder");
        let made = ["partner", "create", "A Lender", "--scope", "business", "--legacy-reads", "--json"];
        let made = run(here.path(), &made);
        let partner = serde_json::from_str(&stdout(&made)).expect("credentials");
        Book { here, partner }
    }

    fn path(&self) -> &Path {
        self.here.path()
    }

    /// A record of the partner.
    fn of(&self, record: Value) -> Value {
        with_partner(record, &self.partner["partner_id"])
    }

    fn proposal(&self, quote: usize) -> Value {
        with(self.of(imported_proposal()), "quote_id", json!(format!("Q-{quote}")))
    }

    fn policy(&self, number: usize) -> Value {
        with(self.of(imported_policy()), "policy_number", json!(format!("CN-{number}")))
    }

    /// Imports a file with this text.
    fn import(&self, what: &str, text: impl AsRef<[u8]>) -> Output {
        fs::write(self.path().join("book.jsonl"), text).expect("written");
        run(self.path(), &["import", what, "book.jsonl", "--json"])
    }

    fn rows_of(&self, table: &str) -> i64 {
        let store = self.path().join("covernote-data").join(storage::sqlite::FILE);
        let store = rusqlite::Connection::open(store).expect("the store");
        store.query_row(&format!("select count(*) from {table}"), (), |row| row.get(0)).expect("a table")
    }

    /// Checks that nothing was stored.
    #[track_caller]
    fn has_nothing(&self) {
        let tables = ["proposals", "moves", "policies"];
        assert_eq!(tables.map(|table| self.rows_of(table)), [0; 3]);
    }
}

fn with_partner(mut record: Value, partner: &Value) -> Value {
    record["partner_id"] = partner.clone();
    record
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

#[track_caller]
fn imported(output: &Output, what: &str, number: u64) {
    assert_eq!(output.status.code(), Some(0), "{}", stderr(output));
    let told: Value = serde_json::from_str(&stdout(output)).expect("one JSON object");
    assert_eq!((&told["imported"], &told["what"]), (&json!(number), &json!(what)));
}

/// Checks that the import was refused as faulty data, with exactly these lines and fields, each with a
/// sentence, and nothing on stdout.
#[track_caller]
fn is_faulty(output: &Output, wanted: &[(u64, &str)]) {
    assert_eq!(output.status.code(), Some(65), "{}", stderr(output));
    assert_eq!(stdout(output), "");
    let said = stderr(output);
    let mut found = Vec::new();
    let fault =
        |line: &'_ str| line.trim_start_matches("covernote: ").strip_prefix("line ").map(str::to_owned);
    for line in said.lines().filter_map(fault) {
        let (place, message) = line.split_once(": ").expect("a message");
        let (number, field) = place.split_once(", ").expect("a field");
        let number = number.parse().expect("a line");
        let begins = [
            "Must ",
            "Required: ",
            "Duplicate: the store already has",
            "Duplicate: line ",
            "The line must have at most 1 MiB.",
        ];
        assert!(begins.iter().any(|begins| message.starts_with(begins)), "{message}");
        found.push((number, field.to_owned()));
    }
    let mut wanted: Vec<(u64, String)> =
        wanted.iter().map(|(line, field)| (*line, (*field).to_owned())).collect();
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted, "{said}");
    assert!(said.contains("nothing was imported"), "{said}");
}

#[tokio::test]
async fn imported_records_are_read_by_their_partner() {
    let book = Book::new();
    let client = &book.partner["client_id"];
    // Either id names the partner. Blank lines and a byte order mark are not records.
    let proposals = [book.proposal(1), with_partner(book.proposal(2), client)];
    imported(&book.import("proposals", format!("\u{feff}\n{}\n \r\n", lines(&proposals))), "proposals", 2);
    let policies: Vec<Value> = (0..3).map(|number| book.policy(number)).collect();
    imported(&book.import("policies", lines(&policies).replace('\n', "\r\n")), "policies", 3);
    let server = Server::start(book.path(), &[]);
    let token = token_of(&server.base, &book.partner).await;
    for (path, count) in [("proposals?end_date=2026-11-20", 2), ("policies", 3)] {
        let path = format!("{}/v1/business/health/{path}", server.base);
        let answer = reqwest::Client::new().get(path).bearer_auth(&token).send().await.expect("an answer");
        let page: Value = answer.json().await.expect("JSON");
        assert_eq!(page["count"], count, "{page}");
    }
}

#[test]
fn the_examples_of_the_import_documentation_can_be_imported_unchanged() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/import.md");
    let text = fs::read_to_string(path).expect("the document");
    let blocks = text.split("```json\n").skip(1).map(|block| block.split("```").next().expect("an end"));
    let examples: Vec<Value> = blocks.map(|block| serde_json::from_str(block).expect("JSON")).collect();
    let [proposal, policy] = &examples[..] else { panic!("{} examples", examples.len()) };
    let book = Book::new();
    imported(&book.import("proposals", lines(&[book.of(proposal.clone())])), "proposals", 1);
    imported(&book.import("policies", lines(&[book.of(policy.clone())])), "policies", 1);
    // The documentation describes each field of a record.
    for record in [imported_proposal(), imported_policy()] {
        for field in record.as_object().expect("an object").keys() {
            assert!(text.contains(&format!("`{field}`")), "{field}");
        }
    }
}

#[test]
fn an_empty_file_imports_no_records() {
    let book = Book::new();
    for text in ["", "\n", "\n \n\t\r\n", "\u{feff}"] {
        imported(&book.import("policies", text), "policies", 0);
        imported(&book.import("proposals", text), "proposals", 0);
    }
    book.has_nothing();
}

#[test]
fn every_fault_is_reported_with_its_line_and_nothing_is_imported() {
    let book = Book::new();
    let faulty = [
        book.proposal(1).to_string(),
        with(with(book.proposal(2), "phone", json!("12")), "email", json!("x")).to_string(),
        String::new(),
        "not JSON".to_owned(),
        "[1, 2]".to_owned(),
        without(without(book.proposal(3), "name"), "created_at").to_string(),
        with(book.proposal(4), "created_at", json!("2999-01-01T00:00:00+05:30")).to_string(),
        with(book.proposal(5), "created_at", json!("2026-11-20 10:00")).to_string(),
        with(book.proposal(6), "status", json!("COMPLETED")).to_string(),
        with(book.proposal(7), "gross_premium", json!("9061.99")).to_string(),
        with(book.proposal(8), "form_responses", json!({ "proposer": "x" })).to_string(),
        with(book.proposal(9), "tenure", json!(0)).to_string(),
        with(
            with_id(book.proposal(10), "proposal_id", "pol_01m5vvw3xreqg9aaa1afd2xg99"),
            "session_id",
            json!("x"),
        )
        .to_string(),
        with(book.proposal(11), "insurer_name", json!(" ")).to_string(),
        book.proposal(12).to_string(),
    ];
    is_faulty(
        &book.import("proposals", faulty.join("\n")),
        &[
            (2, "phone"),
            (2, "email"),
            (4, "line"),
            (5, "line"),
            (6, "name"),
            (6, "created_at"),
            (7, "created_at"),
            (8, "created_at"),
            (9, "status"),
            (10, "gross_premium"),
            (11, "form_responses"),
            (12, "tenure"),
            (13, "proposal_id"),
            (13, "session_id"),
            (14, "insurer_name"),
        ],
    );
    book.has_nothing();
}

fn with_id(mut record: Value, field: &str, id: &str) -> Value {
    record[field] = json!(id);
    record
}

#[test]
fn every_fault_of_a_policy_is_reported_at_its_field() {
    let book = Book::new();
    let change = |number, path: &str, value: Value| with(book.policy(number), path, value);
    let faulty = [
        change(1, "issuance_date", json!("2999-01-01")),
        change(2, "expiry_date", json!("2026-11-18")),
        change(3, "sum_insured", json!("a lot")),
        change(4, "status", json!("issued")),
        change(5, "insured_members", json!([])),
        change(6, "insured_members.1.dob", json!("2999-01-01")),
        change(7, "proposer_details.address.pincode", json!("1")),
        change(8, "proposer_details.bank_details.ifsc_code", json!("x")),
        change(9, "nominees.0.nominee_phone", json!("x")),
        change(10, "riders.0.name", json!("")),
        change(11, "policy_number", json!("")),
        without(book.policy(12), "proposer_details"),
        change(13, "insurer_policy_number", json!("a\nb")),
    ];
    is_faulty(
        &book.import("policies", lines(&faulty)),
        &[
            (1, "issuance_date"),
            (2, "expiry_date"),
            (3, "sum_insured"),
            (4, "status"),
            (5, "insured_members"),
            (6, "insured_members[1].dob"),
            (7, "proposer_details.address.pincode"),
            (8, "proposer_details.bank_details.ifsc_code"),
            (9, "nominees[0].nominee_phone"),
            (10, "riders[0].name"),
            (11, "policy_number"),
            (12, "proposer_details"),
            (13, "insurer_policy_number"),
        ],
    );
    book.has_nothing();
}

#[test]
fn a_list_of_3000_import_faults_is_printed_completely() {
    let book = Book::new();
    let faulty: Vec<Value> = (0..3000).map(|number| with(book.policy(number), "tenure", json!(0))).collect();
    let wanted: Vec<(u64, &str)> = (1..=3000).map(|line| (line, "tenure")).collect();
    let told = book.import("policies", lines(&faulty));
    is_faulty(&told, &wanted);
    assert!(stderr(&told).trim_end().ends_with("file: 3000 lines have faults; nothing was imported"));
    book.has_nothing();
}

#[test]
fn an_import_line_with_an_unknown_or_missing_partner_is_a_fault() {
    let book = Book::new();
    let unknown = json!("par_01m5vvw3xreqg9aaa1afd2xg99");
    let faulty = [
        with_partner(book.policy(1), &unknown),
        with_partner(book.policy(2), &json!("nobody")),
        without(book.policy(3), "partner_id"),
        with_partner(book.policy(4), &Value::Null),
        with_partner(book.policy(5), &json!(7)),
    ];
    let wanted: Vec<(u64, &str)> = (1..=5).map(|line| (line, "partner_id")).collect();
    is_faulty(&book.import("policies", lines(&faulty)), &wanted);
    book.has_nothing();
}

#[test]
fn an_id_or_policy_number_that_repeats_in_an_import_file_is_a_fault() {
    let book = Book::new();
    let own = |record: Value, id: &str| with_id(record, "policy_id", id);
    let id = "pol_01m5vvw3xreqg9aaa1afd2xg99";
    let policies = [
        book.policy(1),
        own(book.policy(2), id),
        with(book.policy(1), "tenure", json!(1)),
        own(book.policy(3), id),
        book.policy(4),
        book.policy(4),
    ];
    let told = book.import("policies", lines(&policies));
    is_faulty(&told, &[(3, "policy_number"), (4, "policy_id"), (6, "policy_id"), (6, "policy_number")]);
    assert!(stderr(&told).contains("line 4, policy_id: Duplicate: line 2 has the same value."));
    let proposals = [book.proposal(1), book.proposal(2), book.proposal(1)];
    is_faulty(&book.import("proposals", lines(&proposals)), &[(3, "proposal_id"), (3, "quote_id")]);
    // The insurer's number may repeat, as for a renewed policy. Two partners may use the same numbers of
    // their own.
    let other = run(book.path(), &["partner", "create", "Other Lender", "--json"]);
    let other: Value = serde_json::from_str(&stdout(&other)).expect("credentials");
    let policies = [book.policy(1), book.policy(2), with_partner(book.policy(1), &other["client_id"])];
    imported(&book.import("policies", lines(&policies)), "policies", 3);
}

#[test]
fn no_record_is_imported_twice() {
    let book = Book::new();
    for (what, one, two, three) in [
        ("proposals", book.proposal(1), book.proposal(2), book.proposal(3)),
        ("policies", book.policy(1), book.policy(2), book.policy(3)),
    ] {
        let table = what;
        imported(&book.import(what, lines(&[one.clone(), two.clone()])), what, 2);
        // The same file again, with any line endings.
        let again = lines(&[one.clone(), two.clone()]);
        is_faulty(&book.import(what, &again), &[(1, "line"), (2, "line")]);
        is_faulty(&book.import(what, again.trim_end()), &[(1, "line"), (2, "line")]);
        is_faulty(&book.import(what, again.replace('\n', "\r\n")), &[(1, "line"), (2, "line")]);
        // A new record together with an old one. A blank line counts as a line.
        let mixed = format!("{three}\n\n{two}\n");
        is_faulty(&book.import(what, mixed), &[(3, "line")]);
        assert_eq!(book.rows_of(table), 2);
        imported(&book.import(what, lines(&[three])), what, 1);
        assert_eq!(book.rows_of(table), 3);
    }
}

#[test]
fn an_unreadable_file_is_reported() {
    let book = Book::new();
    fs::create_dir(book.path().join("folder")).expect("made");
    for (file, why) in
        [("missing.jsonl", "No such file"), ("folder", "not a file"), ("/dev/null", "not a file")]
    {
        let refused = run(book.path(), &["import", "policies", file]);
        assert_eq!(refused.status.code(), Some(65), "{}", stderr(&refused));
        let said = stderr(&refused);
        assert!(said.contains(file) && said.contains(why), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    assert_eq!(run(book.path(), &["import", "policies"]).status.code(), Some(2));
    assert_eq!(run(book.path(), &["import", "nonsense", "book.jsonl"]).status.code(), Some(2));
    // Without a store there is no partner for the records. None is created.
    let empty = tempfile::tempdir().expect("a folder");
    fs::write(empty.path().join("book.jsonl"), "").expect("written");
    let refused = run(empty.path(), &["import", "policies", "book.jsonl"]);
    assert_ne!(refused.status.code(), Some(0));
    assert!(!empty.path().join("covernote-data").exists());
}

#[test]
fn a_file_whose_name_is_not_utf8_is_read() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let book = Book::new();
    let name = OsStr::from_bytes(b"b\xfcch.jsonl");
    fs::write(book.path().join(name), lines(&[book.policy(1)])).expect("written");
    let output = crate::support::program::program(book.path())
        .args(["import", "policies"])
        .arg(name)
        .arg("--json")
        .output()
        .expect("the program starts");
    imported(&output, "policies", 1);
}

#[test]
fn bytes_that_are_not_utf8_are_a_fault_of_their_line() {
    let book = Book::new();
    let mut bytes = lines(&[book.policy(1)]).into_bytes();
    let broken = with(book.policy(2), "previous_policy_id", json!("@@")).to_string();
    bytes.extend(broken.bytes().map(|byte| if byte == b'@' { 0xff } else { byte }));
    bytes.extend(b"\n\xff\xfe\n\0\n");
    bytes.extend(lines(&[book.policy(3)]).into_bytes());
    is_faulty(&book.import("policies", bytes), &[(2, "line"), (3, "line"), (4, "line")]);
    book.has_nothing();
}

#[test]
fn a_line_that_is_too_long_is_reported_together_with_other_faults() {
    let book = Book::new();
    let giant = with(book.policy(2), "previous_policy_id", json!("x".repeat(1024 * 1024)));
    let faulty = [
        with(book.policy(1), "tenure", json!(0)).to_string(),
        giant.to_string(),
        "[".repeat(900_000),
        with(book.policy(4), "tenure", json!(0)).to_string(),
        " ".repeat(2 * 1024 * 1024),
        with(book.policy(6), "tenure", json!(0)).to_string(),
    ];
    is_faulty(
        &book.import("policies", faulty.join("\n")),
        &[(1, "tenure"), (2, "line"), (3, "line"), (4, "tenure"), (5, "line"), (6, "tenure")],
    );
    book.has_nothing();
}

#[test]
fn only_one_active_proposal_per_quote_and_variant_can_be_imported() {
    // interface, States, Rule
    let book = Book::new();
    let active = |quote, name: &str| {
        with(with(book.proposal(quote), "status", json!("UNDERWRITING")), "name", json!(name))
    };
    is_faulty(
        &book.import("proposals", lines(&[active(1, "Asha"), active(2, "Bela"), active(1, "Charu")])),
        &[(3, "quote_id")],
    );
    book.has_nothing();
    imported(&book.import("proposals", lines(&[active(1, "Asha"), active(2, "Bela")])), "proposals", 2);
    is_faulty(&book.import("proposals", lines(&[active(3, "Devi"), active(2, "Esha")])), &[(2, "line")]);
    assert_eq!(book.rows_of("proposals"), 2);
    // A rejected proposal does not block another one.
    let rejected = with(active(2, "Farah"), "status", json!("REJECTED"));
    imported(&book.import("proposals", lines(&[rejected])), "proposals", 1);
}

#[test]
fn an_aadhaar_number_in_form_responses_is_masked_at_the_import() {
    // D39
    let book = Book::new();
    let document = |kind: &str, number: &str| json!({ "document_type": kind, "document_number": number });
    let answers = json!({
        "proposer": { "documents": [document("AADHAR", "7391 8462 0573"), document("PAN", "ABCPR1234K")] },
        "insured": { "member_1": { "id": { "proof": document("aadhar", "739184620573") } } },
    });
    let line = with(book.proposal(1), "form_responses", answers);
    imported(&book.import("proposals", lines(&[line])), "proposals", 1);
    let server = Server::start(book.path(), &[]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let shown = runtime.block_on(async {
        let token = token_of(&server.base, &book.partner).await;
        let path = format!("{}/v1/business/health/proposals?end_date=2026-11-20", server.base);
        let answer = reqwest::Client::new().get(path).bearer_auth(token).send().await.expect("an answer");
        answer.json::<Value>().await.expect("JSON")["proposals"][0]["form_responses"].clone()
    });
    assert_eq!(shown["proposer"]["documents"][0]["document_number"], "XXXXXXXX0573");
    assert_eq!(shown["proposer"]["documents"][1]["document_number"], "ABCPR1234K");
    assert_eq!(shown["insured"]["member_1"]["id"]["proof"]["document_number"], "XXXXXXXX0573");
    // A number that cannot be masked is refused.
    let line =
        with(book.proposal(2), "form_responses", json!({ "proposer": document("AADHAR", "7391-8462") }));
    is_faulty(&book.import("proposals", lines(&[line])), &[(1, "form_responses")]);
}

#[test]
fn a_section_that_occurs_twice_in_form_responses_is_a_fault() {
    // One of the two would be lost (D49).
    let book = Book::new();
    let section = |name: &str| json!({ "section_name": name, "response_data": {} });
    let line = with(book.proposal(1), "form_responses", json!([section("a"), section("b"), section("a")]));
    is_faulty(&book.import("proposals", lines(&[line])), &[(1, "form_responses")]);
}

#[test]
fn imported_personal_data_is_in_no_message_and_not_readable_in_the_store() {
    const CANARIES: [&str; 6] = [
        "Canaryvasundhara",
        "7391846205",
        "canary.vasundhara@example.org",
        "Canaryweg 4417",
        "CNRY0441700",
        "canarymyalgia",
    ];
    let [name, phone, email, street, bank, illness] = CANARIES;
    let book = Book::new();
    let mut policy = book.policy(1);
    let mut proposal = book.proposal(1);
    for (path, value) in [
        ("proposer_details.name", name),
        ("proposer_details.phone", phone),
        ("proposer_details.email", email),
        ("proposer_details.address.address_line_1", street),
        ("proposer_details.bank_details.bank_account_number", bank),
        ("insured_members.0.name", name),
        ("insured_members.0.pre_existing_diseases.0", illness),
        ("nominees.0.nominee_name", name),
    ] {
        policy = with(policy, path, json!(value));
    }
    for (path, value) in [
        ("name", name),
        ("phone", phone),
        ("email", email),
        ("form_responses.proposer.name", street),
        ("form_responses.health.member_1.pre_existing_diseases", illness),
        ("status", "CANCELLED"),
        ("cancelled_reason", illness),
    ] {
        proposal = with(proposal, path, json!(value));
    }
    let mut said = String::new();
    let mut hear = |output: Output| said.push_str(&(stdout(&output) + &stderr(&output)));
    hear(book.import("policies", lines(&[policy.clone()])));
    hear(book.import("proposals", lines(&[proposal.clone()])));
    assert_eq!((book.rows_of("policies"), book.rows_of("proposals")), (1, 1));
    hear(book.import("policies", lines(&[policy.clone(), policy.clone()])));
    hear(book.import("proposals", lines(&[proposal.clone()])));
    // The same values, each in the wrong field, and truncated lines.
    for canary in CANARIES {
        for path in [
            "partner_id",
            "policy_type",
            "issuance_date",
            "sum_insured",
            "proposer_details.dob",
            "proposer_details.address.pincode",
            "proposer_details.bank_details.ifsc_code",
            "insured_members.0.dob",
            "nominees.0.nominee_phone",
            "riders",
        ] {
            hear(book.import("policies", lines(&[with(policy.clone(), path, json!(canary))])));
        }
        for path in ["status", "created_at", "net_premium", "form_responses", "tenure", "session_id"] {
            hear(book.import("proposals", lines(&[with(proposal.clone(), path, json!(canary))])));
        }
    }
    for cut in [100, 300, 600, 900] {
        hear(book.import("policies", &policy.to_string()[..cut]));
    }
    assert!(said.contains("nothing was imported"));
    let mut store = Vec::new();
    for file in fs::read_dir(book.path().join("covernote-data")).expect("a store") {
        let file = file.expect("a file").path();
        if file.is_file() {
            store.extend(fs::read(file).expect("bytes"));
        }
    }
    for file in fs::read_dir(book.path().join("covernote-data/audit")).expect("the audit trail") {
        store.extend(fs::read(file.expect("a file").path()).expect("bytes"));
    }
    for canary in CANARIES {
        for (place, bytes) in [("a message", said.as_bytes()), ("the store", &store)] {
            let found = bytes.windows(canary.len()).any(|some| some.eq_ignore_ascii_case(canary.as_bytes()));
            assert!(!found, "{canary} is in {place}");
        }
    }
}

#[test]
fn an_import_leaves_no_bytes_in_the_write_ahead_log() {
    // An import is large, so its write-ahead log is checkpointed at once.
    let book = Book::new();
    let policies: Vec<Value> = (0..500).map(|number| book.policy(number)).collect();
    imported(&book.import("policies", lines(&policies)), "policies", 500);
    let log = book.path().join("covernote-data").join(format!("{}-wal", storage::sqlite::FILE));
    let left = fs::metadata(log).map_or(0, |log| log.len());
    assert_eq!(left, 0, "bytes in the write-ahead log");
}

#[tokio::test]
async fn a_running_server_shows_imported_records_immediately() {
    // The server shows imported records at once.
    let book = Book::new();
    let server = Server::start(book.path(), &[]);
    let token = token_of(&server.base, &book.partner).await;
    let client = reqwest::Client::new();
    let count = async || {
        let path = format!("{}/v1/business/health/policies", server.base);
        let answer = client.get(path).bearer_auth(&token).send().await.expect("an answer");
        answer.json::<Value>().await.expect("JSON")["count"].clone()
    };
    assert_eq!(count().await, 0);
    imported(&book.import("policies", lines(&[book.policy(1), book.policy(2)])), "policies", 2);
    assert_eq!(count().await, 2);
    is_faulty(&book.import("policies", lines(&[book.policy(2)])), &[(1, "line")]);
    assert_eq!(count().await, 2);
}

#[tokio::test]
async fn the_demo_imports_its_sample_records_only_at_its_first_start() {
    let here = tempfile::tempdir().expect("a folder");
    let partner = json!({ "client_id": "demo", "client_secret": "demo-secret" });
    let mut seen = Vec::new();
    for _ in 0..2 {
        let demo = Server::start(here.path(), &["--demo"]);
        let token = token_of(&demo.base, &partner).await;
        let client = reqwest::Client::new();
        let get = async |path: &str| -> Value {
            let path = format!("{}/v1/business/health/{path}", demo.base);
            let answer = client.get(path).bearer_auth(&token).send().await.expect("an answer");
            assert_eq!(answer.status(), 200);
            answer.json().await.expect("JSON")
        };
        let policies = get("policies?limit=100").await;
        let mut proposals = Vec::new();
        for days in ["2026-11-07", "2026-11-14", "2026-11-20"] {
            let page = get(&format!("proposals?end_date={days}&limit=100")).await;
            proposals.extend(page["proposals"].as_array().expect("a list").clone());
        }
        seen.push((policies["policies"].clone(), policies["count"].clone(), json!(proposals)));
    }
    assert_eq!(seen[0], seen[1]);
    let (policies, count, proposals) = &seen[0];
    let sample = |text: &str| text.lines().count();
    let held = sample(include_str!("../../samples/health-policies.jsonl"));
    assert_eq!((policies.as_array().map(Vec::len), count), (Some(held), &json!(held)));
    let statuses: std::collections::BTreeSet<&str> = proposals
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["status"].as_str().expect("text"))
        .collect();
    assert_eq!(statuses.len(), 8, "a proposal of each status: {statuses:?}");
}

#[test]
fn an_import_command_is_executed_by_the_running_server() {
    // D118
    let book = Book::new();
    let server = Server::start(book.path(), &[]);
    let output = book.import("policies", lines(&[book.policy(1), book.policy(2)]));
    imported(&output, "policies", 2);
    let told: Value = serde_json::from_str(&stdout(&output)).expect("one JSON object");
    assert_eq!(told["server"]["process"], json!(server.child.id()), "the server did it");
    is_faulty(&book.import("policies", lines(&[book.policy(2), book.policy(3)])), &[(1, "line")]);
    let entries = stdout(&run(book.path(), &["audit", "list"]));
    assert!(entries.contains("import.policies"), "{entries}");
    let doctor: Value =
        serde_json::from_str(&stdout(&run(book.path(), &["doctor", "--json"]))).expect("findings");
    let findings = doctor["findings"].as_array().expect("a list");
    assert!(findings.iter().any(|finding| finding["what"] == "books" && finding["state"] == "good"));
}
