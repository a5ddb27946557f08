//! Stores of every release, which each later version must open.
//!
//! `tests/released/VERSION` has a store of each engine with a row in every table, its keyrings, and the
//! number of rows in each table. When you release a version, write its stores once:
//! `COVERNOTE_WRITE_RELEASE=yes cargo test -p storage --test verify -- release`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder of all releases.
pub fn all() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/released")
}

/// Releases that have stores, each with its folder.
pub fn releases() -> Vec<(String, PathBuf)> {
    let mut found: Vec<(String, PathBuf)> = fs::read_dir(all())
        .expect("releases")
        .map(|entry| entry.expect("one").path())
        .map(|path| (path.file_name().expect("a name").to_string_lossy().into_owned(), path))
        .collect();
    found.sort();
    found
}

/// Folder to write this version's stores to, if requested.
pub fn to_write() -> Option<PathBuf> {
    std::env::var_os("COVERNOTE_WRITE_RELEASE").map(|_| all().join(env!("CARGO_PKG_VERSION")))
}

pub fn unpack(packed: &Path, to: &Path) {
    let to = fs::File::create(to).expect("a file");
    let done = Command::new("gzip").args(["--decompress", "--stdout"]).arg(packed).stdout(to).status();
    assert!(done.expect("gzip starts").success(), "{}", packed.display());
}

/// Packs a file and replaces it by the packed one.
pub fn pack(file: &Path) {
    let done =
        Command::new("gzip").args(["--best", "--no-name", "--force"]).arg(file).stdin(Stdio::null()).status();
    assert!(done.expect("gzip starts").success(), "{}", file.display());
}
