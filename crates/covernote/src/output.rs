//! The output of a command: data on stdout, messages for people on stderr.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::borrow::Cow;
use std::io::Write;

/// Removes the control characters of a text. Others may have written the text, and a terminal would obey
/// them.
fn plain(text: &str) -> Cow<'_, str> {
    let obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    match text.contains(obeyed) {
        true => text.replace(obeyed, "\u{fffd}").into(),
        false => text.into(),
    }
}

/// Prints data on stdout, which scripts may read.
pub(crate) fn data(text: &str) {
    // A reader that closes its pipe wants no more output.
    let _ = writeln!(std::io::stdout().lock(), "{}", plain(text));
}

/// Prints one JSON object on stdout.
pub(crate) fn json(value: &serde_json::Value) {
    data(&format!("{value:#}"));
}

/// Prints a message for a person on stderr.
pub(crate) fn message(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", plain(text));
}

/// Prints a table for a person on stdout.
pub(crate) fn table(head: &[&str], rows: Vec<Vec<String>>) {
    data(&operators::table(head, rows).join("\n"));
}
