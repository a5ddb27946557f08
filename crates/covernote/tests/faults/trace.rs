//! The files after a power cut, rebuilt from any point of a trace of writes and syncs.
//!
//! The disk has all synced data. Any part of the later writes may be there or not, by sectors of 512 or 4096
//! bytes or by whole writes, in any order. A failed sync has no effect: as on Linux, its writes stay visible
//! to running programs, are never retried, and are lost with the power. New names and removals reach the disk
//! in their order, at the latest with the next sync of any file, as on a journalling file system.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::dice::Dice;

/// One operation on the files of the folder.
#[derive(Debug)]
pub enum Event {
    Write { name: String, offset: usize, data: Vec<u8> },
    Truncate { name: String, size: usize },
    Sync { name: String },
    FailedSync { name: String },
    Remove { name: String },
    Link { name: String, new: String },
}

/// An event, and the length of the trace after it.
pub struct Noted {
    pub event: Event,
    pub end: u64,
}

/// Reads a trace. An incomplete last event, from a killed program, is ignored.
pub fn read(path: &Path) -> Vec<Noted> {
    const HEAD: usize = 14;
    let bytes = fs::read(path).expect("a trace");
    let (mut events, mut at) = (Vec::new(), 0);
    while let Some(head) = bytes.get(at..at + HEAD) {
        let name_length = usize::from(head[1]);
        let offset = u64::from_ne_bytes(head[2..10].try_into().expect("8 bytes"));
        let length = u32::from_ne_bytes(head[10..HEAD].try_into().expect("4 bytes")) as usize;
        let Some(rest) = bytes.get(at + HEAD..at + HEAD + name_length + length) else { break };
        let (name, data) = rest.split_at(name_length);
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("a name");
        let (name, offset) = (text(name), usize::try_from(offset).expect("a file of this machine"));
        let event = match head[0] {
            b'W' => Event::Write { name, offset, data: data.to_vec() },
            b'T' => Event::Truncate { name, size: offset },
            b'S' => Event::Sync { name },
            b'E' => Event::FailedSync { name },
            b'U' => Event::Remove { name },
            b'L' => Event::Link { name, new: text(data) },
            other => panic!("no kind of event: {other}"),
        };
        at += HEAD + name_length + length;
        events.push(Noted { event, end: at as u64 });
    }
    events
}

/// A change of a file's content that may not be on the disk.
#[derive(Clone)]
enum Change {
    Write { offset: usize, data: Vec<u8> },
    Truncate(usize),
}

/// A change of the folder's names that may not be on the disk.
#[derive(Clone)]
enum Naming {
    Has(String, usize),
    HasNot(String),
}

/// A file's content, which may have several names.
#[derive(Clone, Default)]
struct Content {
    durable: Vec<u8>,
    pending: Vec<Change>,
}

/// The durable and the possible content of the disk.
#[derive(Default)]
pub struct Disk {
    contents: Vec<Content>,
    /// Names as programs see them, then names that are surely on the disk.
    names: BTreeMap<String, usize>,
    durable_names: BTreeMap<String, usize>,
    namings: Vec<Naming>,
}

impl Disk {
    /// Applies one event.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::Write { name, offset, data } => {
                let change = Change::Write { offset: *offset, data: data.clone() };
                self.content(name).pending.push(change);
            }
            Event::Truncate { name, size } => self.content(name).pending.push(Change::Truncate(*size)),
            Event::Sync { name } => {
                // The folder itself has no content to sync.
                if !name.is_empty() {
                    let content = self.content(name);
                    for change in std::mem::take(&mut content.pending) {
                        change.apply(&mut content.durable);
                    }
                }
                for naming in std::mem::take(&mut self.namings) {
                    naming.apply(&mut self.durable_names);
                }
            }
            Event::FailedSync { name } if name.is_empty() => {}
            Event::FailedSync { name } => self.content(name).pending.clear(),
            Event::Remove { name } => self.name(Naming::HasNot(name.clone())),
            Event::Link { name, new } => {
                self.content(name);
                let content = self.names[name];
                self.name(Naming::Has(new.clone(), content));
            }
        }
    }

    fn name(&mut self, naming: Naming) {
        naming.apply(&mut self.names);
        self.namings.push(naming);
    }

    fn content(&mut self, name: &str) -> &mut Content {
        if !self.names.contains_key(name) {
            self.contents.push(Content::default());
            self.name(Naming::Has(name.to_owned(), self.contents.len() - 1));
        }
        &mut self.contents[self.names[name]]
    }

    /// Writes a random state that a power cut at this point may leave into a folder.
    pub fn leave(&self, folder: &Path, dice: &mut Dice) {
        let mut names = self.durable_names.clone();
        let kept = dice.below(self.namings.len() as u64 + 1) as usize;
        for naming in &self.namings[..kept] {
            naming.apply(&mut names);
        }
        // Sometimes nothing of the unsynced data is there, sometimes everything.
        let percent = [0, 0, 10, 50, 90, 100][dice.below(6) as usize];
        let sector = [512, 4096, usize::MAX][dice.below(3) as usize];
        for (name, content) in names {
            let Content { mut durable, pending } = self.contents[content].clone();
            for change in pending {
                change.apply_in_parts(&mut durable, sector, |_| dice.percent(percent));
            }
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(&path, durable).expect("written");
            // The program creates its files for their owner only.
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("permitted");
        }
    }
}

