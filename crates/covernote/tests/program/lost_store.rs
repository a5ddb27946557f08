//! A store that is removed, replaced or not mounted. No acknowledged write is lost, and no empty store is
//! created (D109).

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::bodies;
use crate::support::program::{Server, run, stderr, stdout, token_of};

const DATABASE: &str = "covernote-data/covernote.db";

fn partner(here: &Path) -> Value {
    let made = run(here, &["partner", "create", "A Lender", "--scope", "business", "--json"]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    serde_json::from_str(&stdout(&made)).expect("credentials")
}

/// Starts a server that must fail with this exit code and these words.
fn is_refused(here: &Path, arguments: &[&str], code: i32, words: &[&str]) -> Output {
    let refused = run(here, &[&["serve", "--listen", "127.0.0.1:0"], arguments].concat());
    let said = stderr(&refused);
    assert_eq!(refused.status.code(), Some(code), "{said}");
    for word in words {
        assert!(said.contains(word), "{word}: {said}");
    }
    refused
}

/// Waits until a server has ended. Returns its exit code and the time.
fn ends(server: &mut Server) -> (Option<i32>, Duration) {
    let began = Instant::now();
    loop {
        if let Some(ended) = server.child.try_wait().expect("a process") {
            return (ended.code(), began.elapsed());
        }
        assert!(began.elapsed() < Duration::from_secs(20), "the server goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Changes the file of a store.
type Change = fn(&Path);

/// Changes of the store's file, with the words of the server's message about each.
const CHANGES: [(&str, Change); 5] = [
    ("was removed", |file| fs::remove_file(file).expect("removed")),
    ("was removed", |file| fs::rename(file, file.with_extension("moved")).expect("moved")),
    ("was replaced", |file| {
        fs::copy(file, file.with_extension("copy")).expect("copied");
        fs::rename(file.with_extension("copy"), file).expect("replaced");
    }),
    ("content of another file", |file| {
        fs::write(file, vec![7; 1 << 16]).expect("written");
    }),
    // The server may create a new one meanwhile, by a read.
    ("covernote.db-wal was re", |file| fs::remove_file(file.with_extension("db-wal")).expect("removed")),
];

#[tokio::test]
async fn a_server_stops_within_5_seconds_if_its_database_is_removed_or_replaced() {
    for (words, change) in CHANGES {
        let here = tempfile::tempdir().expect("a folder");
        partner(here.path());
        let mut server = Server::start(here.path(), &[]);
        // The server listens before it has taken over the jobs of an earlier process, and answers after that.
        let answer = reqwest::get(format!("{}/readyz", server.base)).await.expect("an answer");
        assert_eq!(answer.status(), 200);
        change(&here.path().join(DATABASE));
        let (code, took) = ends(&mut server);
        let said = server.logged_to_its_end().join("\n");
        assert_eq!(code, Some(69), "{words}: {said}");
        assert!(took < Duration::from_secs(5), "{words}: {took:?}");
        assert!(said.contains(words) && said.contains("no more writes are accepted"), "{words}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_write_is_acknowledged_after_the_database_was_removed() {
    let here = tempfile::tempdir().expect("a folder");
    let made = partner(here.path());
    let mut server = Server::start(here.path(), &[]);
    let token = token_of(&server.base, &made).await;
    let client = reqwest::Client::new();
    let url = format!("{}/v1/embedded/quote", server.base);
    let quote = async || {
        let sent = client.post(&url).bearer_auth(&token).json(&bodies::quote()).send().await;
        sent.map(|answer| answer.status().as_u16()).ok()
    };
    assert_eq!(quote().await, Some(200));
    fs::remove_file(here.path().join(DATABASE)).expect("removed");
    let ready = client.get(format!("{}/readyz", server.base)).send().await;
    assert!(ready.is_ok_and(|answer| answer.status() == 503), "it says that it is ready");
    for _ in 0..20 {
        assert_ne!(quote().await, Some(200), "a quote was acknowledged and is lost");
    }
    assert_eq!(ends(&mut server).0, Some(69));
}

#[test]
fn acknowledged_writes_survive_the_removal_of_the_write_ahead_log() {
    let here = tempfile::tempdir().expect("a folder");
    let mut server = Server::start(here.path(), &[]);
    let made = partner(here.path());
    fs::remove_file(here.path().join("covernote-data/covernote.db-wal")).expect("removed");
    assert_eq!(ends(&mut server).0, Some(69));
    let listed = run(here.path(), &["partner", "show", made["client_id"].as_str().expect("text")]);
    assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
}

#[test]
fn no_empty_store_is_created_if_the_expected_store_is_missing() {
    let here = tempfile::tempdir().expect("a folder");
    partner(here.path());
    let kept = here.path().join("kept.db");
    fs::rename(here.path().join(DATABASE), &kept).expect("moved");
    let words =
        ["there is no store in ./covernote-data", "keyring.store expects", "covernote database create"];
    is_refused(here.path(), &[], 78, &words);
    let refused = run(here.path(), &["partner", "create", "Another"]);
    assert_eq!(refused.status.code(), Some(78), "{}", stderr(&refused));
    assert!(!here.path().join(DATABASE).exists());
    // An empty file is not a store, either.
    fs::write(here.path().join(DATABASE), "").expect("written");
    is_refused(here.path(), &[], 78, &["there is no store"]);
    fs::rename(&kept, here.path().join(DATABASE)).expect("back");
    drop(Server::start(here.path(), &[]));
}

#[test]
fn an_empty_store_is_created_beside_files_of_another_store_only_on_request() {
    let here = tempfile::tempdir().expect("a folder");
    partner(here.path());
    let data = here.path().join("covernote-data");
    let file = |name: &str| data.join(name);
    let before = fs::read_to_string(file("keyring.store")).expect("the marker");
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(file(&format!("covernote.db{end}")));
    }
    // Whatever is left of a store is a reason to ask.
    let kept = here.path().join("kept");
    fs::create_dir(&kept).expect("a folder");
    for left in ["keyring", "keyring.store", "covernote.db.new", "covernote.db-wal"] {
        for name in ["keyring", "keyring.store"].iter().filter(|name| **name != left) {
            fs::rename(file(name), kept.join(name)).expect("moved");
        }
        if left.starts_with("covernote.db") {
            fs::write(file(left), "a part").expect("written");
        }
        is_refused(
            here.path(),
            &[],
            78,
            &["there is no store", left, "missing", "covernote database create"],
        );
        assert!(!file("covernote.db").exists());
        for name in ["keyring", "keyring.store"].iter().filter(|name| kept.join(name).exists()) {
            fs::rename(kept.join(name), file(name)).expect("moved back");
        }
        if left.starts_with("covernote.db") {
            let refused = run(here.path(), &["database", "create"]);
            assert_eq!(refused.status.code(), Some(78), "{}", stderr(&refused));
            assert!(stderr(&refused).contains("move it away"), "{}", stderr(&refused));
            fs::remove_file(file(left)).expect("removed");
        }
    }
    let keyring = fs::read(file("keyring")).expect("a keyring");
    let made = run(here.path(), &["database", "create", "--json"]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    assert_eq!(fs::read(file("keyring")).expect("a keyring"), keyring);
    assert_ne!(fs::read_to_string(file("keyring.store")).expect("the marker"), before);
    drop(Server::start(here.path(), &[]));
    let again = run(here.path(), &["database", "create"]);
    assert_eq!(again.status.code(), Some(1), "{}", stderr(&again));
}

#[test]
fn a_server_completes_the_creation_of_a_store_that_a_power_cut_interrupted() {
    let here = tempfile::tempdir().expect("a folder");
    drop(Server::start(here.path(), &[]));
    let file = |name: &str| here.path().join("covernote-data").join(name);
    for left in [&["keyring"][..], &["keyring", "covernote.db-journal"]] {
        let keyring = fs::read(file("keyring")).expect("a keyring");
        for entry in fs::read_dir(here.path().join("covernote-data")).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() && path != file("keyring") {
                fs::remove_file(path).expect("removed");
            }
        }
        for name in left.iter().skip(1).chain(&["covernote.db"]) {
            fs::write(file(name), "").expect("written");
        }
        drop(Server::start(here.path(), &[]));
        assert_eq!(fs::read(file("keyring")).expect("a keyring"), keyring, "{left:?}");
        assert!(file("keyring.store").exists(), "{left:?}");
    }
    // Without a marker, as version 0.1.0 left it, a log shows that the empty database was not new.
    fs::remove_file(file("keyring.store")).expect("removed");
    fs::write(file("covernote.db"), "").expect("emptied");
    fs::write(file("covernote.db-wal"), "a part").expect("written");
    is_refused(here.path(), &[], 78, &["there is no store", "covernote.db-wal"]);
}

#[test]
fn a_second_server_cannot_open_the_database_through_a_link() {
    use std::os::unix::fs::symlink;
    let here = tempfile::tempdir().expect("a folder");
    let server = Server::start(here.path(), &[]);
    let other = here.path().join("other");
    fs::create_dir(&other).expect("a folder");
    for name in ["keyring", "keyring.store"] {
        fs::copy(here.path().join("covernote-data").join(name), other.join(name)).expect("copied");
    }
    let database = here.path().join(DATABASE);
    symlink(&database, other.join("covernote.db")).expect("linked");
    is_refused(here.path(), &["--data", "other"], 69, &["another server uses the data folder"]);
    fs::remove_file(other.join("covernote.db")).expect("removed");
    fs::hard_link(&database, other.join("covernote.db")).expect("linked");
    is_refused(here.path(), &["--data", "other"], 78, &["has 2 names (hard links)"]);
    drop(server);
    is_refused(here.path(), &[], 78, &["has 2 names (hard links)"]);
    fs::remove_file(other.join("covernote.db")).expect("removed");
    symlink(here.path().join("nowhere"), other.join("covernote.db")).expect("linked");
    is_refused(here.path(), &["--data", "other"], 69, &["No such file"]);
    // Without the other server, a link leads to the store.
    fs::remove_file(other.join("covernote.db")).expect("removed");
    symlink(&database, other.join("covernote.db")).expect("linked");
    drop(Server::start(here.path(), &["--data", "other"]));
}

#[test]
fn a_server_does_not_start_if_its_data_folder_is_not_mounted_and_its_keyring_is_elsewhere() {
    let here = tempfile::tempdir().expect("a folder");
    let arguments = ["--keyring", "keys/ring", "--data", "volume"];
    fs::create_dir(here.path().join("keys")).expect("a folder");
    drop(Server::start(here.path(), &arguments));
    fs::rename(here.path().join("volume"), here.path().join("unmounted")).expect("moved");
    is_refused(here.path(), &arguments, 78, &["there is no store in volume", "keys/ring.store expects"]);
    assert!(!here.path().join("volume/covernote.db").exists());
}

#[test]
fn a_store_whose_id_differs_from_the_setting_store_id_is_refused() {
    let here = tempfile::tempdir().expect("a folder");
    partner(here.path());
    let id = fs::read_to_string(here.path().join("covernote-data/keyring.store")).expect("the marker");
    let id = id.trim();
    let settings = here.path().join("covernote.toml");
    fs::write(&settings, format!("store_id = \"{id}\"\n")).expect("written");
    drop(Server::start(here.path(), &[]));
    let doctor = run(here.path(), &["doctor"]);
    assert!(stdout(&doctor).contains(id), "{}", stdout(&doctor));
    let other = "0192f3a4-0000-4000-8000-000000000000";
    fs::write(&settings, format!("store_id = \"{other}\"\n")).expect("written");
    is_refused(here.path(), &[], 78, &[id, other, "the setting store_id expects"]);
    is_refused(here.path(), &["--data", "elsewhere"], 78, &["there is no store in elsewhere", other]);
    assert!(!here.path().join("elsewhere/covernote.db").exists());
}

#[test]
fn a_store_without_an_id_gets_one_at_the_next_start() {
    let here = tempfile::tempdir().expect("a folder");
    partner(here.path());
    let marker = here.path().join("covernote-data/keyring.store");
    let forget = || {
        let store = rusqlite::Connection::open(here.path().join(DATABASE)).expect("the store");
        store.execute("delete from facts where name = 'store_id'", ()).expect("forgotten");
    };
    let first = fs::read_to_string(&marker).expect("the marker");
    forget();
    // A backup from before store ids, with the store's marker.
    drop(Server::start(here.path(), &[]));
    assert_eq!(fs::read_to_string(&marker).expect("the marker"), first);
    forget();
    fs::remove_file(&marker).expect("removed");
    drop(Server::start(here.path(), &[]));
    assert_ne!(fs::read_to_string(&marker).expect("made again"), first);
}
