//! Credit-life quotes: every variant open to the partner, priced at once (interface §4; D21 to D23).

use std::sync::Arc;

use domain::context::key;
use domain::date::{Date, day_of};
use domain::id::{PartnerId, QuoteId, VariantId};
use domain::line::LineOfBusiness;
use domain::quote::{EmbeddedQuote, NotPriced, QuoteItem, QuoteRequest, order};
use domain::sandbox::TestInsurer;
use futures_util::future::join_all;
use rating::{Catalogue, Connector};

use crate::error::Result;
use crate::line::credit_pricing::CreditPricing;
use crate::quote::metrics::{count_quote, count_variants};
use crate::shared::Shared;
use crate::shared::idempotency::{KeptResponse, Outcome};
use crate::storage::Kept;

/// Most quotes that are removed at once.
const FORGOTTEN_AT_ONCE: usize = 500;

/// Quote with the catalogue version that names its variants.
pub struct PricedQuote {
    pub quote: EmbeddedQuote,
    /// Catalogue version that priced the quote.
    pub catalogue: Arc<Catalogue>,
}

/// Prices and saves quotes of credit life.
pub struct EmbeddedQuoteService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) pricing: Arc<CreditPricing>,
}

impl EmbeddedQuoteService {
    /// Whether a quote request of this partner waits for insurers over HTTP.
    pub fn waits_for_insurers(&self, of: PartnerId) -> bool {
        let catalogue = self.shared.catalogues.running();
        let is_http = |connector: &Connector| matches!(connector, Connector::Http(_));
        self.shared.partner_clock.is_test(of)
            || catalogue.credit_variants(of).any(|variant| is_http(&variant.insurer().connector))
    }

    /// Prices a quote request. The quote is not saved yet.
    pub async fn price(&self, of: PartnerId, request: QuoteRequest) -> PricedQuote {
        let now = self.shared.partner_clock.now(of);
        let catalogue = self.shared.catalogues.running();
        let items = self.items(&catalogue, of, &request, request.starts(day_of(now))).await;
        let quote = EmbeddedQuote {
            id: self.shared.ids.make(),
            partner: of,
            created_at: now,
            request,
            catalogue: catalogue.hash(),
            items,
        };
        PricedQuote { quote, catalogue }
    }

    /// Saves a quote, in one transaction with its response if the request has an idempotency key.
    ///
    /// # Errors
    /// [`crate::Error::Storage`] if the quote was not saved.
    pub async fn keep(
        &self,
        priced: PricedQuote,
        response: Option<KeptResponse>,
    ) -> Result<Outcome<PricedQuote>> {
        let response_kept = response.as_ref().map(KeptResponse::keyed);
        let kept = self.shared.storage.keep_embedded_quote(&priced.quote, response_kept).await?;
        if kept == Kept::New {
            let PricedQuote { quote, catalogue } = &priced;
            let insurer_of = |item: &QuoteItem| {
                let variant = catalogue.credit_variant(item.variant)?;
                Some((variant.insurer().id, item.outcome.is_ok()))
            };
            count_quote(&self.shared, quote.partner, LineOfBusiness::CreditLife);
            count_variants(
                &self.shared,
                quote.partner,
                LineOfBusiness::CreditLife,
                quote.items.iter().filter_map(insurer_of),
            );
        }
        self.shared.idempotency.outcome(kept, priced, response).await
    }

    /// Prices every variant open to the partner, from rate tables and by insurers over HTTP. All insurers are
    /// called at once, under one deadline. The items are in the order of the response (D22).
    async fn items(
        &self,
        catalogue: &Catalogue,
        of: PartnerId,
        request: &QuoteRequest,
        starts: Date,
    ) -> Vec<QuoteItem> {
        let mut items = Vec::with_capacity(16);
        let mut asked: Vec<(&rating::Insurer, Vec<VariantId>)> = Vec::new();
        for variant in catalogue.credit_variants(of) {
            let insurer = variant.insurer();
            match insurer.connector {
                Connector::RateTable => {
                    items.push(QuoteItem { variant: variant.id, outcome: variant.price(request, starts) });
                }
                Connector::Http(_) => match asked.iter_mut().find(|(other, _)| other.id == insurer.id) {
                    Some((_, variants)) => variants.push(variant.id),
                    None => asked.push((insurer, vec![variant.id])),
                },
            }
        }
        if !asked.is_empty() {
            let ask = |(insurer, variants)| self.pricing.ask(of, insurer, request, variants, starts);
            let calls = asked.into_iter().map(ask);
            items.extend(join_all(calls).await.into_iter().flatten());
        }
        if self.shared.partner_clock.is_test(of)
            && let Some(case) = request.context.first(key::TEST_INSURER).and_then(TestInsurer::of)
            && let Some(first) = catalogue.credit_variants(of).next().map(|variant| variant.insurer().id)
        {
            let why = match case {
                TestInsurer::Slow => {
                    tokio::time::sleep(self.shared.settings.insurer_deadline).await;
                    NotPriced::InsurerSlow
                }
                TestInsurer::Fails => NotPriced::InsurerFailed,
            };
            for item in &mut items {
                let variant = catalogue.credit_variant(item.variant);
                if variant.is_some_and(|variant| variant.insurer().id == first) {
                    item.outcome = Err(why.clone());
                }
            }
        }
        order(&mut items);
        items
    }

    pub(crate) async fn find(&self, of: PartnerId, id: QuoteId) -> Result<Option<EmbeddedQuote>> {
        Ok(self.shared.storage.embedded_quote(of, id).await?)
    }

    /// Removes quotes that are older than the operator's retention period. If the store has a partition for
    /// each month, a month is dropped as a whole once all its quotes are that old. Proposals and policies do
    /// not need the quotes from which they were made. Returns whether any quotes were removed.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn forget_old(&self) -> Result<bool> {
        let kept_for = self
            .shared
            .settings
            .retention
            .quotes
            .and_then(|kept_for| self.shared.ids.now().checked_sub(kept_for).ok());
        let Some(before) = kept_for else { return Ok(false) };
        let mut were_some = false;
        // A few at a time, so that requests can write in between.
        while self.shared.storage.forget_embedded_quotes(before, FORGOTTEN_AT_ONCE).await? {
            were_some = true;
        }
        Ok(were_some)
    }
}
