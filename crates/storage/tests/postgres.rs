//! Rules of the PostgreSQL engine alone: many processes, a server that restarts, a pooler in between.
#![allow(unreachable_pub, dead_code, clippy::unwrap_used, reason = "a test binary")]

#[path = "support/book.rs"]
mod book;
#[path = "support/cluster.rs"]
mod cluster;
#[path = "support/lists.rs"]
mod lists;
#[path = "contract/sample.rs"]
mod sample;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use cluster::cluster;
use domain::credit_life::{CreditLife, ProposalStatus};
use domain::proposal::{Actor, Move};
use futures_util::future::join_all;
use ports::keys::KeyPurpose;
use ports::storage::partners::ClockChange;
use ports::storage::{
    Audit, ClaimPapers, EmbeddedQuotes, Installation, Kept, Keys, Moved, Partners, ProposalAct, Proposals,
    Sessions, StorageError,
};
use sample::{At, id, now, partner, proposal, quote, random, secret};
use storage::postgres::Database;
use storage::{Keyring, OpenError, Postgres, Store};

fn database(address: String) -> Database {
    Database { address, connections: 4, pooler: false, reads_standbys: false, unsafe_is_fine: false }
}

async fn open(database: &Database, folder: &Path) -> Result<Store, OpenError> {
    Postgres::open(database, &folder.join("keyring"), Arc::new(At(now())), random()).await
}

/// New database with its name, and a folder for the keyring.
async fn new_database() -> (String, Database, tempfile::TempDir) {
    let name = tokio::task::spawn_blocking(|| cluster().database()).await.unwrap();
    let database = database(cluster().address(&name));
    (name, database, tempfile::tempdir().unwrap())
}

