//! Explains a health quote: prices and ranks it again by the catalogue version it was given under.

use domain::date::day_of;
use domain::health_quote::{HealthQuote, Outcome};
use domain::id::{QuoteId, VariantId};
use domain::ranking::{Reason, Score, Weights, rank};
use rating::HealthExplanation;

use crate::catalogue::lost_variant;
use crate::error::{Error, Result};
use crate::quote::explanation::ExplanationService;
use crate::quote::recommendation::candidates;

/// One variant of a health quote, priced again.
pub struct HealthItemExplained {
    /// Its index in the work list.
    pub index: usize,
    pub id: VariantId,
    /// What was answered; `None` while the job has not come to it.
    pub outcome: Option<Outcome>,
    /// The insurer's name.
    pub insurer: String,
    /// The product's name.
    pub product: String,
    /// The variant's name.
    pub variant: String,
    /// How its prices come about. `None` where the insurer priced it itself.
    pub explanation: Option<HealthExplanation>,
    /// Where it ranks among the offers, with its reason; `None` where it offers nothing or the job still runs.
    pub ranked: Option<(Score, Reason)>,
}

impl HealthItemExplained {
    /// Whether pricing again gives the same to the paisa.
    pub fn agrees(&self) -> bool {
        match (&self.explanation, &self.outcome) {
            (Some(explanation), Some(outcome)) => explanation.outcome == *outcome,
            _ => true,
        }
    }
}

/// A health quote, priced and ranked again.
pub struct HealthQuoteExplained {
    /// The quote as it stands.
    pub quote: HealthQuote,
    /// Its variants: offers best first, then the others by index.
    pub items: Vec<HealthItemExplained>,
    /// How much each criterion counted.
    pub weights: Weights,
    /// Whether ranking again gives the same order.
    pub ranks_alike: bool,
}

impl HealthQuoteExplained {
    /// How many variants were finished and priced again.
    pub fn repriced(&self) -> usize {
        self.items.iter().filter(|item| item.explanation.is_some() && item.outcome.is_some()).count()
    }

    /// Whether pricing and ranking again give the same.
    pub fn agrees(&self) -> bool {
        self.ranks_alike && self.items.iter().all(HealthItemExplained::agrees)
    }
}

impl ExplanationService {
    /// Explains a health quote of any partner.
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::Storage`] when its catalogue version is gone.
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

    /// A health quote of any partner.
    async fn find_health_quote(&self, id: QuoteId) -> Result<HealthQuote> {
        for record in self.partners.all().await? {
            if let Some(quote) = self.shared.storage.health_quote(record.partner.id, id).await? {
                return Ok(quote);
            }
        }
        Err(Error::Unknown { what: "quote", id: id.to_string() })
    }
}
