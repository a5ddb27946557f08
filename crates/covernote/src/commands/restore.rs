//! `covernote restore`: a backup restored into a new data folder.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use domain::date::{Timestamp, kolkata_time};
use serde_json::json;
use service::clock::Random;
use service::outside::erasure_journal::{ErasureJournal, RecordedErasure};
use service::person::erasure::repeat_erasures;
use service::storage::personal_data::Erasure;
use service::storage::{Fact, StorageError};
use storage::snapshot::{Snapshot, Unfit};
use storage::sqlite::{FILE, files_of};
use storage::verify::Verified;
use storage::{Keyring, KeyringSource};

use super::demo;
use super::store_copy::{copy, only_sqlite, size, unfit_file, with_end};
use super::verify;
use super::{block_on, settings};
use crate::cli::Restore;
use crate::demo_folder;
use crate::erasure_journal::JournalFile;
use crate::failure::{Failure, Result};
use crate::settings::{Settings, journal_beside};
use crate::verification::to_json;
use crate::wiring::{OsRandom, SystemClock, make_folder, open_store};
use crate::{lock, output};

pub(super) fn run(Restore { file, verify: verifies, drill: is_drill, json, flags }: Restore) -> Result<()> {
    let settings = settings(&flags)?;
    only_sqlite(&settings, "pg_restore, or the base backup with its archived log")?;
    is_file(&file)?;
    if is_drill {
        return drill(&file, &settings, json);
    }
    let folder = Path::new(&settings.data);
    is_left_alone(folder)?;
    has_no_store(folder)?;
    let keyring = ChosenKeyring::of(&settings, &file)?;
    let restored = restore(&file, &settings, &keyring, verifies)?;
    let faults_found = restored.verified.as_ref().and_then(verify::faults);
    if json {
        output::json(&json!({
            "restored": faults_found.is_none().then(|| folder.display().to_string()),
            "bytes": restored.bytes,
            "keyring": keyring.source_of_store().to_string(),
            "keyring_copied": keyring.copy_to.is_some() && faults_found.is_none(),
            "demo": restored.of_a_demo,
            "erasures_repeated": restored.erasures,
            "verified": restored.verified.as_ref().map(to_json),
        }));
    }
    if let Some(found) = faults_found {
        return Err(Failure::BadData(format!(
            "{} has {found}; nothing was restored. Without --verify it would be restored with these faults",
            file.display()
        )));
    }
    output::message(&format!(
        "{}: the store is restored, {}",
        folder.join(FILE).display(),
        size(restored.bytes)
    ));
    restored.verified.iter().for_each(|verified| verify::report(verified.rows()));
    if restored.erasures > 0 {
        output::message(&format!(
            "{} erasures of personal data that came after the backup were repeated.",
            restored.erasures
        ));
    }
    keyring.report(folder);
    if restored.of_a_demo {
        output::message(
            "The restored store is a demo's, and a demo's credentials are public: the folder is marked as a demo's.",
        );
    }
    output::message(
        "Records written after the backup are missing, and everything revoked after it is valid again.",
    );
    Ok(())
}

/// Folder of a restore drill. It is in the data folder, because a real restore needs the space on the same
/// disk.
const DRILL: &str = "drill";

/// Restores a backup with the keyring of the settings, as after the loss of the store, and then removes the
/// restored copy.
fn drill(file: &Path, settings: &Settings, json: bool) -> Result<()> {
    let began = Instant::now();
    let live = Path::new(&settings.data);
    let folder = live.join(DRILL);
    let drill = Settings {
        data: folder.display().to_string(),
        keyring: settings
            .keyring_source()
            .file()
            .map_or_else(|| settings.keyring.clone(), |file| file.display().to_string()),
        erasure_journal: settings.erasure_journal().display().to_string(),
        ..settings.clone()
    };
    let _held = begin_drill(&folder, file)?;
    let keyring = ChosenKeyring::of(&drill, file)?;
    let restored = restore(file, &drill, &keyring, true);
    let faults_of = |restored: &RestoreOutcome| restored.verified.as_ref().and_then(verify::faults);
    let is_sound = restored.as_ref().is_ok_and(|restored| faults_of(restored).is_none());
    let until = is_sound.then(|| block_on(last_seen(&drill)));
    remove(&folder)?;
    let (restored, until) = (restored?, until.transpose()?.flatten());
    let verified = restored.verified.as_ref().map(to_json);
    let faults_found = faults_of(&restored);
    let seconds = began.elapsed().as_secs_f64();
    if json {
        output::json(&json!({
            "passed": faults_found.is_none(),
            "bytes": restored.bytes,
            "seconds": seconds,
            "until": until.map(|until| until.to_string()),
            "erasures_repeated": restored.erasures,
            "verified": verified,
        }));
    }
    if let Some(found) = faults_found {
        return Err(Failure::BadData(format!("{} has {found}", file.display())));
    }
    restored.verified.iter().for_each(|verified| verify::report(verified.rows()));
    let known = until.map_or_else(String::new, |until| {
        format!(
            " The backup has everything that was written until {}.",
            kolkata_time(until).strftime("%Y-%m-%d %H:%M:%S +05:30")
        )
    });
    output::message(&format!(
        "The drill passed: {} was restored and verified in {seconds:.1} seconds ({}).{known} The restored copy was removed.",
        file.display(),
        size(restored.bytes)
    ));
    Ok(())
}

