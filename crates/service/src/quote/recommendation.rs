//! Work of a job that prices a health quote: calls all insurers at once, saves each result, then ranks the
//! offers (D17, D19).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use domain::date::day_of;
use domain::health_quote::{HealthQuote, HealthRequest, NotOffered, Outcome};
use domain::id::{InsurerId, PartnerId, QuoteId, VariantId};
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use domain::ranking::{Candidate, rank};
use domain::sandbox::TestInsurer;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use rating::Catalogue;

use crate::catalogue::lost_variant;
use crate::error::{Error, Result};
use crate::insurer::{HealthAsk, InsurerFault, as_many, in_time, note_fault};
use crate::quote::metrics::count_variants;
use crate::shared::Shared;
use crate::storage::jobs::Lease;

/// Internal faults after which a job gives up, because it must end (D17). The variants without a result then
/// get no offer.
const MOST_FAULTS: u32 = 3;

/// Runs the jobs that price and rank health quotes.
pub struct RecommendationService {
    pub(crate) shared: Arc<Shared>,
}

impl RecommendationService {
    /// Continues a quote until it is finished. Insurers that have already answered are not called again.
    ///
    /// # Errors
    /// [`Error`] of the store; the job continues later.
    pub(crate) async fn work_on(&self, lease: &Lease) -> Result<()> {
        let id = QuoteId::from_uuid(lease.job.subject);
        let Some(mut quote) = self.shared.storage.health_quote(lease.job.of, id).await? else {
            tracing::error!(quote.id = %id, "the job of quote {id} was ended: the quote is missing");
            self.shared.storage.end_job(lease).await?;
            return Ok(());
        };
        let catalogue = self.shared.catalogues.version(quote.catalogue).await;
        let mut priced_by = None;
        if lease.faults >= MOST_FAULTS {
            give_up(&mut quote, catalogue.as_deref().ok());
        } else {
            let catalogue = catalogue?;
            if !self.ask_all(lease, &mut quote, &catalogue).await? {
                tracing::warn!(quote.id = %id, "another worker has taken over the job of quote {id}");
                return Ok(());
            }
            quote.ranking = Some(ranking(&quote, &catalogue)?);
            priced_by = Some(catalogue);
        }
        let event =
            self.shared.events().of_recommendation(&quote, self.shared.partner_clock.now(quote.partner));
        if self.shared.storage.finish_health_quote(lease, &quote, &event).await? {
            if let Some(catalogue) = priced_by {
                let outcomes =
                    quote.asks.iter().flat_map(|ask| ask.variants.iter().zip(ask.outcomes.iter().flatten()));
                let insurer_of = |(variant, outcome): (&VariantId, &Outcome)| {
                    Some((catalogue.health_variant(*variant)?.insurer().id, outcome.is_ok()))
                };
                let variants = outcomes.filter_map(insurer_of);
                count_variants(&self.shared, quote.partner, LineOfBusiness::Health, variants);
            }
            let (offers, total) = (quote.offers().count(), quote.total_variants());
            tracing::info!(partner.id = %quote.partner, quote.id = %id, "quote {id} is finished: {offers} of {total} variants are offered");
        }
        Ok(())
    }

    /// Sends every price request that has no result yet, and saves each result. The last results are saved
    /// with the ranking. Returns `false` if the lease of the job was lost.
    async fn ask_all(
        &self,
        lease: &Lease,
        quote: &mut HealthQuote,
        catalogue: &Arc<Catalogue>,
    ) -> Result<bool> {
        let open: Vec<(usize, Option<InsurerId>, Vec<VariantId>)> = quote
            .asks
            .iter()
            .enumerate()
            .filter(|(_, ask)| ask.outcomes.is_none())
            .map(|(index, ask)| (index, ask.insurer, ask.variants.clone()))
            .collect();
        let (of, request, on) = (quote.partner, quote.request.clone(), day_of(quote.created_at));
        let mut waiting = open.len();
        let mut asked = FuturesUnordered::new();
        for (index, insurer, variants) in open {
            let request = &request;
            asked.push(async move {
                let outcomes = match insurer {
                    None => variants
                        .iter()
                        .map(|id| catalogue.health_variant(*id).map(|variant| variant.price(request, on)))
                        .collect::<Option<Vec<Outcome>>>(),
                    Some(insurer) => {
                        Some(self.ask_health(of, catalogue, insurer, request, &variants, on).await)
                    }
                };
                (index, self.with_trouble(of, catalogue, request, &variants, outcomes).await)
            });
        }
        while let Some((index, outcomes)) = asked.next().await {
            let outcomes = outcomes.ok_or_else(|| {
                Error::Internal("a variant of the work list is not in its catalogue version".into())
            })?;
            waiting -= 1;
            // The last results are saved together with the ranking.
            if waiting > 0 && !self.shared.storage.keep_outcomes(lease, index, &outcomes).await? {
                return Ok(false);
            }
            quote.asks[index].outcomes = Some(outcomes);
        }
        Ok(true)
    }

