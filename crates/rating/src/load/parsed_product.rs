//! Result of parsing a product's file. It may be incomplete because of faults.

use std::sync::Arc;

use domain::id::VariantId;

use crate::credit_variant::CreditVariant;
use crate::health_variant::HealthVariant;
use crate::product::Product;
use domain::line::LineOfBusiness;

/// Parts of a product's file that have no faults.
#[derive(Default)]
pub(crate) struct ParsedProduct {
    /// Line of business. It is there even if the product has faults.
    pub(crate) line: Option<LineOfBusiness>,
    pub(crate) product: Option<Arc<Product>>,
    pub(crate) credit_variants: Vec<CreditVariant>,
    pub(crate) health_variants: Vec<HealthVariant>,
    /// Ids of all variants, including variants with faults. `None` if an id itself is invalid.
    pub(crate) variant_ids: Option<Vec<VariantId>>,
    /// References of variants to the variants that they extend.
    pub(crate) parents: Vec<ParentReference>,
}

/// Reference of a variant to the variant that it extends.
pub(crate) struct ParentReference {
    pub(crate) of: VariantId,
    pub(crate) parent: VariantId,
    /// Line of the reference in the product's file.
    pub(crate) line: usize,
}
