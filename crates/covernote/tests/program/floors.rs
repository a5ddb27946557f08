//! The floors of the workspace: which crate may depend on which crate or library, and which modules use each
//! other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use syn::UseTree;
use syn::visit::Visit;

pub(crate) fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The crates in a manifest's normal dependencies.
fn dependencies(name: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(crates().join(name).join("Cargo.toml")).expect("a manifest");
    let manifest: toml::Table = text.parse().expect("TOML");
    manifest["dependencies"].as_table().expect("a table").keys().cloned().collect()
}

/// Every crate, with the workspace's crates that it may use.
const FLOORS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("docsite", &[]),
    ("http_client", &[]),
    ("local_http", &["http_client"]),
    ("ports", &["domain"]),
    ("rating", &["domain", "spreadsheet"]),
    ("certificate", &["domain"]),
    ("spreadsheet", &["domain"]),
    ("service", &["domain", "ports", "rating", "certificate", "spreadsheet"]),
    ("storage", &["domain", "ports"]),
    ("insurers", &["domain", "http_client", "rating", "service"]),
    ("web", &["docsite", "domain", "rating", "service"]),
    ("operators", &["domain", "http_client", "rating", "service", "spreadsheet", "web"]),
    ("webhooks", &["domain", "http_client", "service"]),
    ("system", &["domain", "ports"]),
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
            "http_client",
            "local_http",
            "operators",
            "web",
            "webhooks",
            "system",
        ],
    ),
];

#[test]
fn every_crate_depends_only_on_the_crates_that_are_listed_for_it() {
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
fn an_external_library_is_used_only_by_the_crates_that_are_listed_for_it() {
    let floors = [
        ("rusqlite", &["storage"][..]),
        ("tokio-postgres", &["storage"]),
        ("deadpool-postgres", &["storage"]),
        ("axum", &["insurers", "operators", "web", "webhooks"]),
        ("matchit", &["web"]),
        ("hyper", &["http_client", "local_http", "operators", "web"]),
        ("tokio-rustls", &["web"]),
        ("hyper-rustls", &["http_client"]),
        ("rustls", &["http_client", "storage", "web"]),
        ("utoipa", &["operators", "web"]),
        ("askama", &["docsite", "operators", "web"]),
        ("krilla", &["certificate"]),
        ("pulldown-cmark", &["docsite"]),
        ("rust_xlsxwriter", &["spreadsheet"]),
        ("calamine", &["spreadsheet"]),
        ("jsonwebtoken", &["operators", "service"]),
        ("serde_json", &["insurers", "operators", "web", "covernote"]),
        ("clap", &["operators", "covernote"]),
        ("tracing-subscriber", &["system"]),
        (
            "tokio",
            &[
                "ports",
                "service",
                "storage",
                "insurers",
                "http_client",
                "local_http",
                "operators",
                "web",
                "webhooks",
                "covernote",
            ],
        ),
    ];
    for (library, allowed) in floors {
        for (name, _) in FLOORS {
            let used = dependencies(name).contains(library);
            assert!(!used || allowed.contains(name), "{name} must not use {library}");
        }
    }
}

/// Every source file of a crate, without tests.
pub(crate) fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// A module's path: the names of its folders and its file.
type Module = Vec<String>;

/// Paths that a module uses within its crate, from the crate's root.
struct Named<'m> {
    module: &'m [String],
    paths: Vec<Module>,
}

impl Named<'_> {
    fn add(&mut self, path: &[String]) {
        let ups = path.iter().take_while(|part| *part == "super").count();
        match path.first().map(String::as_str) {
            Some("crate") => self.paths.push(path[1..].to_vec()),
            Some("super") => {
                let from = self.module.len().saturating_sub(ups);
                self.paths.push([&self.module[..from], &path[ups..]].concat());
            }
            _ => {}
        }
    }

    fn add_tree(&mut self, before: &[String], tree: &UseTree) {
        let and = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.add_tree(&and(&path.ident), &path.tree),
            UseTree::Group(group) => group.items.iter().for_each(|item| self.add_tree(before, item)),
            UseTree::Name(name) => self.add(&and(&name.ident)),
            UseTree::Rename(name) => self.add(&and(&name.ident)),
            UseTree::Glob(_) => self.add(before),
        }
    }
}

impl<'a> Visit<'a> for Named<'_> {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        // Tests may use anything. Inline modules belong to their file.
        if item.content.is_some() && !item.attrs.iter().any(|attribute| attribute.path().is_ident("cfg")) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        self.add_tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.add(&parts);
        syn::visit::visit_path(self, path);
    }
}

/// A crate's modules, each with its file.
fn modules(name: &str) -> BTreeMap<Module, PathBuf> {
    let src = crates().join(name).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    let module = |file: &Path| -> Module {
        let path = file.strip_prefix(&src).expect("below").with_extension("");
        let names = path.iter().map(|name| name.to_str().expect("text").to_owned());
        names.filter(|name| !["lib", "main", "mod"].contains(&name.as_str())).collect()
    };
    files.into_iter().map(|file| (module(&file), file)).collect()
}

