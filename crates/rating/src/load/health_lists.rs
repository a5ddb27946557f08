//! Reading `filter_tags.toml` and `illnesses.toml`: the words that health products and requests name.

use std::sync::Arc;

use domain::language::Text;

use crate::filter_tag::FilterTag;
use crate::illness::Illness;
use crate::illness_terms::OTHER;
use crate::parse::document::{Document, Section};
use crate::parse::source_files::Shelf;
use crate::parse::texts;
use crate::parse::values;

/// The file of filter tags.
pub(crate) const FILTER_TAGS: &str = "filter_tags.toml";
/// The file of illnesses.
pub(crate) const ILLNESSES: &str = "illnesses.toml";

/// The words that were read. `None` for a file with faults; empty for one that is not there.
pub(crate) struct Vocabulary {
    pub(crate) filter_tags: Option<Vec<FilterTag>>,
    pub(crate) illnesses: Option<Arc<[Illness]>>,
}

/// Reads both files.
pub(crate) fn read(shelf: &Shelf<'_>) -> Vocabulary {
    let tags = read_file(FILTER_TAGS, "tag", shelf);
    let illnesses = read_file(ILLNESSES, "illness", shelf);
    if let Some(illnesses) = illnesses.as_ref().filter(|illnesses| !illnesses.is_empty())
        && !illnesses.iter().any(|word| word.id == OTHER)
    {
        let message =
            format!("No [[illness]] has the id \"{OTHER}\": it stands for every illness that is not listed.");
        shelf.faults.note(ILLNESSES, None, message);
    }
    let illness = |Word { id, name }| Illness { id, name };
    let tag = |Word { id, name }| FilterTag { id, name };
    Vocabulary {
        filter_tags: tags.map(|tags| tags.into_iter().map(tag).collect()),
        illnesses: illnesses.map(|illnesses| illnesses.into_iter().map(illness).collect()),
    }
}

/// A word that was read.
struct Word {
    id: String,
    name: Text,
}

/// The words of a file, where it is there.
fn read_file(path: &'static str, key: &'static str, shelf: &Shelf<'_>) -> Option<Vec<Word>> {
    let Some(content) = shelf.take(path) else { return Some(Vec::new()) };
    let document = Document::parse(path, content, shelf.faults)?;
    let noted = shelf.faults.count();
    let root = document.root(shelf.faults);
    let mut words: Vec<Word> = Vec::new();
    for section in root.sections(key) {
        if let Some(word) = read_word(&section) {
            if words.iter().any(|known| known.id == word.id) {
                let id = &word.id;
                section.fault("id", format!("`id` must be one of its own: \"{id}\" is there already."));
            }
            words.push(word);
        }
        section.close();
    }
    root.close();
    (shelf.faults.count() == noted).then_some(words)
}

fn read_word(section: &Section<'_>) -> Option<Word> {
    let (id, name) = (section.required("id", values::name), texts::required(section, "name"));
    Some(Word { id: id?, name: name? })
}
