//! `covernote verify` on both engines: an intact store has no fault, and each damage is found.
#![allow(unreachable_pub, dead_code, clippy::unwrap_used, reason = "a test binary")]

#[path = "support/cluster.rs"]
mod cluster;
#[path = "support/columns.rs"]
mod columns;
#[path = "contract/complaints.rs"]
mod complaints;
#[path = "contract/full.rs"]
mod full;
#[path = "contract/health_sample.rs"]
mod health_sample;
#[path = "contract/personal_data.rs"]
mod personal_data;
#[path = "support/released.rs"]
mod released;
#[path = "contract/sample.rs"]
mod sample;
#[path = "contract/statements.rs"]
mod statements;
#[path = "contract/team.rs"]
mod team;
#[path = "contract/webhooks.rs"]
mod webhooks;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cluster::cluster;
use columns::{Column, Planted, UNVERIFIED, planted};
use domain::id::{PartnerId, Uuid};
use full::full;
use ports::storage::personal_data::{Removed, RemovedKind};
use ports::storage::{Fact, PersonalData, Storage};
use rusqlite::Connection;
use sample::{At, now, random, sqlite_in};
use storage::postgres::Database;
use storage::snapshot::Snapshot;
use storage::verify::{Scope, Verified};
use storage::{Keyring, Postgres};

/// Damage as SQL, in which some words differ between the engines, with the record, rule and values that the
/// fault must name.
struct Damage {
    sql: String,
    record: &'static str,
    rule: &'static str,
    values: &'static str,
}

const fn of(sql: String, record: &'static str, rule: &'static str, values: &'static str) -> Damage {
    Damage { sql, record, rule, values }
}

const CLOSED: &str = "expected readable content, found an encrypted value cannot be decrypted";
const NONE: &str = "expected a record, found none";

/// Sealed columns in which the tests flip a byte.
const SEALED: [(&str, &str, &str); 29] = [
    ("embedded_quotes", "body", "embedded_quotes quo_"),
    ("proposals", "body", "proposals pro_"),
    ("moves", "reason", "moves pro_"),
    ("proposals", "reason", "proposals pro_"),
    ("policy_moves", "reason", "policy_moves pol_"),
    ("policies", "body", "policies pol_"),
    ("policies", "certificate", "policies pol_"),
    ("replaced_certificates", "certificate", "replaced_certificates pol_"),
    ("kept_responses", "body", "kept_responses 0101"),
    ("health_quotes", "body", "health_quotes quo_"),
    ("health_quotes", "outcome", "health_quotes quo_"),
    ("health_outcomes", "body", "health_outcomes quo_"),
    ("sessions", "body", "sessions ses_"),
    ("journeys", "body", "journeys 0192f3a1-"),
    ("premiums", "proof", "premiums pro_"),
    ("tags", "named", "tags "),
    ("receipts", "sealed", "receipts "),
    ("ledger", "sealed", "ledger "),
    ("payments", "sealed", "payments "),
    ("claims", "body", "claims clm_"),
    ("claim_moves", "reason", "claim_moves clm_"),
    ("claim_papers", "body", "claim_papers doc_"),
    ("claim_parts", "body", "claim_papers doc_"),
    ("complaints", "body", "complaints cmp_"),
    ("holds", "reason", "holds pol_"),
    ("operators", "body", "operators opr_"),
    ("approvals", "body", "approvals apr_"),
    ("work_items", "body", "work_items complaint:cmp_"),
    ("operator_secrets", "body", "operator_secrets opr_"),
];

