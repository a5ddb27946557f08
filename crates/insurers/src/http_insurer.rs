//! Implements the `Insurer` trait with the HTTP protocol.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use axum::http::Method;
use domain::health_quote::Outcome;
use domain::id::ProposalId;
use domain::money::Premium;
use domain::quote::NotPriced;
use serde::Serialize;
use service::insurer::{
    CreditAsk, HealthAsk, IncomingMessage, Insurer, InsurerDecision, InsurerFault, PolicyNotice,
    PolicyRequest, RequestDecision, Submission,
};

use crate::client::Request;
use crate::guarded_client::{CallKind, GuardedClient};
use crate::protocol::credit::{CreditPrice, CreditPricesAsked};
use crate::protocol::decision::Decision;
use crate::protocol::health::{HealthPrice, HealthPricesAsked};
use crate::protocol::health_proposal::HealthProposalSubmitted;
use crate::protocol::notice::{Acknowledgement, Notice};
use crate::protocol::proposal::ProposalSubmitted;
use crate::protocol::request::{DecisionAsked, RequestDecided};
use crate::protocol::{
    CREDIT_PRICES, HEALTH_PRICES, HEALTH_PROPOSALS, POLICY_NOTICES, POLICY_REQUESTS, PROPOSALS,
    decision_path, prices,
};

/// Insurer that is reached over HTTP.
pub(crate) struct HttpInsurer(pub(crate) Arc<GuardedClient>);

/// Builds a POST request with a JSON body. `key` is the idempotency key.
pub(crate) fn post(path: &str, body: &impl Serialize, key: Option<ProposalId>) -> Request {
    let body = serde_json::to_vec(body).expect("the body has only text, numbers and lists");
    Request { method: Method::POST, path: path.into(), body, key: key.map(|id| id.to_string()) }
}

pub(crate) fn get(path: String) -> Request {
    Request { method: Method::GET, path, body: Vec::new(), key: None }
}

#[async_trait]
impl Insurer for HttpInsurer {
    async fn price_credit(
        &self,
        ask: CreditAsk<'_>,
        within: Duration,
    ) -> Result<Vec<Result<Premium, NotPriced>>, InsurerFault> {
        let asked = ask.variants.to_vec();
        let request = post(CREDIT_PRICES, &CreditPricesAsked::of(ask), None);
        let parse = move |body: &[u8]| prices::read::<CreditPrice>(body, &asked);
        self.0.call(CallKind::CreditPrices, request, within, parse, None).await
    }

    async fn price_health(&self, ask: HealthAsk<'_>, within: Duration) -> Result<Vec<Outcome>, InsurerFault> {
        let asked = ask.variants.to_vec();
        let request = post(HEALTH_PRICES, &HealthPricesAsked::of(ask), None);
        let parse = move |body: &[u8]| prices::read::<HealthPrice>(body, &asked);
        self.0.call(CallKind::HealthPrices, request, within, parse, None).await
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
        let parse = move |body: &[u8]| Decision::read(body, id);
        self.0.call(CallKind::Submission, request, within, parse, None).await
    }

    async fn decision(&self, id: ProposalId, within: Duration) -> Result<InsurerDecision, InsurerFault> {
        let request = get(decision_path(id));
        let parse = move |body: &[u8]| Decision::read(body, id);
        self.0.call(CallKind::Decision, request, within, parse, Some(InsurerDecision::Unknown)).await
    }

    async fn tell(&self, notice: PolicyNotice<'_>, within: Duration) -> Result<(), InsurerFault> {
        let id = notice.id.clone();
        let request = Request { key: Some(id.clone()), ..post(POLICY_NOTICES, &Notice::of(&notice), None) };
        let parse = move |body: &[u8]| Acknowledgement::read(body, &id);
        self.0.call(CallKind::Notice, request, within, parse, None).await
    }

    async fn decide(
        &self,
        request: PolicyRequest<'_>,
        within: Duration,
    ) -> Result<RequestDecision, InsurerFault> {
        let id = request.id.clone();
        let body = DecisionAsked::of(&request);
        let request = Request { key: Some(id.clone()), ..post(POLICY_REQUESTS, &body, None) };
        let parse = move |body: &[u8]| RequestDecided::read(body, &id);
        self.0.call(CallKind::Request, request, within, parse, None).await
    }

    fn is_from(&self, message: &IncomingMessage<'_>) -> bool {
        self.0.client().is_from(message)
    }
}
