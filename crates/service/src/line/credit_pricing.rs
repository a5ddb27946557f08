//! Prices of credit-life variants, from the rate tables or from their insurer over HTTP (D22).

use std::sync::Arc;

use domain::date::Date;
use domain::id::{PartnerId, VariantId};
use domain::money::Premium;
use domain::quote::{NotPriced, QuoteItem, QuoteRequest};
use rating::{Connector, CreditVariant};

use crate::insurer::{CreditAsk, InsurerFault, as_many, in_time, note_fault};
use crate::shared::Shared;

/// Prices variants of credit life.
pub struct CreditPricing {
    pub(crate) shared: Arc<Shared>,
}

impl CreditPricing {
    /// Price of one variant for cover that starts on a day.
    pub(crate) async fn price(
        &self,
        of: PartnerId,
        variant: &CreditVariant,
        request: &QuoteRequest,
        starts: Date,
    ) -> Result<Premium, NotPriced> {
        match variant.insurer().connector {
            Connector::RateTable => variant.price(request, starts),
            Connector::Http(_) => {
                let items = self.ask(of, variant.insurer(), request, vec![variant.id], starts).await;
                items.into_iter().next().map_or(Err(NotPriced::InsurerFailed), |item| item.outcome)
            }
        }
    }

    /// Asks one insurer for the prices of its variants within the deadline.
    pub(crate) async fn ask(
        &self,
        of: PartnerId,
        insurer: &rating::Insurer,
        request: &QuoteRequest,
        variants: Vec<VariantId>,
        starts: Date,
    ) -> Vec<QuoteItem> {
        let within = self.shared.settings.insurer_deadline;
        let ask = CreditAsk { request, variants: &variants, starts };
        if request.cover.amount().is_beyond_counting() {
            // No insurer sells so much cover, and the exact amount may not fit into the request.
            let too_large = |variant| QuoteItem { variant, outcome: Err(NotPriced::TooLarge) };
            return variants.into_iter().map(too_large).collect();
        }
        let answer = match self.shared.connections.to(of, insurer) {
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
}
