//! Credit-protection quotes: every variant open to the partner, priced at once (interface §4; D21 to D23).

use std::sync::Arc;
use std::time::Duration;

use domain::date::{Date, day_of};
use domain::id::{PartnerId, QuoteId, VariantId};
use domain::quote::{EmbeddedQuote, NotPriced, QuoteItem, QuoteRequest, order};
use futures_util::future::join_all;
use rating::{Catalogue, Connector};

use crate::catalogue::Catalogues;
use crate::clock::{Clock, Ids};
use crate::error::Error;
use crate::idempotency::{Idempotency, KeptResponse, Outcome};
use crate::insurer::{Connectors, CreditAsk, InsurerFault, as_many, in_time, note_fault};
use crate::storage::EmbeddedQuotes;

/// A quote with the catalogue that names its variants.
pub struct PricedQuote {
    /// The quote.
    pub quote: EmbeddedQuote,
    /// The catalogue that priced it.
    pub catalogue: Arc<Catalogue>,
}

/// Prices and keeps quotes of credit life.
pub struct EmbeddedQuoteService {
    pub(crate) storage: Arc<dyn EmbeddedQuotes>,
    pub(crate) idempotency: Arc<Idempotency>,
    pub(crate) catalogues: Arc<Catalogues>,
    pub(crate) connectors: Arc<dyn Connectors>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Ids,
    /// Longest wait for an insurer before its items become `is_error` (D22).
    pub(crate) deadline: Duration,
}

impl EmbeddedQuoteService {
    /// Whether insurers over HTTP are asked to price a request of this partner, so that it waits for them.
    pub fn waits_for_insurers(&self, of: PartnerId) -> bool {
        let catalogue = self.catalogues.running();
        let is_http = |connector: &Connector| matches!(connector, Connector::Http(_));
        catalogue.credit_variants(of).any(|variant| is_http(&variant.insurer().connector))
    }

    /// Prices a request. The quote is not yet kept.
    pub async fn price(&self, of: PartnerId, request: QuoteRequest) -> PricedQuote {
        let now = self.clock.now();
        let catalogue = self.catalogues.running();
        let items = self.items(&catalogue, of, &request, day_of(now)).await;
        let quote = EmbeddedQuote {
            id: self.ids.make(),
            partner: of,
            created_at: now,
            request,
            catalogue: catalogue.hash(),
            items,
        };
        PricedQuote { quote, catalogue }
    }

    /// Keeps a quote, in one transaction with its response where an idempotency key came.
    ///
    /// # Errors
    /// [`Error::Storage`] when it could not be kept: then there is no quote.
    pub async fn keep(
        &self,
        priced: PricedQuote,
        response: Option<KeptResponse>,
    ) -> Result<Outcome<PricedQuote>, Error> {
        let response_kept = response.as_ref().map(KeptResponse::keyed);
        let kept = self.storage.keep_embedded_quote(&priced.quote, response_kept).await?;
        self.idempotency.outcome(kept, priced, response).await
    }

    /// Prices every variant open to the partner: from the rate tables here, and by the insurers on a wire all at
    /// once under one deadline. In the order of the answer (D22).
    async fn items(
        &self,
        catalogue: &Catalogue,
        of: PartnerId,
        request: &QuoteRequest,
        on: Date,
    ) -> Vec<QuoteItem> {
        let mut items = Vec::with_capacity(16);
        let mut asked: Vec<(&rating::Insurer, Vec<VariantId>)> = Vec::new();
        for variant in catalogue.credit_variants(of) {
            let insurer = variant.insurer();
            match insurer.connector {
                Connector::RateTable => {
                    items.push(QuoteItem { variant: variant.id, outcome: variant.price(request, on) });
                }
                Connector::Http(_) => match asked.iter_mut().find(|(other, _)| other.id == insurer.id) {
                    Some((_, variants)) => variants.push(variant.id),
                    None => asked.push((insurer, vec![variant.id])),
                },
            }
        }
        if !asked.is_empty() {
            let calls =
                asked.into_iter().map(|(insurer, variants)| self.ask_credit(insurer, request, variants, on));
            items.extend(join_all(calls).await.into_iter().flatten());
        }
        order(&mut items);
        items
    }

    /// Asks one insurer within the deadline.
    async fn ask_credit(
        &self,
        insurer: &rating::Insurer,
        request: &QuoteRequest,
        variants: Vec<VariantId>,
        on: Date,
    ) -> Vec<QuoteItem> {
        let within = self.deadline;
        let ask = CreditAsk { request, variants: &variants, on };
        if request.cover.amount().is_beyond_counting() {
            // Nobody sells it, and what was written may be more than could be handed on.
            let too_large = |variant| QuoteItem { variant, outcome: Err(NotPriced::TooLarge) };
            return variants.into_iter().map(too_large).collect();
        }
        let answer = match self.connectors.connect(insurer) {
            Some(connection) => in_time(within, connection.price_credit(ask, within)).await,
            None => Err(InsurerFault::no_connection()),
        };
        let answer = answer.and_then(|outcomes| as_many(outcomes, variants.len()));
        let outcomes = match answer {
            Ok(outcomes) => outcomes,
            Err(fault) => {
                note_fault(insurer.id, &fault);
                let why = match fault {
                    InsurerFault::Slow => NotPriced::InsurerSlow,
                    InsurerFault::CircuitOpen | InsurerFault::Failed(_) => NotPriced::InsurerFailed,
                };
                vec![Err(why); variants.len()]
            }
        };
        variants.into_iter().zip(outcomes).map(|(variant, outcome)| QuoteItem { variant, outcome }).collect()
    }

    /// A quote of a partner.
    pub(crate) async fn find(&self, of: PartnerId, id: QuoteId) -> Result<Option<EmbeddedQuote>, Error> {
        Ok(self.storage.embedded_quote(of, id).await?)
    }
}
