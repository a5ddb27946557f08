//! Store operations for embedded quotes.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, QuoteId};
use domain::quote::EmbeddedQuote;

use super::{Kept, KeyedResponse, Result};

#[async_trait]
pub trait EmbeddedQuotes: Send + Sync {
    /// Stores a quote, with its response if the request has an idempotency key.
    async fn keep_embedded_quote(
        &self,
        quote: &EmbeddedQuote,
        response: Option<&KeyedResponse>,
    ) -> Result<Kept>;

    async fn embedded_quote(&self, of: PartnerId, id: QuoteId) -> Result<Option<EmbeddedQuote>>;

    /// Deletes quotes that were made before an instant: at most `most`, or a whole month if the engine
    /// partitions quotes by month. A month with newer quotes is not deleted as a whole. `true`: some were
    /// deleted, there may be more.
    async fn forget_embedded_quotes(&self, before: Timestamp, most: usize) -> Result<bool>;
}
