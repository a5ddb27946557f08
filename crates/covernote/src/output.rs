//! What a command says: data on stdout, everything for people on stderr.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::io::Write;

/// Data: what scripts read.
pub(crate) fn data(text: &str) {
    // A closed pipe is the reader's wish to hear no more.
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// One JSON object.
pub(crate) fn json(value: &serde_json::Value) {
    data(&format!("{value:#}"));
}

/// A word to the person at the terminal.
pub(crate) fn message(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// A table for a person, as data.
pub(crate) fn table(head: &[&str], rows: Vec<Vec<String>>) {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING).set_header(head);
    for row in rows {
        table.add_row(row);
    }
    let text = table.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    data(&lines.join("\n"));
}