/// The module of a path: its longest prefix that is a module.
fn longest<'p, T>(known: &BTreeMap<Module, T>, path: &'p [String]) -> Option<&'p [String]> {
    (0..=path.len()).rev().map(|end| &path[..end]).find(|begin| known.contains_key(*begin))
}

/// A crate's modules, each with the modules of the same crate that it uses.
fn uses(name: &str) -> BTreeMap<Module, BTreeSet<Module>> {
    let known = modules(name);
    let used = |(module, file): (&Module, &PathBuf)| {
        let mut named = Named { module, paths: Vec::new() };
        let text = fs::read_to_string(file).expect("text");
        named.visit_file(&syn::parse_file(&text).expect("Rust"));
        let used = named.paths.iter().filter_map(|path| longest(&known, path));
        (module.clone(), used.filter(|used| used != module).map(<[String]>::to_vec).collect())
    };
    known.iter().map(used).collect()
}

/// For each folder of a crate: its children, each with the siblings that it uses. A folder's own file counts
/// as the folder.
fn neighbours(name: &str) -> BTreeMap<String, BTreeMap<String, BTreeSet<String>>> {
    let mut folders: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for (module, used) in uses(name) {
        for (depth, child) in module.iter().enumerate() {
            folders.entry(module[..depth].join("::")).or_default().entry(child.clone()).or_default();
        }
        for used in used {
            let depth = module.iter().zip(&used).take_while(|(one, other)| one == other).count();
            if let (Some(one), Some(other)) = (module.get(depth), used.get(depth)) {
                let folder = folders.entry(module[..depth].join("::")).or_default();
                folder.entry(one.clone()).or_default().insert(other.clone());
            }
        }
    }
    folders
}