/// File that marks the folder of a restore drill. A running drill holds a lock on this file.
const DRILL_MARK: &str = "THIS-IS-A-DRILL";

/// Creates the folder of a restore drill, or empties the folder of an earlier drill that was killed.
fn begin_drill(folder: &Path, backup: &Path) -> Result<File> {
    let name = folder.display();
    let broken = |cause: io::Error| Failure::Away(format!("{name}: {cause}"));
    let mark = folder.join(DRILL_MARK);
    if folder.exists() && !mark.exists() {
        return Err(Failure::Failed(format!(
            "{name} is not the folder of a restore drill: move this folder away"
        )));
    }
    make_folder(folder)?;
    if backup.canonicalize().map_err(broken)?.starts_with(folder.canonicalize().map_err(broken)?) {
        return Err(Failure::Failed(format!(
            "{} is in the folder {name}, which a restore drill empties: move the backup away",
            backup.display()
        )));
    }
    let held = File::create(&mark).map_err(broken)?;
    held.try_lock().map_err(|_| Failure::Away(format!("another restore drill uses the folder {name}")))?;
    for entry in folder.read_dir().map_err(broken)? {
        let path = entry.map_err(broken)?.path();
        match path.is_dir() {
            true => fs::remove_dir_all(&path).map_err(broken)?,
            false if path != mark => fs::remove_file(&path).map_err(broken)?,
            false => {}
        }
    }
    Ok(held)
}

/// Time at which a server last noted in the restored store that it was running. Opens the store as a server
/// does.
async fn last_seen(settings: &Settings) -> Result<Option<Timestamp>> {
    let random: Arc<dyn Random> = Arc::new(OsRandom::default());
    let store = open_store(settings, Arc::new(SystemClock), &random).await?;
    let seen = store.remembered(Fact::LastSeen).await?;
    store.close().await?;
    Ok(seen.and_then(|text| text.parse().ok()))
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(cause) if cause.kind() != ErrorKind::NotFound => {
            Err(Failure::Away(format!("{} cannot be removed: {cause}", folder.display())))
        }
        _ => Ok(()),
    }
}

/// The result of a restore. If the backup had faults, no store was created.
struct RestoreOutcome {
    bytes: u64,
    of_a_demo: bool,
    verified: Option<Verified>,
    /// Number of erasures that were repeated, because the backup did not have them.
    erasures: usize,
}

fn restore(
    file: &Path,
    settings: &Settings,
    chosen: &ChosenKeyring,
    verifies: bool,
) -> Result<RestoreOutcome> {
    let folder = Path::new(&settings.data);
    let unfit = |fault| unfit_file(file, fault);
    let keyring = Keyring::read(chosen.source.clone())?;
    let backup = Snapshot::of_file(file).map_err(unfit)?;
    backup.opens_with(&keyring).map_err(|fault| chosen.does_not_open(file, fault))?;
    let of_a_demo = demo::is_of_a_demo(&backup).map_err(|fault| unfit(fault.into()))?;
    if !of_a_demo {
        // A demo would add its partner to any store in its folder.
        demo_folder::refuse_marked(folder)?;
    }
    make_folder(folder)?;
    let _held = lock::acquire_for_command(folder)?;
    has_no_store(folder)?;
    let made = copy(&backup, &folder.join(FILE), "restoring").map_err(not_restored)?;
    let verified = verifies.then(|| verify::copy(&made, &keyring)).transpose().map_err(unfit)?;
    let bytes = made.bytes().map_err(not_restored)?;
    let mut erasures = 0;
    if verified.as_ref().is_none_or(|verified| verified.all_faults() == 0) {
        if of_a_demo {
            // The backup does not contain the mark, and an ordinary server must not use a demo's store.
            demo_folder::mark(folder)?;
        }
        // A restore that is killed later is whole, so the server must find all erasures that it has to repeat.
        add_journal_of(settings, chosen)?;
        let copied = chosen.copy_to.as_deref().and_then(|to| Some((chosen.source.file()?, to)));
        made.finish_as_store(folder, copied)?;
        erasures = block_on(erase_again(settings))?;
    }
    Ok(RestoreOutcome { bytes, of_a_demo, verified, erasures })
}

/// Adds the erasures of the journal beside the backup's keyring, if any, to the journal of the settings.
fn add_journal_of(settings: &Settings, chosen: &ChosenKeyring) -> Result<()> {
    let own = JournalFile::at(settings.erasure_journal(), chosen.source.clone());
    let known = own.read().map_err(Failure::Away)?;
    if let Some(keyring) = chosen.source.file() {
        // A backup made with its keyring has the journal beside the keyring.
        let beside = JournalFile::at(journal_beside(keyring), chosen.source.clone());
        let beside = beside.read().map_err(Failure::Away)?;
        let is_new = |erasure: &Erasure| known.iter().all(|known| known.erasure != *erasure);
        for RecordedErasure { erasure, .. } in beside.iter().filter(|beside| is_new(&beside.erasure)) {
            own.add(erasure).map_err(Failure::Away)?;
        }
    }
    Ok(())
}