/// Other damages. `{blob}` is a blob of one zero byte, `{id}` an id, `{false}` a boolean.
const OTHERS: &[(&str, &str, &str, &str)] = &[
    ("update catalogues set files = {blob}", "catalogues ", "hash of the catalogue's files", "expected"),
    ("delete from catalogues", " ", "catalogue version", "found none"),
    ("delete from policies where line = 1", "proposals pro_", "its policy", "expected one, found none"),
    ("delete from policies where line = 2", "proposals pro_", "its policy", "expected one, found none"),
    (
        "update proposals set status = 3 where status = 2",
        "proposals pro_",
        "status after the last status change",
        "expected 2, found 3",
    ),
    ("update proposals set status = 3 where status = 2", "proposals pro_", "content", CLOSED),
    (
        "update proposals set status = 99 where status = 1",
        "proposals pro_",
        "content",
        "a newer covernote wrote this record",
    ),
    ("update proposals set line = 99", "proposals pro_", "columns", "a newer covernote wrote this record"),
    ("delete from moves", "proposals pro_", "status after the last status change", "expected none, found"),
    (
        "update moves set sequence = 9",
        "moves pro_",
        "sequence number of the status change",
        "expected 1, found 9",
    ),
    ("update policy_moves set from_state = 4", "policy_moves pol_", "content", CLOSED),
    (
        "delete from proposals where status = 2",
        "policies pol_",
        "status of the policy's proposal",
        "expected 2, found none",
    ),
    (
        "delete from proposals where status = 5",
        "policies pol_",
        "status of the policy's proposal",
        "expected 5, found none",
    ),
    ("delete from proposals where status = 1", "jobs 0192f3a1-", "record of the decision job", NONE),
    (
        "delete from proposals where status = 1",
        "moves pro_",
        "line of business of the proposal",
        "expected none, found credit-life",
    ),
    (
        "update moves set line = 2 where line = 1",
        "moves pro_",
        "line of business of the proposal",
        "expected credit-life, found health",
    ),
    ("update policies set policy_id = {id} where line = 1 and state = 1", "pol_", "content", CLOSED),
    (
        "update policies set state = 1 where state = 3",
        "policies pol_",
        "state after the last status change",
        "expected CANCELLED, found ISSUED",
    ),
    ("update policies set certificate = null", "policies pol_", "certificate", NONE),
    (
        "update policies set certificate_version = 1 where certificate_version = 2",
        "policies pol_",
        "version of the certificate",
        "expected 2, found 1",
    ),
    ("delete from replaced_certificates", "policies pol_", "replaced certificates", "expected 1, found 0"),
    (
        "update replaced_certificates set replaced_at = 1",
        "policies pol_",
        "time at which the certificate was replaced",
        "found 1970",
    ),
    (
        "delete from policy_moves",
        "policies pol_",
        "state after the last status change",
        "expected ISSUED, found CANCELLED",
    ),
    ("delete from policies where state = 3", "policy_moves pol_", "its policy", NONE),
    ("delete from policies where state = 3", "claims clm_", "its policy", NONE),
    ("delete from claims", "policies pol_", "claims", "expected 1, found 0"),
    ("delete from claims", "claim_papers doc_", "its claim", NONE),
    ("delete from claims", "claim_moves clm_", "its claim", NONE),
    (
        "delete from claim_moves",
        "claims clm_",
        "state after the last status change",
        "expected none, found INTIMATED",
    ),
    (
        "update claims set state = 2",
        "claims clm_",
        "state after the last status change",
        "expected INTIMATED, found UNDER_ASSESSMENT",
    ),
    ("delete from claim_papers", "claims clm_", "bytes of the claim's documents", "expected 0, found 16"),
    ("delete from claim_papers", "claim_parts doc_", "its paper", NONE),
    (
        "delete from claim_parts where number = 1",
        "claim_papers doc_",
        "bytes of the file's parts",
        "expected 16, found",
    ),
    ("update claim_papers set is_whole = {false}", "claim_papers doc_", "content", CLOSED),
    ("delete from tags", "proposals pro_", "tag of the record's mobile", NONE),
    ("update tags set tag = {random}", "tags ", "tag", "found another hash"),
    ("update receipts set reference = 'UTR-1'", "receipts UTR-1", "reference", "found another hash"),
    ("update payments set reference = 'UTR-1'", "payments UTR-1", "reference", "found another hash"),
    ("delete from proposals where status = 1", "tags ", "its record", NONE),
    ("update events set type = 1", "events evt_", "content", CLOSED),
    ("update events set sequence = sequence + 10", "event_counts ", "newest event", "expected 1, found 11"),
    (
        "delete from events where sequence = 2",
        "event_counts ",
        "number of events from the oldest",
        "expected 3, found 2",
    ),
    ("delete from event_counts", "events evt_", "count of the subject's events", NONE),
    ("delete from jobs where kind = 0", "health_quotes quo_", "its job", NONE),
    (
        "delete from health_quotes where outcome is null",
        "health_outcomes quo_",
        "unfinished quote of the outcomes",
        NONE,
    ),
    (
        "delete from health_quotes where outcome is null",
        "jobs 0192f3a1-",
        "record of the recommendation job",
        NONE,
    ),
    (
        "update day_counts set number = number + 1 where kind = 0",
        "day_counts par_",
        "count of health quotes",
        "expected 2, found",
    ),
    (
        "delete from day_counts where kind = 12 and day = 20261120",
        "20261120",
        "count of health policies",
        "expected 2, found 0",
    ),
    (
        "update day_counts set day = 20200101 where kind = 0",
        "20200101",
        "count of health quotes",
        "expected 0, found 2",
    ),
    (
        "update session_counts set number = 7 where kind = 0",
        "session_counts ses_",
        "count of health quotes",
        "expected 2, found 7",
    ),
    ("delete from session_counts where kind = 0", "session_counts ses_", "count of health quotes", NONE),
    ("update premiums set received = received + 1", "premiums pro_", "content", CLOSED),
    ("delete from ledger where entry = 2", "policies pol_", "premium in the ledger", "found ₹0.00"),
    ("delete from ledger where entry = 3", "premiums pro_", "received amount in the ledger", "found ₹0.00"),
    ("delete from ledger where entry = 3", "receipts ", "receipt in the ledger", "found ₹0.00"),
    ("delete from ledger where entry = 10", "policies pol_", "refund owed in the ledger", "found ₹0.00"),
    ("delete from ledger where entry = 10", "policies pol_", "returned premium in the ledger", "found ₹0.00"),
    (
        "update ledger set amount = amount * 2 where entry = 10",
        "policies pol_",
        "refund owed in the ledger",
        "found",
    ),
    ("update ledger set amount = 1 where entry = 2", "deposits deposit", "balance in the ledger", "expected"),
    ("delete from premiums", "ledger ", "policy or premium of the ledger line", NONE),
    (
        "update ledger set insurer_id = {id} where entry = 3",
        "ledger ",
        "insurer of the ledger line",
        "expected the insurer of the premium",
    ),
    ("delete from statements", "ledger ", "statement of the ledger line", NONE),
    ("update payments set paid_for = 'pol_1'", "payments ", "claim or refund with this payment", NONE),
    (
        "update policies set refund_due_on = null where refund_due_on is not null",
        "policies pol_",
        "due day of the refund",
        "expected 2026-11-27, found none",
    ),
    (
        "update statements set number = 'CS-202611-0002' where number = 'CS-202611-0001'",
        "statements CS-202611-0002",
        "content",
        CLOSED,
    ),
    (
        "update deposits set balance = balance + 1",
        "deposits deposit",
        "balance in the ledger",
        "expected ₹81,054.32, found ₹81,054.31",
    ),
    ("update receipts set amount = amount + 1", "receipts ", "sum of the receipt's lines", "expected ₹"),
    ("delete from receipts", "receipt_lines pro_", "its receipt", NONE),
    ("delete from receipts", "ledger ", "its receipt", NONE),
    ("delete from statements", "statement_answers stm_", "its statement", NONE),
    ("update statement_months set closed_at = null", "statements CS-", "closed month of the statement", NONE),
    ("delete from statement_parts", "statements CS-", "bytes of the file's parts", "expected 4, found 0"),
    (
        "update partners set scopes = 'business'",
        "partners par_",
        "proof",
        "columns changed without the keyring",
    ),
    (
        "update secrets set number = number + 1",
        "secrets par_",
        "proof",
        "columns changed without the keyring",
    ),
];

