//! The `Insurer` trait over the wire protocol.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::http::Method;
use domain::health_quote::Outcome;
use domain::id::ProposalId;
use domain::money::Premium;
use domain::quote::NotPriced;
use serde::Serialize;
use service::insurer::{CreditAsk, HealthAsk, Insurer, InsurerDecision, InsurerFault, Submission, Told};

use crate::exchange::Request;
use crate::link::Link;
use crate::protocol::credit::{CreditPrice, CreditPricesAsked};
use crate::protocol::decision::Decision;
use crate::protocol::health::{HealthPrice, HealthPricesAsked};
use crate::protocol::health_proposal::HealthProposalSubmitted;
use crate::protocol::proposal::ProposalSubmitted;
use crate::protocol::{CREDIT_PRICES, HEALTH_PRICES, HEALTH_PROPOSALS, PROPOSALS, decision_path, prices};

/// An insurer that is reached over HTTP.
pub(crate) struct Connection(pub(crate) Arc<Link>);

/// A request that sends something.
pub(crate) fn post(path: &str, body: &impl Serialize, key: Option<ProposalId>) -> Request {
    let body = serde_json::to_vec(body).expect("text, numbers and lists alone");
    Request { method: Method::POST, path: path.into(), body, key }
}

/// A request that only asks.
pub(crate) fn get(path: String) -> Request {
    Request { method: Method::GET, path, body: Vec::new(), key: None }
}

#[async_trait]
impl Insurer for Connection {
    async fn price_credit(
        &self,
        ask: CreditAsk<'_>,
        within: Duration,
    ) -> Result<Vec<Result<Premium, NotPriced>>, InsurerFault> {
        let asked = ask.variants.to_vec();
        let request = post(CREDIT_PRICES, &CreditPricesAsked::of(ask), None);
        let read = move |body: &[u8]| prices::read::<CreditPrice>(body, &asked);
        self.0.ask("credit_prices", request, within, read).await
    }

    async fn price_health(&self, ask: HealthAsk<'_>, within: Duration) -> Result<Vec<Outcome>, InsurerFault> {
        let asked = ask.variants.to_vec();
        let request = post(HEALTH_PRICES, &HealthPricesAsked::of(ask), None);
        let read = move |body: &[u8]| prices::read::<HealthPrice>(body, &asked);
        self.0.ask("health_prices", request, within, read).await
    }

    async fn submit(
        &self,
        submission: Submission<'_>,
        within: Duration,
    ) -> Result<InsurerDecision, InsurerFault> {
        let id = submission.id();
        let request = match submission {
            Submission::CreditLife(proposal) => post(PROPOSALS, &ProposalSubmitted::of(proposal), Some(id)),
            Submission::Health { proposal, made } => {
                post(HEALTH_PROPOSALS, &HealthProposalSubmitted::of(proposal, made), Some(id))
            }
        };
        self.0.ask("submission", request, within, move |body| Decision::read(body, id)).await
    }

    async fn decision(&self, id: ProposalId, within: Duration) -> Result<InsurerDecision, InsurerFault> {
        let request = get(decision_path(id));
        let read = move |body: &[u8]| Decision::read(body, id);
        self.0.ask_or("decision", request, within, read, Some(InsurerDecision::Unknown)).await
    }

    fn is_from(&self, told: &Told<'_>) -> bool {
        self.0.exchange().is_from(told)
    }
}