/// Repeats the erasures of the journal in the restored store. Returns the number of erasures that the store
/// did not have.
async fn erase_again(settings: &Settings) -> Result<usize> {
    let own = JournalFile::of(settings);
    if own.read().map_err(Failure::Away)?.is_empty() {
        return Ok(0);
    }
    let random: Arc<dyn Random> = Arc::new(OsRandom::default());
    let store = open_store(settings, Arc::new(SystemClock), &random).await?;
    let repeated = repeat_erasures(store.as_ref(), &own, true).await?;
    store.close().await?;
    Ok(repeated)
}

/// Refuses a folder that a server uses.
fn is_left_alone(folder: &Path) -> Result<()> {
    let Ok(server) = lock::holder(folder) else { return Ok(()) };
    Err(Failure::Away(format!(
        "a server (process {}) uses the data folder {}: stop it first",
        server.as_raw_nonzero(),
        folder.display()
    )))
}

fn not_restored(fault: StorageError) -> Failure {
    Failure::Away(format!("nothing was restored: {}", fault.into_why()))
}

fn is_file(file: &Path) -> Result<()> {
    let name = file.display();
    match fs::metadata(file) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(_) => Err(Failure::BadData(format!("{name} is not a file"))),
        Err(cause) => Err(Failure::BadData(format!("{name}: {cause}"))),
    }
}

/// Refuses a folder that has any file of a store.
fn has_no_store(folder: &Path) -> Result<()> {
    let Some(there) = files_of(&folder.join(FILE)).find(|file| file.exists()) else { return Ok(()) };
    Err(Failure::Failed(format!(
        "{} exists already: a restore overwrites no file. Name another folder with --data, or move every {FILE}* away",
        there.display()
    )))
}

/// The keyring that opens the backup.
struct ChosenKeyring {
    source: KeyringSource,
    /// Path to which the keyring is copied, so that the restored store uses it.
    copy_to: Option<PathBuf>,
    /// A keyring beside the backup that was not chosen.
    passed_over: Option<PathBuf>,
}

impl ChosenKeyring {
    fn of(settings: &Settings, backup: &Path) -> Result<Self> {
        let source = settings.keyring_source();
        let Some(own) = source.file().map(Path::to_owned) else {
            return Ok(ChosenKeyring { source, copy_to: None, passed_over: None });
        };
        let beside = Some(with_end(backup, ".keyring")).filter(|beside| beside.exists());
        let configured = !settings.keyring.is_empty();
        if own.exists() {
            return Ok(ChosenKeyring { source, copy_to: None, passed_over: beside.filter(|_| !configured) });
        }
        match beside {
            Some(beside) if !configured => Ok(ChosenKeyring {
                source: KeyringSource::File(beside),
                copy_to: Some(own),
                passed_over: None,
            }),
            Some(beside) => Err(Failure::Configuration(format!(
                "the keyring {}, which the settings name, does not exist: copy {} to that path, or name it with --keyring; \
                 nothing was done",
                own.display(),
                beside.display()
            ))),
            None => {
                let beside = with_end(backup, ".keyring");
                let beside = if configured { String::new() } else { format!(" or {}", beside.display()) };
                Err(Failure::Configuration(format!(
                    "there is no keyring: provide {}{beside}, or name another file with --keyring. Without the keyring \
                     of the original store nobody can read the backup; nothing was done",
                    own.display()
                )))
            }
        }
    }

    /// The keyring of the restored store.
    fn source_of_store(&self) -> KeyringSource {
        self.copy_to.as_ref().map_or_else(|| self.source.clone(), KeyringSource::from)
    }

    fn does_not_open(&self, backup: &Path, fault: Unfit) -> Failure {
        let Unfit::Keyring(_) = fault else { return unfit_file(backup, fault) };
        let hint = self
            .passed_over
            .as_ref()
            .map_or_else(String::new, |beside| format!("; to use {}, rename this keyring", beside.display()));
        let (keyring, backup) = (&self.source, backup.display());
        Failure::Configuration(format!(
            "the keyring {keyring} does not open {backup}: the keyring belongs to another store{hint}"
        ))
    }

    fn report(&self, folder: &Path) {
        let (source, own) = (&self.source, folder.join("keyring"));
        match &self.copy_to {
            Some(copy) => {
                output::message(&format!("The keyring was copied: {source} to {}.", copy.display()))
            }
            None if source.file() == Some(&own) => {
                output::message(&format!("The store uses the existing keyring {source}."))
            }
            None if source.file().is_none() => {
                output::message(&format!("The store uses the keyring {source}."))
            }
            None => output::message(&format!(
                "The keyring stays at {source}: set --keyring for servers and commands too, or copy the keyring to {}.",
                own.display()
            )),
        }
    }
}