/// Words of [`OTHERS`] that differ between the engines, and SQL that flips a byte of a column.
struct Dialect {
    words: [(&'static str, &'static str); 4],
    flip: &'static str,
}

const SQLITE: Dialect = Dialect {
    words: [
        ("{blob}", "x'00'"),
        ("{id}", "x'00112233445566778899aabbccddeeff'"),
        ("{random}", "randomblob(16)"),
        ("{false}", "0"),
    ],
    flip: "cast(substr({column}, 1, 30) || case substr({column}, 31, 1) when x'00' then x'01' else x'00' end \
           || substr({column}, 32) as blob)",
};

const POSTGRES: Dialect = Dialect {
    words: [
        ("{blob}", "'\\x00'"),
        ("{id}", "'00112233-4455-6677-8899-aabbccddeeff'"),
        ("{random}", "gen_random_uuid()"),
        ("{false}", "false"),
    ],
    flip: "set_byte({column}, 30, 255 - get_byte({column}, 30))",
};

impl Dialect {
    fn damages(&self) -> Vec<Damage> {
        let sealed = SEALED.iter().map(|(table, column, record)| {
            let flip = self.flip.replace("{column}", column);
            let sql = format!("update {table} set {column} = {flip} where {column} is not null");
            of(
                sql,
                record,
                if *table == "policies" && *column == "certificate" { "certificate" } else { "content" },
                CLOSED,
            )
        });
        let others = OTHERS.iter().map(|(sql, record, rule, values)| {
            let words = self.words.iter();
            let sql = words.fold((*sql).to_owned(), |sql, (word, written)| sql.replace(word, written));
            of(sql, record, rule, values)
        });
        sealed.chain(others).collect()
    }
}

