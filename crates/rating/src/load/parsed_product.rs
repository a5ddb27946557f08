//! A parsed product's file, as far as it has no faults.

use std::sync::Arc;

use domain::id::VariantId;

use crate::credit_variant::CreditVariant;
use crate::health_variant::HealthVariant;
use crate::product::Product;
use domain::line::LineOfBusiness;

/// A product's file, as far as it could be parsed.
#[derive(Default)]
pub(crate) struct ParsedProduct {
    /// Also known where the product has faults.
    pub(crate) line: Option<LineOfBusiness>,
    pub(crate) product: Option<Arc<Product>>,
    pub(crate) credit_variants: Vec<CreditVariant>,
    pub(crate) health_variants: Vec<HealthVariant>,
    /// Every variant's id, also of variants with faults. `None` when an id itself has a fault.
    pub(crate) variant_ids: Option<Vec<VariantId>>,
    /// The parents of its variants.
    pub(crate) parents: Vec<ParentReference>,
}

/// The reference of a variant to the variant that it builds upon.
pub(crate) struct ParentReference {
    pub(crate) of: VariantId,
    pub(crate) parent: VariantId,
    /// The line of the reference.
    pub(crate) line: usize,
}