async fn new_store() -> (String, Store, tempfile::TempDir) {
    let (name, database, folder) = new_database().await;
    let store = open(&database, folder.path()).await.unwrap();
    (name, store, folder)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_one_of_several_processes_that_open_a_new_store_creates_it() {
    let (name, database, folder) = new_database().await;
    let opened = join_all((0..8).map(|_| open(&database, folder.path()))).await;
    let stores: Vec<Store> = opened.into_iter().map(Result::unwrap).collect();
    let first = stores[0].keys().await.unwrap();
    assert_eq!(first.len(), KeyPurpose::ALL.len());
    for store in &stores {
        assert_eq!(store.keys().await.unwrap(), first, "all have the same keys");
    }
    let noted = cluster().say(&name, "select string_agg(number::text, ' ' order by number) from migrations");
    assert_eq!(noted, "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", "each migration was applied once");
}

/// Partitions of quotes, each with its number of rows.
fn months_of_quotes(name: &str) -> String {
    let partitions = cluster().say(
        name,
        "select relname from pg_inherits join pg_class on oid = inhrelid where inhparent = 'embedded_quotes'::regclass order by 1",
    );
    let rows = |partition: &str| cluster().say(name, &format!("select count(*) from {partition}"));
    let named =
        |partition: &str| format!("{} {}", partition.trim_start_matches("embedded_quotes_"), rows(partition));
    partitions.lines().map(named).collect::<Vec<_>>().join(", ")
}

/// Quote made at an instant.
fn quote_of(at: &str) -> domain::quote::EmbeddedQuote {
    let at: domain::date::Timestamp = at.parse().unwrap();
    let millis = u128::try_from(at.as_millisecond()).unwrap();
    let id = domain::id::Id::from_uuid(domain::id::Uuid::from_u128(millis << 80 | 7 << 76 | 2 << 62));
    domain::quote::EmbeddedQuote { id, ..sample::quote(sample::id()) }
}

#[tokio::test]
async fn quotes_are_stored_in_monthly_partitions_made_ahead_and_dropped_whole() {
    // D105. The clock of this store says 20 November 2026.
    let (name, store, _folder) = new_store().await;
    let months = "202611 0, 202612 0, 202701 0, 202702 0, other 0";
    assert_eq!(months_of_quotes(&name), months);
    let quotes =
        ["2026-11-30T18:29:59.999Z", "2026-11-30T18:30:00Z", "2027-02-28T18:29:59Z", "2027-03-01T00:00:00Z"]
            .map(quote_of);
    for quote in &quotes {
        assert_eq!(store.keep_embedded_quote(quote, None).await.unwrap(), Kept::New);
    }
    let (november, of) = (&quotes[0], quotes[0].partner);
    let twin = store.keep_embedded_quote(november, None).await;
    assert!(matches!(twin, Err(StorageError::Refused(_))), "an id stays unique: {twin:?}");
    assert_eq!(months_of_quotes(&name), "202611 1, 202612 1, 202701 0, 202702 1, other 1");
    // A month later, the quotes of March move from the rest to their partition.
    for _ in 0..2 {
        store.make_months("2026-12-31T00:00:00Z".parse().unwrap()).await.unwrap();
        assert_eq!(months_of_quotes(&name), "202611 1, 202612 1, 202701 0, 202702 1, 202703 1, other 0");
    }
    for quote in &quotes {
        assert_eq!(store.embedded_quote(quote.partner, quote.id).await.unwrap().as_ref(), Some(quote));
    }
    let forgets =
        async |before: &str| store.forget_embedded_quotes(before.parse().unwrap(), 10).await.unwrap();
    assert!(!forgets("2026-11-30T18:29:59Z").await, "a month that is not over stays whole");
    assert!(forgets("2026-12-31T00:00:00Z").await && !forgets("2026-12-31T00:00:00Z").await);
    assert_eq!(months_of_quotes(&name), "202612 1, 202701 0, 202702 1, 202703 1, other 0");
    assert_eq!(store.embedded_quote(of, november.id).await.unwrap(), None);
}

#[tokio::test]
async fn writes_continue_if_new_monthly_partitions_cannot_be_made() {
    let (name, store, _folder) = new_store().await;
    let held = locks(&name, "events_other");
    let at = "2027-01-01T00:00:00Z".parse().unwrap();
    let refused = store.make_months(at).await.err().unwrap();
    assert!(refused.to_string().contains("lock timeout"), "{refused}");
    let quote = quote_of("2027-04-10T00:00:00Z");
    assert_eq!(store.keep_embedded_quote(&quote, None).await.unwrap(), Kept::New, "the rest takes it");
    drop(held);
    store.make_months(at).await.unwrap();
    assert_eq!(
        months_of_quotes(&name),
        "202611 0, 202612 0, 202701 0, 202702 0, 202703 0, 202704 1, other 0"
    );
}

#[tokio::test]
async fn a_store_with_a_newer_schema_than_this_program_is_refused() {
    let (name, store, folder) = new_store().await;
    drop(store);
    cluster().say(&name, "insert into migrations (number, name, applied_at) values (99, 'later', 0)");
    let refused = open(&database(cluster().address(&name)), folder.path()).await.err().unwrap();
    assert!(matches!(refused, OpenError::Store(StorageError::Damaged(_))), "{refused}");
    assert!(
        refused.to_string().contains("version 99") && refused.to_string().contains("use a newer"),
        "{refused}"
    );
}

#[tokio::test]
async fn an_older_program_does_not_overwrite_data_of_a_newer_program() {
    let (name, store, _folder) = new_store().await;
    let partner = partner();
    store.add_partner(&partner, &secret(1)).await.unwrap();
    let proposal = proposal(partner.id, ProposalStatus::Draft);
    store.keep_proposal(&proposal, ProposalAct::<CreditLife>::of(&[])).await.unwrap();
    // A migration such as the next release may have.
    let newer = |statement: &str| cluster().say(&name, statement);
    newer("alter table proposals add column channel text");
    newer("alter table partners add column segment text");
    newer("update proposals set channel = 'kiosk'");
    newer("update partners set segment = 'gold', scopes = scopes || ' business.claim.write'");

    // The older program continues: it reads, and it writes the columns that it knows.
    assert_eq!(store.proposal(partner.id, proposal.id).await.unwrap(), Some(proposal.clone()));
    let (from, to) = (ProposalStatus::Draft, ProposalStatus::Pending);
    let moves = [Move { at: now(), by: Actor::Partner, from: Some(from), to, reason: None }];
    let moved =
        store.move_proposal(partner.id, proposal.id, from, ProposalAct::<CreditLife>::of(&moves)).await;
    assert_eq!(moved.unwrap(), Moved::Won);
    let renamed = domain::partner::Partner { name: "Another name".into(), ..partner.clone() };
    assert!(store.change_partner(&renamed, ClockChange::Keep).await.unwrap());

    assert_eq!(newer("select channel from proposals where status = 1"), "kiosk");
    assert_eq!(newer("select segment from partners where name = 'Another name'"), "gold");
    let scopes = newer("select scopes from partners");
    assert!(scopes.ends_with(" business.claim.write"), "{scopes}");
    assert_eq!(store.partners().await.unwrap()[0].partner, renamed, "it grants what it knows");
}

#[tokio::test]
async fn a_failed_migration_also_undoes_the_migrations_before_it() {
    let (name, database, folder) = new_database().await;
    // A table that makes the third migration fail.
    cluster().say(&name, "create table journeys (something integer)");
    let refused = open(&database, folder.path()).await.err().unwrap();
    assert!(refused.to_string().contains("journeys"), "{refused}");
    let tables =
        "select string_agg(tablename, ' ' order by tablename) from pg_tables where schemaname = 'public'";
    assert_eq!(cluster().say(&name, tables), "journeys migrations", "all or nothing");
    cluster().say(&name, "drop table journeys");
    open(&database, folder.path()).await.unwrap();
}

#[tokio::test]
async fn a_store_opens_only_with_its_own_keyring_and_never_creates_a_missing_one() {
    let (name, store, folder) = new_store().await;
    drop(store);
    let database = database(cluster().address(&name));
    let elsewhere = tempfile::tempdir().unwrap();
    let missing = open(&database, elsewhere.path()).await.err().unwrap();
    assert!(matches!(missing, OpenError::Keyring(_)), "{missing}");
    assert!(!elsewhere.path().join("keyring").exists());
    let other = elsewhere.path().join("keyring");
    Keyring::read_or_make(&other, &Nines).unwrap();
    let refused = open(&database, elsewhere.path()).await.err().unwrap();
    assert!(refused.to_string().contains("belongs to another store"), "{refused}");
    open(&database, folder.path()).await.unwrap();
}

struct Nines;
impl ports::clock::Random for Nines {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(9);
    }
}