impl Damage {
    /// The fault must name the record, the rule and both values.
    fn must_be_found(&self, verified: &Verified) {
        let Damage { sql, record, rule, values } = self;
        let found = verified.faults.iter().any(|fault| {
            let text = fault.to_string();
            fault.record.contains(record) && fault.rule.starts_with(rule) && text.contains(values)
        });
        let faults: Vec<String> = verified.faults.iter().map(ToString::to_string).collect();
        assert!(found, "{sql}: {record}: {rule}: {values}: {faults:#?}");
    }
}

fn keyring_of(folder: &Path) -> Keyring {
    Keyring::read(&folder.join("keyring")).unwrap()
}

fn on_sqlite(file: &Path, keyring: &Keyring, scope: Scope) -> Verified {
    Snapshot::of_file(file).unwrap().verify(keyring, scope, &mut |_, _| {}).unwrap()
}

#[tokio::test]
async fn verification_on_sqlite_finds_each_damage_with_record_rule_and_both_values() {
    let here = tempfile::tempdir().unwrap();
    full(&sqlite_in(here.path())).await;
    let whole = here.path().join("whole");
    let copy = Snapshot::of_folder(here.path(), || false).unwrap().copy(&whole, &mut |_, _| {}).unwrap();
    copy.finish().unwrap();
    let keyring = keyring_of(here.path());
    let verified = on_sqlite(&whole, &keyring, Scope::Everything);
    assert_eq!(verified.faults, []);
    for damage in SQLITE.damages() {
        let damaged = here.path().join("damaged");
        fs::copy(&whole, &damaged).unwrap();
        let store = Connection::open(&damaged).unwrap();
        store.execute_batch(&format!("pragma foreign_keys = off; {}", damage.sql)).expect(&damage.sql);
        assert!(store.changes() > 0, "{}", damage.sql);
        drop(store);
        damage.must_be_found(&on_sqlite(&damaged, &keyring, Scope::Everything));
    }
}

#[tokio::test]
async fn verification_on_sqlite_finds_a_row_that_refers_to_a_missing_row() {
    let here = tempfile::tempdir().unwrap();
    full(&sqlite_in(here.path())).await;
    let store = Connection::open(here.path().join(storage::sqlite::FILE)).unwrap();
    store.execute_batch("pragma foreign_keys = off; delete from partners").unwrap();
    drop(store);
    let keyring = keyring_of(here.path());
    let found = on_sqlite(&here.path().join(storage::sqlite::FILE), &keyring, Scope::Everything);
    assert!(
        found.faults[0].to_string().contains("a row of secrets that refers to a missing row of partners"),
        "{found:?}"
    );
}

