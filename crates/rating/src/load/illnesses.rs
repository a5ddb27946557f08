//! Reading the `[illnesses]` of a health product: which cost more, and which are refused.

use super::document::Section;
use super::price::HIGHEST_LOADING;
use super::read;
use super::shelf::Shelf;
use super::vocabulary::{ILLNESSES, Vocabulary};
use crate::illnesses::{IllnessTerm, IllnessTerms, OTHER};

/// What a product says of illnesses. `None` when a fault was noted. A product without the section asks nothing for any.
pub(crate) fn read(root: &Section<'_>, vocabulary: &Vocabulary, shelf: &Shelf<'_>) -> Option<IllnessTerms> {
    if !root.has("illnesses") {
        return Some(IllnessTerms::default());
    }
    let section = root.section("illnesses")?;
    let noted = shelf.faults.count();
    let most_percent = section.optional("most_percent", |value| read::percent(value, HIGHEST_LOADING));
    let known = vocabulary.illnesses.clone();
    let is_known = |id: &str| known.as_ref().is_none_or(|known| known.iter().any(|illness| illness.id == id));
    let unknown = |id: &str| format!("names \"{id}\", which {ILLNESSES} does not have");
    let refused = section.distinct("refused", |value| {
        let id = read::text(value)?;
        if is_known(&id) { Ok(id) } else { Err(unknown(&id)) }
    });
    let refused = refused.unwrap_or_default();
    let loadings = section.section("loading_percent");
    let loadings =
        loadings.map(|section| section.entries(|value| read::percent_or_zero(value, HIGHEST_LOADING)));
    let loadings = loadings.unwrap_or_default();
    let fault = |line: Option<usize>, message: String| shelf.faults.note(root.file(), line, message);
    for (id, _, line) in loadings.iter().filter(|(id, ..)| !is_known(id)) {
        fault(Some(*line), format!("`loading_percent` {}.", unknown(id)));
    }
    for (id, _, line) in loadings.iter().filter(|(id, ..)| refused.iter().any(|refused| refused == id)) {
        fault(Some(*line), format!("\"{id}\" is refused: it cannot have a loading."));
    }
    let term = |id: &str| {
        let loaded = loadings.iter().find(|(loaded, ..)| *loaded == id);
        let refused = refused.iter().any(|refused| refused == id).then_some(IllnessTerm::Refused);
        refused.or(loaded.map(|(_, percent, _)| IllnessTerm::Loaded(*percent)))
    };
    let Some(other) = term(OTHER) else {
        let message = "`loading_percent` needs an `other`, for every illness that is not named: 0 where it costs nothing.";
        section.fault("loading_percent", message);
        return None;
    };
    section.close();
    let known = known?;
    let terms = known.iter().map(|illness| term(&illness.id).unwrap_or(other)).collect();
    (shelf.faults.count() == noted).then_some(IllnessTerms { known, terms, most_percent })
}
