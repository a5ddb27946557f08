//! Commands use the catalogue that the store's servers run, and store no other one (D108).

use std::path::Path;

use clap::{Arg, Command, CommandFactory};
use covernote::cli::CommandLine;

use crate::support::program::{Server, run, stderr, stdout};

/// Commands that use the catalogue of their own flag or setting, to serve or to examine it.
const HAVE_THEIR_OWN: [&str; 6] = ["serve", "worker", "catalogue", "doctor", "insurer", "mock-insurer"];

/// Commands on the store that need a catalogue.
const NEED_ONE: [&str; 9] =
    ["quote", "proposal", "policy", "refund", "claim", "complaint", "premium", "deposit", "statement"];

/// Every command without subcommands: its words, with its clap description.
fn leaves() -> Vec<(Vec<String>, Command)> {
    fn collect(command: &Command, words: &[String], leaves: &mut Vec<(Vec<String>, Command)>) {
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            let words = [words, &[inner.get_name().to_owned()]].concat();
            match inner.has_subcommands() {
                true => collect(inner, &words, leaves),
                false => leaves.push((words, inner.clone())),
            }
        }
    }
    let mut leaves = Vec::new();
    let mut root = CommandLine::command();
    root.build();
    collect(&root, &[], &mut leaves);
    leaves
}

/// A valid value of an argument.
fn value(argument: &Arg) -> String {
    let known = argument.get_possible_values();
    known.first().map_or_else(|| "1".to_owned(), |value| value.get_name().to_owned())
}

/// Required arguments of some commands that clap's description does not show.
const ALSO: [(&str, &[&str]); 7] = [
    ("policy find", &["--number", "1"]),
    ("person find", &["--reference", "1"]),
    ("person export", &["--reference", "1"]),
    ("person correct", &["--reference", "1"]),
    ("person erase", &["--reference", "1"]),
    ("person consents", &["--reference", "1"]),
    ("premium remit", &["1"]),
];

/// The command line of a leaf with all its required arguments.
fn command_line(words: &[String], leaf: &Command) -> Vec<String> {
    let mut line = words.to_vec();
    let also = ALSO.iter().filter(|(command, _)| *command == words.join(" "));
    line.extend(also.flat_map(|(_, arguments)| arguments.iter().map(|argument| (*argument).to_owned())));
    for argument in leaf.get_arguments().filter(|argument| argument.is_required_set()) {
        if let Some(long) = argument.get_long() {
            line.push(format!("--{long}"));
        }
        if argument.get_action().takes_values() {
            line.push(value(argument));
        }
    }
    line
}

/// Hashes of the catalogues in the store.
fn kept(folder: &Path) -> Vec<String> {
    let store = rusqlite::Connection::open(folder.join("covernote-data/covernote.db")).expect("the store");
    let mut read = store.prepare("select lower(hex(hash)) from catalogues").expect("a statement");
    read.query_map((), |row| row.get(0)).expect("rows").map(|hash| hash.expect("text")).collect()
}

/// Runs every command on the store that has no catalogue of its own. Returns words, exit code and output.
fn run_all(folder: &Path) -> Vec<(String, Option<i32>, String)> {
    let on_the_store = |words: &[String]| {
        let first = words[0].as_str();
        !HAVE_THEIR_OWN.contains(&first)
            && !["listen", "certify", "trigger", "openapi", "completions"].contains(&first)
    };
    let leaves = leaves().into_iter().filter(|(words, _)| on_the_store(words));
    leaves
        .map(|(words, leaf)| {
            let line = command_line(&words, &leaf);
            let ended = run(folder, &line.iter().map(String::as_str).collect::<Vec<_>>());
            (words.join(" "), ended.status.code(), stderr(&ended))
        })
        .collect()
}

/// Writes the sample with another commission and another first answer to complaints into the folder `mine`.
fn edited(folder: &Path) {
    assert_eq!(run(folder, &["catalogue", "init", "mine"]).status.code(), Some(0));
    let file = folder.join("mine/catalogue.toml");
    let text = std::fs::read_to_string(&file).expect("readable");
    assert!(text.contains("name = \""), "{text}");
    std::fs::write(&file, text.replacen("name = \"", "name = \"Mine, once ", 1)).expect("written");
}

#[test]
fn only_commands_that_serve_or_examine_a_catalogue_have_the_catalogue_flag() {
    for (words, leaf) in leaves() {
        let takes = leaf.get_arguments().any(|argument| argument.get_long() == Some("catalogue"));
        assert_eq!(takes, HAVE_THEIR_OWN.contains(&words[0].as_str()), "{words:?}");
    }
    let here = tempfile::tempdir().expect("a folder");
    let refused = run(here.path(), &["policy", "list", "--catalogue", "mine"]);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
}

#[test]
fn no_command_beside_a_server_stores_another_catalogue() {
    let here = tempfile::tempdir().expect("a folder");
    edited(here.path());
    let _server = Server::start(here.path(), &["--catalogue", "mine"]);
    let running = kept(here.path());
    assert_eq!(running.len(), 1);
    for (words, code, said) in run_all(here.path()) {
        assert_ne!(code, Some(2), "{words}: {said}");
        assert!(!said.contains("no server has run on it"), "{words}: {said}");
        assert_eq!(kept(here.path()), running, "{words}");
    }
}

#[test]
fn commands_that_need_a_catalogue_refuse_a_store_that_no_server_has_used() {
    let here = tempfile::tempdir().expect("a folder");
    assert_eq!(run(here.path(), &["partner", "create", "Lender"]).status.code(), Some(0));
    for (words, code, said) in run_all(here.path()) {
        let needs = NEED_ONE.iter().any(|first| words.starts_with(&format!("{first} ")));
        if needs && code != Some(65) {
            assert_eq!(code, Some(78), "{words}: {said}");
            assert!(said.contains("no server has run on it"), "{words}: {said}");
        }
        assert_eq!(kept(here.path()), [""; 0], "{words}");
    }
    // An advance deposit is opened as its catalogue says, so nothing may happen before.
    let store = rusqlite::Connection::open(here.path().join("covernote-data/covernote.db")).expect("it");
    let deposits: i64 = store.query_row("select count(*) from deposits", (), |row| row.get(0)).expect("read");
    assert_eq!(deposits, 0);
}

#[test]
fn a_command_uses_the_catalogue_that_a_server_loaded_last() {
    let here = tempfile::tempdir().expect("a folder");
    edited(here.path());
    drop(Server::start(here.path(), &["--catalogue", "mine"]));
    drop(Server::start(here.path(), &[]));
    let sample = run(here.path(), &["catalogue", "show", "--json"]);
    let sample: serde_json::Value = serde_json::from_str(&stdout(&sample)).expect("JSON");
    let facts = rusqlite::Connection::open(here.path().join("covernote-data/covernote.db")).expect("it");
    let running: String = facts
        .query_row("select value from facts where name = 'running_catalogue'", (), |row| row.get(0))
        .expect("remembered");
    assert_eq!(sample["hash"], running);
    assert_eq!(kept(here.path()).len(), 2);
    let listed = run(here.path(), &["deposit", "list", "--json"]);
    assert_eq!(listed.status.code(), Some(0), "{}", stderr(&listed));
}
