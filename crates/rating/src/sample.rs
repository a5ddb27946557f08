//! Sample catalogue, which is part of the program.

use std::io;
use std::path::Path;

use include_dir::{Dir, DirEntry, include_dir};

use crate::files::{Files, is_of_a_catalogue, write_new};

static SAMPLE: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../catalogue");

/// Guide to the format of a catalogue's folder. It is in the same folder as the sample.
const GUIDE: &str = include_str!("../../../catalogue/README.md");

impl Files {
    pub fn sample() -> Files {
        let mut files = Vec::new();
        collect(&SAMPLE, &mut files);
        Files::of(files).expect("plain paths: a test loads them")
    }

    /// Writes the sample catalogue and its guide, `README.md`, into a folder.
    ///
    /// # Errors
    /// Errors of [`Files::write_to`].
    pub fn write_sample(folder: &Path) -> io::Result<()> {
        let guide = folder.join("README.md");
        if guide.symlink_metadata().is_ok() {
            let there = format!("{} already exists", guide.display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, there));
        }
        Files::sample().write_to(folder)?;
        write_new(&guide, GUIDE.as_bytes())
    }
}

/// Collects the catalogue files of a folder and its subfolders.
fn collect(folder: &Dir<'static>, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in folder.entries() {
        match entry {
            DirEntry::Dir(folder) => collect(folder, files),
            DirEntry::File(file) => {
                let path = file.path().to_string_lossy().replace('\\', "/");
                if is_of_a_catalogue(path.as_bytes()) {
                    files.push((path, file.contents().to_vec()));
                }
            }
        }
    }
}