impl Naming {
    fn apply(&self, names: &mut BTreeMap<String, usize>) {
        match self {
            Naming::Has(name, content) => names.insert(name.clone(), *content),
            Naming::HasNot(name) => names.remove(name),
        };
    }
}

impl Change {
    fn apply(self, to: &mut Vec<u8>) {
        self.apply_in_parts(to, usize::MAX, |_| true);
    }

    /// Applies the parts of the change that `is_kept` selects, split at sectors.
    fn apply_in_parts(self, to: &mut Vec<u8>, sector: usize, mut is_kept: impl FnMut(usize) -> bool) {
        match self {
            Change::Truncate(size) => {
                if is_kept(0) {
                    to.resize(size, 0);
                }
            }
            Change::Write { offset, data } => {
                let (mut from, end) = (offset, offset + data.len());
                while from < end {
                    let until = (from / sector).saturating_add(1).saturating_mul(sector).min(end);
                    if is_kept(from) {
                        if to.len() < until {
                            to.resize(until, 0);
                        }
                        to[from..until].copy_from_slice(&data[from - offset..until - offset]);
                    }
                    from = until;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(name: &str, data: &str) -> Event {
        Event::Write { name: name.into(), offset: 0, data: data.into() }
    }

    fn left(disk: &Disk, name: &str) -> Vec<Option<String>> {
        let mut found: Vec<Option<String>> = (0..200)
            .map(|seed| {
                let folder = tempfile::tempdir().expect("a folder");
                disk.leave(folder.path(), &mut Dice::new(seed));
                fs::read_to_string(folder.path().join(name)).ok()
            })
            .collect();
        found.sort();
        found.dedup();
        found
    }

    #[test]
    fn the_simulated_disk_keeps_synced_data_and_may_lose_later_writes() {
        let mut disk = Disk::default();
        disk.apply(&write("a", "one"));
        assert_eq!(left(&disk, "a"), [None, Some(String::new()), Some("one".into())]);
        disk.apply(&Event::Sync { name: "a".into() });
        assert_eq!(left(&disk, "a"), [Some("one".into())]);
        disk.apply(&write("a", "two"));
        assert_eq!(left(&disk, "a"), [Some("one".into()), Some("two".into())]);
        disk.apply(&Event::Remove { name: "a".into() });
        assert_eq!(left(&disk, "a"), [None, Some("one".into()), Some("two".into())]);
        disk.apply(&Event::Sync { name: String::new() });
        assert_eq!(left(&disk, "a"), [None]);
    }

    #[test]
    fn the_simulated_disk_loses_data_of_a_failed_sync_even_after_later_syncs() {
        let mut disk = Disk::default();
        disk.apply(&write("a", "one"));
        disk.apply(&Event::Sync { name: "a".into() });
        disk.apply(&write("a", "two"));
        disk.apply(&Event::FailedSync { name: "a".into() });
        disk.apply(&Event::Write { name: "a".into(), offset: 3, data: b"more".into() });
        disk.apply(&Event::Sync { name: "a".into() });
        assert_eq!(left(&disk, "a"), [Some("onemore".into())]);
    }
}
