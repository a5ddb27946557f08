//! The operator's month (docs/month.md) and the catalogue, as each release left them. This version must
//! continue with both.
//!
//! `COVERNOTE_WRITE_RELEASE=yes cargo test -p covernote --test program month` writes those of this version:
//! once, at its release.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::clock::{MovedClock, morning};
use crate::support::demo::{DemoPartner, told};
use crate::support::program::{run, stderr, stdout};

fn releases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/released")
}

fn tar(arguments: &[&str]) {
    let done = Command::new("tar").args(arguments).status().expect("tar starts");
    assert!(done.success(), "tar {arguments:?}");
}

/// What a version shows of its records, without values that depend on the day.
fn shown(here: &Path) -> Vec<(String, Value)> {
    let of = |command: &[&str], list: &str, fields: &[&str]| {
        let (code, answer) = told(here, command);
        assert_eq!(code, 0, "{command:?}: {answer}");
        let rows = answer[list].as_array().unwrap_or_else(|| panic!("{command:?}: {answer}"));
        let row = |row: &Value| Value::Array(fields.iter().map(|field| row[field].clone()).collect());
        (command.join(" "), Value::Array(rows.iter().map(row).collect()))
    };
    vec![
        of(&["policy", "list"], "policies", &["policy_id", "policy_number", "status", "premium", "line"]),
        of(&["proposal", "list"], "proposals", &["proposal_id", "status", "family", "insurer", "premium"]),
        of(&["claim", "list", "--all"], "claims", &["claim_id", "status", "approved_amount", "settle_by"]),
        of(&["complaint", "list", "--all"], "complaints", &["complaint_id", "outcome", "answered_on"]),
        of(
            &["statement", "list", "--month", "2026-11"],
            "statements",
            &["number", "kind", "rows", "paid", "files"],
        ),
        of(&["premium", "accounts"], "accounts", &["account", "balance"]),
        of(&["partner", "list"], "partners", &["partner_id", "name", "scopes"]),
    ]
}

/// Writes the store and the catalogue of this version, if `COVERNOTE_WRITE_RELEASE` is set.
pub(crate) fn write(here: &Path) {
    if std::env::var_os("COVERNOTE_WRITE_RELEASE").is_none() {
        return;
    }
    let release = releases().join(env!("CARGO_PKG_VERSION"));
    fs::create_dir_all(&release).expect("a folder");
    let made = run(here, &["backup", "store.db", "--with-keyring", "--verify", "--data", "covernote-demo"]);
    assert!(made.status.success(), "{}", stderr(&made));
    let shown: serde_json::Map<String, Value> = shown(here).into_iter().collect();
    fs::write(release.join("shown.json"), format!("{:#}\n", Value::Object(shown))).expect("written");
    assert!(run(here, &["catalogue", "init", "catalogue"]).status.success());
    let packed = release.join("month.tar.gz").display().to_string();
    let folder = here.display().to_string();
    let same = ["--owner=0", "--group=0", "--sort=name", "--mtime=2026-01-01"];
    tar(&[
        &["--create", "--gzip", "--file", &packed, "--directory", &folder][..],
        &same,
        &["store.db", "store.db.keyring", "catalogue"],
    ]
    .concat());
}

#[tokio::test]
async fn the_store_and_catalogue_of_every_earlier_release_still_work() {
    let mut releases: Vec<PathBuf> =
        fs::read_dir(releases()).expect("releases").map(|entry| entry.expect("one").path()).collect();
    releases.sort();
    assert!(releases.iter().any(|release| release.ends_with("0.1.0")), "{releases:?}");
    for release in releases {
        let here = tempfile::tempdir().expect("a folder");
        let packed = release.join("month.tar.gz").display().to_string();
        tar(&["--extract", "--file", &packed, "--directory", &here.path().display().to_string()]);
        let keyring = here.path().join("store.db.keyring");
        fs::set_permissions(keyring, fs::Permissions::from_mode(0o600)).expect("permitted");

        // The release's catalogue has no fault, and its charts still have the same prices.
        for command in ["check", "test"] {
            let done = run(here.path(), &["catalogue", command, "catalogue"]);
            assert_eq!(done.status.code(), Some(0), "{release:?}: {}{}", stdout(&done), stderr(&done));
        }

        // The release's store can be restored and migrated, and still shows the same records.
        let restored = run(here.path(), &["restore", "store.db", "--verify", "--data", "covernote-demo"]);
        assert_eq!(restored.status.code(), Some(0), "{release:?}: {}", stderr(&restored));
        let (_clock, demo) = MovedClock::serve(here.path(), morning("2026-12-20"));
        let expected = fs::read_to_string(release.join("shown.json")).expect("text");
        let expected: Value = serde_json::from_str(&expected).expect("JSON");
        for (command, shows) in shown(here.path()) {
            assert_eq!(shows, expected[&command], "{release:?}: {command}");
        }

        // New sales work, and the store passes verification.
        let partner = DemoPartner::with_token(&demo.base).await;
        partner.has_policy_called("LN-2026-0099").await;
        let verified = run(here.path(), &["verify", "--data", "covernote-demo"]);
        assert_eq!(verified.status.code(), Some(0), "{release:?}: {}", stdout(&verified));
    }
}