/// Store on PostgreSQL with a row in every table: its database, and the folder with its keyring.
fn full_postgres() -> (String, tempfile::TempDir) {
    let here = tempfile::tempdir().unwrap();
    let name = cluster().database();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let keyring: PathBuf = here.path().join("keyring");
        let store = Postgres::open(&database(&name), &keyring, Arc::new(At(now())), random()).await.unwrap();
        full(&store).await;
    });
    (name, here)
}

fn database(name: &str) -> Database {
    let address = cluster().address(name);
    Database { address, connections: 2, pooler: false, reads_standbys: false, unsafe_is_fine: false }
}

fn on_postgres(name: &str, keyring: &Keyring, scope: Scope) -> Verified {
    Postgres::verify(&database(name), keyring, scope, &mut |_, _| {}).unwrap()
}

#[test]
fn verification_on_postgres_finds_each_damage_with_record_rule_and_both_values() {
    let (whole, here) = full_postgres();
    let keyring = keyring_of(here.path());
    let verified = on_postgres(&whole, &keyring, Scope::Everything);
    assert_eq!(verified.faults, []);
    for (number, damage) in POSTGRES.damages().iter().enumerate() {
        let damaged = format!("{whole}_damaged_{number}");
        cluster().say("postgres", &format!("create database {damaged} template {whole}"));
        let disabled = "set session_replication_role = replica";
        cluster().say(&damaged, &format!("{disabled}; {}", damage.sql));
        damage.must_be_found(&on_postgres(&damaged, &keyring, Scope::Everything));
        cluster().drop_database(&damaged);
    }
}

#[test]
fn both_engines_verify_the_same_rows_of_every_table() {
    let here = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { full(&sqlite_in(here.path())).await });
    let keyring = keyring_of(here.path());
    let file = here.path().join(storage::sqlite::FILE);
    let (name, folder) = full_postgres();
    let other = keyring_of(folder.path());
    for scope in [Scope::Everything, Scope::Books] {
        // On PostgreSQL the table of migrations has one more row: the gate.
        let rows = |mut verified: Verified| {
            verified.tables.remove("migrations");
            verified.tables
        };
        let (one, two) = (on_sqlite(&file, &keyring, scope), on_postgres(&name, &other, scope));
        assert_eq!((one.faults.len(), two.faults.len()), (0, 0), "{:?} {:?}", one.faults, two.faults);
        assert_eq!(rows(one), rows(two), "{scope:?}");
    }
}

/// All records that can be removed.
fn all_removable<S: AsRef<[u8]>>(rows: &[(RemovedKind, S, S)]) -> Vec<Removed> {
    let id = |bytes: &S| Uuid::from_slice(bytes.as_ref()).unwrap();
    rows.iter()
        .map(|(kind, of, record)| Removed { kind: *kind, of: PartnerId::from_uuid(id(of)), id: id(record) })
        .collect()
}

async fn release_all<S: PersonalData>(store: &S) {
    for hold in store.holds().await.unwrap() {
        assert!(store.release(&hold.record, hold.id).await.unwrap());
    }
}

const REMOVABLE: [(RemovedKind, &str); 5] = [
    (RemovedKind::HealthQuote, "select partner_id, quote_id from health_quotes"),
    (RemovedKind::Policy, "select partner_id, policy_id from policies"),
    (RemovedKind::UnsoldProposal, "select partner_id, proposal_id from proposals"),
    (RemovedKind::Complaint, "select partner_id, complaint_id from complaints"),
    (RemovedKind::Journey, "select partner_id, journey_id from journeys"),
];

