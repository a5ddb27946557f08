//! Released bodies: an example of every kind and version as bytes, which every later program must read.
//!
//! A file is named `<kind>.v<version>.hex`, or `<kind>.v<version>.<label>.hex` if a kind has several. The
//! value that its bytes encode is built in code, in a module of this folder.
//!
//! If you add a field, keep the old file under a label and list it with [`Example::older`]. Then write a new
//! file. If you add a version, keep and list the file of the previous version in the same way. Nothing here
//! writes files: a failing test shows the bytes.

mod approval;
mod claims;
mod complaints;
mod embedded;
mod events;
mod health;
pub(super) mod journey;
mod request_log;
mod statements;
mod team;
mod webhooks;
mod work_item;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use ports::storage::{Result, StorageError};
use proptest::prelude::*;

use super::KINDS;
use super::version::{BodyKind, StoredBody, decode, encode};

/// Function that reads bytes. Returns whether they read as the expected value.
type Reads = Box<dyn Fn(&[u8]) -> Result<bool>>;

/// Example: a value, and the file that holds its encoded bytes.
pub(super) struct Example {
    /// Name of the file, without `.hex`.
    name: &'static str,
    /// Bytes that this program writes for the value. `None` if the file holds an older encoding.
    written: Option<Vec<u8>>,
    /// Checks that bytes read as the value.
    reads: Reads,
}

impl Example {
    /// Example that this program writes with exactly the bytes in the file.
    fn newest<T: StoredBody + PartialEq + 'static>(name: &'static str, value: T) -> Self {
        Example { written: Some(encode(&value)), ..Example::older(name, value) }
    }

    /// Example that an older program wrote. This program still reads the bytes, but writes the value with
    /// other bytes.
    fn older<T: StoredBody + PartialEq + 'static>(name: &'static str, value: T) -> Self {
        let reads = move |bytes: &[u8]| Ok(decode::<T>(bytes)? == value);
        Example { name, written: None, reads: Box::new(reads) }
    }

    /// Kind and version from the file's name.
    fn kind(&self) -> (&'static BodyKind, u8) {
        let mut parts = self.name.split('.');
        let name = parts.next().expect("a name has a part");
        let kind = KINDS.iter().find(|kind| kind.name == name).expect("the name begins with a kind");
        let version = parts.next().and_then(|part| part.strip_prefix('v')?.parse().ok());
        (kind, version.expect("a version follows the kind"))
    }

    fn path(&self) -> PathBuf {
        folder().join(format!("{}.hex", self.name))
    }

    /// Bytes in the file. `None` if it is missing or not hexadecimal.
    fn released(&self) -> Option<Vec<u8>> {
        let text = fs::read_to_string(self.path()).ok()?;
        let digits: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).ok();
        digits.chunks(2).map(byte).collect()
    }

    /// Message about what is wrong with the file, with the bytes that this program writes. `None` if the file
    /// is right.
    fn fault(&self) -> Option<String> {
        let (kind, version) = self.kind();
        let newest = kind.versions[0];
        let fault = match (self.released(), &self.written) {
            (_, Some(_)) if version != newest => {
                format!("the example is listed as the newest version, but the newest version is {newest}")
            }
            (None, _) => "the example has no file with hexadecimal bytes".to_owned(),
            (Some(released), Some(written)) if released != *written => {
                "the value is now written with other bytes. If rows with the released bytes exist, add a version".to_owned()
            }
            (Some(released), _) => match (self.reads)(&released) {
                Ok(true) => return None,
                Ok(false) => "the file is read as a different value".to_owned(),
                Err(fault) => format!("the file cannot be read: {fault}"),
            },
        };
        let shown = self.written.as_deref().map(hex).unwrap_or_default();
        Some(format!("{}: {fault}.\n{}:\n{shown}", self.name, self.path().display()))
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/body/released")
}