#[tokio::test]
async fn a_server_with_synchronous_commit_off_is_refused_unless_explicitly_accepted() {
    let (name, database, folder) = new_database().await;
    cluster().say(&name, &format!("alter database {name} set synchronous_commit = off"));
    let refused = open(&database, folder.path()).await.err().unwrap();
    assert!(matches!(refused, OpenError::Unfit(_)), "{refused}");
    assert!(refused.to_string().contains("synchronous_commit = off"), "{refused}");
    assert!(!Postgres::is_there(&database).await.unwrap(), "nothing was made");
    let accepted = Database { unsafe_is_fine: true, ..database };
    open(&accepted, folder.path()).await.unwrap();
}

#[tokio::test]
async fn errors_about_a_malformed_or_unreachable_address_do_not_show_the_password() {
    let folder = tempfile::tempdir().unwrap();
    let malformed =
        open(&database("postgres://u:hush@host:port/db".into()), folder.path()).await.err().unwrap();
    assert!(matches!(malformed, OpenError::Unfit(_)), "{malformed}");
    let refusing = cluster::address::reserved();
    let away =
        open(&database(format!("postgres://u:hush@{refusing}/db")), folder.path()).await.err().unwrap();
    assert!(matches!(away, OpenError::Store(StorageError::Away(_))), "{away}");
    let unknown = open(&database(cluster().address("no_such_database")), folder.path()).await.err().unwrap();
    assert!(matches!(unknown, OpenError::Store(StorageError::Away(_))), "{unknown}");
    for told in [malformed, away, unknown] {
        assert!(!told.to_string().contains("hush"), "{told}");
    }
    assert!(!folder.path().join("keyring").exists(), "nothing was made");
}

#[tokio::test]
async fn a_host_that_accepts_connections_but_never_answers_is_skipped() {
    let (name, store, folder) = new_store().await;
    drop(store);
    // A frozen server: the system still accepts its connections.
    let frozen = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let host = format!("{},", frozen.local_addr().unwrap());
    let address = cluster().address(&name).replace("@", &format!("@{host}"));
    let store = open(&database(address), folder.path()).await.unwrap();
    let kept = quote(id());
    store.keep_embedded_quote(&kept, None).await.unwrap();
    assert_eq!(store.embedded_quote(kept.partner, kept.id).await.unwrap(), Some(kept));
}

#[tokio::test]
async fn the_refusal_of_one_host_is_reported_although_another_host_is_silent() {
    let folder = tempfile::tempdir().unwrap();
    let frozen = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let host = format!("@{},", frozen.local_addr().unwrap());
    let address = cluster().address("no_such_database").replace("@", &host);
    let refused = open(&database(address), folder.path()).await.err().unwrap();
    assert!(refused.to_string().contains("no_such_database"), "{refused}");
}

