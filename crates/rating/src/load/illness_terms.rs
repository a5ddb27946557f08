//! Parsing the `[illnesses]` section of a health product.

use super::health_lists::{HealthLists, ILLNESSES};
use crate::adjustment_kind::HIGHEST_LOADING;
use crate::illness_terms::{IllnessTerm, IllnessTerms, OTHER};
use crate::parse::document::Section;
use crate::parse::source_files::SourceFiles;
use crate::parse::values;

/// The illness terms of a product. `None` when a fault was reported. Without the section no illness costs more.
pub(crate) fn parse(
    root: &Section<'_>,
    health_lists: &HealthLists,
    sources: &SourceFiles<'_>,
) -> Option<IllnessTerms> {
    if !root.has("illnesses") {
        return Some(IllnessTerms::default());
    }
    let section = root.section("illnesses")?;
    let faults_before = sources.faults.count();
    let known = health_lists.illnesses.as_deref().unwrap_or_default();
    // Without a list of illnesses every id would be unknown. One fault is enough then.
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
    let loadings_line = section.line_of("loading_percent");
    section.close();
    let report = |line: Option<usize>, message: String| sources.faults.report(root.file(), line, message);
    for (id, _, line) in &loadings {
        // The parser of the list reports that `other` is missing.
        if !is_known(id) && *id != OTHER {
            report(Some(*line), format!("`loading_percent` {}.", unknown(id)));
        }
        if is_refused(id) {
            report(Some(*line), format!("\"{id}\" is refused: it cannot have a loading."));
        }
    }
    let term = |id: &str| {
        let loaded = loadings.iter().find(|(loaded, ..)| *loaded == id);
        let loaded = loaded.map(|(_, percent, _)| IllnessTerm::Loaded(*percent));
        is_refused(id).then_some(IllnessTerm::Refused).or(loaded)
    };
    let other = term(OTHER);
    if other.is_none() && sources.faults.count() == faults_before {
        let message = "`loading_percent` needs an `other`, for every illness that is not named: 0 where it costs nothing.";
        report(loadings_line, message.to_owned());
    }
    let known = health_lists.illnesses.clone()?;
    if known.is_empty() {
        sources.faults.report(
            ILLNESSES,
            None,
            "The file is missing or empty: products name the illnesses in it.",
        );
    }
    let other = other?;
    let terms = known.iter().map(|illness| term(&illness.id).unwrap_or(other)).collect();
    (sources.faults.count() == faults_before).then_some(IllnessTerms { known, terms, most_percent })
}
