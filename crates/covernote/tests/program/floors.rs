//! The floors of the workspace: which crate may depend on which crate or library.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The normal dependencies that a crate's manifest names.
fn dependencies(name: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(crates().join(name).join("Cargo.toml")).expect("a manifest");
    let manifest: toml::Table = text.parse().expect("TOML");
    manifest["dependencies"].as_table().expect("a table").keys().cloned().collect()
}

/// Every crate with the crates of ours that it may use.
const FLOORS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("rating", &["domain"]),
    ("certificate", &["domain"]),
    ("service", &["domain", "rating", "certificate"]),
    ("storage", &["domain", "service"]),
    ("insurers", &["domain", "rating", "service"]),
    ("web", &["domain", "rating", "service"]),
    ("covernote", &["domain", "rating", "certificate", "service", "storage", "insurers", "web"]),
];

#[test]
fn every_crate_depends_only_on_the_floors_below_it() {
    let there: BTreeSet<String> = fs::read_dir(crates())
        .expect("crates")
        .map(|entry| entry.expect("one").file_name().into_string().expect("text"))
        .collect();
    let known: BTreeSet<String> = FLOORS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(there, known, "a new crate needs its floor here");
    for (name, allowed) in FLOORS {
        for dependency in dependencies(name).intersection(&known) {
            assert!(allowed.contains(&dependency.as_str()), "{name} must not use {dependency}");
        }
    }
}

#[test]
fn a_library_stays_on_its_floor() {
    let floors = [
        ("rusqlite", &["storage"][..]),
        ("tokio-postgres", &["storage"]),
        ("deadpool-postgres", &["storage"]),
        ("chacha20", &["storage"]),
        ("chacha20poly1305", &["storage"]),
        ("axum", &["insurers", "web"]),
        ("axum-server", &["insurers", "web"]),
        ("hyper-rustls", &["insurers"]),
        ("rustls", &["insurers", "storage"]),
        ("utoipa", &["web"]),
        ("askama", &["web"]),
        ("krilla", &["certificate"]),
        ("jsonwebtoken", &["service"]),
        ("serde_json", &["insurers", "web", "covernote"]),
        ("clap", &["covernote"]),
        ("tokio", &["service", "storage", "insurers", "web", "covernote"]),
    ];
    for (library, allowed) in floors {
        for (name, _) in FLOORS {
            let used = dependencies(name).contains(library);
            assert!(!used || allowed.contains(name), "{name} must not use {library}");
        }
    }
}

/// Every source file of a crate, without its tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn personal_data_is_revealed_only_where_it_must_be() {
    // Sealing, reading a document's number, judging illnesses, printing the certificate, showing partners and customers
    // what is theirs, and showing an operator a move's reason.
    let allowed = [
        "domain/src/",
        "storage/src/body/",
        "storage/src/rows/reason.rs",
        "rating/src/zones.rs",
        "service/src/application.rs",
        "service/src/certificate.rs",
        "service/src/health_proposal.rs",
        "service/src/health_quote.rs",
        "insurers/src/protocol/",
        "web/src/api/health_policy.rs",
        "web/src/api/health_proposal.rs",
        "web/src/api/health_quote.rs",
        "web/src/api/people.rs",
        "web/src/api/recommendation.rs",
        "web/src/journey/details.rs",
        "web/src/journey/details_form.rs",
        "web/src/journey/home_and_health.rs",
        "web/src/journey/plans.rs",
        "web/src/journey/review.rs",
        "web/src/journey/status.rs",
        "covernote/src/commands/proposal.rs",
        "covernote/src/commands/proposal_health.rs",
    ];
    let mut files = Vec::new();
    for (name, _) in FLOORS {
        sources(&crates().join(name).join("src"), &mut files);
    }
    for file in files {
        let text = fs::read_to_string(&file).expect("text");
        let shown = file.display().to_string();
        let reveals = text.contains(".reveal()") || text.contains("::reveal");
        assert!(
            !reveals || allowed.iter().any(|place| shown.contains(place)),
            "{shown} reveals personal data"
        );
    }
}

#[test]
fn no_check_is_disabled() {
    let mut files = Vec::new();
    sources(&crates(), &mut files);
    // Spelled in parts, so that this file does not match its own rule.
    let marks = [["#[ig", "nore"].concat(), ["to", "do!("].concat(), ["unimple", "mented!("].concat()];
    for file in files {
        let text = fs::read_to_string(&file).expect("text");
        for mark in &marks {
            assert!(!text.contains(mark), "{} has {mark}", file.display());
        }
    }
}
