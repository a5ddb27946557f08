//! What the use cases need of a store for health quotes. A method is one business act and one transaction.

use async_trait::async_trait;
use domain::health_quote::{HealthQuote, Outcome};
use domain::id::{PartnerId, QuoteId};

use super::events::NewEvent;
use super::jobs::Lease;
use super::lists::{ListStart, Page, Selection};
use super::{Kept, KeyedResponse, Result};

/// Health quotes of a store.
#[async_trait]
pub trait HealthQuotes: Send + Sync {
    /// Keeps a quote with its work list, its job (due at once), the counts of its day and session, and its answer where
    /// an idempotency key came.
    async fn keep_health_quote(&self, quote: &HealthQuote, response: Option<&KeyedResponse>) -> Result<Kept>;

    /// A quote of a partner, with what is known of its variants so far.
    async fn health_quote(&self, of: PartnerId, id: QuoteId) -> Result<Option<HealthQuote>>;

    /// The same for whoever only shows it: what is known of its variants may be a moment old.
    async fn health_quote_of_late(&self, of: PartnerId, id: QuoteId) -> Result<Option<HealthQuote>> {
        self.health_quote(of, id).await
    }

    /// Keeps what came of one ask, by its index in the work list. `false`: the lease was lost, and nothing was done.
    async fn keep_outcomes(&self, lease: &Lease, ask: usize, outcomes: &[Outcome]) -> Result<bool>;

    /// Keeps a quote whose asks are all answered with its ranking and an event, and ends its job. `false`: the lease was lost,
    /// and nothing was done.
    async fn finish_health_quote(&self, lease: &Lease, quote: &HealthQuote, event: &NewEvent)
    -> Result<bool>;

    /// A page of a partner's quotes with the count of all, read at one moment.
    async fn health_quotes(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<HealthQuote>>;
}
