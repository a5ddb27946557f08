//! Assertions about reported faults.

use rating::{Catalogue, Files};

use crate::edit::{changed, line};

/// Loads files that must have faults. Returns each fault as a line of text.
pub(crate) fn faults(files: &Files) -> Vec<String> {
    let faults = Catalogue::load(files).expect_err("the catalogue has a fault");
    faults.iter().map(ToString::to_string).collect()
}

/// Checks that each change causes exactly one fault. In it, `@` is the changed line, and `@-2` two lines
/// before it.
pub(crate) fn each_is_reported(changes: &[(&str, &str, &str, &str)]) {
    for (path, from, to, fault) in changes {
        let fault = with_lines(fault, line(path, from));
        assert_eq!(faults(&changed(path, from, to)), [fault], "{from:?} became {to:?} in {path}");
    }
}

/// Replaces `@`, `@-2` and the like in a fault by line numbers.
fn with_lines(fault: &str, line: usize) -> String {
    let mut parts = fault.split('@');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let signed = part.starts_with(['-', '+']);
        let end = if signed {
            part[1..].find(|c: char| !c.is_ascii_digit()).map_or(part.len(), |end| 1 + end)
        } else {
            0
        };
        let offset: isize = if signed { part[..end].parse().expect("a number") } else { 0 };
        format!("{text}{}{}", line.saturating_add_signed(offset), &part[end..])
    })
}
