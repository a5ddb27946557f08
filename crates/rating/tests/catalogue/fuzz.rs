//! Fuzz test of the loader. Any input gives a list of faults, or a catalogue that prices.

use std::time::{Duration, Instant};

use fuzz::{Examples, Format};
use rating::{Catalogue, Files};

use crate::edit::{TODAY, family, ill, request, sample};

/// Longest allowed time to load a file, even on a busy machine.
const TOO_LONG: Duration = Duration::from_secs(20);

/// Common files of the sample and four insurers, which use every pricing method. Few files, because each
/// input loads them again.
fn some_of_the_sample() -> Vec<(String, Vec<u8>)> {
    let folders = ["kalpanik", "parikatha", "drishtant", "prayog"];
    let mut files = sample();
    files.retain(|(path, _)| match path.strip_prefix("insurers/") {
        Some(path) => folders.iter().any(|folder| path.starts_with(folder)),
        None => !path.starts_with("tests/"),
    });
    files
}

fn file_examples() -> Examples {
    let with = |examples: Examples, (path, content): (String, Vec<u8>)| examples.with(&path, content);
    some_of_the_sample().into_iter().fold(Examples::of(Format::Text), with)
}

/// Folder of an insurer whose products use all common files.
const DEFAULT: &str = "insurers/drishtant/";

/// Loads a catalogue whose file at the path `head` has the content `body`, and prices with it.
fn judge_file(head: &str, body: &[u8]) {
    let mut files = some_of_the_sample();
    // One insurer suffices and loads faster: the file's own, or one whose products use all common files.
    let folder = head.rfind('/').map_or(DEFAULT, |slash| &head[..=slash]);
    // These files name products and insurers that may be left out.
    let names_others =
        |path: &str| matches!(path, "commission.toml" | "bordereaux.toml") && folder != DEFAULT;
    let is_kept = |path: &str| path.starts_with(folder) || !path.contains('/') && !names_others(path);
    files.retain(|(path, _)| path != head && is_kept(path));
    files.push((head.to_owned(), body.to_vec()));
    let files = Files::of(files).expect("plain paths");
    let started = Instant::now();
    match Catalogue::load(&files) {
        Err(faults) => {
            assert!(!faults.is_empty() && faults.is_sorted());
            for fault in &faults {
                let shown = fault.to_string();
                let unprintable = |c: char| c.is_control() && c != '\n';
                assert!(!shown.contains(unprintable), "a terminal shows {shown:?}");
            }
        }
        Ok(catalogue) => {
            assert_eq!(catalogue.hash(), rating::hash_of(&files.canonical()));
            prices_as_explained(&catalogue);
        }
    }
    assert!(started.elapsed() < TOO_LONG, "{:?}", started.elapsed());
}

/// Every variant gives a price or a refusal, and its explanation has the same outcome.
fn prices_as_explained(catalogue: &Catalogue) {
    for variant in catalogue.all_credit_variants() {
        for (age, months) in [(18, 1), (36, 13), (65, 60), (20, 360)] {
            let asked = request(age, 10_000_000, months);
            assert_eq!(variant.explain(&asked, TODAY).outcome, variant.price(&asked, TODAY));
        }
    }
    for variant in catalogue.all_health_variants() {
        for members in ["self:18", "self:75 spouse:60", "self:26 son:0 son:25", "father:80 mother:50"] {
            let asked = ill(family(members, "110001", 1_000_000), &["diabetes"]);
            assert_eq!(variant.explain(&asked, TODAY).outcome, variant.price(&asked, TODAY));
        }
    }
}

#[test]
fn fuzzed_catalogue_files_give_faults_or_prices() {
    Catalogue::load(&Files::of(some_of_the_sample()).expect("plain paths")).expect("no fault");
    fuzz::target!("catalogue_files", file_examples(), judge_file);
}

fn canonical_examples() -> Examples {
    let files = |all: &[(&str, &str)]| {
        let all = all.iter().map(|(path, content)| ((*path).to_owned(), content.as_bytes().to_vec()));
        Files::of(all).expect("plain paths").canonical()
    };
    Examples::of(Format::Bytes)
        .with("canonical", files(&[]))
        .with("canonical", files(&[("a.toml", "")]))
        .with(
            "canonical",
            files(&[("catalogue.toml", "name = \"A\"\n"), ("insurers/a/insurer.toml", "[b]\n")]),
        )
}

/// Bytes from the store are refused, or are exactly the canonical form of the files.
fn judge_canonical(_: &str, body: &[u8]) {
    if let Ok(files) = Files::from_canonical(body) {
        assert!(files.canonical() == body, "another form");
    }
}

#[test]
fn fuzzed_bytes_are_a_canonical_form_or_refused() {
    for example in canonical_examples().iter() {
        Files::from_canonical(&example.body).expect("canonical");
    }
    fuzz::target!("catalogue_canonical", canonical_examples(), judge_canonical);
}
