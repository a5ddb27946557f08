//! Explanation of a health quote: prices and ranks its variants again by the quote's own catalogue version.

use domain::date::day_of;
use domain::health_quote::{HealthQuote, Outcome};
use domain::id::{QuoteId, VariantId};
use domain::ranking::{Reason, Score, Weights, rank};
use rating::HealthExplanation;

use crate::catalogue::lost_variant;
use crate::error::{Error, Result};
use crate::quote::explanation::ExplanationService;
use crate::quote::recommendation::candidates;

/// Variant of a health quote, which was priced again.
pub struct HealthItemExplained {
    /// Index of the variant in the quote's list of variants to price.
    pub index: usize,
    pub id: VariantId,
    /// Result that the partner received. `None` if the job has not priced the variant yet.
    pub outcome: Option<Outcome>,
    /// Name of the insurer.
    pub insurer: String,
    /// Name of the product.
    pub product: String,
    /// Name of the variant.
    pub variant: String,
    /// Steps of the price calculation. `None` if the insurer set the prices itself.
    pub explanation: Option<HealthExplanation>,
    /// Score of the variant, and reason for its rank among the offers. `None` if it has no offer, or the job
    /// still runs.
    pub ranked: Option<(Score, Reason)>,
}

impl HealthItemExplained {
    /// Whether the new prices equal the quoted prices to the paisa.
    pub fn agrees(&self) -> bool {
        match (&self.explanation, &self.outcome) {
            (Some(explanation), Some(outcome)) => explanation.outcome == *outcome,
            _ => true,
        }
    }
}

/// Health quote whose variants were priced and ranked again.
pub struct HealthQuoteExplained {
    /// The quote in its current state.
    pub quote: HealthQuote,
    /// Variants of the quote: first the offers, best first, then the other variants by index.
    pub items: Vec<HealthItemExplained>,
    /// Weight of each criterion of the ranking.
    pub weights: Weights,
    /// Whether the new ranking has the same order as the quoted one.
    pub ranks_alike: bool,
}

impl HealthQuoteExplained {
    /// Number of variants with a result that were priced again.
    pub fn repriced(&self) -> usize {
        self.items.iter().filter(|item| item.explanation.is_some() && item.outcome.is_some()).count()
    }

    /// Whether the new prices and the new ranking equal the quoted ones.
    pub fn agrees(&self) -> bool {
        self.ranks_alike && self.items.iter().all(HealthItemExplained::agrees)
    }
}

impl ExplanationService {
    /// Explains a health quote of any partner.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Storage`] if the quote's catalogue version is missing.
    pub async fn health_quote(&self, id: QuoteId) -> Result<HealthQuoteExplained> {
        let quote = self.find_health_quote(id).await?;
        let catalogue = self.shared.catalogues.version(quote.catalogue).await?;
        let (on, weights) = (day_of(quote.created_at), catalogue.ranking_weights());
        let (indexes, candidates) = candidates(&quote, &catalogue)?;
        let scores = if quote.ranking.is_some() { rank(&candidates, weights) } else { Vec::new() };
        let order: Vec<usize> = scores.iter().map(|score| indexes[score.index]).collect();
        let mut items = Vec::with_capacity(quote.total_variants());
        let asked_at = |index: usize| {
            let mut first = 0;
            quote.asks.iter().find_map(|ask| {
                first += ask.variants.len();
                (index < first).then_some(ask.insurer)
            })
        };
        for (index, (id, outcome)) in quote.variants().enumerate() {
            let variant = catalogue.health_variant(id).ok_or_else(|| lost_variant(id))?;
            let priced_here = asked_at(index).flatten().is_none();
            let score = scores.iter().find(|score| indexes[score.index] == index);
            let ranked = score.and_then(|score| Some((score.clone(), Reason::of(&candidates, score.index)?)));
            items.push(HealthItemExplained {
                index,
                id,
                outcome: outcome.cloned(),
                insurer: variant.insurer().name.clone(),
                product: variant.product.name.clone(),
                variant: variant.name.clone(),
                explanation: priced_here.then(|| variant.explain(&quote.request, on)),
                ranked,
            });
        }
        let rank_of = |item: &HealthItemExplained| order.iter().position(|index| *index == item.index);
        items.sort_by_key(|item| (rank_of(item).unwrap_or(usize::MAX), item.index));
        let ranks_alike = quote.ranking.as_ref().is_none_or(|ranking| *ranking == order);
        Ok(HealthQuoteExplained { quote, items, weights, ranks_alike })
    }

    /// Health quote of any partner by its id.
    async fn find_health_quote(&self, id: QuoteId) -> Result<HealthQuote> {
        for record in self.partners.all().await? {
            if let Some(quote) = self.shared.storage.health_quote(record.partner.id, id).await? {
                return Ok(quote);
            }
        }
        Err(Error::Unknown { what: "quote", id: id.to_string() })
    }
}
