//! What is offered: insurer, product and variant, as both reads of a health quote show them (interface §3, §8).

use serde::Serialize;
use serde_json::Number;
use service::catalogue::HealthVariant;
use utoipa::ToSchema;

use crate::number::to_number;

/// An insurer's variant.
#[derive(Serialize, ToSchema)]
pub(crate) struct Offered<'a> {
    /// Id of the insurer: `ins_…`.
    company_id: String,
    /// Name of the insurer.
    company_name: &'a str,
    /// Address of the insurer's logo.
    #[schema(format = "uri")]
    company_logo: &'a str,
    /// What a customer should know about the insurer.
    company_description: &'a str,
    /// Hospitals that treat without payment in advance.
    company_network_hospital_count: u32,
    /// Part of the insurer's claims that it settled, in percent.
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

impl<'a> Offered<'a> {
    /// As the catalogue version of the quote has it; every insurer with health products has all its facts.
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