#[tokio::test]
async fn a_sqlite_store_has_no_faults_after_each_kind_of_personal_record_is_removed() {
    let here = tempfile::tempdir().unwrap();
    let store = sqlite_in(here.path());
    full(&store).await;
    release_all(&store).await;
    let file = here.path().join(storage::sqlite::FILE);
    for (kind, select) in REMOVABLE {
        let rows: Vec<(RemovedKind, Vec<u8>, Vec<u8>)> = {
            let reader = Connection::open(&file).unwrap();
            let mut read = reader.prepare(select).unwrap();
            let rows = read.query_map((), |row| Ok((kind, row.get(0)?, row.get(1)?))).unwrap();
            rows.map(Result::unwrap).collect()
        };
        assert!(!rows.is_empty(), "{kind}");
        store.remove_old(&all_removable(&rows)).await.unwrap();
        let verified = on_sqlite(&file, &keyring_of(here.path()), Scope::Everything);
        assert_eq!(verified.faults, [], "{kind}");
    }
    let left = Connection::open(&file).unwrap();
    for table in ["claims", "claim_papers", "claim_parts", "policy_moves", "replaced_certificates"] {
        let rows: i64 =
            left.query_row(&format!("select count(*) from {table}"), (), |row| row.get(0)).unwrap();
        assert_eq!(rows, 0, "{table}");
    }
}

#[test]
fn a_postgres_store_has_no_faults_after_each_kind_of_personal_record_is_removed() {
    let (name, here) = full_postgres();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let open = async || {
        let keyring: PathBuf = here.path().join("keyring");
        Postgres::open(&database(&name), &keyring, Arc::new(At(now())), random()).await.unwrap()
    };
    runtime.block_on(async { release_all(&open().await).await });
    for (kind, select) in REMOVABLE {
        let said =
            cluster().say(&name, &select.replace("select partner_id, ", "select partner_id || ' ' || "));
        let id = |text: &str| text.parse::<Uuid>().unwrap().into_bytes();
        let rows: Vec<_> = said
            .lines()
            .filter_map(|line| line.trim().split_once(' '))
            .map(|(of, record)| (kind, id(of), id(record)))
            .collect();
        assert!(!rows.is_empty(), "{kind}: {said}");
        runtime.block_on(async { open().await.remove_old(&all_removable(&rows)).await.unwrap() });
        let verified = on_postgres(&name, &keyring_of(here.path()), Scope::Everything);
        assert_eq!(verified.faults, [], "{kind}");
    }
}

/// Number of rows in each table, one line per table. Tables that a process fills by itself are left out.
fn rows_of(verified: &Verified) -> String {
    let own = ["audit", "facts", "migrations"];
    let rows = verified.tables.iter().filter(|(table, _)| !own.contains(table));
    rows.map(|(table, rows)| format!("{table} {rows:?}\n")).collect()
}

/// Faults of the stores of releases: their samples had a payment for nothing, a line of no statement, and a made-up
/// bordereau.
const FAULTS_OF_SAMPLES: &[(&str, &[&str])] = &[(
    "0.1.0",
    &[
        "premium of the bordereaux in the ledger",
        "premium of the bordereaux in the ledger",
        "premium of the bordereaux in the ledger",
        "commission of the bordereaux in the ledger",
        "claim or refund with this payment",
        "statement of the ledger line",
    ],
)];

fn is_as_it_was(found: &Verified, release: &Path, version: &str) {
    let known =
        FAULTS_OF_SAMPLES.iter().find(|(known, _)| *known == version).map_or(&[][..], |(_, rules)| rules);
    let rules: Vec<&str> = found.faults.iter().map(|fault| fault.rule.as_str()).collect();
    assert_eq!(rules, known, "{version}: {:?}", found.faults);
    let rows = rows_of(found);
    for line in fs::read_to_string(release.join("rows")).unwrap().lines() {
        assert!(rows.lines().any(|other| other == line), "{version}: {line}; now {rows}");
    }
}

