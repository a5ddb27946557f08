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
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING).set_header(head);
    for row in rows {
        table.add_row(row);
    }
    let text = table.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    data(&lines.join("\n"));
}
