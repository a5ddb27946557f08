//! Parses `complaints.toml`: the time limit for answers to complaints (D88).

use crate::complaints::ComplaintRules;
use crate::parse::document::Document;
use crate::parse::source_files::SourceFiles;
use crate::parse::values;

const FILE: &str = "complaints.toml";

/// Parses `complaints.toml`. If it is missing, this service has no complaint register.
pub(crate) fn parse(sources: &SourceFiles<'_>) -> Option<ComplaintRules> {
    let document = sources.read(FILE).and_then(|content| Document::parse(FILE, content, sources.faults))?;
    let root = document.root(sources.faults);
    let days = root.required("answer_within_days", |value| values::whole(value, 1, 365));
    let next = root.optional("next", values::text);
    root.required("source", values::text);
    root.close();
    Some(ComplaintRules { answer_within_days: days? as u16, next })
}