/// Hexadecimal text of bytes, 50 bytes on each line, as in an example file.
fn hex(bytes: &[u8]) -> String {
    let line = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n";
    bytes.chunks(50).map(line).collect()
}

fn examples() -> Vec<Example> {
    [
        claims::examples(),
        complaints::examples(),
        approval::examples(),
        work_item::examples(),
        team::examples(),
        events::examples(),
        statements::examples(),
        webhooks::examples(),
        request_log::examples(),
        embedded::examples(),
        health::examples(),
        journey::examples(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[test]
fn released_bodies_are_still_readable_and_the_newest_are_written_byte_for_byte() {
    let faults: Vec<String> = examples().iter().filter_map(Example::fault).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_version_of_every_body_kind_has_an_example_and_every_file_is_listed() {
    let examples = examples();
    for kind in KINDS {
        for version in kind.versions {
            let has = examples.iter().any(|example| {
                let (of, at) = example.kind();
                of.name == kind.name && at == *version
            });
            assert!(has, "version {version} of {} has no example", kind.name);
        }
    }
    let names: BTreeSet<&str> = KINDS.iter().map(|kind| kind.name).collect();
    assert_eq!(names.len(), KINDS.len(), "two kinds have one name");
    let listed: BTreeSet<PathBuf> = examples.iter().map(Example::path).collect();
    assert_eq!(listed.len(), examples.len(), "two examples have one file");
    let files = fs::read_dir(folder()).expect("the folder of examples");
    let files = files.map(|file| file.expect("an entry").path());
    let there = files.filter(|file| file.extension().is_some_and(|ending| ending == "hex"));
    assert_eq!(there.collect::<BTreeSet<_>>(), listed);
}

/// Bytes of every example in the newest encoding, with the kind of body.
pub(super) fn newest() -> Vec<(&'static BodyKind, Vec<u8>)> {
    let newest = |example: Example| Some((example.kind().0, example.written?));
    examples().into_iter().filter_map(newest).collect()
}

#[test]
fn a_newer_body_version_gives_an_away_fault_and_a_cut_body_a_damage_fault() {
    for (kind, bytes) in newest() {
        let mut newer = bytes.clone();
        newer[0] = kind.versions[0] + 1;
        assert!(matches!((kind.rewrite)(&newer), Err(StorageError::Away(_))), "{}", kind.name);
        for length in 0..bytes.len() {
            let cut = (kind.rewrite)(&bytes[..length]);
            assert!(matches!(cut, Err(StorageError::Damaged(_))), "{} cut at {length}", kind.name);
        }
    }
}

#[test]
fn an_unknown_field_at_the_end_of_a_body_is_skipped() {
    let newest = newest();
    for (kind, bytes) in &newest {
        // Only the longest examples are tested. In shorter ones, the next index belongs to a known field.
        let fields = newest.iter().filter(|(of, _)| of.name == kind.name).map(|(_, bytes)| bytes[1]).max();
        if fields != Some(bytes[1]) {
            continue;
        }
        let (before, mut bytes) = (bytes.clone(), bytes.clone());
        // Head of the record: one more field. The field is a number.
        bytes[1] += 1;
        bytes.push(5);
        assert_eq!((kind.rewrite)(&bytes).ok(), Some(before), "{}", kind.name);
    }
}

proptest! {
    #[test]
    fn changed_bytes_cause_no_panic_and_rewriting_a_readable_body_is_stable(
        example: prop::sample::Index,
        changes in prop::collection::vec(any::<(prop::sample::Index, u8)>(), 1..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let newest = newest();
        let (kind, bytes) = example.get(&newest);
        let mut changed = bytes.clone();
        for (at, byte) in changes {
            changed[at.index(bytes.len())] = byte;
        }
        changed.truncate(cut.map_or(changed.len(), |cut| cut.index(bytes.len())));
        if let Ok(written) = (kind.rewrite)(&changed) {
            prop_assert_eq!((kind.rewrite)(&written).ok(), Some(written));
        }
    }
}
