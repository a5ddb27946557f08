//! Copies of a store, with a verification of everything in a copy.
#![allow(unreachable_pub, dead_code, clippy::unwrap_used, reason = "a test binary")]

#[path = "contract/complaints.rs"]
mod complaints;
#[path = "contract/full.rs"]
mod full;
#[path = "contract/health_sample.rs"]
mod health_sample;
#[path = "contract/personal_data.rs"]
mod personal_data;
#[path = "contract/sample.rs"]
mod sample;
#[path = "contract/statements.rs"]
mod statements;
#[path = "contract/team.rs"]
mod team;
#[path = "contract/webhooks.rs"]
mod webhooks;

use std::fs;
use std::path::Path;

use domain::id::QuoteId;
use ports::keys::KeyPurpose;
use ports::storage::{EmbeddedQuotes, Installation, Keys, Partners};
use rusqlite::Connection;
use sample::{id, now, quote, random, sqlite_in};
use storage::snapshot::{Snapshot, Unfit};
use storage::sqlite::{FILE, files_of};
use storage::verify::{Scope, Verified};
use storage::{Keyring, Store};

/// Store with a row in every table.
async fn full(folder: &Path) -> Store {
    let store = sqlite_in(folder);
    full::full(&store).await;
    store
}

#[tokio::test]
async fn a_resealed_store_is_verified_without_faults() {
    let folder = tempfile::tempdir().unwrap();
    let store = full(folder.path()).await;
    let key = store.add_key(KeyPurpose::Data, [5; 32], now(), now(), 2).await.unwrap().unwrap();
    assert!(store.keys().await.unwrap().contains(&key));
    let renewed = store.reseal(&mut |_, _| {}).await.unwrap();
    assert_eq!((renewed.rows, renewed.unreadable), (renewed.changed, 0), "{:?}", renewed.listed);
    let copy = folder.path().join("copy.db");
    copied(folder.path(), &copy);
    let verified = verified(&copy, &folder.path().join("keyring"));
    assert_eq!(verified.faults, []);
}

/// Copies the store of a folder.
fn copied(from: &Path, to: &Path) {
    let copy = Snapshot::of_folder(from, || false).unwrap().copy(to, &mut |_, _| {}).unwrap();
    copy.finish().unwrap();
}

fn verified(file: &Path, keyring: &Path) -> Verified {
    let keyring = Keyring::read(keyring).unwrap();
    Snapshot::of_file(file).unwrap().verify(&keyring, Scope::Everything, &mut |_, _| {}).unwrap()
}

fn faults(of: &Verified) -> Vec<String> {
    of.faults.iter().map(ToString::to_string).collect()
}

#[tokio::test]
async fn a_copy_of_a_store_is_one_file_with_every_row_of_every_table() {
    let here = tempfile::tempdir().unwrap();
    let _server = full(here.path()).await;
    let keyring = here.path().join("keyring");
    // As if an import ran.
    let import = "insert into imports (import_id, renewed_at) values (1, 0)";
    Connection::open(here.path().join(FILE)).unwrap().execute(import, ()).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = elsewhere.path().join(FILE);
    copied(here.path(), &copy);
    let looked = verified(&copy, &keyring);
    assert_eq!(faults(&looked), [""; 0]);
    let rows = &looked.tables;
    // Every table and every one of its rows was verified.
    let store = Connection::open(&copy).unwrap();
    let mut tables = store.prepare("select name from sqlite_schema where type = 'table'").unwrap();
    let names: Vec<String> = tables.query_map((), |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len(), names.len(), "{rows:?} of {names:?}");
    // `tokens` is empty since `token_counts` replaced it.
    for table in names.into_iter().filter(|table| table != "tokens") {
        let count = format!("select count(*) from {table}");
        let count: i64 = store.query_row(&count, (), |row| row.get(0)).unwrap();
        assert!(count > 0, "{table} is empty: nothing is proved of it");
        assert_eq!(rows.get(table.as_str()).copied(), Some(count.unsigned_abs()), "{table}");
    }
    drop(tables);
    drop(store);
    let names: Vec<_> =
        fs::read_dir(elsewhere.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names, [FILE], "it needs no log, not even to be read");
    fs::copy(&keyring, elsewhere.path().join("keyring")).unwrap();
    assert_eq!(sqlite_in(elsewhere.path()).partners().await.unwrap().len(), 2);
}

