//! Loading a whole catalogue from its files.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::product_context::ProductContext;
use super::{catalogue_file, health_lists, insurer, product, references};
use crate::catalogue::{Catalogue, Parts};
use crate::fault::{CatalogueFault, Faults};
use crate::files::{Files, hash_of};
use crate::insurer::Insurer;
use crate::line_of_business::Line;
use crate::parse::ids::Ids;
use crate::parse::source_files::Shelf;

impl Catalogue {
    /// Checks the files of a catalogue and compiles them for pricing.
    ///
    /// # Errors
    /// Every fault there is, in the order of files and lines.
    pub fn load(files: &Files) -> Result<Catalogue, Vec<CatalogueFault>> {
        let faults = Faults::default();
        let parts = {
            let shelf = Shelf::of(files, &faults);
            let parts = read_all(&shelf);
            shelf.judge_unused();
            parts
        };
        match (parts, faults.count()) {
            (Some(parts), 0) => Ok(Catalogue::of(parts, hash_of(&files.canonical()))),
            _ => Err(faults.into_sorted()),
        }
    }
}

/// Reads every file. The parts are whole only where no fault was noted.
fn read_all(shelf: &Shelf<'_>) -> Option<Parts> {
    let ids = Ids::default();
    let terms = catalogue_file::read(shelf);
    let vocabulary = health_lists::read(shelf);
    let zones = RefCell::default();
    let mut insurers = Vec::new();
    let mut products = Vec::new();
    for folder in insurer_folders(shelf.files) {
        let insurer = read_insurer(&folder, shelf, &ids);
        insurers.extend(insurer.clone());
        let context = ProductContext {
            shelf,
            ids: &ids,
            taxes: terms.as_ref().map(|terms| &terms.taxes),
            vocabulary: &vocabulary,
            zones: &zones,
            insurer,
        };
        let own = format!("{folder}insurer.toml");
        let in_folder = |path: &&str| path.starts_with(&folder) && path.ends_with(".toml") && **path != own;
        let here = |path: &&str| !path.strip_prefix(&folder).unwrap_or_default().contains('/');
        let first = products.len();
        for path in shelf.files.paths().filter(in_folder).filter(here) {
            products.push((path, product::read(path, &context)));
        }
        if products[first..].iter().any(|(_, read)| read.line == Some(Line::Health)) {
            judge_health_insurer(&own, context.insurer.as_deref(), shelf);
        }
    }
    let terms = terms?;
    references::judge(&terms, &products, shelf);
    let mut parts = Parts {
        name: terms.name?,
        quote_validity_days: terms.quote_validity_days,
        taxes: terms.taxes,
        insurers,
        products: Vec::new(),
        credit_variants: Vec::new(),
        health_variants: Vec::new(),
        ranking_weights: terms.ranking_weights,
        filter_tags: vocabulary.filter_tags?,
        illnesses: vocabulary.illnesses?,
        assortments: BTreeMap::new(),
    };
    for (_, read) in products {
        parts.products.extend(read.product);
        parts.credit_variants.extend(read.credit_variants);
        parts.health_variants.extend(read.health_variants);
    }
    // Where products have faults of their own, those say enough.
    let nothing = parts.credit_variants.is_empty() && parts.health_variants.is_empty();
    if nothing && shelf.faults.count() == 0 {
        let message = "The catalogue has no variant to sell: no folder under insurers/ holds a product.";
        shelf.faults.note("insurers", None, message);
    }
    for assortment in terms.assortments {
        parts.assortments.insert(assortment.partner, assortment.variants.iter().map(|(id, _)| *id).collect());
    }
    Some(parts)
}

/// Notes what health offers are ranked by and an insurer with a health product does not say.
fn judge_health_insurer(path: &str, insurer: Option<&Insurer>, shelf: &Shelf<'_>) {
    let Some(insurer) = insurer else { return };
    let missing = |key: &str| {
        shelf.faults.note(path, None, format!("`{key}` is missing: the insurer has a health product."));
    };
    if insurer.network_hospitals.is_none() {
        missing("network_hospitals");
    }
    if insurer.claim_settlement_ratio.is_none() {
        missing("claim_settlement_ratio");
    }
}

/// The folders of insurers, each with a slash at its end.
fn insurer_folders(files: &Files) -> BTreeSet<String> {
    let folder = |path: &str| {
        let (name, _) = path.strip_prefix("insurers/")?.split_once('/')?;
        Some(format!("insurers/{name}/"))
    };
    files.paths().filter(|path| path.ends_with(".toml")).filter_map(folder).collect()
}

/// Reads the insurer of a folder. A missing file is noted.
fn read_insurer(folder: &str, shelf: &Shelf<'_>, ids: &Ids) -> Option<Arc<Insurer>> {
    let path = format!("{folder}insurer.toml");
    if shelf.files.get(&path).is_none() {
        shelf.faults.note(&path, None, "The file is missing; it says whose products lie in this folder.");
    }
    insurer::read(&path, shelf, ids)
}
