//! Erasure with kills and backups: no remaining file can reveal what was erased (D122).

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::Client;
use rusqlite::Connection;
use rustix::process::Signal;
use serde_json::Value;
use storage::sqlite::FILE;

use crate::support::bodies;
use crate::support::program::{Server, is_sound, program, run, stderr, stdout, token_of};

const ERASE: [&str; 6] = ["person", "erase", "--mobile", "9876543210", "--reason", "their request"];

/// A folder with a store that has one finished quote of a person.
struct Site {
    here: tempfile::TempDir,
    /// Sealed parts of the quote, without their heads. If no file has them, nothing can reveal the quote.
    sealed: Vec<Vec<u8>>,
}

impl Site {
    async fn new() -> Site {
        let here = tempfile::tempdir().expect("a folder");
        let made = run(here.path(), &["partner", "create", "A Lender", "--scope", "business", "--json"]);
        let partner: Value = serde_json::from_str(&stdout(&made)).expect("JSON");
        let mut server = Server::start(here.path(), &[]);
        let token = token_of(&server.base, &partner).await;
        let client = Client::new();
        let url = format!("{}/v1/business/health/recommendation", server.base);
        let asked = client.post(&url).bearer_auth(&token).json(&bodies::recommendation()).send().await;
        let quote: Value = asked.expect("an answer").json().await.expect("JSON");
        let id = quote["payload"]["quote_id"].as_str().unwrap_or_else(|| panic!("{quote}"));
        for _ in 0..100 {
            let read = client.get(format!("{url}/{id}")).bearer_auth(&token).send().await.expect("an answer");
            if read.json::<Value>().await.expect("JSON").to_string().contains("success") {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        stop(&mut server);
        let sealed = sealed_in(here.path());
        assert_eq!(sealed.len(), 2, "a quote and what came of it");
        Site { here, sealed }
    }

    fn path(&self) -> &Path {
        self.here.path()
    }

    fn does(&self, arguments: &[&str]) -> String {
        let done = run(self.path(), arguments);
        assert_eq!(done.status.code(), Some(0), "{arguments:?}: {}", stderr(&done));
        stdout(&done) + &stderr(&done)
    }

    /// Files that contain a part of the quote.
    fn found_in(&self, folder: &str) -> Vec<PathBuf> {
        let files =
            fs::read_dir(self.path().join(folder)).expect("a folder").map(|file| file.expect("one").path());
        let holds = |path: &PathBuf| {
            let bytes = if path.is_file() { fs::read(path).expect("readable") } else { Vec::new() };
            self.sealed.iter().any(|sealed| {
                let part = &sealed[..32];
                bytes.windows(part.len()).any(|window| window == part)
            })
        };
        files.filter(holds).collect()
    }
}

fn stop(server: &mut Server) {
    server.signal(Signal::TERM);
    assert!(server.child.wait().expect("ended").success());
}

/// Sealed parts of all health quotes.
fn sealed_in(here: &Path) -> Vec<Vec<u8>> {
    let store = Connection::open(here.join("covernote-data").join(FILE)).expect("the store");
    let select =
        "select substr(body, 18) from health_quotes union all select substr(outcome, 18) from health_quotes";
    let mut read = store.prepare(select).expect("a statement");
    let rows = read.query_map((), |row| row.get(0)).expect("rows");
    rows.map(|row| row.expect("bytes")).collect()
}

fn none() -> Vec<PathBuf> {
    Vec::new()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn erased_data_is_in_no_file_of_the_store_no_later_backup_and_no_restored_store() {
    let site = Site::new().await;
    site.does(&["backup", "before.db", "--with-keyring"]);
    assert_eq!(site.found_in("").len(), 1, "the earlier backup has it");
    let mut server = Server::start(site.path(), &[]);
    assert!(!site.found_in("covernote-data").is_empty(), "the store has it");
    site.does(&ERASE);
    assert_eq!(site.found_in("covernote-data"), none(), "while the server runs");
    site.does(&["backup", "after.db", "--with-keyring"]);
    stop(&mut server);
    assert_eq!(site.found_in("covernote-data"), none());
    assert_eq!(site.found_in(""), [site.path().join("before.db")], "the later backup has nothing");
    let journal = fs::read_to_string(site.path().join("covernote-data/keyring.erased")).expect("a journal");
    assert!(journal.contains("health-quote") && !journal.contains("9876543210"), "{journal}");
    // The journal is beside the copied keyring, so a restore on another machine has it, too.
    fs::rename(site.path().join("after.db.keyring.erased"), site.path().join("before.db.keyring.erased"))
        .expect("moved");
    let said = site.does(&["restore", "before.db", "--data", "restored", "--verify"]);
    assert!(said.contains("1 erasures of personal data that came after the backup were repeated"), "{said}");
    assert_eq!(site.found_in("restored"), none());
    let found = site.does(&["person", "find", "--lead-id", "lead-1001", "--data", "restored"]);
    assert!(!found.contains("quo_"), "{found}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_erasure_reports_data_left_in_a_log_in_use_and_the_next_removal_deletes_it() {
    let site = Site::new().await;
    let _server = Server::start(site.path(), &[]);
    let reader = Connection::open(site.path().join("covernote-data").join(FILE)).expect("the store");
    reader.execute_batch("begin; select count(*) from health_quotes").expect("a read that stays open");
    let said = site.does(&ERASE);
    assert!(said.contains("log still has the erased data") && said.contains("health-quote  quo_"), "{said}");
    reader.execute_batch("rollback").expect("the end of the read");
    site.does(&["retention", "run"]);
    assert_eq!(site.found_in("covernote-data"), none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_erasure_that_a_kill_interrupted_is_completed_at_the_next_start() {
    let (mut finished, mut begun) = (0, 0);
    for delay in [0, 2, 4, 6, 8, 10, 15, 20] {
        let site = Site::new().await;
        let mut server = Server::start(site.path(), &[]);
        let erasing = program(site.path()).args(ERASE).spawn().expect("it starts");
        let journal = site.path().join("covernote-data/keyring.erased");
        for _ in 0..2000 {
            if journal.exists() {
                break;
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        std::thread::sleep(Duration::from_micros(delay * 250));
        server.kill();
        let mut erasing = erasing;
        finished += u32::from(erasing.wait().expect("ended").success());
        let is_begun = fs::read_to_string(&journal).is_ok_and(|text| text.ends_with('\n'));
        let mut server = Server::start(site.path(), &[]);
        if is_begun {
            begun += 1;
            assert_eq!(site.found_in("covernote-data"), none(), "after {delay}");
        }
        stop(&mut server);
        is_sound(site.path());
    }
    println!("of 8 erasures, kills found {begun} begun and {finished} answered");
    assert!(begun > 0, "no kill came in the middle");
}
