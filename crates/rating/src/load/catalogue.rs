//! Loads a whole catalogue from its files.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::product_context::ProductContext;
use super::{
    bordereaux, cancellation, catalogue_file, claims, commission, complaints, endorsements, health_lists,
    insurer, product, references, renewals,
};
use crate::catalogue::{Catalogue, CatalogueParts};
use crate::dated_rates::LateInterest;
use crate::fault::{CatalogueFault, FaultLog};
use crate::files::{Files, hash_of};
use crate::insurer::Insurer;
use crate::parse::ids::Ids;
use crate::parse::source_files::SourceFiles;
use domain::line::LineOfBusiness;

impl Catalogue {
    /// Checks the files of a catalogue and compiles them for pricing.
    ///
    /// # Errors
    /// All faults, by file and line.
    pub fn load(files: &Files) -> Result<Catalogue, Vec<CatalogueFault>> {
        let faults = FaultLog::default();
        let parts = {
            let sources = SourceFiles::of(files, &faults);
            let parts = parse_files(&sources);
            sources.report_unused();
            parts
        };
        match (parts, faults.count()) {
            (Some(parts), 0) => Ok(Catalogue::of(parts, hash_of(&files.canonical()))),
            _ => Err(faults.into_sorted()),
        }
    }
}

/// Parses every file. If a fault was reported, the parts are incomplete.
fn parse_files(sources: &SourceFiles<'_>) -> Option<CatalogueParts> {
    let ids = Ids::default();
    let settings = catalogue_file::parse(sources);
    let health_lists = health_lists::parse(sources);
    // A missing file suffices as a fault.
    let none = Some(LateInterest::default());
    let interest = settings.as_ref().map_or(none, |settings| settings.late_interest.clone());
    let interest = interest.as_ref();
    let cancellation = cancellation::parse(sources, interest);
    let claims = claims::parse(sources, interest);
    let endorsements = endorsements::parse(sources, &cancellation.credit_notes, interest);
    let renewals = renewals::parse(sources);
    let commission = commission::parse(sources);
    let bordereaux = bordereaux::parse(sources);
    let complaints = complaints::parse(sources);
    let zones = RefCell::default();
    let mut insurers = Vec::new();
    let mut products = Vec::new();
    for folder in insurer_folders(sources.files) {
        let insurer = parse_insurer(&folder, sources, &ids);
        insurers.extend(insurer.clone());
        let context = ProductContext {
            sources,
            ids: &ids,
            taxes: settings.as_ref().map(|settings| &settings.taxes),
            health_lists: &health_lists,
            cancellation: &cancellation.rules,
            claims: &claims,
            endorsements: &endorsements,
            renewals: &renewals,
            zones: &zones,
            insurer,
        };
        let own = format!("{folder}insurer.toml");
        let in_folder = |path: &&str| path.starts_with(&folder) && path.ends_with(".toml") && **path != own;
        let here = |path: &&str| !path.strip_prefix(&folder).unwrap_or_default().contains('/');
        let first = products.len();
        for path in sources.files.paths().filter(in_folder).filter(here) {
            products.push((path, product::parse(path, &context)));
        }
        if products[first..].iter().any(|(_, parsed)| parsed.line == Some(LineOfBusiness::Health)) {
            check_health_insurer(&own, context.insurer.as_deref(), sources);
        }
    }
    let settings = settings?;
    references::check(&settings, &products, sources);
    // Insurers and products with faults are missing here. Their own faults suffice.
    if sources.faults.count() == 0 && !products.is_empty() {
        let known = products.iter().filter_map(|(_, parsed)| parsed.product.as_ref());
        commission.check(&known.map(|product| product.id).collect(), sources);
        bordereaux.check(&insurers.iter().map(|insurer: &Arc<Insurer>| insurer.id).collect(), sources);
    }
    let mut parts = CatalogueParts {
        name: settings.name?,
        quote_validity_days: settings.quote_validity_days,
        taxes: settings.taxes,
        insurers,
        products: Vec::new(),
        credit_variants: Vec::new(),
        health_variants: Vec::new(),
        ranking_weights: settings.ranking_weights,
        filter_tags: health_lists.filter_tags?,
        illnesses: health_lists.illnesses?,
        cancellation_rules: cancellation.all(),
        commission: commission.terms,
        bordereaux: bordereaux.bordereaux.completed(),
        complaints,
        assortments: BTreeMap::new(),
    };
    for (_, parsed) in products {
        parts.products.extend(parsed.product);
        parts.credit_variants.extend(parsed.credit_variants);
        parts.health_variants.extend(parsed.health_variants);
    }
    // Products with faults are missing here. Their own faults suffice.
    let nothing = parts.credit_variants.is_empty() && parts.health_variants.is_empty();
    if nothing && sources.faults.count() == 0 {
        let message = "The catalogue has no variant to sell: no folder under insurers/ holds a product.";
        sources.faults.report("insurers", None, message);
    }
    for assortment in settings.assortments {
        parts.assortments.insert(assortment.partner, assortment.variants.iter().map(|(id, _)| *id).collect());
    }
    Some(parts)
}

/// Reports facts that the insurer's file lacks, although the ranking of health offers needs them.
fn check_health_insurer(path: &str, insurer: Option<&Insurer>, sources: &SourceFiles<'_>) {
    let Some(insurer) = insurer else { return };
    let missing = |key: &str| {
        sources.faults.report(
            path,
            None,
            format!("`{key}` is missing: an insurer with a health product needs it."),
        );
    };
    if insurer.network_hospitals.is_none() {
        missing("network_hospitals");
    }
    if insurer.claim_settlement_ratio.is_none() {
        missing("claim_settlement_ratio");
    }
}

/// Paths of the insurers' folders, each with a slash at the end.
fn insurer_folders(files: &Files) -> BTreeSet<String> {
    let folder = |path: &str| {
        let (name, _) = path.strip_prefix("insurers/")?.split_once('/')?;
        Some(format!("insurers/{name}/"))
    };
    files.paths().filter(|path| path.ends_with(".toml")).filter_map(folder).collect()
}

/// Parses the `insurer.toml` of a folder. Reports it if the file is missing.
fn parse_insurer(folder: &str, sources: &SourceFiles<'_>, ids: &Ids) -> Option<Arc<Insurer>> {
    let path = format!("{folder}insurer.toml");
    if sources.files.get(&path).is_none() {
        sources.faults.report(
            &path,
            None,
            "The file is missing: it must describe the insurer of the products in this folder.",
        );
    }
    insurer::parse(&path, sources, ids)
}
