//! Reading the `[illnesses]` of a health product: which cost more, and which are refused.

use super::health_lists::{ILLNESSES, Vocabulary};
use crate::adjustment_kind::HIGHEST_LOADING;
use crate::illness_terms::{IllnessTerm, IllnessTerms, OTHER};
use crate::parse::document::Section;
use crate::parse::source_files::Shelf;
use crate::parse::values;

/// What a product says of illnesses. `None` when a fault was noted. A product without the section asks nothing for any.
pub(crate) fn read(root: &Section<'_>, vocabulary: &Vocabulary, shelf: &Shelf<'_>) -> Option<IllnessTerms> {
    if !root.has("illnesses") {
        return Some(IllnessTerms::default());
    }
    let section = root.section("illnesses")?;
    let noted = shelf.faults.count();
    let known = vocabulary.illnesses.as_deref().unwrap_or_default();
    // Without a list of illnesses every name would be told as unknown: one fault tells enough.
    let is_known = |id: &str| known.is_empty() || known.iter().any(|illness| illness.id == id);
    let unknown = |id: &str| format!("names \"{id}\", which {ILLNESSES} does not have");
    let most_percent = section.optional("most_percent", |value| values::percent(value, HIGHEST_LOADING));
    let refused = section.distinct("refused", |value| {
        let id = values::text(value)?;
        if is_known(&id) { Ok(id) } else { Err(unknown(&id)) }
    });
    let refused = refused.unwrap_or_default();
    let is_refused = |id: &str| refused.iter().any(|refused| refused == id);
    let loadings = section.section("loading_percent");
    let loadings =
        loadings.map(|section| section.entries(|value| values::percent_or_zero(value, HIGHEST_LOADING)));
    let loadings = loadings.unwrap_or_default();
    let place = section.line_of("loading_percent");
    section.close();
    let fault = |line: Option<usize>, message: String| shelf.faults.note(root.file(), line, message);
    for (id, _, line) in &loadings {
        // That the list lacks the other one is told where it is read.
        if !is_known(id) && *id != OTHER {
            fault(Some(*line), format!("`loading_percent` {}.", unknown(id)));
        }
        if is_refused(id) {
            fault(Some(*line), format!("\"{id}\" is refused: it cannot have a loading."));
        }
    }
    let term = |id: &str| {
        let loaded = loadings.iter().find(|(loaded, ..)| *loaded == id);
        let loaded = loaded.map(|(_, percent, _)| IllnessTerm::Loaded(*percent));
        is_refused(id).then_some(IllnessTerm::Refused).or(loaded)
    };
    let other = term(OTHER);
    if other.is_none() && shelf.faults.count() == noted {
        let message = "`loading_percent` needs an `other`, for every illness that is not named: 0 where it costs nothing.";
        fault(place, message.to_owned());
    }
    let known = vocabulary.illnesses.clone()?;
    if known.is_empty() {
        shelf.faults.note(
            ILLNESSES,
            None,
            "The file is missing or empty: products name the illnesses in it.",
        );
    }
    let other = other?;
    let terms = known.iter().map(|illness| term(&illness.id).unwrap_or(other)).collect();
    (shelf.faults.count() == noted).then_some(IllnessTerms { known, terms, most_percent })
}
