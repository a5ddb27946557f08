//! The output of a command: data on stdout, messages for people on stderr.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::io::Write;

/// Prints data, which scripts read.
pub(crate) fn data(text: &str) {
    // A reader that closes its pipe wants no more output.
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Prints one JSON object.
pub(crate) fn json(value: &serde_json::Value) {
    data(&format!("{value:#}"));
}

/// Prints a message for a person.
pub(crate) fn message(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Prints a table for a person, as data.
pub(crate) fn table(head: &[&str], rows: Vec<Vec<String>>) {
    data(&operators::table(head, rows).join("\n"));
}
