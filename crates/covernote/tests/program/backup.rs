//! `covernote backup` with `covernote restore`: recovery after the loss of a disk (docs/backup.md).

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use covernote::wiring::{OsRandom, SystemClock};
use domain::credit_life::CreditLife;
use domain::id::{PartnerId, ProposalId, QuoteId};
use reqwest::Client;
use rusqlite::Connection;
use rustix::process::Signal;
use serde_json::{Value, json};
use service::clock::Random;
use service::storage::{EmbeddedQuotes, Proposals};
use storage::Sqlite;
use storage::sqlite::FILE;

use crate::load::{Journal, write_until_it_dies};
use crate::support::bodies;
use crate::support::program::{Server, built, program, run, stderr, stdout, token_of, without_settings};

/// A folder with a store that has one partner, and a quote on request.
struct Operator {
    here: tempfile::TempDir,
    partner: Value,
}

impl Operator {
    fn new() -> Operator {
        let here = tempfile::tempdir().expect("a folder");
        let made = run(here.path(), &["partner", "create", "A Lender", "--scope", "business", "--json"]);
        let partner = object(&made);
        Operator { here, partner }
    }

    /// A folder whose store has a quote.
    async fn with_a_quote() -> Operator {
        let operator = Operator::new();
        let server = Server::start(operator.path(), &[]);
        let token = token_of(&server.base, &operator.partner).await;
        let quote = Client::new().post(format!("{}/v1/embedded/quote", server.base));
        let answer = quote.bearer_auth(token).json(&bodies::quote()).send().await.expect("an answer");
        assert_eq!(answer.status().as_u16(), 200);
        operator
    }

    fn path(&self) -> &Path {
        self.here.path()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        run(self.path(), arguments)
    }

    /// Runs a command that must succeed.
    #[track_caller]
    fn does(&self, arguments: &[&str]) -> Output {
        let done = self.run(arguments);
        assert_eq!(done.status.code(), Some(0), "{arguments:?}: {}", stderr(&done));
        done
    }

    /// Runs a command that must fail with this exit code and these words, and must not create this file.
    #[track_caller]
    fn is_refused(&self, arguments: &[&str], code: i32, words: &[&str], absent: &str) {
        let refused = self.run(arguments);
        assert_eq!(refused.status.code(), Some(code), "{arguments:?}: {}", stderr(&refused));
        for word in words {
            assert!(stderr(&refused).contains(word), "{word}: {}", stderr(&refused));
        }
        assert!(!self.file(absent).exists(), "{absent} is there");
    }

    fn names(&self, folder: &str) -> Vec<String> {
        names(&self.file(folder))
    }
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("one").file_name().into_string().expect("text")).collect();
    names.sort();
    names
}

