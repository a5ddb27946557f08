//! Explanation of a quote: prices the quote again by its own catalogue version, and shows each step.

use std::sync::Arc;

use domain::date::day_of;
use domain::id::QuoteId;
use domain::quote::{EmbeddedQuote, QuoteItem};
use rating::{Connector, Explanation};

use crate::error::{Error, Result};
use crate::partner::PartnerService;
use crate::quote::embedded::EmbeddedQuoteService;
use crate::shared::Shared;

/// Item of a quote, which was priced again.
pub struct ItemExplained {
    /// Item as the partner received it.
    pub item: QuoteItem,
    /// Name of the insurer.
    pub insurer: String,
    /// Name of the product.
    pub product: String,
    /// Name of the variant.
    pub variant: String,
    /// Steps of the price calculation. `None` if the insurer set the price itself.
    pub explanation: Option<Explanation>,
}

impl ItemExplained {
    /// Whether the new price equals the quoted price to the paisa.
    pub fn agrees(&self) -> bool {
        self.explanation.as_ref().is_none_or(|explanation| explanation.outcome == self.item.outcome)
    }
}

/// A quote whose items were priced again.
pub struct QuoteExplained {
    /// The quote as the partner received it.
    pub quote: EmbeddedQuote,
    /// Items in the order of the response.
    pub items: Vec<ItemExplained>,
}

/// Explains quotes of any partner to the operator.
pub struct ExplanationService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) partners: Arc<PartnerService>,
    pub(crate) embedded_quotes: Arc<EmbeddedQuoteService>,
}

impl ExplanationService {
    /// Explains a quote of any partner.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Storage`] if the quote's catalogue version is missing.
    pub async fn embedded_quote(&self, id: QuoteId) -> Result<QuoteExplained> {
        let quote = self.find_embedded_quote(id).await?;
        let catalogue = self.shared.catalogues.version(quote.catalogue).await?;
        let starts = quote.request.starts(day_of(quote.created_at));
        let mut items = Vec::with_capacity(quote.items.len());
        for item in &quote.items {
            let variant = catalogue.credit_variant(item.variant).ok_or_else(|| {
                Error::Internal(format!("variant {} is not in its catalogue version", item.variant))
            })?;
            let insurer = variant.insurer();
            let here = insurer.connector == Connector::RateTable;
            items.push(ItemExplained {
                item: item.clone(),
                insurer: insurer.name.clone(),
                product: variant.product.name.clone(),
                variant: variant.name.clone(),
                explanation: here.then(|| variant.explain(&quote.request, starts)),
            });
        }
        Ok(QuoteExplained { quote, items })
    }

    /// Quote of any partner by its id.
    async fn find_embedded_quote(&self, id: QuoteId) -> Result<EmbeddedQuote> {
        for record in self.partners.all().await? {
            if let Some(quote) = self.embedded_quotes.find(record.partner.id, id).await? {
                return Ok(quote);
            }
        }
        Err(Error::Unknown { what: "quote", id: id.to_string() })
    }
}
