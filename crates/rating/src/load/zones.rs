//! Parses `zones.csv`, the zones of pincodes.

use crate::parse::source_files::{SourceFiles, sibling};
use crate::parse::table::Table;
use crate::zones::Zones;

/// Name of the file with zones, in the catalogue's root folder or an insurer's folder.
const FILE: &str = "zones.csv";
/// Number of digits in a pincode.
const LONGEST_PREFIX: usize = 6;
/// Longest name of a zone, in characters.
const LONGEST_NAME: usize = 40;

/// Path of the zones for a product: the file of its insurer, otherwise the file of the whole catalogue.
/// `product` is the path of the product's file.
pub(crate) fn path(product: &str, sources: &SourceFiles<'_>) -> String {
    let own = sibling(product, FILE);
    if sources.files.get(&own).is_some() { own } else { FILE.to_owned() }
}

/// Parses a file of zones. `None` after a reported fault.
pub(crate) fn parse(path: &str, sources: &SourceFiles<'_>) -> Option<Zones> {
    let Some(content) = sources.read(path) else {
        let message = "The file is missing: prices of health products depend on the zone. For a single zone, write one row with * and a name.";
        sources.faults.report(path, None, message);
        return None;
    };
    let table = Table::parse(path, content, sources.faults)?;
    let report = |line: usize, message: String| sources.faults.report(path, Some(line), message);
    if table.header.cells != ["prefix", "zone"] {
        report(table.header.line, "The first line must be prefix,zone.".to_owned());
        return None;
    }
    let faults_before = sources.faults.count();
    let mut rows: Vec<(String, String)> = Vec::new();
    for row in &table.rows {
        let [prefix, zone] = row.cells.as_slice() else { continue };
        if prefix != "*" && !is_prefix(prefix) {
            report(
                row.line,
                "`prefix` must be 1 to 6 digits, the first not 0, or * for all other pincodes.".to_owned(),
            );
        }
        if zone.is_empty() || zone.chars().count() > LONGEST_NAME || zone.chars().any(char::is_control) {
            report(row.line, format!("`zone` must be a name of 1 to {LONGEST_NAME} characters."));
        }
        if rows.iter().any(|(known, _)| known == prefix) {
            report(row.line, format!("`prefix` {prefix} is already used."));
        }
        rows.push((prefix.clone(), zone.clone()));
    }
    if sources.faults.count() > faults_before {
        return None;
    }
    let zones = Zones::of(rows);
    let missing = zones.missing_prefixes();
    if !missing.is_empty() {
        let message = format!(
            "Pincodes that begin with {} have no zone. Add a row with * for all other pincodes.",
            missing.join(", ")
        );
        report(table.header.line, message);
        return None;
    }
    Some(zones)
}

/// Whether a pincode can begin with `text`.
fn is_prefix(text: &str) -> bool {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits && (1..=LONGEST_PREFIX).contains(&text.len()) && !text.starts_with('0')
}