#[track_caller]
fn object(output: &Output) -> Value {
    serde_json::from_str(&stdout(output))
        .unwrap_or_else(|fault| panic!("{fault}: {} {}", stdout(output), stderr(output)))
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("there").permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_under_write_load_has_every_write_that_was_acknowledged_before_it() {
    const CLIENTS: usize = 6;
    let operator = Operator::new();
    let arguments = ["--base-url", "http://covernote.example", "--log-level", "info"];
    let mut server = Server::start(operator.path(), &arguments);
    let token = token_of(&server.base, &operator.partner).await;
    let journals: Vec<Arc<Mutex<Journal>>> = (0..CLIENTS).map(|_| Arc::default()).collect();
    let clients: Vec<_> = journals
        .iter()
        .map(|journal| tokio::spawn(write_until_it_dies(server.base.clone(), token.clone(), journal.clone())))
        .collect();
    let written =
        || -> usize { journals.iter().map(|journal| journal.lock().expect("unpoisoned").quotes.len()).sum() };
    let reaches = async |number: usize| {
        let started = Instant::now();
        while written() < number {
            assert!(started.elapsed() < Duration::from_secs(60), "nothing is acknowledged any more");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    reaches(100).await;
    let before: Vec<Journal> =
        journals.iter().map(|journal| journal.lock().expect("unpoisoned").clone()).collect();
    let here = operator.path().to_owned();
    let backup = ["backup", "a.db", "--with-keyring", "--verify", "--json"];
    let made = tokio::task::spawn_blocking(move || run(&here, &backup)).await.expect("no panic");
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let told = object(&made);
    assert_eq!((&told["backup"], &told["keyring_copy"]), (&json!("a.db"), &json!("a.db.keyring")));
    assert_eq!(told["verified"]["faults"], json!([]));
    reaches(written() + 100).await;
    server.kill();
    for client in clients {
        client.await.expect("no panic");
    }

    // Another folder, with only the two files.
    let elsewhere = tempfile::tempdir().expect("a folder");
    for file in ["a.db", "a.db.keyring"] {
        fs::rename(operator.file(file), elsewhere.path().join(file)).expect("moved");
    }
    let restored = run(elsewhere.path(), &["restore", "a.db", "--verify"]);
    assert_eq!(restored.status.code(), Some(0), "{}", stderr(&restored));
    let data = elsewhere.path().join("covernote-data");
    assert_eq!((mode(&data), mode(&data.join(FILE)), mode(&data.join("keyring"))), (0o700, 0o600, 0o600));
    let of: PartnerId = operator.partner["partner_id"].as_str().expect("an id").parse().expect("an id");
    let mut completed = None;
    {
        let random: Arc<dyn Random> = Arc::new(OsRandom::default());
        let store = Sqlite::open(&data, &data.join("keyring"), Arc::new(SystemClock), random)
            .expect("the store opens");
        let mut after = 0;
        for (before, journal) in before.iter().zip(&journals) {
            let journal = journal.lock().expect("unpoisoned").clone();
            let mut there = Vec::new();
            for quote in &journal.quotes {
                let id: QuoteId = quote.parse().expect("an id");
                there.push(store.embedded_quote(of, id).await.expect("readable").is_some());
            }
            let first_missing = there.iter().position(|there| !there).unwrap_or(there.len());
            assert!(first_missing >= before.quotes.len(), "a quote from before the backup is not in it");
            // The backup has each client's acknowledged quotes up to one moment, and none after it.
            assert!(
                there[first_missing..].iter().all(|there| !there),
                "a later quote is in it, an earlier is not"
            );
            after += there.len() - first_missing;
            for (proposal, status) in &before.proposals {
                let id: ProposalId = proposal.parse().expect("an id");
                let found = Proposals::<CreditLife>::proposal(&store, of, id).await.expect("readable");
                let found =
                    found.unwrap_or_else(|| panic!("{proposal} is not in the backup")).status.to_string();
                assert!(found == *status || found == "COMPLETED", "{proposal} was {status} and is {found}");
                if status == "COMPLETED" {
                    completed = Some(proposal.clone());
                }
            }
        }
        assert!(after > 0, "nothing was written after the backup: there was no load");
    }
    // A server works with the restored store: the old token is valid, and the certificate is there.
    let server = Server::start(elsewhere.path(), &arguments);
    let completed = completed.expect("a policy from before");
    let status = format!("{}/v1/embedded/proposal/{completed}/status", server.base);
    let answer = Client::new().get(status).bearer_auth(&token).send().await.expect("an answer");
    let answer: Value = answer.json().await.expect("JSON");
    let policy = answer["payload"]["policy_url"].as_str().unwrap_or_else(|| panic!("{answer}"));
    let policy = policy.replace("http://covernote.example", &server.base);
    let certificate = Client::new().get(policy).send().await.expect("an answer");
    assert!(certificate.bytes().await.expect("bytes").starts_with(b"%PDF-"));
}

#[test]
fn a_backup_is_one_file_that_only_its_owner_can_read_and_its_message_names_the_keyring() {
    let operator = Operator::new();
    let made = operator.does(&["backup", "a.db"]);
    assert_eq!((mode(&operator.file("a.db")), stdout(&made).as_str()), (0o600, ""));
    let said = stderr(&made);
    let keyring = fs::canonicalize(operator.file("covernote-data/keyring")).expect("there");
    let keyring = keyring.display().to_string();
    for word in
        ["The backup does not contain the keyring", keyring.as_str(), "Without it nobody can read the backup"]
    {
        assert!(said.contains(word), "{word}: {said}");
    }
    let made = operator.does(&["backup", "b.db", "--with-keyring"]);
    assert!(
        stderr(&made).contains("The two files together are as secret as the store itself"),
        "{}",
        stderr(&made)
    );
    assert_eq!(mode(&operator.file("b.db.keyring")), 0o600);
    let (own, copy) = ("covernote-data/keyring", "b.db.keyring");
    assert_eq!(
        fs::read(operator.file(own)).expect("a keyring"),
        fs::read(operator.file(copy)).expect("a copy")
    );
    assert_eq!(operator.names("."), ["a.db", "b.db", "b.db.keyring", "covernote-data"]);
}

#[test]
fn a_backup_never_overwrites_a_file() {
    let operator = Operator::new();
    for (taken, arguments) in [
        ("a.db", &["backup", "a.db"][..]),
        ("b.db.keyring", &["backup", "b.db", "--with-keyring"]),
        // SQLite would apply an old write-ahead log to the backup.
        ("c.db-wal", &["backup", "c.db"]),
    ] {
        fs::write(operator.file(taken), "mine").expect("written");
        let refused = operator.run(arguments);
        assert_eq!(refused.status.code(), Some(1));
        let there = format!("{taken} exists already");
        assert!(stderr(&refused).contains(&there), "{}", stderr(&refused));
        assert_eq!(fs::read(operator.file(taken)).expect("there"), b"mine");
    }
    assert_eq!(operator.names("."), ["a.db", "b.db.keyring", "c.db-wal", "covernote-data"]);
}

#[tokio::test]
async fn a_restore_drill_works_beside_a_running_server_and_leaves_no_files() {
    let operator = Operator::with_a_quote().await;
    operator.does(&["backup", "a.db"]);
    assert!(operator.file("covernote-data/last-backup").exists(), "monitoring knows of it");
    let server = Server::start(&operator.file("."), &[]);
    // Only the folder of a killed drill is emptied, not another folder of that name.
    fs::create_dir(operator.file("covernote-data/drill")).expect("a folder");
    let strange = operator.run(&["restore", "a.db", "--drill"]);
    assert_eq!(strange.status.code(), Some(1), "a folder of somebody else is not emptied");
    fs::write(operator.file("covernote-data/drill/THIS-IS-A-DRILL"), "").expect("written");
    fs::copy(operator.file("a.db"), operator.file("covernote-data/drill/inside.db")).expect("copied");
    assert_eq!(
        operator.run(&["restore", "covernote-data/drill/inside.db", "--drill"]).status.code(),
        Some(1)
    );
    assert!(operator.file("covernote-data/drill/inside.db").exists());
    fs::write(operator.file("covernote-data/drill/covernote.db"), "half").expect("written");
    let done = operator.does(&["restore", "a.db", "--drill"]);
    assert!(
        stderr(&done).contains("The drill passed: a.db was restored and verified in"),
        "{}",
        stderr(&done)
    );
    assert!(!operator.file("covernote-data/drill").exists());
    let told = object(&operator.does(&["restore", "a.db", "--drill", "--json"]));
    assert_eq!(
        (told["passed"].as_bool(), told["verified"]["faults"].as_array().map(Vec::len)),
        (Some(true), Some(0))
    );
    assert!(told["seconds"].as_f64().is_some_and(|seconds| seconds > 0.0), "{told}");
    drop(server);

    let mut bytes = fs::read(operator.file("a.db")).expect("bytes");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0x5a);
    fs::write(operator.file("damaged.db"), bytes).expect("written");
    let refused = operator.run(&["restore", "damaged.db", "--drill"]);
    assert_eq!(refused.status.code(), Some(65), "{}", stderr(&refused));
    assert!(!operator.file("covernote-data/drill").exists());
    let without_keyring = operator.run(&["restore", "a.db", "--drill", "--keyring", "none"]);
    assert_eq!(without_keyring.status.code(), Some(78), "{}", stderr(&without_keyring));
    operator.does(&["verify"]);
}

#[test]
fn a_file_left_by_a_killed_backup_does_not_prevent_the_next_backup() {
    let operator = Operator::new();
    fs::write(operator.file("a.db.new"), vec![7; 1_000_000]).expect("written");
    operator.does(&["backup", "a.db", "--with-keyring", "--verify"]);
    operator.does(&["restore", "a.db", "--verify", "--data", "spare"]);
    assert_eq!(operator.names("."), ["a.db", "a.db.keyring", "covernote-data", "spare"]);
}

#[test]
fn a_missing_keyring_is_reported_and_stops_only_operations_that_need_it() {
    let operator = Operator::new();
    let keyring = operator.file("covernote-data/keyring");
    fs::rename(&keyring, operator.file("hidden")).expect("moved");
    for flag in ["--verify", "--with-keyring"] {
        operator.is_refused(&["backup", "a.db", flag], 78, &["keyring"], "a.db");
    }
    let made = operator.does(&["backup", "a.db"]);
    assert!(stderr(&made).contains("THE KEYRING CANNOT BE USED NOW"), "{}", stderr(&made));
    let made = operator.does(&["backup", "b.db", "--json"]);
    assert_eq!(object(&made)["keyring_opens_it"], false);
    // Without the keyring nothing is done, and the message says what is needed.
    let wanted = ["spare/keyring", "a.db.keyring", "--keyring"];
    operator.is_refused(&["restore", "a.db", "--data", "spare"], 78, &wanted, "spare");
    let said = ["safe/keyring, which", "a.db.keyring"];
    fs::copy(operator.file("hidden"), operator.file("a.db.keyring")).expect("copied");
    let arguments = ["restore", "a.db", "--data", "spare", "--keyring", "safe/keyring"];
    operator.is_refused(&arguments, 78, &said, "spare");
    operator.does(&["restore", "a.db", "--data", "spare", "--keyring", "hidden"]);
    assert!(!operator.file("spare/keyring").exists(), "one that was named stays where it is");
    operator.does(&["partner", "list", "--data", "spare", "--keyring", "hidden"]);
}

#[test]
fn a_restore_with_the_keyring_of_another_store_is_refused() {
    let operator = Operator::new();
    operator.does(&["backup", "a.db", "--with-keyring"]);
    operator.does(&["partner", "create", "Another", "--data", "another"]);
    let arguments = ["restore", "a.db", "--data", "spare", "--keyring", "another/keyring"];
    operator.is_refused(&arguments, 78, &["another/keyring does not open a.db"], "spare");
    // The data folder's keyring is never overwritten, not even by the right one.
    fs::create_dir(operator.file("spare")).expect("made");
    fs::copy(operator.file("another/keyring"), operator.file("spare/keyring")).expect("copied");
    let hint = ["spare/keyring does not open a.db", "to use a.db.keyring, rename this keyring"];
    operator.is_refused(&["restore", "a.db", "--data", "spare"], 78, &hint, "spare/covernote.db");
    fs::remove_file(operator.file("spare/keyring")).expect("removed");
    let done = operator.does(&["restore", "a.db", "--data", "spare", "--json"]);
    let told = object(&done);
    assert_eq!((&told["keyring"], &told["keyring_copied"]), (&json!("spare/keyring"), &json!(true)));
    assert_eq!(mode(&operator.file("spare/keyring")), 0o600);
    operator.does(&["partner", "list", "--data", "spare"]);
    // A keyring that others can read is refused.
    fs::set_permissions(operator.file("a.db.keyring"), fs::Permissions::from_mode(0o644)).expect("changed");
    operator.is_refused(&["restore", "a.db", "--data", "third"], 78, &["chmod 600"], "third");
}

#[tokio::test]
async fn verification_of_a_backup_detects_a_changed_byte_and_names_its_record() {
    let operator = Operator::with_a_quote().await;
    operator.does(&["backup", "a.db", "--with-keyring", "--verify"]);
    let store = Connection::open(operator.file("a.db")).expect("a backup");
    let (quote, body): ([u8; 16], Vec<u8>) = store
        .query_row("select quote_id, body from embedded_quotes", (), |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("a quote");
    drop(store);
    let mut bytes = fs::read(operator.file("a.db")).expect("bytes");
    let at = bytes.windows(body.len()).position(|window| window == body).expect("in one piece");
    bytes[at + body.len() / 2] ^= 1;
    fs::write(operator.file("a.db"), bytes).expect("written");

    let id = QuoteId::from_uuid(domain::id::Uuid::from_bytes(quote)).to_string();
    let named = format!(
        "embedded_quotes {id}: content: expected readable content, found an encrypted value cannot be decrypted"
    );
    let arguments = ["restore", "a.db", "--data", "spare", "--verify"];
    operator.is_refused(&arguments, 65, &[&named, "1 fault;", "nothing was restored"], "spare/covernote.db");
    assert!(!operator.file("spare/keyring").exists(), "a keyring without its store");
    let told = operator.run(&[&arguments[..], &["--json"]].concat());
    let told = object(&told);
    assert_eq!(told["restored"], Value::Null);
    let place = &told["verified"]["faults"][0]["record"];
    assert_eq!(*place, json!(format!("embedded_quotes {id}")));
    // Without --verify the faulty backup is restored.
    operator.does(&["restore", "a.db", "--data", "spare"]);
    // The same applies to a faulty store.
    let arguments = ["backup", "b.db", "--data", "spare", "--verify", "--with-keyring"];
    operator.is_refused(&arguments, 65, &[&named, "b.db was not created"], "b.db");
    assert!(!operator.file("b.db.keyring").exists() && !operator.file("b.db.new").exists());
    operator.does(&["backup", "b.db", "--data", "spare"]);
}

#[test]
fn a_store_of_a_newer_program_is_neither_restored_nor_backed_up() {
    let operator = Operator::new();
    operator.does(&["backup", "a.db", "--with-keyring"]);
    let newer = "insert into migrations (number, name, applied_at) values (999, 'newer', 0)";
    Connection::open(operator.file("a.db")).expect("a backup").execute(newer, ()).expect("noted");
    operator.is_refused(&["restore", "a.db", "--data", "spare"], 78, &["use a newer covernote"], "spare");
    let store = operator.file("covernote-data").join(FILE);
    Connection::open(store).expect("a store").execute(newer, ()).expect("noted");
    operator.is_refused(&["backup", "b.db"], 78, &["use a newer covernote"], "b.db");
}

#[test]
fn a_file_that_is_not_a_complete_backup_cannot_be_restored() {
    let operator = Operator::new();
    let keyring = ["--keyring", "covernote-data/keyring", "--data", "spare"];
    let restore = |file: &str, word: &str| {
        operator.is_refused(&[&["restore", file][..], &keyring].concat(), 65, &[file, word], "spare");
    };
    restore("missing.db", "No such file");
    restore("covernote-data", "is not a file");
    fs::write(operator.file("text"), "not a database".repeat(100)).expect("written");
    restore("text", "the file is not a covernote store");
    fs::write(operator.file("empty"), "").expect("written");
    restore("empty", "not a covernote store");
    operator.does(&["backup", "a.db"]);
    let bytes = fs::read(operator.file("a.db")).expect("bytes");
    fs::write(operator.file("half"), &bytes[..bytes.len() / 2]).expect("written");
    restore("half", "incomplete or damaged");
}

#[test]
fn a_restore_overwrites_no_file() {
    let operator = Operator::new();
    operator.does(&["backup", "a.db", "--with-keyring"]);
    operator.does(&["partner", "create", "Another", "--data", "another"]);
    let before = fs::read(operator.file("another/covernote.db")).expect("a store");
    let refused = operator.run(&["restore", "a.db", "--data", "another"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(stderr(&refused).contains("a restore overwrites no file"), "{}", stderr(&refused));
    assert_eq!(fs::read(operator.file("another/covernote.db")).expect("a store"), before);
    // SQLite would apply another store's write-ahead log to this store.
    fs::create_dir(operator.file("spare")).expect("made");
    fs::write(operator.file("spare/covernote.db-wal"), "another's").expect("written");
    let words = ["covernote.db-wal exists already", "move every covernote.db* away"];
    operator.is_refused(&["restore", "a.db", "--data", "spare"], 1, &words, "spare/covernote.db");
}

#[test]
fn a_restore_is_refused_while_a_server_runs() {
    let operator = Operator::new();
    operator.does(&["backup", "a.db", "--with-keyring"]);
    let mut server = Server::start(operator.path(), &[]);
    let arguments = ["restore", "a.db"];
    let process = format!("a server (process {}) uses", server.child.id());
    let refused = |words: &[&str]| {
        let refused = operator.run(&arguments);
        assert_eq!(refused.status.code(), Some(69), "{}", stderr(&refused));
        for word in words {
            assert!(stderr(&refused).contains(word), "{}", stderr(&refused));
        }
    };
    refused(&[&process, "stop it first"]);
    // The restore is refused while the server runs, even if its store was removed.
    server.signal(Signal::STOP);
    for file in ["covernote.db", "covernote.db-wal", "covernote.db-shm"] {
        let file = format!("covernote-data/{file}");
        fs::rename(operator.file(&file), operator.file("moved")).expect("moved");
    }
    refused(&[&process]);
    server.signal(Signal::CONT);
    assert_eq!(server.child.wait().expect("it ends").code(), Some(69), "its store is gone (D109)");
}

/// A small temporary file system of some kilobytes, unmounted on drop.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts it. The error says why this user cannot mount.
    fn mount(at: &Path, kilobytes: u32) -> Result<SmallDisk, String> {
        fs::create_dir(at).expect("made");
        let size = format!("size={kilobytes}k");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(at).output();
        match mounted {
            Ok(done) if done.status.success() => Ok(SmallDisk(at.to_owned())),
            Ok(done) => Err(stderr(&done)),
            Err(cause) => Err(cause.to_string()),
        }
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).output();
    }
}

#[test]
fn a_backup_or_restore_that_fills_the_disk_leaves_no_file_with_the_final_name() {
    let operator = Operator::new();
    operator.does(&["backup", "a.db", "--with-keyring"]);
    let whole = fs::metadata(operator.file("a.db")).expect("a backup").len();
    assert!(whole > 300 * 1024, "{whole} bytes fit the small disk");
    let refused = |done: Output| {
        assert_eq!(done.status.code(), Some(69), "{}", stderr(&done));
        assert!(stderr(&done).contains("covernote: "), "{}", stderr(&done));
    };
    match SmallDisk::mount(&operator.file("small"), 256) {
        Ok(_small) => {
            refused(operator.run(&["backup", "small/b.db", "--with-keyring"]));
            assert_eq!(operator.names("small"), [""; 0]);
            refused(operator.run(&["restore", "a.db", "--data", "small/data"]));
            assert_eq!(operator.names("small/data"), ["audit", "command.lock", "server.lock"]);
        }
        Err(why) => {
            // Without mounting, only the limit of file sizes below stands for a full disk.
            println!("NOT PROVED HERE on a file system of its own, which cannot be mounted: {why}");
        }
    }
    for arguments in ["backup b.db --with-keyring", "restore a.db --data spare"] {
        let mut limited = Command::new("bash");
        limited.arg("-c").arg(format!("trap '' XFSZ; ulimit -f 256; exec \"$0\" {arguments}"));
        limited.arg(built()).current_dir(operator.path());
        without_settings(&mut limited);
        refused(limited.output().expect("bash is there"));
    }
    assert_eq!(operator.names("."), ["a.db", "a.db.keyring", "covernote-data", "small", "spare"]);
    assert_eq!(operator.names("spare"), ["audit", "command.lock", "server.lock"]);
    // Once there is space, the same command succeeds.
    operator.does(&["restore", "a.db", "--data", "spare", "--verify"]);
}

#[test]
fn a_restored_demo_store_is_still_a_demo_and_a_real_store_cannot_become_one() {
    let operator = Operator::new();
    operator.does(&["backup", "real.db", "--with-keyring"]);
    drop(Server::start(operator.path(), &["--demo"]));
    operator.does(&["backup", "demo.db", "--data", "covernote-demo", "--with-keyring", "--verify"]);
    let restored = operator.does(&["restore", "demo.db", "--data", "again", "--verify"]);
    assert!(stderr(&restored).contains("marked as a demo's"), "{}", stderr(&restored));
    let served = operator.run(&["serve", "--listen", "127.0.0.1:0", "--data", "again"]);
    assert_eq!(served.status.code(), Some(78), "{}", stderr(&served));
    assert!(stderr(&served).contains("demo"), "{}", stderr(&served));
    drop(Server::start(operator.path(), &["--demo", "--data", "again"]));
    // A demo would add its partner to any store in its folder.
    for file in operator.names("covernote-demo").iter().filter(|file| !file.starts_with("THIS")) {
        let file = operator.file("covernote-demo").join(file);
        if file.is_file() {
            fs::remove_file(file).expect("removed");
        }
    }
    let arguments = ["restore", "real.db", "--data", "covernote-demo"];
    operator.is_refused(&arguments, 78, &["demo's data folder"], "covernote-demo/covernote.db");
    operator.does(&["restore", "demo.db", "--data", "covernote-demo"]);
}

#[test]
fn backup_and_restore_of_postgresql_are_refused_and_name_pg_dump_and_pg_restore() {
    let operator = Operator::new();
    let postgres = ["--database", "postgres://localhost/covernote", "--keyring", "safe/keyring"];
    for (command, means) in [("backup", "pg_dump"), ("restore", "pg_restore")] {
        let arguments = [&[command, "a.db"][..], &postgres].concat();
        operator.is_refused(&arguments, 78, &[means, "safe/keyring", "docs/backup.md"], "a.db");
    }
}

#[test]
fn a_missing_store_is_not_backed_up() {
    let here = tempfile::tempdir().expect("a folder");
    let refused = run(here.path(), &["backup", "a.db"]);
    assert_eq!(refused.status.code(), Some(69));
    assert!(stderr(&refused).contains("there is no store"), "{}", stderr(&refused));
    assert_eq!(names(here.path()), [""; 0]);
}

#[test]
fn a_file_name_that_is_not_utf8_is_accepted() {
    use std::os::unix::ffi::OsStrExt;
    let operator = Operator::new();
    let odd = std::ffi::OsStr::from_bytes(b"caf\xe9 #1?.db");
    let done = |arguments: &[&str], file: &std::ffi::OsStr| {
        let done = program(operator.path()).args(arguments).arg(file).output().expect("it runs");
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    };
    done(&["backup", "--with-keyring"], odd);
    done(&["restore", "--data", "spare"], odd);
}
