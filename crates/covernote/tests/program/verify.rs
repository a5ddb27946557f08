//! `covernote verify` with a running server, on both engines (D115).

use std::os::unix::fs::PermissionsExt;
use std::process::Output;

use serde_json::{Value, json};

use crate::support::Engine;
use crate::support::program::{Server, run, stderr, stdout};

/// A store with a running server.
struct Place {
    here: tempfile::TempDir,
    engine: Engine,
    server: Option<Server>,
}

impl Place {
    fn on(engine: fn(&std::path::Path) -> Engine) -> Place {
        let here = tempfile::tempdir().expect("a folder");
        let engine = engine(&here.path().join("covernote-data"));
        let mut place = Place { here, engine, server: None };
        let made = place.run(&["partner", "create", "A Lender", "--scope", "business"]);
        assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
        place.server = Some(Server::start(place.here.path(), &place.with_database(&[])));
        place
    }

    fn with_database<'a>(&'a self, arguments: &[&'a str]) -> Vec<&'a str> {
        let Engine::Postgres(_) = &self.engine else { return arguments.to_vec() };
        let address: &'a str = Box::leak(self.engine.address().expect("a database").into_boxed_str());
        [arguments, &["--database", address]].concat()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        run(self.here.path(), &self.with_database(arguments))
    }

    /// An intact store has no fault. A changed row is named, and `doctor` finds faults of the books.
    fn is_verified(&self) {
        let whole = self.run(&["verify"]);
        assert_eq!(whole.status.code(), Some(0), "{}", stderr(&whole));
        assert!(stderr(&whole).contains("rows were verified: no fault."), "{}", stderr(&whole));
        let told: Value = serde_json::from_str(&stdout(&self.run(&["verify", "--json"]))).expect("an object");
        assert_eq!((&told["faults"], &told["more_faults"]), (&json!([]), &json!(0)));
        assert_eq!(told["rows"]["partners"], 1);
        assert_eq!(finding(&self.run(&["doctor", "--json"]), "books"), "good");

        self.engine.says("update deposits set balance = balance + 100").expect("changed");
        let changed = self.run(&["verify"]);
        assert_eq!(changed.status.code(), Some(65));
        for words in ["deposits FICTIONAL-", ": balance in the ledger: expected ₹", "the store has "] {
            assert!(stderr(&changed).contains(words), "{words}: {}", stderr(&changed));
        }
        let changed = self.run(&["verify", "--json"]);
        assert_eq!(changed.status.code(), Some(65));
        let told: Value = serde_json::from_str(&stdout(&changed)).expect("an object");
        let fault = told["faults"][0].as_object().expect("a fault");
        assert_eq!(fault.keys().collect::<Vec<_>>(), ["expected", "found", "record", "rule"]);
        assert_eq!(fault["rule"], "balance in the ledger");
        assert_eq!(finding(&self.run(&["doctor", "--json"]), "books"), "bad");
    }
}

/// The state of one of doctor's findings.
fn finding(doctor: &Output, what: &str) -> String {
    let told: Value = serde_json::from_str(&stdout(doctor)).expect("an object");
    let findings = told["findings"].as_array().expect("a list");
    let finding = findings.iter().find(|finding| finding["what"] == what).expect("looked at");
    finding["state"].as_str().expect("a word").to_owned()
}

#[test]
fn verify_detects_a_changed_balance_on_sqlite_beside_a_running_server() {
    Place::on(|folder| Engine::Sqlite(folder.join(storage::sqlite::FILE).into())).is_verified();
}

#[test]
fn verify_detects_a_changed_balance_on_postgresql_beside_a_running_server() {
    Place::on(|_| Engine::postgres()).is_verified();
}

#[test]
fn verify_is_refused_without_a_store_or_with_another_keyring() {
    let here = tempfile::tempdir().expect("a folder");
    assert_eq!(run(here.path(), &["verify"]).status.code(), Some(69));
    let made = run(here.path(), &["partner", "create", "A Lender", "--scope", "business"]);
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
    let another = run(here.path(), &["keyring", "new"]);
    let file = here.path().join("another");
    std::fs::write(&file, &another.stdout).expect("written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("changed");
    let refused = run(here.path(), &["verify", "--keyring", "another"]);
    assert_eq!(refused.status.code(), Some(78), "{}", stderr(&refused));
}
