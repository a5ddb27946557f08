//! Links to a product's documents, such as wording and brochure, on the pages of plan, review and status.

use rating::Product;

use super::words::Words;

/// Link to a document of a product, such as the wording.
pub(crate) struct Paper {
    pub(crate) name: &'static str,
    pub(crate) address: String,
}

/// Links to the product's documents that the catalogue has.
pub(crate) fn papers(words: &Words, product: &Product) -> Vec<Paper> {
    let papers = &product.papers;
    let named = [
        (words.plan.information_sheet, &papers.customer_information_sheet),
        (words.plan.policy_wording, &papers.policy_wording),
        (words.plan.brochure, &papers.brochure),
    ];
    let there = named.into_iter().filter_map(|(name, address)| Some((name, address.clone()?)));
    there.map(|(name, address)| Paper { name, address }).collect()
}