#[test]
fn a_copy_shows_one_moment_of_the_store_while_others_write() {
    let here = tempfile::tempdir().unwrap();
    drop(sqlite_in(here.path()));
    let other = Connection::open(here.path().join(FILE)).unwrap();
    let large =
        "insert into catalogues (hash, files, first_kept_at) values (randomblob(32), zeroblob(2000000), 0)";
    for _ in 0..16 {
        other.execute(large, ()).unwrap();
    }
    let snapshot = Snapshot::of_folder(here.path(), || false).unwrap();
    let write = |number: u64| {
        other.execute("insert into tokens values (x'01', $1, x'02')", [number as i64]).unwrap();
        other.execute(large, ()).unwrap();
    };
    write(0);
    let copy = here.path().join("copy");
    let (mut written, mut before) = (0, 0);
    let made = snapshot.copy(&copy, &mut |done, all| {
        assert!(before < done && done <= all, "it begins anew: {done} after {before}");
        before = done;
        written += 1;
        write(written);
    });
    made.unwrap().finish().unwrap();
    assert!(written > 5, "it was copied in {written} steps");
    let copy = Connection::open(&copy).unwrap();
    let count = |table: &str| -> i64 {
        copy.query_row(&format!("select count(*) from {table}"), (), |row| row.get(0)).unwrap()
    };
    assert_eq!((count("tokens"), count("catalogues")), (0, 16));
}

#[test]
fn an_unfinished_copy_leaves_no_file_and_replaces_no_file() {
    let here = tempfile::tempdir().unwrap();
    drop(sqlite_in(here.path()));
    let elsewhere = tempfile::tempdir().unwrap();
    let copy = elsewhere.path().join("copy");
    let snapshot = Snapshot::of_folder(here.path(), || false).unwrap();
    drop(snapshot.copy(&copy, &mut |_, _| {}).unwrap());
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    fs::write(&copy, "another's").unwrap();
    snapshot.copy(&copy, &mut |_, _| {}).unwrap().finish().unwrap_err();
    assert_eq!(fs::read(&copy).unwrap(), b"another's");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn a_store_file_copied_with_its_log_is_complete() {
    let here = tempfile::tempdir().unwrap();
    let store = full(here.path()).await;
    let elsewhere = tempfile::tempdir().unwrap();
    // Like a copy made by hand after a kill: the newest writes are only in the log.
    for end in ["", "-wal"] {
        let name = format!("{FILE}{end}");
        fs::copy(here.path().join(&name), elsewhere.path().join(name)).unwrap();
    }
    drop(store);
    let looked = verified(&elsewhere.path().join(FILE), &here.path().join("keyring"));
    assert_eq!(faults(&looked), [""; 0]);
    assert!(looked.tables["proposals"] == 6, "{:?}", looked.tables);
}

#[test]
fn a_copy_in_write_ahead_log_mode_is_read_without_creating_a_log() {
    let here = tempfile::tempdir().unwrap();
    let store = sqlite_in(here.path());
    futures_util::future::FutureExt::now_or_never(store.close());
    drop(store);
    let elsewhere = tempfile::tempdir().unwrap();
    // A file name with characters that have a meaning in a URI.
    let file = elsewhere.path().join("50% #1?.db");
    let other = Connection::open(here.path().join(FILE)).unwrap();
    other.backup("main", &file, None::<fn(_)>).unwrap();
    assert_eq!(fs::read(&file).unwrap()[18], 2);
    Snapshot::of_file(&file).unwrap();
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1);
}

#[test]
fn a_file_that_is_not_a_covernote_store_is_refused_with_the_reason() {
    let here = tempfile::tempdir().unwrap();
    let path = here.path().join("file");
    let refused = |why: &str| match Snapshot::of_file(&path) {
        Err(Unfit::NoStore(told)) => assert!(told.contains(why), "{told}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("taken"),
    };
    for text in ["", "no database, but a text that is longer than the head of one would be in its first page"]
    {
        fs::write(&path, text.repeat(20)).unwrap();
        refused("not a covernote store");
    }
    fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("create table migrations (number)").unwrap();
    refused("not a covernote store");
}

#[test]
fn a_snapshot_refuses_a_store_of_a_newer_program_and_a_wrong_keyring() {
    let here = tempfile::tempdir().unwrap();
    drop(sqlite_in(here.path()));
    let other = here.path().join("other");
    struct Nines;
    impl ports::clock::Random for Nines {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(9);
        }
    }
    let other = Keyring::read_or_make(&other, &Nines).unwrap();
    let snapshot = Snapshot::of_folder(here.path(), || false).unwrap();
    assert!(matches!(snapshot.opens_with(&other), Err(Unfit::Keyring(_))));
    drop(snapshot);
    let newer = "insert into migrations (number, name, applied_at) values (999, 'newer', 0)";
    Connection::open(here.path().join(FILE)).unwrap().execute(newer, ()).unwrap();
    assert!(matches!(Snapshot::of_folder(here.path(), || false), Err(Unfit::Newer { found: 999, .. })));
}

