//! What people read: phrases that are always wrong (CONTRIBUTING.md, "How we write"), and a list of all
//! messages, so that each change of wording is visible in a diff.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, ExprMethodCall, ItemFn, ItemMod, LitStr, Macro, visit, visit::Visit};

/// Wrong phrases, each with what to write instead.
const WRONG: &[(&str, &str)] = &[
    ("is wanted", "Must be …, or Required: …"),
    ("are wanted", "Must be …, or Required: …"),
    ("was found;", "Must be …, without what came"),
    ("were found.", "Must be …, without what came"),
    ("none of the allowed", "Must be A or B"),
    ("as wanted", "invalid"),
    ("whoever", "anybody who, or the one who"),
    ("please look at", "There is a problem"),
    ("once more", "again, or Check …"),
    ("left open", "Leave blank"),
];

/// The list of messages, in the crate's folder.
const LIST: &str = "tests/program/messages.txt";

/// The strings of a file that people may read: without tests, and of attributes only the commands' help.
#[derive(Default)]
struct Strings {
    found: BTreeSet<String>,
    /// Whether doc comments are help texts.
    has_help: bool,
}

impl Strings {
    fn of(file: &Path) -> BTreeSet<String> {
        let text = fs::read_to_string(file).expect("text");
        if file.extension().is_some_and(|end| end == "html") {
            return text.split('\n').map(str::to_owned).collect();
        }
        let place = file.display().to_string();
        let has_help = place.ends_with("covernote/src/cli.rs")
            || place.contains("covernote/src/cli/")
            || place.contains("operators/src");
        let mut strings = Strings { has_help, ..Strings::default() };
        strings.visit_file(&syn::parse_file(&text).expect("Rust"));
        strings.found
    }

    /// The strings of a macro's tokens. Doc comments count only as help, and the texts of `expect` do not
    /// count.
    fn take(&mut self, tokens: TokenStream) {
        let mut before = String::new();
        for tree in tokens {
            match &tree {
                TokenTree::Group(group) if before != "expect" => self.take(group.stream()),
                TokenTree::Literal(literal) if before != "doc=" || self.has_help => {
                    if let Ok(text) = syn::parse_str::<LitStr>(&literal.to_string()) {
                        self.found.insert(text.value());
                    }
                }
                _ => {}
            }
            let token = tree.to_string();
            before = if before == "doc" && token == "=" { "doc=".to_owned() } else { token };
        }
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg")
                && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

impl<'ast> Visit<'ast> for Strings {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_lit_str(&mut self, text: &'ast LitStr) {
        self.found.insert(text.value());
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        match call.method == "expect" {
            true => self.visit_expr(&call.receiver),
            false => visit::visit_expr_method_call(self, call),
        }
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        let name = called.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if !name.contains("assert") && name != "matches" {
            self.take(called.tokens.clone());
        }
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        // Errors of thiserror and help of clap.
        let is_read = ["error", "arg", "command"].iter().any(|name| attribute.path().is_ident(name))
            || self.has_help && attribute.path().is_ident("doc");
        if is_read {
            match &attribute.meta {
                syn::Meta::List(list) => self.take(list.tokens.clone()),
                _ => visit::visit_attribute(self, attribute),
            }
        }
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs" || end == "html") {
            found.push(path);
        }
    }
}

/// Every file, with the strings that people may read.
fn everything() -> Vec<(String, BTreeSet<String>)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    let mut names: Vec<PathBuf> =
        fs::read_dir(&crates).expect("crates").flatten().map(|entry| entry.path()).collect();
    names.sort();
    for name in names {
        for folder in ["src", "templates"].map(|folder| name.join(folder)) {
            if folder.is_dir() {
                sources(&folder, &mut files);
            }
        }
    }
    assert!(files.len() > 300, "{}", files.len());
    let place = |file: &Path| file.strip_prefix(&crates).expect("below").display().to_string();
    files.iter().map(|file| (place(file), Strings::of(file))).collect()
}

/// The wrong phrases in a text.
fn faults(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let wrong = WRONG.iter().filter(|(phrase, _)| lower.contains(phrase));
    wrong.map(|(phrase, instead)| format!("{phrase:?}: write {instead}: {text}")).collect()
}

#[test]
fn no_message_page_or_help_has_a_phrase_that_is_always_wrong() {
    let found: Vec<String> = everything()
        .iter()
        .flat_map(|(place, strings)| {
            strings.iter().flat_map(|string| faults(string)).map(move |fault| format!("{place}: {fault}"))
        })
        .collect();
    assert_eq!(found, Vec::<String>::new(), "\n{}", found.join("\n"));
}

#[test]
fn the_phrases_are_found_in_what_was_written_before() {
    for before in [
        "Nothing was found; one of MALE, FEMALE is wanted.",
        "Text that is none of the allowed words was found; one of MALE, FEMALE is wanted.",
        "A proposal that stands in an item before was found; each has one item.",
        "One field is not as wanted.",
        "text that is no such month was found; a month written YYYY-MM is wanted",
        "Please look at these again",
        "Look at everything once more",
        "Left open, each plan is shown with its smallest.",
        "makes it due again, so that whoever works on it has lost it",
    ] {
        assert_ne!(faults(before), Vec::<String>::new(), "{before}");
    }
    for now in
        ["Required: MALE or FEMALE.", "Must be MALE or FEMALE.", "Check your answers", "There is a problem"]
    {
        assert_eq!(faults(now), Vec::<String>::new(), "{now}");
    }
}

/// Whether a string is a message: several words for a person, and not SQL, markup or a header.
fn is_message(text: &str) -> bool {
    let words = text
        .split_whitespace()
        .filter(|word| word.chars().filter(|letter| letter.is_alphabetic()).count() > 1);
    let lower = text.trim_start().to_lowercase();
    let starts =
        ["select ", "insert ", "update ", "delete ", "create ", "alter ", "with ", "<", "default-src"];
    words.count() >= 3 && !starts.iter().any(|start| lower.starts_with(start))
}

#[test]
fn every_message_is_in_the_list() {
    let mut list = String::from(
        "Every message, line of help and text of a page, by file. COVERNOTE_WRITE_MESSAGES=yes cargo test -p covernote --test program wording\n\
         writes it: read the difference as a reader would.\n",
    );
    for (place, strings) in everything() {
        let messages: Vec<&String> =
            strings.iter().filter(|text| !place.ends_with(".html") && is_message(text)).collect();
        if !messages.is_empty() {
            list.push_str(&format!("\n{place}\n"));
            messages
                .iter()
                .for_each(|text| list.push_str(&format!("    {}\n", text.trim().replace('\n', "\\n"))));
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(LIST);
    if std::env::var_os("COVERNOTE_WRITE_MESSAGES").is_some() {
        fs::write(&file, &list).expect("written");
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    let (old, new): (BTreeSet<&str>, BTreeSet<&str>) = (committed.lines().collect(), list.lines().collect());
    let changes: Vec<String> = old
        .difference(&new)
        .map(|line| format!("- {line}"))
        .chain(new.difference(&old).map(|line| format!("+ {line}")))
        .collect();
    assert!(
        committed == list,
        "messages changed: write the list anew and read its difference\n{}",
        changes.join("\n")
    );
}
