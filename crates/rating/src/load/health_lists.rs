//! Parses the lists that health products share: filter tags, illnesses.

use std::sync::Arc;

use domain::language::Text;

use crate::filter_tag::FilterTag;
use crate::illness::Illness;
use crate::illness_terms::OTHER;
use crate::parse::document::{Document, Section};
use crate::parse::source_files::SourceFiles;
use crate::parse::texts;
use crate::parse::values;

pub(crate) const FILTER_TAGS: &str = "filter_tags.toml";
pub(crate) const ILLNESSES: &str = "illnesses.toml";

/// Both lists. A list is `None` if its file has faults, and empty if its file is missing.
pub(crate) struct HealthLists {
    pub(crate) filter_tags: Option<Vec<FilterTag>>,
    pub(crate) illnesses: Option<Arc<[Illness]>>,
}

pub(crate) fn parse(sources: &SourceFiles<'_>) -> HealthLists {
    let tags = parse_file(FILTER_TAGS, "tag", sources);
    let illnesses = parse_file(ILLNESSES, "illness", sources);
    if let Some(illnesses) = illnesses.as_ref().filter(|illnesses| !illnesses.is_empty())
        && !illnesses.iter().any(|entry| entry.id == OTHER)
    {
        let message = format!(
            "An [[illness]] with the id \"{OTHER}\" is missing: it stands for every illness that is not listed."
        );
        sources.faults.report(ILLNESSES, None, message);
    }
    let illness = |Entry { id, name }| Illness { id, name };
    let tag = |Entry { id, name }| FilterTag { id, name };
    HealthLists {
        filter_tags: tags.map(|tags| tags.into_iter().map(tag).collect()),
        illnesses: illnesses.map(|illnesses| illnesses.into_iter().map(illness).collect()),
    }
}

struct Entry {
    id: String,
    name: Text,
}

/// Parses the list of a file. `None` after a reported fault. An empty list if the file is missing.
fn parse_file(path: &'static str, key: &'static str, sources: &SourceFiles<'_>) -> Option<Vec<Entry>> {
    let Some(content) = sources.read(path) else { return Some(Vec::new()) };
    let document = Document::parse(path, content, sources.faults)?;
    let faults_before = sources.faults.count();
    let root = document.root(sources.faults);
    let mut entries: Vec<Entry> = Vec::new();
    for section in root.sections(key) {
        if let Some(entry) = parse_entry(&section) {
            if entries.iter().any(|known| known.id == entry.id) {
                let id = &entry.id;
                section.report("id", format!("`id` must be unique: \"{id}\" is already used."));
            }
            entries.push(entry);
        }
        section.close();
    }
    root.close();
    (sources.faults.count() == faults_before).then_some(entries)
}

fn parse_entry(section: &Section<'_>) -> Option<Entry> {
    let (id, name) = (section.required("id", values::name), texts::required(section, "name"));
    Some(Entry { id: id?, name: name? })
}
