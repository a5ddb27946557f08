//! The floors of the workspace: which crate may depend on which crate or library, and which modules use each other.

use std::collections::{BTreeMap, BTreeSet};
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
    ("docsite", &[]),
    ("local_http", &[]),
    ("rating", &["domain"]),
    ("certificate", &["domain"]),
    ("spreadsheet", &["domain"]),
    ("service", &["domain", "rating", "certificate", "spreadsheet"]),
    ("storage", &["domain", "service"]),
    ("insurers", &["domain", "rating", "service"]),
    ("web", &["docsite", "domain", "rating", "service"]),
    ("webhooks", &["domain", "service"]),
    ("system", &["domain", "service"]),
    (
        "covernote",
        &[
            "domain",
            "rating",
            "certificate",
            "spreadsheet",
            "service",
            "storage",
            "insurers",
            "local_http",
            "web",
            "webhooks",
            "system",
        ],
    ),
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
        ("axum", &["insurers", "web", "webhooks"]),
        ("matchit", &["web"]),
        ("hyper", &["local_http", "web"]),
        ("tokio-rustls", &["web"]),
        ("hyper-rustls", &["insurers", "local_http", "webhooks"]),
        ("rustls", &["insurers", "local_http", "storage", "web", "webhooks"]),
        ("utoipa", &["web"]),
        ("askama", &["docsite", "web"]),
        ("krilla", &["certificate"]),
        ("pulldown-cmark", &["docsite"]),
        ("rust_xlsxwriter", &["spreadsheet"]),
        ("jsonwebtoken", &["service"]),
        ("serde_json", &["insurers", "web", "covernote"]),
        ("clap", &["covernote"]),
        ("tracing-subscriber", &["system"]),
        ("tokio", &["service", "storage", "insurers", "local_http", "web", "webhooks", "covernote"]),
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

