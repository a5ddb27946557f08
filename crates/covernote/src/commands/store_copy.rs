//! Copies a store, for `backup` and `restore`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use service::storage::StorageError;
use storage::snapshot::{Copied, Snapshot, Unfit};

use crate::failure::{Failure, Result};
use crate::progress;
use crate::settings::Settings;
use crate::wiring::{Engine, engine};

/// Refuses a store in PostgreSQL. `means` names PostgreSQL's own tools for the task.
pub(super) fn only_sqlite(settings: &Settings, means: &str) -> Result<()> {
    match engine(settings)? {
        Engine::Sqlite => Ok(()),
        Engine::Postgres(_) => Err(Failure::Configuration(format!(
            "database: the store is in PostgreSQL. Use its own tools: {means}, or those of your database provider; \
             they do not copy the keyring, {}: copy it separately. docs/backup.md describes this",
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

/// A number of bytes as text, such as `1.5 MB`.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}