/// Proxy to the server. It leaves the next `silent` connections without an answer, like a server that is too
/// busy.
async fn busy_at_times(silent: Arc<AtomicUsize>) -> String {
    let server = cluster().address("").split(['@', '/']).rev().nth(1).unwrap().to_owned();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move {
        let mut unheard = Vec::new();
        loop {
            let (mut client, _) = listener.accept().await.unwrap();
            let fewer = |left: usize| left.checked_sub(1);
            if silent.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fewer).is_ok() {
                unheard.push(client);
                continue;
            }
            let mut server = tokio::net::TcpStream::connect(&server).await.unwrap();
            tokio::spawn(async move { tokio::io::copy_bidirectional(&mut client, &mut server).await });
        }
    });
    address
}

#[tokio::test]
async fn a_host_that_left_connections_unanswered_is_asked_again_in_the_same_operation() {
    let (name, store, folder) = new_store().await;
    drop(store);
    let silent = Arc::new(AtomicUsize::new(0));
    let host = busy_at_times(silent.clone()).await;
    // The cluster's standby, where no server takes writes.
    let refusing = cluster::address::reserved();
    let address = format!("postgres://covernote@{host},{refusing}/{name}");
    let store = open(&database(address), folder.path()).await.unwrap();
    let kept = quote(id());
    store.keep_embedded_quote(&kept, None).await.unwrap();
    end_sessions(&name);
    silent.store(2, Ordering::SeqCst);
    let found = store.embedded_quote(kept.partner, kept.id).await.unwrap();
    assert_eq!(found.map(|found| found.id), Some(kept.id));
    assert_eq!(silent.load(Ordering::SeqCst), 0);
}