/// A crate's modules, each with the modules of the same crate that it names, itself and its tests left out.
fn modules(name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let src = crates().join(name).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    for file in files {
        let path = file.strip_prefix(&src).expect("below").with_extension("");
        let module = path.iter().next().expect("a name").to_str().expect("text").to_owned();
        let text = fs::read_to_string(&file).expect("text");
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().lines();
        let code: Vec<&str> = code.filter(|line| !line.trim_start().starts_with("//")).collect();
        texts.entry(module).or_default().push_str(&code.join("\n"));
    }
    let known: BTreeSet<String> =
        texts.keys().filter(|module| *module != "lib" && *module != "main").cloned().collect();
    let named = |text: &str| -> BTreeSet<String> {
        let paths = text.split("crate::").skip(1);
        let words = paths.flat_map(|path| {
            let end = if path.starts_with('{') { path.find(';') } else { None };
            let part =
                &path[..end.unwrap_or_else(|| path.find(|c: char| !is_of_name(c)).unwrap_or(path.len()))];
            part.split(|c: char| !is_of_name(c)).map(str::to_owned).collect::<Vec<_>>()
        });
        words.filter(|word| known.contains(word)).collect()
    };
    known
        .iter()
        .map(|module| {
            let mut uses = named(&texts[module]);
            uses.remove(module);
            (module.clone(), uses)
        })
        .collect()
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The groups of modules of which each uses every other one, directly or through others.
fn circles(uses: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<Vec<String>> {
    let reached = |from: &String| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(module) = open.pop() {
            open.extend(uses[module].iter().filter(|next| reached.insert((*next).clone())));
        }
        reached
    };
    let all: BTreeMap<&String, BTreeSet<String>> =
        uses.keys().map(|module| (module, reached(module))).collect();
    let in_circle = |one: &String| -> Vec<String> {
        let both = |other: &&String| all[one].contains(*other) && all[*other].contains(one);
        uses.keys().filter(both).cloned().collect()
    };
    uses.keys().map(in_circle).filter(|circle| !circle.is_empty()).collect()
}

/// The circles that there are, each with its reason in ARCHITECTURE.md. None may be added.
const CIRCLES: &[(&str, &[&str])] =
    &[("domain", &["health_policy", "health_proposal"]), ("domain", &["line", "proposal"])];

#[test]
fn modules_use_each_other_in_one_direction() {
    for (name, _) in FLOORS {
        let known: BTreeSet<Vec<String>> = CIRCLES
            .iter()
            .filter(|(of, _)| of == name)
            .map(|(_, modules)| modules.iter().map(|module| (*module).to_owned()).collect())
            .collect();
        assert_eq!(circles(&modules(name)), known, "circles of modules in {name}");
    }
}

#[test]
fn a_planted_circle_is_found() {
    let uses = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let planted = [("a", uses(&["b"])), ("b", uses(&["c"])), ("c", uses(&["a"])), ("d", uses(&["a"]))];
    let planted = planted.into_iter().map(|(name, uses)| (name.to_owned(), uses)).collect();
    assert_eq!(circles(&planted).into_iter().collect::<Vec<_>>(), [["a", "b", "c"].map(str::to_owned)]);
}

/// Rules within a crate: files below a folder, and the modules that they do not name.
const MODULE_RULES: &[(&str, &str, &[&str])] = &[
    ("rating", "parse", &["load", "method", "catalogue"]),
    ("rating", "method", &["load"]),
    ("service", "storage", &["idempotency", "error", "proposal", "decision", "journey", "list"]),
    ("storage", "sqlite", &["postgres"]),
    ("storage", "postgres", &["sqlite"]),
    ("storage", "rows", &["sqlite", "postgres"]),
];

#[test]
fn a_folder_names_no_module_above_it() {
    for (name, folder, forbidden) in MODULE_RULES {
        let uses = &modules(name)[*folder];
        for module in *forbidden {
            assert!(!uses.contains(*module), "{name}: {folder} must not use {module}");
        }
    }
}

#[test]
fn a_use_case_names_the_nouns_of_the_store_that_it_needs() {
    // The whole store is handed in, and given out noun by noun.
    let allowed = ["service/src/lib.rs", "service/src/parts.rs", "service/src/storage/mod.rs"];
    let mut files = Vec::new();
    sources(&crates().join("service").join("src"), &mut files);
    for file in files {
        let text = fs::read_to_string(&file).expect("text");
        let shown = file.display().to_string();
        let whole = ["dyn Storage", "&Service", "Arc<Service>", "impl Service"];
        let names_whole = whole.iter().any(|name| text.contains(name));
        assert!(!names_whole || allowed.iter().any(|place| shown.ends_with(place)), "{shown} names all");
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
        "storage/src/rows/list.rs",
        "storage/src/rows/tag.rs",
        "rating/src/zones.rs",
        "service/src/certificate.rs",
        "service/src/cursor.rs",
        "service/src/event.rs",
        "service/src/health_proposal.rs",
        "service/src/health_quote.rs",
        "service/src/recommendation.rs",
        "service/src/line/mod.rs",
        "service/src/statement/rows.rs",
        "service/src/line/facts.rs",
        "service/src/line/credit_life_facts.rs",
        "service/src/line/health_facts.rs",
        "insurers/src/protocol/",
        "web/src/api/claim.rs",
        "web/src/api/health_policy.rs",
        "web/src/api/health_proposal.rs",
        "web/src/api/health_quote.rs",
        "web/src/api/insurer_claim.rs",
        "web/src/api/people.rs",
        "web/src/api/policy.rs",
        "web/src/api/proposal.rs",
        "web/src/api/recommendation.rs",
        "web/src/event.rs",
        "web/src/journey/details.rs",
        "web/src/journey/details_form.rs",
        "web/src/journey/home_and_health.rs",
        "web/src/journey/plans.rs",
        "web/src/journey/review.rs",
        "web/src/journey/status.rs",
        "covernote/src/commands/claim.rs",
        "covernote/src/commands/complaint.rs",
        "covernote/src/commands/export.rs",
        "covernote/src/commands/facts.rs",
        "covernote/src/commands/policy.rs",
        "covernote/src/commands/proposal.rs",
        "covernote/src/commands/quote.rs",
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
