//! What the use cases need of a store for embedded quotes.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, QuoteId};
use domain::quote::EmbeddedQuote;

use super::{Kept, KeyedResponse, Result};

/// Embedded quotes of a store.
#[async_trait]
pub trait EmbeddedQuotes: Send + Sync {
    /// Keeps a quote, with its response where an idempotency key came.
    async fn keep_embedded_quote(
        &self,
        quote: &EmbeddedQuote,
        response: Option<&KeyedResponse>,
    ) -> Result<Kept>;

    async fn embedded_quote(&self, of: PartnerId, id: QuoteId) -> Result<Option<EmbeddedQuote>>;

    /// Removes quotes that were made before an instant: at most so many at once, or a whole month of them where the engine
    /// divides them by months and no newer one is in it. Returns whether something was removed, so that there may be more.
    async fn forget_embedded_quotes(&self, before: Timestamp, most: usize) -> Result<bool>;
}
