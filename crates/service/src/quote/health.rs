//! Health quotes: a job prices them, and they can be read while the job runs and afterwards (interface §2,
//! §3, §8, §9; D8, D14 to D19).

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

/// Health quote with the catalogue version that names its variants.
pub struct HealthQuoteShown {
    pub quote: HealthQuote,
    /// Catalogue version of the quote's variants.
    pub catalogue: Arc<Catalogue>,
}

impl HealthQuoteShown {
    /// Reason for the rank of the offer at `index`. `None` until all offers are known.
    pub fn reason(&self, index: usize) -> Option<Reason> {
        self.quote.ranking.as_ref()?;
        let (indexes, candidates) = candidates(&self.quote, &self.catalogue).ok()?;
        Reason::of(&candidates, indexes.iter().position(|known| *known == index)?)
    }
}

/// Saves health quotes with their jobs, and reads them.
pub struct HealthQuoteService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) lists: Arc<Lists>,
}

impl HealthQuoteService {
    /// Checks that a partner may attribute a quote to this partner or enterprise (D8).
    ///
    /// # Errors
    /// [`Error::NotPermitted`].
    pub fn may_attribute(&self, of: PartnerId, to: &Attribution) -> Result<()> {
        let other_partner = to.partner.as_ref().is_some_and(|named| *named != of.to_string());
        // A partner has no enterprise of its own, so a named enterprise always belongs to another.
        let other = other_partner || to.enterprise.is_some();
        let granted = self.shared.directory.known().partner(of).is_some_and(|partner| partner.attribution);
        if other && !granted {
            return Err(Error::NotPermitted(
                "The operator has not allowed you to attribute quotes to other partners or to enterprises. Send your own partner_id or none, and no enterprise_id.",
            ));
        }
        Ok(())
    }

    /// Makes a health quote with the list of variants to price, without saving it. No variant is priced yet.
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

    /// Saves a health quote with the job that prices it, in one transaction with its response if the request
    /// has an idempotency key. The workers run the job.
    ///
    /// # Errors
    /// [`Error::Storage`] if quote and job were not saved.
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

    /// Health quote of a partner, with the results so far.
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
    /// [`Error::Invalid`] with every fault of the query (D31 to D33).
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

    /// Health quotes of one partner or all that have the platform's id of the lead or of the end user. Newest
    /// first, at most `most` (D16).
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

/// Price requests for a health quote: one for all variants priced from rate tables, and one for each insurer
/// that prices its own variants over HTTP (D17).
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