    /// Results of one price request. The customer's name can make a test partner's first insurer slow, or let
    /// it fail.
    async fn with_trouble(
        &self,
        of: PartnerId,
        catalogue: &Catalogue,
        request: &HealthRequest,
        variants: &[VariantId],
        outcomes: Option<Vec<Outcome>>,
    ) -> Option<Vec<Outcome>> {
        let name = request.customer.name.as_ref().filter(|_| self.shared.partner_clock.is_test(of));
        let Some(case) = name.and_then(|name| TestInsurer::of(name.reveal())) else { return outcomes };
        let insurer = |id: VariantId| catalogue.health_variant(id).map(|variant| variant.insurer().id);
        let first = catalogue.health_variants(of, request.plan).next().map(|variant| variant.insurer().id);
        let mut outcomes = outcomes?;
        let is_first = |id: &VariantId| first.is_some() && insurer(*id) == first;
        if !variants.iter().any(is_first) {
            return Some(outcomes);
        }
        let why = match case {
            TestInsurer::Slow => {
                tokio::time::sleep(self.shared.settings.recommendation_deadline).await;
                NotOffered::InsurerSlow
            }
            TestInsurer::Fails => NotOffered::InsurerFailed,
        };
        for (id, outcome) in variants.iter().zip(&mut outcomes) {
            if is_first(id) {
                *outcome = Err(why.clone());
            }
        }
        Some(outcomes)
    }

    /// Asks one insurer for its prices, within the deadline for recommendations.
    async fn ask_health(
        &self,
        of: PartnerId,
        catalogue: &Catalogue,
        id: InsurerId,
        request: &HealthRequest,
        variants: &[VariantId],
        on: domain::date::Date,
    ) -> Vec<Outcome> {
        let amounts = [Some(request.sum_insured), request.deductible];
        if amounts.into_iter().flatten().any(Rupees::is_beyond_counting) {
            // No insurer sells so much cover, and the exact amount may not fit into the request.
            return vec![Err(NotOffered::TooLarge); variants.len()];
        }
        let within = self.shared.settings.recommendation_deadline;
        let asking = async {
            let connection =
                self.shared.connections.to_ask(of, catalogue, id).ok_or_else(InsurerFault::no_connection)?;
            connection.price_health(HealthAsk { request, variants, on }, within).await
        };
        let answer = in_time(within, asking).await;
        answer.and_then(|outcomes| as_many(outcomes, variants.len())).unwrap_or_else(|fault| {
            note_fault(id, &fault);
            let why = match fault {
                InsurerFault::Slow => NotOffered::InsurerSlow,
                InsurerFault::CircuitOpen | InsurerFault::Failed(_) => NotOffered::InsurerFailed,
            };
            vec![Err(why); variants.len()]
        })
    }
}

/// Input of the ranking: one candidate for each offer of the quote. The first vector has, for each
/// candidate, the index of its offer in the quote.
pub(crate) fn candidates(quote: &HealthQuote, catalogue: &Catalogue) -> Result<(Vec<usize>, Vec<Candidate>)> {
    let mut by_index: Vec<_> = quote.offers().collect();
    by_index.sort_by_key(|(index, ..)| *index);
    let mut indexes = Vec::with_capacity(by_index.len());
    let mut candidates = Vec::with_capacity(by_index.len());
    for (index, variant, offer) in by_index {
        let variant = catalogue.health_variant(variant).ok_or_else(|| lost_variant(variant))?;
        indexes.push(index);
        candidates.push(variant.candidate(offer, quote.request.sum_insured));
    }
    Ok((indexes, candidates))
}

/// Ends a quote whose work fails again and again. Variants without a result get no offer. If the ranking
/// fails as well, the cheapest offer comes first.
fn give_up(quote: &mut HealthQuote, catalogue: Option<&Catalogue>) {
    for ask in quote.asks.iter_mut().filter(|ask| ask.outcomes.is_none()) {
        ask.outcomes = Some(vec![Err(NotOffered::InsurerFailed); ask.variants.len()]);
    }
    let ranked = ranking_if_any(quote, catalogue);
    quote.ranking = Some(ranked.unwrap_or_else(|| {
        let mut offers: Vec<_> = quote.offers().collect();
        offers.sort_by_key(|(index, _, offer)| {
            (offer.tenures.first().map(|shortest| shortest.premium.total()), *index)
        });
        offers.into_iter().map(|(index, ..)| index).collect()
    }));
}

/// The ranking. `None` if it fails or panics.
fn ranking_if_any(quote: &HealthQuote, catalogue: Option<&Catalogue>) -> Option<Vec<usize>> {
    let catalogue = catalogue?;
    let ranked = catch_unwind(AssertUnwindSafe(|| ranking(quote, catalogue)));
    ranked.ok().and_then(Result::ok)
}

/// Indexes of the offers, best first (D19).
fn ranking(quote: &HealthQuote, catalogue: &Catalogue) -> Result<Vec<usize>> {
    let (indexes, candidates) = candidates(quote, catalogue)?;
    Ok(rank(&candidates, catalogue.ranking_weights()).iter().map(|score| indexes[score.index]).collect())
}