/// Number of the program's sessions in a database.
fn sessions(name: &str) -> usize {
    let count = format!(
        "select count(*) from pg_stat_activity where datname = '{name}' and backend_type = 'client backend'"
    );
    cluster().say("postgres", &count).parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_statement_that_waits_too_long_for_a_lock_closes_only_its_own_connection() {
    let (name, store, _folder) = new_store().await;
    let quotes: Vec<_> = (0..4).map(|_| quote(id())).collect();
    for kept in &quotes {
        store.keep_embedded_quote(kept, None).await.unwrap();
    }
    // As many reads at once as there may be connections.
    for _ in 0..50 {
        join_all(quotes.iter().map(|kept| store.embedded_quote(kept.partner, kept.id))).await;
    }
    let before = sessions(&name);
    assert!(before > 2, "{before} connections wait in the pool");
    let locked = locks(&name, "sessions");
    let session: domain::id::SessionId = id();
    assert!(matches!(store.session(id(), session).await, Err(StorageError::Away(_))));
    drop(locked);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(sessions(&name), before - 1, "a server that is slow is not asked for new ones instead");
    assert!(store.embedded_quote(quotes[0].partner, quotes[0].id).await.unwrap().is_some());
}

/// Host that closes every connection, with the number of connections it was asked for.
async fn refusing_host() -> (String, Arc<AtomicUsize>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    tokio::spawn(async move {
        while listener.accept().await.is_ok() {
            counted.fetch_add(1, Ordering::SeqCst);
        }
    });
    (address, asked)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_operations_that_need_a_connection_ask_another_host_at_most_three_times() {
    let (name, store, folder) = new_store().await;
    drop(store);
    let (standby, asked) = refusing_host().await;
    let address = cluster().address(&name).replace("/test_", &format!(",{standby}/test_"));
    assert!(address.contains(&standby), "{address}");
    let store = open(&Database { connections: 16, ..database(address) }, folder.path()).await.unwrap();
    let kept = quote(id());
    store.keep_embedded_quote(&kept, None).await.unwrap();
    // The hosts were just surveyed, so a broken connection tells nothing new.
    tokio::time::sleep(Duration::from_millis(1200)).await;
    end_sessions(&name);
    asked.store(0, Ordering::SeqCst);
    let reads = join_all((0..64).map(|_| store.embedded_quote(kept.partner, kept.id))).await;
    assert!(reads.iter().all(|read| matches!(read, Ok(Some(_)))));
    let asked = asked.load(Ordering::SeqCst);
    assert!((1..4).contains(&asked), "asked {asked} times");
}

/// Ends every session of a database, as a server's restart does.
fn end_sessions(name: &str) {
    cluster().say(
        "postgres",
        &format!("select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}'"),
    );
}

#[tokio::test]
async fn a_read_succeeds_although_its_connection_broke() {
    let (name, store, _folder) = new_store().await;
    let quote = quote(id());
    store.keep_embedded_quote(&quote, None).await.unwrap();
    for _ in 0..5 {
        end_sessions(&name);
        assert_eq!(
            store.embedded_quote(quote.partner, quote.id).await.unwrap().map(|found| found.id),
            Some(quote.id)
        );
    }
}

#[tokio::test]
async fn writes_continue_after_all_connections_broke() {
    let (name, store, _folder) = new_store().await;
    for _ in 0..5 {
        store.keep_embedded_quote(&quote(id()), None).await.unwrap();
        end_sessions(&name);
        // Closed sessions are noticed a moment later.
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    store.ready().await.unwrap();
}

#[tokio::test]
async fn a_server_counts_as_away_while_it_is_read_only_and_is_used_again_afterwards() {
    let (name, store, _folder) = new_store().await;
    let quote = quote(id());
    store.keep_embedded_quote(&quote, None).await.unwrap();
    cluster().say("postgres", &format!("alter database {name} set default_transaction_read_only = on"));
    end_sessions(&name);
    tokio::time::sleep(Duration::from_millis(100)).await;
    for refused in [
        store.keep_embedded_quote(&sample::quote(id()), None).await.map(|_| ()),
        store.ready().await,
        store.add_partner(&partner(), &secret(1)).await,
    ] {
        assert!(matches!(refused, Err(StorageError::Away(_))), "{refused:?}");
    }
    let reset =
        format!("begin read write; alter database {name} reset default_transaction_read_only; commit");
    cluster().say("postgres", &reset);
    store.ready().await.unwrap();
    store.add_partner(&partner(), &secret(1)).await.unwrap();
}

/// Table that is locked until this is dropped.
struct Locked {
    name: String,
    table: &'static str,
    locking: Option<std::thread::JoinHandle<()>>,
}

/// Locks a table. The lock is held when this returns.
fn locks(name: &str, table: &'static str) -> Locked {
    let locking = std::thread::spawn({
        let name = name.to_owned();
        // The session is ended from outside, which psql reports as an error.
        move || drop(cluster().try_say(&name, &format!("begin; lock table {table}; select pg_sleep(600)")))
    });
    let held = format!(
        "select count(*) from pg_locks l join pg_class c on c.oid = l.relation \
         where relname = '{table}' and mode = 'AccessExclusiveLock' and granted"
    );
    while cluster().say(name, &held) == "0" {}
    Locked { name: name.to_owned(), table, locking: Some(locking) }
}

impl Drop for Locked {
    fn drop(&mut self) {
        let end = format!(
            "select pg_terminate_backend(pid) from pg_stat_activity \
             where datname = '{}' and query like 'begin; lock table {};%'",
            self.name, self.table
        );
        cluster().say("postgres", &end);
        let _ = self.locking.take().map(std::thread::JoinHandle::join);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_unanswered_statement_ends_in_time_and_frees_its_connection() {
    let (name, store, _folder) = new_store().await;
    let locked = locks(&name, "sessions");
    let started = Instant::now();
    let session: domain::id::SessionId = id();
    // As many reads as there are connections.
    let waiting = join_all((0..4).map(|_| store.session(id(), session))).await;
    assert!(waiting.iter().all(|read| matches!(read, Err(StorageError::Away(_)))), "{waiting:?}");
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    store.keep_embedded_quote(&quote(id()), None).await.unwrap();
    drop(locked);
    assert!(store.session(id(), session).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_undeclared_pooler_is_reported_with_the_setting_to_change() {
    let name = tokio::task::spawn_blocking(|| cluster().database()).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let straight = open(&database(cluster().address(&name)), folder.path()).await.unwrap();
    drop(straight);
    let address = tokio::task::spawn_blocking(move || cluster().pooled_address(&name)).await.unwrap();
    let database = Database { connections: 16, ..database(address) };
    let mut told = String::new();
    for _ in 0..50 {
        let Ok(store) = open(&database, folder.path()).await else { continue };
        let reads = join_all((0..64).map(|_| store.embedded_quote(id(), id()))).await;
        if let Some(Err(fault)) = reads.into_iter().find(Result::is_err) {
            told = fault.to_string();
            break;
        }
    }
    assert!(told.contains("set database_pooler to transaction"), "{told:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_thousand_simultaneous_quotes_are_stored_by_fewer_than_twenty_statements() {
    let (name, store, _folder) = new_store().await;
    let of = id();
    let quotes: Vec<_> = (0..1000).map(|_| quote(of)).collect();
    let inserts = || cluster().statements_in(&name, &["lock table", "pg_locks"]);
    let before = inserts();
    // A short lock on the table makes all of them arrive while the first statements run.
    let locked = locks(&name, "embedded_quotes");
    let unlocks = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        tokio::task::spawn_blocking(move || drop(locked)).await.unwrap();
    };
    let keepings = join_all(quotes.iter().map(|quote| store.keep_embedded_quote(quote, None)));
    for kept in tokio::join!(keepings, unlocks).0 {
        assert_eq!(kept.unwrap(), Kept::New);
    }
    let said = inserts() - before;
    assert!(said < 20, "{said} statements for 1000 quotes");
}

#[tokio::test]
async fn no_read_of_a_record_scans_a_whole_table_or_all_records_of_a_partner() {
    let (name, _store, _folder) = new_store().await;
    // Without rows, every index on a partner's policies looks equally good to the planner.
    cluster().say(
        &name,
        "insert into policies (partner_id, policy_id, line, issued_at, number, insurer_number, body, state, changed_at, last_day) \
         select '01900000-0000-7000-8000-0000000000a0', gen_random_uuid(), 1 + nth % 2, nth, 'N' || nth, 'I' || nth, '', 1, nth, \
             20271120 from generate_series(1, 5000) as nth; \
         analyze policies",
    );
    let mut seen = 0;
    let sql = Path::new(env!("CARGO_MANIFEST_DIR")).join("sql");
    for table in [
        "kept_responses",
        "embedded_quotes",
        "health_quotes",
        "journeys",
        "lists",
        "moves",
        "policies",
        "deliveries",
        "events",
        "policy_moves",
        "proposals",
        "sessions",
        "status_pages",
        "tags",
    ] {
        for file in std::fs::read_dir(sql.join(table)).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let is_anothers = path.to_string_lossy().ends_with(".sqlite.sql");
            // An operator's list is sorted by time, newest first, and stops early.
            if is_anothers
                || text.contains("insert into")
                || path.ends_with("list.sql")
                    && !path.ends_with("moves/list.sql")
                    && !path.ends_with("policy_moves/list.sql")
            {
                continue;
            }
            for text in lists::filled(&text, "policies", "issued_at", "policy_id", "line = 2") {
                let parameters = (1..).take_while(|number| text.contains(&format!("${number}"))).count();
                let nulls = if parameters == 0 {
                    String::new()
                } else {
                    format!("({})", vec!["null"; parameters].join(", "))
                };
                // On an empty table, a plan without an index is the cheapest, unless such plans are disabled.
                let plan = cluster().say(
                    &name,
                    &format!(
                        "set enable_seqscan = off; set enable_bitmapscan = off; set plan_cache_mode = force_generic_plan; \
                         prepare it as {text}; explain (costs off) execute it{nulls}"
                    ),
                );
                // Partners are few, and every process has all of them in memory.
                let scans = plan.matches("Seq Scan").count() - plan.matches("Seq Scan on partners").count();
                assert_eq!(scans, 0, "{}: {plan}", path.display());
                for line in plan.lines() {
                    let whole_book = line.trim_start().starts_with("Index Cond: (partner_id = $1)")
                        || line.trim_end().ends_with("((partner_id = $1) AND (line = 2))");
                    assert!(!whole_book, "{}: {plan}", path.display());
                }
            }
            seen += 1;
        }
    }
    assert!(seen > 25, "{seen}");
}

#[tokio::test]
async fn no_list_filter_scans_or_sorts_all_records_of_a_large_partner() {
    let (name, _store, _folder) = new_store().await;
    let id = |nth: &str, kind: &str| {
        format!("(lpad(to_hex({nth}), 16, '0') || lpad(to_hex({kind}), 16, '0'))::uuid")
    };
    let constant = |hex: &str| format!("'{hex}'::uuid");
    let rows = format!("generate_series(1, {}) as nth", book::ROWS);
    for text in book::fill(id, constant, "''", &rows) {
        cluster().say(&name, &text);
    }
    cluster().say(&name, "vacuum analyze");
    for (list, file, values) in book::LISTS {
        let values: Vec<String> =
            values.iter().map(|value| value.written(constant, ["true", "false"])).collect();
        let plan = cluster().say(
            &name,
            &format!(
                "set plan_cache_mode = force_generic_plan; prepare it as {}; \
                 explain (analyze, costs off, timing off, summary off) execute it({})",
                book::statement(file, "postgres"),
                values.join(", ")
            ),
        );
        let number = |line: &str, before: &str| {
            let digits = line.split_once(before)?.1.trim_start();
            digits.split(|letter: char| !letter.is_ascii_digit()).next()?.parse::<u64>().ok()
        };
        let left_out: u64 = plan.lines().filter_map(|line| number(line, "Rows Removed by Filter:")).sum();
        assert!(left_out <= book::LEFT_OUT, "{list} leaves {left_out} rows out: {plan}");
        for line in plan.lines() {
            let read = number(line, "(actual rows=").unwrap_or(0);
            let is_bad = (line.contains("Seq Scan") || line.contains("Sort")) && read > 200;
            assert!(!is_bad, "{list}: {plan}");
        }
    }
}

/// Text of every statement file, with its template filled in.
fn statements() -> Vec<(String, String)> {
    let mut statements = Vec::new();
    for folder in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("sql")).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            statements.push((path.display().to_string(), text));
        }
    }
    statements
}

/// Numbers of a statement's parameters, in order of first use.
fn parameters(text: &str) -> Vec<usize> {
    let mut numbers = Vec::new();
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    for piece in code.split('$').skip(1) {
        let digits: String = piece.chars().take_while(char::is_ascii_digit).collect();
        let number = digits.parse().unwrap();
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers
}

#[test]
fn every_statement_has_at_most_24_parameters_in_the_order_of_their_numbers() {
    for (name, text) in statements() {
        let mut found = parameters(&text);
        assert!(found.len() <= 24, "{name} takes {} values", found.len());
        if name.ends_with(".postgres.sql") {
            found.sort_unstable();
        }
        // SQLite counts parameters in order of first use.
        assert!(found.iter().copied().eq(1..=found.len()), "{name}: {found:?}");
    }
}

#[tokio::test]
async fn every_statement_parameter_has_a_type_that_the_store_can_write() {
    let (name, _store, _folder) = new_store().await;
    let known = ["smallint", "integer", "bigint", "boolean", "text", "uuid", "bytea"];
    let mut seen = 0;
    for (file, text) in statements() {
        let is_no_statement_of_records = ["/migrations/", "/spread/", "/settings/", "/months/"];
        if file.ends_with(".sqlite.sql")
            || is_no_statement_of_records.iter().any(|part| file.contains(part))
            || text.contains('{')
        {
            continue;
        }
        let types = cluster().say(
            &name,
            &format!(
                "prepare it as {text}; select type from pg_prepared_statements, unnest(parameter_types) as type where name = 'it'"
            ),
        );
        for of in types.lines() {
            assert!(known.contains(&of.trim_end_matches("[]")), "{file}: {of}");
        }
        seen += 1;
    }
    assert!(seen > 150, "{seen}");
}

#[tokio::test]
async fn a_page_of_a_period_reads_only_its_own_rows_of_a_large_table() {
    let (name, _store, _folder) = new_store().await;
    let of = "01900000-0000-7000-8000-0000000000a0";
    let (first, last) = (1_790_000_000_000_000_i64, 1_790_000_000_050_000_i64);
    cluster().say(
        &name,
        &format!(
            "insert into proposals (partner_id, proposal_id, created_at, changed_at, quote_id, variant_id, line, status, body) \
             select '{of}', gen_random_uuid(), {first} + nth, 1, gen_random_uuid(), gen_random_uuid(), 1, 3, '' \
             from generate_series(1, 50000) as nth"
        ),
    );
    cluster().say(&name, "vacuum analyze proposals");
    // The first half of the days: there is nothing beyond its edge.
    let middle = i64::midpoint(first, last);
    let nil = "00000000-0000-0000-0000-000000000000";
    let text = include_str!("../sql/lists/of_days.sql");
    let [older, newer] = lists::filled(text, "proposals", "created_at", "proposal_id", "line = 1")
        .try_into()
        .expect("both sides");
    for (text, bound, at) in [(older, first, middle), (newer, last + 1, middle - 1)] {
        let plan = cluster().say(
            &name,
            &format!(
                "prepare it as {text}; \
                 explain (analyze, costs off, timing off) execute it('{of}', {bound}, {at}, '{nil}', 21)"
            ),
        );
        assert!(!plan.contains("Seq Scan on proposals"), "{plan}");
        assert!(plan.contains("actual rows=21 "), "{plan}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operation_refused_as_read_only_is_repeated_over_a_new_connection() {
    let (name, store, _folder) = new_store().await;
    // As many sessions as the pool allows, all busy at once and then free.
    let locked = locks(&name, "sessions");
    let read = || store.session(id(), id());
    let waits = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    let goes_on = async {
        while cluster().say(&name, waits) != "4" {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        drop(locked);
    };
    tokio::join!(join_all((0..4).map(|_| read())), goes_on);
    // These sessions take no more writes, like those of a server that became a standby.
    cluster().say(
        &name,
        "create table of_before as select pid from pg_stat_activity where datname = current_database(); \
         create function refuse() returns trigger language plpgsql as $$ begin \
             if exists (select from of_before where pid = pg_backend_pid()) then \
                 raise exception 'cannot execute INSERT in a read-only transaction' using errcode = '25006'; \
             end if; \
             return new; \
         end $$; \
         create trigger refuse before insert on partners for each row execute function refuse()",
    );
    store.add_partner(&partner(), &secret(1)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cancelled_operation_leaves_no_open_transaction_on_its_connection() {
    let (name, database, folder) = new_database().await;
    let store = open(&Database { connections: 1, ..database }, folder.path()).await.unwrap();
    let partner = partner();
    store.add_partner(&partner, &secret(1)).await.unwrap();
    // Prepares the statements of a token count.
    store.count_token(partner.id, now(), 10).await.unwrap();
    let locked = locks(&name, "token_counts");
    // The operation has begun, and waits for its first read.
    let counted = store.count_token(partner.id, now(), 10);
    assert!(tokio::time::timeout(Duration::from_millis(300), counted).await.is_err());
    drop(locked);
    let session =
        domain::session::Session { id: id(), partner: partner.id, created_at: now(), metadata: [].into() };
    store.keep_session(&session, None).await.unwrap();
    assert_eq!(cluster().say(&name, "select count(*) from sessions"), "1", "it is committed");
}

#[tokio::test]
async fn an_operation_with_an_unpreparable_statement_leaves_no_open_transaction() {
    let (name, database, folder) = new_database().await;
    let store = open(&Database { connections: 1, ..database }, folder.path()).await.unwrap();
    let partner = partner();
    store.add_partner(&partner, &secret(1)).await.unwrap();
    // The row can be read under a lock, but a view with a limit refuses new rows.
    let hide =
        "alter table token_counts rename to hidden; create view token_counts as select * from hidden limit 9";
    cluster().say(&name, hide);
    assert!(store.count_token(partner.id, now(), 10).await.is_err());
    cluster().say(&name, "drop view token_counts; alter table hidden rename to token_counts");
    store.count_token(partner.id, now(), 10).await.expect("its connection is free");
}

#[tokio::test]
async fn an_operation_with_a_value_outside_the_range_of_its_column_changes_nothing() {
    let (_, store, _folder) = new_store().await;
    let partner = partner();
    store.add_partner(&partner, &secret(1)).await.unwrap();
    let before = store.revision().await.unwrap();
    let event = sample::event_of(partner.id.uuid(), domain::event::EventType::PolicyIssued, now());
    let added = store.add_secret(partner.id, &secret(u32::MAX), 9, &event).await;
    assert!(added.is_err(), "{added:?}");
    assert_eq!(store.revision().await.unwrap(), before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_paper_that_is_completed_while_it_is_being_dropped_keeps_its_parts() {
    // D83
    let (name, store, _folder) = new_store().await;
    let policy = sample::issue(&proposal(id(), ProposalStatus::Completed)).policy;
    let (of, made) = (policy.partner, sample::claim(&policy));
    let begun = domain::claim::ClaimDocument { bytes: 0, ..sample::paper(&made, b"") };
    store.begin_paper(of, &begun).await.unwrap();
    store.add_part(of, begun.id, 0, b"%PDF").await.unwrap();
    let finishing = std::thread::spawn({
        let name = name.clone();
        move || {
            cluster().say(&name, "begin; update claim_papers set is_whole = true; select pg_sleep(2); commit")
        }
    });
    let sleeps =
        "select count(*) from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
    while cluster().say(&name, sleeps) == "0" {
        assert!(!finishing.is_finished(), "the paper was made whole before it could be dropped");
    }
    store.drop_paper(of, begun.id).await.unwrap();
    finishing.join().unwrap();
    assert!(store.part(of, begun.id, 0).await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_that_share_slots_of_the_audit_trail_make_gapless_chains() {
    // D119. Twelve processes draw 16 slots each of 1024.
    let (_, database, folder) = new_database().await;
    let opened = join_all((0..12).map(|_| open(&database, folder.path()))).await;
    let stores: Vec<Store> = opened.into_iter().map(Result::unwrap).collect();
    for round in 1..=3 {
        let notes = stores.iter().flat_map(|store| (0..4).map(|_| store.note("policy.reveal", "pol_1")));
        join_all(notes).await.into_iter().for_each(Result::unwrap);
        let verified = stores[0].verify_audit(&[]).await.unwrap();
        assert_eq!((verified.faults, verified.entries), (Vec::new(), 48 * round));
    }
}
