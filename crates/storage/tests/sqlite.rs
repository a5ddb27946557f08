//! Rules of the SQLite engine alone: files, keyring, schema, and no personal data in clear text.
#![allow(unreachable_pub, dead_code, clippy::unwrap_used, reason = "a test binary")]

#[path = "support/book.rs"]
mod book;
#[path = "support/lists.rs"]
mod lists;
#[path = "contract/premiums.rs"]
mod premiums;
#[path = "contract/sample.rs"]
mod sample;

use domain::credit_life::{CreditLife, ProposalStatus};
use domain::premium::PaymentReference;
use domain::proposal::{Actor, Move};
use domain::text::FromText;
use ports::keys::KeyPurpose;
use ports::storage::partners::ClockChange;
use ports::storage::premiums::{Premiums, ReceiptKept};
use ports::storage::{
    Audit, EmbeddedQuotes, Fact, Installation, Kept, Keys, Moved, Partners, ProposalAct, ProposalOwners,
    Proposals, StorageError, TokenCount,
};
use premiums::{keep, owing};
use sample::{At, id, issue, now, proposal, quote, random, receipt, response, sqlite, sqlite_in};
use std::sync::Arc;
use storage::sqlite::FILE;
use storage::{Keyring, OpenError, Opening, Sqlite};

#[test]
fn the_bundled_sqlite_is_new_enough_for_a_sound_write_ahead_log() {
    assert!(rusqlite::version_number() >= 3_051_003, "{}", rusqlite::version());
}

#[tokio::test]
async fn stored_records_are_there_when_the_store_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let quote = quote(id());
    let store = sqlite_in(folder.path());
    store.keep_embedded_quote(&quote, None).await.unwrap();
    drop(store);
    let store = sqlite_in(folder.path());
    assert_eq!(store.embedded_quote(quote.partner, quote.id).await.unwrap(), Some(quote));
}

#[test]
fn a_store_does_not_open_with_the_keyring_of_another_store() {
    let (folder, store) = sqlite();
    drop(store);
    let other = folder.path().join("other");
    Keyring::read_or_make(&other, &Nines).unwrap();
    let refused = Sqlite::open(folder.path(), &other, Arc::new(At(now())), random()).err().unwrap();
    assert!(refused.to_string().contains("belongs to another store"), "{refused}");
}

#[test]
fn a_missing_keyring_is_reported_and_not_created_again() {
    let (folder, store) = sqlite();
    drop(store);
    let keyring = folder.path().join("keyring");
    std::fs::remove_file(&keyring).unwrap();
    let refused = Sqlite::open(folder.path(), &keyring, Arc::new(At(now())), random()).err().unwrap();
    assert!(matches!(refused, OpenError::Keyring(_)), "{refused}");
    assert!(!keyring.exists());
}

struct Nines;
impl ports::clock::Random for Nines {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(9);
    }
}

#[tokio::test]
async fn a_closed_store_is_complete_in_one_file() {
    let (folder, store) = sqlite();
    let quote = quote(id());
    store.keep_embedded_quote(&quote, None).await.unwrap();
    store.close().await.unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    for file in [FILE, "keyring"] {
        std::fs::copy(folder.path().join(file), elsewhere.path().join(file)).unwrap();
    }
    let copy = sqlite_in(elsewhere.path());
    assert_eq!(copy.embedded_quote(quote.partner, quote.id).await.unwrap(), Some(quote));
}

#[test]
fn a_store_of_a_newer_program_is_refused() {
    let (folder, store) = sqlite();
    drop(store);
    let connection = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    let newer = "insert into migrations (number, name, applied_at) values (999, 'newer', 0)";
    connection.execute(newer, ()).unwrap();
    drop(connection);
    let keyring = folder.path().join("keyring");
    let refused = Sqlite::open(folder.path(), &keyring, Arc::new(At(now())), random()).err().unwrap();
    let newer =
        matches!(&refused, OpenError::Store(StorageError::Damaged(why)) if why.contains("newer covernote"));
    assert!(newer, "{refused}");
}

