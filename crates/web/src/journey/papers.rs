//! Papers of a product that a customer may read: links on the pages of plan, review and status.

use rating::Product;

use super::words::Words;

/// A link to a paper.
pub(crate) struct Paper {
    pub(crate) name: &'static str,
    pub(crate) address: String,
}

/// The papers that the catalogue has of a product.
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
