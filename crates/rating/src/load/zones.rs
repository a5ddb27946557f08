//! Reading `zones.csv`: prefixes of pincodes and their zones.

use crate::parse::source_files::{Shelf, beside};
use crate::parse::table::Sheet;
use crate::zones::Zones;

/// The file, at the top of a catalogue or in the folder of an insurer.
const FILE: &str = "zones.csv";
/// Digits of a pincode.
const LONGEST_PREFIX: usize = 6;
/// Longest name of a zone, in characters.
const LONGEST_NAME: usize = 40;

/// The path of the zones that hold for a product's file: those of its insurer where it has some.
pub(crate) fn path(product: &str, shelf: &Shelf<'_>) -> String {
    let own = beside(product, FILE);
    if shelf.files.get(&own).is_some() { own } else { FILE.to_owned() }
}

/// Reads zones. `None` when a fault was noted.
pub(crate) fn read(path: &str, shelf: &Shelf<'_>) -> Option<Zones> {
    let Some(content) = shelf.take(path) else {
        let message = "The file is missing: what health products cost goes by zone. One row of * and a name makes all of India one zone.";
        shelf.faults.note(path, None, message);
        return None;
    };
    let sheet = Sheet::parse(path, content, shelf.faults)?;
    let fault = |line: usize, message: String| shelf.faults.note(path, Some(line), message);
    if sheet.header.cells != ["prefix", "zone"] {
        fault(sheet.header.line, "The first line must be prefix,zone.".to_owned());
        return None;
    }
    let noted = shelf.faults.count();
    let mut rows: Vec<(String, String)> = Vec::new();
    for row in &sheet.rows {
        let [prefix, zone] = row.cells.as_slice() else { continue };
        if prefix != "*" && !is_prefix(prefix) {
            fault(
                row.line,
                "`prefix` must be 1 to 6 digits, the first not 0, or * for every other.".to_owned(),
            );
        }
        if zone.is_empty() || zone.chars().count() > LONGEST_NAME || zone.chars().any(char::is_control) {
            fault(row.line, format!("`zone` must be a name of 1 to {LONGEST_NAME} characters."));
        }
        if rows.iter().any(|(known, _)| known == prefix) {
            fault(row.line, format!("`prefix` {prefix} is there already."));
        }
        rows.push((prefix.clone(), zone.clone()));
    }
    if shelf.faults.count() > noted {
        return None;
    }
    let zones = Zones::of(rows);
    let left_out = zones.left_out();
    if !left_out.is_empty() {
        let message = format!(
            "Pincodes beginning with {} have no zone; a row of * is for every other pincode.",
            left_out.join(", ")
        );
        fault(sheet.header.line, message);
        return None;
    }
    Some(zones)
}

/// Whether some pincode begins so.
fn is_prefix(text: &str) -> bool {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits && (1..=LONGEST_PREFIX).contains(&text.len()) && !text.starts_with('0')
}
