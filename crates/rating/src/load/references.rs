//! Checking references between files: to taxes, to the ranking, to variants.

use std::collections::BTreeMap;

use domain::id::{InsurerId, VariantId};

use super::catalogue_file::{self, CatalogueSettings};
use super::parsed_product::ParsedProduct;
use crate::parse::source_files::{SourceFiles, sibling};
use crate::premium_terms::{DepositTerms, PremiumTerms};
use domain::line::LineOfBusiness;

/// A product with the path of its file.
type ProductFile<'r> = (&'r str, ParsedProduct);

/// Reports every reference to something that is not there.
pub(crate) fn check(settings: &CatalogueSettings, products: &[ProductFile<'_>], sources: &SourceFiles<'_>) {
    check_taxes(settings, products, sources);
    check_ranking(settings, products, sources);
    check_deposits(products, sources);
    // The variants of a file with faults may be missing here. Reporting them as unknown would be wrong.
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

/// Reports products of a class of cover without tax.
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

/// Reports products of an insurer that name one deposit and say different things of it.
fn check_deposits(products: &[ProductFile<'_>], sources: &SourceFiles<'_>) {
    let mut known: BTreeMap<(InsurerId, &str), (&DepositTerms, &str)> = BTreeMap::new();
    for (path, parsed) in products {
        let Some(product) = &parsed.product else { continue };
        let PremiumTerms::Deposit { deposit: terms, .. } = &product.premium else { continue };
        let (first, file) = *known.entry((product.insurer.id, terms.name.as_str())).or_insert((terms, *path));
        if first != terms {
            let message =
                format!("[premium] says something else of the deposit {} than {file} does.", terms.name);
            sources.faults.report(path, None, message);
        }
    }
}

/// Reports a missing ranking where there are health products.
fn check_ranking(settings: &CatalogueSettings, products: &[ProductFile<'_>], sources: &SourceFiles<'_>) {
    let health = products.iter().any(|(_, parsed)| parsed.line == Some(LineOfBusiness::Health));
    if health && !settings.has_ranking {
        let message = "`ranking` is missing: the section [ranking] has the weights that rank health offers.";
        sources.faults.report(catalogue_file::FILE, None, message);
    }
}

/// Every variant by its id, with its product. `None` where some id has a fault.
fn known_variants<'r>(products: &'r [ProductFile<'_>]) -> Option<BTreeMap<VariantId, &'r ProductFile<'r>>> {
    let mut known = BTreeMap::new();
    for product in products {
        known.extend(product.1.variant_ids.as_ref()?.iter().map(|id| (*id, product)));
    }
    Some(known)
}

/// Reports parents that are no health variants of the same insurer, and those that have a parent themselves.
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
                _ if id == parent.of => report("`parent` is the variant itself.".to_owned()),
                None => report(format!("`parent` is {id}, but no product has such a variant.")),
                Some((_, other)) if other.line != Some(LineOfBusiness::Health) => {
                    report(format!("`parent` is {id}, which is no health variant."));
                }
                Some((other, _)) if sibling(other, "") != sibling(path, "") => {
                    report(format!("`parent` is {id}, which is another insurer's."));
                }
                Some((_, other))
                    if other.parents.iter().any(|grand| grand.of == id && grand.parent != id) =>
                {
                    report(format!("`parent` is {id}, which has a parent itself: name that one."));
                }
                Some(_) => {}
            }
        }
    }
}
