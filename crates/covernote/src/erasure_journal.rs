//! The journal of erasures: a file, by default in the keyring's folder, with a line of JSON for each erasure.
//! The journal names records only by their ids. Each line ends with the number of a wrapping key and a MAC by this key:
//! adding an erasure needs the keyring.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use domain::id::Uuid;
use domain::text::FromText;
use serde_json::{Value, json};
use service::outside::erasure_journal::{ErasureJournal, RecordedErasure};
use service::storage::personal_data::{Erasure, Removed, RemovedKind};
use storage::{Keyring, KeyringSource};

use crate::settings::Settings;

/// The journal of an installation.
#[derive(Debug)]
pub(crate) struct JournalFile {
    path: PathBuf,
    keyring: KeyringSource,
    /// Locked while an erasure is added, so that erasures are added one at a time.
    adding: Mutex<()>,
}

impl JournalFile {
    /// The journal that the settings name.
    pub(crate) fn of(settings: &Settings) -> Self {
        JournalFile::at(settings.erasure_journal(), settings.keyring_source())
    }

    /// The journal in a file, which need not exist yet.
    pub(crate) fn at(path: PathBuf, keyring: KeyringSource) -> Self {
        JournalFile { path, keyring, adding: Mutex::default() }
    }

    fn keyring(&self) -> Result<Keyring, String> {
        Keyring::read(&self.keyring).map_err(|fault| fault.to_string())
    }

    fn add_line(&self, line: &str) -> std::io::Result<()> {
        let mut file = storage::open_or_create(&self.path, OpenOptions::new().read(true).append(true))?;
        // Another process may add at the same time.
        file.lock()?;
        let text = if ends_in_line(&mut file)? { format!("{line}\n") } else { format!("\n{line}\n") };
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        // A new file is durable only once its folder is synced.
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

/// Purpose of the MACs, so that no MAC of another purpose is valid here.
const JOURNAL: &str = "covernote.erasure";

/// Kinds of records that the erasure of a person removes. Others, such as a policy, are kept by law.
const ERASED: [RemovedKind; 4] =
    [RemovedKind::HealthQuote, RemovedKind::UnsoldProposal, RemovedKind::Journey, RemovedKind::Session];

/// Whether a file is empty or ends with a complete line. A power cut may leave a partial line. The erasure in
/// a partial line did not start.
fn ends_in_line(file: &mut File) -> std::io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

impl ErasureJournal for JournalFile {
    fn add(&self, erasure: &Erasure) -> Result<(), String> {
        let _adding = self.adding.lock();
        let record =
            |removed: &Removed| json!([removed.kind.word(), removed.of.to_string(), removed.id.to_string()]);
        let records: Vec<Value> = erasure.records.iter().map(record).collect();
        let line =
            json!({ "erasure": erasure.id.to_string(), "at": erasure.at.to_string(), "records": records });
        let failed =
            |cause| format!("the journal of erasures {} cannot be written: {cause}", self.path.display());
        let line = line.to_string();
        let (number, mac) = self.keyring()?.mac(JOURNAL, &line);
        self.add_line(&format!("{line} {number} {mac}")).map_err(failed)
    }

    fn read(&self) -> Result<Vec<RecordedErasure>, String> {
        let text = match std::fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(cause) => {
                return Err(format!(
                    "the journal of erasures {} cannot be read: {cause}",
                    self.path.display()
                ));
            }
        };
        let mut erasures = Vec::new();
        let keyring = if text.is_empty() { None } else { Some(self.keyring()?) };
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
            let changed = |what: &str| {
                Err(format!(
                    "line {} of the journal of erasures {} {what}: somebody changed the file. Restore it from a copy",
                    number + 1,
                    self.path.display()
                ))
            };
            let (told, proof) = line
                .rsplit_once("} ")
                .map_or((line, None), |(told, proof)| (&line[..=told.len()], proof.split_once(' ')));
            match erasure(told) {
                Some(erasure) if erasure.records.iter().all(|record| ERASED.contains(&record.kind)) => {
                    let proven = proof.zip(keyring.as_ref()).map(|((number, mac), keyring)| {
                        keyring.proves(JOURNAL, told, number.parse().unwrap_or_default(), mac)
                    });
                    let is_proven = match proven {
                        Some(Some(false)) => return changed("has a wrong MAC"),
                        proven => proven.flatten().unwrap_or(false),
                    };
                    erasures.push(RecordedErasure { erasure, is_proven });
                }
                Some(_) => return changed("removes a policy or a complaint, which no erasure does"),
                None => tracing::warn!(
                    "line {} of the journal of erasures {} is incomplete: the erasure in this line did not start",
                    number + 1,
                    self.path.display()
                ),
            }
        }
        Ok(erasures)
    }
}

