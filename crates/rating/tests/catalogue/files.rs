//! Tests the files of a catalogue: hash, reading, writing.

use std::fs;

use rating::{Catalogue, Files};

use crate::edit::{LEVEL_TABLE, PRODUCT, changed, load, sample, with};

fn hash(files: &Files) -> String {
    load(files).hash().to_string()
}

#[test]
fn the_same_files_have_the_same_hash() {
    assert_eq!(hash(&Files::sample()), hash(&Files::sample()));
    assert_eq!(hash(&Files::sample()).len(), 64);
}

#[test]
fn a_changed_byte_changes_the_hash() {
    let changed = changed(LEVEL_TABLE, "18,35,2.6", "18,35,2.7");
    assert_ne!(hash(&changed), hash(&Files::sample()));
}

#[test]
fn line_endings_and_byte_order_marks_do_not_change_the_hash() {
    let windows = sample().into_iter().map(|(path, content)| {
        if path.ends_with(".xlsx") {
            return (path, content);
        }
        let text = String::from_utf8(content).expect("text");
        (path, format!("\u{feff}{}", text.replace('\n', "\r\n")).into_bytes())
    });
    let windows = Files::of(windows).expect("the sample's own paths");
    assert_eq!(hash(&windows), hash(&Files::sample()));
}

#[test]
fn charts_are_not_part_of_the_hash() {
    assert_eq!(hash(&with("tests/more.csv", "variant\n")), hash(&Files::sample()));
}

#[test]
fn files_read_from_the_canonical_form_have_the_same_canonical_form_and_hash() {
    let canonical = Files::sample().canonical();
    let again = Files::from_canonical(&canonical).expect("its own form");
    assert_eq!(again.canonical(), canonical);
    assert_eq!(hash(&again), hash(&Files::sample()));
}

#[test]
fn bytes_that_are_not_a_canonical_form_are_refused() {
    let canonical = Files::sample().canonical();
    for bad in [
        &b""[..],
        b"covernote catalogue 2\n",
        &canonical[..canonical.len() - 1],
        b"covernote catalogue 1\n4 1\n../x\nA\n",
        b"covernote catalogue 1\n2 1\n/x\nA\n",
        b"covernote catalogue 1\n1 99999999999999999999\nx\nA\n",
        b"covernote catalogue 1\n1 18446744073709551615\nx\nA\n",
        b"covernote catalogue 1\n1 1\nb\nA\n1 1\na\nA\n",
        b"covernote catalogue 1\n1 1\na\nA\n1 1\na\nA\n",
    ] {
        assert!(
            Files::from_canonical(bad).is_err(),
            "{:?}",
            String::from_utf8_lossy(&bad[..bad.len().min(50)])
        );
    }
}

#[test]
fn a_catalogue_written_to_a_folder_is_read_unchanged() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path().join("new/catalogue");
    Files::sample().write_to(&at).expect("written");
    assert_eq!(Files::read(&at).expect("read"), Files::sample());
}

#[test]
fn writing_a_catalogue_does_not_overwrite_an_existing_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let there = folder.path().join(PRODUCT);
    fs::create_dir_all(there.parent().expect("a folder")).expect("made");
    fs::write(&there, "mine").expect("written");
    let refused = Files::sample().write_to(folder.path()).expect_err("refused");
    assert_eq!(refused.kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!(fs::read(&there).expect("read"), b"mine");
    assert!(!folder.path().join("catalogue.toml").exists());
}

#[test]
fn the_sample_is_written_with_its_guide_and_is_not_overwritten() {
    let folder = tempfile::tempdir().expect("a folder");
    Files::write_sample(folder.path()).expect("written");
    let guide = fs::read_to_string(folder.path().join("README.md")).expect("the guide");
    assert!(guide.contains("rates_include_tax"));
    assert!(Files::write_sample(folder.path()).is_err());
    assert!(Catalogue::load(&Files::read(folder.path()).expect("read")).is_ok());
}

#[test]
fn reading_a_catalogue_skips_hidden_files_and_files_of_other_types() {
    let folder = tempfile::tempdir().expect("a folder");
    Files::sample().write_to(folder.path()).expect("written");
    fs::create_dir(folder.path().join(".git")).expect("made");
    for name in [".git/config.toml", ".hidden.toml", "notes.txt", "insurers/~lock.ods"] {
        fs::write(folder.path().join(name), "x").expect("written");
    }
    assert_eq!(Files::read(folder.path()).expect("read"), Files::sample());
}

#[test]
fn a_catalogue_file_above_4_mebibytes_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("large.csv"), vec![b'1'; (4 << 20) + 1]).expect("written");
    let refused = Files::read(folder.path()).expect_err("too large");
    assert_eq!(refused.kind(), std::io::ErrorKind::InvalidData);
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_to_its_own_folder_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).expect("linked");
    assert!(Files::read(folder.path()).is_err());
}
