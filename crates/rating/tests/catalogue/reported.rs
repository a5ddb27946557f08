//! The faults that are reported of a catalogue.

use rating::{Catalogue, Files};

use crate::edit::{changed, line};

/// The faults of files, a line for each.
pub(crate) fn faults(files: &Files) -> Vec<String> {
    let faults = Catalogue::load(files).expect_err("the catalogue has a fault");
    faults.iter().map(ToString::to_string).collect()
}

/// Every change and its one fault, in which `@` stands for the line of the change and `@-2` for one before it.
pub(crate) fn each_is_reported(changes: &[(&str, &str, &str, &str)]) {
    for (path, from, to, fault) in changes {
        let fault = with_lines(fault, line(path, from));
        assert_eq!(faults(&changed(path, from, to)), [fault], "{from:?} became {to:?} in {path}");
    }
}

/// A fault with its `@` and `@-2` replaced by lines.
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