#[tokio::test]
async fn unsealed_bank_references_of_an_older_version_are_found_and_then_sealed() {
    // D134
    let (folder, store) = sqlite();
    let proposal = owing(&store).await;
    let receipt = receipt(&proposal, proposal.premium.total());
    assert!(keep(&store, &receipt).await.is_new());
    let connection = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    let as_before = "update receipts set reference = 'UTR-1', sealed = null;
        update receipt_lines set reference = 'UTR-1';
        update ledger set reference = 'UTR-1', sealed = null;
        insert into payments (reference, paid_for, noted_at) values ('UTR-2', 'clm_1', 0);";
    connection.execute_batch(as_before).unwrap();
    let mut lower = receipt.clone();
    lower.reference = PaymentReference::from_text("utr-1").unwrap();
    for written in [&receipt, &lower] {
        assert!(matches!(keep(&store, written).await, ReceiptKept::Twin(_)));
    }
    assert!(store.seal_references().await.unwrap() > 0);
    assert_eq!(store.seal_references().await.unwrap(), 0);
    let in_clear = "select (select count(*) from receipts where reference like 'UTR%')
        + (select count(*) from receipt_lines where reference like 'UTR%')
        + (select count(*) from ledger where reference like 'UTR%')
        + (select count(*) from payments where reference like 'UTR%')";
    let in_clear: i64 = connection.query_row(in_clear, (), |row| row.get(0)).unwrap();
    assert_eq!(in_clear, 0);
    assert!(matches!(keep(&store, &lower).await, ReceiptKept::Twin(_)));
    let found = store.receipts_of(proposal.partner, proposal.id).await.unwrap();
    assert_eq!(found[0].reference, "UTR-1");
}

#[tokio::test]
async fn the_store_files_contain_no_personal_data_in_clear_text() {
    let (folder, store) = sqlite();
    let proposal = proposal(id(), ProposalStatus::Completed);
    let (issue, response) = (issue(&proposal), response(1, b"answer for asha@example.com"));
    store
        .keep_proposal(
            &proposal,
            ProposalAct { issue: Some(&issue), response: Some(&response), ..ProposalAct::of(&[]) },
        )
        .await
        .unwrap();
    store.keep_embedded_quote(&quote(id()), None).await.unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        for secret in ["asha@example.com", "9876543210", "आशा", "MG Road", "560038", "0124", "%PDF", "500000"]
        {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{secret} lies in clear");
        }
    }
}

#[tokio::test]
async fn the_body_of_an_embedded_quote_takes_less_than_400_bytes() {
    let (folder, store) = sqlite();
    let of = id();
    for _ in 0..2000 {
        store.keep_embedded_quote(&quote(of), None).await.unwrap();
    }
    drop(store);
    let connection = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    let body: i64 =
        connection.query_row("select max(length(body)) from embedded_quotes", (), |row| row.get(0)).unwrap();
    assert!(body < 400, "{body} bytes a body");
}

#[tokio::test]
async fn two_open_stores_on_one_folder_can_both_write() {
    let folder = tempfile::tempdir().unwrap();
    let (server, command) = (sqlite_in(folder.path()), sqlite_in(folder.path()));
    let of = id();
    for _ in 0..50 {
        let (one, other) = (quote(of), quote(of));
        let (kept, also) =
            tokio::join!(server.keep_embedded_quote(&one, None), command.keep_embedded_quote(&other, None));
        kept.unwrap();
        also.unwrap();
        assert!(server.embedded_quote(of, other.id).await.unwrap().is_some());
    }
}

#[test]
fn an_unfinished_keyring_file_does_not_stop_the_first_start() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("keyring.new"), "covernote key").unwrap();
    drop(sqlite_in(folder.path()));
    assert!(!folder.path().join("keyring.new").exists());
}

