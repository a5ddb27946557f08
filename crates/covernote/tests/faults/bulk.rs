//! Imports of many records beside other writes, on a slow disk and through kills.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use storage::snapshot::Snapshot;

use crate::bodies::imported_policy;
use crate::http::{Connection, Request};
use crate::load::{Load, POLICIES, QUOTE};
use crate::long_or;
use crate::program::{Server, is_sound, stderr};
use crate::shim::Watched;
use crate::site::{Site, address};

/// Writes a file of policies to import.
fn write_policies(site: &Site, number: u64) {
    let mut policy = imported_policy();
    policy["issuance_date"] = json!("2019-05-06");
    policy["partner_id"] = site.credentials()["partner_id"].clone();
    let file = File::create(site.folder().join("book.jsonl")).expect("a file");
    let mut file = BufWriter::new(file);
    for number in 0..number {
        policy["policy_number"] = json!(format!("OLD-{number}"));
        // A mobile number of its own, so that the tags are spread as in a real book.
        policy["proposer_details"]["phone"] = json!(format!("9{:09}", number * 7919 % 1_000_000_000));
        writeln!(file, "{policy}").expect("written");
    }
    file.flush().expect("written");
}

fn import(site: &Site) -> Child {
    let mut import = site.program();
    import.args(["import", "policies", "book.jsonl"]).stdout(Stdio::null()).stderr(Stdio::piped());
    import.spawn().expect("it starts")
}

/// Number of policies that the partner sees.
fn seen(server: &Server, token: &str) -> u64 {
    let path = format!("{POLICIES}?limit=1&issued_from=2019-05-06&issued_to=2019-05-06");
    let answer = Connection::default().ask(address(server), Some(token), &Request::get(&path));
    let answer = answer.expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["count"].as_u64().expect("a count")
}

#[test]
fn an_import_on_a_slow_disk_neither_stops_the_server_nor_blocks_other_writes() {
    let records = long_or(60_000, 1_500);
    let mut watched = Watched::on_a_slow_disk(Duration::from_millis(1));
    let mut server = watched.site.server();
    let token = watched.site.token(&server);
    write_policies(&watched.site, records);
    let load = Load::start("bulk", &token, 4);
    load.targets().open(&server.base);
    load.goes_on_for(20);
    let (before, began) = (load.acknowledged(), Instant::now());
    let mut child = import(&watched.site);
    let (mut connection, mut slowest) = (Connection::default(), Duration::ZERO);
    while child.try_wait().expect("a child").is_none() {
        assert!(server.child.try_wait().expect("a child").is_none(), "{:#?}", server.logged_to_its_end());
        let seen = seen(&server, &token);
        assert!(seen == 0 || seen == records, "{seen} of {records} policies are seen");
        let asked = Instant::now();
        let quote = Request::post(QUOTE, &crate::bodies::quote());
        connection.ask(address(&server), Some(&token), &quote).expect("an answer");
        slowest = slowest.max(asked.elapsed());
        std::thread::sleep(Duration::from_millis(20));
    }
    let (took, meanwhile) = (began.elapsed(), load.acknowledged() - before);
    let ended = child.wait_with_output().expect("its end");
    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
    assert_eq!(seen(&server, &token), records);
    let journal = load.ends();
    // In one transaction, all other writes would wait until its end.
    assert!(meanwhile >= 40, "only {meanwhile} other writes during the import");
    assert_eq!(journal.faults, Vec::<String>::new());
    let verified = watched.site.program().arg("verify").output().expect("it starts");
    assert_eq!(verified.status.code(), Some(0), "{}", stderr(&verified));
    drop(server);
    is_sound(watched.site.folder());
    println!(
        "SQLite: {records} policies imported in {took:.1?} on a slow disk, {meanwhile} other writes meanwhile, a quote waited {slowest:.0?} at most"
    );
}

#[test]
fn a_backup_waits_until_a_reader_releases_the_long_write_ahead_log() {
    let watched = Watched::on_a_slow_disk(Duration::ZERO);
    let site = &watched.site;
    let server = site.server();
    let log = site.data().join("covernote.db-wal");
    let bytes = || fs::metadata(&log).expect("a log").len();
    write_policies(site, 12_000);
    let reader = Snapshot::of_folder(&site.data(), || false).expect("a snapshot");
    assert!(import(site).wait_with_output().expect("its end").status.success());
    assert!(bytes() > 32 << 20, "the log has {} bytes", bytes());
    let mut backup = site.program();
    let mut backup = backup.args(["backup", "copy.db"]).spawn().expect("it starts");
    std::thread::sleep(Duration::from_secs(3));
    assert!(backup.try_wait().expect("a child").is_none(), "it began to read");
    drop(reader);
    assert!(backup.wait().expect("its end").success());
    assert!(bytes() < 32 << 20, "the log has {} bytes", bytes());
    drop(server);
}

