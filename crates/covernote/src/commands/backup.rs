//! `covernote backup`: a copy of the store at one moment in one file. A server may write meanwhile.

use std::fs;
use std::path::Path;

use serde_json::json;
use service::storage::StorageError;
use storage::snapshot::{Copied, Snapshot};
use storage::sqlite::files_of;
use storage::verify::Verified;
use storage::{Keyring, KeyringSource};

use super::block_on;
use super::settings;
use super::store_copy::{copy, only_sqlite, size, with_end};
use super::verify;
use crate::cli::Backup;
use crate::failure::{Failure, Result};
use crate::machine::LAST_BACKUP;
use crate::output;
use crate::settings::journal_beside;
use crate::verification::{snapshot, to_json};
use crate::wiring::needs_store;

pub(super) fn run(Backup { file, verify: verifies, with_keyring, json, flags }: Backup) -> Result<()> {
    let settings = settings(&flags)?;
    only_sqlite(&settings, "pg_dump, or pg_basebackup with an archive of its log")?;
    block_on(needs_store(&settings))?;
    let keyring_copy = with_keyring.then(|| with_end(&file, ".keyring"));
    let journal = settings.erasure_journal();
    files_of(&file)
        .chain(keyring_copy.clone())
        .chain(keyring_copy.as_deref().map(journal_beside))
        .try_for_each(|file| is_free(&file))?;
    let source = settings.keyring_source();
    if with_keyring && source.file().is_none() {
        return Err(Failure::Configuration(format!(
            "--with-keyring: the keyring is not in a file, but {source}: copy the keyring yourself"
        )));
    }
    let paths =
        Paths { file: &file, keyring: &source, keyring_copy: keyring_copy.as_deref(), journal: &journal };
    let made = back_up(Path::new(&settings.data), &paths, verifies)?;
    let faults_found = made.verified.as_ref().and_then(verify::faults);
    if json {
        let shown = |path: &Path| faults_found.is_none().then(|| path.display().to_string());
        output::json(&json!({
            "backup": shown(&file),
            "bytes": made.bytes,
            "keyring": source.to_string(),
            "keyring_opens_it": made.keyring.is_ok(),
            "keyring_copy": paths.keyring_copy.and_then(shown),
            "verified": made.verified.as_ref().map(to_json),
        }));
    }
    if let Some(found) = faults_found {
        let file = file.display();
        return Err(Failure::BadData(format!(
            "the store has {found}; {file} was not created. Without --verify it would be created with these faults"
        )));
    }
    // Monitoring reads the time of this file as the time of the last backup.
    let last = Path::new(&settings.data).join(LAST_BACKUP);
    let noted = storage::open_or_create(&last, fs::OpenOptions::new().write(true).truncate(true));
    if let Err(cause) = noted {
        output::message(&format!("the time of this backup could not be recorded for monitoring: {cause}"));
    }
    output::message(&format!("{}: {}, complete and on the disk", file.display(), size(made.bytes)));
    made.verified.iter().for_each(|verified| verify::report(verified.rows()));
    report_keyring(&paths, made.keyring.err());
    Ok(())
}

/// The paths that a backup reads and creates.
struct Paths<'a> {
    file: &'a Path,
    keyring: &'a KeyringSource,
    keyring_copy: Option<&'a Path>,
    journal: &'a Path,
}

/// The result of a backup. If the copy had faults, no backup file was created.
struct BackupOutcome {
    bytes: u64,
    keyring: Result<Keyring>,
    verified: Option<Verified>,
}

fn back_up(folder: &Path, paths: &Paths<'_>, verifies: bool) -> Result<BackupOutcome> {
    let store = snapshot(folder)?;
    // A backup is useful even without its keyring. Verification and a keyring copy need the keyring.
    let keyring = read_keyring(paths.keyring, &store);
    let keyring = if verifies || paths.keyring_copy.is_some() { Ok(keyring?) } else { keyring };
    let made = copy(&store, paths.file, "copying").map_err(not_made)?;
    // From here on, the server can checkpoint its write-ahead log again.
    drop(store);
    let verified = match &keyring {
        Ok(keyring) if verifies => Some(verify::copy(&made, keyring)?),
        _ => None,
    };
    let bytes = made.bytes().map_err(not_made)?;
    if verified.as_ref().is_none_or(|verified| verified.all_faults() == 0) {
        finish(made, paths)?;
    }
    Ok(BackupOutcome { bytes, keyring, verified })
}

/// Reads the keyring, and checks that it opens the store.
fn read_keyring(source: &KeyringSource, store: &Snapshot) -> Result<Keyring> {
    let keyring = Keyring::read(source.clone())?;
    store.opens_with(&keyring)?;
    Ok(keyring)
}

fn not_made(fault: StorageError) -> Failure {
    let is_taken = matches!(fault, StorageError::Refused(_));
    let text = format!("the backup was not created: {}", fault.into_why());
    if is_taken { Failure::Failed(text) } else { Failure::Away(text) }
}

/// Refuses a path that exists.
fn is_free(file: &Path) -> Result<()> {
    if fs::symlink_metadata(file).is_err() {
        return Ok(());
    }
    Err(Failure::Failed(format!("{} exists already: a backup overwrites no file", file.display())))
}

/// Copies the keyring, then gives the backup its final name, so that a backup with this name is always
/// complete.
fn finish(made: Copied, paths: &Paths<'_>) -> Result<()> {
    if let (Some(copy), Some(keyring)) = (paths.keyring_copy, paths.keyring.file()) {
        Keyring::copy(keyring, copy)?;
        copy_journal(paths.journal, copy)?;
    }
    let finished = made.finish();
    if let (Err(_), Some(copy)) = (&finished, paths.keyring_copy) {
        // Copies without their backup would block the next attempt.
        let _ = fs::remove_file(copy);
        let _ = fs::remove_file(journal_beside(copy));
    }
    finished.map_err(not_made)
}

/// Copies the journal of erasures, if any, beside the copy of the keyring.
fn copy_journal(journal: &Path, keyring: &Path) -> Result<()> {
    let copy = journal_beside(keyring);
    match fs::copy(journal, &copy) {
        Err(cause) if cause.kind() != std::io::ErrorKind::NotFound => Err(Failure::Away(format!(
            "{} cannot be copied to {}: {cause}",
            journal.display(),
            copy.display()
        ))),
        _ => Ok(()),
    }
}

fn report_keyring(paths: &Paths<'_>, fault: Option<Failure>) {
    let absolute = paths.keyring.file().and_then(|file| std::path::absolute(file).ok());
    let keyring = absolute.map_or_else(|| paths.keyring.to_string(), |file| file.display().to_string());
    match (paths.keyring_copy, fault) {
        (Some(copy), _) => output::message(&format!(
            "{} is a copy of the keyring. The two files together are as secret as the store itself: anybody who has both can \
             read everything.",
            copy.display()
        )),
        (None, None) => output::message(&format!(
            "The backup does not contain the keyring, {keyring}. Without it nobody can read the backup: keep a copy of it, \
             apart from the backups."
        )),
        (None, Some(fault)) => output::message(&format!(
            "The backup does not contain the keyring, and without it nobody can read the backup. THE KEYRING CANNOT BE USED NOW: {fault}"
        )),
    }
}
