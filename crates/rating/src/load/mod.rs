//! Loading: a folder's files are judged whole, with every fault told, and compiled for pricing.

pub(crate) mod credit_life;
pub(crate) mod document;
pub(crate) mod ids;
pub(crate) mod insurer;
pub(crate) mod limits;
pub(crate) mod product;
pub(crate) mod read;
pub(crate) mod sheet;
pub(crate) mod shelf;
pub(crate) mod terms;

use std::collections::{BTreeMap, BTreeSet};

use aws_lc_rs::digest;
use domain::id::VariantId;
use domain::quote::CatalogueHash;
use domain::ranking::Weights;

use crate::catalogue::{Catalogue, Parts};
use crate::fault::{CatalogueFault, Faults};
use crate::files::Files;
use ids::Ids;
use product::{ProductContext, ProductRead};
use shelf::Shelf;
use terms::Terms;

/// Loads a catalogue.
pub(crate) fn load(files: &Files) -> Result<Catalogue, Vec<CatalogueFault>> {
    let faults = Faults::default();
    let parts = {
        let shelf = Shelf::of(files, &faults);
        let parts = read_all(&shelf);
        shelf.judge_unused();
        parts
    };
    match (parts, faults.count()) {
        (Some(parts), 0) => Ok(Catalogue::of(parts, hash(files))),
        _ => Err(faults.into_sorted()),
    }
}

/// The hash of the files in canonical form.
fn hash(files: &Files) -> CatalogueHash {
    let digest = digest::digest(&digest::SHA256, &files.canonical());
    let mut bytes = [0; 32];
    bytes.copy_from_slice(digest.as_ref());
    CatalogueHash(bytes)
}

/// Reads every file. The parts are whole only where no fault was noted.
fn read_all(shelf: &Shelf<'_>) -> Option<Parts> {
    let ids = Ids::default();
    let terms = terms::read(shelf);
    let context = ProductContext { shelf, ids: &ids, taxes: terms.as_ref().map(|terms| &terms.taxes) };
    let mut insurers = Vec::new();
    let mut products = Vec::new();
    for folder in insurer_folders(shelf.files) {
        let insurer = read_insurer(&folder, shelf, &ids);
        insurers.extend(insurer.clone());
        let own = format!("{folder}insurer.toml");
        let in_folder = |path: &&str| path.starts_with(&folder) && path.ends_with(".toml") && **path != own;
        let here = |path: &&str| !path.strip_prefix(&folder).unwrap_or_default().contains('/');
        for path in shelf.files.paths().filter(in_folder).filter(here) {
            products.push((path, product::read(path, insurer.clone(), &context)));
        }
    }
    let terms = terms?;
    judge_references(&terms, &products, shelf);
    let mut parts = Parts {
        name: terms.name?,
        quote_validity_days: terms.quote_validity_days,
        taxes: terms.taxes,
        insurers,
        products: Vec::new(),
        credit_variants: Vec::new(),
        health_variants: Vec::new(),
        ranking_weights: Weights::of([1; 5]).expect("not all zero"),
        filter_tags: Vec::new(),
        illnesses: Vec::new(),
        assortments: BTreeMap::new(),
    };
    for (_, read) in products {
        parts.products.extend(read.product);
        parts.credit_variants.extend(read.credit_variants);
    }
    // Where products have faults of their own, those say enough.
    if parts.credit_variants.is_empty() && shelf.faults.count() == 0 {
        let message = "The catalogue has no variant to sell: no folder under insurers/ holds a product.";
        shelf.faults.note("insurers", None, message);
    }
    for assortment in terms.assortments {
        parts.assortments.insert(assortment.partner, assortment.variants.iter().map(|(id, _)| *id).collect());
    }
    Some(parts)
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
fn read_insurer(
    folder: &str,
    shelf: &Shelf<'_>,
    ids: &Ids,
) -> Option<std::sync::Arc<crate::insurer::Insurer>> {
    let path = format!("{folder}insurer.toml");
    if shelf.files.get(&path).is_none() {
        shelf.faults.note(&path, None, "The file is missing; it says whose products lie in this folder.");
    }
    insurer::read(&path, shelf, ids)
}

/// Notes what refers to something that is not there: variants in assortments, and lines of business without tax.
fn judge_references(terms: &Terms, products: &[(&str, ProductRead)], shelf: &Shelf<'_>) {
    for (path, read) in products {
        let untaxed = read.product.as_ref().filter(|product| !terms.taxes.contains_key(&product.line));
        if let Some(product) = untaxed.filter(|_| !terms.taxes_have_faults) {
            shelf.faults.note(path, None, format!("{} has no [[tax]] for {}.", terms::FILE, product.line));
        }
    }
    // Where a file could not be read, its variants would be told as unknown though they are not.
    let known: Option<BTreeSet<VariantId>> =
        products.iter().try_fold(BTreeSet::new(), |mut known, (_, read)| {
            known.extend(read.variant_ids.as_ref()?);
            Some(known)
        });
    let Some(known) = known else { return };
    let named = terms.assortments.iter().flat_map(|assortment| &assortment.variants);
    for (variant, line) in named.filter(|(variant, _)| !known.contains(variant)) {
        shelf.faults.note(terms::FILE, Some(*line), format!("No product has a variant {variant}."));
    }
}
