//! Health quotes: asked for as a job, read back while it runs and ever after (interface §2, §3, §8, §9; D8, D14 to D19).

use std::collections::HashMap;
use std::sync::Arc;

use domain::health_quote::{Ask, Attribution, HealthQuote, HealthRequest};
use domain::id::{InsurerId, PartnerId, QuoteId};
use domain::identifier::Identifier;
use domain::line::LineOfBusiness;
use domain::ranking::Reason;
use rating::{Catalogue, Connector};

use crate::error::{Error, Result};
use crate::list::cursor::ListKind;
use crate::list::{ListAsk, ListPage, Lists};
use crate::quote::metrics::count_quote;
use crate::quote::recommendation::candidates;
use crate::shared::Shared;
use crate::shared::idempotency::{KeptResponse, Outcome};
use crate::storage::lists::{ListPosition, Page};
use crate::storage::{Identified, Kept};
use crate::traces;

/// A health quote with the catalogue that names its variants.
pub struct HealthQuoteShown {
    pub quote: HealthQuote,
    /// The catalogue version that its variants are of.
    pub catalogue: Arc<Catalogue>,
}

impl HealthQuoteShown {
    /// Why the offer at an index stands where it does, once all are known.
    pub fn reason(&self, index: usize) -> Option<Reason> {
        self.quote.ranking.as_ref()?;
        let (indexes, candidates) = candidates(&self.quote, &self.catalogue).ok()?;
        Reason::of(&candidates, indexes.iter().position(|known| *known == index)?)
    }
}

/// Keeps health quotes with their jobs, and reads them.
pub struct HealthQuoteService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) lists: Arc<Lists>,
}

impl HealthQuoteService {
    /// Judges whether a partner may attribute a quote so (D8).
    ///
    /// # Errors
    /// [`Error::NotPermitted`].
    pub fn may_attribute(&self, of: PartnerId, to: &Attribution) -> Result<()> {
        let other_partner = to.partner.as_ref().is_some_and(|named| *named != of.to_string());
        // A partner has no enterprise of its own: whatever it names is another's.
        let other = other_partner || to.enterprise.is_some();
        let granted = self.shared.directory.known().partner(of).is_some_and(|partner| partner.attribution);
        if other && !granted {
            return Err(Error::NotPermitted(
                "The operator has not permitted this partner attribution to others: send your own partner_id or none, and no enterprise_id.",
            ));
        }
        Ok(())
    }

    /// A health quote with its work list, not yet kept: no variant of it is priced.
    pub fn make(&self, of: PartnerId, request: HealthRequest) -> HealthQuote {
        let now = self.shared.partner_clock.now(of);
        let catalogue = self.shared.catalogues.running();
        HealthQuote {
            id: self.shared.ids.make(),
            partner: of,
            created_at: now,
            asks: work_list(&catalogue, of, &request),
            request,
            catalogue: catalogue.hash(),
            ranking: None,
        }
    }

    /// Keeps a health quote and the job that prices it, in one transaction with its response where an idempotency key
    /// came. The job runs by itself.
    ///
    /// # Errors
    /// [`Error::Storage`] when it could not be kept: then there is neither quote nor job.
    pub async fn keep(
        &self,
        quote: HealthQuote,
        response: Option<KeptResponse>,
    ) -> Result<Outcome<HealthQuote>> {
        let response_kept = response.as_ref().map(KeptResponse::keyed);
        let kept = self.shared.storage.keep_health_quote(&quote, response_kept).await?;
        if kept == Kept::New {
            traces::remember(quote.id.uuid());
            self.shared.job_signal.wake_workers();
            count_quote(&self.shared, quote.partner, LineOfBusiness::Health);
        }
        self.shared.idempotency.outcome(kept, quote, response).await
    }

    /// A health quote of a partner, as far as its job has come.
    ///
    /// # Errors
    /// [`Error::Unknown`].
    pub async fn find(&self, of: PartnerId, id: QuoteId) -> Result<HealthQuoteShown> {
        let quote = self.shared.storage.health_quote_of_late(of, id).await?;
        let quote = quote.ok_or_else(|| Error::Unknown { what: "quote", id: id.to_string() })?;
        let catalogue = self.shared.catalogues.version(quote.catalogue).await?;
        Ok(HealthQuoteShown { quote, catalogue })
    }

    /// A page of a partner's health quotes.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every fault of what is asked (D31 to D33).
    pub async fn list(&self, of: PartnerId, ask: ListAsk) -> Result<ListPage<HealthQuoteShown>> {
        let resolved = self.lists.resolve(of, ListKind::Quotes, ask)?;
        let page = match resolved.which.clone() {
            Some(which) => {
                self.shared.storage.health_quotes(of, which, resolved.from, resolved.limit.into()).await?
            }
            None => Page::default(),
        };
        let Page { records, has_newer, has_older, count } = page;
        let mut shown = Vec::with_capacity(records.len());
        let mut versions = HashMap::new();
        for quote in records {
            let catalogue = match versions.get(&quote.catalogue.0) {
                Some(known) => Arc::clone(known),
                None => {
                    let version = self.shared.catalogues.version(quote.catalogue).await?;
                    versions.insert(quote.catalogue.0, version.clone());
                    version
                }
            };
            shown.push(HealthQuoteShown { quote, catalogue });
        }
        let page = Page { records: shown, has_newer, has_older, count };
        let position = |HealthQuoteShown { quote, .. }: &HealthQuoteShown| ListPosition {
            created_at: quote.created_at,
            id: quote.id.uuid(),
        };
        Ok(self.lists.page(of, ListKind::Quotes, resolved, page, position))
    }

    /// Health quotes of a partner, or of any, by what its platform calls the lead or the end user, newest first (D16).
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn find_identified(
        &self,
        of: Option<PartnerId>,
        by: &Identifier,
        most: usize,
    ) -> Result<Vec<HealthQuote>> {
        let partners = of.map_or_else(|| self.shared.directory.partner_ids(), |of| vec![of]);
        let found = self.shared.storage.identified(&partners, Identified::HealthQuote, by, most).await?;
        let mut quotes = Vec::with_capacity(found.len());
        for (of, id) in found {
            quotes.extend(self.shared.storage.health_quote(of, QuoteId::from_uuid(id)).await?);
        }
        Ok(quotes)
    }
}

/// The work list of a request: what is priced here together, then each insurer that is asked (D17).
fn work_list(catalogue: &Catalogue, of: PartnerId, request: &HealthRequest) -> Vec<Ask> {
    let mut asks: Vec<Ask> = Vec::new();
    for variant in catalogue.health_variants(of, request.plan) {
        let insurer = variant.insurer();
        let asked: Option<InsurerId> = (insurer.connector != Connector::RateTable).then_some(insurer.id);
        match asks.iter_mut().find(|ask| ask.insurer == asked) {
            Some(ask) => ask.variants.push(variant.id),
            None => asks.push(Ask { insurer: asked, variants: vec![variant.id], outcomes: None }),
        }
    }
    asks
}
