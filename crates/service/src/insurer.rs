//! Insurers that are asked over a wire. Those priced from rate tables need none of this.

use async_trait::async_trait;
use domain::date::Date;
use domain::id::VariantId;
use domain::money::Premium;
use domain::quote::{NotPriced, QuoteRequest};

/// An insurer that prices its own variants.
#[async_trait]
pub trait Insurer: Send + Sync {
    /// Prices a batch of variants, one outcome each in the order asked. The caller holds the deadline: a call
    /// that outlives it is dropped.
    async fn price(
        &self,
        request: &QuoteRequest,
        variants: &[VariantId],
        on: Date,
    ) -> Vec<Result<Premium, NotPriced>>;
}
