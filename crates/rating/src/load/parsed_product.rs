//! What a product's file says, as far as it could be parsed.

use std::sync::Arc;

use domain::id::VariantId;

use crate::credit_variant::CreditVariant;
use crate::health_variant::HealthVariant;
use crate::line_of_business::Line;
use crate::product::Product;

/// What a product's file gave, as far as it could be read.
#[derive(Default)]
pub(crate) struct ProductRead {
    /// Also known where the product has faults.
    pub(crate) line: Option<Line>,
    pub(crate) product: Option<Arc<Product>>,
    pub(crate) credit_variants: Vec<CreditVariant>,
    pub(crate) health_variants: Vec<HealthVariant>,
    /// Every variant id that was read, also of variants with faults. `None` when some could not be.
    pub(crate) variant_ids: Option<Vec<VariantId>>,
    /// What variants build upon.
    pub(crate) parents: Vec<ParentRead>,
}

/// That a variant builds upon another.
pub(crate) struct ParentRead {
    pub(crate) of: VariantId,
    pub(crate) parent: VariantId,
    /// The line that says so.
    pub(crate) line: usize,
}
