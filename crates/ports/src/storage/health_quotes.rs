//! Store operations for health quotes. Each method is one operation in one transaction.

use async_trait::async_trait;
use domain::health_quote::{HealthQuote, Outcome};
use domain::id::{PartnerId, QuoteId};

use super::events::NewEvent;
use super::jobs::Lease;
use super::lists::{ListStart, Page, Selection};
use super::{Kept, KeyedResponse, Result};

#[async_trait]
pub trait HealthQuotes: Send + Sync {
    /// Stores a quote with its groups of variants to price, its job (due at once) and the counts for lists.
    /// Also stores the response, if the request has an idempotency key.
    async fn keep_health_quote(&self, quote: &HealthQuote, response: Option<&KeyedResponse>) -> Result<Kept>;

    /// A partner's quote, with the outcomes that are known so far.
    async fn health_quote(&self, of: PartnerId, id: QuoteId) -> Result<Option<HealthQuote>>;

    /// A partner's quote for display only: the outcomes may be slightly outdated.
    async fn health_quote_of_late(&self, of: PartnerId, id: QuoteId) -> Result<Option<HealthQuote>> {
        self.health_quote(of, id).await
    }

    /// Stores the outcomes of one group of variants. `ask`: index of the group in [`HealthQuote::asks`].
    /// `false`: the lease is lost, so nothing was stored.
    async fn keep_outcomes(&self, lease: &Lease, ask: usize, outcomes: &[Outcome]) -> Result<bool>;

    /// Stores a quote whose variants are all priced, with its ranking and event, and deletes its job.
    /// `false`: the lease is lost, so nothing was stored.
    async fn finish_health_quote(&self, lease: &Lease, quote: &HealthQuote, event: &NewEvent)
    -> Result<bool>;

    /// A page of a partner's quotes, with the total number of matching quotes. Both come from one snapshot.
    async fn health_quotes(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<HealthQuote>>;
}