#[tokio::test]
async fn a_key_for_an_unknown_purpose_of_a_newer_program_is_ignored() {
    let (folder, store) = sqlite();
    let newer = "insert into keys (number, purpose, wrapped, created_at, active_from) values (99, 'of the future', x'00', 0, 0)";
    rusqlite::Connection::open(folder.path().join(FILE)).unwrap().execute(newer, ()).unwrap();
    assert_eq!(store.keys().await.unwrap().len(), KeyPurpose::ALL.len());
}

#[tokio::test]
async fn token_limits_idempotency_keys_and_moves_hold_across_two_processes() {
    // D6, D28, D36
    let folder = tempfile::tempdir().unwrap();
    let stores = [sqlite_in(folder.path()), sqlite_in(folder.path())];
    let partner = sample::partner();
    stores[0].add_partner(&partner, &sample::secret(1)).await.unwrap();
    let mut counted = 0;
    for n in 0..20 {
        let count = stores[n % 2].count_token(partner.id, sample::later(n as i64), 7).await.unwrap();
        counted += usize::from(matches!(count, TokenCount::Counted { .. }));
    }
    assert_eq!(counted, 7);

    let (first, second) = (quote(partner.id), quote(partner.id));
    let (one, other) = (response(1, b"one"), response(1, b"other"));
    let (kept, also) = tokio::join!(
        stores[0].keep_embedded_quote(&first, Some(&one)),
        stores[1].keep_embedded_quote(&second, Some(&other))
    );
    let mut both = [kept.unwrap(), also.unwrap()];
    both.sort_by_key(|kept| *kept == Kept::Twin);
    assert_eq!(both, [Kept::New, Kept::Twin]);

    for _ in 0..20 {
        let proposal = proposal(partner.id, ProposalStatus::Pending);
        stores[0].keep_proposal(&proposal, ProposalAct::<CreditLife>::of(&[])).await.unwrap();
        let made = |to| {
            [Move { at: now(), by: Actor::Partner, from: Some(ProposalStatus::Pending), to, reason: None }]
        };
        let (completed, rejected) = (made(ProposalStatus::Completed), made(ProposalStatus::Rejected));
        let issue = issue(&proposal);
        let (of, which, from) = (partner.id, proposal.id, ProposalStatus::Pending);
        let (one, other) = tokio::join!(
            stores[0].move_proposal(
                of,
                which,
                from,
                ProposalAct::<CreditLife> { issue: Some(&issue), ..ProposalAct::of(&completed) }
            ),
            stores[1].move_proposal(of, which, from, ProposalAct::<CreditLife>::of(&rejected)),
        );
        let won = [one.unwrap(), other.unwrap()].iter().filter(|moved| **moved == Moved::Won).count();
        assert_eq!(won, 1);
    }
}

