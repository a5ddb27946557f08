//! Insurer, product and variant of an offer, as both operations that read a health quote show them (interface
//! §3, §8).

use domain::health_quote::{HealthOffer, HealthQuote};
use serde::Serialize;
use serde_json::Number;
use service::catalogue::HealthVariant;
use utoipa::ToSchema;

use crate::error::{Problem, Result};
use crate::number::to_number;
use crate::template::Template;
use crate::template_cache::VariantTemplates;

/// Insurer, product and variant of an offer.
#[derive(Serialize, ToSchema)]
pub(crate) struct Offered<'a> {
    /// Id of the insurer: `ins_…`.
    company_id: String,
    /// Name of the insurer.
    company_name: &'a str,
    /// Address of the insurer's logo.
    #[schema(format = "uri")]
    company_logo: &'a str,
    /// Description of the insurer for customers.
    company_description: &'a str,
    /// Number of hospitals where the insurer pays the hospital directly (cashless treatment).
    company_network_hospital_count: u32,
    /// Claims that the insurer settled, in percent of all claims that the insurer received.
    #[schema(value_type = f64)]
    company_claim_settlement_ratio: Number,
    /// Id of the product: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    product_id: String,
    /// Name of the product.
    product_name: &'a str,
    /// Id of the variant: `vrt_…`.
    #[schema(pattern = "^vrt_[0-9a-z]{26}$")]
    variant_id: String,
    /// Name of the variant.
    variant_name: &'a str,
}

/// Offer of a health variant in a quote, with the JSON template of its item.
pub(super) struct Offer<'a> {
    /// Index of the variant among all variants of the quote.
    pub(super) index: usize,
    pub(super) template: &'a Template,
    pub(super) offer: &'a HealthOffer,
}

/// Offers of a stored quote, in the order of the response.
///
/// # Errors
/// If a variant is missing in the catalogue version that priced the quote.
pub(super) fn offers<'a>(
    quote: &'a HealthQuote,
    templates: &'a VariantTemplates<Template>,
) -> Result<Vec<Offer<'a>>> {
    let missing =
        |id| Problem::unexpected(format!("variant {id} is missing in the catalogue version of its quote"));
    let mut offers = Vec::with_capacity(quote.total_variants());
    for (index, id, offer) in quote.offers() {
        let template = templates.get(&id).ok_or_else(|| missing(id))?;
        offers.push(Offer { index, template, offer });
    }
    Ok(offers)
}

impl<'a> Offered<'a> {
    /// Insurer, product and variant, from the catalogue version that priced the quote. A catalogue with
    /// health products has all these facts about their insurers.
    pub(super) fn of(variant: &'a HealthVariant) -> Self {
        let (insurer, product) = (variant.insurer(), &variant.product);
        Offered {
            company_id: insurer.id.to_string(),
            company_name: &insurer.name,
            company_logo: &insurer.logo,
            company_description: insurer.description.english(),
            company_network_hospital_count: insurer.network_hospitals.unwrap_or_default(),
            company_claim_settlement_ratio: to_number(insurer.claim_settlement_ratio.unwrap_or_default()),
            product_id: product.id.to_string(),
            product_name: &product.name,
            variant_id: variant.id.to_string(),
            variant_name: &variant.name,
        }
    }
}
