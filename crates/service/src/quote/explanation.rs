//! Explains a quote: prices it again by the catalogue version it was given under, step by step (DESIGN: every
//! price explains itself).

use std::sync::Arc;

use domain::date::day_of;
use domain::id::QuoteId;
use domain::quote::{EmbeddedQuote, QuoteItem};
use rating::{Connector, Explanation};

use crate::error::{Error, Result};
use crate::partner::PartnerService;
use crate::quote::embedded::EmbeddedQuoteService;
use crate::shared::Shared;

/// One item of a quote, priced again.
pub struct ItemExplained {
    /// The item as it was answered.
    pub item: QuoteItem,
    /// The insurer's name.
    pub insurer: String,
    /// The product's name.
    pub product: String,
    /// The variant's name.
    pub variant: String,
    /// How the price comes about. `None` where the insurer priced it itself.
    pub explanation: Option<Explanation>,
}

impl ItemExplained {
    /// Whether pricing again gives the same to the paisa.
    pub fn agrees(&self) -> bool {
        self.explanation.as_ref().is_none_or(|explanation| explanation.outcome == self.item.outcome)
    }
}

/// A quote, priced again.
pub struct QuoteExplained {
    /// The quote as it was given.
    pub quote: EmbeddedQuote,
    /// Its items in the order answered.
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
    /// [`Error::Unknown`], [`Error::Storage`] when its catalogue version is gone.
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

    /// A quote of any partner.
    async fn find_embedded_quote(&self, id: QuoteId) -> Result<EmbeddedQuote> {
        for record in self.partners.all().await? {
            if let Some(quote) = self.embedded_quotes.find(record.partner.id, id).await? {
                return Ok(quote);
            }
        }
        Err(Error::Unknown { what: "quote", id: id.to_string() })
    }
}