#[tokio::test]
async fn a_sqlite_store_of_every_release_opens_migrates_and_has_no_faults() {
    if let Some(release) = released::to_write() {
        let here = tempfile::tempdir().unwrap();
        full(&sqlite_in(here.path())).await;
        fs::create_dir_all(&release).unwrap();
        let file = release.join("covernote.db");
        Snapshot::of_folder(here.path(), || false)
            .unwrap()
            .copy(&file, &mut |_, _| {})
            .unwrap()
            .finish()
            .unwrap();
        fs::copy(here.path().join("keyring"), release.join("covernote.db.keyring")).unwrap();
        let rows = rows_of(&on_sqlite(&file, &keyring_of(here.path()), Scope::Everything));
        fs::write(release.join("rows"), rows).unwrap();
        released::pack(&file);
    }
    let releases = released::releases();
    assert!(releases.iter().any(|(version, _)| version == "0.1.0"), "{releases:?}");
    for (version, release) in releases {
        let here = tempfile::tempdir().unwrap();
        let file = here.path().join(storage::sqlite::FILE);
        released::unpack(&release.join("covernote.db.gz"), &file);
        fs::copy(release.join("covernote.db.keyring"), here.path().join("keyring")).unwrap();
        owner_only(&here.path().join("keyring"));
        let store = sqlite_in(here.path());
        is_as_it_was(&on_sqlite(&file, &keyring_of(here.path()), Scope::Everything), &release, &version);
        proves_older_rows(&store).await;
        drop(store);
        is_as_it_was(&on_sqlite(&file, &keyring_of(here.path()), Scope::Everything), &release, &version);
    }
}

/// The first round proves the rows of the earlier version, the second finds none and ends.
async fn proves_older_rows<S: Storage>(store: &S) {
    assert!(store.prove_rows().await.unwrap() > 0);
    assert!(store.remembered(Fact::RowsToProve).await.unwrap().is_some());
    assert_eq!(store.prove_rows().await.unwrap(), 0);
    assert_eq!(store.remembered(Fact::RowsToProve).await.unwrap(), None);
}

/// git stores no file modes except that of executables.
fn owner_only(file: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn a_postgres_store_of_every_release_opens_migrates_and_has_no_faults() {
    if let Some(release) = released::to_write() {
        let (name, here) = full_postgres();
        fs::create_dir_all(&release).unwrap();
        let file = release.join("postgres.sql");
        // An older psql does not know the commands `\restrict` and `\unrestrict` of a newer pg_dump.
        let dump = String::from_utf8(cluster().dump(&name)).unwrap();
        let is_statement = |line: &&str| !line.starts_with("\\restrict") && !line.starts_with("\\unrestrict");
        fs::write(&file, dump.lines().filter(is_statement).collect::<Vec<_>>().join("\n")).unwrap();
        fs::copy(here.path().join("keyring"), release.join("postgres.keyring")).unwrap();
        released::pack(&file);
    }
    for (version, release) in released::releases() {
        let here = tempfile::tempdir().unwrap();
        let (name, dump) = (cluster().database(), here.path().join("dump"));
        released::unpack(&release.join("postgres.sql.gz"), &dump);
        cluster().load(&name, &fs::read(&dump).unwrap());
        let keyring = here.path().join("keyring");
        fs::copy(release.join("postgres.keyring"), &keyring).unwrap();
        owner_only(&keyring);
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let database = database(&name);
        let opened = Postgres::open(&database, &keyring, Arc::new(At(now())), random());
        let store = runtime.block_on(opened).unwrap();
        is_as_it_was(&on_postgres(&name, &keyring_of(here.path()), Scope::Everything), &release, &version);
        runtime.block_on(proves_older_rows(&store));
        drop(store);
        is_as_it_was(&on_postgres(&name, &keyring_of(here.path()), Scope::Everything), &release, &version);
    }
}

/// Columns of each table on an engine.
type Tables = std::collections::BTreeMap<String, Vec<Column>>;

/// Condition that is true for one row of a table.
fn one_row(table: &str, columns: &[Column]) -> String {
    let keys: Vec<&str> =
        columns.iter().filter(|column| column.is_key).map(|column| column.name.as_str()).collect();
    let keys = keys.join(", ");
    format!("({keys}) = (select {keys} from {table} order by {keys} limit 1)")
}

/// Plants each damage of the schema, and checks that verification names its table, unless [`UNVERIFIED`] says why
/// it need not. `plant` returns `None` if the engine refuses the damage.
fn each_planted_damage_is_found(tables: &Tables, plant: impl Fn(&Planted) -> Option<Verified>) {
    let mut missed = Vec::new();
    let mut needless: Vec<&str> = UNVERIFIED.iter().flat_map(|(names, _)| names.split_whitespace()).collect();
    for (table, columns) in tables {
        for damage in planted(table, columns, &one_row(table, columns)) {
            let found = plant(&damage);
            let is_found = found.as_ref().is_none_or(|verified| !verified.faults.is_empty());
            let listed =
                needless.iter().position(|name| *name == damage.name || *name == format!("{table}.*"));
            match (is_found, listed) {
                (false, None) => missed.push(damage.name),
                (false, Some(_)) => {}
                (true, _) => {
                    for fault in found.iter().flat_map(|verified| &verified.faults) {
                        assert!(!fault.record.is_empty() && !fault.rule.is_empty(), "{}", damage.name);
                    }
                }
            }
        }
    }
    needless.retain(|name| !tables.contains_key(name.split('.').next().unwrap_or_default()));
    assert!(missed.is_empty(), "verification missed {missed:#?}");
    assert!(needless.is_empty(), "the list names tables that do not exist: {needless:?}");
}

#[tokio::test]
async fn verification_on_sqlite_holds_every_column_and_every_row() {
    let here = tempfile::tempdir().unwrap();
    full(&sqlite_in(here.path())).await;
    let (whole, damaged) = (here.path().join("whole"), here.path().join("damaged"));
    let copy = Snapshot::of_folder(here.path(), || false).unwrap().copy(&whole, &mut |_, _| {}).unwrap();
    copy.finish().unwrap();
    let keyring = keyring_of(here.path());
    let mut tables = Tables::new();
    {
        let store = Connection::open(&whole).unwrap();
        let mut read = store.prepare(columns::OF_SQLITE).unwrap();
        let mut rows = read.query(()).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let (table, name, kind): (String, String, String) =
                (row.get(0).unwrap(), row.get(1).unwrap(), row.get(2).unwrap());
            let column = Column::of_sqlite(name, &kind, row.get(3).unwrap());
            tables.entry(table).or_default().push(column);
        }
    }
    each_planted_damage_is_found(&tables, |damage| {
        fs::copy(&whole, &damaged).unwrap();
        let store = Connection::open(&damaged).unwrap();
        store.execute_batch(&format!("pragma foreign_keys = off; {}", damage.sql)).ok()?;
        let changed = store.changes();
        drop(store);
        let verified = || Snapshot::of_file(&damaged)?.verify(&keyring, Scope::Everything, &mut |_, _| {});
        (changed > 0).then(verified)?.ok()
    });
}