#[test]
fn a_killed_restore_leaves_no_store_and_can_be_repeated() {
    let watched = Watched::on_a_slow_disk(Duration::ZERO);
    let site = &watched.site;
    write_policies(site, long_or(60_000, 6_000));
    assert!(import(site).wait_with_output().expect("its end").status.success());
    let run = |arguments: &[&str]| site.program().args(arguments).output().expect("it starts");
    let made = run(&["backup", "copy.db", "--with-keyring"]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let restore = ["restore", "copy.db", "--data", "spare", "--json"];
    let spare = site.folder().join("spare");
    let mut killed = 0;
    for round in 0..20_u64 {
        let mut child = site.program();
        let mut child =
            child.args(restore).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let began = Instant::now();
        while !spare.join("covernote.db.new").exists() && began.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_micros(200));
        }
        std::thread::sleep(Duration::from_micros(500 * round));
        child.kill().expect("killed");
        child.wait().expect("its end");
        if spare.join("covernote.db").exists() {
            fs::remove_dir_all(&spare).expect("removed");
            continue;
        }
        killed += 1;
        let refused = run(&["serve", "--listen", "127.0.0.1:0", "--data", "spare"]);
        assert_eq!(refused.status.code(), Some(78), "{}", stderr(&refused));
        assert!(stderr(&refused).contains("covernote.db.new"), "{}", stderr(&refused));
    }
    assert!(killed > 0, "every restore was over");
    fs::create_dir_all(&spare).expect("a folder");
    let restored = run(&restore);
    assert_eq!(restored.status.code(), Some(0), "{}", stderr(&restored));
    // As if it was killed after the store got its name.
    fs::hard_link(spare.join("covernote.db"), spare.join("covernote.db.new")).expect("linked");
    let verified = run(&["verify", "--data", "spare"]);
    assert_eq!(verified.status.code(), Some(0), "{}", stderr(&verified));
    assert!(!spare.join("covernote.db.new").exists());
}

#[test]
fn a_server_keeps_running_while_a_checkpoint_takes_seconds() {
    let watched = Watched::on_a_slow_disk(Duration::from_millis(2));
    let mut server = watched.site.server();
    write_policies(&watched.site, 3000);
    let ended = import(&watched.site).wait_with_output().expect("its end");
    assert_eq!(ended.status.code(), Some(0), "{}", stderr(&ended));
    // The server checks its files every two seconds, so also while it writes the last part of the log back.
    std::thread::sleep(Duration::from_secs(5));
    assert!(server.child.try_wait().expect("a child").is_none(), "{:#?}", server.logged_to_its_end());
}

#[test]
fn a_killed_import_leaves_no_visible_record_and_can_be_repeated() {
    let records = long_or(60_000, 1_500);
    let mut watched = Watched::on_a_slow_disk(Duration::from_millis(1));
    let mut server = watched.site.server();
    let token = watched.site.token(&server);
    write_policies(&watched.site, records);
    let mut child = import(&watched.site);
    let database = watched.site.data().join(storage::sqlite::FILE);
    let staged = || -> u64 {
        let store = rusqlite::Connection::open(&database).expect("the store");
        store
            .query_row("select count(*) from policies", (), |row| row.get::<_, u32>(0))
            .expect("a table")
            .into()
    };
    let began = Instant::now();
    while staged() < records / 10 {
        assert!(began.elapsed() < Duration::from_secs(60), "nothing is staged");
        std::thread::sleep(Duration::from_millis(5));
    }
    // The command would send the file again.
    child.kill().expect("killed");
    server.kill();
    child.wait().expect("its end");
    assert!(staged() < records, "the import was over");
    server = watched.site.server();
    assert_eq!(seen(&server, &token), 0);
    let verified = watched.site.program().arg("verify").output().expect("it starts");
    assert_eq!(verified.status.code(), Some(0), "{}", stderr(&verified));
    let again = import(&watched.site).wait_with_output().expect("its end");
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_eq!((seen(&server, &token), staged()), (records, records));
    drop(server);
    is_sound(watched.site.folder());
    let _ = fs::remove_file(watched.site.folder().join("book.jsonl"));
}
