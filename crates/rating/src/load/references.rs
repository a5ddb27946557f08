//! Checks the references from one file to another.

use std::collections::BTreeMap;

use domain::id::{InsurerId, VariantId};

use super::catalogue_file::{self, CatalogueSettings};
use super::parsed_product::ParsedProduct;
use crate::parse::source_files::{SourceFiles, sibling};
use crate::premium_terms::{DepositTerms, PremiumTerms};
use domain::line::LineOfBusiness;

/// Path of a product's file, with the parsed product.
type ProductFile<'r> = (&'r str, ParsedProduct);

/// Reports everything that is referred to but missing.
pub(crate) fn check(settings: &CatalogueSettings, products: &[ProductFile<'_>], sources: &SourceFiles<'_>) {
    check_taxes(settings, products, sources);
    check_ranking(settings, products, sources);
    check_deposits(products, sources);
    // Variants of a file with an invalid id are missing here. Do not report them as unknown.
    let Some(known) = known_variants(products) else { return };
    let named = settings.assortments.iter().flat_map(|assortment| &assortment.variants);
    for (variant, line) in named.filter(|(variant, _)| !known.contains_key(variant)) {
        sources.faults.report(
            catalogue_file::FILE,
            Some(*line),
            format!("No product has a variant {variant}."),
        );
    }
    check_parents(products, &known, sources);
}

/// Reports products whose class of cover has no `[[tax]]`.
fn check_taxes(settings: &CatalogueSettings, products: &[ProductFile<'_>], sources: &SourceFiles<'_>) {
    for (path, parsed) in products {
        let untaxed =
            parsed.product.as_ref().filter(|product| !settings.taxes.contains_key(&product.tax_class()));
        if let Some(product) = untaxed.filter(|_| !settings.taxes_have_faults) {
            sources.faults.report(
                path,
                None,
                format!("{} has no [[tax]] for {}.", catalogue_file::FILE, product.tax_class()),
            );
        }
    }
}

/// Reports products of one insurer that use the same deposit with different terms.
fn check_deposits(products: &[ProductFile<'_>], sources: &SourceFiles<'_>) {
    let mut known: BTreeMap<(InsurerId, &str), (&DepositTerms, &str)> = BTreeMap::new();
    for (path, parsed) in products {
        let Some(product) = &parsed.product else { continue };
        let PremiumTerms::Deposit { deposit: terms, .. } = &product.premium else { continue };
        let (first, file) = *known.entry((product.insurer.id, terms.name.as_str())).or_insert((terms, *path));
        if first != terms {
            let message = format!(
                "[premium] has other terms for the deposit {} than {file}: they must be the same.",
                terms.name
            );
            sources.faults.report(path, None, message);
        }
    }
}

/// Reports a missing section `[ranking]` if there are health products.
fn check_ranking(settings: &CatalogueSettings, products: &[ProductFile<'_>], sources: &SourceFiles<'_>) {
    let health = products.iter().any(|(_, parsed)| parsed.line == Some(LineOfBusiness::Health));
    if health && !settings.has_ranking {
        let message = "`ranking` is missing: the section [ranking] has the weights that rank health offers.";
        sources.faults.report(catalogue_file::FILE, None, message);
    }
}

/// All variants by id, each with its product. `None` if an id is invalid.
fn known_variants<'r>(products: &'r [ProductFile<'_>]) -> Option<BTreeMap<VariantId, &'r ProductFile<'r>>> {
    let mut known = BTreeMap::new();
    for product in products {
        known.extend(product.1.variant_ids.as_ref()?.iter().map(|id| (*id, product)));
    }
    Some(known)
}

/// Reports a parent that is not a health variant of the same insurer, and a parent that has a parent itself.
fn check_parents(
    products: &[ProductFile<'_>],
    known: &BTreeMap<VariantId, &ProductFile<'_>>,
    sources: &SourceFiles<'_>,
) {
    for (path, parsed) in products {
        for parent in &parsed.parents {
            let report = |message: String| sources.faults.report(path, Some(parent.line), message);
            let id = parent.parent;
            match known.get(&id) {
                _ if id == parent.of => report("`parent` must be another variant.".to_owned()),
                None => report(format!("`parent` is {id}, but no product has such a variant.")),
                Some((_, other)) if other.line != Some(LineOfBusiness::Health) => {
                    report(format!("`parent` is {id}, which is not a health variant."));
                }
                Some((other, _)) if sibling(other, "") != sibling(path, "") => {
                    report(format!("`parent` is {id}, which belongs to another insurer."));
                }
                Some((_, other))
                    if other.parents.iter().any(|grand| grand.of == id && grand.parent != id) =>
                {
                    report(format!("`parent` is {id}, which has a parent itself: use that parent."));
                }
                Some(_) => {}
            }
        }
    }
}
