//! Judging what refers to something elsewhere: lines of business to their tax, health products to the ranking,
//! assortments to variants, variants to their parents.

use std::collections::BTreeMap;

use domain::id::VariantId;

use super::catalogue_file::{self, Terms};
use super::parsed_product::ProductRead;
use crate::line_of_business::Line;
use crate::parse::source_files::{Shelf, beside};

/// A product that was read, with its path.
type Read<'r> = (&'r str, ProductRead);

/// Notes every reference to something that is not there.
pub(crate) fn judge(terms: &Terms, products: &[Read<'_>], shelf: &Shelf<'_>) {
    judge_taxes(terms, products, shelf);
    judge_ranking(terms, products, shelf);
    // Where a file could not be read, its variants would be told as unknown though they are not.
    let Some(known) = known_variants(products) else { return };
    let named = terms.assortments.iter().flat_map(|assortment| &assortment.variants);
    for (variant, line) in named.filter(|(variant, _)| !known.contains_key(variant)) {
        shelf.faults.note(catalogue_file::FILE, Some(*line), format!("No product has a variant {variant}."));
    }
    judge_parents(products, &known, shelf);
}

/// Notes lines of business without tax.
fn judge_taxes(terms: &Terms, products: &[Read<'_>], shelf: &Shelf<'_>) {
    for (path, read) in products {
        let untaxed = read.product.as_ref().filter(|product| !terms.taxes.contains_key(&product.line));
        if let Some(product) = untaxed.filter(|_| !terms.taxes_have_faults) {
            shelf.faults.note(
                path,
                None,
                format!("{} has no [[tax]] for {}.", catalogue_file::FILE, product.line),
            );
        }
    }
}

/// Notes that health offers cannot be ranked.
fn judge_ranking(terms: &Terms, products: &[Read<'_>], shelf: &Shelf<'_>) {
    let health = products.iter().any(|(_, read)| read.line == Some(Line::Health));
    if health && !terms.ranking_is_said {
        let message = "`ranking` is missing: the section [ranking] says by what health offers are ranked.";
        shelf.faults.note(catalogue_file::FILE, None, message);
    }
}

/// Every variant that was read, with the place of its product. `None` where some id could not be read.
fn known_variants<'r>(products: &'r [Read<'_>]) -> Option<BTreeMap<VariantId, &'r Read<'r>>> {
    let mut known = BTreeMap::new();
    for product in products {
        known.extend(product.1.variant_ids.as_ref()?.iter().map(|id| (*id, product)));
    }
    Some(known)
}

/// Notes parents that are no health variants of the same insurer, and those that have a parent themselves.
fn judge_parents(products: &[Read<'_>], known: &BTreeMap<VariantId, &Read<'_>>, shelf: &Shelf<'_>) {
    for (path, read) in products {
        for parent in &read.parents {
            let fault = |message: String| shelf.faults.note(path, Some(parent.line), message);
            let id = parent.parent;
            match known.get(&id) {
                _ if id == parent.of => fault("`parent` is the variant itself.".to_owned()),
                None => fault(format!("`parent` is {id}, but no product has such a variant.")),
                Some((_, other)) if other.line != Some(Line::Health) => {
                    fault(format!("`parent` is {id}, which is no health variant."));
                }
                Some((other, _)) if beside(other, "") != beside(path, "") => {
                    fault(format!("`parent` is {id}, which is another insurer's."));
                }
                Some((_, other))
                    if other.parents.iter().any(|grand| grand.of == id && grand.parent != id) =>
                {
                    fault(format!("`parent` is {id}, which has a parent itself: name that one."));
                }
                Some(_) => {}
            }
        }
    }
}
