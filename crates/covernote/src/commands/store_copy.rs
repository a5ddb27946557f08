//! The copy of a store, which `backup` and `restore` share.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use service::storage::StorageError;
use storage::Keyring;
use storage::sqlite::snapshot::{Copied, Snapshot, Unfit, Verified};

use crate::failure::Failure;
use crate::settings::Settings;
use crate::wiring::{Engine, engine};
use crate::{output, progress};

/// Refuses a store in PostgreSQL. `means` are PostgreSQL's own tools for the task.
pub(super) fn only_sqlite(settings: &Settings, means: &str) -> Result<(), Failure> {
    match engine(settings)? {
        Engine::Sqlite => Ok(()),
        Engine::Postgres(_) => Err(Failure::Configuration(format!(
            "database: the store is in PostgreSQL. Use its own tools: {means}, or those of your database provider; \
             they do not contain the keyring, {}: copy it separately. docs/backup.md describes this",
            settings.keyring_source()
        ))),
    }
}

/// A path with a text appended.
pub(super) fn with_end(file: &Path, end: &str) -> PathBuf {
    let mut path = OsString::from(file);
    path.push(end);
    PathBuf::from(path)
}

/// Why the store itself cannot be used.
pub(super) fn unfit_store(fault: Unfit) -> Failure {
    match fault {
        Unfit::Store(fault) => fault.into(),
        other => Failure::Configuration(format!("the store cannot be read: {other}")),
    }
}

/// Why a backup file cannot be used.
pub(super) fn unfit_file(file: &Path, fault: Unfit) -> Failure {
    let text = |why: String| format!("{}: {why}", file.display());
    match fault {
        Unfit::NoStore(_) => Failure::BadData(text(fault.to_string())),
        Unfit::Newer { .. } | Unfit::Keyring(_) => Failure::Configuration(text(fault.to_string())),
        Unfit::Store(StorageError::Damaged(why)) => Failure::BadData(text(why)),
        Unfit::Store(fault) => Failure::Away(text(fault.into_why())),
    }
}

/// Copies a store to a file that does not have its final name yet.
pub(super) fn copy(store: &Snapshot, to: &Path, what: &'static str) -> Result<Copied, StorageError> {
    let bar = progress::bar(0, what);
    let copied = store.copy(to, &mut |done, all| {
        bar.set_length(all);
        bar.set_position(done);
    });
    bar.finish_and_clear();
    copied
}

/// Verifies everything in a copy.
pub(super) fn verify(copy: &Copied, keyring: &Keyring) -> Result<Verified, Unfit> {
    let line = progress::line();
    let verified = copy.snapshot()?.verify(keyring, &mut |table, rows| {
        line.set_message(if rows == 0 { table.to_owned() } else { format!("{table}: {rows}") });
    });
    line.finish_and_clear();
    verified
}

/// Prints the faults. Returns their number in words, or `None` if there is no fault.
pub(super) fn faults(verified: &Verified) -> Option<String> {
    let number = verified.all_faults();
    if number == 0 {
        return None;
    }
    for fault in &verified.faults {
        output::message(&fault.to_string());
    }
    let noun = if number == 1 { "fault" } else { "faults" };
    let unlisted = if verified.untold == 0 {
        String::new()
    } else {
        format!(", {} of them not listed", verified.untold)
    };
    Some(format!("{number} {noun}{unlisted}"))
}

/// Prints the result of a verification without faults.
pub(super) fn report_verified(verified: Option<&Verified>) {
    if let Some(verified) = verified {
        let rows: u64 = verified.tables.iter().map(|(_, rows)| rows).sum();
        output::message(&format!("All {rows} rows in it were verified: no fault."));
    }
}

/// The result of a verification as data; null if nothing was verified.
pub(super) fn verified_json(verified: Option<&Verified>) -> Value {
    let Some(verified) = verified else { return Value::Null };
    let tables: Map<String, Value> =
        verified.tables.iter().map(|(table, rows)| ((*table).to_owned(), json!(rows))).collect();
    let faults: Vec<Value> =
        verified.faults.iter().map(|fault| json!({ "place": fault.record, "what": fault.what })).collect();
    json!({ "rows": tables, "faults": faults, "more_faults": verified.untold })
}

/// A number of bytes for a person.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}