#[test]
fn verification_on_postgres_holds_every_column_and_every_row() {
    let (name, here) = full_postgres();
    let keyring = keyring_of(here.path());
    let mut tables = Tables::new();
    for line in cluster().say(&name, columns::OF_POSTGRES).lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let &[table, column, kind, is_key] = &cells[..] else { continue };
        let column = Column::of_postgres(column.to_owned(), kind, is_key == "t");
        tables.entry(table.to_owned()).or_default().push(column);
    }
    assert!(tables.len() > 50, "{:?}", tables.keys());
    let apart = "set session_replication_role = replica";
    each_planted_damage_is_found(&tables, |damage| {
        let Planted { table, sql, .. } = damage;
        let plant = format!("{apart}; begin; create table saved as select * from {table}; {sql}; commit");
        cluster().try_say(&name, &plant).ok()?;
        let verified = Postgres::verify(&database(&name), &keyring, Scope::Everything, &mut |_, _| {});
        let restore = format!("insert into {table} overriding system value select * from saved");
        cluster().say(&name, &format!("{apart}; delete from {table}; {restore}; drop table saved"));
        verified.ok()
    });
}

#[test]
fn the_list_of_unverified_columns_is_short_and_has_no_amount_day_state_reference_insurer_or_partner() {
    assert!(UNVERIFIED.len() <= 40, "{}", UNVERIFIED.len());
    let words =
        ["amount", "balance", "day", "_on", "state", "status", "reference", "insurer", "partner", "deposit"];
    for (names, reason) in UNVERIFIED {
        assert!(reason.ends_with('.'), "{names}");
        for name in names.split_whitespace() {
            let column = name.split('.').nth(1).unwrap();
            assert!(!words.iter().any(|word| column.contains(word)), "{name}");
        }
    }
}
