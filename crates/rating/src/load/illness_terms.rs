//! Parses the `[illnesses]` section of a health product.

use super::health_lists::{HealthLists, ILLNESSES};
use crate::adjustment_kind::HIGHEST_LOADING;
use crate::illness_terms::{IllnessTerm, IllnessTerms, OTHER};
use crate::parse::document::Section;
use crate::parse::source_files::SourceFiles;
use crate::parse::values;

/// Parses the illness terms of a product. `None` after a reported fault. If the section is missing, no
/// illness has a loading.
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
    // Without a list of illnesses, every id would be unknown. One fault suffices.
    let is_known = |id: &str| known.is_empty() || known.iter().any(|illness| illness.id == id);
    let unknown = |id: &str| format!("names \"{id}\", which is not in {ILLNESSES}");
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
        // The parser of the list reports a missing `other`.
        if !is_known(id) && *id != OTHER {
            report(Some(*line), format!("`loading_percent` {}.", unknown(id)));
        }
        if is_refused(id) {
            report(Some(*line), format!("\"{id}\" must not have a loading: `refused` lists it."));
        }
    }
    let term = |id: &str| {
        let loaded = loadings.iter().find(|(loaded, ..)| *loaded == id);
        let loaded = loaded.map(|(_, percent, _)| IllnessTerm::Loaded(*percent));
        is_refused(id).then_some(IllnessTerm::Refused).or(loaded)
    };
    let other = term(OTHER);
    if other.is_none() && sources.faults.count() == faults_before {
        let message =
            "`loading_percent` needs `other`, for every illness that it does not name. Use 0 for no loading.";
        report(loadings_line, message.to_owned());
    }
    let known = health_lists.illnesses.clone()?;
    if known.is_empty() {
        sources.faults.report(
            ILLNESSES,
            None,
            "The file is missing or empty, but products refer to its illnesses.",
        );
    }
    let other = other?;
    let terms = known.iter().map(|illness| term(&illness.id).unwrap_or(other)).collect();
    (sources.faults.count() == faults_before).then_some(IllnessTerms { known, terms, most_percent })
}