/// SQL that flips a byte of a blob and keeps its length.
fn flipped(column: &str) -> String {
    format!(
        "cast(substr({column}, 1, 40) || case substr({column}, 41, 1) when x'00' then x'01' else x'00' end \
         || substr({column}, 42) as blob)"
    )
}

#[tokio::test]
async fn a_damaged_page_is_reported_and_the_rest_of_the_store_is_verified() {
    let here = tempfile::tempdir().unwrap();
    let store = full(here.path()).await;
    let of = id();
    for _ in 0..400 {
        store.keep_embedded_quote(&quote(of), None).await.unwrap();
    }
    let copy = here.path().join("copy");
    copied(here.path(), &copy);
    let pages = Connection::open(&copy).unwrap();
    let root: i64 = pages
        .query_row("select rootpage from sqlite_schema where name = 'embedded_quotes'", (), |row| row.get(0))
        .unwrap();
    drop(pages);
    let mut bytes = fs::read(&copy).unwrap();
    let page = (root as usize - 1) * 4096;
    bytes[page..page + 4096].fill(0xa5);
    fs::write(&copy, bytes).unwrap();
    let looked = verified(&copy, &here.path().join("keyring"));
    let faults = faults(&looked);
    assert!(faults[0].starts_with("the database: "), "{faults:#?}");
    assert!(faults.iter().any(|fault| fault.starts_with("embedded_quotes: rows: ")), "{faults:#?}");
    assert!(looked.tables["proposals"] == 6, "{:?}", looked.tables);
}

#[tokio::test]
async fn verification_lists_100_faults_and_only_counts_the_rest() {
    let here = tempfile::tempdir().unwrap();
    let store = sqlite_in(here.path());
    let of = id();
    for _ in 0..130 {
        store.keep_embedded_quote(&quote(of), None).await.unwrap();
    }
    let copy = here.path().join("copy");
    copied(here.path(), &copy);
    let damage = format!("update embedded_quotes set body = {}", flipped("body"));
    Connection::open(&copy).unwrap().execute(&damage, ()).unwrap();
    let looked = verified(&copy, &here.path().join("keyring"));
    assert_eq!((looked.faults.len(), looked.untold, looked.all_faults()), (100, 30, 130));
    let named: Vec<QuoteId> = looked
        .faults
        .iter()
        .map(|fault| fault.record.strip_prefix("embedded_quotes ").unwrap().parse().unwrap())
        .collect();
    assert_eq!(named.len(), 100);
}

#[test]
fn a_store_of_an_older_version_is_verified_without_faults() {
    let here = tempfile::tempdir().unwrap();
    let path = here.path().join("old");
    let store = Connection::open(&path).unwrap();
    store.execute_batch(include_str!("../sql/migrations/make_table.sqlite.sql")).unwrap();
    store.execute_batch(include_str!("../migrations/sqlite/0001_store.sql")).unwrap();
    store.execute("insert into migrations values (1, 'store', 0)", ()).unwrap();
    drop(store);
    let keyring = here.path().join("keyring");
    Keyring::read_or_make(&keyring, random().as_ref()).unwrap();
    let looked = verified(&path, &keyring);
    assert_eq!(faults(&looked), [""; 0]);
    assert!(looked.tables["policies"] == 0, "{:?}", looked.tables);
}

#[test]
fn a_copy_with_a_log_or_journal_of_another_store_beside_it_is_refused() {
    let (here, spare) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    drop(sqlite_in(here.path()));
    let file = spare.path().join(FILE);
    let snapshot = Snapshot::of_folder(here.path(), || false).unwrap();
    let made = snapshot.copy(&file, &mut |_, _| {}).unwrap();
    let log = files_of(&file).find(|file| file.to_string_lossy().ends_with("-wal")).unwrap();
    fs::write(&log, "another's").unwrap();
    let refused = made.finish_as_store(spare.path(), None).unwrap_err().to_string();
    assert!(refused.contains("-wal was created meanwhile"), "{refused}");
    assert!(!file.exists());
    fs::rename(log, spare.path().join(format!("{FILE}-journal"))).unwrap();
    copied(here.path(), &file);
    assert!(matches!(Snapshot::of_file(&file), Err(Unfit::NoStore(_))));
}