#[test]
fn no_read_of_a_record_scans_all_records_of_a_partner() {
    // A partner may import millions of policies. Only an operator's list is sorted by time, newest first, and
    // stops early.
    let (folder, _store) = sqlite();
    let store = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    let mut seen = 0;
    for table in [
        "policies",
        "policy_moves",
        "proposals",
        "moves",
        "lists",
        "health_quotes",
        "journeys",
        "tags",
        "claims",
        "claim_papers",
        "complaints",
        "deliveries",
        "personal_data",
        "events",
        "statements",
        "statement_months",
        "statement_parts",
        "statement_answers",
    ] {
        let statements = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sql").join(table);
        for file in std::fs::read_dir(statements).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let is_anothers = path.to_string_lossy().ends_with(".postgres.sql");
            // These lists are sorted by time, have an index of open rows only, or grow by a dozen rows a
            // year.
            let lists = [
                "proposals/list.sql",
                "complaints/list.sql",
                "open.sql",
                "unfinished.sqlite.sql",
                "of_partner.sql",
                "personal_data/holds.sql",
                "personal_data/erasures.sql",
                "statement_answers/rejected.sql",
                // Executed once, when a clock was corrected.
                "bring_forward.sql",
            ];
            let is_operators = lists.iter().any(|list| path.to_string_lossy().ends_with(list));
            if is_anothers || text.contains("insert into") || is_operators {
                continue;
            }
            for text in lists::filled(&text, "policies", "issued_at", "policy_id", "line = 2") {
                let mut plan = store.prepare(&format!("explain query plan {text}")).unwrap();
                let values = vec![rusqlite::types::Null; plan.parameter_count()];
                let steps = plan.query_map(rusqlite::params_from_iter(values), |row| row.get::<_, String>(3));
                let steps: Vec<String> = steps.unwrap().map(Result::unwrap).collect();
                // A reference has few records. Its tags find them, and then each is read.
                let by_tag = path.to_string_lossy().contains("of_tags");
                assert!(!by_tag || steps[0].starts_with("SEARCH t "), "{}: {steps:?}", path.display());
                for step in steps {
                    // Rows that an earlier part of the statement found are few, and so are partners.
                    let few =
                        ["found", "theirs", "credit", "health", "due", "partners", "owners", "CONSTANT ROW"];
                    let is_table = !step.starts_with("SCAN (subquery")
                        && !few.iter().any(|few| step.strip_prefix("SCAN ") == Some(few));
                    assert!(!step.starts_with("SCAN") || !is_table, "{}: {step}", path.display());
                    assert!(!step.ends_with("(partner_id=?)"), "{}: {step}", path.display());
                    assert!(!step.ends_with("(partner_id=? AND line=?)"), "{}: {step}", path.display());
                }
            }
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn no_list_filter_scans_or_sorts_all_records_of_a_large_partner() {
    let here = tempfile::tempdir().unwrap();
    drop(sqlite_in(here.path()));
    let store = rusqlite::Connection::open(here.path().join(storage::sqlite::FILE)).unwrap();
    let id = |nth: &str, kind: &str| format!("unhex(printf('%016x%016x', {nth}, {kind}))");
    let constant = |hex: &str| format!("x'{hex}'");
    let rows = format!(
        "(with recursive n(nth) as (select 1 union all select nth + 1 from n where nth < {}) select nth from n)",
        book::ROWS
    );
    store.execute_batch("begin").unwrap();
    for text in book::fill(id, constant, "x''", &rows) {
        store.execute_batch(&text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    }
    store.execute_batch("commit").unwrap();
    for (name, file, values) in book::LISTS {
        let mut text = book::statement(file, "sqlite");
        for (index, value) in values.iter().enumerate().rev() {
            text = text.replace(&format!("${}", index + 1), &value.written(constant, ["1", "0"]));
        }
        let mut list = store.prepare(&text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let found = list.query_map((), |_| Ok(())).unwrap().count();
        let [steps, sorts, scans] = [
            rusqlite::StatementStatus::VmStep,
            rusqlite::StatementStatus::Sort,
            rusqlite::StatementStatus::FullscanStep,
        ]
        .map(|status| list.get_status(status));
        // SQLite executes a few dozen instructions for each row that it reads.
        let mut plan = store.prepare(&format!("explain query plan {text}")).unwrap();
        let plan: Vec<String> = plan.query_map((), |row| row.get(3)).unwrap().map(Result::unwrap).collect();
        let allowed = 60 * (book::LEFT_OUT as i32 + found as i32);
        assert!(
            steps < allowed && sorts == 0 && scans < 100,
            "{name}: {found} rows, {steps} steps, {sorts} sorts, {scans} scanned, {plan:?}"
        );
    }
}

#[test]
fn the_events_of_a_subject_are_found_through_the_index_of_subjects() {
    let here = tempfile::tempdir().unwrap();
    drop(sqlite_in(here.path()));
    let store = rusqlite::Connection::open(here.path().join(storage::sqlite::FILE)).unwrap();
    let list = include_str!("../sql/events/list_of_subject.sql");
    let mut plan = store.prepare(&format!("explain query plan {list}")).unwrap();
    let values = vec![rusqlite::types::Null; plan.parameter_count()];
    let steps = plan.query_map(rusqlite::params_from_iter(values), |row| row.get::<_, String>(3)).unwrap();
    let steps: Vec<String> = steps.map(Result::unwrap).collect();
    assert!(steps[0].contains("events_by_subject (partner_id=? AND subject_id=?)"), "{steps:?}");
    assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{steps:?}");
}

/// Migration such as the next release may have: it changes nothing that this program reads or writes.
const WIDENED: &str = "alter table proposals add column channel text; \
     alter table partners add column segment text; \
     create table channels (partner_id blob primary key) strict;";

#[tokio::test]
async fn an_older_program_does_not_overwrite_data_of_a_newer_program() {
    let (folder, store) = sqlite();
    let partner = sample::partner();
    store.add_partner(&partner, &sample::secret(1)).await.unwrap();
    let proposal = proposal(partner.id, ProposalStatus::Draft);
    store.keep_proposal(&proposal, ProposalAct::<CreditLife>::of(&[])).await.unwrap();
    let newer = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    newer.execute_batch(WIDENED).unwrap();
    newer.execute("update proposals set channel = 'kiosk'", ()).unwrap();
    newer
        .execute("update partners set segment = 'gold', scopes = scopes || ' business.claim.write'", ())
        .unwrap();

    // The older program continues: it reads, and it writes the columns that it knows.
    assert_eq!(store.proposal(partner.id, proposal.id).await.unwrap(), Some(proposal.clone()));
    let moves = [Move {
        at: now(),
        by: Actor::Partner,
        from: Some(ProposalStatus::Draft),
        to: ProposalStatus::Pending,
        reason: None,
    }];
    let moved = store
        .move_proposal(partner.id, proposal.id, ProposalStatus::Draft, ProposalAct::<CreditLife>::of(&moves))
        .await;
    assert_eq!(moved.unwrap(), Moved::Won);
    let renamed = domain::partner::Partner { name: "Another name".into(), ..partner.clone() };
    assert!(store.change_partner(&renamed, ClockChange::Keep).await.unwrap());

    let one = |read: &str| newer.query_row(read, (), |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(one("select channel from proposals where status = 1"), "kiosk");
    assert_eq!(one("select segment from partners where name = 'Another name'"), "gold");
    let scopes = one("select scopes from partners");
    assert!(scopes.ends_with(" business.claim.write"), "{scopes}");
    let read = store.partners().await.unwrap();
    assert_eq!(read[0].partner, renamed, "it grants what it knows");
}

#[tokio::test]
async fn a_record_with_an_unknown_code_of_a_newer_program_gives_an_away_fault() {
    let (folder, store) = sqlite();
    let proposal = proposal(id(), ProposalStatus::Pending);
    store.keep_proposal(&proposal, ProposalAct::<CreditLife>::of(&[])).await.unwrap();
    let newer = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    newer.execute("update proposals set status = 200", ()).unwrap();
    let read = Proposals::<CreditLife>::proposal(&store, proposal.partner, proposal.id).await;
    assert!(matches!(read, Err(StorageError::Away(_))), "another process may answer: {read:?}");
    newer.execute("update proposals set status = 1, line = 200", ()).unwrap();
    let owner = store.owner_of_proposal(proposal.id).await;
    assert!(matches!(owner, Err(StorageError::Away(_))), "{owner:?}");
}

/// Size of a store's log, and when it was last changed.
fn log(folder: &std::path::Path) -> (u64, std::time::SystemTime) {
    let found = std::fs::metadata(folder.join(format!("{FILE}-wal"))).unwrap();
    (found.len(), found.modified().unwrap())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_does_not_rewrite_the_log_and_an_idle_server_truncates_it() {
    let (folder, store) = sqlite();
    let store = Arc::new(store);
    // A reader of older data prevents the log from starting again, as a backup does.
    let reader = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    store.remember(Fact::BaseUrl, "https://cover.example").await.unwrap();
    reader.execute_batch("begin").unwrap();
    reader.query_row("select count(*) from facts", (), |row| row.get::<_, i64>(0)).unwrap();
    // SQLite writes no page that does not change.
    let value = |number: u8| char::from(b'A' + number).to_string().repeat(1 << 20);
    for number in 0..40 {
        store.remember(Fact::BaseUrl, &value(number)).await.unwrap();
    }
    let (size, changed) = log(folder.path());
    assert!(size > 40 << 20, "{size}");
    let opening = Opening { is_server: false, ..Opening::from(&folder.path().join("keyring")) };
    let command = Sqlite::open(folder.path(), opening, Arc::new(At(now())), random()).unwrap();
    assert_eq!(command.remembered(Fact::BaseUrl).await.unwrap(), Some(value(39)));
    drop(command);
    assert_eq!(log(folder.path()), (size, changed), "a command rewrote the log");
    reader.execute_batch("commit").unwrap();
    let watched = store.clone();
    tokio::spawn(async move { watched.is_lost().await });
    let began = std::time::Instant::now();
    while log(folder.path()).0 > 1 << 20 {
        assert!(began.elapsed() < std::time::Duration::from_secs(20), "the log stays large");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    store.remember(Fact::BaseUrl, "https://cover.example").await.unwrap();
}

/// Faults of an audit trail with five entries and their heads, after someone changed the file.
async fn faults_after(change: &str) -> Vec<String> {
    let (folder, store) = sqlite();
    for nth in 1..=5 {
        store.note("policy.reveal", &format!("pol_{nth}")).await.unwrap();
    }
    let heads = store.audit_heads().await.unwrap();
    let file = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    file.execute_batch(change).unwrap();
    let cut = store.cut_chains(&heads).await.unwrap();
    let is_cut = change.contains("number > 3") || change == "delete from audit";
    assert_eq!(!cut.is_empty(), is_cut, "{change}: {cut:?}");
    store.verify_audit(&heads).await.unwrap().faults
}

#[tokio::test]
async fn changed_moved_and_deleted_entries_of_the_audit_trail_are_found() {
    // D119
    for (change, found) in [
        ("delete from audit where number = 3", "audit entries 3 to 3 are missing"),
        ("update audit set subject = 'pol_9' where number = 2", "audit entry 2 was changed or moved"),
        ("update audit set actor = 'uid:0' where number = 5", "audit entry 5 was changed or moved"),
        (
            "update audit set number = 9 where number = 2; update audit set number = 2 where number = 3;
             update audit set number = 3 where number = 9",
            "audit entry 2 was changed or moved",
        ),
        (
            "update audit set number = number + 10 where number > 3; update audit set number = number - 9 where number > 3;
             insert into audit select slot, 4, entered_at, actor, via, action, change, subject, session, request_id,
             approval, reason, key_number, hash from audit where number = 1",
            "audit entry 4 was changed or moved",
        ),
        ("delete from audit where number > 3", "ends with entry 3, but had entry 5"),
        ("delete from audit", "ends with entry 0, but had entry 5"),
    ] {
        let faults = faults_after(change).await;
        assert!(faults.iter().any(|fault| fault.contains(found)), "{change}: {faults:?}");
    }
    assert_eq!(faults_after("select 1").await, [""; 0]);
}

#[tokio::test]
async fn an_act_changes_nothing_if_its_audit_entry_cannot_be_written() {
    // D119
    let (folder, store) = sqlite();
    let file = rusqlite::Connection::open(folder.path().join(FILE)).unwrap();
    file.execute_batch("create trigger refuse before insert on audit begin select raise(abort, 'no'); end")
        .unwrap();
    assert!(store.add_partner(&sample::partner(), &sample::secret(1)).await.is_err());
    assert_eq!(file.query_row("select count(*) from partners", (), |row| row.get(0)), Ok(0));
}