/// Groups of modules that use each other, directly or through others.
fn circles(uses: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<Vec<String>> {
    let reached = |from: &String| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(module) = open.pop() {
            let next = uses.get(module).into_iter().flatten();
            open.extend(next.filter(|next| reached.insert((*next).clone())));
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

/// The known circles, each with its reason in ARCHITECTURE.md: crate, folder and modules. None may be added.
const CIRCLES: &[(&str, &str, &[&str])] = &[("domain", "", &["line", "proposal"])];

#[test]
fn modules_have_no_circular_dependencies_except_the_listed_ones() {
    for (name, _) in FLOORS {
        for (folder, uses) in neighbours(name) {
            let known = CIRCLES.iter().filter(|(of, within, _)| of == name && *within == folder);
            let known: BTreeSet<Vec<String>> = known
                .map(|(.., modules)| modules.iter().map(|module| (*module).to_owned()).collect())
                .collect();
            assert_eq!(circles(&uses), known, "circles of modules in {name}, folder '{folder}'");
        }
    }
}

#[test]
fn the_check_for_circular_dependencies_detects_a_planted_one() {
    let uses = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let planted = [("a", uses(&["b"])), ("b", uses(&["c"])), ("c", uses(&["a"])), ("d", uses(&["a"]))];
    let planted = planted.into_iter().map(|(name, uses)| (name.to_owned(), uses)).collect();
    assert_eq!(circles(&planted).into_iter().collect::<Vec<_>>(), [["a", "b", "c"].map(str::to_owned)]);
}

/// Rules within a crate: a folder or file, and the siblings that it must not use.
const MODULE_RULES: &[(&str, &str, &[&str])] = &[
    ("rating", "parse", &["load", "method", "catalogue"]),
    ("rating", "method", &["load"]),
    ("storage", "operation", &["sqlite", "postgres", "engine", "store", "records"]),
    ("storage", "sqlite", &["postgres", "engine", "store", "records"]),
    ("storage", "postgres", &["sqlite", "engine", "store", "records"]),
    ("storage", "engine", &["store", "records"]),
];

#[test]
fn a_folder_uses_no_module_that_is_forbidden_for_it() {
    for (name, folder, forbidden) in MODULE_RULES {
        let uses = &neighbours(name)[""][*folder];
        for module in *forbidden {
            assert!(!uses.contains(*module), "{name}: {folder} must not use {module}");
        }
    }
}

/// The modules that a folder's own file declares in its first lines: the names after `Uses`, up to the full
/// stop.
fn may_use(text: &str) -> BTreeSet<String> {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let lines: String = lines.collect::<Vec<_>>().join(" ");
    let said = lines.split("Uses ").nth(1).and_then(|said| said.split('.').next()).unwrap_or_default();
    said.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Folders whose subfolders declare which siblings they use: crate, and folder in it.
const SAYS_WHAT_IT_USES: &[(&str, &str)] =
    &[("operators", ""), ("service", ""), ("storage", ""), ("web", ""), ("web", "api")];

#[test]
fn a_folder_uses_exactly_the_modules_that_its_first_lines_list() {
    for (name, within) in SAYS_WHAT_IT_USES {
        for (folder, uses) in &neighbours(name)[*within] {
            let file = crates().join(name).join("src").join(within).join(folder).join("mod.rs");
            if let Ok(text) = fs::read_to_string(file) {
                assert_eq!(uses, &may_use(&text), "{name}/{within}/{folder}");
            }
        }
    }
}

/// Paths in backticks that begin with a crate of the workspace, such as `service::policy::change`: the crate,
/// and the rest.
fn named_paths(text: &str) -> Vec<(String, Vec<String>)> {
    let is_path = |text: &&str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':');
    let quoted = text.split('`').skip(1).step_by(2).filter(is_path);
    let parts = quoted.map(|path| path.split("::").map(str::to_owned).collect::<Vec<_>>());
    let ours = |parts: &Vec<String>| parts.len() > 1 && FLOORS.iter().any(|(name, _)| *name == parts[0]);
    parts.filter(ours).map(|mut parts| (parts.remove(0), parts)).collect()
}

#[test]
fn every_module_that_a_document_names_exists() {
    for document in ["docs/glossary.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"] {
        let text = fs::read_to_string(crates().join("..").join(document)).expect("a document");
        for (name, path) in named_paths(&text) {
            let known = modules(&name);
            // After the modules, a path may have a type, a function or a field in the last module's file.
            let is_there = longest(&known, &path).is_some_and(|module| {
                let text = fs::read_to_string(&known[module]).expect("text");
                path[module.len()..].iter().all(|item| text.contains(item.as_str()))
            });
            assert!(is_there, "{document} names {name}::{}", path.join("::"));
        }
    }
}

#[test]
fn no_use_case_uses_the_type_of_the_whole_service() {
    let mut files = Vec::new();
    sources(&crates().join("service").join("src"), &mut files);
    for file in files.into_iter().filter(|file| !file.ends_with("src/lib.rs")) {
        let text = fs::read_to_string(&file).expect("text");
        let whole = ["&Service", "Arc<Service>", "impl Service"];
        assert!(!whole.iter().any(|name| text.contains(name)), "{} names the whole service", file.display());
    }
}

#[test]
fn only_the_listed_files_reveal_personal_data() {
    // Allowed uses: sealing, reading a document's number, judging illnesses, printing the certificate,
    // showing partners and customers their own data, and showing an operator a move's reason.
    let allowed = [
        "domain/src/",
        "storage/src/body/",
        "storage/src/records/reason.rs",
        "storage/src/records/list.rs",
        "storage/src/records/personal_data.rs",
        "storage/src/records/tag.rs",
        "rating/src/zones.rs",
        "service/src/line/certificate.rs",
        "service/src/list/cursor.rs",
        "service/src/event/mod.rs",
        "service/src/proposal/health.rs",
        "service/src/quote/health.rs",
        "service/src/quote/recommendation.rs",
        "service/src/line/mod.rs",
        "service/src/person/erasure.rs",
        "service/src/statement/rows.rs",
        "service/src/line/facts.rs",
        "service/src/line/credit_life_facts.rs",
        "service/src/line/health_facts.rs",
        "insurers/src/protocol/",
        "web/src/api/claim/mod.rs",
        "web/src/api/policy/health.rs",
        "web/src/api/proposal/health.rs",
        "web/src/api/quote/health.rs",
        "web/src/api/claim/insurer.rs",
        "web/src/api/common/people.rs",
        "web/src/api/policy/mod.rs",
        "web/src/api/proposal/mod.rs",
        "web/src/api/quote/recommendation.rs",
        "web/src/event.rs",
        "web/src/sight.rs",
        "web/src/journey/demo_loan.rs",
        "web/src/journey/details.rs",
        "web/src/journey/details_form.rs",
        "web/src/journey/home_and_health.rs",
        "web/src/journey/plans.rs",
        "web/src/journey/review.rs",
        "web/src/journey/status.rs",
        "service/src/person/mod.rs",
        "storage/src/records/partner.rs",
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
fn no_source_file_has_unfinished_code_or_a_test_that_is_ignored_without_reason() {
    let mut files = Vec::new();
    sources(&crates(), &mut files);
    // In parts, so that this file does not match its own rule.
    let marks = [["to", "do!("].concat(), ["unimple", "mented!("].concat()];
    // A test that needs something special on the machine must say so.
    let (ignored, lacks) = (["#[ig", "nore"].concat(), ["#[ig", "nore = \"needs "].concat());
    for file in files {
        let text = fs::read_to_string(&file).expect("text");
        assert_eq!(text.matches(&ignored).count(), text.matches(&lacks).count(), "{}", file.display());
        for mark in &marks {
            assert!(!text.contains(mark), "{} has {mark}", file.display());
        }
    }
}