fn erasure(line: &str) -> Option<Erasure> {
    let read: Value = serde_json::from_str(line).ok()?;
    let id: Uuid = read["erasure"].as_str()?.parse().ok()?;
    let at = read["at"].as_str()?.parse().ok()?;
    let records = read["records"].as_array()?.iter().map(|record| {
        let word = |place: usize| record[place].as_str();
        let kind = RemovedKind::from_text(word(0)?).ok()?;
        Some(Removed { kind, of: word(1)?.parse().ok()?, id: word(2)?.parse().ok()? })
    });
    Some(Erasure { id, at, records: records.collect::<Option<_>>()? })
}

#[cfg(test)]
mod tests {
    use domain::date::Timestamp;
    use domain::id::PartnerId;

    use super::*;
    use crate::wiring::OsRandom;

    fn erasure_of(number: u128) -> Erasure {
        let of = PartnerId::from_uuid(Uuid::from_u128(number));
        let record = |kind| Removed { kind, of, id: Uuid::from_u128(number + 1) };
        let records = ERASED.into_iter().map(record).collect();
        Erasure { id: Uuid::from_u128(number), at: Timestamp::UNIX_EPOCH, records }
    }

    fn journal(folder: &Path) -> JournalFile {
        let keyring = folder.join("keyring");
        Keyring::read_or_make(&keyring, &OsRandom::default()).expect("a keyring");
        JournalFile::at(folder.join("keyring.erased"), KeyringSource::from(&keyring))
    }

    fn read(journal: &JournalFile) -> Vec<(Erasure, bool)> {
        let all = journal.read().expect("read");
        all.into_iter().map(|recorded| (recorded.erasure, recorded.is_proven)).collect()
    }

    #[test]
    fn the_journal_returns_all_added_erasures_even_after_an_incomplete_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = journal(folder.path());
        assert_eq!(journal.read().expect("none yet"), []);
        journal.add(&erasure_of(1)).expect("added");
        let whole = std::fs::read_to_string(&journal.path).expect("text");
        std::fs::write(&journal.path, format!("{whole}{}", &whole[..40])).expect("written");
        journal.add(&erasure_of(2)).expect("added");
        assert_eq!(read(&journal), [(erasure_of(1), true), (erasure_of(2), true)]);
    }

    #[test]
    fn a_changed_journal_line_is_refused_and_one_that_cannot_be_verified_is_unproven() {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = journal(folder.path());
        journal.add(&erasure_of(1)).expect("added");
        let whole = std::fs::read_to_string(&journal.path).expect("text");
        let refused = |text: String| {
            std::fs::write(&journal.path, text).expect("written");
            let refused = journal.read().expect_err("a changed file");
            assert!(refused.contains("line 1") && refused.contains("somebody changed the file"), "{refused}");
        };
        for kind in ["policy", "complaint"] {
            refused(whole.replace("unsold-proposal", kind));
        }
        refused(whole.replace("journey", "health-quote"));
        let (told, _) = whole.rsplit_once("} ").expect("a line with its MAC");
        std::fs::write(&journal.path, format!("{told}}}\n")).expect("written");
        assert_eq!(read(&journal), [(erasure_of(1), false)], "as version 0.1.0 wrote it");
        std::fs::write(&journal.path, whole.replace("} 1 ", "} 7 ")).expect("written");
        assert_eq!(read(&journal), [(erasure_of(1), false)], "its key was removed");
    }
}
